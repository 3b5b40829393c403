"""Tables that nobody plays at end: those that are never started, and games in which nothing is chosen any more."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.tables.table_events import PauseTable, RestartClock
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.actions import Bet, Call
from pokersvc.server.app import parts_of
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.parts import Parts
from pokersvc.server.settings import Limits, Settings
from pokersvc.server.tables.housekeeping import Housekeeping
from pokersvc.service.open_game import OpenGame
from pokersvc.service.open_games import OpenGames
from pokersvc.service.opening import open_database
from pokersvc.service.shown import StoredEvent
from pokersvc.service.with_secrets import WithSecrets
from tests.eventlog.support import tamper
from tests.shuffling import DEALT_TOGETHER, TOGETHER, Table, Turned

TWO = ({"name": "Ann"}, {"name": "Bob"})
DAY = 86_400


def made_at(parts: Parts, kind: str, *seats: dict[str, str], **settings: Any) -> str:
    asked = {"kind": kind, "seats": list(seats), "settings": settings}
    table = parts.opening.make(NewTable.model_validate(asked)).table.game_id
    parts.opening.start(table)
    return table


def bet(parts: Parts, table: str) -> None:
    parts.service.act(table, Bet(1, 50))


def pause(parts: Parts, table: str) -> None:
    parts.service.table_act(table, PauseTable())


def draw(parts: Parts, table: str) -> None:
    bet(parts, table)
    parts.service.act(table, Call(2))


def nothing(parts: Parts, table: str) -> None:
    pass


@pytest.mark.parametrize("before", [nothing, pause])
@pytest.mark.parametrize("kind", game_kinds())
def test_a_game_that_nobody_plays_any_more_is_closed_and_the_log_says_so(
    tmp_path: Path, kind: str, before: Callable[[Parts, str], None]
) -> None:
    check_closed(tmp_path, kind, before)


@pytest.mark.parametrize("before", [bet, draw])
def test_a_game_that_is_left_in_the_middle_of_a_round_is_closed_after_it(
    tmp_path: Path, before: Callable[[Parts, str], None]
) -> None:
    check_closed(tmp_path, "draw", before)


def check_closed(tmp_path: Path, kind: str, before: Callable[[Parts, str], None]) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(idle_days=30))
        table = made_at(parts, kind, *TWO)
        before(parts, table)
        housekeeping, began = Housekeeping(parts), datetime.now(UTC)
        housekeeping.look(began + timedelta(days=29))
        assert parts.tables.get(table).status == "playing"
        housekeeping.look(began + timedelta(days=31))
        assert parts.tables.get(table).status == "over"
        types = [record.type for record in EventLog(database).read(table)]
        (found,) = audit(database, [table])
    assert "GameClosed" in types
    assert found.findings == []


def test_a_server_that_was_started_again_gives_a_game_no_more_days(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(idle_days=1))
        table = made_at(parts, "kalah", *TWO, seconds=10)
        housekeeping, began = Housekeeping(parts), datetime.now(UTC)
        parts.service._clock = lambda: began + timedelta(hours=23)
        parts.service.table_act(table, RestartClock())
        housekeeping.look(began + timedelta(hours=25))
        assert parts.tables.get(table).status == "over"


def test_a_game_that_is_played_is_never_loaded_and_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may not be in memory, where loading reads its whole log and drives out a game that is in use."""
    loaded, read = [], []
    current, part = OpenGames.current, WithSecrets.part

    def noted(games: OpenGames, game_id: str, known: int = 0) -> OpenGame:
        loaded.append(game_id)
        return current(games, game_id, known)

    def noted_part(games: WithSecrets, game_id: str, **which: int) -> list[StoredEvent]:
        read.append(game_id)
        return part(games, game_id, **which)

    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(idle_days=30))
        played, left = (made_at(parts, "draw", *TWO) for _ in range(2))
        housekeeping, began = Housekeeping(parts), datetime.now(UTC)
        parts.service._clock = lambda: began + timedelta(days=20)
        bet(parts, played)
        monkeypatch.setattr(OpenGames, "current", noted)
        monkeypatch.setattr(WithSecrets, "part", noted_part)
        housekeeping.look(began + timedelta(days=29))
        assert (loaded, read) == ([], []), "none is so old that its last choice could be"
        for days in (31, 40, 49):
            housekeeping.look(began + timedelta(days=days))
        assert set(loaded) == {left}
        assert sorted(read) == sorted([left, played])
        assert parts.tables.get(played).status == "playing"
        housekeeping.look(began + timedelta(days=51))
        assert parts.tables.get(played).status == "over"


def test_no_game_is_closed_where_the_operator_says_never(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(idle_days=0))
        table = made_at(parts, "kalah", *TWO)
        Housekeeping(parts).look(datetime.now(UTC) + timedelta(days=10_000))
        assert parts.tables.get(table).status == "playing"


@pytest.mark.parametrize("kind", game_kinds())
def test_a_table_whose_log_is_full_is_over_after_the_round_and_opens_its_seeds(tmp_path: Path, kind: str) -> None:
    bot = next(iter(game_of(kind).players))
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(limits=Limits(table_bytes=1)))
        table = made_at(parts, kind, {"program": bot}, {"program": bot}, opens_seeds=True)
        while parts.tables.get(table).status == "playing":
            status = parts.service.status(table)
            parts.commands.step(table, status.awaited[0], status.count)
        types = [record.type for record in EventLog(database).read(table)]
        (found,) = audit(database, [table])
        assert parts.service.opened(table)
    assert types.count("GameClosed") == 1
    assert types.count("RoundEnded") <= 1
    assert found.findings == []


def test_a_damaged_game_keeps_no_other_table_from_its_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.sqlite"
    with open_database(path) as database:
        parts = parts_of(database, Settings(idle_days=30))
        damaged, *others = sorted(made_at(parts, "draw", *TWO) for _ in range(3))
    tamper(path, "UPDATE events SET payload = '{}' WHERE game_id = ?", [damaged])
    with open_database(path) as database:
        parts = parts_of(database, Settings(idle_days=30))
        Housekeeping(parts).look(datetime.now(UTC) + timedelta(days=31))
        assert [parts.tables.get(table).status for table in (damaged, *others)] == ["playing", "over", "over"]
    assert f"Table {damaged} cannot be ended (chain_broken); the others are." in caplog.text


def test_a_table_that_nobody_starts_ends(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings())
        table = parts.opening.make(NewTable(kind="kalah", seats=[None, None])).table.game_id
        housekeeping, made = Housekeeping(parts), datetime.now(UTC)
        for days, status in ((6, "waiting"), (8, "over")):
            housekeeping.look(made + timedelta(days=days))
            assert parts.tables.get(table).status == status


@pytest.mark.parametrize("opened", [0, 1])
@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_table_that_was_paused_while_it_waited_for_shares_is_closed(tmp_path: Path, kind: str, opened: int) -> None:
    """First the pause ends, then whoever runs the table calls the shares missed; a deck that follows is no choice."""
    clock = Turned()
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(idle_days=30))
        parts.service._clock = clock
        asked = NewTable.model_validate({"kind": kind, "seats": TWO, "settings": asdict(TOGETHER)}, strict=False)
        made = parts.opening.make(asked)
        table = Table(parts.service, clock, kind, bots=0, named=made.table.game_id)
        parts.opening.start(table.game_id)
        table.bind()
        table.open_round()
        for seat in range(1, 1 + opened):
            table.share(seat)
        parts.service.table_act(table.game_id, PauseTable())
        housekeeping = Housekeeping(parts)
        clock.turn(31 * DAY)
        housekeeping.look(clock.now)
        assert table.dealing.waiting, "nothing else may come between shares"
        assert not table.replay.table.paused
        table.miss()
        assert parts.tables.get(table.game_id).status == "playing"
        housekeeping.look(clock.now)
        assert parts.tables.get(table.game_id).status == "over"
        (found,) = audit(database, [table.game_id])
    assert found.findings == []
