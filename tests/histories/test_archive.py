"""Exports of hands as Parquet files: complete or absent, and restricted to the requested games."""

from errno import ENOSPC
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.house.cash_table import CashTable, Post
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.histories import archive
from pokersvc.histories.archive import write_archive
from pokersvc.histories.tables import COLUMNS, HandRows
from pokersvc.service import Service
from pokersvc.system.files import FileNotWritten
from tests.service.test_newcomers import carl_and_dee


@pytest.fixture(scope="module")
def database() -> Database:
    """A finished game of two rounds in every house."""
    database = Database.for_writing(":memory:")
    service = Service(EventLog(database))
    for house in preset_names():
        seats = tuple(Seat("random", name) for name in ("Ann", "Bob", "Cy"))
        setup = Setup(seats, EntropySource.from_text(house), 2, {"rules": house})
        service.start("draw", setup, game_id=house)
        while service.status(house).outcome is None:
            service.play_round(house)
    return database


def test_what_players_win_is_what_others_lose_but_for_what_is_carried(database: Database, tmp_path: Path) -> None:
    counts = write_archive(database, tmp_path / "hands")
    tables = {name: pq.read_table(tmp_path / "hands" / f"{name}.parquet") for name in COLUMNS}
    assert counts == {name: table.num_rows for name, table in tables.items()}
    assert counts["hands"] == 2 * len(preset_names())
    assert all(table.column_names == list(COLUMNS[name]) for name, table in tables.items())
    net: dict[tuple[str, int], int] = {}
    for row in tables["players"].to_pylist():
        net[row["game"], row["round"]] = net.get((row["game"], row["round"]), 0) + row["net"]
    assert max(net.values()) <= 2, "but for chips carried into the hand, fewer than there are players"
    paid = {"ante", "small blind", "big blind", "bet", "call", "raise", "leave"}
    for hand in tables["hands"].to_pylist():
        key = hand["game"], hand["round"]
        actions = [row for row in tables["actions"].to_pylist() if (row["game"], row["round"]) == key]
        put = sum(row["amount"] for row in actions if row["action"] in paid)
        back = sum(row["amount"] for row in actions if row["action"] == "uncalled bet returned")
        assert hand["pot"] - (put - back) == net[key]


def test_every_payment_is_an_action(tmp_path: Path) -> None:
    database = Database.for_writing(":memory:")
    seats = tuple(Seat("minimum", name) for name in ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay"))
    posts = (
        Post(amount=1, kind="small", seat=2),
        Post(amount=2, kind="big", seat=3),
        Post(amount=2, kind="extra", seat=4),
        Post(amount=1, kind="dead", seat=4),
        Post(amount=4, kind="straddle", seat=5),
    )
    table = CashTable(
        button=1,
        numbers=(1, 2, 3, 4, 5, 6),
        posts=posts,
        stacks=(50,) * 6,
    )
    setup = Setup(seats, EntropySource.from_text("posts"), 1, {"rules": "no-limit", "table": table})
    service = Service(EventLog(database))
    service.play_round(service.start("draw", setup)[0])
    write_archive(database, tmp_path / "hands")
    rows = {name: pq.read_table(tmp_path / "hands" / f"{name}.parquet").to_pylist() for name in COLUMNS}
    posted = [(row["action"], row["amount"], row["seat"]) for row in rows["actions"][: len(posts)]]
    assert posted == [
        ("small blind", 1, 2), ("big blind", 2, 3), ("extra blind", 2, 4), ("dead blind", 1, 4), ("straddle", 4, 5),
    ]  # fmt: skip
    net = {row["seat"]: row["net"] for row in rows["players"]}
    for row in rows["actions"]:
        back = row["action"] == "uncalled bet returned"
        net[row["seat"]] += (row["amount"] or 0) * (-1 if back else 1)
    assert sum(net.values()) == rows["hands"][0]["pot"], "what was won, as all that was paid is told"
    assert all(won >= 0 for won in net.values())


def test_an_action_has_the_name_of_whoever_sat_there_then(tmp_path: Path) -> None:
    database = Database.for_writing(":memory:")
    carl_and_dee(Service(EventLog(database)))
    write_archive(database, tmp_path / "hands", ["coming"])
    actions, players = [
        pq.read_table(tmp_path / "hands" / f"{name}.parquet").to_pylist() for name in ("actions", "players")
    ]
    sat = {(row["round"], row["seat"]): row["player"] for row in players}
    assert {"Carl", "Dee"} <= {row["player"] for row in actions}
    assert all(row["player"] == sat[row["round"], row["seat"]] for row in actions)


def test_games_are_named_and_rows_written_some_at_a_time(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "ROWS_AT_ONCE", 3)
    write_archive(database, tmp_path / "one", ["no-limit"])
    assert set(pq.read_table(tmp_path / "one" / "hands.parquet")["game"].to_pylist()) == {"no-limit"}
    write_archive(database, tmp_path / "all")
    every = pq.ParquetFile(tmp_path / "all" / "players.parquet")
    assert every.num_row_groups > 3


def test_a_folder_is_complete_or_not_there(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr(HandRows, "take", fails)
    with pytest.raises(RuntimeError, match="power"):
        write_archive(database, tmp_path / "hands")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_in_a_sentence(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise OSError(ENOSPC, "Error writing bytes to file. Detail: [errno 28] No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", no_room)
    with pytest.raises(FileNotWritten, match=r"hands cannot be written: No space left on device\.$"):
        write_archive(database, tmp_path / "hands")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_or_cannot_be_made_is_refused(database: Database, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="already exists; name a new folder"):
        write_archive(database, tmp_path)
    with pytest.raises(FileNotWritten, match=r"nowhere/hands cannot be written: No such file or directory\."):
        write_archive(database, tmp_path / "nowhere" / "hands")
    (tmp_path / "hands.part").mkdir()
    with pytest.raises(InvalidValue, match=r"hands\.part already exists: an export is being made, or was stopped"):
        write_archive(database, tmp_path / "hands")


def test_without_pyarrow_the_extra_is_named(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InvalidValue, match="install pokersvc with the extra `archive`"):
        write_archive(database, tmp_path / "hands")
