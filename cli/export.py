"""`pokersvc export`: a game in a file of its own."""

from typing import Annotated

import typer

from cli import database as databases
from cli.checkpoint import OutputOption
from cli.output import output, wrapped
from cli.reading import AsOption, GameArgument


def export(
    context: typer.Context,
    game: GameArgument,
    as_: AsOption = None,
    opened: Annotated[
        list[int] | None,
        typer.Option("--open", min=1, metavar="SEQ", help="Open the secret of this event too; may be repeated."),
    ] = None,
    output_: OutputOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Open secrets that are not the reader's before the game is over.")
    ] = False,
) -> None:
    """Write a game into a file that `pokersvc verify` checks alone.

    It has every event; of a secret it has the text and its salt where
    the reader may see it, and else the digest that binds it.

    Example: pokersvc export last --as 1 -o mine.jsonl
    """
    from pokersvc import history
    from pokersvc.eventlog.log import EventLog
    from pokersvc.export import write
    from pokersvc.games.event import EVERYONE

    with databases.reading(context) as database:
        log = EventLog(database)
        game_id = log.find(game)
        viewer = EVERYONE if as_ is None else history.summary(database, game_id).viewer(as_)
        with output(output_) as file:
            made = write(file, log, game_id, viewer, opened=opened or (), force=force)
    if output_ is not None:
        print(wrapped(f"{output_}: game {game_id}, {made.count} events, head {made.head.hex()}."))
