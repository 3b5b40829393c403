"""Tournaments are played to their end, whoever plays in them, and come to the same on any number of processes."""

import multiprocessing
import os
import signal
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc import __version__
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.players import Programs, Walls
from pokersvc.service import CommandReused, Service
from pokersvc.service.read_models.history import summary
from pokersvc.tournament import Results, Tournament, cluster, processes, run, standings
from pokersvc.tournament.kept import game_id, release
from pokersvc.tournament.plan import PlannedOtherwise
from pokersvc.tournament.play import Played, PlayedOtherwise, play
from pokersvc.tournament.run import TournamentStopped, Workers, play_batch
from tests.nim.game import NIM

from .support import all_played, bets, luck, planned, unboxed

BOTS = Path(__file__).parent.parent / "players" / "bots.py"


def result(tournament: Tournament, path: Path, count: int = 1, **others: Any) -> dict[int, Played]:
    with Results(path, tournament) as results, processes(count) as workers:
        run(tournament, results, workers, **others)
        return dict(results.played)


def test_the_results_are_those_of_the_games(tmp_path: Path) -> None:
    tournament = planned("random", "steady", "table", deals=3)
    told: list[int] = []
    assert result(tournament, tmp_path / "r", progress=told.append) == all_played(tournament)
    assert sum(told) == tournament.games


def test_two_processes_come_to_the_same_as_one(tmp_path: Path) -> None:
    tournament = unboxed("random", f"{BOTS}:Rolls", "minimum", deals=1)
    one, two = result(tournament, tmp_path / "1"), result(tournament, tmp_path / "2", 2)
    assert one == two
    assert standings(tournament, one).document() == standings(tournament, two).document()


def test_another_game_is_played_in_points(tmp_path: Path) -> None:
    tournament = planned("careful", "careless", game=NIM, deals=20)
    found = standings(tournament, result(tournament, tmp_path / "r"))
    assert found.document()["unit"] == "points"
    assert found.players[0].mean.value > found.players[1].mean.value > 0
    assert found.order == [0, 1]


@pytest.mark.parametrize(("name", "code"), [("KillsItsGroup", "raised"), ("Speaks", "illegal"), ("Loops", "timeout")])
def test_a_player_that_misbehaves_does_not_stop_a_tournament(tmp_path: Path, name: str, code: str) -> None:
    tournament = unboxed(f"{BOTS}:{name}", "minimum", deals=1, limit=0.2)
    found = standings(tournament, result(tournament, tmp_path / "r"))
    assert set(found.players[0].forfeits) == {code}
    assert found.players[1].forfeits == {}
    assert found.players[0].mean.value < 0


def test_a_player_that_cannot_be_loaded_any_more_forfeits_and_does_not_stop_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "loaded = Path(__file__).with_name('loaded')\n"
        "assert not loaded.exists(), 'once was enough'\n"
        "loaded.touch()\n"
        "class Mine:\n"
        "    def choose(self, view, legal, random): ...\n"
    )
    walls = Walls(trusted=True)  # for it leaves a file where it was
    tournament = replace(planned(f"{tmp_path}/mine.py:Mine", "minimum", deals=1, orders=1), walls=walls)
    with Programs(walls=walls) as programs:
        programs.check(tournament.game, tournament.players)
    assert result(tournament, tmp_path / "r")[0].forfeits == ({"raised": 1}, {})


@pytest.mark.slow
def test_a_file_that_was_changed_plays_the_next_tournament_as_it_is_now(tmp_path: Path) -> None:
    gains: list[int] = []
    for amount in (50, 150):
        tournament = planned(bets(tmp_path, amount), "minimum", deals=1, orders=1)
        gains += play_batch(tournament, [0], None).played[0].gains  # by the same process, which keeps its players
    release()
    assert [abs(gain) for gain in gains] == [105, 105, 305, 305]


def test_who_has_another_file_or_another_version_refuses_to_play(tmp_path: Path) -> None:
    tournament = planned(bets(tmp_path, 50), "minimum")
    play_batch(tournament, [0], None)
    bets(tmp_path, 60)
    with pytest.raises(PlannedOtherwise, match=r"/mine\.py:Mine is not what it was when the tournament was planned"):
        play_batch(tournament, [1], None)
    release()
    with pytest.raises(PlannedOtherwise, match=rf"planned by pokersvc 0\.0\.1 and cannot be played by {__version__}"):
        play_batch(replace(planned("minimum", "minimum"), version="0.0.1"), [0], None)


def test_a_file_is_found_from_the_folder_where_the_tournament_was_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bets(tmp_path, 50)
    monkeypatch.chdir(tmp_path)
    tournament = planned("mine.py:Mine", "minimum")
    monkeypatch.chdir("/")
    assert play_batch(tournament, [0], None).played[0].forfeits == ({}, {})
    release()
    assert tournament.players[0].kind == "mine.py:Mine"


def test_a_tournament_that_was_stopped_goes_on(tmp_path: Path) -> None:
    tournament = planned("random", "steady", deals=5)

    class Stop(Exception):
        pass

    def stop(_: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        result(tournament, tmp_path / "r", progress=stop)
    told: list[int] = []
    assert result(tournament, tmp_path / "r", progress=told.append) == all_played(tournament)
    assert sum(told) == tournament.games - 1
    assert result(tournament, tmp_path / "r", progress=stop) == all_played(tournament)


def test_more_deals_keep_those_that_were_played(tmp_path: Path) -> None:
    result(planned("random", "steady", deals=2), tmp_path / "r")
    told: list[int] = []
    many = planned("random", "steady", deals=5)
    assert result(many, tmp_path / "r", progress=told.append) == all_played(many)
    assert sum(told) == 6
    few = planned("random", "steady", deals=1)
    assert result(few, tmp_path / "r") == all_played(few)


def test_batches_grow_while_games_are_quick(tmp_path: Path) -> None:
    sizes: list[int] = []

    class Recorder(ThreadPoolExecutor):
        def submit(self, play: Any, tournament: Any, indices: Any, store: Any) -> Future[Any]:  # type: ignore[override]
            sizes.append(len(indices))
            return super().submit(play, tournament, indices, store)

    tournament = planned("minimum", "minimum", deals=200)
    with Results(tmp_path / "r", tournament) as results, Recorder(1) as executor:
        run(tournament, results, Workers(executor, 1))
        executor.submit(release_with, None, (), None).result()
    assert sizes[0] == 1
    assert max(sizes) >= 16


def release_with(*_: Any) -> None:
    release()


class Killer:
    """Ends the process that it plays in, as the system does when memory is short."""

    def choose(self, *_: Any) -> Any:
        if multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        raise RuntimeError


class Deadly(type(NIM)):  # type: ignore[misc]  # a game of the tests' own
    """Nim with a program of the game that ends the process."""

    players = {**NIM.players, "killer": Killer}  # noqa: RUF012


def test_a_process_that_is_killed_is_a_sentence_and_what_was_played_is_kept(tmp_path: Path) -> None:
    tournament = planned("careful", "killer", game=Deadly(), deals=3)
    with pytest.raises(TournamentStopped, match="what was played is kept"):
        result(tournament, tmp_path / "r", 2)
    assert len(result(tournament, tmp_path / "r")) == tournament.games


# Stored games.


def test_a_stored_game_is_in_the_log_as_it_was_played(tmp_path: Path) -> None:
    tournament = planned("random", "steady", "table", deals=2, seats=2, rounds=3)
    url = str(tmp_path / "db.sqlite")
    stored = result(tournament, tmp_path / "r", store=url)
    assert stored == all_played(tournament)
    with Database.for_reading(url) as database:
        log = EventLog(database)
        assert {name for name, _ in log.games()} == {game_id(tournament, i) for i in range(tournament.games)}
        for index, one in stored.items():
            *_, last = Service(log).replay(game_id(tournament, index), EVERYONE)
            said = summary(database, game_id(tournament, index))
            assert last.state.outcome is not None
            assert said.outcome == last.state.outcome
            assert (said.rounds, last.state.outcome.ranks) == (one.rounds, one.ranks)
            assert [seat.name for seat in said.seats] == [
                tournament.players[player].name for player in tournament.sitting(index).players
            ]


def test_a_game_whose_recording_was_interrupted_is_recorded_to_its_end(tmp_path: Path) -> None:
    tournament = planned("random", "steady", rounds=6, deals=1)
    url = str(tmp_path / "db.sqlite")
    with Database.for_writing(url) as database:
        log = EventLog(database)
        service = Service(log)
        events = played_events(tournament)
        service.keep("whole", "draw", events)
        commands = list(dict.fromkeys(record.command_id for record in log.read("whole")))
        upto = len(log.command("whole", commands[0])) + len(log.command("whole", commands[1]))
        service.keep("cut", "draw", events[:upto])
        assert len(commands) > 2
        service.keep("cut", "draw", events)
        service.keep("cut", "draw", events)
        assert [(row.type, row.version, row.payload) for row in log.read("cut")] == [
            (row.type, row.version, row.payload) for row in log.read("whole")
        ]
        assert summary(database, "cut").outcome == summary(database, "whole").outcome


@pytest.mark.slow
def test_a_recorded_game_is_not_played_again(tmp_path: Path) -> None:
    tournament = planned(luck(tmp_path), f"{BOTS}:Speaks", "minimum", deals=1, orders=2)
    url = str(tmp_path / "db.sqlite")
    first = result(tournament, tmp_path / "r", store=url)
    assert first[0].forfeits[1] == {"illegal": 1}
    assert result(tournament, tmp_path / "r2", store=url) == first


@pytest.mark.slow
def test_a_game_that_was_recorded_in_part_goes_on_as_it_was(tmp_path: Path) -> None:
    tournament = planned(luck(tmp_path), "minimum", deals=1, orders=1, rounds=4)
    url, name = str(tmp_path / "db.sqlite"), game_id(tournament, 0)
    events = played_events(tournament)
    half = [type(event).__name__ for event in events].index("PotAwarded") + 1
    with Database.for_writing(url) as database:
        Service(EventLog(database)).keep(name, "draw", events[:half])
    one = result(tournament, tmp_path / "r", store=url)[0]
    with Database.for_reading(url) as database:
        service = Service(EventLog(database))
        recorded = service.with_secrets.kept(name)
        assert recorded[:half] == events[:half]
        assert recorded[half:] != events[half:]
        assert service.status(name).outcome is not None
        with Programs() as programs:
            assert play(tournament, 0, programs, recorded) == (one, recorded)


def test_a_recorded_game_of_another_tournament_is_refused(tmp_path: Path) -> None:
    tournament = planned("minimum", "minimum", deals=1, orders=1)
    url = str(tmp_path / "db.sqlite")
    with Database.for_writing(url) as database:
        Service(EventLog(database)).keep(game_id(tournament, 0), "draw", played_events(planned("random", "random")))
    with pytest.raises(
        PlayedOtherwise, match=f"game 1 of the tournament {tournament.fingerprint} was started differently"
    ):
        result(tournament, tmp_path / "r", store=url)


def test_a_stored_game_that_is_another_is_refused(tmp_path: Path) -> None:
    with Database.for_writing(str(tmp_path / "db.sqlite")) as database:
        service = Service(EventLog(database))
        service.keep("one", "draw", played_events(planned("random", "steady")))
        with pytest.raises(CommandReused, match="The database already has another game one"):
            service.keep("one", "draw", played_events(planned("random", "steady", seed="2")))


def played_events(tournament: Tournament) -> list[Any]:
    with Programs() as programs:
        return play(tournament, 0, programs)[1]


# Where it is played.


def test_no_process_plays_nothing() -> None:
    with pytest.raises(InvalidValue, match="0 processes cannot play"), processes(0):
        pass


def test_a_scheduler_that_does_not_answer_is_a_sentence() -> None:
    with pytest.raises(InvalidValue, match=r"No Dask scheduler answers at 'nonsense://1'"), cluster("nonsense://1"):
        pass


def test_without_dask_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InvalidValue, match="needs Dask; install pokersvc with the extra `cluster`"), cluster("tcp://x"):
        pass


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed", "ignore::DeprecationWarning:tornado")
def test_a_cluster_comes_to_the_same_as_one_process(tmp_path: Path) -> None:
    from distributed import LocalCluster

    tournament = planned("random", "steady", f"{BOTS}:Rolls", deals=4)
    where = {"host": "127.0.0.1", "dashboard_address": None, "local_directory": str(tmp_path)}
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, **where) as local,  # type: ignore[no-untyped-call]  # no types
        Results(tmp_path / "r", tournament) as results,
        cluster(local.scheduler_address) as workers,
    ):
        assert workers.at_once == 4
        run(tournament, results, workers)
        played = dict(results.played)
        assert played == all_played(tournament)
        with pytest.raises(TournamentStopped, match="what was played is kept"), cluster(local.scheduler_address):
            raise CancelledError


def test_a_batch_says_how_long_it_took() -> None:
    batch = play_batch(planned("minimum", "minimum"), [0, 1], None)
    release()
    assert [one.number for one in batch.played] == [0, 1]
    assert batch.took > 0


def test_a_name_may_be_any(tmp_path: Path) -> None:
    from pokersvc.games.draw_poker import DRAW_POKER
    from pokersvc.tournament import plan

    tournament = plan(DRAW_POKER, {}, (Seat("random", "José"), Seat("random", "a=b")), 1)
    assert len(result(tournament, tmp_path / "r")) == 2
