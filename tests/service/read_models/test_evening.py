"""What players brought home over several games agrees with events, outcomes, histories and statistics."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from pokersvc.betting.cash import SitDown
from pokersvc.core.actions import Leave
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import OPEN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, SharedRecord
from pokersvc.games.draw_poker.events import RakeTaken
from pokersvc.service import Service
from pokersvc.service.read_models import evening, history
from pokersvc.service.read_models.evening import BEST, Evenings, GameResult, best_of, sums_of
from pokersvc.service.read_models.statistics import statistics
from tests.service.support import commands, play_out, started
from tests.service.test_newcomers import another_round, carl_and_dee, cash_game
from tests.web import at_table
from tests.web.played import repeatable

EVENINGS: dict[str, Callable[..., Iterator[Any]]] = {
    "freeze-outs, markets and Kalah": at_table.evenings_at_tables,
    "cash": at_table.cash_evenings,
    "cash with newcomers": at_table.evenings_with_newcomers,
    "cash with newcomers, where odd chips are carried": partial(
        at_table.evenings_with_newcomers, houses=["rising-ante"]
    ),
}


class Told(NamedTuple):
    """What the states of a cash game tell, one after another."""

    nets: Counter[str]
    """Name → net result."""
    rake: int
    taken: Counter[str]
    """Name → how often it took a seat."""


def steps(service: Service, game_id: str) -> Iterator[tuple[Record | SharedRecord, Event, Any]]:
    """Yield the events of a game with the states after them, which are of any game."""
    yield from service.with_secrets.replay(game_id, force=True)


def told(database: Database, game_id: str) -> Told:
    found = Told(Counter(), 0, Counter())
    before: list[tuple[str | None, int]] = []
    for _, event, state in steps(Service(EventLog(database)), game_id):
        now = list(zip(state.names, state.net(), strict=True))
        for (was, net), (name, _) in zip(before or [(None, 0)] * len(now), now, strict=True):
            if was != name:
                found.taken[name] += 1
                found.nets[was or name] += net
        before = [*now]
        found = found._replace(rake=found.rake + (event.amount if isinstance(event, RakeTaken) else 0))
    for name, net in before:
        found.nets[name or ""] += net
    return found


def check(database: Database, result: GameResult) -> None:
    """Compare the result of a finished game with the outcome that its last event says, and with its history."""
    found, game = result.summary, game_of(result.summary.kind)
    assert found.outcome is not None
    shown = list(history.entries(database, found.game_id))
    worth = [one[0] for entry in shown if (one := game.words.worth(entry)) is not None]
    assert [best.size for best in result.best] == sorted(worth, reverse=True)[:BEST]
    for best in result.best:
        assert best.line == game.words.line(shown[best.round - 1])
        assert all(name in best.line for name in best.names)
    *_, (_, _, state) = steps(Service(EventLog(database)), found.game_id)
    assert state.outcome == found.outcome
    assert result.winners == {found.seats[seat - 1].name for seat in state.outcome.winners}
    if found.kind == "draw" and state.cash:
        states = told(database, found.game_id)
        assert without_zeros(result.nets) == without_zeros(states.nets)
        assert sum(result.nets.values()) == -states.rake
        for seat, score in zip(found.seats, found.outcome.scores, strict=True):
            if seat.kind != OPEN and states.taken[seat.name] == 1:
                assert result.nets.get(seat.name, 0) == score
        return
    first = history.started(database, found.game_id, game)
    assert [result.nets[seat.name] for seat in found.seats] == list(game.gains(first, found.outcome))


def without_zeros(nets: dict[str, int]) -> dict[str, int]:
    """Return the results of those who have won or lost something: whoever was never dealt in has none."""
    return {name: net for name, net in nets.items() if net}


@pytest.mark.parametrize(
    ("seed", "number"), [(0, 1), *(pytest.param(seed, 2, marks=pytest.mark.slow) for seed in (1, 2))]
)
@pytest.mark.parametrize("kind", EVENINGS)
def test_each_game_brings_home_what_its_events_say(kind: str, seed: int, number: int, tmp_path: Path) -> None:
    with repeatable(seed):
        for evening in EVENINGS[kind](tmp_path, Random(seed), number):
            path = max(tmp_path.glob("*.sqlite"), key=lambda one: one.stat().st_mtime_ns)
            with Database.for_writing(str(path)) as database:
                check(database, Evenings(database).result(evening.game_id))


def test_a_name_that_left_keeps_its_result_and_one_that_came_back_adds_to_it(
    database: Database, service: Service
) -> None:
    game_id = cash_game(service)
    for name in ("Carl", "Dee", "Carl"):
        service.act(game_id, SitDown(3, 80, name))
        another_round(service, game_id)
        another_round(service, game_id)
        service.act(game_id, Leave(3))
    evenings = Evenings(database)
    states = told(database, game_id)
    assert states.taken["Carl"] == 2
    assert evenings.result(game_id).nets == {name: states.nets[name] for name in ("Ann", "Bob", "Carl", "Dee")}
    service.close(game_id)
    check(database, evenings.result(game_id))


def test_a_game_in_progress_counts_as_far_as_its_rounds_are_over(database: Database, service: Service) -> None:
    game_id, evenings = started(service, "human", "minimum", rounds=3), Evenings(database)
    rounds = set()
    for _ in commands(service, game_id):
        result = evenings.result(game_id)
        rounds.add(result.summary.rounds)
        if service.status(game_id).pausing and result.summary.rounds:
            *_, (_, _, state) = steps(service, game_id)
            first = state.rules.stack
            assert result.nets == {"Ann": state.stacks[1] - first, "Bob": state.stacks[2] - first}
    assert rounds == {0, 1, 2, 3}
    check(database, evenings.result(game_id))


def test_sums_and_own_figures_are_those_of_stats_over_all_games(database: Database, service: Service) -> None:
    games = []
    for text in ("one", "two", "three"):
        games.append(started(service, "steady", "random", "minimum", rounds=4, text=text))
        play_out(service, games[-1])
    evenings = Evenings(database)
    results = [evenings.result(game_id) for game_id in games]
    ((amounts, people),) = sums_of(results).items()
    assert (amounts.kind, amounts.unit, {games for games, _ in people.values()}) == ("draw", "chips", {3})
    assert sum(net for _, net in people.values()) == 0
    for key, figures in statistics(database).sums.items():
        (own,) = evenings.own(key.player, results)
        assert own.figures == figures
        assert (own.games, own.best, own.worst) == (3, *_extremes(results, key.player))
        assert own.won == sum(key.player in result.winners for result in results)


def _extremes(results: list[GameResult], name: str) -> tuple[int, int]:
    nets = [result.nets[name] for result in results]
    return max(nets), min(nets)


def test_different_games_are_never_added_up(database: Database, service: Service) -> None:
    results = []
    for kind in game_kinds():
        seats = tuple(Seat(next(iter(game_of(kind).players)), name) for name in ("Ann", "Bob"))
        game_id, _ = service.start(kind, Setup(seats, EntropySource.from_text(kind), None if kind == "kalah" else 2))
        play_out(service, game_id)
        results.append(Evenings(database).result(game_id))
    found = sums_of(results)
    assert [amounts.kind for amounts in found] == list(game_kinds())
    for result in results:
        check(database, result)
        assert found[result.amounts] == {name: (1, net) for name, net in result.nets.items()}
        assert Evenings(database).own("Ann", results)[[*found].index(result.amounts)].amounts == result.amounts


def test_a_name_that_came_back_to_another_seat_has_both_results(database: Database, service: Service) -> None:
    """Given Carl, whose first seat is Dee's now, when the game is over, then both of Carl's seats count."""
    game_id = cash_game(service)
    for seat, name in ((3, "Carl"), (3, "Dee"), (4, "Carl")):
        service.act(game_id, SitDown(seat, 80, name))
        another_round(service, game_id)
        another_round(service, game_id)
        if name == "Carl" and seat == 3:
            service.act(game_id, Leave(3))
    service.close(game_id)
    assert told(database, game_id).taken["Carl"] == 2
    check(database, Evenings(database).result(game_id))


def test_of_equal_pots_the_first_comes_first(service: Service, database: Database) -> None:
    carl_and_dee(service)
    result = Evenings(database).result("coming")
    best = best_of([result, result])
    assert [one.size for one in best] == sorted((one.size for one in best), reverse=True)
    assert all(one.round < two.round for one, two in itertools.pairwise(result.best) if one.size == two.size)


def test_what_it_costs_does_not_grow_with_the_games_that_are_over(
    database: Database, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = started(service, "steady", "minimum", rounds=2)
    play_out(service, game_id)
    evenings = Evenings(database)
    first = evenings.result(game_id), evenings.own("Ann", [evenings.result(game_id)])
    monkeypatch.setattr(Database, "read", None)
    assert (evenings.result(game_id), evenings.own("Ann", [first[0]])) == first


def test_only_the_last_results_stay_in_memory(
    database: Database, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "KEPT", 2)
    games = [started(service, "steady", "minimum", rounds=1) for _ in range(3)]
    for game_id in games:
        play_out(service, game_id)
    evenings = Evenings(database)
    found = [evenings.result(game_id) for game_id in games]
    monkeypatch.setattr(Database, "read", None)
    assert [evenings.result(game_id) for game_id in games[1:]] == found[1:]
    with pytest.raises(TypeError):
        evenings.result(games[0])
