"""The levels: each is said in a line, and the weaker ones err as people do."""

from statistics import mean

import pytest

from benchmarks.levels import FIVE_LINES, OnDeal, on_deal, per_100, play
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Fold, Raise
from pokersvc.games.draw_poker.reading.levels import MANNERS
from pokersvc.games.draw_poker.reading.shark import lines_of
from pokersvc.games.draw_poker.strategy.kinds import KINDS, LEVELS, SAID
from tests.games.reading.playing import AnyPlayer, Chosen, played


def test_each_level_is_a_kind_of_bot_that_is_said_in_a_line() -> None:
    assert [*MANNERS] == [*LEVELS]
    assert set(LEVELS) < set(DRAW_POKER.players)
    assert {kind for kind in KINDS if "/" not in kind} == set(SAID)


def _chosen_by(level: str, house: str) -> list[Chosen]:
    players: dict[str, AnyPlayer] = {"Ann": KINDS[level](), "Bob": KINDS["steady"](), "Cy": KINDS["table"]()}
    games = (played(f"levels {number}", players, rounds=12, rules=house) for number in range(2))
    return [one for game in games for one in game if one.view.viewer == 1 and one.legal.call]


@pytest.mark.parametrize("house", ["no-limit", pytest.param("fixed-limit", marks=pytest.mark.slow)])
def test_a_beginner_calls_more_folds_less_and_raises_less_than_a_shark(house: str) -> None:
    beginner, shark = (_chosen_by(level, house) for level in ("beginner", "shark"))

    def part(of: list[Chosen], *kinds: type) -> float:
        return mean(isinstance(one.action, kinds) for one in of)

    assert part(beginner, Call) > 1.25 * part(shark, Call)
    assert part(beginner, Fold) < 0.8 * part(shark, Fold)
    assert part(beginner, Bet, Raise) < part(shark, Bet, Raise)


def test_from_regular_on_a_pot_is_bought_once_hands_are_open() -> None:
    players: dict[str, AnyPlayer] = {"Ann": KINDS["house"](), "Bob": KINDS["steady"]()}
    seen = set()
    for one in played("buying", players, rounds=12, rules="buy-the-pot"):
        if one.legal.bet is None or one.view.viewer != 1:
            continue
        above = one.view.seats[1].stack + one.view.seats[1].put + 1
        whole = one.view.price + one.view.pot
        if whole < above <= one.legal.bet[1]:
            seen.add(one.view.stage)
            found = {level: lines_of(one.view, one.legal, manner) for level, manner in MANNERS.items()}
            assert max(found["beginner"] + found["club"]) <= whole
            assert (above in found["regular"]) == (one.view.stage == "final betting")
            assert above in found["shark"]
    assert len(seen) == 2


def test_the_benchmark_plays_the_same_deals_at_every_seat_and_adds_up_in_big_blinds() -> None:
    took: list[float] = []
    kinds = ["shark", "steady", FIVE_LINES]
    played = play("fixed-limit", kinds, "deal", 4, took)
    assert played == play("fixed-limit", kinds, "deal", 4, took)
    assert sum(played.gains) == 0
    assert took
    assert on_deal("fixed-limit", "steady", ["steady"], "deal", 4, []) == OnDeal(0, 8)
    assert mean(per_100([OnDeal(30, 10), OnDeal(-10, 30)], 2)) == pytest.approx(25)
