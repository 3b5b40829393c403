"""The point of view of a command: the one rule of `replay`, `history`, `events` and `export`.

Who holds the file of a database holds its secrets; no option of a program can guard them. So while a game is on,
`--as` a seat or an auditor asks for `--force`, lest somebody who is playing, or who looks over a shoulder, sees a hand
by accident. Once the game is over, nobody is asked. Sessions and servers, which know who is looking, show a seat its
own cards at any time (`Service.replay`).
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
    """Return the viewer that ``--as`` names; `NotOver` for one who may see secrets of a game that is on."""
    if as_ in (None, pokersvc.EVERYONE):
        return pokersvc.EVERYONE
    viewer = summary.viewer(as_, pokersvc.service.places.places(database, summary))
    if force or summary.outcome is not None:
        return viewer
    sees = "an auditor sees every hand" if viewer == pokersvc.AUDITOR else f"{as_!r} sees a hidden hand"
    raise pokersvc.NotOver(f"Game {summary.game_id} is not over, and {sees}; wait for its end, or add --force.")
