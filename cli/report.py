"""`pokersvc report`: a game on one page, in a file that one can send to a friend."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

import pokersvc
from pokersvc.cli import database as databases
from pokersvc.cli.arguments import GameArgument
from pokersvc.cli.output import NotChecked, output, wrapped
from pokersvc.cli.viewing import AsOption, ForceOption, viewer_of
from pokersvc.text import counted


def report(
    context: typer.Context,
    game: GameArgument,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="Write a page to this new file.")],
    as_: AsOption = None,
    force: ForceOption = False,
) -> None:
    """Write a page about a game, to send to a friend.

    It has the result, what each player won and lost, the three biggest pots,
    and an export of the game with the check that it passes. A browser shows
    it without a network. It has no secret that the point of view may not see.

    Example: pokersvc report last --html game.html
    """
    from pokersvc.cli import report_facts, report_page  # noqa: PLC0415  # help needs no game

    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        summary = pokersvc.game_summary(database, log.find(game))
        viewer = viewer_of(summary, as_, force=force)
        with TemporaryDirectory() as folder:
            export = Path(folder) / "game.jsonl"
            with output(export, private=True) as file:
                pokersvc.write_export(file, log, summary.game_id, viewer, force=force)
            verified = pokersvc.verify_export(export)
            if not verified.passed:
                wrong = verified.findings[0] if verified.findings else verified.fault
                raise NotChecked(
                    f"Game {summary.game_id} does not pass the check of its export, so no page is made: {wrong}"
                )
            facts = report_facts.of_game(database, summary, viewer, force=force)
            page = report_page.page(facts, verified, export.read_bytes())
    with output(html, private=viewer != pokersvc.EVERYONE) as file:
        file.write(page.encode())
    print(wrapped(f"{html}: game {summary.game_id}, {counted(verified.export.count, 'event')}, checked."))
