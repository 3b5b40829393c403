"""The point of view chosen by ``--as``, with one option and check for `replay`, `history`, `events` and `export`.

Anyone who has the file of a database has its secrets; no option of a program can guard them. So while a game is in
progress, `--as` with a seat or the auditor needs `--force`, so that somebody who is playing, or who looks over a
shoulder, does not see a hand by accident. After the game `--force` is not needed. Sessions and servers, which know
who is looking, show a seat its own cards at any time (`Service.replay`).
"""

from typing import Annotated

import typer

import pokersvc

AsOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="everyone|SEAT|auditor",
        help="Point of view; while a game is in progress, a seat and the auditor need --force. [everyone]",
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Show secrets of a game in progress.")]


def viewer_of(
    database: "pokersvc.Database", summary: "pokersvc.GameSummary", as_: str | None, *, force: bool
) -> "pokersvc.Viewer":
    """Return the viewer named by ``--as``; raise `NotOver` for secrets of an unfinished game, unless ``force``."""
    if as_ in (None, pokersvc.EVERYONE):
        return pokersvc.EVERYONE
    viewer = summary.viewer(as_, pokersvc.service.places.places(database, summary))
    if force or summary.outcome is not None:
        return viewer
    sees = "an auditor sees every hand" if viewer == pokersvc.AUDITOR else f"{as_!r} sees a hidden hand"
    raise pokersvc.NotOver(f"Game {summary.game_id} is not over, and {sees}; wait for its end, or add --force.")
