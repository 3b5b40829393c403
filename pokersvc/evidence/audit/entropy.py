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
"""Stands for a seed that the log lacks; nothing in the log was dealt from this value."""


class RecordedEntropy(Recordings):
    """Returns the seed recorded in the audited event; in a reproducible game, compares it with the right seed."""

    deals = True
    """Whether the seeds, and so the decks and all cards dealt from them, are known."""

    def __init__(self, game: Auditable, text: Entropy | None) -> None:
        self._game = game
        self._text = text
        self.record: AnyRecord | None = None
        """The event being audited, set before each event; None if there is none."""
        self.wrong: tuple[bytes, bytes] | None = None
        """The recorded seed and the seed that follows from the game's text, if they differ."""
        self.deck = 0
        """The number of the deck whose seed was requested last."""

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
        """Return the event being audited if it has ``type_``, else None; for content that no seed determines."""
        event = self._event()
        return event if isinstance(event, type_) else None

    def _seed(self) -> bytes | None:
        event = self._event()
        return None if event is None else self._game.seed_of(event)

    def _event(self) -> Event | None:
        record = self.record
        if record is not None:
            with suppress(UnreadableEvent):  # an unreadable event is reported when it is compared
                return self._game.codec.decode(record.type, record.version, record.payload, shown_secret(record))
        return None


class ShownEntropy(RecordedEntropy):
    """Returns the seeds that a copy shows, or that follow from the secrets it shows; other seeds are unknown."""

    deals = False

    def __init__(self, game: Auditable, text: Entropy | None) -> None:
        super().__init__(game, text)
        self.follows: Callable[[], bytes | None] = lambda: None
        """Returns the seed that follows from the shares of the round; None if the dealer's secret is unknown."""

    def seed(self, index: int) -> bytes:
        """Return the seed of the event being audited, shown or derived; raise `WithheldSecrets` if it is unknown."""
        self.deck = index
        if self._seed() is None:
            seed = self.follows()
            if seed is None:
                raise WithheldSecrets
            self.deals = True
            return seed
        self.deals = True
        return super().seed(index)
