"""Plays a hand on from a choice many times, with all seats played by one program, to find the value of each action.

All samples at the same point of the betting are played at once: the program is asked once for all of them, and each
draws its own action. Every action that is compared is followed with the same hands, the same decks and the same
numbers for the draws of later actions, so that luck largely cancels out of the difference.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final, NamedTuple

import numpy as np

from pokersvc.betting.seats import seats_in
from pokersvc.cards.arrays import ranked
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.record import GameRecord
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.actions import Call
from pokersvc.games.draw_poker.apply import HANDLERS_WITHOUT_COMMITMENTS
from pokersvc.games.draw_poker.dealer import DEALER
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import SIZES_OF, Floats, Numbers
from pokersvc.games.draw_poker.reviewing.programs import ProgramForReview
from pokersvc.games.draw_poker.reviewing.unseen_hands import GONE, Places, UnseenHands, redrawn
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.streets import walk
from pokersvc.streets.phases import Phase

_CHOICES: Final = 24
"""The number of random numbers that each sample has for later choices; after that, the numbers repeat."""
_DECIDED: Final = (Phase.OPEN, Phase.SHOWDOWN, Phase.RAKE, Phase.AWARD)
"""The phases in which nobody chooses any more."""
_NO_SEED: Final = bytes(32)


class _Followed(NamedTuple):
    """Samples at one point of the betting."""

    state: DrawPokerState
    rows: Numbers
    chosen: int
    """The number of choices since the action that is compared."""


class PlayingOn:
    """Plays a hand on from one choice of a seat."""

    def __init__(
        self,
        state: DrawPokerState,
        seat: int,
        unseen: UnseenHands,
        programs: Mapping[int, ProgramForReview],
        samples: int,
        random: np.random.Generator,
        *,
        answers: bool = False,
    ) -> None:
        """Begin where ``seat`` is to choose in ``state``, which lacks the others' cards; ``programs`` are by seat.

        With ``answers`` the seat's program is not asked about others' bets: the seat calls where that pays, else folds.
        """
        self._state, self._seat, self._programs, self._answers = _without_deck(state), seat, programs, answers
        self.parents = unseen.sampled(samples)
        """For each sample, the row of unseen hands from which it comes."""
        self._odd = np.unique(self.parents, return_inverse=True)[1] % 2 == 1
        self._hands = {one: hands[self.parents] for one, hands in unseen.hands.items()}
        self._hands[seat] = np.broadcast_to(unseen.own, (samples, len(unseen.own)))
        self._places: Places = unseen.places[self.parents]
        self._uniform = random.random((_CHOICES, samples))
        self._orders = {one: random.random((samples, 52)) for one in self._hands}

    def brings(self, action: Action) -> Floats:
        """Return the seat's final chips in each sample if it takes an action of the betting."""
        table = _Table({one: np.array(hands) for one, hands in self._hands.items()}, self._places.copy())
        found = np.zeros(len(self.parents))
        state = branched(self._state)
        state.apply(state.decide(action))
        self._follow(_Followed(state, np.arange(len(found)), 0), table, found)
        return found

    def _follow(self, first: _Followed, table: "_Table", found: Floats) -> None:
        """Play samples on to the end, and write the seat's final chips in each to ``found``."""
        left = [first]
        while left:
            at = left.pop()
            if at.state.phase in _DECIDED:
                found[at.rows] = self._paid(at, table)
            elif self._answers and at.state.actor == self._seat and at.state.legal(self._seat).call:
                self._answer(at, table, found)
            elif at.state.actor:
                left += self._chosen(at, table)
            else:
                at.state.apply(_dealt(at.state))
                left.append(at)

    def _answer(self, at: _Followed, table: "_Table", found: Floats) -> None:
        """Let the seat call a bet with the hands that win more than a fold, and fold all others.

        It calls with the best hands down to a threshold, which is found in the other half of the samples: a threshold
        from the same half would depend on luck.
        """
        seat, strengths = self._seat, ranked(*table.hands[self._seat][at.rows].T)  # the call may be before the draw
        folded = at.state.stacks[seat]
        called = at.state
        called.apply(called.decide(Call(seat)))
        self._follow(_Followed(called, at.rows, at.chosen + 1), table, found)
        gained = found[at.rows] - folded
        odd = self._odd[at.rows]
        halves = (odd, ~odd) if 0 < odd.sum() < len(odd) else (np.ones_like(odd), np.ones_like(odd))
        of_odd, of_even = (_weakest_call(strengths[half], gained[half]) for half in halves)
        found[at.rows[strengths < np.where(odd, of_even, of_odd)]] = folded

    def _chosen(self, at: _Followed, table: "_Table") -> list[_Followed]:
        """Return the samples after the seat to act has chosen in each, grouped by its choice."""
        state, rows, seat = at.state, at.rows, at.state.actor
        view, legal, uniform = state.view(seat), state.legal(seat), self._uniform[at.chosen % _CHOICES, rows]
        hands = table.hands[seat][rows]
        if legal.discard is None:
            mixed = self._programs[seat].bets(view, legal, hands, sizes=_sizes_for(len(rows)))
            numbers = mixed.drawn(uniform)
            made = {int(number): state.decide(mixed.actions[number]) for number in np.unique(numbers)}
        else:
            masks = self._programs[seat].draws(view, legal, hands).drawn(uniform)
            places = table.places[rows]
            table.hands[seat][rows] = redrawn(hands, masks, places, self._orders[seat][rows])
            table.places[rows] = places
            numbers = SIZES_OF[masks]
            made = {int(count): events.CardsDiscarded(None, int(count), seat) for count in np.unique(numbers)}
        found = []
        for last, (number, event) in enumerate(made.items(), 1):
            among = rows[numbers == number]
            if isinstance(event, events.Folded):
                table.places[among[:, None], table.hands[seat][among]] = GONE
            then = state if last == len(made) else branched(state)
            then.apply(event)
            found.append(_Followed(then, among, at.chosen + 1))
        return found

    def _paid(self, at: _Followed, table: "_Table") -> Floats:
        """Return the seat's chips after the pots have been paid, divided equally among the best hands."""
        state, seat = at.state, self._seat
        if state.phase in (Phase.OPEN, Phase.SHOWDOWN):
            walk.to_award(state)
        live = seats_in(state.live)
        if len(live) == 1:
            return np.full(len(at.rows), state.stacks[seat] + (state.pot - state.rake_due) * (live[0] == seat), float)
        strengths = {one: ranked(*table.hands[one][at.rows].T).astype(np.intp) for one in live}
        found = np.full(len(at.rows), state.stacks[seat], float)
        raked = state.rake_due
        for pot in state.pots:
            taken = min(raked, pot.amount)
            raked -= taken
            eligible = np.array([strengths[one] for one in seats_in(pot.eligible)])
            if seat in seats_in(pot.eligible):
                best = eligible.max(axis=0)
                found += (pot.amount - taken) * (strengths[seat] == best) / (eligible == best).sum(axis=0)
        return found


def _weakest_call(strengths: Numbers, gained: Floats) -> float:
    """Return the strength at and above which calls gain the most in total; infinity if no calls gain."""
    each, of = np.unique(strengths, return_inverse=True)
    together = np.bincount(of, gained, len(each))[::-1].cumsum()  # of the best hands
    if not len(each) or together.max() <= 0:
        return float("inf")
    return float(each[::-1][together.argmax()])


def _sizes_for(samples: int) -> int:
    """Return the number of bet sizes over which the samples are spread: fewer for fewer samples."""
    return 4 if samples >= 400 else 2 if samples >= 40 else 1


class _Table(NamedTuple):
    """The hands and the decks of all samples while one action is played out."""

    hands: dict[int, Numbers]
    places: Places


def _dealt(state: DrawPokerState) -> Event:
    """Return the dealer's next event; drawn cards stay hidden, because each sample has its own."""
    if state.phase is Phase.SERVE:
        return earlier_events.CardsDrawn(None, state.need, state.cursor)
    event = DEALER[state.phase](state, None)
    assert event is not None
    return event


def _without_deck(state: DrawPokerState) -> DrawPokerState:
    """Return a copy of a hand that can be played on without a deck, a record or commitments."""
    found = branched(state)
    found.recorded, found.commits, found.handlers = None, False, HANDLERS_WITHOUT_COMMITMENTS
    found.deck_seed, found.deck_left = _NO_SEED, 52
    found.committed = {}
    return found


def branched(state: DrawPokerState) -> DrawPokerState:
    """Copy a state within a round, ten times as fast as `deepcopy`, by copying only what a round changes."""
    found = object.__new__(DrawPokerState)
    for name in _SLOTS:
        value = getattr(state, name)
        if isinstance(value, list | dict):
            value = value.copy()
        elif isinstance(value, GameRecord):
            value = deepcopy(value)
        setattr(found, name, value)
    return found


_SLOTS: Final = tuple(
    name for of in DrawPokerState.__mro__ for name in getattr(of, "__slots__", ()) if not name.startswith("__")
)
