"""The source of randomness in an audit: the seeds that the log recorded."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from pokersvc.core.auditable import Auditable
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.event import Event, EventT
from pokersvc.core.randomness.chance import SEED_BYTES, Entropy
from pokersvc.core.randomness.recorded import Recordings
from pokersvc.core.state import WithheldSecrets
from pokersvc.evidence.audit.reading import AnyRecord, shown_secret

NO_SEED: Final = bytes(SEED_BYTES)
"""Stands for a missing seed: nothing in the log was dealt from it."""


class RecordedEntropy(Recordings):
    """Hands out the seed of the event that is audited now; in a reproducible game, knows which one it should be."""

    deals = True
    """Whether decks are known, and so all that they give."""

    def __init__(self, game: Auditable, text: Entropy | None) -> None:
        self._game = game
        self._text = text
        self.record: AnyRecord | None = None
        """The event that is audited now, set before each; None where there is none."""
        self.wrong: tuple[bytes, bytes] | None = None
        """The recorded seed and the one that follows from the game's text, where they differ."""
        self.deck = 0
        """The number of the deck whose seed was asked for last."""

    def seed(self, index: int) -> bytes:
        """Return the recorded seed."""
        self.deck = index
        seed = self._seed()
        if seed is None:
            return NO_SEED
        if self._text is not None and (expected := self._text.seed(index)) != seed:
            self.wrong = seed, expected
        return seed

    def recorded(self, type_: type[EventT]) -> EventT | None:
        """Return the event that is audited now, if it is of this type: what it says was recorded elsewhere."""
        event = self._event()
        return event if isinstance(event, type_) else None

    def _seed(self) -> bytes | None:
        event = self._event()
        return None if event is None else self._game.seed_of(event)

    def _event(self) -> Event | None:
        record = self.record
        if record is not None:
            with suppress(UnreadableEvent):  # what cannot be read is found where it is compared
                return self._game.codec.decode(record.type, record.version, record.payload, shown_secret(record))
        return None


class ShownEntropy(RecordedEntropy):
    """Hands out the seeds that a copy shows, and those that follow from what it shows; of others nothing is known."""

    deals = False

    def __init__(self, game: Auditable, text: Entropy | None) -> None:
        super().__init__(game, text)
        self.follows: Callable[[], bytes | None] = lambda: None
        """Returns the seed that follows from the shares of the round, where the dealer's secret is known."""

    def seed(self, index: int) -> bytes:
        """Return the seed of the event that is audited now, shown or not; `WithheldSecrets` where it is not known."""
        self.deck = index
        if self._seed() is None:
            seed = self.follows()
            if seed is None:
                raise WithheldSecrets
            self.deals = True
            return seed
        self.deals = True
        return super().seed(index)
