"""The option with which a command names a session: by one of its hands."""

from typing import Annotated

import typer

import pokersvc
from pokersvc import histories

SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="GAME", help="The session that this game belongs to (`pokersvc sessions`)."),
]
PlayerOption = Annotated[
    str | None,
    typer.Option("--player", metavar="NAME", help="Whose session. [the player who saved the file, or played here]"),
]
GapOption = Annotated[
    int | None,
    typer.Option("--gap", metavar="MINUTES", help="A session ends after this many minutes without a hand. [30]"),
]


def session_named(
    database: "pokersvc.Database", text: str, player: str | None, gap: int | None
) -> "histories.sessions.HandGroup":
    """Return the session to which a game belongs; the text names the game or, as in ``GAME:3``, one of its rounds."""
    game, _, round_ = text.partition(":")
    if round_ and not (round_.isascii() and round_.isdecimal() and len(round_) < 10):
        raise pokersvc.InvalidValue(f"{text!r} is not a session; write a game, or a game and a round like {game}:3.")
    game_id = pokersvc.EventLog(database).find(game)
    return histories.sessions.session_with(database, game_id, int(round_) if round_ else None, player, gap)
