"""The conversion of a hand that was dealt elsewhere into a game: from recorded facts to events.

A caller leads a `Recording` through the hand as the file tells it: `deal` applies the dealer's events by the rules, and
`choose` the choice of a seat. So the reader of a file can compare every event with its lines. `finished` returns the
game, which `Service.with_secrets.record` stores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import Final
from uuid import UUID, uuid5

from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.core.actions import Action, CloseGame
from pokersvc.core.books import Mismatch
from pokersvc.core.event import EVERYONE, Event, EventT
from pokersvc.core.randomness.chance import NO_CHANCE
from pokersvc.core.randomness.recorded import FollowedGame, Recordings
from pokersvc.core.seats import HUMAN, LONGEST_NAME, Seat
from pokersvc.core.setup import check_seats
from pokersvc.core.state import Entry
from pokersvc.core.version import __version__
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.game import DRAW_POKER
from pokersvc.games.draw_poker.house.cash_table import CashTable, check_table
from pokersvc.games.draw_poker.house.playable import check_playable, refused_as_recorded, refused_rules
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands.card_books import CardBooks
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    Award,
    CardsLearned,
    DealRecorded,
    HandQuoted,
    SeatCards,
)
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.text import counted

_HANDS: Final = UUID("6f0e4f9a-6a1c-5d0b-9a53-3c1f0f6c2d11")
"""The namespace of the ids of hands that were dealt elsewhere; it never changes."""


def hand_id(site: str, number: str) -> str:
    """Return the id of the game made from a site's hand, the same in every database.

    >>> hand_id("PokerStars", "57273888010")
    '2b4341f5-4692-5f29-9de0-04ede09a586e'
    """
    return str(uuid5(_HANDS, f"{site}/{number}"))


def id_with_findings(site: str, number: str, text: str) -> str:
    """Return the game's id for a hand whose text has an error; it differs from the id that `hand_id` returns."""
    return str(uuid5(_HANDS, f"{site}/{number}/{sha256(text.encode()).hexdigest()}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedHand:
    """The known facts of a recorded hand, without the players' choices; unknown facts are left out."""

    seats: tuple[str, ...]
    """The names of the players; seat ``i`` sits at ``table.numbers[i - 1]``."""
    rules: DrawPokerRules
    """The rules of a house that shows hands in order (``open_hands = "in_order"``) and draws no opener at random."""
    table: CashTable
    cards: tuple[SeatCards, ...] = ()
    """The cards of each seat that has at least one known card."""
    mucked: tuple[int, ...] = ()
    """The seats in the showdown that did not show their hands; seats whose hand is unknown need not be named."""
    awards: tuple[Award, ...] = ()
    """The payments of pots: required if an unknown hand wins."""

    def started(self) -> GameStarted:
        """Return the event that starts the game; raise `InvalidValue`, with the reason, if it cannot start."""
        rules = _checked(self.rules)
        if not 2 <= len(self.seats) <= rules.seats.most:
            raise InvalidValue(
                f"{counted(len(self.seats), 'player')} cannot play {rules.name}; it takes 2 to {rules.seats.most}."
            )
        seats = tuple([Seat(HUMAN, name) for name in self.seats])
        check_seats(seats, LONGEST_NAME)
        table = self.table if self.table.recorded else self.table.model_copy(update={"recorded": True})
        return GameStarted(
            engine=DRAW_POKER.engine,
            entropy=NO_CHANCE,
            game="draw",
            hidden_kinds=False,
            program=__version__,
            reproducible=False,
            rounds=1,
            rules=rules,
            seats=seats,
            shuffle=SHUFFLE_VERSION,
            table=check_table(table, len(self.seats)),
        )

    def deal(self) -> DealRecorded:
        """Return the event with the recorded cards and showdown, which takes the place of the deck."""
        cards = tuple(sorted(self.cards, key=lambda of: of.seat))
        return DealRecorded(self.awards, cards, tuple(sorted(set(self.mucked))))


@lru_cache(2048)
def _checked(rules: DrawPokerRules) -> DrawPokerRules:
    """Return the rules if a recorded hand can be played by them; raise `InvalidRules` if not."""
    check_playable(rules)
    if (refused := refused_as_recorded(rules)) is not None:
        raise refused_rules(rules, *refused)
    return rules


@dataclass(slots=True)
class _Inputs(Recordings):
    """Gives the dealer the recorded events of a hand in place of chance; there are no seeds."""

    next: Event | None

    def seed(self, index: int) -> bytes:
        """Return a constant seed, which is never used to deal."""
        return NO_CHANCE.secret

    def recorded(self, type_: type[EventT]) -> EventT | None:
        """Return the next recorded event if it is of this type, else None."""
        return self.next if isinstance(self.next, type_) else None


class Recording:
    """A hand that is being converted into a game."""

    def __init__(self, hand: RecordedHand, *, for_the_log: bool = False) -> None:
        """Begin to convert a hand; with ``for_the_log``, keep its lines of history, which `followed` returns."""
        self._begin(hand.started(), for_the_log=for_the_log)
        self._inputs.next = hand.deal()

    def _begin(self, started: GameStarted, *, for_the_log: bool = False) -> None:
        self.events: list[Event] = [started]
        """The events so far, from the start; `finished` adds the event that quotes the file."""
        self.state: DrawPokerState = DRAW_POKER.new(started)
        self.state.record.stop()  # nobody asks for a view
        self._books, self._cards = DRAW_POKER.books(started), CardBooks(started)
        self._booked = 1
        """The number of events already in the books, the start included, which is never entered."""
        self._wrong: list[tuple[Event, Mismatch]] = []
        self._inputs = _Inputs(None)
        self._entries: list[tuple[int, Entry]] | None = [] if for_the_log else None

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Recording":
        """Return the recording of a stored game, so that more can be learned about its cards."""
        recording = cls.__new__(cls)
        started, *others = events
        assert isinstance(started, GameStarted)
        recording._begin(started)
        for event in others:
            recording._take(event)
        return recording

    def deal(self) -> list[Event]:
        """Apply the dealer's events until a seat must choose or the hand is over, and return them."""
        before, inputs, next_event = len(self.events), self._inputs, self.state.dealer_event
        while (event := next_event(inputs)) is not None:
            self._take(event)
        return self.events[before:]

    def choose(self, action: Action) -> Event:
        """Apply a seat's choice and return its event; raise `IllegalAction`, with the reason, if it is not allowed.

        A discard with an unknown card is a `DiscardUnknown`.
        """
        return self._take(self.state.decide(action))

    def cancel(self) -> None:
        """Cancel the hand, which is possible only before any other event: all stacks remain as they were."""
        self._take(self.state.decide(CloseGame()))
        self.deal()

    def learn(self, quote: HandQuoted, *cards: CardsLearned) -> list[Event]:
        """After the hand's end, apply facts that another file adds, and return their events."""
        return [self._take(event) for event in (quote, *cards)]

    def _take(self, event: Event) -> Event:
        self.state.apply(event)
        self.events.append(event)
        if self._entries is not None and (entry := self.state.entry(event, EVERYONE)) is not None:
            self._entries.append((len(self.events) + 1, entry))  # after the quote
        return event

    def _book(self) -> None:
        """Enter the events that are not in the books yet."""
        post, take, state = self._books.post, self._cards.take, self.state
        for event in islice(self.events, self._booked, None):
            for found in (post(event), take(event, state)):
                if found:
                    self._wrong += [(event, one) for one in found]
        self._booked = len(self.events)

    @property
    def wrong(self) -> list[tuple[Event, Mismatch]]:
        """The events that contradict earlier ones in chips or in cards, each with the contradiction."""
        self._book()
        return self._wrong

    @property
    def unchecked(self) -> dict[str, int]:
        """The number of things that cannot be checked, by kind; see `Audited.unchecked`."""
        self._book()
        return self._cards.unchecked

    @property
    def followed(self) -> FollowedGame | None:
        """The lines of history and the outcome, once the hand is over; None without ``for_the_log``."""
        if self._entries is None or self.state.outcome is None:
            return None
        return FollowedGame(tuple(self._entries), self.state.outcome)

    def finished(self, quote: HandQuoted) -> list[Event]:
        """Return the game's events, with the file's quote after the start; raise `InvalidValue` if it is not over."""
        if self.state.outcome is None:
            raise InvalidValue(f"The hand {quote.number} of {quote.site} is not over, so it cannot be a game yet.")
        return [self.events[0], quote, *self.events[1:]]


def is_same_hand(one: Sequence[Event], other: Sequence[Event]) -> bool:
    """Return whether two games were made from the same text, regardless of the file and of the version that read it."""
    said = [_text_of(events) for events in (one, other)]
    return said[0] is not None and said[0] == said[1]


def _text_of(events: Sequence[Event]) -> tuple[str, str, str, str | None] | None:
    quote = next((event for event in events if isinstance(event, HandQuoted)), None)
    return None if quote is None else (quote.site, quote.number, quote.dialect, quote.text)
