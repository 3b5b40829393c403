"""Counts a game's common shuffles, for the verdict, by how far they were checked."""

from contextlib import suppress

from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.game import Game
from pokersvc.core.tables.table_words import RoundsChecked
from pokersvc.evidence.audit.reading import AnyRecord, shown_secret


class Shuffles:
    """Counts a game's shuffles: common ones that an open seed or only cards confirm, and all with a withheld seed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._rounds = 0
        self._by_seed = 0
        self._by_cards = 0
        self._to_be_shown: set[int] = set()
        """The numbers of decks whose seed is withheld and of which no card was shown yet."""
        self.closed = 0
        """The number of seeds that the copy withholds."""
        self.first_closed: AnyRecord | None = None
        """The first common shuffle whose seed is withheld."""

    @property
    def rounds(self) -> RoundsChecked:
        """The number of rounds confirmed by a seed, confirmed by cards, and not confirmed, so far."""
        return RoundsChecked(self._by_seed, self._by_cards, self._rounds - self._by_seed - self._by_cards)

    def alone(self, record: AnyRecord) -> None:
        """Count a shuffle by the dealer alone."""
        self.closed += shown_secret(record) is None

    def shuffled(self, record: AnyRecord, deck: int, *, follows: bool) -> None:
        """Count a common shuffle; ``follows`` says that its seed was found to follow from the shares."""
        self._rounds += 1
        if shown_secret(record) is None:
            self.closed += 1
            self.first_closed = self.first_closed or record
            if follows:
                self._to_be_shown.add(deck)
        elif follows:
            self._by_seed += 1

    def compared(self, record: AnyRecord, last: int) -> None:
        """Count a deck as confirmed by cards if this event, which was compared with its deck, shows cards."""
        if not self._to_be_shown:
            return
        with suppress(UnreadableEvent):
            event = self._game.codec.decode(record.type, record.version, record.payload, shown_secret(record))
            deck = self._game.seed_shown(event, last)
            if deck in self._to_be_shown:
                self._to_be_shown.discard(deck)
                self._by_cards += 1
