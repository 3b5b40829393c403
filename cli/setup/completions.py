"""Completions for a shell: commands, options, games, points of view, houses and files.

The metavar of an argument, such as ``GAME``, says which values it takes. Games are read directly from a SQLite file:
the libraries with which commands read would take most of the time that a person waits for an answer.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

import typer
from platformdirs import user_data_path
from typer.core import TyperCommand

import pokersvc
from pokersvc import cli, core
from pokersvc.cli.lazy import imported
from pokersvc.cli.setup.completion import SCRIPTS
from pokersvc.cli.setup.settings import COLOURS, SETTINGS

LONGEST: Final = 0.15
"""The number of seconds after which reading a slow database is given up."""
SHORTEST_ID: Final = 8
FILES: Final = "FILES"
"""The line that asks the shell to complete names of files itself."""


class Candidate(NamedTuple):
    """A completion and its description."""

    value: str
    about: str = ""


def answer() -> None:
    """Print the completions; print nothing if anything fails, because nobody would read an error message."""
    words = os.environ.get("_POKERSVC_WORDS", "").split("\n")
    with suppress(Exception):
        typed = words[-1]
        for value, about in candidates(words[1:-1], typed):
            if value == FILES:
                print(FILES)
            elif value.startswith(typed):
                print(value, " ".join(about.split()), sep="\t" if about else "")
    with suppress(OSError):
        sys.stdout.flush()


class ShellParameter(Protocol):
    """A parameter of a command as typer makes it: an option or an argument."""

    help: str | None
    is_flag: bool
    metavar: str | None
    nargs: int
    opts: list[str]
    param_type_name: str
    secondary_opts: list[str]


class ShellCommand(Protocol):
    """A command as typer makes it; a group also has ``commands``."""

    params: list[ShellParameter]


class _Typed(NamedTuple):
    """The parsed words before the word to complete: the command, its arguments and its options."""

    command: ShellCommand
    arguments: list[str]
    options: dict[str, str]
    """Option, by its first name such as ``--db`` → its value."""
    pending: ShellParameter | None
    """The option whose value is to be completed, if any."""
    begun: str
    """The part typed so far of the word to complete, or of the value after ``--option=``."""


def candidates(before: list[str], typed: str) -> Iterator[Candidate]:
    """Yield the words that may follow the words ``before``; ``typed`` is the beginning of the next word."""
    name, equals, value = typed.partition("=")
    said = _read(before, value if equals and typed.startswith("--") else typed)
    if said.pending is None and typed.startswith("--") and equals:
        for option in _options(said.command):
            if name in option.opts and not option.is_flag:
                yield from (Candidate(f"{name}={value}", about) for value, about in _values(option, said))
    elif said.pending is not None:
        yield from _values(said.pending, said)
    elif typed.startswith("-"):
        for option in _options(said.command):
            yield from (Candidate(one, option.help or "") for one in option.opts if one.startswith("--"))
    elif below := _below(said.command):
        for one, command in below.items():
            yield Candidate(one, command.get_short_help_str(80))
    else:
        arguments = [one for one in said.command.params if one.param_type_name == "argument"]
        if arguments and (len(said.arguments) < len(arguments) or arguments[-1].nargs == -1):
            yield from _values(arguments[min(len(said.arguments), len(arguments) - 1)], said)


def _read(before: list[str], begun: str) -> _Typed:
    """Parse the words into the command, its arguments and the values of options."""
    command = cast(ShellCommand, typer.main.get_command(cli.main.app))
    arguments: list[str] = []
    options: dict[str, str] = {}
    pending: ShellParameter | None = None
    for word in before:
        if pending is not None:
            options[pending.opts[0]], pending = word, None
        elif word.startswith("-"):
            name, equals, value = word.partition("=")
            found = next((one for one in _options(command) if name in (*one.opts, *one.secondary_opts)), None)
            if found is not None and not found.is_flag:
                if equals:
                    options[found.opts[0]] = value
                else:
                    pending = found
        elif below := _below(command):
            lazy = getattr(command, "lazy", {}).get(word)
            command = cast(ShellCommand, below[word] if lazy is None else imported(lazy, word))
        else:
            arguments.append(word)
    return _Typed(command, arguments, options, pending, begun)


def _below(command: ShellCommand) -> dict[str, TyperCommand]:
    found: dict[str, TyperCommand] = getattr(command, "commands", {})
    return found


def _options(command: ShellCommand) -> list[ShellParameter]:
    return [one for one in command.params if one.param_type_name == "option" and not getattr(one, "hidden", False)]


def _values(parameter: ShellParameter, said: _Typed) -> Iterator[Candidate]:
    """Yield the possible values of a parameter, which depend on its metavar, such as ``GAME`` or ``HOUSE``."""
    for part in (parameter.metavar or "").replace("...", "").strip("[]").split("|"):
        if part in ("FILE", "FOLDER", "PATH"):
            yield Candidate(FILES)
        elif part == "GAME":
            yield from _games(said)
        elif part == "SEAT":
            yield from _seats(said)
        elif part == "HOUSE":
            folder = Path(pokersvc.__file__).parent / "games"
            yield from (Candidate(path.stem, "house") for path in sorted(folder.glob("*/presets/*.toml")))
        elif part == "KIND":
            yield from map(Candidate, core.registry.game_kinds())
        elif part == "KEY" and parameter.param_type_name == "argument":
            yield from (Candidate(name, setting.help) for name, setting in SETTINGS.items())
        elif part == "VALUE" and said.arguments[:1] == ["colours"]:
            yield from map(Candidate, COLOURS)
        elif part.islower() or part in SCRIPTS:
            yield Candidate(part)
    if parameter.opts[0] == "--db":
        yield Candidate(FILES)


# The games of a database.


def _games(said: _Typed) -> Iterator[Candidate]:
    found = """
        SELECT game_id, kind, facts, started_at, outcome FROM game_summaries
        WHERE game_id >= ? AND game_id < ? ORDER BY rowid DESC LIMIT 50
    """
    for game_id, kind, facts, started, outcome in _rows(said, found, said.begun, f"{said.begun}\U0010ffff"):
        house = (json.loads(facts) or {}).get("house") or kind
        state = "finished" if outcome else "unfinished"
        yield Candidate(_prefix(said, game_id), f"{house}, {started[:10]} {started[11:16]}, {state}")
    yield Candidate("last", "the game that was started last")


def _prefix(said: _Typed, game_id: str) -> str:
    """Return a prefix of a game's ID that no other game's ID has, at least `SHORTEST_ID` long."""
    shortest = SHORTEST_ID
    neighbours = (
        "SELECT max(game_id) FROM games WHERE game_id < ?",
        "SELECT min(game_id) FROM games WHERE game_id > ?",
    )
    for statement in neighbours:
        for (other,) in _rows(said, statement, game_id):
            shared = takewhile(lambda both: both[0] == both[1], zip(game_id, other or "", strict=False))
            shortest = max(shortest, len([*shared]) + 1)
    return game_id[:shortest]


def _seats(said: _Typed) -> Iterator[Candidate]:
    """Yield the names at the seats of the game that an earlier word names, or else of the last game."""
    named = said.arguments[0] if said.arguments else "last"
    if named == "last":
        rows = _rows(said, "SELECT game_id, seats FROM game_summaries ORDER BY started_at DESC LIMIT 1")
    else:
        one = "SELECT game_id, seats FROM game_summaries WHERE game_id >= ? AND game_id < ? LIMIT 1"
        rows = _rows(said, one, named, f"{named}\U0010ffff")
    for game_id, listed in rows:
        seats = json.loads(listed)
        for place, seat in zip(_places(said, game_id, len(seats)), seats, strict=True):
            yield Candidate(seat["name"], f"seat {place}")


def _places(said: _Typed, game_id: str, seats: int) -> list[int]:
    """Return the numbers of the seats: those of the table, if the game's start event has them, else 1, 2, …."""
    for (payload,) in _rows(said, "SELECT payload FROM events WHERE game_id = ? AND seq = 1", game_id):
        if table := json.loads(payload).get("table"):
            return list(table["numbers"])
    return [*range(1, seats + 1)]


_OPENED: dict[str, sqlite3.Connection] = {}


def _rows(said: _Typed, statement: str, *values: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a query to the database that the command would read; no rows if there is no such file."""
    named = said.options.get("--db") or os.environ.get("POKERSVC_DATABASE_URL")
    usual = user_data_path("pokersvc", appauthor=False) / "pokerdb.sqlite"
    path = Path(named.removeprefix("sqlite:///")) if named else usual
    connection = _OPENED.get(str(path)) or _open(path)
    if connection is not None:
        _OPENED[str(path)] = connection
        with closing(connection.execute(statement, values)) as rows:
            yield from rows


def _open(path: Path) -> sqlite3.Connection | None:
    """Open a file read-only, without the files that SQLite creates beside it in WAL mode."""
    if not path.is_file():
        return None
    followed = Path(f"{path}-wal").exists()  # a process is writing or was killed: the newest games are in the -wal file
    options = "mode=ro" if followed else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{options}", uri=True, timeout=LONGEST)
    deadline = time.monotonic() + LONGEST
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    return connection
