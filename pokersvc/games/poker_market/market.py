"""The state of a Poker Market game that follows from its events so far.

Seats count from 1; lists by seat have an unused place 0.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pokersvc.cards import strength
from pokersvc.core.event import Event
from pokersvc.core.record import GameRecord
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import LegalActions, Propose
from pokersvc.games.poker_market.events import FiveCards
from pokersvc.games.poker_market.phases import SHUFFLE

Hands: TypeAlias = tuple[FiveCards, ...]
"""The hands of all seats, from seat 1."""
Answer: TypeAlias = Literal["accepted", "declined", "forfeited"]


@dataclass(frozen=True, slots=True)
class Bargain:
    """A proposal that was answered, with the hands on the table then."""

    answer: Answer
    before: Hands
    """The hands at the time of the proposal."""
    order: tuple[int, ...]
    """The order of turns at the time of the proposal."""
    proposal: Propose
    round: int


class Market:
    """Hands, points, and whose turn it is. Only `pokersvc.games.poker_market.apply` changes it."""

    __slots__ = (
        "actor", "bargains", "cached_legal", "closed", "done", "ended", "hands", "hidden_kinds", "names", "number",
        "order", "phase", "points", "proposal", "ranked", "record", "round", "rules", "seats", "seed", "swaps", "turn",
    )  # fmt: skip

    def __init__(self, started: events.GameStarted) -> None:
        self.rules = started.rules
        self.seats = started.seats
        self.hidden_kinds = started.hidden_kinds
        self.names = ("", *(seat.name for seat in started.seats))
        self.points = [0] * (len(started.seats) + 1)
        self.hands: list[FiveCards] = []
        """The hands by seat, from 1; empty before the first deal."""
        self.number = self.round = 0
        """The number of the market; ``round`` is the number of the round in the whole game."""
        self.order: tuple[int, ...] = ()
        """The seats in the order of their turns in this market, without those that are out of it."""
        self.turn = 0
        """The number of seats in `order` that have had their turn in this round."""
        self.actor = 0
        """The seat that must choose, or 0 while the dealer is to act."""
        self.phase = SHUFFLE
        self.seed: bytes | None = None
        self.proposal: Propose | None = None
        self.swaps: list[Propose] = []
        """The swaps made in this round."""
        self.done: tuple[int, tuple[Propose, ...]] = (0, ())
        """The last round that is over, and the swaps made in it."""
        self.record: GameRecord[Event] = GameRecord()
        self.bargains: GameRecord[Bargain] = self.record.beside()
        """The proposals that were answered, grouped by round."""
        self.ranked: events.HandsRanked | None = None
        """The ranking of the market, once it has ended."""
        self.closed = False
        """Whether the game was closed: no more rounds are played, and the current hands are ranked."""
        self.ended: events.GameEnded | None = None
        self.cached_legal: LegalActions | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether two states are equal, apart from cached attributes."""
        if not isinstance(other, Market):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in COMPARED)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    @property
    def round_in_market(self) -> int:
        """The number of the round within its market."""
        return self.round - (self.number - 1) * self.rules.rounds

    def best_first(self) -> list[int]:
        """Return the seats from the best hand to the worst; of equal hands, the one with the later turn is better."""
        hands, order = self.hands, self.order
        standing = sorted([(strength(hands[seat]), turn) for turn, seat in enumerate(order)], reverse=True)
        return [order[turn] for _, turn in standing]


COMPARED: Final = tuple(name for name in Market.__slots__ if not name.startswith("cached_"))


def order_of(market: int, players: int) -> tuple[int, ...]:
    """Return the order of turns in a market; its start moves on by one seat each market.

    >>> order_of(1, 3), order_of(2, 3)
    ((1, 2, 3), (2, 3, 1))
    """
    first = (market - 1) % players
    seats = range(1, players + 1)
    return (*seats[first:], *seats[:first])
