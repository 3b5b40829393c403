"""Sessions and tables: which hands belong together, and that an exported session imports to the same text."""

import re
import sqlite3
from collections import Counter, deque
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pokersvc import audit
from pokersvc.betting.cash import SitDown
from pokersvc.core.actions import Leave
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.actions import Fold
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_session
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import store
from pokersvc.histories.reading import hands_in
from pokersvc.histories.sessions import HandAt, PlayedHands, played_hands, session_with, sessions, stakes, tables
from pokersvc.histories.statements import Dealt, Discarded, Drew
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service
from pokersvc.service.opening import is_complete, open_database
from pokersvc.service.read_models.history import ReadModelsDamaged, rebuild, summary
from pokersvc.service.read_models.projections import game_players, game_summaries
from tests.audit.flips import run
from tests.downgraded import downgrade
from tests.postgres import Server, text

from ..service.support import act, rows
from .goldens import SAMPLES

YEAR = 366 * 24 * 60


@pytest.fixture(scope="module")
def imported() -> Database:
    """Fixture: a database with all samples."""
    database = Database.for_writing(":memory:")
    files = [path for path in SAMPLES.iterdir() if path.suffix != ".told"]
    for one in store(Service(EventLog(database)), check(files)):
        assert not one.contradictions
    return database


@pytest.fixture(scope="module")
def played(imported: Database) -> PlayedHands:
    return played_hands(imported)


def test_hands_of_one_player_at_one_site_belong_together_until_a_break(imported: Database, played: PlayedHands) -> None:
    [evening] = [one for one in sessions(played) if one.hands[0].at.startswith("2009-11-25")]
    assert (evening.site, evening.player, len(evening.hands), evening.minutes) == ("PokerStars", "Hero", 6, 6)
    assert [where.table for where in evening.tables] == ["Table B II"]
    assert stakes(imported, evening) == ["$0.10/$0.20 limit"]
    net = sum(_score(imported, hand.game_id, "Hero") for hand in evening.hands)
    assert evening.nets == {("USD", 2): net}
    parts = [one for one in sessions(played, 1) if one.hands[0].at.startswith("2009-11-25")]
    assert sum(len(one.hands) for one in parts) == 6
    assert 1 < len(parts) < 6
    for one, later in zip(parts[1:], parts, strict=False):
        break_ = datetime.fromisoformat(later.hands[0].at) - datetime.fromisoformat(one.hands[-1].at)
        assert break_ > timedelta(minutes=1)


def _score(database: Database, game_id: str, name: str) -> int:
    found = summary(database, game_id)
    assert found.outcome is not None
    return found.outcome.scores[[seat.name for seat in found.seats].index(name)]


def test_each_hand_is_in_one_session_and_at_one_table(played: PlayedHands) -> None:
    hands = Counter(hand for found in played.hands.values() for hand in found)
    for together in (sessions(played), sessions(played, YEAR), tables(played)):
        assert Counter(hand for one in together for hand in one.hands) == hands
    assert len(played.undated) == 1
    assert all(len(one.tables) == 1 for one in tables(played))
    mixed = next(one for one in sessions(played) if len(one.nets) == 2)
    assert set(mixed.nets) == {("EUR", 2), ("USD", 2)}, "amounts of two currencies are never one"


def test_somebody_elses_session_has_the_hands_that_they_were_dealt(imported: Database) -> None:
    theirs = played_hands(imported, ("Dora",), "PokerStars")
    assert set(theirs.hands) == {("PokerStars", "Dora")}
    for hand in theirs.hands["PokerStars", "Dora"]:
        assert hand.net == _score(imported, hand.game_id, "Dora")


def test_what_names_no_session_is_refused(imported: Database, played: PlayedHands) -> None:
    with pytest.raises(InvalidValue, match="--gap 0 is not a gap"):
        sessions(played, 0)
    with pytest.raises(InvalidValue, match="belongs to no session: its file does not say when it was played"):
        session_with(imported, played.undated[0])
    hand = played.hands["Merge", "Hero"][0]
    with pytest.raises(InvalidValue, match="--gap 0 is not a gap"):
        session_with(imported, hand.game_id, gap=0)
    with pytest.raises(InvalidValue, match=f"Round 2 of game {hand.game_id} belongs to no session"):
        session_with(imported, hand.game_id, 2)
    with pytest.raises(InvalidValue, match=r"no session of 'Nobody': those who played it are .*\bHero\b"):
        session_with(imported, hand.game_id, player="Nobody")


def test_a_game_in_no_session_says_why(tmp_path: Path) -> None:
    doctored = tmp_path / "doctored.txt"
    doctored.write_text((SAMPLES / "pokerstars.txt").read_text("utf-8").replace("Rake $0.90", "Rake $0.80"), "utf-8")
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        [kept] = [one.told for one in store(service, check([doctored]), keep=True) if one.contradictions]
        assert isinstance(kept, CheckedHand)
        for player in (None, "Hero"):
            with pytest.raises(InvalidValue, match="it is hand 15504835000 of PokerStars, which was kept with 1 find"):
                session_with(database, kept.game_id, player=player)
        setup = Setup((Seat("steady", "Ann"), Seat("steady", "Bob")), EntropySource.from_text("on"), 1)
        service.start("draw", setup, game_id="on")
        with pytest.raises(InvalidValue, match="Game on belongs to no session: no hand of draw poker in it is over"):
            session_with(database, "on")


@pytest.mark.parametrize("gap", [None, 1])
@pytest.mark.parametrize("player", [None, "Hero", "Dora"])
def test_the_session_of_each_hand_is_the_one_in_the_list(
    imported: Database, player: str | None, gap: int | None
) -> None:
    """Even if sessions of both players have the same hands."""
    listed = sessions(played_hands(imported, () if player is None else (player,)), gap)
    assert max(len(one.hands) for one in listed) > (0 if player == "Dora" else 1)
    for one in listed:
        for hand in one.hands:
            assert session_with(imported, hand.game_id, hand.round, player, gap) == one


def test_a_session_is_found_by_an_index(imported: Database) -> None:
    """The query plan of every statement uses an index; none reads or sorts all hands."""
    (site, player), hands = next(item for item in played_hands(imported).hands.items() if len(item[1]) > 5)
    assert player is not None
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, values: Any, *___: object) -> None:
        if "FROM played_rounds" in statement:
            asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        session_with(imported, hands[0].game_id)
        session_with(imported, hands[0].game_id, player=player)
        searching = len(asked)
        played_hands(imported)
        played_hands(imported, (player,), site)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert (searching, len(asked)) == (6, 10)
    with imported.read() as connection:
        for number, (statement, values) in enumerate(asked):
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values):
                assert re.search("USING (PRIMARY KEY|(COVERING )?INDEX)", row[3]), row[3]
                assert "B-TREE" not in row[3], f"{statement} sorts"
                assert number >= searching or row[3].startswith("SEARCH"), f"{statement} reads everything"


def test_what_no_program_stored_is_said_to_be_damaged() -> None:
    database = Database.for_writing(":memory:")
    for _ in store(Service(EventLog(database)), check([SAMPLES / "pokerstars.txt"])):
        pass
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE played_rounds SET at = 'yesterday'")
    with pytest.raises(ReadModelsDamaged, match="run `pokersvc db rebuild`"):
        sessions(played_hands(database))


def test_a_migration_fills_what_sessions_are_found_in(tmp_path: Path) -> None:
    """Imported hands are filled in by the migration, hands played here when the database is next opened."""
    path, moment = tmp_path / "games.sqlite", datetime(2026, 1, 31, 20, tzinfo=UTC)
    doctored = tmp_path / "doctored.txt"
    doctored.write_text((SAMPLES / "pokerstars.txt").read_text("utf-8").replace("Total pot $", "Total pot $9"), "utf-8")
    with Database.for_writing(str(path)) as database:
        service = Service(EventLog(database), lambda: moment)
        files = [file for file in SAMPLES.iterdir() if file.suffix != ".told"]
        assert sum(bool(one.contradictions) for one in store(service, check([*files, doctored]), keep=True)) > 0
        for name, kind in (("people", HUMAN), ("programs", "steady")):
            seats = (Seat(kind, "Ann"), Seat("steady", "Bob"))
            setup = Setup(seats, EntropySource.from_text(name), 2, {"rules": "no-limit"})
            game_id, _ = service.start("draw", setup, game_id=name)
            if kind != HUMAN:
                service.play_round(game_id)
            else:
                service.act(game_id, Fold(1)) if service.status(game_id).to_act == 1 else service.play_round(game_id)
        before, listed = _rows(database), sessions(played_hands(database))
    downgrade(path, "0007")
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from == "0007"
        assert set(played_hands(database).unmade) <= {"people", "programs"} != set()
        assert len(_rows(database)) < len(before)
        assert not is_complete(database)
        with pytest.raises(InvalidValue, match="as a migration was interrupted; run `pokersvc db upgrade`"):
            session_with(database, "people")
    said = run(path, "sessions", "--site", "pokersvc")
    assert (said.code, said.out) == (0, "")
    assert "of a migration that was interrupted" in " ".join(said.err.split())
    with open_database(path) as database:
        assert _rows(database) == before
        assert sessions(played_hands(database)) == listed
        assert played_hands(database).unmade == []
        assert is_complete(database)


@pytest.mark.slow
def test_a_migration_puts_imported_hands_where_they_were_played(tmp_path: Path) -> None:
    path, recorded = tmp_path / "games.sqlite", datetime(2026, 1, 31, 20, tzinfo=UTC)
    with Database.for_writing(str(path)) as database:
        service = Service(EventLog(database), lambda: recorded)
        deque(store(service, check([file for file in SAMPLES.iterdir() if file.suffix != ".told"])), maxlen=0)
        setup = Setup((Seat("steady", "Ann"), Seat("steady", "Bob")), EntropySource.from_text("here"), 1)
        service.start("draw", setup, game_id="here")
        before = _started(database)
    assert ("here", "2026-01-31T20:00:00.000000Z") in before[0]
    assert len({at for _, at in before[0]}) > 20
    downgrade(path, "0008")
    with closing(sqlite3.connect(path)) as raw:
        for table in ("game_summaries", "game_players"):
            asked = f"SELECT DISTINCT started_at FROM {table}"
            assert raw.execute(asked).fetchall() == [("2026-01-31T20:00:00.000000Z",)]
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from == "0008"
        assert _started(database) == before
        assert not any(one.count for one in audit(database))
        rebuild(database)
        assert _started(database) == before


def test_a_migration_does_so_on_postgresql(server: Server) -> None:
    with server.migrated() as url:
        with Database.for_writing(text(url)) as database:
            deque(store(Service(EventLog(database)), check([SAMPLES / "pokerstars.txt"])), maxlen=0)
            before = _started(database)
        downgrade(url, "0008")
        with Database.for_reading(text(url), any_revision=True) as database:
            assert {at for _, at in before[0]}.isdisjoint(at for _, at in _started(database)[0])
        with Database.for_upgrading(text(url)) as database:
            assert database.migrated_from == "0008"
            assert _started(database) == before


def _started(database: Database) -> list[list[tuple[str, str]]]:
    """When games started, in that order, as the list of games and that of players have it."""
    with database.read() as connection:
        return [
            [
                (row.game_id, row.started_at)
                for row in connection.execute(table.select().order_by(table.c.started_at, table.c.game_id))
            ]
            for table in (game_summaries, game_players)
        ]


def _rows(database: Database) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM played_rounds ORDER BY 1, 2, 3, 4, 5")]


REFUSED = {
    "PokerStars' text": ("all discard before", "it has dead money", "the tournament's number is"),
    "PHH": ("it was cancelled",),
    "OHH": ("it was cancelled",),
}


@pytest.mark.parametrize("viewer", [EVERYONE, AUDITOR])
@pytest.mark.parametrize("format_", WRITERS)
def test_a_session_out_in_again_and_out_is_the_same_text(
    imported: Database, played: PlayedHands, format_: str, viewer: Viewer, tmp_path: Path
) -> None:
    """Whole sessions in each dialect; one that a format cannot express is refused with the hand and the reason."""
    log, file = EventLog(imported), tmp_path / "session"
    written: Counter[str] = Counter()
    for session in sessions(played):
        out, error = BytesIO(), None
        try:
            count = write_session(out, log, session, lambda _: viewer, format_=format_)
        except CannotBeWritten as refused:
            error = refused
        if error is not None:
            assert error.why.startswith(REFUSED[error.format])
            assert f" of {session.site}: " in str(error)
            continue
        file.write_bytes(out.getvalue())
        for one in check([file]):
            assert isinstance(one, CheckedHand)
            assert not one.contradictions, one
        again = [hand for hand in hands_in(file) if isinstance(hand, HandHistory)]
        assert count == len(session.hands) == len(again)
        assert "".join(WRITERS[format_](iter(again))).encode() == out.getvalue()
        seen = [one for hand in again for one in hand.told if isinstance(one, Dealt | Drew | Discarded) and one.cards]
        assert bool(seen) == (viewer == AUDITOR and session.player is not None) or session.player is None
        written[session.site] += count
    assert {"PokerStars", "Merge"} <= set(written)
    assert format_ == "pokerstars" or set(written) == {
        "PokerStars",
        "Full Tilt",
        "OnGame",
        "Boss",
        "Merge",
        "Card room",
    }


def test_hands_played_here_belong_together_by_when_they_began() -> None:
    """A game resumed after two hours is two sessions of each person; bots have no sessions."""
    database = Database.for_writing(":memory:")
    moment = datetime(2026, 1, 31, 20, tzinfo=UTC)
    service = Service(EventLog(database), lambda: moment)
    seats = (Seat("steady", "Ann"), Seat("steady", "Bob"))
    setup = Setup(seats, EntropySource.from_text("two evenings"), 6, {"rules": "no-limit"})
    service.start("draw", setup, game_id="game")
    for minutes in (10, 29, 120, 5, 0, 0):  # each ends a round and begins the next
        moment += timedelta(minutes=minutes)
        service.play_round("game")
    for player in ((), ("Ann",)):
        later, earlier = sessions(played_hands(database, player))
        assert (earlier.name, earlier.minutes, [hand.round for hand in earlier.hands]) == ("game", 39, [1, 2, 3])
        assert (later.name, later.minutes, [hand.round for hand in later.hands]) == ("game:4", 5, [4, 5, 6])
        [table] = tables(played_hands(database, player))
        assert len(table.hands) == 6
    outcome = summary(database, "game").outcome
    assert outcome is not None
    assert table.nets == {("", 0): outcome.scores[0] - sum(outcome.scores) // 2} != {("", 0): 0}
    for of in (None, "Ann"):
        found = {one.name: one for one in sessions(played_hands(database, () if of is None else (of,)))}
        assert session_with(database, "game", 5, of) == found["game:4"]
        assert session_with(database, "game", player=of) == found["game"]
    with pytest.raises(InvalidValue, match="Round 7 of game game belongs to no session"):
        session_with(database, "game", 7)
    out = BytesIO()
    assert write_session(out, EventLog(database), later, lambda _: EVERYONE, format_="phh") == 3
    numbers = [hand.number for hand in hands_in_text(out.getvalue().decode())]
    assert numbers == ["game-4", "game-5", "game-6"]


def test_what_programs_play_before_anybody_sits_down_is_nobodys() -> None:
    database = Database.for_writing(":memory:")
    service = Service(EventLog(database))
    options = {"rules": "no-limit", "cash": True, "stack": {"Ann": 0}, "open_seats": 1}
    seats = (Seat("minimum", "Bob"), Seat("minimum", "Cy"), Seat(HUMAN, "Ann"))
    service.start("draw", Setup(seats, EntropySource.from_text("later"), None, options), game_id="game")
    rounds = iter(range(99))
    while next(rounds) < 3:
        service.play_round("game")
    service.act("game", SitDown(3, 100))
    while not session_of(database, "Ann"):
        play_on(service, "game")
    service.act("game", Leave(3))
    service.play_round("game")
    first, *_ = mine = [hand.round for hand in session_of(database, "Ann")]
    [nobodys] = [one for one in sessions(played_hands(database)) if one.player is None]
    assert [hand.round for hand in nobodys.hands] == [*range(1, first)]
    assert session_with(database, "game") == session_with(database, "game", 1) == nobodys
    assert [hand.round for hand in session_with(database, "game", first).hands] == mine
    before = rows(database)
    rebuild(database)
    assert rows(database) == before


def session_of(database: Database, player: str) -> list[HandAt]:
    return [hand for one in sessions(played_hands(database)) if one.player == player for hand in one.hands]


def play_on(service: Service, game_id: str) -> None:
    """Play another round with the cheapest choices."""
    service.go_on(game_id)
    while not service.status(game_id).pausing:
        if service.status(game_id).kind_to_act == HUMAN:
            act(service, game_id)
        else:
            service.step(game_id)


def test_stakes_name_the_straddle() -> None:
    database = Database.for_writing(":memory:")
    service = Service(EventLog(database))
    seats = tuple(Seat("steady", name) for name in ("Ann", "Bob", "Cy"))
    options = {"rules": "no-limit", "straddle": 4}
    service.start("draw", Setup(seats, EntropySource.from_text("straddled"), 1, options), game_id="game")
    service.play_round("game")
    assert stakes(database, session_with(database, "game", player="Ann")) == ["1/2 no limit with a straddle of 4"]


def hands_in_text(text: str) -> list[HandHistory]:
    from pokersvc.histories.dialects.phh import Phh

    return [Phh().read(block) for block in Phh().blocks(text.splitlines(keepends=True))]
