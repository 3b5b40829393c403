"""Checks of the randomness that a game of cards declares at its start."""

from collections.abc import Iterator

from pokersvc.cards.deck import SHUFFLE_VERSION
from pokersvc.core.books import Mismatch
from pokersvc.core.randomness.chance import EntropySource, wrong_source


def wrong_dealing(shuffle: int, reproducible: bool, source: EntropySource | None) -> Iterator[Mismatch]:
    """Yield contradictions: an unknown shuffle version, or a ``reproducible`` that does not agree with a seed text."""
    if shuffle != SHUFFLE_VERSION:
        yield Mismatch(f"shuffle {shuffle}", f"shuffle {SHUFFLE_VERSION}, the only one there is")
    yield from wrong_source(reproducible, source)
