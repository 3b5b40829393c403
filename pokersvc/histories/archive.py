"""Writes all hands of a database as Parquet files, in constant memory."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from sqlalchemy import select

from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.histories.tables import COLUMNS, HandRows, Row, Rows
from pokersvc.service.read_models.projections import game_summaries
from pokersvc.system.files import naming, not_written

ROWS_AT_ONCE: Final = 50_000
"""Rows of a table that are buffered before they are written as one row group."""


def write_archive(database: Database, folder: Path, game_ids: list[str] | None = None) -> dict[str, int]:
    """Write the hands of all games, or of the given ones, to a new folder with one file per table.

    Return the number of rows of each table. The folder appears only when it is complete. Raise `InvalidValue` if it
    exists already or cannot be made.
    """
    pa = import_pyarrow()
    draft = folder.with_name(f"{folder.name}.part")
    with naming(folder):
        if folder.exists():
            raise InvalidValue(f"{folder} already exists; name a new folder.")
        try:
            draft.mkdir()
        except FileExistsError:
            raise InvalidValue(
                f"{draft} already exists: an export is being made, or was stopped; remove it, or name another folder."
            ) from None
    try:
        with ExitStack() as stack:
            files = {table: stack.enter_context(_File(pa, draft, table)) for table in COLUMNS}
            for rows in _rows(database, game_ids):
                for table, found in rows._asdict().items():
                    files[table].add(found)
        draft.rename(folder)
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        if isinstance(error, OSError) and error.errno:  # replace pyarrow's own message by the system's
            raise not_written(folder, OSError(error.errno, os.strerror(error.errno))) from error
        raise
    return {table: file.count for table, file in files.items()}


def import_pyarrow() -> ModuleType:
    """Return the package pyarrow; raise `InvalidValue`, which names the extra, if it is not installed."""
    try:
        pyarrow, _ = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise InvalidValue("Parquet files need pyarrow; install pokersvc with the extra `archive`.") from error
    return pyarrow


def _rows(database: Database, game_ids: list[str] | None) -> Iterator[Rows]:
    of_game = game_summaries.c
    asked = select(of_game.game_id).where(of_game.kind == DRAW_POKER.kind).order_by(of_game.started_at, of_game.game_id)
    if game_ids is not None:
        asked = asked.where(of_game.game_id.in_(game_ids))
    decode = DRAW_POKER.codec.decode
    with database.read() as connection:
        snapshot = Snapshot(connection)
        for game_id in connection.scalars(asked).all():
            hands: HandRows | None = None
            with closing(snapshot.read(game_id)) as records:
                for record in records:
                    event = decode(record.type, record.version, record.payload, None)
                    if hands is None:
                        assert isinstance(event, GameStarted)
                        hands = HandRows(event, game_id)
                        continue
                    rows = hands.take(event, record.seq, datetime.fromisoformat(record.recorded_at.removesuffix("Z")))
                    if rows is not None:
                        yield rows


class _File:
    """The file of one table while it is being written."""

    def __init__(self, pa: ModuleType, folder: Path, table: str) -> None:
        types = {str: pa.string(), int: pa.int64(), bool: pa.bool_(), datetime: pa.timestamp("us")}
        self._pa = pa
        self._schema = pa.schema([(name, types[type_]) for name, type_ in COLUMNS[table].items()])
        self._writer = pa.parquet.ParquetWriter(folder / f"{table}.parquet", self._schema)
        self._waiting: list[Row] = []
        self.count = 0

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, rows: list[Row]) -> None:
        """Buffer rows, and write the buffer once it holds `ROWS_AT_ONCE`."""
        self._waiting += rows
        self.count += len(rows)
        if len(self._waiting) >= ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(self._pa.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []
