"""The bot `rollout`: its playouts and its search, the amount of work, and the resulting choice."""

from collections import Counter
from collections.abc import Iterable
from math import inf
from random import Random
from typing import Any

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.games.poker_market import engine as engines
from pokersvc.games.poker_market import kernels
from pokersvc.games.poker_market.actions import Accept, Decline, Pass
from pokersvc.games.poker_market.kernels import RANDOM, RANK
from pokersvc.games.poker_market.players import RolloutPlayer

from .scenario import Scenario, dealt, new, propose
from .test_players import choice

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover


def test_rollout_plays_the_others_as_what_they_have_shown_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 2 has accepted three times a swap that broke its pair; seat 3 has shown nothing yet."""
    styles: list[int] = []
    weigh = engines.Engine.weigh

    def noted(self: Any, market: Any, mover: int, swaps: Any, drawn: Any, *rest: Any) -> Any:
        styles.extend(drawn)
        return weigh(self, market, mover, swaps, drawn, *rest)

    monkeypatch.setattr(engines.Engine, "weigh", noted)
    market = dealt(rounds=9)
    for _ in range(3):
        market.swap(1, "2D", 2, "3C")
        market.swap(2, "2D", 1, "3C")
        market.act(Pass(3))
    choice(market, "rollout")
    played = [styles[place::3] for place in range(3)]
    assert set(played[0]) == {RANK}, "its own"
    assert played[1].count(RANDOM) > len(played[1]) / 2 > played[2].count(RANDOM)


class NoChance(Random):
    """A source of randomness that fails when used."""

    def random(self) -> float:
        raise AssertionError

    def getrandbits(self, k: int) -> int:
        raise AssertionError


def test_in_the_last_round_and_in_no_other_nothing_is_left_to_chance() -> None:
    for seat in (1, 2, 3):
        last = dealt(rounds=2)
        last.pass_all(until=3)
        last.act(Pass(3))
        last.pass_all(until=seat)
        RolloutPlayer().choose(last.view, last.state.legal(seat), NoChance())
        before = dealt(rounds=2)
        before.pass_all(until=seat)
        with pytest.raises(AssertionError):
            RolloutPlayer().choose(before.view, before.state.legal(seat), NoChance())


def test_rollout_proposes_in_the_last_round_what_the_partner_gains_by_in_the_end() -> None:
    """The jack for the ten gives both a pair; but seat 3 moves last, and can do as well without it."""
    market = dealt(("KS 5C QH 5D 8S", "JH 10H 2S 4C 9H", "2H JS 10C 4H AS"))
    market.act(Pass(1))
    assert choice(market, "rank") == propose(2, "JH", 3, "10C")
    assert choice(market, "rollout") == propose(2, "2S", 3, "4H")


def test_rollout_thinks_no_more_than_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    done = 0
    weigh = engines.Engine.weigh

    def counted(self: Any, market: Any, mover: int, swaps: Any, styles: Any, chances: Any, *turns: int) -> Any:
        nonlocal done
        done += len(swaps) * len(chances) * turns[1]
        return weigh(self, market, mover, swaps, styles, chances, *turns)

    monkeypatch.setattr(engines.Engine, "weigh", counted)
    for work in (1, 7, 200, 1000, 5000):
        market = Scenario(new(4, rounds=5))
        market.deal()
        done = 0
        choice(market, f"rollout/{work}")
        assert work // 4 <= done <= work


@pytest.mark.parametrize(("players", "work"), [(4, 1), (4, 100), (6, 100), (10, 30)])
def test_rollout_thinks_no_more_than_it_is_allowed_in_the_last_round(
    monkeypatch: pytest.MonkeyPatch, players: int, work: int
) -> None:
    monkeypatch.setattr(engines._Patience, "left", inf)
    made, exchange = 0, kernels.exchange

    def counted(*given_: Any) -> None:
        nonlocal made
        made += 1
        exchange(*given_)

    monkeypatch.setattr(kernels, "exchange", counted)
    market = Scenario(new(players, rounds=1))
    market.deal()
    choice(market, f"rollout/{work}")
    assert 0 < made <= work


def in_the_last_round(seed: int) -> Scenario:
    """Return a market of four in its last round, after some turns at random, where a player is to choose."""
    random = Random(seed)
    market = Scenario(new(4, rounds=1), EntropySource.from_text(str(seed)).entropy())
    market.deal()
    for _ in range(random.randrange(4)):
        seat = market.state.to_act
        assert seat is not None
        action: Any = choice(market, random.choice(("random", "rank")), seed)
        market.act(action)
    return market


def check_that_the_search_is_whole(monkeypatch: pytest.MonkeyPatch, seeds: Iterable[int]) -> None:
    search = engines.Engine.search

    def compared(self: Any, *given_: Any) -> list[int]:
        found = search(self, *given_)
        assert found == search(self, *(*given_[:-1], 10**9)), seed
        return found

    monkeypatch.setattr(engines.Engine, "search", compared)
    for seed in seeds:
        choice(in_the_last_round(seed), "rollout")


def test_the_last_round_of_four_is_searched_to_its_end_where_nobody_says_how_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines._Patience, "left", inf)
    check_that_the_search_is_whole(monkeypatch, [4432])


@pytest.mark.slow
def test_hundreds_of_last_rounds_of_four_are_searched_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(engines._Patience, "left", 0)
    check_that_the_search_is_whole(monkeypatch, range(2000))


def test_rollout_declines_in_the_last_round_what_ends_below() -> None:
    lost = dealt(("KD KH 7C 4S 2D", "AS AH KS 7D 8C", "QS QH QD 6C 5D"))
    lost.act(propose(1, "7C", 2, "KS"))
    assert choice(lost, "greedy") == Accept(2), "two pair"
    assert choice(lost, "rollout") == Decline(2), "seat 1 would end above it"


def test_rollout_declines_what_makes_its_hand_worse_and_changes_no_place() -> None:
    market = dealt()
    market.act(propose(1, "2D", 2, "9D"))
    assert choice(market, "rollout") == Decline(2)
    market.act(Decline(2), Pass(2), propose(3, "6C", 1, "2D"))
    assert choice(market, "rollout") == Accept(1), "a better kicker"


def test_rollout_declines_what_is_all_the_same_to_it() -> None:
    """The spade would make seat 1 a flush; seat 2 would have a three as before, in the last place as before."""
    market = dealt(("AS KS 9S 7S 3D", "3S 4C 5D 7D 9C", "QS QH QD 6C 5C"))
    market.act(propose(1, "3D", 2, "3S"))
    assert choice(market, "rollout") == Decline(2)
    market.act(Decline(2), Pass(2), propose(3, "5C", 2, "5D"))
    assert choice(market, "rollout") == Decline(2), "a five for a five"


def test_a_player_of_chance_takes_every_other_swap() -> None:
    assert [kernels.takes((), (), (), (), 0, 0, RANDOM, chance) for chance in range(4)] == [True, False, True, False]


def test_a_player_of_chance_proposes_every_other_time_any_of_its_cards_for_any_of_another_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    swaps: Counter[tuple[int, int]] = Counter()
    monkeypatch.setattr(kernels, "takes", lambda *_: True)
    monkeypatch.setattr(kernels, "exchange", lambda *of: swaps.update([divmod(of[-1], 15)]))
    random = Random(1)
    for _ in range(2048):
        kernels.play_out((), range(15), (), [0] * 3, [RANDOM] * 3, 1, 1, random.getrandbits(31))
    assert 900 < swaps.total() < 1150, "of 2048"
    given, wanted = (Counter(swap[side] for swap in swaps.elements()) for side in (0, 1))
    assert sorted(given) == [0, 1, 2, 3, 4], "by its place in the hand"
    assert sorted(wanted) == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]
    assert min(given.values()) > 150
    assert min(wanted.values()) > 70
