"""Single bits of a database file, flipped, and everything that can be read from it."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from pokersvc.cli.main import main
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service.read_models import history


class Said(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def run(path: Path | str, *arguments: str) -> Said:
    """Run a command of the program on a database, a file or one by URL."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(["--db", str(path), *arguments])
    return Said(code, out.getvalue(), err.getvalue())


def everything_read(path: Path) -> list[Any] | str:
    """Return the data behind all reading commands (lists, histories, every record), or the error that ends them."""
    try:
        with Database.for_reading(str(path)) as database:
            return everything_in(database)
    except PokersvcError as error:
        return str(error)


def everything_in(database: Database) -> list[Any]:
    """Return the same data from an open database."""
    log = EventLog(database)
    games = list(history.games(database))
    read: list[Any] = [*games, log.find("last")]
    for game in games:
        read += [log.head(game.game_id), *history.entries(database, game.game_id), *log.read(game.game_id)]
        read += [log.command(game.game_id, record.command_id) for record in list(log.read(game.game_id, upto=3))]
    return read


def flipped(content: bytes, bit: int) -> bytes:
    """Return the bytes with one bit flipped."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
