"""Read models agree with replays, contain nothing hidden, and can always be rebuilt."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service import NotOver, Service
from pokersvc.service.read_models import history, projections
from tests.service.support import commands, play_out, replayed, rows, setup, started


@pytest.fixture
def database(shared: Database) -> Database:
    return shared


KINDS = st.lists(st.sampled_from([HUMAN, "random", "steady", "minimum"]), min_size=2, max_size=5)


def expected_rows(service: Service, log: EventLog, game_id: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return the expected rows of the read models of a database with one game."""

    def written(value: Any) -> str:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))

    said = replayed(log, game_id)
    outcome = said.outcome and written({"ranks": said.outcome.ranks, "scores": said.outcome.scores})
    first = next(iter(log.read(game_id, upto=1)))
    seats = written([{"kind": seat.kind, "name": seat.name} for seat in service.status(game_id).seats])
    facts = written({"house": "rising-ante"})
    summary = (game_id, "draw", facts, first.recorded_at, seats, len(said.entries), outcome, "rising-ante")
    entries = [(game_id, entry.number, seq, written(entry.facts)) for seq, entry in said.entries]
    players = [(game_id, seat.name.casefold(), first.recorded_at) for seat in service.status(game_id).seats]
    return {
        "played_rounds": expected_rounds(log, game_id),
        "game_summaries": [summary],
        "game_players": players,
        "history_entries": entries,
    }


def expected_rounds(log: EventLog, game_id: str) -> list[tuple[Any, ...]]:
    """Return each finished round with its players and their results, computed from the stacks."""
    found: list[tuple[Any, ...]] = []
    started: tuple[str, tuple[int, ...]] = ("", ())
    stacks: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()
    for step in Replay(DRAW_POKER).steps(log.read(game_id), lambda record: record):
        assert isinstance(step.state, DrawPokerState)
        if isinstance(step.event, events.GameStarted):
            seats = DRAW_POKER.seats(step.event)
        if isinstance(step.event, events.RoundStarted):
            started = (step.record.recorded_at[:19], stacks)
        dealt_in = [seat for seat in range(1, len(seats) + 1) if started[1] and started[1][seat]]
        if isinstance(step.event, events.RoundEnded):
            people = any(seat.kind == HUMAN for seat in seats)
            where = ("pokersvc", started[0], game_id, step.event.round)
            for seat in dealt_in:
                own = int(seats[seat - 1].kind == HUMAN)
                net = step.state.stacks[seat] - started[1][seat]
                found.append((seats[seat - 1].name, *where, own, game_id, None, "", 0, net))
            if not people:
                found.append(("", *where, 1, game_id, None, "", 0, None))
        stacks = tuple(step.state.stacks)
    return sorted(found)


@pytest.mark.parametrize("examples", [5, pytest.param(15, marks=pytest.mark.slow)])
@pytest.mark.no_cover
def test_after_every_command_they_say_what_a_replay_says(examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(kinds=KINDS, text=st.text("abc", min_size=1, max_size=3), rounds=st.integers(1, 3), whole=st.booleans())
    def one_game(kinds: list[str], text: str, rounds: int, whole: bool) -> None:
        say_what_a_replay_says(kinds, text, rounds, whole)

    one_game()


def say_what_a_replay_says(kinds: list[str], text: str, rounds: int, whole: bool) -> None:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log)
        game_id = started(service, *kinds, rounds=rounds, text=text)
        assert rows(database) == expected_rows(service, log, game_id)
        if whole and HUMAN not in kinds:
            while service.status(game_id).outcome is None:
                service.play_round(game_id)
                assert rows(database) == expected_rows(service, log, game_id)
        for _ in commands(service, game_id):
            assert rows(database) == expected_rows(service, log, game_id)

        before = rows(database)
        assert history.rebuild(database) == 1
        assert rows(database) == before


# Making them again.


@pytest.fixture
def games(service: Service) -> list[str]:
    """Two finished games, and two that are not."""
    over = [started(service, "random", "steady", rounds=2), started(service, HUMAN, "minimum", rounds=1)]
    for game_id in over:
        play_out(service, game_id)
    going_on = [started(service, HUMAN, "steady"), started(service, "minimum", "minimum")]
    service.play_round(going_on[1])
    return over + going_on


def test_they_are_made_again_from_nothing(database: Database, games: list[str]) -> None:
    before = rows(database)
    with database.write() as connection:
        for game_id in games:
            projections.clear(connection, game_id)
    assert list(history.games(database)) == []

    assert history.rebuild(database) == len(games)
    assert rows(database) == before


CHANGES = (
    "UPDATE game_summaries SET rounds = 99, outcome = NULL",
    "UPDATE game_summaries SET facts = 'null', kind = 'whist', started_at = ''",
    "UPDATE history_entries SET facts = '{}', seq = 1",
    "DELETE FROM history_entries WHERE number = 1",
    "DELETE FROM game_players WHERE player = 'ann'",
    "DELETE FROM played_rounds WHERE round = 1",
    "UPDATE played_rounds SET net = 7, at = '', own = 0",
    "UPDATE game_players SET player = 'zoe' WHERE player = 'ann'",
    "INSERT INTO history_entries SELECT game_id, 99, 1, '{}' FROM games",
)


def test_what_was_changed_in_them_is_put_right(database: Database, games: list[str]) -> None:
    before = rows(database)
    for change in CHANGES:
        with database.write() as connection:
            connection.exec_driver_sql(change)
        assert rows(database) != before, change

        assert history.rebuild(database) == len(games)
        assert rows(database) == before, change


def test_they_are_made_again_in_one_transaction(
    database: Database, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, made = rows(database), history._rebuild_game

    def fails_at_the_last(connection: Any, snapshot: Any, game_id: str, sums: Any) -> None:
        if game_id == max(games):
            raise RuntimeError("the power is gone")
        made(connection, snapshot, game_id, sums)

    monkeypatch.setattr(history, "_rebuild_game", fails_at_the_last)
    with pytest.raises(RuntimeError, match="power"):
        history.rebuild(database)
    assert rows(database) == before


def test_they_are_not_made_from_a_changed_log(database: Database, games: list[str]) -> None:
    before = rows(database)
    # The database on a server is used again by other tests, with its trigger.
    off, on = (
        (
            "ALTER TABLE events DISABLE TRIGGER events_refuse_update",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_update",
        )
        if database.on_server
        else ("DROP TRIGGER events_refuse_update", "SELECT 1")
    )
    with database.write() as connection:
        connection.exec_driver_sql(off)
        connection.exec_driver_sql("UPDATE events SET recorded_at = replace(recorded_at, 'T', ' ') WHERE seq = 2")
        connection.exec_driver_sql(on)
    with pytest.raises(history.NotRebuilt, match="cannot be read from event 2 on"):
        history.rebuild(database)
    assert rows(database)["history_entries"] == [], "event 2 of every game was changed, and no line comes before it"
    assert [row[0] for row in rows(database)["game_summaries"]] == [row[0] for row in before["game_summaries"]]


def test_long_histories_are_made_again_too(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = started(service, "minimum", "minimum", rounds=5)
    play_out(service, game_id)
    before = rows(database)
    assert len(before["history_entries"]) == 5
    for batch in (1, 2, 5):
        monkeypatch.setattr(history, "BATCH", batch)
        history.rebuild(database)
        assert rows(database) == before


PLAYED_AT = "2009-11-25T20:00:00.000000Z"


@pytest.mark.parametrize("kind", game_kinds())
def test_a_game_that_began_elsewhere_is_listed_by_when_it_did(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whether the event with that time is recorded with the start, like a deal, or later."""
    monkeypatch.setattr(type(game_of(kind)), "began_at", lambda *_: PLAYED_AT)
    seats = (Seat("random", "Ann"), Seat("random", "Bob"))
    options, rounds = ({"holes": 2, "beans": 2}, None) if kind == "kalah" else ({}, 1)
    game_id, _ = service.start(kind, Setup(seats, EntropySource.from_text("elsewhere"), rounds, options))
    play_out(service, game_id)
    before = rows(database)
    assert {row[3] for row in before["game_summaries"]} == {row[2] for row in before["game_players"]} == {PLAYED_AT}
    history.rebuild(database)
    assert rows(database) == before
    assert not any(one.count for one in audit(database))


# What they hold.


@pytest.mark.parametrize("examples", [5, pytest.param(15, marks=pytest.mark.slow)])
@pytest.mark.no_cover
def test_they_hold_no_card_that_was_not_shown_or_revealed_at_the_end(examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(kinds=KINDS, text=st.text("abc", min_size=1, max_size=3))
    def one_game(kinds: list[str], text: str) -> None:
        hold_no_card_that_was_not_shown(kinds, text)

    one_game()


def hold_no_card_that_was_not_shown(kinds: list[str], text: str) -> None:
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        game_id = started(service, *kinds, rounds=3, text=text)
        opened: set[tuple[int, int, tuple[str, ...]]] = set()
        play_out(service, game_id)
        for step in service.replay(game_id):
            if isinstance(step.event, events.HandsOpened | events.HandsRevealed):
                round_ = step.state.view(EVERYONE).round
                if isinstance(step.event, events.HandsRevealed):
                    round_ = step.event.round
                shown = ((hand.seat, tuple(card.notation for card in hand.cards)) for hand in step.event.hands)
                opened |= {(round_, seat, cards) for seat, cards in shown}

        held = {
            (entry.number, hand["seat"], tuple(hand["cards"]))
            for entry in history.entries(database, game_id)
            for hand in entry.facts["hands"]
            if hand["cards"] is not None
        }
        assert held == opened
        everything = json.dumps(rows(database))
        cards = sum(len(hand) for _, _, hand in opened)
        assert len(re.findall(r'\\"[2-9TJQKA][cdhs]\\"', everything)) == cards


def test_they_hold_no_seed_and_no_secret(service: Service, database: Database) -> None:
    started(service, "minimum", "minimum", text="a secret text")
    said = json.dumps(rows(database))
    assert "secret" not in said
    assert not re.search("[0-9a-f]{64}", said)


# Reading them.


def entry_of(database: Database, game_id: str, viewer: Any) -> Entry:
    return next(iter(history.entries(database, game_id, viewer)))


def test_a_seat_finds_its_own_hand_in_its_history(service: Service, database: Database) -> None:
    game_id = started(service, "steady", "minimum", rounds=1, text="fold")
    play_out(service, game_id)
    for seat in (1, 2):
        assert entry_of(database, game_id, seat).facts["hands"][seat - 1]["cards"] is not None
    assert None not in (hand["cards"] for hand in entry_of(database, game_id, AUDITOR).facts["hands"])


def test_an_auditors_history_waits_for_the_end(service: Service, database: Database) -> None:
    game_id = started(service, "minimum", "minimum")
    service.play_round(game_id)
    with pytest.raises(NotOver):
        entry_of(database, game_id, AUDITOR)
    assert next(iter(history.entries(database, game_id, AUDITOR, force=True))).number == 1


def test_games_are_listed_from_the_last(service: Service, database: Database) -> None:
    ids = [started(service, "minimum", "minimum", rounds=1) for _ in range(3)]
    play_out(service, ids[1])
    listed = list(history.games(database))

    assert [summary.game_id for summary in listed] == ids[::-1]
    assert [summary.result is None for summary in listed] == [True, False, True]
    assert listed[1] == history.summary(database, ids[1])
    assert re.search(r"\bwins? with \$", str(listed[1].result))


def test_long_lists_and_histories_are_fetched_in_parts(database: Database, games: list[str]) -> None:
    if not database.on_server:
        return  # SQLite knows no other way
    for reading in (history.games(database), history.entries(database, games[0])):
        next(reading)
        with database.session() as connection:
            asked = connection.exec_driver_sql(
                "SELECT query FROM pg_stat_activity "
                "WHERE datname = current_database() AND state = 'idle in transaction'"
            ).scalar_one()
        assert str(asked).startswith("FETCH FORWARD ")
        list(reading)  # to the end, where the transaction ends


def test_a_game_that_is_not_there_has_no_summary(database: Database) -> None:
    with pytest.raises(UnknownGame, match="There is no game x"):
        history.summary(database, "x")


def test_a_viewer_is_named_by_seat_or_name(service: Service, database: Database) -> None:
    game_id, _ = service.start("draw", setup(HUMAN, "minimum"))
    summary = history.summary(database, game_id)
    named = {"everyone": EVERYONE, "auditor": AUDITOR, "1": 1, "2": 2, "Ann": 1, "Bob": 2}
    assert {text: summary.viewer(text) for text in named} == named
    for text in ("", "0", "3", "An", "Cy"):
        with pytest.raises(InvalidValue, match=r"1 \(Ann\), 2 \(Bob\)"):
            summary.viewer(text)


def test_a_game_whose_rounds_never_end_is_not_asked_to_tell_them() -> None:
    """Otherwise it would keep all its events for a round that nobody asks for."""
    asked: list[object] = []
    changed = {"round_ends": frozenset(), "played_rounds": lambda *_: asked.append(0)}
    endless = type("EndlessDraw", (type(DRAW_POKER),), changed)()
    projector = projections.Projector(endless)
    assert projector.take(DRAW_POKER.start(setup("steady", "steady")), "2026-01-31T12:00:00.000000Z") is None
    assert asked == []
