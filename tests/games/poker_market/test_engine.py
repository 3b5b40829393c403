"""The kernels: equal to slow, plain calculations, and the same with and without numba."""

import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, strength
from pokersvc.games.poker_market import engine as engines
from pokersvc.games.poker_market import kernels
from pokersvc.games.poker_market.engine import Engine, KernelMarket, compiled, engine, plain
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK, WORTH

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

FAST = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
markets = st.tuples(st.integers(2, 10), st.integers(0, 2**32))

Hands = list[list[int]]


def hands_of(players: int, seed: int) -> Hands:
    cards = Random(seed).sample(range(52), 5 * players)
    return [cards[5 * at : 5 * at + 5] for at in range(players)]


def key(hand: list[int], place: int) -> tuple[int, int]:
    return strength([CARDS[card] for card in hand]), place


def worth(hands: Hands, place: int) -> int:
    """Return the value that the player at a place maximises, computed from the rules only."""
    keys = [key(hand, at) for at, hand in enumerate(hands)]
    return sum(other <= keys[place] for other in keys) * WORTH + keys[place][0]


def swapped(hands: Hands, mover: int, swap: int) -> Hands:
    size = 5 * len(hands)
    found = [list(hand) for hand in hands]
    partner, position = divmod(swap % size, 5)
    mine = swap // size
    found[mover][mine], found[partner][position] = found[partner][position], found[mover][mine]
    return found


def market_of(engine_: Engine, hands: Hands) -> KernelMarket:
    return engine_.market([card for hand in hands for card in hand])


def all_swaps(players: int, mover: int) -> list[int]:
    size = 5 * players
    return [i * size + other for i in range(5) for other in range(size) if other // 5 != mover]


# Right.


@given(markets)
@FAST
def test_every_swap_is_judged_as_the_rules_rank_hands(market: tuple[int, int]) -> None:
    players, seed = market
    hands = hands_of(players, seed)
    mover = seed % players
    found = plain().appraise(market_of(plain(), hands), mover)
    assert [one.swap for one in found] == all_swaps(players, mover)
    for one in found:
        after, partner = swapped(hands, mover, one.swap), one.swap % (5 * players) // 5
        assert (one.mine, one.its) == (worth(after, mover), worth(after, partner))
        assert one.gain == key(after[partner], 0)[0] - key(hands[partner], 0)[0]
        was, is_ = (key(h[partner], partner) > key(h[mover], mover) for h in (hands, after))
        assert one.passing == is_ - was
        market_after = plain().after(market_of(plain(), hands), mover, one.swap)
        assert list(market_after.cards) == [card for hand in after for card in hand]
        assert list(market_after.keys) == [key(hand, at)[0] * 16 + at for at, hand in enumerate(after)]
    least = worth(hands, mover) + 1
    some = plain().appraise(market_of(plain(), hands), mover, least)
    assert some == [one for one in found if one.mine >= least]


@given(markets)
@FAST
def test_a_rank_mover_proposes_the_best_swap_that_others_of_its_kind_take(market: tuple[int, int]) -> None:
    players, seed = market
    hands = hands_of(players, seed)
    mover, now = seed % players, worth(hands, seed % players)
    best = plain().best_swap(market_of(plain(), hands), mover, [RANK] * players)
    taken = [
        worth(after, mover)
        for swap in all_swaps(players, mover)
        for after, partner in [(swapped(hands, mover, swap), swap % (5 * players) // 5)]
        if worth(after, mover) > now
        and worth(after, partner) > worth(hands, partner)
        and (key(after[partner], partner) > key(after[mover], mover))
        == (key(hands[partner], partner) > key(hands[mover], mover))
    ]
    if best < 0:
        assert not taken
    else:
        assert worth(swapped(hands, mover, best), mover) == max(taken)


def perfect(hands: Hands, turn: int, turns: int) -> list[int]:
    """Return all worths after perfect last turns: the definition of `kernels.search`, written to be read."""
    players = len(hands)
    if not turns:
        return [worth(hands, place) for place in range(players)]
    mover = turn % players
    passing = best = perfect(hands, turn + 1, turns - 1)
    for swap in all_swaps(players, mover):
        if best[mover] // WORTH == players:
            break
        after, partner = swapped(hands, mover, swap), swap % (5 * players) // 5
        gain = all(worth(after, place) > worth(hands, place) for place in (mover, partner))
        if not gain or all(worth(after, place) // WORTH == worth(hands, place) // WORTH for place in (mover, partner)):
            continue
        end = perfect(after, turn + 1, turns - 1)
        if end[partner] > passing[partner] and end[mover] > best[mover]:
            best = end
    return best


@given(st.integers(3, 4), st.integers(0, 2**32), st.integers(0, 2))
@settings(FAST, max_examples=15)
def test_the_search_finds_what_perfect_players_do(players: int, seed: int, turns: int) -> None:
    hands = hands_of(players, seed)
    turn = seed % 7
    found = plain().search(market_of(plain(), hands), 0, [-1], [RANK] * players, turn, turns, 10**9)
    assert found == [2 * value for value in perfect(hands, turn, turns)]


@given(markets)
@FAST
def test_the_last_turn_is_played_exactly(market: tuple[int, int]) -> None:
    """Among all swaps, not only those searched, none would be better for anybody to whom it matters."""
    players, seed = market
    hands = hands_of(players, seed)
    mover = seed % players
    best = max(
        [worth(hands, mover) // WORTH]
        + [
            worth(after, mover) // WORTH
            for swap in all_swaps(players, mover)
            for after, partner in [(swapped(hands, mover, swap), swap % (5 * players) // 5)]
            if worth(after, partner) > worth(hands, partner)
        ]
    )
    found = plain().search(market_of(plain(), hands), mover, [-1], [RANK] * players, mover, 1, 10**9)
    assert found[mover] // 2 // WORTH == best


def test_in_the_search_a_partner_to_whom_it_is_all_the_same_declines() -> None:
    spades, last, queens = [51, 47, 31, 23, 5], [7, 8, 13, 21, 28], [43, 42, 41, 16, 12]  # see AS KS 9S 7S 3D
    market = plain().market([*spades, *last, *queens])
    found = plain().search(market, 0, [-1, 4 * 15 + 5], [RANK] * 3, 0, 1, 10**9)
    assert found[:3] == [2 * worth([spades, last, queens], place) for place in range(3)]


# No more than is allowed.


class Counted:
    """The work of a plain search: positions evaluated and swaps made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looked = self.made = 0
        next_changing, exchange = kernels.next_changing, kernels.exchange

        def looks(*given_: Any) -> int:
            self.looked += given_[-1] == 0
            return next_changing(*given_)

        def makes(*given_: Any) -> None:
            self.made += 1
            exchange(*given_)

        monkeypatch.setattr(kernels, "next_changing", looks)
        monkeypatch.setattr(kernels, "exchange", makes)


@pytest.mark.parametrize(("players", "limit"), [(4, 0), (4, 1), (4, 60), (6, 100), (10, 30)])
def test_all_swaps_together_look_at_no_more_positions_than_are_allowed(
    monkeypatch: pytest.MonkeyPatch, players: int, limit: int
) -> None:
    counted = Counted(monkeypatch)
    market = market_of(plain(), hands_of(players, 3))
    swaps = [-1, *all_swaps(players, 0)[:40]]
    plain().search(market, 0, swaps, [RANK] * players, 1, players - 1, limit)
    assert limit * 0.9 <= counted.looked <= limit
    assert counted.made <= limit


def test_a_search_that_may_look_at_nothing_takes_the_table_as_it_stands() -> None:
    hands = hands_of(4, 3)
    swap = all_swaps(4, 0)[0]
    found = plain().search(market_of(plain(), hands), 0, [-1, swap], [RANK] * 4, 1, 3, 0)
    after = swapped(hands, 0, swap)
    assert found == [2 * worth(table, place) for table in (hands, after) for place in range(4)]


# The same with numba.


@pytest.fixture(scope="module")
def fast() -> Engine:
    pytest.importorskip("numba")
    found = compiled()
    assert found is not None
    return found


def answers(engine_: Engine, players: int, seed: int) -> list[Any]:
    """Return an engine's answers about a market, to all questions of the bots."""
    random = Random(seed)
    market = market_of(engine_, hands_of(players, seed))
    mover, turn = random.randrange(players), random.randrange(3 * players)
    styles = [random.choice((RANK, GREEDY, RANDOM)) for _ in range(players * 3)]
    swaps = [-1, *random.sample(all_swaps(players, mover), 3)]
    chances = [random.getrandbits(31) for _ in range(3)]
    return [
        engine_.appraise(market, mover),
        engine_.best_swap(market, mover, [RANK] * players),
        engine_.best_swap(market, mover, [GREEDY] * players),
        [list(map(int, part)) for part in engine_.after(market, mover, swaps[1])],
        engine_.weigh(market, mover, swaps, styles, chances, turn, 2 * players),
        engine_.search(market, mover, swaps, styles[:players], turn, min(players, 3), 40),
        engine_.search(market, mover, swaps, [RANK] * players, turn, 3, random.randrange(30)),
        engine_.search(market, mover, swaps, [RANK] * players, turn, 2, 1000),
    ]


@pytest.mark.slow
@given(markets)
@settings(FAST, max_examples=12)
def test_both_engines_give_the_same_answers(fast: Engine, market: tuple[int, int]) -> None:
    assert answers(fast, *market) == answers(plain(), *market)


@pytest.mark.slow
def test_nothing_is_changed_by_being_asked(fast: Engine) -> None:
    for engine_ in (plain(), fast):
        market = market_of(engine_, hands_of(4, 1))
        before = [list(part) for part in market]
        engine_.weigh(market, 0, [-1, *all_swaps(4, 0)[:2]], [RANK] * 4, [5], 1, 8)
        engine_.search(market, 0, [-1, *all_swaps(4, 0)[:2]], [RANK] * 4, 1, 3, 100)
        engine_.after(market, 0, all_swaps(4, 0)[0])
        assert [list(part) for part in market] == before


# When which is used.


def test_a_process_thinks_a_while_before_it_turns_to_numba(monkeypatch: pytest.MonkeyPatch, fast: Engine) -> None:
    monkeypatch.setattr(engines._Patience, "left", 100)
    assert engine(60) is plain()
    assert engine(60) is plain()
    assert engine(60) is fast
    monkeypatch.setattr(engines, "compiled", lambda: None)
    assert engine(60) is plain(), "without numba it goes on as it was"


def test_how_long_it_waits_may_be_said(monkeypatch: pytest.MonkeyPatch, fast: Engine) -> None:
    monkeypatch.setattr(engines._Patience, "left", 100)
    engines.be_patient(0)
    assert engine(1) is fast
    engines.be_patient(None)
    assert [engine(10**12) for _ in range(3)] == [plain()] * 3


def test_without_numba_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.core.compiled.find_spec", lambda name: None)
    assert compiled.__wrapped__() is None


def test_where_compiled_code_cannot_be_kept_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    asked = []

    def njit(function: Any = None, *, cache: bool = False, nogil: bool = False) -> Any:
        asked.append(cache)
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return function if function is not None else njit

    monkeypatch.setattr(numba, "njit", lambda *args, **options: _njit_as(njit, *args, **options))
    assert compiled.__wrapped__() is not None
    assert asked == [True, False] * len((*engines.COMPILED, *engines.COMPILED_FOR_TRADER))


def _njit_as(njit: Any, *args: Any, **options: Any) -> Any:
    """Return what ``njit(cache=True)(f)`` and ``njit(f)`` do, as one call each."""
    return njit(*args, **options) if args else (lambda function: njit(function, **options))


@pytest.mark.slow
def test_a_short_game_loads_no_numba() -> None:
    script = """
import sys
from random import Random
from tests.games.poker_market.test_players import play
play(("rollout", "rank", "greedy", "random"), "short", rounds=1)
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
