"""The review of a seat in draw poker: bets by the value of each action, draws by exact advice.

If a strategy reviews a hand, the hand is played on against the others' possible hands; if not, the bot `shark` models
those hands.

The review follows the game as the seat saw it, and knows no card that the seat did not see at the time.
"""

from collections.abc import Container
from typing import Final

import numpy as np

from pokersvc.betting.money import say_money
from pokersvc.cards import Card
from pokersvc.cards.discards import DISCARDS, SIZES, outcomes, totals
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cards.phrases import say_hand
from pokersvc.cards.unknown import all_known
from pokersvc.cards.worth import choice_in_words
from pokersvc.core.actions import Action
from pokersvc.core.bots.reviewing import Reviewed, ReviewedChoice, ReviewedRound, Reviewer, ReviewTerms
from pokersvc.core.event import Event
from pokersvc.core.randomness.stream import derive
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, DiscardUnknown, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import objective_of
from pokersvc.games.draw_poker.decisions import action_of
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDrawn, RecordedHandDealt
from pokersvc.games.draw_poker.reviewing.by_reading import ReadingProgram
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import Floats, Mixed, Numbers, Thrown
from pokersvc.games.draw_poker.reviewing.playing_on import PlayingOn
from pokersvc.games.draw_poker.reviewing.programs import (
    PROGRAMS,
    Chosen,
    ProgramForReview,
    ReviewingProgram,
    program_for,
)
from pokersvc.games.draw_poker.reviewing.unseen_hands import UnseenHands
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.streets.phases import Phase

_DEALT: Final = (events.HandDealt, earlier_events.HandDealt, RecordedHandDealt)
_DRAWN: Final = (events.CardsDrawn, earlier_events.CardsDrawn, RecordedCardsDrawn)
_CHOICES: Final = (Check, Bet, Call, Raise, Fold, Discard, DiscardUnknown)
_SELDOM: Final = 0.005
"""Actions that the program takes less often than this are left out of its mixture."""
_MEANT: Final = 0.01
"""If the program draws as many cards as the seat at least this often, the best discard of this size is the standard."""
_HARDLY: Final = 0.01
"""If the probability that the program would have acted as the seat did is below this, the program would hardly have
come to this choice."""
_SIZES: Final = 4
"""The maximum number of bet sizes listed for what the program would have done."""
_SURE: Final = 1.96
"""Half the width of a 95 % interval, in standard errors."""


class DrawPokerReviewer(Reviewer):
    """Judges the choices of one seat."""

    called = "hand"

    def __init__(self, started: events.GameStarted, seat: int, terms: ReviewTerms) -> None:
        """Begin with the start of the game, as the seat saw it."""
        self._state = DrawPokerState(started)
        self._seat, self._terms = seat, terms
        currency = None if started.table is None else started.table.currency
        self._currency = ("", 0) if currency is None else (currency.code, currency.exponent)
        self.unit = "" if self._currency[0] else "chips"
        self._began = self._made = 0
        self._chance = 1.0
        """The probability that the program would have acted in this hand as the seat has so far."""
        self._dealt: tuple[Card, ...] = ()
        self._unseen: UnseenHands | None = None
        """Samples of the others' hands, if hands are played on."""
        self._program: Chosen | None = None
        """The program that reviews the hand; None if nobody does, or the seat has folded."""

    def say(self, amount: float) -> str:
        """Return an amount of chips, or of the table's currency, as text."""
        code, exponent = self._currency
        return say_money(round(amount), code, exponent) if code else f"{amount:z.1f}"

    def about(self, kind: str) -> str:
        """Return a sentence on the program."""
        return next(one.about for one in PROGRAMS if one.kind == kind)

    def take(self, event: Event, judged: Container[int]) -> Reviewed | None:
        """Take the next event, and judge it if it is a choice of the seat."""
        state, found = self._state, None
        if isinstance(event, events.RoundStarted):
            self._began, self._made, self._dealt = state.stacks[self._seat], 0, ()
            self._unseen, self._program, self._chance = None, None, 1.0
        action = action_of(event)
        if isinstance(action, _CHOICES) and action.seat == state.actor:
            found = self._chosen(state, action, event, judged=state.round in judged)
        state.apply(event)
        if isinstance(event, events.RoundEnded) and self._made:
            net = state.stacks[self._seat] - self._began
            return ReviewedRound(event.round, _say_hand(self._dealt), net, self._made)
        self._note(event, judged)
        return found

    def _chosen(self, state: DrawPokerState, action: Action, event: Event, *, judged: bool) -> ReviewedChoice | None:
        if action.seat != self._seat:
            if judged and self._unseen is not None:
                self._narrow(self._unseen, state, action, event)
            return None
        thrown = action.cards if isinstance(action, Discard | DiscardUnknown) else ()
        if not all_known(state.hands[self._seat]) or not all_known(thrown):
            return None
        self._made += 1
        if not judged or self._program is None:
            return None
        if isinstance(action, Discard | DiscardUnknown):
            return self._draw_judged(state, thrown, self._program)
        return self._bet_judged(state, action, self._program)

    def _narrow(self, unseen: UnseenHands, state: DrawPokerState, action: Action, event: Event) -> None:
        assert self._program is not None
        seat = action.seat
        program = self._program.anywhere if seat in unseen.strayed else self._program.play
        assert not isinstance(program, ReadingProgram)
        view, legal = state.view(seat), state.legal(seat)
        if isinstance(action, Discard | DiscardUnknown):
            unseen.drew(seat, program.draws(view, legal, unseen.hands[seat]), getattr(event, "count", 0))
            return
        unseen.bet(seat, program.bets(view, legal, unseen.hands[seat], sizes=None), action)
        if isinstance(action, Fold):
            unseen.folded(seat)

    def _note(self, event: Event, judged: Container[int]) -> None:
        """Note the cards that the seat has seen of its own."""
        state, seat = self._state, self._seat
        hand = state.hands[seat]
        if isinstance(event, _DEALT) and state.phase is not Phase.DEAL and all_known(hand):
            self._dealt = hand
            if state.round in judged and self._dealt:
                self._program = program_for(state.view(seat))
                if not isinstance(self._program.play, ReadingProgram):
                    others = [one for one, hand in enumerate(state.hands) if hand and one != seat]
                    self._unseen = UnseenHands(_numbers(self._dealt), others, self._random("deal"))
        elif getattr(event, "seat", 0) != seat:
            return
        elif isinstance(event, events.Folded):
            self._unseen = self._program = None
        elif self._unseen is None:
            return
        elif isinstance(event, _DRAWN) and event.cards is not None and all_known(event.cards):
            self._unseen.was_dealt(_numbers(event.cards))
        elif all_known(thrown := state.discarded[seat]) and isinstance(action_of(event), Discard | DiscardUnknown):
            self._unseen.threw(_numbers(thrown))

    def _random(self, *labels: str | int) -> np.random.Generator:
        found = derive(self._terms.seed, "review", self._state.round, *labels)
        return np.random.default_rng(int.from_bytes(found))

    # The choices

    def _bet_judged(self, state: DrawPokerState, action: Action, program: Chosen) -> ReviewedChoice:
        legal, hand = state.legal(self._seat), state.hands[self._seat]
        assert all_known(hand)
        if isinstance(program.play, ReadingProgram):
            would, cost, error = self._read(state, action, program.of, program.play)
            improvised = False
        else:
            would, cost, error, improvised = self._played_on(state, action, program, program.play)
        said = tuple((self._say_action(one, legal), chance) for one, chance in would.items())
        to_call = f"{self._whole(legal.call)} to call" if legal.call else "nothing to call"
        return ReviewedChoice(
            round=state.round,
            number=self._made,
            when="before the draw" if state.betting_round < len(state.streets) else "after the draw",
            had=_say_hand(hand),
            situation=f"pot {self._whole(state.pot)}, {to_call}",
            chose=self._say_action(action, legal),
            by=program.of.kind,
            would=said,
            cost=cost,
            error=error,
            improvised=improvised,
            doubted=self._strayed,
        )

    def _read(
        self, state: DrawPokerState, action: Action, program: ReviewingProgram, play: ReadingProgram
    ) -> tuple[dict[Action, float], float, float]:
        """Return what a modelling program would have done, and the cost of the seat's action, with its error."""
        worlds, random = self._terms.samples or program.samples, self._random("choice", self._made)
        would, brings = play.would(state.view(self._seat), state.legal(self._seat), action, worlds, random)
        return (would, *(_difference(brings, np.arange(worlds), action, would) if brings else (0.0, 0.0)))

    def _played_on(
        self, state: DrawPokerState, action: Action, program: Chosen, play: ProgramForReview
    ) -> tuple[dict[Action, float], float, float, bool]:
        """Return what `_read` does, for a strategy; and whether the program would rarely have reached this choice."""
        legal, unseen = state.legal(self._seat), self._unseen
        assert unseen is not None
        mixed = play.bets(state.view(self._seat), legal, unseen.own[None], sizes=_SIZES)
        would = _likely(mixed)
        cost = error = 0.0
        improvised = self._improvises(program)
        if improvised or set(would) != {action}:
            programs = {one: program.anywhere if one in unseen.strayed else play for one in unseen.hands}
            programs[self._seat] = program.anywhere if improvised else play
            samples = self._terms.samples or program.of.samples
            random = self._random("choice", self._made)
            playing = PlayingOn(state, self._seat, unseen, programs, samples, random, answers=improvised)
            weighed = dict.fromkeys([*(mixed.actions if improvised else would), action])
            brings = {one: playing.brings(one) for one in weighed}
            if improvised:
                would = {max(brings, key=lambda one: brings[one].mean()): 1.0}
            cost, error = _difference(brings, playing.parents, action, would)
        self._chance *= float(mixed.of(action)[0])
        return would, cost, error, improvised

    def _draw_judged(self, state: DrawPokerState, thrown: tuple[Card, ...], program: Chosen) -> ReviewedChoice:
        seat, view, legal = self._seat, state.view(self._seat), state.legal(self._seat)
        hand = state.hands[seat]
        assert all_known(hand)
        assert legal.discard is not None
        draws = program.play.draws(view, legal, _numbers(hand)[None])
        against = objective_of(view, drew=True)
        sums = totals(hand, win_values(against.opponents, against.drew, hand))
        wins = {
            mask: sums[mask] / outcomes(mask) / WIN_UNITS for mask in range(DISCARDS) if SIZES[mask] <= legal.discard
        }
        mine = sum(1 << place for place, card in enumerate(hand) if card in thrown)
        improvised = self._improvises(program)
        meant = not improvised and float(draws.of_size(len(thrown))[0]) >= _MEANT
        best = max(chance for mask, chance in wins.items() if not meant or SIZES[mask] == len(thrown))
        same = meant and bool(draws.chances[0][draws.masks[0] == mine].sum() >= _MEANT)
        less = 0.0 if same else best - wins[mine]
        advised = ((_say_discard(hand, max(wins, key=wins.__getitem__)), 1.0),)
        would = advised if improvised else _say_draws(hand, draws)
        self._chance *= float(draws.of_size(len(thrown))[0])
        return ReviewedChoice(
            round=state.round,
            number=self._made,
            when="the draw",
            had=_say_hand(hand),
            situation=f"pot {self._whole(state.pot)}",
            chose=_say_discard(hand, mine),
            by=program.of.kind,
            would=would,
            cost=less * state.pot,
            error=0.0,
            points=100 * less,
            improvised=improvised,
            doubted=self._strayed,
        )

    def _improvises(self, program: Chosen) -> bool:
        """Return whether the program would rarely have come here with the seat's hand, or after the others' actions."""
        return program.of.plans and (self._strayed or self._chance < _HARDLY)

    @property
    def _strayed(self) -> bool:
        """Whether another seat has taken an action that the program hardly ever takes."""
        return self._unseen is not None and bool(self._unseen.strayed)

    def _say_action(self, action: Action, legal: LegalActions) -> str:
        match action:
            case Bet(amount=amount):
                return f"bet {self._whole(amount)}"
            case Raise(to=to):
                return f"raise to {self._whole(to)}"
            case Call():
                return f"call {self._whole(legal.call)}"
            case _:
                return type(action).__name__.lower()

    def _whole(self, amount: int) -> str:
        return say_money(amount, *self._currency)


def _likely(mixed: Mixed) -> dict[Action, float]:
    """Return the actions of a policy's only hand that are not too rare, with probabilities that add up to 1."""
    chances = mixed.chances[mixed.classes[0]]
    found = {action: float(chance) for action, chance in zip(mixed.actions, chances, strict=True) if chance >= _SELDOM}
    whole = sum(found.values())
    return {action: chance / whole for action, chance in sorted(found.items(), key=lambda item: -item[1])}


def _difference(
    brings: dict[Action, Floats], parents: Numbers, action: Action, would: dict[Action, float]
) -> tuple[float, float]:
    """Return how much more a policy wins than an action, with half the width of the 95 % interval.

    Samples of the same unseen hands (``parents``) are not independent: their sum counts as one sample.
    """
    mean = np.zeros(len(parents))
    for one, chance in would.items():
        mean += chance * brings[one]
    less = mean - brings[action]
    cost = float(less.mean())
    _, of = np.unique(parents, return_inverse=True)
    together = np.bincount(of, less - cost)
    return cost, float(_SURE * np.sqrt((together**2).sum()) / len(less))


def _say_discard(hand: tuple[Card, ...], mask: int) -> str:
    thrown = [card for place, card in enumerate(hand) if mask >> place & 1]
    return choice_in_words(thrown, [card for card in hand if card not in thrown])


def _say_hand(hand: tuple[Card, ...]) -> str:
    return say_hand(in_reading_order(hand))


def _say_draws(hand: tuple[Card, ...], draws: Thrown) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for mask, chance in zip(draws.masks[0], draws.chances[0], strict=True):
        if chance >= _SELDOM:
            said = _say_discard(hand, int(mask))
            found[said] = found.get(said, 0.0) + float(chance)
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


def _numbers(cards: tuple[Card, ...]) -> Numbers:
    return np.array([card.number for card in cards], np.intp)
