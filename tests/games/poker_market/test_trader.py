"""The bot `trader`: its playouts, its model of who accepts what, and the levels below it."""

from collections.abc import Sequence
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.games.poker_market import engine as engines
from pokersvc.games.poker_market import kernels
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from pokersvc.games.poker_market.beliefs import believe
from pokersvc.games.poker_market.engine import Appraisal, Engine, Futures, plain
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK, WORTH
from pokersvc.games.poker_market.players import SeenByPlayer
from pokersvc.games.poker_market.trader import among_many
from pokersvc.games.poker_market.trader import kernels as trader_kernels
from pokersvc.games.poker_market.trader.acceptance import (
    PRIOR,
    LikelyKinds,
    acceptance,
    as_others_believe,
    kinds_of,
    planner_accepts,
)
from pokersvc.games.poker_market.trader.deliberation import Deliberation
from pokersvc.games.poker_market.trader.kernels import ALWAYS
from pokersvc.games.poker_market.trader.kinds import LEVELS, PLAYERS
from pokersvc.games.poker_market.trader.levels import HABITS
from pokersvc.games.poker_market.trader.trader import TraderPlayer

from .scenario import dealt, propose
from .test_engine import all_swaps, fast, hands_of, market_of
from .test_players import choice, play, scores

__all__ = ["fast"]

FAST = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
markets = st.tuples(st.integers(2, 10), st.integers(0, 2**32))


def drawn(players: int, random: Random, futures: int, styles: Sequence[int] = (RANK, RANK, GREEDY, RANDOM)) -> Futures:
    """Return futures in which everybody accepts what its style would accept."""
    return Futures(
        [[random.choice(styles) for _ in range(players)] for _ in range(futures)],
        [[ALWAYS] * players] * futures,
        [random.getrandbits(31) for _ in range(futures)],
        [1] * futures,
    )


# Playouts.


@given(markets)
@settings(FAST, max_examples=10)
def test_where_all_accept_what_they_would_a_future_is_that_of_rollout(market: tuple[int, int]) -> None:
    """`weigh` plays every turn, and looks for the best swap in each; this must come to the same."""
    players, seed = market
    random, table = Random(seed), market_of(plain(), hands_of(players, seed))
    futures, mover = drawn(players, random, 3), random.randrange(players)
    swaps, turn = [-1, *random.sample(all_swaps(players, mover), 2)], random.randrange(3 * players)
    turns = random.randrange(4 * players)
    flat = [style for row in futures.styles for style in row]
    asked = plain().weigh(table, mover, swaps, flat, futures.chances, turn, turns)
    found = plain().look_ahead(table, mover, swaps, futures, turn, turns, 0, 10**9)
    assert [round(worth * 3 * WORTH) for row in found for worth in row] == asked


@given(markets)
@FAST
def test_futures_that_are_the_same_may_be_played_once(market: tuple[int, int]) -> None:
    players, seed = market
    table, futures = market_of(plain(), hands_of(players, seed)), drawn(players, Random(seed), 2)
    styles, heeds, chances, _ = futures
    thrice = Futures([styles[0], *styles], [heeds[0], *heeds], [chances[0], *chances], [1, 1, 1])
    once = futures._replace(weights=[2, 1])
    first, second = (plain().look_ahead(table, 0, [-1], each, 1, 2 * players, 1, 10**9) for each in (thrice, once))
    assert first == second


def test_who_never_heeds_a_proposal_accepts_only_in_the_last_round() -> None:
    table = market_of(plain(), hands_of(4, 3))
    deaf = Futures([[RANK] * 4], [[0] * 4], [5], [1])
    willing = deaf._replace(heeds=[[ALWAYS] * 4])
    as_it_is = [plain().worth(table, place) / WORTH for place in range(4)]
    played = [plain().look_ahead(table, 0, [-1], deaf, 0, turns, 0, 10**9)[0] for turns in (8, 4)]
    last_round = plain().look_ahead(table, 0, [-1], willing, 0, 4, 0, 10**9)[0]
    assert played == [last_round, last_round]
    assert last_round != as_it_is


def test_the_last_turns_are_searched() -> None:
    table = market_of(plain(), hands_of(4, 3))
    futures = drawn(4, Random(1), 1, [RANK])
    found = plain().look_ahead(table, 0, [-1], futures, 1, 3, 3, 10**9)[0]
    limit = trader_kernels.LEAF_POSITIONS
    assert [round(worth * 2 * WORTH) for worth in found] == plain().search(table, 0, [-1], [RANK] * 4, 1, 3, limit)


def test_no_future_is_begun_once_the_work_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    best_swap = kernels.best_swap

    def looking(*given_: Any) -> int:
        nonlocal looks
        looks += 1
        return best_swap(*given_)

    monkeypatch.setattr(trader_kernels, "best_swap", looking)
    table, random = market_of(plain(), hands_of(5, 1)), Random(1)
    plain().look_ahead(table, 0, [-1], drawn(5, random, 1000), 1, 10, 0, 100)
    assert 100 <= looks < 125, "the last future may use more than is left, but not much"


@pytest.mark.slow
@given(markets)
@settings(FAST, max_examples=12)
def test_numba_finds_the_same_futures(fast: Engine, market: tuple[int, int]) -> None:
    players, seed = market
    found = []
    for engine in (fast, plain()):
        random = Random(seed)
        futures = drawn(players, random, 4)
        heeds = [[random.randrange(ALWAYS) for _ in range(players)] for _ in range(4)]
        table, swaps = market_of(engine, hands_of(players, seed)), [-1, *random.sample(all_swaps(players, 0), 3)]
        found.append(engine.look_ahead(table, 0, swaps, futures._replace(heeds=heeds), 1, 3 * players, seed % 4, 200))
    assert found[0] == found[1]


# Who accepts what.


def test_who_declines_what_it_gains_by_at_once_is_believed_to_look_ahead() -> None:
    market = dealt(("AD QH 7C 4S 2D", "9C 9H 9S 7D 3C", "6S 6H QD 5C 3D"), rounds=5)
    found = [kinds_of(market.view.bargains.last(9), 3)]
    for answer in (Decline(3), Accept(3)):
        market.act(propose(1, "QH", 3, "5C"), answer, Pass(2), Pass(3))
        bargains = market.view.bargains.last(9)
        found.append(kinds_of(bargains, 3))
        for seat in (1, 2, 3):
            assert as_others_believe(kinds_of(bargains, seat)) == pytest.approx(believe(bargains, seat))
    assert among_many.planning(bargains[:1], 3) > among_many.planning(bargains, 3)
    assert found[1].planner > found[0].planner, "a higher card, declined"
    assert found[2].planner < found[1].planner, "accepted, though it is a worse hand"
    assert kinds_of(bargains, 2) == found[0] == PRIOR, "seat 2 was asked nothing"


@given(st.floats(-3, 3), st.integers(2, 10), st.booleans())
@FAST
def test_the_more_a_swap_brings_a_planner_the_likelier_it_accepts(prospect: float, players: int, at_once: bool) -> None:
    chance = planner_accepts(prospect, players, gains_at_once=at_once)
    assert 0 < chance < 1
    assert planner_accepts(prospect + 0.5, players, gains_at_once=at_once) >= chance
    if not at_once:
        assert planner_accepts(prospect, players, gains_at_once=True) > chance


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [(LikelyKinds(0, 1, 0, 0), 1), (LikelyKinds(0, 0, 1, 0), 1), (LikelyKinds(0, 0, 0, 1), 0.5)],
    ids=["rank", "greedy", "random"],
)
def test_each_style_accepts_as_it_does(kinds: LikelyKinds, expected: float) -> None:
    better = Appraisal(swap=7, mine=WORTH, its=WORTH, gain=5, passing=0)
    worse, passed = better._replace(gain=-5), better._replace(passing=-1)
    assert acceptance(better, -1, kinds, 3, declined_before=False) == expected
    assert acceptance(better, -1, kinds, 3, declined_before=True) == pytest.approx(0.3 * expected)
    assert acceptance(worse, -1, kinds, 3, declined_before=False) == 0.5 * kinds.random
    assert acceptance(passed, -1, kinds, 3, declined_before=False) == expected * (kinds.rank == 0)


def test_it_foretells_that_a_set_is_accepted_and_that_a_pair_is_not_given_away() -> None:
    market = dealt(("6C QH 7C 4S 2D", "9C 9H 9S 7D 3C", "6S 6H QD 5C 3D"), rounds=3)
    seen = SeenByPlayer(market.view, plain())
    wanted = [propose(1, "6C", 3, "QD"), propose(1, "4S", 3, "6H")]
    swaps = [swap for swap in plain().appraise(seen.market, 0) if seen.proposal(swap.swap) in wanted]
    chances = [chance for _, chance in Deliberation(seen, 500, Random(1))._foretold(swaps)]
    assert chances[0] > 0.8 > 0.4 > chances[1]


def test_among_many_only_those_who_look_ahead_search_the_last_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others, whose acceptance is foretold first, take what they gain by at once."""
    searched: list[int] = []
    look_ahead = Engine.look_ahead

    def noted(self: Engine, *given_: Any) -> list[list[float]]:
        searched.append(given_[-2])
        return look_ahead(self, *given_)

    monkeypatch.setattr(Engine, "look_ahead", noted)
    hands = ("6C QH 7C 4S 2D", "9C 9H 9S 7D 3C", "6S 6H QD 5C 3D", "AS KD 2H 8C 10D", "JS JH 4D 5H 10C")
    choice(dealt(hands, rounds=3), "trader")
    assert searched == [0, among_many.SEARCHED]


# Its choices.


def test_in_the_last_round_its_swap_ends_no_worse_for_it_than_that_of_rollout() -> None:
    market = dealt(("KS 5C QH 5D 8S", "JH 10H 2S 4C 9H", "2H JS 10C 4H AS"))
    market.act(Pass(1))
    seen = SeenByPlayer(market.view, plain())
    proposed = [choice(market, kind) for kind in ("trader", "rollout")]
    swaps = [seen.swap(swap) for swap in proposed if isinstance(swap, Propose)]
    ends = seen.engine.search(seen.market, 1, [-1, *swaps], [RANK] * 3, 2, 1, 10**6)
    assert ends[3 + 1] >= ends[6 + 1] > ends[1]


def test_it_declines_in_the_last_round_what_ends_below() -> None:
    lost = dealt(("KD KH 7C 4S 2D", "AS AH KS 7D 8C", "QS QH QD 6C 5D"))
    lost.act(propose(1, "7C", 2, "KS"))
    assert choice(lost, "trader") == Decline(2), "seat 1 would end above it"


def test_it_accepts_a_better_kicker_in_the_last_round_and_declines_a_worse_one() -> None:
    market = dealt()
    market.act(propose(1, "2D", 2, "9D"))
    assert choice(market, "trader") == Decline(2)
    market.act(Decline(2), Pass(2), propose(3, "6C", 1, "2D"))
    assert choice(market, "trader") == Accept(1)


def test_who_is_ahead_of_one_other_refuses_what_would_cost_its_place() -> None:
    market = dealt(["6H 6D 10S 8C 4H", "5H JC 7D AS KH"], rounds=6)
    market.act(Pass(1))
    market.act(propose(2, "5H", 1, "6H"))
    assert {choice(market, "trader/200", seed) for seed in range(5)} == {Decline(1)}


@given(st.integers(3, 5), st.integers(0, 10**6), st.integers(1, 60))
@settings(FAST, max_examples=4)
def test_every_choice_is_legal_whatever_the_work(players: int, seed: int, work: int) -> None:
    played = play([f"trader/{work}"] * players, str(seed), rounds=2)
    assert sum(scores(played)) == players * (players + 1) // 2


@pytest.mark.parametrize("level", HABITS)
def test_a_level_overlooks_swaps_and_answers_on_a_whim_as_often_as_its_habits_say(level: str) -> None:
    """With a set of sevens for a seven, the best swap is there for all; what is noticed is chance."""
    market = dealt(("7D 7H 7C 4S 2D", "AC AH 7S 9D 8C", "QS QH QD 6C 5D"), rounds=3)
    noticed = sum(choice(market, level, seed) != Pass(1) for seed in range(60))
    assert noticed > 60 * HABITS[level].notices / 2
    market.act(propose(1, "2D", 2, "AC"))
    foolish = sum(choice(market, level, seed) == Accept(2) for seed in range(400))
    assert foolish == pytest.approx(400 * HABITS[level].slips / 2, abs=20)


# In the same seat on the same deals.


def seat_means(kind: str, field: Sequence[str], deals: Sequence[str]) -> list[float]:
    """Return for each deal the mean points of a kind, sitting in each seat in turn among the others."""
    seats = range(len(field) + 1)
    found = []
    for deal in deals:
        orders = [[*field[:seat], kind, *field[seat:]] for seat in seats]
        found.append(mean(scores(play(order, deal))[seat] for seat, order in enumerate(orders)))
    return found


@pytest.mark.slow
def test_it_wins_more_than_rollout_in_the_same_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """If `rollout` sits in all six seats, its mean is 3.5 on every deal."""
    pytest.importorskip("numba")
    monkeypatch.setattr(engines._Patience, "left", 0)
    found = seat_means("trader", ["rollout"] * 5, [f"trader {deal}" for deal in range(12)])
    assert mean(found) - 1.96 * stdev(found) / len(found) ** 0.5 > 3.5


@pytest.mark.slow
@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_each_level_wins_more_than_the_one_below_it(monkeypatch: pytest.MonkeyPatch, level: int) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(engines._Patience, "left", 0)
    texts = [f"levels {deal}" for deal in range(25)]
    worse, better = (seat_means(kind, ["greedy", "rank", "greedy"], texts) for kind in LEVELS[level - 1 : level + 1])
    found = [more - less for more, less in zip(better, worse, strict=True)]
    assert mean(found) - 1.96 * stdev(found) / len(found) ** 0.5 > 0


def test_the_levels_are_kinds() -> None:
    assert set(LEVELS) <= set(PLAYERS)
    assert isinstance(PLAYERS["trader/7"](), TraderPlayer)
