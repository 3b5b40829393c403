"""The bots act legally, and draw as a careful player would."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS
from pokersvc.core.actions import Action
from pokersvc.core.randomness.chance import StreamRandom
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.players import PLAYERS, MinimumPlayer, RandomPlayer, SteadyPlayer

from .scenario import ACES, KINGS, NOTHING, dealt, rules_with, stand_pat

LIMITS = st.tuples(st.integers(1, 500), st.integers(0, 500)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@st.composite
def choices(draw: st.DrawFn) -> LegalActions:
    """Legal actions of a seat in all kinds of houses."""
    if draw(st.booleans()):
        return LegalActions(discard=draw(st.integers(0, 5)))
    raise_to = draw(st.none() | LIMITS)
    if draw(st.booleans()):
        return LegalActions(fold=True, call=draw(st.integers(1, 500)), raise_to=raise_to)
    if draw(st.booleans()):
        return LegalActions(check=True, raise_to=raise_to)
    check, bet = draw(st.booleans()), draw(st.none() | LIMITS)
    return LegalActions(check=check, fold=draw(st.booleans()) or not (check or bet), bet=bet)


def allowed(action: Action, legal: LegalActions, hand: set[object]) -> bool:
    """Return whether an action is legal."""
    match action:
        case Check():
            return legal.check
        case Fold():
            return legal.fold
        case Call():
            return legal.call > 0
        case Bet(amount=amount):
            return legal.bet is not None and legal.bet[0] <= amount <= legal.bet[1]
        case Raise(to=to):
            return legal.raise_to is not None and legal.raise_to[0] <= to <= legal.raise_to[1]
        case Discard(cards=cards):
            return legal.discard is not None and len(cards) == len(set(cards) & hand) <= legal.discard
    return False


@pytest.mark.parametrize("examples", [15, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", sorted(PLAYERS))
@pytest.mark.no_cover
def test_a_program_does_only_what_is_legal(kind: str, examples: int) -> None:
    @given(legal=choices(), seed=st.integers(0, 2**32))
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    def one_choice(legal: LegalActions, seed: int) -> None:
        does_only_what_is_legal(kind, legal, seed)

    one_choice()


def does_only_what_is_legal(kind: str, legal: LegalActions, seed: int) -> None:
    hand = " ".join(card.notation for card in Random(seed).sample(CARDS, 5))
    game = dealt(2, hand, ACES, rules=rules_with(samples=20))
    action = PLAYERS[kind]().choose(game.view(1), legal, StreamRandom(seed.to_bytes(8, "big")))
    assert action.seat == 1
    assert allowed(action, legal, set(game.hand(1)))


@pytest.mark.parametrize("kind", sorted(PLAYERS))
def test_a_program_chooses_the_same_with_the_same_randomness(kind: str) -> None:
    game = dealt(2, NOTHING, ACES)
    chosen = [PLAYERS[kind]().choose(game.view(1), game.legal, StreamRandom(b"same")) for _ in range(3)]
    assert chosen[0] == chosen[1] == chosen[2]


def test_random_does_everything_there_is() -> None:
    legal = LegalActions(check=True, fold=True, bet=(50, 52))
    view, random = dealt(2).view(1), StreamRandom(b"everything")
    done = {RandomPlayer().choose(view, legal, random) for _ in range(300)}
    assert done == {Check(1), Fold(1), Bet(1, 50), Bet(1, 51), Bet(1, 52)}
    facing = LegalActions(fold=True, call=5, raise_to=(10, 11))
    done = {RandomPlayer().choose(view, facing, random) for _ in range(300)}
    assert done == {Fold(1), Call(1), Raise(1, 10), Raise(1, 11)}
    counts = {len(action.cards) for action in _draws(RandomPlayer(), LegalActions(discard=4))}
    assert counts == {0, 1, 2, 3, 4}


def _draws(player: RandomPlayer, legal: LegalActions) -> list[Discard]:
    view, random = dealt(2).view(1), StreamRandom(b"draws")
    actions = [player.choose(view, legal, random) for _ in range(200)]
    return [action for action in actions if isinstance(action, Discard)]


def test_minimum_bets_the_least_calls_and_stands_pat() -> None:
    game, player, random = dealt(2, NOTHING, ACES), MinimumPlayer(), StreamRandom(b"unused")
    assert player.choose(game.view(1), game.legal, random) == Bet(1, 50)
    game.given(Bet(1, 50))
    assert player.choose(game.view(2), game.legal, random) == Call(2)
    game.given(Call(2))
    assert player.choose(game.view(1), game.legal, random) == Discard(1, ())


def folds(hand: str, *, bet: int) -> int:
    """How often of 400 times `steady` folds a hand to a bet."""
    game, random = dealt(2, ACES, hand).given(Bet(1, bet)), StreamRandom(b"how often")
    return sum(isinstance(SteadyPlayer().choose(game.view(2), game.legal, random), Fold) for _ in range(400))


def test_steady_folds_weak_hands_now_and_then_and_strong_ones_never() -> None:
    assert 0 < folds(KINGS, bet=50) < folds(NOTHING, bet=50) < 400
    assert folds("KH KD KC 7S 2C", bet=990) == 0
    assert folds(NOTHING, bet=50) < folds(NOTHING, bet=900), "a dear price frightens it"


def test_steady_bets_more_often_the_better_its_hand() -> None:
    def bets(hand: str) -> int:
        game = dealt(2, hand, "QH QD TC 5S 4C").given(Bet(1, 50), Call(2), *stand_pat(1, 2))
        random = StreamRandom(b"how often")
        return sum(isinstance(SteadyPlayer().choose(game.view(1), game.legal, random), Bet) for _ in range(400))

    assert 0 < bets(NOTHING) < bets(KINGS) < bets("KH KD 9C 9S 2C") < bets("KH KD KC 9S 2C") < 400
