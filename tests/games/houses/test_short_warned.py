"""A house that folds short players without asking warns them before a round in which that may happen."""

from random import Random

import pytest

from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.display.short_stacks import folded_unasked
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.played import KINDS, Plan, Played
from ..draw_poker.scenario import after_earlier_rounds, rules_with, seated
from .house import BUY_THE_POT, CAPPED_RAISE

RISING_ANTE = preset("rising-ante")
FOLDING = [RISING_ANTE, BUY_THE_POT, CAPPED_RAISE, rules_with(stack=211, betting__maximum=90)]
OWN_CHOICES = (events.Bet, events.Called, events.Checked)


def warned(rules: DrawPokerRules, *stacks: int, seat: int = 1) -> list[str]:
    """Return the warning to a person before round 1 with these stacks."""
    game = after_earlier_rounds(seated(len(stacks), persons=[seat], rules=rules), stacks)
    return DrawPokerWords().before_round(game.view(), seat)


@pytest.mark.parametrize("rules", FOLDING[:3], ids=lambda rules: rules.name)
def test_with_as_much_as_the_others_nobody_is_folded_unasked(rules: DrawPokerRules) -> None:
    assert warned(rules, *[rules.stack] * 4) == []
    assert warned(rules, rules.stack + 10, rules.stack) == []


def test_who_has_less_than_another_may_be_bet_out() -> None:
    assert warned(RISING_ANTE, 900, 1100) == [
        "Player1 has $900. If the ante and the bets of the next round come to more, the hand is folded without asking."
    ]
    assert warned(RISING_ANTE, 900, 1100, seat=2) == []
    assert warned(BUY_THE_POT, 99, 101), "one chip less is enough"


def test_what_is_no_ante_is_not_told_of() -> None:
    assert warned(rules_with(ante__amount=0, ante__increase=0), 900, 1100) == [
        "Player1 has $900. If the bets of the next round come to more, the hand is folded without asking."
    ]


def test_who_cannot_make_the_least_bet_where_nobody_may_check_is_folded() -> None:
    said = "Player1 has $54, less than the ante and the minimum bet. Unless all others fold, the hand is folded"
    assert warned(RISING_ANTE, 54, 1946) == [f"{said} without asking."]
    assert warned(RISING_ANTE, 54, 54) == [f"{said} without asking."], "also where nobody has more"
    assert "come to more" in warned(RISING_ANTE, 55, 1945)[0]


def test_who_cannot_pay_an_ante_after_the_deal_would_lose_what_is_left() -> None:
    assert warned(BUY_THE_POT, 3, 100, 100) == [
        "Player1 has $3, less than the ante of 5. The next round takes it and Player1 is out; leave to keep it."
    ]
    assert warned(BUY_THE_POT, 0, 100, 100) == [], "there is nothing to keep"
    assert "folded without asking" in warned(BUY_THE_POT, 5, 100, 100)[0]


def test_a_cap_on_bets_is_a_bound() -> None:
    """Two betting rounds cost at most 32 each, after an ante of 1: 65 chips are enough against any stacks."""
    assert warned(CAPPED_RAISE, 65, 500) == []
    assert warned(CAPPED_RAISE, 64, 500)


def test_others_who_are_not_dealt_bet_nothing() -> None:
    assert warned(CAPPED_RAISE, 40, 2, 2) == [], "with less than 3 they are out"
    assert warned(CAPPED_RAISE, 2, 40, 40) == [], "so is who would be told"
    game = after_earlier_rounds(seated(3, persons=[1], rules=BUY_THE_POT), (50, 60, 90))
    game.given(events.PlayerLeft(0, "withdrew", 2), events.PlayerLeft(0, "withdrew", 3))
    assert DrawPokerWords().before_round(game.view(), 1) == []


@pytest.mark.parametrize("house", ["no-limit", "pot-limit", "fixed-limit"])
def test_where_players_go_all_in_nobody_is_folded_unasked(house: str) -> None:
    assert warned(preset(house), 1, 5000) == []


@pytest.mark.parametrize("rules", FOLDING, ids=["rising-ante", "buy-the-pot", "capped-raise", "a bet of 90 at most"])
@pytest.mark.parametrize(
    "games",
    [8, pytest.param(40, marks=pytest.mark.slow), pytest.param(150, marks=[pytest.mark.slow, pytest.mark.exhaustive])],
)
def test_nobody_is_folded_unasked_without_having_been_told_before_the_round(rules: DrawPokerRules, games: int) -> None:
    folded = sure = surrendered = 0
    for seed in range(games):
        random = Random(seed)
        kinds = tuple(random.choices([HUMAN, *KINDS], k=random.randint(2, 5)))
        game = Played(Plan(kinds, 40, rules, seed, rules.stack))
        told: dict[int, str | None] = {}
        while True:
            view = game.state.view(EVERYONE)
            if view.stage == "between rounds":
                told = {seat.seat: folded_unasked(view, seat.seat) for seat in view.seats}
            if (event := game.next_event()) is None:
                break
            game.state.apply(event)
            if isinstance(event, events.Folded) and event.reason == "short":
                assert told[event.seat] is not None, (seed, event)
                folded += 1
            if isinstance(event, events.PlayerLeft) and event.amount:
                assert told[event.seat] == "surrenders", (seed, event)
                surrendered += 1
            if isinstance(event, OWN_CHOICES):
                assert told[event.seat] != "surely", (seed, event)
            sure += isinstance(event, events.RoundStarted) and "surely" in told.values()
    assert folded > 3, "it happens in these games"
    assert sure > 0 or rules.betting.check == "always"
    assert (surrendered > 0) == (rules.ante.short == "surrender")
