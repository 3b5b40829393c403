"""The bots of the founding houses, with the probabilities of their choices: `house` and `game`."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from pokersvc.cards import Category, Hand
from pokersvc.cards.advice import Objective, best_discard, sampled_discard
from pokersvc.cards.sampling import Sampling
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.players import PLAYERS

from ..draw_poker.scenario import ACES, KINGS, NOTHING, Scenario
from .house import BUY_THE_POT, CAPPED_RAISE, HANDS, opened_by, with_hands


class Drawn(Random):
    """Chance that draws one number, and notes from how many."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.asked: list[int] = []

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        assert (stop, step) == (None, 1)
        assert 0 <= self.number < start
        self.asked.append(start)
        return self.number


def choice(kind: str, game: Scenario, number: int, *, of: int, legal: LegalActions | None = None) -> Action:
    """Return a bot's choice on its turn if its random number below ``of`` is ``number``."""
    seat = game.to_act
    assert seat is not None
    random = Drawn(number)
    action = PLAYERS[kind]().choose(game.view(seat), legal or game.legal, random)
    assert random.asked == [of]
    if legal is None:
        game.event_of(action)  # is not refused
    return action


# house


@pytest.mark.parametrize("stack", [1, 2, 7, 95])
def test_house_bets_a_uniform_whole_number_from_0_to_one_less_than_its_stack(stack: int) -> None:
    game = opened_by(with_hands(BUY_THE_POT, *HANDS, stacks=(100, stack + 5, 100, 100)), 2)
    chosen = [choice("house", game, number, of=stack) for number in range(stack)]
    assert chosen == [Check(2), *(Bet(2, amount) for amount in range(1, stack))]


def test_house_bets_0_when_it_has_nothing() -> None:
    game = opened_by(with_hands(BUY_THE_POT, *HANDS, stacks=(100, 5, 100, 100)), 2)
    assert choice("house", game, 0, of=1) == Check(2)


@pytest.mark.parametrize("hand", [ACES, NOTHING])
@pytest.mark.parametrize("bet", [1, 45, 95])
def test_house_always_calls_when_it_can(hand: str, bet: int) -> None:
    game = opened_by(with_hands(BUY_THE_POT, KINGS, hand), 1).given(Bet(1, bet))
    assert PLAYERS["house"]().choose(game.view(2), game.legal, Drawn(0)) == Call(2)


@pytest.mark.parametrize("kind", ["house", "table", "steady"])
@pytest.mark.parametrize(
    ("most", "thrown"), [(5, 3), (2, 2), (0, 0)], ids=["as advised", "as many as can be dealt", "none can be dealt"]
)
def test_programs_draw_what_the_advisor_says(kind: str, most: int, thrown: int) -> None:
    game = opened_by(with_hands(BUY_THE_POT, *HANDS), 1).given(Check(1))
    action = PLAYERS[kind]().choose(game.view(1), LegalActions(discard=most), Drawn(0))
    assert action == Discard(1, best_discard(game.hand(1), Objective("linear"), most))
    assert isinstance(action, Discard)
    assert len(action.cards) == thrown


@pytest.mark.parametrize("kind", ["house", "table", "steady"])
def test_with_monte_carlo_programs_draw_by_the_samples_that_the_house_says(kind: str) -> None:
    rules = BUY_THE_POT.model_copy(update={"samples": 300})
    game = opened_by(with_hands(rules, *HANDS), 1).given(Check(1))
    action = PLAYERS[f"{kind}/monte-carlo"]().choose(game.view(1), LegalActions(discard=5), Random(7))
    sampling = Sampling(300, np.random.default_rng(Random(7).getrandbits(128)))
    assert action == Discard(1, sampled_discard(game.hand(1), Objective("linear"), sampling))


# table

HAND_OF = {
    Category.HIGH_CARD: NOTHING,
    Category.ONE_PAIR: ACES,
    Category.TWO_PAIR: "AH AD 8C 8S 3C",
    Category.THREE_OF_A_KIND: "AH AD AC 8S 3C",
    Category.STRAIGHT: "5C 6D 7H 8S 9C",
    Category.FLUSH: "2H 5H 8H JH AH",
    Category.FULL_HOUSE: "6S 6H AD 6C AH",
    Category.FOUR_OF_A_KIND: "AH AD AC AS 2C",
    Category.STRAIGHT_FLUSH: "5C 6C 7C 8C 9C",
    Category.ROYAL_FLUSH: "TH JH QH KH AH",
}

PERCENT = {
    Category.HIGH_CARD: (15, 15, 70, 15),
    Category.ONE_PAIR: (10, 10, 85, 5),
    Category.TWO_PAIR: (10, 0, 60, 40),
    Category.THREE_OF_A_KIND: (10, 0, 50, 50),
    Category.STRAIGHT: (5, 0, 30, 70),
    Category.FLUSH: (3, 0, 25, 75),
    Category.FULL_HOUSE: (2, 0, 20, 80),
    Category.FOUR_OF_A_KIND: (1, 0, 15, 85),
    Category.STRAIGHT_FLUSH: (0, 0, 15, 85),
    Category.ROYAL_FLUSH: (0, 0, 15, 85),
}
"""The printed table of the rules, in percent: check (else bet); fold, call, raise."""


def held_by(seat: int, category: Category, stack: int = 50) -> Scenario:
    """The hand of a category is one seat's, of two."""
    hand = HAND_OF[category]
    assert Hand.parse(hand).category == category
    other = "QC QD 10S 5S 4C"
    stacks = [50, 50]
    stacks[seat - 1] = stack + 1
    return with_hands(CAPPED_RAISE, *((hand, other) if seat == 1 else (other, hand)), stacks=stacks).ready()


def of_a_hundred(game: Scenario, legal: LegalActions | None = None) -> Counter[Action]:
    return Counter(choice("table", game, number, of=100, legal=legal) for number in range(100))


@pytest.mark.parametrize("category", Category, ids=lambda category: category.label)
def test_table_facing_no_bet_checks_or_bets_by_the_percentages(category: Category) -> None:
    check = PERCENT[category][0]
    found = of_a_hundred(held_by(1, category))
    assert {action: n for action, n in {Check(1): check, Bet(1, 2): 100 - check}.items() if n} == found


@pytest.mark.parametrize("category", Category, ids=lambda category: category.label)
def test_table_facing_a_bet_folds_calls_or_raises_by_the_percentages(category: Category) -> None:
    _, fold, call, raise_ = PERCENT[category]
    assert fold + call + raise_ == 100
    found = of_a_hundred(held_by(2, category).given(Bet(1, 2)))
    assert {a: n for a, n in {Fold(2): fold, Call(2): call, Raise(2, 4): raise_}.items() if n} == found


@pytest.mark.parametrize("category", Category, ids=lambda category: category.label)
def test_a_bet_that_is_not_possible_falls_back_to_a_check(category: Category) -> None:
    assert of_a_hundred(held_by(1, category), LegalActions(check=True)) == {Check(1): 100}


@pytest.mark.parametrize("category", Category, ids=lambda category: category.label)
def test_a_raise_that_is_not_possible_falls_back_to_a_call(category: Category) -> None:
    _, fold, call, raise_ = PERCENT[category]
    found = of_a_hundred(held_by(2, category, stack=3).given(Bet(1, 2)))
    assert {a: n for a, n in {Fold(2): fold, Call(2): call + raise_}.items() if n} == found


@pytest.mark.parametrize("category", Category, ids=lambda category: category.label)
def test_a_call_that_is_not_possible_falls_back_to_a_fold(category: Category) -> None:
    game = held_by(2, category).given(Bet(1, 2))
    assert of_a_hundred(game, LegalActions(fold=True)) == {Fold(2): 100}


def test_table_after_a_raise_raises_on_to_the_double() -> None:
    game = held_by(1, Category.ROYAL_FLUSH).given(Bet(1, 2), Raise(2, 4))
    assert of_a_hundred(game) == {Call(1): 15, Raise(1, 8): 85}
