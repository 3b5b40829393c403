"""The program `pokersvc`: its commands, its error messages and its exit codes.

The module of a command is imported when that command is asked for, so that help is instant.
"""

import gc
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from traceback import walk_tb
from typing import Annotated, ClassVar, NoReturn

import typer

from pokersvc.cli.database.chosen import Chosen
from pokersvc.cli.lazy import Lazy, LazyGroup
from pokersvc.cli.output import EXIT_CLOSED, EXIT_INTERRUPTED, close_output, wrapped
from pokersvc.core.version import __version__
from pokersvc.errors import PokersvcError, printable

EXIT_ERROR = 1
EXIT_USAGE = 2
OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""The number of new objects between garbage collections; by default, a command's 100,000 objects would cause 140."""

COMPLETE = "_POKERSVC_COMPLETE"
"""The environment variable with which a shell asks for completions."""
_OUGHT = "Input should be "
"""The prefix of pydantic's messages that say what input would be right."""
_WRONG = "Value error, "
"""The prefix that pydantic puts before the messages of validators."""
_OURS = ("__main__", "pokersvc")
_GAME_COMMAND = "pokersvc.cli.options:GameCommand"

_command_of = cache(typer.main.get_command)


class Program(LazyGroup):
    """The commands of the program, in the order in which help lists them."""

    lazy: ClassVar[Mapping[str, Lazy]] = {
        "play": Lazy(
            "pokersvc.cli.play.play",
            "Start a game: a person against bots, unless --auto.",
            "play",
            command_class=_GAME_COMMAND,
        ),
        "resume": Lazy("pokersvc.cli.play.play", "Resume a game that is not finished.", "resume"),
        "serve": Lazy(
            "pokersvc.cli.server.serve",
            "Serve tables to browsers and programs, on the same database as other commands.",
            "serve",
        ),
        "join": Lazy(
            "pokersvc.cli.server.join",
            "Play at or watch a server's table, and check every event on this machine.",
            "join",
        ),
        "watch": Lazy("pokersvc.cli.server.watch", "Follow a game that others play, until it ends.", "watch"),
        "replay": Lazy("pokersvc.cli.replay.reading", "Show a game event by event.", "replay"),
        "history": Lazy(
            "pokersvc.cli.replay.reading", "Print one line per round, such as `Round 1 -- Player2 won 210`.", "history"
        ),
        "review": Lazy(
            "pokersvc.cli.replay.review",
            "Show what a player's choices cost, and what a good program would do.",
            "review",
        ),
        "games": Lazy("pokersvc.cli.replay.games", "List the games, the newest first.", "games"),
        "sessions": Lazy(
            "pokersvc.cli.histories.sessions", "List sessions, or tables, of draw poker, the newest first.", "sessions"
        ),
        "stats": Lazy(
            "pokersvc.cli.statistics.stats", "Show how players play, and what they win, over all hands.", "stats"
        ),
        "events": Lazy("pokersvc.cli.replay.reading", "Print the events as they are stored.", "events"),
        "audit": Lazy(
            "pokersvc.cli.evidence.audit", "Check the log, and that the games followed their rules.", "audit"
        ),
        "tournament": Lazy(
            "pokersvc.cli.statistics.tournament",
            "Let bots play each other on the same deals, in all seats.",
            "tournament",
            command_class=_GAME_COMMAND,
        ),
        "ladder": Lazy("pokersvc.cli.statistics.ladder", "Rate bots that all play each other on the same deals."),
        "advise": Lazy("pokersvc.cli.advise", "Advise what to discard, and show the value of every discard.", "advise"),
        "train": Lazy(
            "pokersvc.cli.train", "Make strategies for two players of draw poker, close to perfect play.", "train"
        ),
        "strategy": Lazy(
            "pokersvc.cli.strategy", "Show what a strategy opens, calls, raises and draws with, by position.", "show"
        ),
        "rules": Lazy("pokersvc.cli.rules", "List the houses, or print the rules of one as TOML.", "rules"),
        "import": Lazy("pokersvc.cli.histories.importing", "Import hand histories of other sites.", "import_"),
        "export": Lazy(
            "pokersvc.cli.evidence.export", "Export a game to a file that `pokersvc verify` can check.", "export"
        ),
        "report": Lazy(
            "pokersvc.cli.replay.report", "Write a page about a game or a session, to send to a friend.", "report"
        ),
        "checkpoint": Lazy(
            "pokersvc.cli.evidence.checkpoint", "Save the current length and head of every game's log.", "checkpoint"
        ),
        "prove": Lazy(
            "pokersvc.cli.evidence.checkpoint",
            "Prove that a game is included in a checkpoint, without showing the others.",
            "prove",
        ),
        "verify": Lazy(
            "pokersvc.cli.evidence.verify", "Check an export, a checkpoint or a proof, without a database.", "verify"
        ),
        "keygen": Lazy(
            "pokersvc.cli.evidence.checkpoint", "Create a key pair to sign checkpoints (Ed25519).", "keygen"
        ),
        "kalah": Lazy("pokersvc.cli.kalah", "Solve boards of Kalah, analyse its games, count its moves."),
        "completion": Lazy(
            "pokersvc.cli.setup.completion",
            "Print the script that completes commands, options and games.",
            "completion",
        ),
        "config": Lazy(
            "pokersvc.cli.setup.config", "Show or change your settings: name, house, opponents, advice and more."
        ),
        "db": Lazy("pokersvc.cli.database.db", "Maintain the database."),
    }


app = typer.Typer(
    name="pokersvc",
    cls=Program,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 error (explained in one sentence), 2 wrong usage, 3 findings, 130 interrupted,"
    " 141 output closed early.",
)


def _version(asked: bool) -> None:
    if asked:
        print(f"pokersvc {__version__}")
        raise typer.Exit


@app.callback()
def pokersvc(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="URL",
            envvar="POKERSVC_DATABASE_URL",
            show_envvar=True,
            help="The database: a file or a URL. [a file in your data folder]",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Play games whose every action is an immutable event, and check what happened.

    GAME is a game ID, a unique prefix of one, or `last`.

    Example: pokersvc play --player Ann=human --player Bob=house
    """
    named = context.get_parameter_source("database")
    context.obj = Chosen(database, by_option=named is not None and named.name == "COMMANDLINE")


def run() -> NoReturn:
    """Run the program with the arguments of the command line, and exit."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    if COMPLETE in os.environ:
        _prepare_streams()
        import_module("pokersvc.cli.setup.completions").answer()
        sys.exit(0)
    code = main(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # there is nothing left that a Ctrl-C could interrupt
    gc.freeze()  # skip Python's last garbage collection, because the process ends anyway
    sys.exit(code)


def main(arguments: list[str]) -> int:
    """Run the program and return its exit code; every expected error is one sentence on standard error."""
    _prepare_streams()
    try:
        try:
            code = _invoke(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough: print nothing, as other filters do
        close_output()
        return EXIT_CLOSED
    except PokersvcError as error:
        _complain(printable(error))
        return getattr(error, "exit_code", EXIT_ERROR)
    except KeyboardInterrupt:
        _complain("Interrupted; everything that was recorded is saved.")
        return EXIT_INTERRUPTED
    except Exception as error:
        if (package := _broken_package(error)) is not None:
            _complain(f"The package {package} cannot be used: {type(error).__name__}: {printable(error)}.")
            return EXIT_ERROR
        if not isinstance(error, OSError):
            raise
        close_output()
        _complain(f"The operating system refused: {error}.")
        return EXIT_ERROR
    return code


def _broken_package(error: Exception) -> str | None:
    """Return the third-party package that raised an error while it was imported; None for any other error."""
    for frame, _ in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and module not in _OURS:
            return module
    missing = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return missing if missing and missing not in _OURS else None


def _prepare_streams() -> None:
    """Make every standard stream usable: it may be missing, or unable to encode every character."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, "r+", encoding="utf-8", closefd=False))
        else:
            with suppress(AttributeError):  # in a test, the stream may not be a text file
                stream.reconfigure(errors="replace")


def _invoke(arguments: list[str]) -> int:
    command = _command_of(app)
    try:
        with command.make_context("pokersvc", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return EXIT_ERROR
    except Exception as error:
        if (said := getattr(error, "format_message", None)) is None:
            raise
        asked = getattr(error, "ctx", None)
        path = "pokersvc" if asked is None else asked.command_path
        _name_value(error)
        message = said()
        if message.startswith("Usage:"):  # no command was given: the message is the help
            print(message, file=sys.stderr)
        else:
            _complain(f"{message.rstrip('.')}; see `{path} --help`.")
        return EXIT_USAGE
    return 0


def _name_value(error: Exception) -> None:
    """Add the refused value to an error's message, because typer's message says only what would be right."""
    errors = getattr(error.__cause__, "errors", None)
    first = {"msg": ""} if errors is None else errors()[0]
    if not isinstance(error, typer.BadParameter):
        return
    if first["msg"].startswith(_OUGHT):
        right = first["msg"].removeprefix(_OUGHT).partition(",")[0]
        error.message = f"{first['input']!r} must be {right}."
    elif first["msg"].startswith(_WRONG):
        error.message = first["msg"].removeprefix(_WRONG)


def _complain(sentence: str) -> None:
    with suppress(OSError):
        print(wrapped(f"pokersvc: {sentence}", stream=sys.stderr), file=sys.stderr)


if __name__ == "__main__":
    run()
