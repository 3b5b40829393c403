"""The tallies are audited: any figure in them that does not follow from the hands is a finding."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.core.counting import Figures
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit, audit_in_processes
from pokersvc.evidence.audit.tallies import RandomSums, TalliedGames
from pokersvc.service import Service
from pokersvc.service.read_models.history import rebuild
from pokersvc.service.read_models.tallies import tally

from .played import Tampered, play, seats

WRONG = "found other figures in the tallies where there should be what the hands add up to"


@pytest.fixture
def tallied(tampered: Tampered) -> Tampered:
    assert tally(tampered.database) > 5
    return tampered


def found(tampered: Tampered) -> list[str]:
    return [str(finding) for finding in tampered.audit()]


def test_tallies_that_follow_from_the_hands_pass(tallied: Tampered) -> None:
    assert found(tallied) == []


INVENTED = f"INSERT INTO tallies VALUES ('all', 'Zoe', '', '', '', 0{', 1' * len(Figures._fields)})"
CHANGES = (
    "UPDATE tallies SET vpip = vpip + 1, pfr = pfr - 1 WHERE dimension = 'house' AND player = 'Ann'",
    "UPDATE tallies SET net = net + 1 WHERE dimension = 'all' AND player = 'Bob'",
    "UPDATE tallies SET player = 'Zoe' WHERE dimension = 'day' AND player = 'Ann'",
    "DELETE FROM tallies WHERE dimension = 'opponent' AND player = 'Ann' AND value = 'Bob'",
    "DELETE FROM tallies",
    INVENTED,
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_tallies_is_a_finding(tallied: Tampered, change: str) -> None:
    tallied.sql(change)
    (finding,) = found(tallied)
    assert WRONG in finding


@pytest.mark.slow
def test_it_is_one_in_several_processes_too(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")
    with Database.for_writing(path) as database:
        service = Service(EventLog(database))
        setup = Setup(seats("random", "steady"), EntropySource.from_text("two"), 2)
        for game_id in ("one", "two"):
            play(service, service.start("draw", setup, game_id=game_id)[0])
        tally(database)

    def in_processes() -> list[str]:
        return [str(finding) for audited in audit_in_processes(path, 2) for finding in audited.findings]

    assert in_processes() == []
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(CHANGES[0])
    (finding,) = in_processes()
    assert WRONG in finding


def test_more_rounds_in_the_tallies_than_were_played_are_a_finding(tallied: Tampered) -> None:
    tallied.sql("UPDATE game_summaries SET counted = 999 WHERE game_id = 'people'")
    assert "found counted 999 in the list of games where there should be 0 to" in found(tallied)[0]


@pytest.mark.parametrize("forged", [False, True])
@pytest.mark.parametrize("first", ["tally", "see"])
def test_processes_compare_the_tallies_as_the_first_of_them_saw_them(tmp_path: Path, first: str, forged: bool) -> None:
    """Each process reads at another time, and hands may be added to the tallies in between."""
    path = str(tmp_path / "games.sqlite")
    with Database.for_writing(path) as database:
        service = Service(EventLog(database))
        setup = Setup(seats("random", "steady"), EntropySource.from_text("two"), 2)
        for game_id in ("one", "two"):
            play(service, service.start("draw", setup, game_id=game_id)[0])
            if first == "tally":
                tally(database)
        if forged:
            with closing(sqlite3.connect(path)) as file, file:
                file.execute(CHANGES[0] if first == "tally" else INVENTED)
        with Database.for_reading(path) as seen, seen.read() as connection:
            sums, ids = RandomSums(), ["one", "two"]
            games = TalliedGames(connection, sums)
            noted = games.rounds_of(ids)
            tally(database)
            rebuild(database)
            list(games.through(audit(database, ids, sums=sums, tallied=noted)))
            assert [WRONG in str(finding) for finding in games.check()] == [True] * forged
    assert set(noted.values()) == {2 if first == "tally" else 0}


PEOPLE = (
    "UPDATE game_players SET player = 'zoe' WHERE game_id = 'people' AND player = 'ann'",
    "UPDATE game_players SET started_at = '2020-01-31T12:00:00.000000Z' WHERE game_id = 'people'",
    "DELETE FROM game_players WHERE game_id = 'people'",
    "INSERT INTO game_players SELECT game_id, 'zoe', started_at FROM game_summaries WHERE game_id = 'people'",
)


@pytest.mark.parametrize("change", PEOPLE)
def test_who_plays_in_which_games_is_compared_with_the_games(tampered: Tampered, change: str) -> None:
    tampered.sql(change)
    (finding,) = tampered.audit()
    assert (finding.game_id, finding.check) == ("people", "read_models")
    assert finding.found.endswith("in the list of players")
    assert "zoe" not in finding.expected


def test_the_house_of_a_game_is_compared_too(tampered: Tampered) -> None:
    tampered.sql("UPDATE game_summaries SET house = 'another' WHERE game_id = 'people'")
    (finding,) = tampered.audit()
    assert finding.found == "house another in the list of games"


def test_players_of_no_game_are_a_finding(tampered: Tampered) -> None:
    tampered.sql("INSERT INTO game_players VALUES ('nowhere', 'ann', '')")
    (finding,) = tampered.audit()
    assert (finding.game_id, finding.found) == ("nowhere", "a row in game_players")


SESSIONS = (
    "UPDATE played_rounds SET net = net + 1 WHERE game_id = 'people' AND round = 1 AND player <> ''",
    "UPDATE played_rounds SET at = '2020-01-31T12:00:00' WHERE game_id = 'people' AND round = 1",
    "UPDATE played_rounds SET player = 'Zoe' WHERE game_id = 'people' AND player = 'Ann' AND round = 1",
    "UPDATE played_rounds SET own = 1 - own WHERE game_id = 'people' AND round = 1",
    "UPDATE played_rounds SET table_name = NULL WHERE game_id = 'people' AND round = 1",
    "DELETE FROM played_rounds WHERE game_id = 'people' AND round = 1",
    "UPDATE played_rounds SET round = 99 WHERE game_id = 'people' AND round = 1",
    "INSERT INTO played_rounds SELECT '', '', '', game_id, 0, 0, NULL, NULL, '', 0, NULL FROM games"
    " WHERE game_id = 'people'",
)


@pytest.mark.parametrize("change", SESSIONS)
def test_what_sessions_know_is_compared_with_the_games(tampered: Tampered, change: str) -> None:
    before = tampered.sql("SELECT * FROM played_rounds ORDER BY 1, 2, 3, 4, 5")
    tampered.sql(change)
    assert tampered.sql("SELECT * FROM played_rounds ORDER BY 1, 2, 3, 4, 5") != before
    found = tampered.audit()
    assert {(finding.game_id, finding.check) for finding in found} == {("people", "read_models")}
    assert all(finding.found.endswith("in the sessions") for finding in found)


def test_a_finding_in_the_sessions_names_what_differs(tampered: Tampered) -> None:
    tampered.sql("UPDATE played_rounds SET net = net + 1 WHERE game_id = 'people' AND round = 1 AND player = 'Ann'")
    (finding,) = tampered.audit()
    said = "round 1 of player 'Ann', site 'pokersvc', moment '"
    assert finding.found.startswith(said)
    assert finding.expected.startswith(said)
    assert ("net" in finding.found, "Bob" in finding.found, finding.found == finding.expected) == (True, False, False)


def test_a_finding_of_rounds_that_are_yet_to_be_made_says_that_a_migration_was_interrupted(tampered: Tampered) -> None:
    tampered.sql("DELETE FROM played_rounds WHERE game_id = 'people'")
    tampered.sql(SESSIONS[-1])
    first, *_ = tampered.audit()
    unmade = "rounds that an interrupted migration has not made (`pokersvc db upgrade` makes them) in the sessions"
    assert first.found == unmade
    assert first.expected.startswith("round 1 of player 'Ann'")


def test_sessions_of_no_game_are_a_finding(tampered: Tampered) -> None:
    tampered.sql("INSERT INTO played_rounds SELECT 'Ann', 's', '', 'nowhere', 1, 1, NULL, NULL, '', 0, 0")
    (finding,) = tampered.audit()
    assert (finding.game_id, finding.found) == ("nowhere", "a row in played_rounds")
