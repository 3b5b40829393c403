"""The dealer's chance in an audit: the seeds that the log recorded."""

from contextlib import suppress
from typing import Final

from pokersvc.core.auditable import Auditable
from pokersvc.core.chance import SEED_BYTES, Entropy
from pokersvc.core.codec import UnreadableEvent
from pokersvc.eventlog.record import Record

NO_SEED: Final = bytes(SEED_BYTES)
"""Stands where the log records no seed although one is due: what is dealt from it is in no log."""


class RecordedEntropy:
    """Hands out the seed of the event that is audited now; in a reproducible game, knows which one it should be."""

    def __init__(self, game: Auditable, text: Entropy | None) -> None:
        self._game = game
        self._text = text
        self.record: Record | None = None
        """The event that is audited now, set before each; None where there is none."""
        self.wrong: tuple[bytes, bytes] | None = None
        """The recorded seed and the one that follows from the game's text, where they differ."""

    def seed(self, index: int) -> bytes:
        """Return the recorded seed."""
        seed = self._recorded()
        if seed is None:
            return NO_SEED
        if self._text is not None and (expected := self._text.seed(index)) != seed:
            self.wrong = seed, expected
        return seed

    def _recorded(self) -> bytes | None:
        record = self.record
        if record is not None:
            with suppress(UnreadableEvent):  # what cannot be read is found where it is compared
                event = self._game.codec.decode(record.type, record.version, record.payload, record.secret)
                return self._game.seed_of(event)
        return None
