"""The bots of the Poker Market, and how each of them chooses."""

from collections.abc import Sequence
from itertools import pairwise, permutations
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, Card
from pokersvc.core.actions import Action, Forfeit
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from pokersvc.games.poker_market.beliefs import PRIOR, believe
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK
from pokersvc.games.poker_market.players import MEMORY, GreedyPlayer, RandomPlayer, RankPlayer, RolloutPlayer

from .scenario import Scenario, dealt, new, propose

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

FAST = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
KINDS = ("beginner", "club", "greedy", "random", "rank", "regular", "rollout/200", "trader/100")


def choice(market: Scenario, kind: str, seed: int = 1) -> Action:
    seat = market.state.to_act
    assert seat is not None
    return POKER_MARKET.players[kind]().choose(market.view, market.state.legal(seat), Random(seed))


def play(kinds: Sequence[str], text: str, *, rounds: int = 5, market: Scenario | None = None) -> Scenario:
    """Play a market out with programs, each with the randomness that the service gives it."""
    source = EntropySource.from_text(text)
    seats = tuple(Seat(kind, f"Player{number}") for number, kind in enumerate(kinds, 1))
    if market is None:
        started = POKER_MARKET.start(Setup(seats, source, rounds))
        market = Scenario(POKER_MARKET.new(started), source.entropy())
        market.deal()
    while (seat := market.state.to_act) is not None:
        random = source.program_random(seat, len(market.happened) + 2)
        player = POKER_MARKET.players[kinds[seat - 1]]()
        market.act(player.choose(market.state.view(seat), market.state.legal(seat), random))
    return market


def scores(market: Scenario) -> tuple[int, ...]:
    assert market.state.outcome is not None
    return market.state.outcome.scores


# All of them.


@given(st.lists(st.sampled_from(KINDS), min_size=2, max_size=6), st.integers(0, 10**6))
@example(["rank"] * 9 + ["rollout/50"], 1)
@settings(FAST, max_examples=10)
def test_every_choice_of_every_program_is_legal(kinds: list[str], seed: int) -> None:
    market = play(kinds, str(seed), rounds=2)
    assert not [event for event in market.happened if isinstance(event, events.Forfeited)]
    assert sum(scores(market)) == len(kinds) * (len(kinds) + 1) // 2


def test_the_same_text_gives_the_same_market_to_the_event() -> None:
    kinds = ("rollout/300", "trader/100", "regular", "random")
    assert play(kinds, "again").happened == play(kinds, "again").happened
    assert play(kinds, "again").happened != play(kinds, "another").happened


# random


def test_random_proposes_any_swap_passes_and_answers_either_way() -> None:
    market = dealt()
    chosen = {choice(market, "random", seed) for seed in range(1000)}
    assert Pass(1) in chosen
    assert len(chosen) == 51, "each of 50 swaps, and to pass"
    market.act(propose(1, "7C", 2, "KS"))
    assert {choice(market, "random", seed) for seed in range(20)} == {Accept(2), Decline(2)}


# greedy


def test_greedy_takes_any_swap_that_makes_its_own_hand_better() -> None:
    market = dealt()
    market.act(propose(1, "KD", 2, "8C"))  # a pair of threes with a better kicker
    assert choice(market, "greedy") == Accept(2)


def test_greedy_takes_it_even_if_it_helps_the_other_past_itself() -> None:
    market = dealt()
    market.act(Pass(1), propose(2, "9D", 1, "7C"), Decline(1))
    market.act(propose(3, "6C", 1, "2D"))
    assert choice(market, "greedy") == Accept(1)


@pytest.mark.parametrize(("gives", "gets"), [("2D", "3C"), ("4S", "8C"), ("7C", "KS")])
def test_greedy_declines_what_makes_its_hand_no_better(gives: str, gets: str) -> None:
    market = dealt()
    market.act(propose(1, gives, 2, gets))
    assert choice(market, "greedy") == Decline(2)


def test_greedy_proposes_first_what_helps_both() -> None:
    market = dealt(("KD KH 7C 4S 2D", "9C 9H KS 7D 3C", "QS QH QD 6C 5D"))
    swap: Any = choice(market, "greedy")
    assert swap.gets == Card("KS"), "its own third king"
    assert swap.gives == Card("7C"), "for another pair of the partner's"


# rank


def test_rank_takes_a_place_before_a_better_hand() -> None:
    # Two more kings for the 3S would be a better hand, but seat 2 would not let go of them; a pair passes seat 3.
    market = dealt(("AD QH 7C 4S 2D", "9C 9H 9S 7D 3C", "6S 6H QD 5C 3D"))
    swap: Any = choice(market, "rank")
    market.act(swap)
    assert choice(market, "rank") == Accept(swap.partner)
    market.act(Accept(swap.partner))
    assert market.view.best_first.index(1) < 2, "from the last place"


def test_rank_accepts_a_weaker_hand_for_a_better_place() -> None:
    """With king and queen high, seats 1 and 2 have no pair left, and the new hand ranks above both."""
    market = dealt(("KD KH 7C 4S 2D", "QS QH JC 9D 8C", "5S 5H 5D 6C 3D"))
    market.act(propose(1, "KD", 2, "QS"))
    assert choice(market, "greedy") == Decline(2)
    assert choice(market, "rank") == Accept(2)


def test_rank_does_not_help_a_partner_past_itself() -> None:
    market = dealt(("KD KH 7C 4S 2D", "3C 3H KS 9D 8C", "QS QH QD 6C 5D"))
    market.act(propose(1, "KD", 2, "8C"))  # a better kicker; who gives, falls
    assert choice(market, "rank") == Accept(2)
    market.act(Decline(2))
    market.act(Pass(2), propose(3, "6C", 1, "2D"))
    assert choice(market, "rank") == Accept(1), "three queens are ahead as they were"
    other = dealt(("AD AH 7C 4S 2D", "AC KH KS 9D 8C", "QS QH QD 6C 5D"))
    other.act(propose(1, "7C", 2, "AC"))
    assert choice(other, "rank") == Decline(2)
    helps = dealt(("KD KH 7C 4S 2D", "AS AH KS 7D 8C", "QS QH QD 6C 5D"))
    helps.act(propose(1, "7C", 2, "KS"))  # two pair for seat 2, and three kings for seat 1, which was behind
    assert choice(helps, "greedy") == Accept(2)
    assert choice(helps, "rank") == Decline(2)


def test_rank_does_not_help_a_partner_past_itself_even_where_its_own_place_stays() -> None:
    """Both would pass the queens, and seat 2 would improve its hand at the same place, but seat 1 would outrank it."""
    market = dealt(("9D 9H 7C 4S 2C", "10D 10H 9S 7D 3C", "QS QH 6C 5D 2S"))
    market.act(propose(1, "7C", 2, "9S"))
    assert choice(market, "greedy") == Accept(2)
    assert choice(market, "rank") == Decline(2)


def test_rank_proposes_nothing_that_helps_a_partner_past_itself() -> None:
    """The 7D for the 6C would be a pair of sixes, but would give a straight to seat 4, which is behind."""
    market = dealt(("2H QC 7D 3H 6H", "5S 3D QH AS 10H", "8C KS 2D 3S 4S", "6C JH 10C 9D 8S", "4D AD 5H 7C 6S"))
    swap: Any = choice(market, "rank")
    before, now = market.view.best_first.index(1), market.view.best_first.index(swap.partner)
    market.act(swap, Accept(swap.partner))
    after = market.view.best_first
    assert after.index(1) < before
    assert now < before or after.index(1) < after.index(swap.partner)


def test_rank_proposes_nothing_that_would_not_raise_it() -> None:
    market = dealt(("AS KS QS JS 10S", "9C 9H KD 7D 3C", "QC QH QD 6C 5D"))
    assert choice(market, "rank") == Pass(1)


# Learning.


def test_what_a_player_accepts_and_declines_tells_how_it_plays() -> None:
    assert believe((), 2) == PRIOR
    bad, helps = dealt(rounds=9), dealt(("KD KH 7C 4S 2D", "AS AH KS 7D 8C", "QS QH QD 6C 5D"), rounds=9)
    bad.act(propose(1, "2D", 2, "3C"), Accept(2))
    after_bad = believe(bad.view.bargains.last(MEMORY), 2)
    assert after_bad[RANDOM] > PRIOR[RANDOM]
    helps.act(propose(1, "7C", 2, "KS"), Accept(2))
    after_helping = believe(helps.view.bargains.last(MEMORY), 2)
    assert after_helping[GREEDY] > PRIOR[GREEDY]
    assert after_helping[RANK] < PRIOR[RANK]
    good = dealt(rounds=9)
    good.act(propose(1, "2D", 2, "3C"), Decline(2))
    assert believe(good.view.bargains.last(MEMORY), 2)[RANDOM] < PRIOR[RANDOM]
    for belief in (after_bad, after_helping):
        assert sum(belief) == pytest.approx(1)


def test_a_proposal_tells_too_and_a_forfeit_tells_nothing() -> None:
    market = dealt(rounds=9)
    market.act(propose(1, "KD", 2, "8C"), Decline(2))  # gives its pair away
    assert believe(market.view.bargains.last(MEMORY), 1)[RANDOM] > PRIOR[RANDOM]
    other = dealt()
    other.act(propose(1, "KD", 2, "8C"), Forfeit(2, "raised"))
    assert believe(other.view.bargains.last(MEMORY), 2) == PRIOR


def test_programs_learn_from_the_last_answers_however_many_there_were() -> None:
    market = Scenario(new(2, rounds=2 * MEMORY))
    market.deal()
    for _ in range(MEMORY + 3):
        seat = market.state.to_act
        assert seat is not None
        legal = market.state.legal(seat)
        partner, cards = legal.gets[0]
        market.act(Propose(seat, legal.gives[0], partner, cards[0]), Decline(partner))
    bargains = market.view.bargains
    learnt = bargains.last(MEMORY)
    assert len(learnt) == MEMORY
    assert (learnt[0].round, learnt[0].proposal.seat, learnt[-1].round) == (2, 2, 102)
    assert len(list(bargains)) == MEMORY + 3


@pytest.mark.parametrize("kind", ["rank", "rollout", "regular"])
@pytest.mark.parametrize("careless", [2, 3])
def test_a_swap_that_harms_the_partner_is_proposed_to_who_has_accepted_such_swaps(kind: str, careless: int) -> None:
    """Both other seats have a king, and would be worse off without it."""
    nine = {2: "9D", 3: "9H"}
    market = dealt(("KD KH 7C 4S 2D", "KS AS QD 9D 8C", "KC AC QH 9H 8S"), rounds=9)
    for _ in range(3):
        market.swap(1, "2D", careless, nine[careless])
        for seat in (2, 3):
            if seat == careless:
                market.swap(seat, "2D", 1, nine[seat])
            else:
                market.act(Pass(seat))
    market.act(propose(1, "2D", 5 - careless, nine[5 - careless]), Decline(5 - careless), Pass(2), Pass(3))
    swap: Any = choice(market, kind)
    assert (swap.partner, swap.gets.face) == (careless, Card("KS").face)


@pytest.mark.parametrize("kind", ["rank", "rollout", "trader"])
def test_a_swap_that_was_declined_is_not_what_is_proposed_next(kind: str) -> None:
    market = dealt(("AD QH 7C 4S 2D", "9C 9H 9S 7D 3C", "6S 6H QD 5C 3D"), rounds=5)
    first: Any = choice(market, kind)
    market.act(first, Decline(first.partner))
    market.pass_all(until=1)
    assert choice(market, kind) != first


# The strongest.


def hands_of(cards: Sequence[Card], players: int) -> list[str]:
    return [" ".join(map(str, cards[5 * at : 5 * at + 5])) for at in range(players)]


small_decks = st.tuples(st.integers(0, 10**6), st.integers(12, 52), st.integers(1, 5))


@given(small_decks)
@example((1, 12, 5))
@settings(FAST, max_examples=12)
def test_between_two_that_play_perfectly_nothing_changes_hands_that_alters_the_result(
    plan: tuple[int, int, int],
) -> None:
    seed, size, rounds = plan
    deck = Random(seed).sample(Random(seed + 1).sample(CARDS, size), 10)
    market = dealt(hands_of(deck, 2), rounds=rounds)
    order = market.view.best_first
    play(("rollout/400",) * 2, str(seed), market=market)
    assert market.view.best_first == order


def test_who_is_ahead_of_one_other_refuses_what_would_cost_its_place_whatever_it_believes() -> None:
    """Who proposes at random seems to be one from whom all can be had back later; but it may be a disguise."""
    market = dealt(["6H 6D 10S 8C 4H", "5H JC 7D AS KH"], rounds=6)
    for gives, gets in (("AS", "4H"), ("AS", "8C")):
        market.act(Pass(1))
        market.act(propose(2, gives, 1, gets))
        market.act(Decline(1))
    market.act(Pass(1))
    market.act(propose(2, "5H", 1, "6H"))
    assert {choice(market, "rollout/400", seed) for seed in range(10)} == {Decline(1)}


@pytest.mark.slow
@given(small_decks, st.sampled_from(["random", "greedy", "rank"]), st.booleans())
@settings(FAST, max_examples=25)
def test_against_one_other_the_strongest_player_never_loses_its_place(
    plan: tuple[int, int, int], other: str, first: bool
) -> None:
    seed, size, rounds = plan
    deck = Random(seed).sample(Random(seed + 1).sample(CARDS, size), 10)
    market = dealt(hands_of(deck, 2), rounds=rounds)
    me = 1 if first else 2
    was_best = market.view.best_first[0] == me
    play(("rollout/400", other) if first else (other, "rollout/400"), str(seed), market=market)
    assert not was_best or market.view.best_first[0] == me


@pytest.mark.slow
@given(small_decks)
@example((40, 12, 5))
@settings(FAST, max_examples=300)
def test_hundreds_of_matches_between_two_keep_the_order_of_the_deal(plan: tuple[int, int, int]) -> None:
    seed, size, rounds = plan
    deck = Random(seed).sample(Random(seed + 1).sample(CARDS, size), 10)
    market = dealt(hands_of(deck, 2), rounds=rounds)
    order = market.view.best_first
    play(("rollout",) * 2, str(seed), market=market)
    assert market.view.best_first == order


@pytest.mark.slow
@pytest.mark.parametrize("deals", [20, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_on_the_same_deals_in_all_orders_each_kind_beats_the_next_by_more_than_chance(deals: int) -> None:
    """The four kinds, four seats, five rounds: mean points a market, over 24 orders of each deal."""
    pytest.importorskip("numba")
    line_up = ("rollout", "rank", "greedy", "random")
    by_deal = []
    for deal in range(deals):
        points = dict.fromkeys(line_up, 0)
        for kinds in permutations(line_up):
            for kind, score in zip(kinds, scores(play(kinds, f"deal {deal}")), strict=True):
                points[kind] += score
        by_deal.append({kind: total / 24 for kind, total in points.items()})
    for better, worse in pairwise(line_up):
        margins = [points[better] - points[worse] for points in by_deal]
        assert mean(margins) > 1.96 * stdev(margins) / len(margins) ** 0.5, (better, worse)


def test_the_players_are_classes_that_anyone_may_make() -> None:
    kinds = POKER_MARKET.players
    made = [type(kinds[kind]()) for kind in ("random", "greedy", "rank", "rollout", "rollout/7")]
    assert made == [RandomPlayer, GreedyPlayer, RankPlayer, RolloutPlayer, RolloutPlayer]
    assert sorted(kinds) == ["beginner", "club", "greedy", "random", "rank", "regular", "rollout", "trader"]
    assert isinstance(choice(dealt(), "rollout/1"), Propose | Pass)
