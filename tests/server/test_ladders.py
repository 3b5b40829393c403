"""The server tells the rankings of its ladders, and neither seeds nor files of players."""

import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.players import Walls
from pokersvc.server import rankings
from pokersvc.server.rankings import Rankings
from pokersvc.service.opening import open_database
from pokersvc.tournament import processes
from pokersvc.tournament.ladder import LadderStore, Member, new_ladder, new_member, play_missing

from .conftest import served

MINE = "class Mine:\n    def choose(self, view, legal, random): return None\n"


def climbed(database: Database, name: str, kind: str, options: dict[str, object], *bots: str, deals: int = 1) -> None:
    """Play a ladder with these bots in the database."""
    store, ladder = LadderStore(database), new_ladder(name, kind, options, seed="secret of the deals", deals=deals)
    for bot in bots:
        store.add(ladder, new_member(ladder, bot.rpartition(":")[2], bot, Path.cwd()))
    with processes(1) as workers:
        play_missing(database, name, workers, walls=Walls(trusted=True))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "games.sqlite") as opened:
        yield opened


def test_everybody_is_told_the_ratings_of_bots_that_may_be_asked_for(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    climbed(database, "limit", "draw", {"rules": "fixed-limit"}, "minimum", "random", f"{file}:Mine", deals=3)
    climbed(database, "kalah", "kalah", {"holes": 2, "beans": 1}, "random", "smart/1", deals=2)
    with served(database) as guest:
        kalah, limit = guest.get("/api/ladders").json()["ladders"]
    assert (limit["name"], limit["kind"], limit["house"]) == ("limit", "draw", "fixed-limit")
    assert (limit["deals"], limit["seats"], limit["unit"], limit["by_rating"]) == (3, 2, "mbb/hand", False)
    assert {one["name"]: one["program"] for one in limit["members"]} == {
        "minimum": "minimum", "random": "random", "Mine": None,
    }  # fmt: skip
    worst = limit["members"][-1]
    assert (worst["name"], worst["forfeits"] > 0) == ("Mine", True)
    assert sum(one["rating"] for one in limit["members"]) == pytest.approx(4500)
    assert (kalah["house"], kalah["by_rating"], kalah["unit"]) == (None, True, "beans")
    assert {one["name"]: one["program"] for one in kalah["members"]} == {"random": "random", "smart/1": None}
    assert not any(word in json.dumps([kalah, limit]) for word in ("secret of the deals", str(tmp_path), "seed"))


def test_a_game_without_houses_has_an_empty_one(database: Database) -> None:
    climbed(database, "kalah", "kalah", {}, "random", "bad")
    climbed(database, "draw", "draw", {}, "random", "minimum")
    assert [one["house"] for one in Rankings(database, ()).told()] == ["rising-ante", ""]


def test_a_server_without_ladders_has_none(database: Database) -> None:
    with served(database) as guest:
        assert guest.get("/api/ladders").json() == {"ladders": []}
        assert guest.get("/ladders/").status_code == 200


def test_rankings_are_made_again_only_once_a_ladder_has_changed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    climbed(database, "limit", "draw", {"rules": "fixed-limit"}, "minimum", "random")
    made = Rankings(database, ())
    before = made.told()
    with patch.object(rankings, "ranking_of", side_effect=AssertionError("nothing has changed")):
        assert made.told() == before
        monkeypatch.setattr(rankings, "FRESH", 0.0)
        assert made.told() == before
    LadderStore(database).anchor("limit", "random")
    assert '"random", "program": "random", "rating": 1500.0' in json.dumps(made.told())


def test_a_ladder_that_cannot_be_read_hides_no_other(database: Database) -> None:
    climbed(database, "a", "draw", {}, "minimum", "random")
    climbed(database, "b", "draw", {}, "minimum", "random")
    with database.append() as connection:
        connection.exec_driver_sql("UPDATE ladders SET kind = 'of-a-package' WHERE ladder = 'a'")
    LadderStore(database).add(new_ladder("b", "draw", {}), Member("Gone", "of-long-ago", None, ""))
    [found] = Rankings(database, ()).told()
    assert (found["name"], found["unranked"]) == ("b", ["Gone"])
