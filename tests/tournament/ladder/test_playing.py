"""Ladders are played: stopped and resumed, by several at once, by members who come late, fail or change."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from threading import Thread
from unittest.mock import patch

import pytest

from pokersvc.eventlog.claim import claim
from pokersvc.eventlog.database import Database
from pokersvc.players import Walls
from pokersvc.players.walls import IN_BOXES
from pokersvc.tournament.ladder import LadderStore, Member, new_member, ranking_of
from pokersvc.tournament.ladder import playing as playing_room
from pokersvc.tournament.ladder.ladders import DealPlayed, InvalidLadder, arrangements
from pokersvc.tournament.ladder.playing import deal_played
from pokersvc.tournament.ladder.store import LadderChanged, Pair
from tests.postgres import Server, text
from tests.tournament.support import all_played

from .climbing import NAME, TRUSTED, added, ladder, played

BOTS = Path(__file__).parents[2] / "players" / "bots.py"
QUICK = ("minimum", "random", "table")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "games.sqlite")
        return
    server: Server = request.getfixturevalue("server")
    with server.migrated() as made:
        yield text(made)


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture
def store(database: Database) -> LadderStore:
    return LadderStore(database)


def ranking(database: Database) -> dict[str, object]:
    return ranking_of(LadderStore(database), NAME).document()


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_each_of_two_members_sits_everywhere_and_before_the_other_equally_often(seats: int) -> None:
    orders = [[player >= seats // 2 for player in order] for order in arrangements(seats)]
    assert len({tuple(order) for order in orders}) == len(orders)
    assert [sum(column) for column in zip(*orders, strict=True)] == [len(orders) / 2] * seats
    assert sorted(map(tuple, orders)) == sorted(tuple(not side for side in order) for order in orders), "mirrored"


def test_what_a_deal_brought_is_the_sum_of_its_games(store: LadderStore) -> None:
    terms = ladder(2, seats=4)
    one, other = (new_member(terms, kind, kind, Path()) for kind in ("minimum", "random"))
    tournament = terms.planned(one, other)
    assert [seat.name for seat in tournament.players] == ["Player1", "Player2", "Player3", "Player4"]
    games = all_played(tournament)
    found = deal_played(terms, [games[number] for number in range(6)])
    mine = [
        sum(gain for player, gain in zip(tournament.sitting(n).players, games[n].gains, strict=True) if player < 2)
        for n in range(6)
    ]
    assert found.gains == (sum(mine), -sum(mine))
    ahead = 0
    for number in range(6):
        at = dict(zip(tournament.sitting(number).players, games[number].ranks, strict=True))
        ahead += sum(2 * (at[a] < at[b]) + (at[a] == at[b]) for a in (0, 1) for b in (2, 3))
    assert (found.ahead, found.rounds) == (ahead, 6)
    assert 0 < found.ahead < 2 * terms.meetings_per_deal


def test_all_pairs_play_the_same_deals_by_the_same_rules(store: LadderStore) -> None:
    terms = ladder(2)
    members = [new_member(terms, name, kind, Path()) for name, kind in zip("ABC", QUICK, strict=True)]
    plans = [terms.planned(members[0], members[1]), terms.planned(members[1], members[2])]
    of_deals = [{plan.setup(plan.sitting(game)).source for game in (0, 1)} for plan in plans]
    assert of_deals[0] == of_deals[1]
    assert len(of_deals[0]) == 1, "both orders have the same deal"
    assert len({plan.setup(plan.sitting(2)).source for plan in plans} - of_deals[0]) == 1, "the next one is another"
    rules = [(plan.setup(plan.sitting(0)).options or {})["rules"] for plan in plans]
    assert {house.name for house in rules} == {"fixed-limit"}


def test_who_comes_late_is_measured_as_if_they_had_come_first(tmp_path: Path) -> None:
    found = []
    for number, order in enumerate(permutations(QUICK)):
        with Database.for_writing(str(tmp_path / f"{number}.sqlite")) as database:
            store = LadderStore(database)
            added(store, ladder(), *order[:2])
            if number % 2:
                played(database)
            added(store, ladder(), order[2])
            assert played(database) == {}
            found.append(ranking(database))
            assert len({one.games for one in ranking_of(LadderStore(database), NAME).ranked}) == 1
    assert all(one == found[0] for one in found)


def test_a_name_changes_nothing_of_how_a_bot_does(tmp_path: Path) -> None:
    found = []
    for number, names in enumerate((("A", "B"), ("B", "A"))):
        with Database.for_writing(str(tmp_path / f"{number}.sqlite")) as database:
            added(LadderStore(database), ladder(), f"{names[0]}=minimum", f"{names[1]}=random")
            played(database)
            members = ranking_of(LadderStore(database), NAME).ranked
            found.append({one.member.kind: one.games for one in members})
    assert found[0] == found[1]


class Killed(BaseException):
    """Ends a run as a signal would: nothing that was not stored is kept."""


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_ladder_that_is_killed_continues_to_the_same_figures(url: str, after: int, tmp_path: Path) -> None:
    with Database.for_writing(str(tmp_path / "whole.sqlite")) as whole:
        added(LadderStore(whole), ladder(), *QUICK)
        played(whole)
        expected = ranking(whole)
    with Database.for_writing(url) as database:
        store, stored = LadderStore(database), 0
        added(store, ladder(), *QUICK)
        record = LadderStore.record

        def mortal(self: LadderStore, name: str, one: Member, other: Member, deals: dict[int, DealPlayed]) -> None:
            nonlocal stored
            record(self, name, one, other, deals)
            stored += len(deals)
            if stored >= after:
                raise Killed

        with patch.object(LadderStore, "record", mortal), pytest.raises(Killed):
            played(database)
        assert 0 < sum(store.progress(NAME).played.values()) < 9
        assert played(database) == {}
        assert ranking(database) == expected


def test_two_at_once_share_the_pairs_and_count_none_twice(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_room, "LOOK_AGAIN", 0.01)
    recorded: list[tuple[str, str, int]] = []
    record = LadderStore.record

    def noting(self: LadderStore, name: str, one: Member, other: Member, deals: dict[int, DealPlayed]) -> None:
        recorded.extend((one.name, other.name, deal) for deal in deals)
        record(self, name, one, other, deals)

    with Database.for_writing(url) as mine, Database.for_writing(url) as theirs:
        added(LadderStore(mine), ladder(5), *QUICK)
        with patch.object(LadderStore, "record", noting):
            threads = [Thread(target=played, args=(database,)) for database in (mine, theirs)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(recorded) == len(set(recorded)) == 15
        assert LadderStore(mine).progress(NAME).missing_games == 0


def test_a_pair_that_another_plays_is_left_to_it(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database.for_writing(url) as database, Database.for_writing(url) as other:
        store = LadderStore(database)
        added(store, ladder(1), *QUICK)
        holding = claim(other, f"ladder {NAME}: minimum and random")
        holding.__enter__()

        def let_go(_: float) -> None:
            assert Pair("minimum", "random") not in store.progress(NAME).played, "all others are played meanwhile"
            assert len(store.progress(NAME).played) == 2
            holding.__exit__(None, None, None)

        monkeypatch.setattr("time.sleep", let_go)
        played(database)
        assert store.progress(NAME).missing_games == 0


def test_more_deals_are_played_on_top_and_fewer_count_only_the_first(database: Database, store: LadderStore) -> None:
    added(store, ladder(2), *QUICK)
    played(database)
    two = ranking(database)
    store.play_deals(NAME, 4)
    assert store.progress(NAME).missing_games == 3 * 2 * 2
    assert ranking(database) == two | {"deals": 4, "missing_games": 12}
    played(database)
    four = ranking(database)
    assert (four["deals_counted"], four["missing_games"]) == (4, 0)
    store.play_deals(NAME, 2)
    assert ranking(database) == two


def mine(folder: Path, text: str) -> str:
    (folder / "mine.py").write_text(text)
    return f"Mine={folder}/mine.py:Mine"


CHECKS = (
    "from pokersvc.games.draw_poker.actions import *\nclass Mine:\n    def choose(self, view, legal, random):\n        "
)


def test_a_member_whose_file_changed_plays_no_more_and_the_others_go_on(
    database: Database, store: LadderStore, tmp_path: Path
) -> None:
    added(store, ladder(1), mine(tmp_path, CHECKS + "raise ValueError"), "minimum", "random")
    mine(tmp_path, CHECKS + "return None")
    assert played(database) == {
        "Mine": f"{tmp_path}/mine.py:Mine is not the file that was added as 'Mine'; add it under another name,"
        " or remove it."
    }
    assert store.progress(NAME).missing == [Pair("Mine", "minimum"), Pair("Mine", "random")]
    added(store, ladder(1), f"Mine2={tmp_path}/mine.py:Mine")
    assert list(played(database)) == ["Mine"]
    assert [one.member.name for one in ranking_of(store, NAME).ranked if one.forfeits] == ["Mine2"]


def test_a_file_that_changes_while_it_plays_stops_its_games_alone(
    database: Database, store: LadderStore, tmp_path: Path
) -> None:
    added(store, ladder(2), mine(tmp_path, CHECKS + "return None"), "minimum", "random")
    record = LadderStore.record

    def changing(self: LadderStore, name: str, one: Member, other: Member, deals: dict[int, DealPlayed]) -> None:
        record(self, name, one, other, deals)
        if "Mine" in (one.name, other.name):
            mine(tmp_path, CHECKS + "return 1")

    with patch.object(LadderStore, "record", changing):
        assert list(played(database)) == ["Mine"]
    progress = store.progress(NAME)
    assert progress.missing == [Pair("Mine", "minimum"), Pair("Mine", "random")]
    assert progress.played == {Pair("Mine", "minimum"): 1, Pair("minimum", "random"): 2}


def test_a_file_that_is_gone_is_said(database: Database, store: LadderStore, tmp_path: Path) -> None:
    added(store, ladder(1), mine(tmp_path, CHECKS + "return None"), "minimum")
    (tmp_path / "mine.py").unlink()
    assert "cannot be read (No such file or directory)" in played(database)["Mine"]


def test_a_bot_that_this_version_lacks_is_said(database: Database, store: LadderStore) -> None:
    terms = ladder(1)
    store.add(terms, Member("Old", "of-long-ago", None, ""))
    added(store, terms, "minimum")
    assert played(database) == {"Old": "There is no bot 'of-long-ago' in this pokersvc."}


@pytest.mark.parametrize(("name", "code"), [("Speaks", "illegal"), ("Loops", "timeout")])
def test_who_cheats_or_never_answers_forfeits_and_is_ranked(
    database: Database, store: LadderStore, name: str, code: str
) -> None:
    added(store, ladder(1, seconds=0.2), f"Mine={BOTS}:{name}", "minimum")
    assert played(database) == {}
    mine, other = sorted(ranking_of(store, NAME).ranked, key=lambda one: one.member.name)
    assert set(mine.forfeits) == {code}
    assert (other.forfeits, other.mean.value > 0) == ({}, True)


READS = CHECKS + "open({path!r}).read(); return Check(view.to_act)"


@pytest.mark.usefixtures("box")
def test_a_stranger_s_program_is_in_a_box(database: Database, store: LadderStore, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    added(store, ladder(1), mine(tmp_path, READS.format(path=str(secret))), "minimum")
    played(database, IN_BOXES)
    boxed = {one.member.name: one.forfeits for one in ranking_of(store, NAME).ranked}
    assert set(boxed["Mine"]) == {"raised"}, "there is no such file in the box"
    assert Walls() == IN_BOXES
    assert TRUSTED.trusted


def test_who_is_removed_while_it_plays_leaves_no_result(database: Database, store: LadderStore) -> None:
    added(store, ladder(2), *QUICK)
    record = LadderStore.record
    left: list[str] = []

    def leaving(self: LadderStore, name: str, one: Member, other: Member, deals: dict[int, DealPlayed]) -> None:
        if "table" in (one.name, other.name) and not left:
            left.append("table")
            store.remove(NAME, "table")
        record(self, name, one, other, deals)

    with patch.object(LadderStore, "record", leaving):
        assert played(database) == {}
    assert left
    assert store.results(NAME).keys() == {Pair("minimum", "random")}


def test_a_member_who_was_replaced_is_another(database: Database, store: LadderStore) -> None:
    terms = ladder(2)
    added(store, terms, "minimum", "Bob=random")
    members = store.progress(NAME).members
    store.remove(NAME, "Bob")
    added(store, terms, "Bob=table")
    with pytest.raises(LadderChanged, match="Bob or minimum was removed from the ladder 'house'"):
        store.record(NAME, members["Bob"], members["minimum"], {1: DealPlayed(gains=(1, -1), ahead=2, rounds=2)})
    assert store.results(NAME) == {}


def test_rules_that_changed_are_refused(database: Database, store: LadderStore, tmp_path: Path) -> None:
    house = tmp_path / "mine.toml"
    house.write_text(next(one.text for one in ladder().game.houses() if one.name == "fixed-limit"))
    added(store, ladder(1, options={"rules": str(house)}), "minimum", "random")
    house.write_text(house.read_text().replace("stack = 200", "stack = 100"))
    with pytest.raises(InvalidLadder, match="The rules of the ladder 'house' have changed since it was begun"):
        played(database)


def test_a_damaged_result_is_said(database: Database, store: LadderStore) -> None:
    added(store, ladder(1), "minimum", "random")
    played(database)
    with database.append() as connection:
        connection.exec_driver_sql("UPDATE ladder_deals SET result = '{\"gains\": []}'")
    with pytest.raises(InvalidLadder, match="A stored result of a ladder is"):
        ranking(database)
