"""The situation in a game of draw poker: the state after the events so far, and what follows directly from it.

Seats, chips and betting are those of `pokersvc.betting.state`, cards and streets those of `pokersvc.streets.state`.
This module adds what only draw poker has.
"""

from abc import ABC, abstractmethod
from typing import Final

from pokersvc.betting.chip_race import is_due
from pokersvc.betting.ranking import Exit, places_of
from pokersvc.betting.seats import has
from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import NOTHING_STATED
from pokersvc.cards import Card
from pokersvc.core.event import Event
from pokersvc.core.record import GameRecord
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.house.betting_terms import house_terms, stated_of
from pokersvc.games.draw_poker.house.cash_table import seats_at_start, stacks_of
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.past_hands import Held
from pokersvc.games.draw_poker.persons import begin_persons
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import RecordedInputs
from pokersvc.streets.state import StreetsState, Unsure

COMMITTING: Final = 5
"""The first engine whose dealer commits to each card where people play, so that they may show cards."""


class Situation(StreetsState, ABC):
    """Chips, hands, deck, and whose turn it is. Only `pokersvc.games.draw_poker.apply` changes it."""

    __slots__ = (
        "added_on", "cached_legal", "cash_rules", "changeable", "commits", "ended", "engine", "exits", "hidden_kinds",
        "paid", "past", "past_names", "past_showed", "past_unsure", "prizes", "raced", "record", "recorded",
        "reentries", "revealed", "round_level", "round_stacks", "rules", "rules_at_start", "schedule", "stakes_level",
        "table", "tournament_entry",
    )  # fmt: skip

    def __init__(self, started: events.GameStarted) -> None:
        rules, table, seats = started.rules, started.table, started.seats
        self.engine = started.engine
        self.hidden_kinds = started.hidden_kinds
        self.rules = self.rules_at_start = rules
        """The rules with the amounts that are now in force."""
        self.changeable = started.changeable
        """Whether the host may change the stakes between rounds."""
        self.table = table
        self.cash_rules = started.cash
        """The rules of a cash game besides those of the house; None if there are none."""
        self.schedule = started.levels
        """The levels of blinds and antes; None without levels."""
        self.stakes_level = 1
        """The level of the current round or, between rounds, of the next; 1 in a game without levels."""
        self.raced = 1
        """The last level for which no chip race is due any more."""
        self._begin_tournament(started.entry, len(seats))
        self.recorded = RecordedInputs.of(len(seats)) if table is not None and table.recorded else None
        """The record that takes the place of a deck if the hand was dealt elsewhere; else None."""
        self.past: list[bytes] = []
        """Rounds with hidden hands that the history will show after the game, each packed as `past_hands` does."""
        self.past_names: list[tuple[str, ...]] = []
        """The names of the seats in each round of `past`."""
        self.past_unsure: list[dict[int, Unsure]] = []
        """For each round of `past`: seat → its draw, if this copy does not know which cards the seat discarded."""
        self.past_showed: dict[tuple[int, int], tuple[Card, ...]] = {}
        """For rounds of `past`: (round, seat) → the cards that the seat showed by its own choice."""
        self.revealed = 0
        """The number of rounds of `past` whose hands were shown after the game."""
        self.ended: events.GameEnded | None = None
        self.cached_legal: LegalActions | None = None
        self.record: GameRecord[Event] = GameRecord()
        persons = sum([1 << seat for seat, who in enumerate(seats, 1) if who.kind == HUMAN])
        self.commits = self.engine >= COMMITTING and (persons > 0 or started.hidden_kinds)
        """Whether the dealer commits to each card: if people play, or if hidden kinds may conceal people."""
        super().__init__(
            *house_terms(rules, started.engine, table, started.cash),
            seats_at_start(seats, table),
            stacks_of(table, len(seats), rules.stack),
            persons=persons,
            out=0 if table is None else sum(1 << seat for seat in table.out),
            rounds=started.rounds,
            stated=NOTHING_STATED if table is None else stated_of(table),
        )
        if self.cash:
            begin_persons(self, started.people)

    def _begin_tournament(self, entry: TournamentEntry | None, seats: int) -> None:
        self.tournament_entry = entry
        """What an entry costs and what each place wins; None if the game is not played for prizes."""
        self.paid = [0, *[0 if entry is None else entry.price] * seats]
        """The prices that each seat has paid, in units; place 0 is unused."""
        self.reentries = [0] * (seats + 1)
        """How often each seat has entered the tournament again."""
        self.added_on = 0
        """The seats that have taken the add-on."""
        self.round_level = 0
        """In a tournament, the level of the current or last round; 0 before the first."""
        self.exits: dict[int, Exit] = {}
        """In a tournament, how each seat that is out went out."""
        self.round_stacks: tuple[int, ...] = ()
        """In a tournament, the chips of each seat when the current or last round began."""
        self.prizes: events.PrizesAwarded | None = None
        """What each seat has won of the prizes, once they are awarded."""

    @property
    def next_ante(self) -> int:
        """The ante of the next round."""
        ante = self.rules.ante
        return ante.amount + ante.increase * (self.round - self.stakes_since)

    @property
    def chip_to_race(self) -> int | None:
        """The smallest chip of the level that now begins, if smaller ones must be raced off first; else None."""
        if self.schedule is None or self.raced == self.stakes_level or self.rounds_played():
            return None
        chip = self.schedule.schedule[self.stakes_level - 1].chip
        return chip if chip is not None and is_due(self.stacks, self.seated, chip) else None

    @property
    def is_tournament(self) -> bool:
        """Whether all seats are ranked by when they went out: in a game with levels, or with prizes."""
        return self.schedule is not None or self.tournament_entry is not None

    @property
    def ranking(self) -> tuple[int, ...]:
        """The place of each seat if the tournament ends now, from seat 1."""
        return places_of(self.stacks, self.seated, self.exits)

    @property
    def hand(self) -> int:
        """The number of the current or last round in the table's count of hands; 0 before the first."""
        first = 1 if self.table is None else self.table.hand
        return first + self.round - 1 if self.round else 0

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers that the seats have at the table, from seat 1."""
        return tuple(range(1, len(self.stacks))) if self.table is None else self.table.numbers

    @property
    def place_of_button(self) -> int | None:
        """The number of the place that has the button, which may be empty; None without a button."""
        if not self.button:
            return None
        first = self.table is not None and self.round == 1
        stated = self.table.button if self.table is not None and first else None
        return self.places[self.button - 1] if stated is None else stated

    @property
    def names_revealed(self) -> tuple[str, ...]:
        """The names of the seats in the last round whose hands were shown after the game."""
        return self.past_names[self.revealed - 1] if self.past_names else self.names

    def __eq__(self, other: object) -> bool:
        """Return whether two states are equal, apart from cached attributes."""
        if not isinstance(other, Situation):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in COMPARED)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    @property
    @abstractmethod
    def pausing(self) -> bool:
        """Whether a person may leave or come now, between two rounds."""

    def held(self) -> list[Held]:
        """Return the hands of the round as they were last held, including those of players who folded or left."""
        return [
            Held(seat, hand, has(self.shown, seat), self.won[seat], has(self.forgone, seat))
            for seat, hand in enumerate(self.hands)
            if hand
        ]


COMPARED: Final = tuple(
    name
    for name in (*BettingState.__slots__, *StreetsState.__slots__, *Situation.__slots__)
    if not name.startswith("cached_")
)
