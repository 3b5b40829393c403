"""What games say of their chance when they start, and what of that cannot be."""

from collections.abc import Iterator

from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.games.books import Mismatch
from pokersvc.games.entropy import EntropySource


def wrong_dealing(shuffle: int, reproducible: bool, source: EntropySource | None) -> Iterator[Mismatch]:
    """Yield what cannot be: a shuffle that is not known, and a text of the seed that is there or not as told."""
    if shuffle != SHUFFLE_VERSION:
        yield Mismatch(f"shuffle {shuffle}", f"shuffle {SHUFFLE_VERSION}, the only one there is")
    yield from wrong_source(reproducible, source)


def wrong_source(reproducible: bool, source: EntropySource | None) -> Iterator[Mismatch]:
    """Yield what cannot be: a text of the seed that is there or not as told."""
    if source is not None and reproducible != (source.text is not None):
        told = "a reproducible game" if reproducible else "a game that is not reproducible"
        yield Mismatch(told, "what the secret says, which has " + ("no text" if reproducible else "a text"))
