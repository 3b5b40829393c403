"""Collects the engine's actions in a hand that was followed, by seat; a text's claims are compared with them."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pokersvc.cards.unknown import AnyCard
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.cash_table import stacks_of
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDiscarded, RecordedCardsDrawn
from pokersvc.games.draw_poker.state import DrawPokerState


class Reshuffle(NamedTuple):
    """The moment at which the deck ran out."""

    discards: int
    """The number of players who had discarded."""
    drawn: int
    """The number of cards that had been drawn."""


@dataclass(slots=True)
class HandDone:
    """The engine's actions in a hand, by seat; amounts are in the smallest unit."""

    posted: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    put: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    returned: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    won: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """(seat, pot from 1) → the amount that the pot paid."""
    pots: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Pot from 1 → the amount that it paid, after rake."""
    raked: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Pot from 1 → its rake."""
    eligible: dict[int, int] = field(default_factory=dict)
    """Pot from 1 → the set of seats that might have won it."""
    folded: dict[int, bool] = field(default_factory=dict)
    """Seat → whether it folded before the draw."""
    discards: int = 0
    drawn: int = 0
    """The number of cards drawn."""
    reshuffled: list[Reshuffle] = field(default_factory=list)
    before_draw: tuple[int, ...] = ()
    """The main pot and the side pots when the draw began; empty if there was no draw."""
    contested: bool = False
    """Whether two or more players stayed in to the end."""
    hands: dict[int, Sequence[AnyCard | None]] = field(default_factory=dict)
    """Seat → its hand at the end."""
    before: dict[int, int] = field(default_factory=dict)
    """Seat → its stack when the hand began."""
    after: dict[int, int] = field(default_factory=dict)

    @property
    def all_pots(self) -> int:
        """Everything that was put in and not returned."""
        return sum(self.put.values()) - sum(self.returned.values())

    @property
    def rake(self) -> int:
        """The total rake."""
        return sum(self.raked.values())

    def won_by(self, seat: int) -> int:
        """Return the amount that all pots paid a seat."""
        return sum([amount for (winner, _), amount in self.won.items() if winner == seat])


def what_was_done(state: DrawPokerState, done: Sequence[Event], before_draw: tuple[int, ...]) -> HandDone:
    """Collect the effects of a hand's events; ``before_draw`` are the pots when the draw began."""
    all_ = HandDone(before_draw=before_draw, contested=not state.only_one_left)
    for event in done:
        if (noting := _NOTES.get(event.__class__)) is not None:
            noting(all_, event)
    assert state.recorded is not None
    all_.eligible = {award.pot: eligible for eligible, award in state.recorded.awarded}
    all_.hands = dict(enumerate(state.hands))
    all_.after = dict(enumerate(state.stacks))
    all_.before = dict(enumerate(stacks_of(state.table, len(state.seats), state.rules.stack)))
    return all_


def _posted(done: HandDone, event: events.AntePosted | events.BlindPosted | events.Posted) -> None:
    done.posted[event.seat] += event.amount
    done.put[event.seat] += event.amount


def _put(done: HandDone, event: events.Bet | events.Called | events.Raised) -> None:
    done.put[event.seat] += event.amount


def _folded(done: HandDone, event: events.Folded) -> None:
    done.folded[event.seat] = not done.discards


def _discarded(done: HandDone, _event: RecordedCardsDiscarded) -> None:
    done.discards += 1


def _returned(done: HandDone, event: events.UncalledBetReturned) -> None:
    done.returned[event.seat] += event.amount


def _reshuffled(done: HandDone, _event: events.DeckReshuffled) -> None:
    done.reshuffled.append(Reshuffle(done.discards, done.drawn))


def _drew(done: HandDone, event: RecordedCardsDrawn) -> None:
    done.drawn += event.count


def _raked(done: HandDone, event: events.RakeTaken) -> None:
    done.raked[event.pot] += event.amount


def _awarded(done: HandDone, event: events.PotAwarded) -> None:
    for share in event.shares:
        done.won[share.seat, event.pot] += share.amount
        done.pots[event.pot] += share.amount


_NOTES: Final[Mapping[type[Event], Callable[..., None]]] = {
    events.AntePosted: _posted,
    events.BlindPosted: _posted,
    events.Posted: _posted,
    events.Bet: _put,
    events.Called: _put,
    events.Raised: _put,
    events.Folded: _folded,
    RecordedCardsDiscarded: _discarded,
    events.UncalledBetReturned: _returned,
    RecordedCardsDrawn: _drew,
    events.DeckReshuffled: _reshuffled,
    events.RakeTaken: _raked,
    events.PotAwarded: _awarded,
}
