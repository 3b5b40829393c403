"""The program where something happens that a test cannot type."""

import os
from contextlib import suppress
from threading import Timer
from typing import Any
from unittest.mock import patch

import pokersvc
from pokersvc.cli.local import LocalKeeper
from pokersvc.cli.main import run


def draws_wrong() -> None:
    """Run the program with a game whose drawing raises an error."""
    words = type(pokersvc.game_of("draw").words)
    with patch.object(words, "draw", lambda *_: 1 // 0):
        run()


def gets_news() -> None:
    """Run the program with news, one second after it began, that change nothing."""
    heard, told = os.pipe()
    os.set_blocking(heard, False)
    following = pokersvc.Session.next

    def following_news(session: pokersvc.Session) -> Any:
        with suppress(BlockingIOError):
            os.read(heard, 1)
        return following(session)

    Timer(2.0, os.write, (told, b"!")).start()
    news = patch.object(LocalKeeper, "fileno", lambda _: heard)
    with news, patch.object(pokersvc.Session, "next", following_news):
        run()


def stopped_import() -> None:
    """Run the program so that a person presses Ctrl-C at the seventh hand; hands are counted after three."""
    from pokersvc.cli import hands, importing

    told = hands.HandsTold.hand
    count = iter(range(1, 1000))

    def stopped(*arguments: Any) -> None:
        if next(count) == 7:
            raise KeyboardInterrupt
        told(*arguments)

    with patch.object(importing, "COUNTED_AT_ONCE", 3), patch.object(hands.HandsTold, "hand", stopped):
        run()


def two_newest() -> None:
    """Run the program so that a terminal is shown the two newest games."""
    from pokersvc.cli import games

    with patch.object(games, "NEWEST", 2):
        run()
