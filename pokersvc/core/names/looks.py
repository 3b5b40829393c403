"""Compare the looks of names by the skeletons of Unicode's security mechanisms (UTS 39, section 4)."""

import unicodedata
from functools import lru_cache

from pokersvc.core.names.letters import letters


def skeleton(name: str) -> str:
    r"""Return the skeleton of a name, the same for all texts that look alike (UTS 39); several spaces count as one.

    The display order of mixed right-to-left and left-to-right letters is ignored: no name mixes them.

    >>> skeleton("\u0421\u0430\u0440\u0430"), skeleton("Il1"), skeleton("mod")
    ('Capa', 'lll', 'rnod')
    """
    known = letters()
    seen = "".join(one for one in unicodedata.normalize("NFD", name) if known.invisible.of(one) is None)
    return " ".join(unicodedata.normalize("NFD", seen.translate(known.prototypes)).split())


def folded(name: str) -> str:
    """Return a name in small letters and in one normal form of Unicode (NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def same(one: str, other: str) -> bool:
    r"""Return whether two texts are the same name, ignoring case and different codes for the same letters.

    >>> same("Zoe\u0308", "ZO\xcb"), same("I1l", "lll")
    (True, False)
    """
    return folded(one) == folded(other)


def alike(one: str, other: str) -> bool:
    """Return whether two names look alike, as they are written or in small letters.

    >>> alike("Ann", "ann"), alike("Bill", "BiIl"), alike("Ann", "Anna")
    (True, True, False)
    """
    return not _looks(one).isdisjoint(_looks(other))


@lru_cache(maxsize=4096)
def _looks(name: str) -> frozenset[str]:
    """Return a name's skeletons: as it is written, normalized (NFKC), and in small letters."""
    return frozenset(map(skeleton, (name, unicodedata.normalize("NFKC", name), folded(name))))
