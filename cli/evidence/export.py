"""`pokersvc export`: a game in a file of its own, or the hands of all games as tables."""

from pathlib import Path
from typing import Annotated

import typer

import pokersvc
from pokersvc import envs, histories
from pokersvc.cli.arguments import MOST, OutputOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.histories.chosen_session import GapOption, PlayerOption, SessionOption, session_named
from pokersvc.cli.output import output, wrapped
from pokersvc.cli.replay.viewpoint import AsOption, ForceOption, viewer_of
from pokersvc.errors import InvalidValue
from pokersvc.text import counted, listed

TABLES = "parquet"
STEPS = "steps"


def export(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="A game ID, a unique prefix of one, or `last`; tables: several, or all."),
    ] = None,
    as_: AsOption = None,
    opened: Annotated[
        list[int] | None,
        typer.Option("--open", min=1, max=MOST, metavar="SEQ", help="Open the secret of this event too. Repeatable."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="phh|ohh|pokerstars|parquet|steps",
            help="Write the rounds as hand histories or tables instead.",
        ),
    ] = None,
    session: SessionOption = None,
    player: PlayerOption = None,
    gap: GapOption = None,
    output_: OutputOption = None,
    force: ForceOption = False,
) -> None:
    """Export a game to a file that `pokersvc verify` can check.

    The file has every event. A secret is included with its salt if the point
    of view may see it; otherwise only its digest is.

    With --format the file has the finished rounds of draw poker as hand
    histories, with the cards that the point of view may see. --format parquet
    makes a folder of tables with the public facts of all hands, or of those of
    the named games; docs/sql.md lists the columns. --format steps makes a
    Parquet file for programs that learn, with a row for each choice in finished
    games of one kind; docs/envs.md has its columns.

    With --session the file has the hands of a session (`pokersvc sessions`),
    imported ones too, in the format that --format names.

    Example: pokersvc export last --as 1 -o mine.jsonl
    """
    if session is not None:
        if games:
            raise InvalidValue(f"--session {session} names the hands; leave {' '.join(games)} out.")
        if opened:
            raise InvalidValue("--open is for the events of one game, and --session for hands; leave one of them out.")
        if format_ is None:
            raise InvalidValue("--session writes hands; add --format phh, ohh or pokerstars.")
        if format_ in (TABLES, STEPS):
            raise InvalidValue(f"--format {format_} makes tables, and --session writes hands: phh, ohh or pokerstars.")
        _write_session(context, session, player, gap, as_, format_, output_, force=force)
        return
    if player is not None or gap is not None:
        raise InvalidValue("--player and --gap say which session is meant; add --session.")
    if format_ == TABLES:
        if as_ is not None or opened or force:
            raise InvalidValue("--format parquet has what everyone may know; leave --as, --open and --force out.")
        if output_ is None:
            raise InvalidValue("--format parquet makes a folder; name it with --output.")
        _tables(context, games or [], output_)
        return
    if format_ == STEPS:
        if as_ is not None or opened:
            raise InvalidValue("--format steps has what each seat has seen; leave --as and --open out.")
        if output_ is None:
            raise InvalidValue("--format steps makes a Parquet file; name it with --output.")
        _steps(context, games or [], output_)
        return
    if not games:
        what = "a file" if format_ is None else f"a {format_} file"
        raise InvalidValue(f"Name the game that {what} is made of, such as `last`; --format parquet takes all games.")
    if len(games) > 1:
        raise InvalidValue(f"A file holds one game, but {len(games)} are named: {' '.join(games)}; name one.")
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        game_id = log.find(games[0])
        viewer = viewer_of(database, pokersvc.game_summary(database, game_id), as_, force=force)
        private = viewer != pokersvc.EVERYONE or bool(opened)
        if format_ is not None:
            _write_hands(log, game_id, viewer, format_, opened, output_, force=force)
            return
        with output(output_, private=private) as file:
            made = pokersvc.write_export(file, log, game_id, viewer, opened=opened or (), force=force)
    if output_ is not None:
        print(wrapped(f"{output_}: game {game_id}, {counted(made.count, 'event')}, head {made.head.hex()}."))


def _write_hands(
    log: "pokersvc.EventLog",
    game_id: str,
    viewer: "pokersvc.Viewer",
    format_: str,
    opened: list[int] | None,
    path: Path | None,
    *,
    force: bool,
) -> None:
    if opened:
        raise pokersvc.InvalidValue("--open is for pokersvc's own format: leave out --format or --open.")
    with output(path, private=viewer != pokersvc.EVERYONE) as file:
        count = pokersvc.write_hands(file, log, game_id, viewer, format_=format_, force=force)
    if path is not None:
        print(wrapped(f"{path}: game {game_id}, {counted(count, 'hand')} in the format {format_}."))


def _write_session(
    context: typer.Context,
    named: str,
    player: str | None,
    gap: int | None,
    as_: str | None,
    format_: str,
    path: Path | None,
    *,
    force: bool,
) -> None:
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        session = session_named(database, named, player, gap)

        def viewer(game_id: str) -> "pokersvc.Viewer":
            return viewer_of(database, pokersvc.game_summary(database, game_id), as_, force=force)

        with output(path, private=as_ not in (None, pokersvc.EVERYONE)) as file:
            count = histories.exporting.write_session(file, log, session, viewer, format_=format_, force=force)
    if path is not None:
        print(wrapped(f"{path}: {counted(count, 'hand')} of a session in the format {format_}."))


def _tables(context: typer.Context, games: list[str], folder: Path) -> None:
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        count = histories.archive.write_archive(database, folder, [log.find(game) for game in games] or None)
    rows = [f"{number:,} of {table}" for table, number in count.items()]
    print(wrapped(f"{folder}: tables with rows as follows: {listed(rows)}."))


def _steps(context: typer.Context, games: list[str], path: Path) -> None:
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        count = envs.write_steps(database, path, [log.find(game) for game in games] or None)
    print(wrapped(f"{path}: {counted(count, 'choice')} of finished games."))
