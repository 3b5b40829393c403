"""`pokersvc export`: a game in a file of its own."""

from typing import Annotated

import typer

import pokersvc
from pokersvc.cli import database as databases
from pokersvc.cli.arguments import GameArgument, OutputOption
from pokersvc.cli.output import output, wrapped
from pokersvc.cli.viewing import AsOption, ForceOption, viewer_of
from pokersvc.text import counted


def export(
    context: typer.Context,
    game: GameArgument,
    as_: AsOption = None,
    opened: Annotated[
        list[int] | None,
        typer.Option("--open", min=1, metavar="SEQ", help="Open the secret of this event too. Repeatable."),
    ] = None,
    output_: OutputOption = None,
    force: ForceOption = False,
) -> None:
    """Export a game to a file that `pokersvc verify` can check.

    The file has every event. A secret is included with its salt if the point
    of view may see it; otherwise its digest stands in its place.

    Example: pokersvc export last --as 1 -o mine.jsonl
    """
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        game_id = log.find(game)
        viewer = viewer_of(pokersvc.game_summary(database, game_id), as_, force=force)
        with output(output_, private=viewer != pokersvc.EVERYONE or bool(opened)) as file:
            made = pokersvc.write_export(file, log, game_id, viewer, opened=opened or (), force=force)
    if output_ is not None:
        print(wrapped(f"{output_}: game {game_id}, {counted(made.count, 'event')}, head {made.head.hex()}."))
