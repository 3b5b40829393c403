"""The checks of every new name that comes in from outside; names that are recorded already are never checked."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from pokersvc.core.names.letters import COMMON, letters
from pokersvc.core.names.looks import alike
from pokersvc.errors import InvalidValue
from pokersvc.text import listed

_BLANK: Final = frozenset("\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159")
"""Characters that Unicode counts as visible and fonts leave blank: a Braille pattern without dots, and fillers."""
_MOST_MARKS: Final = 4
"""The most marks on a letter (UTS 39, section 5.4); Vietnamese needs 2, and fully pointed Hebrew 3 or 4."""
_TOGETHER: Final[dict[str, frozenset[str]]] = {
    "Hani": frozenset({"Hanb", "Jpan", "Kore"}),
    "Hira": frozenset({"Jpan"}),
    "Kana": frozenset({"Jpan"}),
    "Bopo": frozenset({"Hanb"}),
    "Hang": frozenset({"Kore"}),
}
"""Script → combined scripts that include it, for languages that mix several scripts (UTS 39, section 5.1)."""
_WITH_LATIN: Final = frozenset({"Hanb", "Jpan", "Kore"})
"""Scripts that people mix with Latin, and whose letters look like no Latin letter ("Highly Restrictive")."""


def readable(name: str) -> str:
    """Return a name; raise `InvalidValue` with the reason if it is unreadable."""
    if why := unreadable(name):
        raise InvalidValue(f"{name!r} cannot be a name: {why}.")
    return name


def apart(names: Sequence[str]) -> None:
    """Raise `InvalidValue` if a name is unreadable, or if two names at one table look alike."""
    for at, name in enumerate(map(readable, names)):
        if (other := like(name, names[:at])) is not None:
            raise InvalidValue(
                f"The names {other!r} and {name!r} look alike; every seat needs a name that looks different."
            )


def unlike(name: str, others: Iterable[str]) -> None:
    """Raise `InvalidValue` if a name looks like one of the other names at a table."""
    if (other := like(name, others)) is not None:
        which = f"{other!r} already" if name == other else f"{other!r}, which looks like {name!r}"
        raise InvalidValue(f"Somebody at the table is called {which}; take another name.")


def like(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the other names that looks like this one, if any."""
    return next((other for other in others if alike(name, other)), None)


@lru_cache(maxsize=4096)
def unreadable(name: str) -> str | None:
    """Return why a name is unreadable, as the end of a sentence; None if it is readable.

    The reason is an invisible letter, misused marks, or letters of scripts that are easily confused.
    """
    if hidden := next((one for one in name if one in _BLANK or letters().invisible.of(one) is not None), None):
        return f"its {_said(hidden)} is invisible; leave it out"
    return _wrong_mark(name) or _mixed_scripts(name)


def _wrong_mark(name: str) -> str | None:
    """Return what is wrong with the name's marks (no letter, too many, repeated); None if nothing is."""
    carries, run = False, ""
    for one in unicodedata.normalize("NFD", name):
        if unicodedata.category(one) not in ("Mn", "Me"):
            carries, run = not one.isspace(), ""
            continue
        if not carries:
            return f"its {_said(one)} is not on a letter; leave it out"
        if one == run[-1:] or len(run) == _MOST_MARKS:
            return f"a letter takes at most {_MOST_MARKS} marks, each once; leave {_said(one)} out"
        run += one
    return None


def _mixed_scripts(name: str) -> str | None:
    """Return what is wrong if the name mixes scripts that no language mixes; None if it does not."""
    found: dict[str, frozenset[str]] = {}
    for one in name:
        scripts = letters().scripts.of(one)
        if scripts is None:
            return f"Unicode {letters().version} does not have its U+{ord(one):04X}; take letters that it has"
        if not scripts & COMMON:
            found[one] = scripts.union(*(_TOGETHER.get(script, frozenset()) for script in scripts))
    beside = [scripts for scripts in found.values() if "Latn" not in scripts]
    if not beside:
        return None
    shared = frozenset.intersection(*beside)
    if shared if len(beside) == len(found) else shared & _WITH_LATIN:
        return None
    told = sorted({letters().names[min(letters().scripts.of(one) or ())] for one in found})
    return f"it mixes {listed(told)} letters, which are easily confused; take letters of one script"


def _said(letter: str) -> str:
    return f"U+{ord(letter):04X} ({unicodedata.name(letter, 'a character')})"
