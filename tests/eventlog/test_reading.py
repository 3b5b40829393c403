"""Reading the log: many games per query, a consistent snapshot, constant memory."""

import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import ChainBroken, NewEvent, SharedRecord, Withheld, digest_of, shared, verify
from pokersvc.eventlog.snapshot import AmbiguousGame, UnknownGame

from .support import COMMAND, PUBLIC, OnServer, Place, record


def started(log: EventLog, *game_ids: str) -> None:
    for game_id in game_ids:
        record(log, game_id)


def test_a_game_is_read_up_to_an_event(log: EventLog) -> None:
    records = record(log, commands=3)
    for upto in (*range(11), 2**40):
        assert list(log.read("game", upto=upto)) == records[:upto]
    assert list(log.read("game")) == records


def test_up_to_the_end_the_head_is_checked_and_before_it_is_not(log: EventLog, place: Place) -> None:
    record(log, commands=2)
    place.raw("UPDATE games SET head = ?", values=[bytes(32)])
    assert len(list(log.read("game", upto=5))) == 5
    for upto in (6, 7, None):
        with pytest.raises(ChainBroken, match="the head 000"):
            list(log.read("game", upto=upto))


def test_an_event_in_the_middle_that_is_gone_is_found_although_the_read_ends_before_the_end(
    log: EventLog, place: Place
) -> None:
    record(log, commands=2)
    place.tamper("DELETE FROM events WHERE seq >= 4")
    with pytest.raises(ChainBroken):
        list(log.read("game", upto=5))


def test_records_can_be_read_as_they_are(log: EventLog, place: Place) -> None:
    record(log)
    place.tamper("UPDATE events SET payload = '{}'")
    assert [r.payload for r in log.read("game", verified=False)] == ["{}"] * 3


def test_an_unknown_game_cannot_be_read(log: EventLog) -> None:
    with pytest.raises(UnknownGame, match="'nobody'"):
        list(log.read("nobody"))


def test_games_are_listed_in_order_of_id(log: EventLog) -> None:
    started(log, "b", "a", "C", "é", "ab")
    assert [game_id for game_id, _ in log.games()] == ["C", "a", "ab", "b", "é"]
    assert {head.count for _, head in log.games()} == {3}


def test_a_snapshot_is_of_one_moment(log: EventLog) -> None:
    records = record(log)
    with log.snapshot() as snapshot:
        assert snapshot.head("game") is not None
        log.append("game", COMMAND, expected=3, command_id="new")
        started(log, "later")
        head = snapshot.head("game")
        assert head is not None
        assert head.count == 3
        assert list(snapshot.read("game")) == records
        assert [game_id for game_id, _ in snapshot.games()] == ["game"]
        assert snapshot.find("last") == "game"
    assert log.find("last") == "later"


def test_a_game_that_goes_on_while_it_is_read_is_read_as_it_was(log: EventLog) -> None:
    record(log, commands=2)
    reading = log.read("game")
    next(reading)
    log.append("game", COMMAND, expected=6, command_id="new")
    assert [r.seq for r in reading] == [2, 3, 4, 5, 6]


def test_reading_may_stop_anywhere(log: EventLog) -> None:
    record(log, commands=2)
    for _ in range(30):  # more than the pool has connections
        next(log.read("game"))
        next(log.games())
    log.append("game", COMMAND, expected=6, command_id="new")


def test_find_takes_an_id_a_prefix_or_last(log: EventLog) -> None:
    started(log, "abc1", "abd2", "abc")
    assert log.find("abc1") == "abc1"
    assert log.find("abd") == "abd2"
    assert log.find("abc") == "abc"
    assert log.find("last") == "abc"
    log.append("abc1", COMMAND, expected=3, command_id="new")
    assert log.find("last") == "abc"


def test_an_id_comes_before_a_word_and_a_word_before_a_prefix(log: EventLog) -> None:
    started(log, "lasting", "zebra")
    assert log.find("last") == "zebra"
    started(log, "last", "zulu")
    assert log.find("last") == "last"


def test_an_ambiguous_prefix_names_some_candidates_and_how_many(log: EventLog) -> None:
    started(log, "ab1", "ab2")
    with pytest.raises(AmbiguousGame, match=r"'a' could be any of 2 games \(ab1, ab2\)"):
        log.find("a")
    started(log, "ab3", "ab4")
    with pytest.raises(AmbiguousGame, match=r"any of 4 games \(ab1, ab2, ab3, …\)"):
        log.find("ab")


def test_nothing_else_finds_a_game(log: EventLog) -> None:
    started(log, "abc")
    for text in ["a_", "a%", "%", "_", "A", "xyz", "", "a\0", "\udc80", "a\n", "*", "abcd"]:
        with pytest.raises(UnknownGame):
            log.find(text)


def test_a_wildcard_in_an_id_stands_for_itself(log: EventLog) -> None:
    started(log, "a_c", "a%c", "abc")
    assert log.find("a_") == "a_c"
    assert log.find("a%") == "a%c"


def test_an_empty_log_has_no_last_game(log: EventLog) -> None:
    with pytest.raises(UnknownGame, match="no game yet"):
        log.find("last")
    assert list(log.games()) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(text=st.text("ab_%é", min_size=1, max_size=3))
def test_find_is_what_python_says(log: EventLog, text: str) -> None:
    ids = ["aab", "ab_", "ab%", "b", "ba", "éa", "_a"]
    if not list(log.games()):
        started(log, *ids)
    fitting = [text] if text in ids else [game_id for game_id in ids if game_id.startswith(text)]
    try:
        assert [log.find(text)] == fitting
    except UnknownGame:
        assert fitting == []
    except AmbiguousGame:
        assert len(fitting) > 1


def test_last_is_found_without_reading_the_whole_log(database: Database, place: Place) -> None:
    explain = "EXPLAIN" if isinstance(place, OnServer) else "EXPLAIN QUERY PLAN"
    with database.read() as connection:
        if isinstance(place, OnServer):  # PostgreSQL reads the whole of a table that it knows to be empty
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plan = connection.exec_driver_sql(
            f"{explain} SELECT game_id FROM events WHERE seq = 1 ORDER BY position DESC LIMIT 1"
        ).fetchall()
    assert "first_events" in str(plan)


@pytest.mark.no_cover
def test_memory_does_not_grow_with_the_log(log: EventLog) -> None:
    events = [NewEvent("A", 1, '{"text":"%s"}' % ("x" * 200))] * 4_000
    for number in range(2):
        log.append("long", events, expected=4_000 * number, command_id=str(number), kind="test")
    log.append("short", [PUBLIC], expected=0, command_id="c", kind="test")
    list(log.read("short"))
    tracemalloc.start()
    try:
        count = sum(1 for _ in log.read("long"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 8_000
    assert peak < 3_000_000  # all of it would take 6 MB


# What follows what is known.


def test_what_follows_a_command_is_read_from_there(log: EventLog) -> None:
    records, head = record(log, commands=3), log.head("game")
    assert head is not None
    with log.snapshot() as snapshot:
        for known in (3, 6, 9):
            last = records[known - 1].hash
            assert list(snapshot.read_after("game", head, count=known, last=last)) == records[known:]


def test_what_does_not_follow_is_found(log: EventLog) -> None:
    records, head = record(log, commands=2), log.head("game")
    assert head is not None
    with log.snapshot() as snapshot, pytest.raises(ChainBroken):
        list(snapshot.read_after("game", head, count=3, last=records[1].hash))


def test_what_follows_ends_where_the_table_of_games_says(log: EventLog, place: Place) -> None:
    records, head = record(log, commands=2), log.head("game")
    assert head is not None
    place.tamper("DELETE FROM events WHERE seq = 6")
    with log.snapshot() as snapshot, pytest.raises(ChainBroken, match="the end after 5 events"):
        list(snapshot.read_after("game", head, count=3, last=records[2].hash))


def test_a_record_is_shared_with_its_secret_or_with_the_digest_in_its_place(log: EventLog) -> None:
    records = record(log, commands=1)
    assert any(one.secret for one in records)
    for one in records:
        assert shared(one, opened=True) == one
        hidden = shared(one, opened=False)
        assert digest_of(hidden) == digest_of(one)
        assert hidden.salt is None
        assert isinstance(hidden.secret, Withheld) == (one.secret is not None)
    copy = [SharedRecord._make(shared(one, opened=False)) for one in records]
    assert list(verify(copy, game_id="game")) == copy
