"""Tournaments of players that are asked about many tables at once, each in its own process."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc.cli.statistics.standings import advice
from pokersvc.core.event import EVERYONE
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.tournament import Results, Tournament, processes, run, standings
from pokersvc.tournament.groups import Groups
from pokersvc.tournament.kept import game_id
from pokersvc.tournament.lines_file import InvalidResults
from pokersvc.tournament.play import Played
from pokersvc.tournament.results import Differed

from . import many
from .support import all_played, planned, unboxed
from .test_run import result


def of(name: str) -> str:
    return f"{many.__file__}:{name}"


def trusted(*names: str, **others: Any) -> Tournament:
    """Plan a tournament of two, by default a player of the tests' own against a built-in one."""
    kinds = [name if name == "minimum" else of(name) for name in names]
    return unboxed(*kinds, **others)


def one_by_one(tournament: Tournament) -> dict[int, Played]:
    """Return the results if players of the tests' own are asked about one table at a time."""
    seats = [seat if seat.kind == "minimum" else replace(seat, kind=of("Alone")) for seat in tournament.players]
    return all_played(replace(tournament, players=tuple(seats)))


def test_a_player_asked_about_many_tables_plays_as_one_asked_about_each(tmp_path: Path) -> None:
    tournament = planned(of("Honest"), "minimum", deals=8)
    assert result(tournament, tmp_path / "r") == one_by_one(tournament)


@pytest.mark.slow
def test_any_number_of_processes_comes_to_the_same(tmp_path: Path) -> None:
    tournament = trusted("Honest", "AnswersByOrder", deals=130)
    found = []
    for count in (1, 2, 3):
        played = result(tournament, tmp_path / str(count), count)
        with Results(tmp_path / str(count), tournament) as results:
            found.append((played, results.differed))
    assert found[0] == found[1] == found[2]
    assert [*found[0][1]] == [of("AnswersByOrder")]


@pytest.mark.slow
def test_a_player_that_answers_otherwise_among_others_is_asked_alone_from_there_on(tmp_path: Path) -> None:
    tournament = trusted("AnswersByOrder", "minimum", deals=64)
    played = result(tournament, tmp_path / "r")
    with Results(tmp_path / "r", tournament) as results:
        [(kind, found)] = results.differed.items()
    groups = Groups(tournament)
    assert kind == of("AnswersByOrder")
    assert found.game in groups[found.group]
    alone = one_by_one(tournament)
    after = [index for number in range(found.group, len(groups)) for index in groups[number]]
    assert {index: played[index] for index in after} == {index: alone[index] for index in after}
    named = standings(tournament, played, results.differed).document()["players"]
    assert [player["differed_in"] for player in named] == [found.game + 1, None]
    later = found.model_copy(update={"game": tournament.games})
    assert standings(tournament, played, {kind: later}).players[0].differed_in is None, "it is of more deals than these"


@pytest.mark.slow
def test_chance_from_elsewhere_is_found(tmp_path: Path) -> None:
    tournament = trusted("RollsElsewhere", "minimum", deals=64)
    result(tournament, tmp_path / "r")
    with Results(tmp_path / "r", tournament) as results:
        assert [*results.differed] == [of("RollsElsewhere")]


def test_an_illegal_answer_forfeits_its_own_choice_only(tmp_path: Path) -> None:
    tournament = trusted("Forgets", "minimum", deals=20)
    played = result(tournament, tmp_path / "r")
    codes = [one.forfeits[tournament.sitting(index).players.index(0)] for index, one in played.items()]
    assert {"illegal": 1} in codes
    assert {} in codes


@pytest.mark.parametrize(
    ("name", "code"),
    [("ReturnsTooFew", "illegal"), ("ReturnsATuple", "illegal"), ("Raises", "raised"), ("AnswersAtLength", "illegal")],
)
def test_a_batch_that_is_not_answered_forfeits_each_of_its_choices(tmp_path: Path, name: str, code: str) -> None:
    tournament = trusted(name, "minimum", deals=4, orders=1)
    assert {str(one.forfeits[0]) for one in result(tournament, tmp_path / "r").values()} == {f"{{'{code}': 1}}"}


@pytest.mark.slow
def test_a_batch_has_the_time_of_all_its_views(tmp_path: Path) -> None:
    tournament = trusted("TakesItsTime", "minimum", deals=3, orders=1, limit=0.4)
    assert {str(one.forfeits) for one in result(tournament, tmp_path / "r").values()} == {"({}, {})"}
    tournament = trusted("Sleeps", "minimum", deals=3, orders=1, limit=0.1)
    assert {str(one.forfeits[0]) for one in result(tournament, tmp_path / "s").values()} == {"{'timeout': 1}"}


class Stopped(Exception):
    pass


def stop(_: int) -> None:
    raise Stopped


@pytest.mark.slow
def test_a_tournament_that_was_stopped_plays_the_other_groups(tmp_path: Path) -> None:
    tournament = trusted("Honest", "minimum", deals=12)
    with pytest.raises(Stopped):
        result(tournament, tmp_path / "r", progress=stop)
    with Results(tmp_path / "r", tournament) as results:
        assert sorted(results.played) == sorted(Groups(tournament)[0])
    told: list[int] = []
    assert result(tournament, tmp_path / "r", progress=told.append) == one_by_one(tournament)
    assert told == [12]


@pytest.mark.slow
def test_a_group_that_was_kept_in_part_is_played_whole_and_what_is_kept_stays(tmp_path: Path) -> None:
    tournament = trusted("Honest", "minimum", deals=12)
    whole = result(tournament, tmp_path / "r")
    lines = (tmp_path / "r").read_bytes().splitlines(keepends=True)
    (tmp_path / "r").write_bytes(b"".join([*lines[:4], lines[4][:10]]))
    told: list[int] = []
    assert result(tournament, tmp_path / "r", progress=told.append) == whole
    assert told == [9, 12]


@pytest.mark.slow
def test_more_deals_keep_what_was_played(tmp_path: Path) -> None:
    few, more = (trusted("Honest", "minimum", deals=deals) for deals in (4, 9))
    result(few, tmp_path / "r")
    told: list[int] = []
    assert result(more, tmp_path / "r", progress=told.append) == one_by_one(more)
    assert told == [5, 5]


@pytest.mark.slow
def test_whom_a_file_names_as_answering_otherwise_is_asked_alone_from_that_group_on(tmp_path: Path) -> None:
    tournament = trusted("Honest", "minimum", deals=4)
    with Results(tmp_path / "r", tournament) as results:
        for group in (1, 0):
            results.add_differed(Differed(differed=of("Honest"), game=group, group=group))
        results.add_differed(Differed(differed=of("Honest"), game=7, group=1))
    with Results(tmp_path / "r", tournament) as results:
        assert results.differed == {of("Honest"): Differed(differed=of("Honest"), game=0, group=0)}
    assert result(tournament, tmp_path / "r") == one_by_one(tournament)


@pytest.mark.parametrize("rest", ['"x"}', '"x","game":-1,"group":0}', '"x","game":1,"group":0,"more":1}'])
def test_a_line_that_names_nobody_is_refused(tmp_path: Path, rest: str) -> None:
    tournament = trusted("Honest", "minimum", deals=4)
    Results(tmp_path / "r", tournament).close()
    with (tmp_path / "r").open("a") as file:
        file.write(f'{{"differed":{rest}\n')
    with pytest.raises(InvalidResults, match=r"Line 2 of .* is not a result"):
        Results(tmp_path / "r", tournament)


@pytest.mark.slow
def test_stored_games_are_in_the_log_as_they_were_played(tmp_path: Path) -> None:
    tournament = trusted("Honest", "minimum", deals=3)
    url = str(tmp_path / "db.sqlite")
    stored = result(tournament, tmp_path / "r", store=url)
    with Database.for_reading(url) as database:
        service = Service(EventLog(database))
        for index, one in stored.items():
            *_, last = service.replay(game_id(tournament, index), EVERYONE)
            assert last.state.outcome is not None
            assert last.state.outcome.ranks == one.ranks
    assert result(tournament, tmp_path / "again", store=url) == stored


@pytest.mark.parametrize("name", ["PreparesAnew", pytest.param("ImportsAnew", marks=pytest.mark.slow)])
def test_choices_that_go_into_preparing_the_player_are_counted(tmp_path: Path, name: str) -> None:
    tournament = trusted(name, "Honest", deals=1, orders=1)
    with Results(tmp_path / "r", tournament) as results, processes(1) as workers:
        run(tournament, results, workers)
        slow, honest = results.spent[of(name)], results.spent[of("Honest")]
    assert slow.preparing == slow.choices > 0
    assert slow.seconds / slow.choices > 0.05
    assert (honest.preparing, honest.seconds) == (0, 0)
    said = " ".join(" ".join(advice(tournament, results.spent)).split())
    assert re.fullmatch(r"Most of each choice of Ann \([0-9]+ ms\) goes into imports and making its object; .*", said)
