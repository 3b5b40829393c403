"""What games say of their chance when they start, and what of that cannot be."""

from collections.abc import Iterator

from pokersvc.cards.deck import SHUFFLE_VERSION
from pokersvc.core.books import Mismatch
from pokersvc.core.randomness.chance import EntropySource, wrong_source


def wrong_dealing(shuffle: int, reproducible: bool, source: EntropySource | None) -> Iterator[Mismatch]:
    """Yield what cannot be: a shuffle that is not known, and a text of the seed that is there or not as told."""
    if shuffle != SHUFFLE_VERSION:
        yield Mismatch(f"shuffle {shuffle}", f"shuffle {SHUFFLE_VERSION}, the only one there is")
    yield from wrong_source(reproducible, source)
