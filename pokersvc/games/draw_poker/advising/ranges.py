"""The opponent's range in heads-up draw poker: the hands it may hold, sampled from the cards the seat cannot see.

The hands are sampled uniformly from all that are possible, and weighted by how the other player has bet and drawn. If
few of them fit, for example after that player stood pat, more are sampled and weighted by the player's choices so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.betting.seats import has
from pokersvc.cards import CARDS, Card, ranking
from pokersvc.cards.advice import Objective, best_discard
from pokersvc.cards.arrays import ranked
from pokersvc.cards.discards import batch_best
from pokersvc.cards.opponents import win_values
from pokersvc.cards.unknown import all_known
from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Policy
from pokersvc.core.bots.ranges import AskedPolicies, Range, RangeTerms
from pokersvc.core.event import Event
from pokersvc.core.record import Seen
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import objective_of
from pokersvc.games.draw_poker.advising.estimate import chips_of
from pokersvc.games.draw_poker.decisions import action_of
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.streets.phases import Phase

_DRAWS: Final = 8
"""How many draws of both players are simulated for each hand."""
_ENOUGH: Final = 0.2
"""More hands are sampled while the effective sample size is below this fraction of the intended number of hands."""
_TRIES: Final = 4
"""The maximum number of times that more hands are sampled after a choice."""

_DEALT: Final = (events.HandDealt, earlier_events.HandDealt)
_DRAWN: Final = (events.CardsDrawn, earlier_events.CardsDrawn)
"""Deals and draws have the second type if the dealer commits to no card, as among bots whose kinds are shown."""

Numbers = NDArray[np.intp]


@dataclass(slots=True)
class Held:
    """One hand that the other may hold."""

    dealt: tuple[Card, ...]
    cards: tuple[Card, ...]
    weight: float = 1.0
    gone: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A choice of the other seat, with its view of the game, into which the cards of each possible hand are filled."""

    view: DrawPokerView
    legal: LegalActions
    event: Event
    fits: bool = True
    """Whether the choice fits the policy for any hand; if not, it gives no information about the hand."""


class HeadsUpRange(Range[DrawPokerState, DrawPokerView]):
    """The range of the other of two players."""

    def __init__(self, seat: int, terms: RangeTerms, asked: AskedPolicies, random: Random) -> None:
        """Begin a game at ``seat``; ``asked`` returns the other's policies for hands that are sampled later."""
        self._seat, self._other, self._terms, self._asked = seat, 3 - seat, terms, asked
        self._random = random
        self._chances = np.random.default_rng(random.getrandbits(128))
        self.held: list[Held] = []
        """The hands that the other may hold."""
        self._own: tuple[Card, ...] = ()
        """All cards that the seat has seen of its own."""
        self._chosen: list[_Chosen | None] = []
        """The choices of the other in this hand; None stands for the moment when the other was dealt new cards."""
        self._shares: list[float] | None = None
        """The chance to win against each hand, cached until the next event."""

    # What may be held.

    def weights(self) -> list[float]:
        """Return the weight of each possible hand."""
        return [one.weight for one in self.held]

    def views(self, state: DrawPokerState, chosen: tuple[Event, ...]) -> list[DrawPokerView]:
        """Return, for each possible hand, the view that the other seat would have."""
        base = state.view(self._other)
        return [_seen_with(base, one) for one in self.held]

    def narrow(self, state: DrawPokerState, event: Event, policies: Sequence[Policy]) -> bool:
        """Weigh each hand by the probability of this choice with it; return whether any hand allows the choice."""
        before = [replace(one) for one in self.held]
        self.held = _weighed(self.held, event, policies, self._random)
        chosen = _Chosen(state.view(self._other), state.legal(self._other), event)
        self._chosen.append(chosen)
        for _ in range(_TRIES):
            if self._worth() >= _ENOUGH * self._terms.samples:
                break
            self.held += self._more()
        if self.held:
            return True
        self.held = _weighed(before, event, [{}] * len(before), self._random)
        self._chosen[-1] = replace(chosen, fits=False)
        return False

    def take(self, state: DrawPokerState, event: Event) -> None:
        """Sample hands after the deal; deal their new cards in the draw; drop hands with cards that the seat sees."""
        self._shares = None
        if isinstance(event, events.DeckShuffled):
            self.held, self._chosen, self._own = [], [], ()
        elif isinstance(event, _DEALT) and all(len(state.hands[seat]) == HAND for seat in (1, 2)):
            cards = state.hands[self._seat]
            assert all_known(cards)
            self._own = cards
            self.held = self._fresh()
        elif isinstance(event, _DRAWN) and event.seat == self._other:
            self._chosen.append(None)
            _serve(self.held, self._own, self._random)
        elif isinstance(event, _DRAWN) and event.cards is not None:
            self._own += event.cards
            seen = set(event.cards)
            self.held = [one for one in self.held if seen.isdisjoint((*one.cards, *one.gone))] or self.held

    def _fresh(self) -> list[Held]:
        own = set(self._own)
        left = [card for card in CARDS if card not in own]
        hands = (tuple(self._random.sample(left, HAND)) for _ in range(self._terms.samples))
        return [Held(hand, hand) for hand in hands]

    def _more(self) -> list[Held]:
        """Return additional hands, each weighted by all choices of the other seat so far."""
        found = self._fresh()
        for chosen in self._chosen:
            if chosen is None:
                _serve(found, self._own, self._random)
            elif found:
                views = [_seen_with(chosen.view, one) for one in found]
                policies = self._asked(views, chosen.legal) if chosen.fits else [{}] * len(found)
                found = _weighed(found, chosen.event, policies, self._random)
        return found

    def _worth(self) -> float:
        """Return the effective sample size: the number of equally likely hands with the same information."""
        squares = sum(one.weight**2 for one in self.held)
        return sum(one.weight for one in self.held) ** 2 / squares if squares else 0.0

    # What it is worth.

    def values(self, state: DrawPokerState, chosen: tuple[Event, ...]) -> list[float]:
        """Return the seat's chips against each hand if both call what they owe."""
        nothing, all_ = self._result(state, 0.0), self._result(state, 1.0)
        if nothing == all_:  # somebody has folded
            return [nothing] * len(self.held)
        if self._shares is None:
            self._shares = self._won(state)
        return [nothing + (all_ - nothing) * share for share in self._shares]

    def _won(self, state: DrawPokerState) -> list[float]:
        """Return the chance to win against each hand, a tie counting as a half, if both draw as advised."""
        mine = state.hands[self._seat]
        assert all_known(mine)
        theirs = np.array([[card.number for card in one.cards] for one in self.held])
        if not _draws(state, self._seat) and not _draws(state, self._other):
            shares: list[float] = _won(np.array([ranking.strength(mine)]), _strengths(theirs)).tolist()
            return shares
        most = state.rules.discards
        own = np.array([card.number for card in mine])
        own_thrown = batch_best(own[None], win_values(1), most) if _draws(state, self._seat) else np.zeros(1, np.uint8)
        their_thrown = (
            batch_best(theirs, win_values(1), most) if _draws(state, self._other) else np.zeros(len(theirs), np.uint8)
        )
        seen = np.zeros((len(theirs), 52), bool)
        seen[:, [card.number for card in self._own]] = True
        for row, one in enumerate(self.held):
            seen[row, [card.number for card in (*one.cards, *one.gone)]] = True
        won = np.zeros(len(theirs))
        for _ in range(_DRAWS):
            new = (self._chances.random((len(theirs), 52)) + seen).argpartition(2 * HAND, axis=1)[:, : 2 * HAND]
            hands = _replaced(np.broadcast_to(own, theirs.shape), own_thrown, new[:, :HAND])
            won += _won(_strengths(hands), _strengths(_replaced(theirs, their_thrown, new[:, HAND:])))
        found: list[float] = (won / _DRAWS).tolist()
        return found

    def _result(self, state: DrawPokerState, share: float) -> float:
        """Return the seat's chips if both call what they owe and it gets ``share`` of the pot; a fold decides alone."""
        if not has(state.live, self._seat):
            share = 0.0
        elif not has(state.live, self._other):
            share = 1.0
        return chips_of(state, share if self._seat == 1 else 1 - share)[self._seat - 1]

    def actions(self, state: DrawPokerState) -> list[Action]:
        """Return fold, check or call, and each size of bet or raise; in the draw, the advised discard."""
        seat, legal = self._seat, state.legal(self._seat)
        if legal.discard is not None:
            mine = state.hands[seat]
            assert all_known(mine)
            aim = replace_aim(objective_of(state.view(seat), drew=True))
            return [Discard(seat, best_discard(mine, aim, legal.discard))]
        found: list[Action] = []
        if legal.check:
            found.append(Check(seat))
        if legal.call:
            found.append(Call(seat))
        if legal.fold and not legal.check:
            found.append(Fold(seat))
        if found and self._terms.late and state.betting_round < len(state.streets):
            return found
        if legal.bet is not None:
            found += [Bet(seat, amount) for amount in self._sizes(legal.bet, 0, state.pot)]
        if legal.raise_to is not None:
            found += [Raise(seat, to) for to in self._sizes(legal.raise_to, state.price, state.pot + legal.call)]
        return found

    def _sizes(self, limits: tuple[int, int], price: int, pot: int) -> list[int]:
        least, most = limits
        named = [max(least, min(most, price + round(part * pot))) for part in self._terms.sizes]
        return sorted({least, *named, most})

    def gives_up(self, state: DrawPokerState, action: Action) -> bool:
        """Return whether an action folds."""
        return isinstance(action, Fold)


def replace_aim(objective: Objective) -> Objective:
    """Return the objective to win, whatever the house advises."""
    return objective if objective.aim == "win" else Objective("win", 1)


def _draws(state: Situation, seat: int) -> bool:
    """Return whether a seat has yet to draw."""
    return state.street < len(state.streets) or (state.phase in (Phase.DRAW, Phase.SERVE) and has(state.pending, seat))


def _seen_with(view: DrawPokerView, held: Held) -> DrawPokerView:
    """Return the view that the viewer would have with these cards."""
    assert isinstance(view.viewer, int)
    place = view.viewer - 1
    mine = replace(view.seats[place], cards=held.cards, discarded=held.gone)
    seats = (*view.seats[:place], mine, *view.seats[place + 1 :])
    return replace(view, seats=seats, record=_record_with(view.record, view.viewer, held))


def _record_with(record: Seen[Event], seat: int, held: Held) -> Seen[Event]:
    """Return the record with a seat's own cards, which the other seat has not seen; their salts stay hidden."""
    now = [_with_cards(event, held) if getattr(event, "seat", 0) == seat else event for event in record.round]
    return Seen.of_events(record.past, now)


def _with_cards(event: Event, held: Held) -> Event:
    if isinstance(event, _DEALT):
        return replace(event, cards=held.dealt)
    if isinstance(event, _DRAWN):
        return replace(event, cards=held.drawn)
    return replace(event, cards=held.gone) if isinstance(event, events.CardsDiscarded) else event


def _weighed(held: list[Held], event: Event, policies: Sequence[Policy], random: Random) -> list[Held]:
    """Multiply each weight by the probability of a choice, and return the hands that are still possible.

    The cards of a hidden discard are sampled from the policy; an empty policy fits any choice and any cards.
    """
    action = action_of(event)
    for one, policy in zip(held, policies, strict=True):
        if isinstance(event, events.CardsDiscarded):
            _throw(one, event.count, policy, random)
        elif policy and action is not None:
            one.weight *= policy.get(action, 0.0)
    return [one for one in held if one.weight]


def _throw(one: Held, count: int, policy: Policy, random: Random) -> None:
    """Weigh a hand by the probability that it discards ``count`` cards, and choose the cards that it discards."""
    parts = {
        action.cards: part
        for action, part in policy.items()
        if isinstance(action, Discard) and len(action.cards) == count and set(action.cards) <= set(one.cards)
    }
    if policy:
        one.weight *= sum(parts.values())
    if parts or not policy:
        [one.gone] = random.choices(list(parts), list(parts.values())) if parts else [_any(one.cards, count, random)]
        one.cards = tuple(card for card in one.cards if card not in one.gone)


def _any(cards: tuple[Card, ...], count: int, random: Random) -> tuple[Card, ...]:
    return tuple(random.sample(cards, count))


def _serve(held: list[Held], own: tuple[Card, ...], random: Random) -> None:
    """Replace the discarded cards of each hand by new ones."""
    for one in held:
        gone = {*own, *one.cards, *one.gone}
        one.drawn = tuple(random.sample([card for card in CARDS if card not in gone], len(one.gone)))
        one.cards += one.drawn


def _strengths(hands: Numbers) -> NDArray[np.uint16]:
    return ranked(*np.asarray(hands, np.intp).T)


def _won(mine: NDArray[np.integer], theirs: NDArray[np.integer]) -> NDArray[np.float64]:
    won: NDArray[np.float64] = (mine > theirs) + 0.5 * (mine == theirs)
    return won


def _replaced(hands: Numbers, thrown: NDArray[np.uint8], new: Numbers) -> Numbers:
    """Return the hands with new cards in place of their discards, which are given as a mask for each hand."""
    return np.where(thrown[:, None] >> np.arange(HAND) & 1, new, hands)
