"""The log at its edges: every part of a game, every append, every record, by tables and slow readings."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.eventlog import record, snapshot
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog, NewGame
from pokersvc.eventlog.record import ChainBroken, NewEvent, Record, Withheld
from pokersvc.eventlog.snapshot import AmbiguousGame, UnknownGame

from .support import COMMAND, PUBLIC, tamper, written
from .support import record as recorded

EVENTS = 12


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EventLog:
    """A log, only to read, of a game of four commands of three events, and two smaller ones."""
    log = EventLog(Database.for_writing(":memory:"))
    recorded(log, commands=4)
    recorded(log, "another")
    log.append("gamer", [PUBLIC], expected=0, command_id="c", kind="other")
    return log


# Parts of games


def test_every_part_of_a_game_is_what_a_list_says(log: EventLog) -> None:
    records = list(log.read("game"))
    with log.snapshot() as of:
        for after in range(EVENTS + 2):
            for upto in range(EVENTS + 3):
                found = of.part("game", after=after, upto=upto)
                assert found == (records[after:upto] if after <= EVENTS else []), (after, upto)
        assert of.part("nothing", after=0, upto=5) == []
        assert of.part("nothing", after=1, upto=5) == []


def test_a_game_is_read_up_to_each_of_its_events(log: EventLog) -> None:
    records = list(log.read("game"))
    for upto in range(EVENTS + 1):
        assert list(log.read("game", upto=upto)) == records[:upto]
        assert list(log.read("game", upto=upto, verified=False)) == records[:upto]
    for beyond in (EVENTS, None, EVENTS + 1, 2**62):
        assert list(log.read("game", upto=beyond)) == records


def test_what_follows_each_command_is_read_from_there(log: EventLog) -> None:
    records = list(log.read("game"))
    head = log.head("game")
    assert head is not None
    with log.snapshot() as of:
        for count in (0, 3, 6, 9, 12):
            last = records[count - 1].hash if count else bytes(32)
            assert list(of.read_after("game", head, count=count, last=last)) == records[count:]
        for number in range(4):
            assert of.command("game", f"c{number}") == records[3 * number : 3 * number + 3]
        assert of.command("game", "c4") == []
        assert of.command("nothing", "c0") == []


def test_what_is_counted_of_a_game_is_what_its_records_come_to(log: EventLog) -> None:
    every = {game_id: list(log.read(game_id)) for game_id in ("game", "another", "gamer")}
    with log.snapshot() as of:
        for game_id, events in (("game", EVENTS), ("another", 3), ("gamer", 1), ("nothing", 0)):
            records = every.get(game_id, [])
            assert of.stored_bytes(game_id) == sum(map(record.stored_bytes, records))
            assert of.last_seq(game_id) == events
            assert [of.stored_hash(game_id, one.seq) for one in records] == [(one.type, one.hash) for one in records]
            assert of.stored_hash(game_id, events + 1) is None
            assert of.stored_hash(game_id, 0) is None
            assert of.displaced(game_id) is None
        assert list(of.ids()) == ["another", "game", "gamer"]
        assert [(game_id, head.kind, head.count) for game_id, head in of.games()] == [
            ("another", "test", 3), ("game", "test", 12), ("gamer", "other", 1),
        ]  # fmt: skip
        assert list(of.unlisted()) == []
        assert of.known(["game", "nothing", "another"]) == {"game", "another"}
        assert of.known([]) == set()


@pytest.mark.parametrize("at_once", [1, 2, 3, 500])
def test_known_games_are_found_however_many_are_asked_about_at_once(
    log: EventLog, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(snapshot, "ASKED_AT_ONCE", at_once)
    with log.snapshot() as of:
        assert of.known(["x", "game", "y", "gamer", "another"]) == {"another", "game", "gamer"}


@pytest.mark.parametrize("partition", [1, 2, 5, 12, 13])
def test_a_game_is_the_same_however_many_rows_are_fetched_at_once(
    log: EventLog, monkeypatch: pytest.MonkeyPatch, partition: int
) -> None:
    records = list(log.read("game"))
    monkeypatch.setattr(snapshot, "PARTITION", partition)
    assert list(log.read("game")) == records
    assert list(log.read("game", upto=7)) == records[:7]


@pytest.mark.parametrize(
    ("text", "found"),
    [("game", "game"), ("gamer", "gamer"), ("a", "another"), ("last", "gamer"), ("game-", None), ("", None), ("g", 2)],
)
def test_a_text_names_one_game_or_says_why_not(log: EventLog, text: str, found: str | int | None) -> None:
    with log.snapshot() as of:
        if isinstance(found, str):
            assert of.find(text) == found
        elif found is None:
            with pytest.raises(UnknownGame):
                of.find(text)
        else:
            with pytest.raises(AmbiguousGame) as caught:
                of.find(text)
            assert str(caught.value) == f"'{text}' could be any of 2 games (game, gamer): write more of the ID."


@pytest.mark.parametrize(("games", "said"), [(3, "g0, g1, g2): write"), (4, "g0, g1, g2, …): write")])
def test_three_candidates_are_named_and_that_there_are_more(games: int, said: str) -> None:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for number in range(games):
            recorded(log, f"g{number}")
        with log.snapshot() as of, pytest.raises(AmbiguousGame) as caught:
            of.find("g")
    assert said in str(caught.value)
    assert f"any of {games} games" in str(caught.value)


@pytest.mark.parametrize(("positions", "displaced"), [((1, 2, 3), None), ((1, 3, 2), (3,)), ((3, 1, 2), (2,))])
def test_a_row_before_that_of_the_event_before_it_is_found(
    tmp_path: Path, positions: tuple[int, ...], displaced: tuple[int] | None
) -> None:
    path = written(tmp_path / "games.sqlite", commands=1)
    tamper(path, "UPDATE events SET position = position + 100")
    for seq, position in enumerate(positions, 1):
        tamper(path, f"UPDATE events SET position = {position} WHERE seq = {seq}")
    with Database.for_reading(str(path)) as database, EventLog(database).snapshot() as of:
        assert of.displaced("game") == displaced


def test_events_of_no_game_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite", commands=2)
    tamper(path, "UPDATE events SET game_id = 'stray' WHERE seq > 4")
    with Database.for_reading(str(path)) as database, EventLog(database).snapshot() as of:
        assert list(of.unlisted()) == [("stray", 2)]
        assert of.last_seq("game") == 4


# Appends


@pytest.mark.parametrize(
    ("game_id", "events", "expected", "command_id", "kind", "said"),
    [
        ("", COMMAND, 0, "c", "test", "'' cannot be a game's ID: use printable characters."),
        ("a\n", COMMAND, 0, "c", "test", "'a\\n' cannot be a game's ID: use printable characters."),
        ("a", COMMAND, 0, "", "test", "'' cannot be a command's ID: use printable characters."),
        ("a", [], 0, "c", "test", "A command without events is not recorded: give at least one."),
        ("a", COMMAND, -1, "c", "test", "A game cannot have -1 events: expect 0 or more."),
        ("a", COMMAND, 0, "c", None, "Game a is new and needs a kind."),
        ("a", COMMAND, 0, "c", "", "Game a is new and needs a kind."),
        ("a", COMMAND, 1, "c", None, "There is no game 'a' to continue: `pokersvc games` lists them."),
    ],
)
def test_a_command_that_cannot_be_is_refused_in_a_sentence(
    log: EventLog, game_id: str, events: list[NewEvent], expected: int, command_id: str, kind: str | None, said: str
) -> None:
    with pytest.raises((InvalidValue, UnknownGame)) as caught:
        log.append(game_id, events, expected=expected, command_id=command_id, kind=kind)
    assert str(caught.value) == said
    assert log.head("a") is None


def test_whole_games_are_recorded_beside_what_is_there() -> None:
    at = datetime(2026, 1, 31, 12, tzinfo=UTC)
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        recorded(log, "b")
        told: list[object] = []
        new = [NewGame(game_id, "test", COMMAND, f"c-{game_id}", at) for game_id in ("a", "b", "c", "a")]
        found = log.start_all(new, lambda _, some: told.extend(some))
        assert [one is None or [made.seq for made in one] for one in found] == [[1, 2, 3], True, [1, 2, 3], True]
        assert told == found
        assert [list(log.read(game_id)) for game_id in ("a", "c")] == [found[0], found[2]]
        assert log.start_all([], lambda *_: told.append("called")) == []
        assert log.start_all(new, lambda *_: told.append("called")) == [None] * 4
        assert "called" not in told


# Records


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 1, 31, 12, tzinfo=UTC), "2026-01-31T12:00:00.000000Z"),
        (datetime(2026, 1, 31, 12, 0, 0, 1, tzinfo=timezone(timedelta(hours=-1))), "2026-01-31T13:00:00.000001Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00.000000Z"),
    ],
)
def test_a_moment_is_written_in_utc_to_the_microsecond(moment: datetime, text: str) -> None:
    assert record.timestamp(moment) == text
    assert record.is_moment(text)


@pytest.mark.parametrize(
    "text",
    [None, 1, "", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000", "2026-01-31T12:00:00.000000z",
     "2026-13-31T12:00:00.000000Z", "2026-01-31T24:00:00.000000Z", "2026-01-31T12:00:60.000000Z",
     "2026-01-31T12:00:00.000000Z\n", "٢026-01-31T12:00:00.000000Z"],
)  # fmt: skip
def test_what_no_clock_of_ours_writes_is_no_moment(text: object) -> None:
    assert not record.is_moment(text)


def test_a_record_is_shared_with_a_digest_for_its_secret(log: EventLog) -> None:
    public, secret, _ = list(log.read("another"))
    assert [record.shared(one, opened=opened) for one in (public, secret) for opened in (True, False)] == [
        public, public, secret,
        record.SharedRecord(*secret[:8], Withheld(record.secret_digest(secret.salt, secret.secret)), None, secret.hash),
    ]  # fmt: skip
    for one in (public, secret):
        assert record.digest_of(record.shared(one, opened=False)) == record.digest_of(one)
    assert record.digest_of(public) == record.secret_digest(None, "x") == record.secret_digest(b"x", None) == b""
    assert record.stored_bytes(NewEvent("T", 1, "12345", "678")) == record.ROW_BYTES + 8


@pytest.mark.parametrize(
    ("changes", "found", "expected"),
    [
        ({"seq": 3}, "event 3 of game another", "event 2 of game another"),
        ({"game_id": "b"}, "event 2 of game b", "event 2 of game another"),
        ({"n": 1}, "n = 1", "n = 2"),
        ({"n": 3}, "n = 3", "n = 2"),
        ({"command_id": "x"}, "n = 2", "n = 1"),
        ({"salt": None}, "no salt beside a secret", "a secret with a salt of 16 bytes, or neither"),
        ({"salt": b"x"}, "a salt of 1 byte beside a secret", "a secret with a salt of 16 bytes, or neither"),
        ({"secret": None}, "a salt of 16 bytes and no secret", "a secret with a salt of 16 bytes, or neither"),
        ({"payload": 1}, "a value of another type", "texts, numbers and bytes"),
        ({"payload": "\ud800"}, "a text that is not UTF-8", "the text that was recorded"),
        ({"type": None}, "a value of another type", "texts, numbers and bytes"),
    ],
)
def test_a_changed_record_is_told_by_what_it_has_and_should_have(
    log: EventLog, changes: dict[str, object], found: str, expected: str
) -> None:
    first, second, third = list(log.read("another"))
    other: Record = second._replace(**changes)  # type: ignore[arg-type]  # as a damaged database has it
    told: list[tuple[int, str, str]] = []

    def report(broken: ChainBroken, one: Record | None) -> None:
        assert one in (other, third)
        told.append((broken.seq, broken.found, broken.expected))

    assert list(record.verify([first, other, third], game_id="another", report=report)) == [first, other, third]
    assert told[0] == (2, found, expected)
    with pytest.raises(ChainBroken) as caught:
        list(record.verify([first, other, third], game_id="another"))
    assert str(caught.value) == (
        f"Game another, event 2: found {found} where there should be {expected}; the log was changed after it was"
        " written."
    )
