"""The program with events that a test cannot cause by typing."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Timer
from typing import Any
from unittest.mock import patch

import pokersvc
from pokersvc.cli.main import run
from pokersvc.cli.play.local import LocalBackend


def draws_wrong() -> None:
    """Run the program with a game whose drawing raises an error."""
    words = type(pokersvc.game_of("draw").words)
    with patch.object(words, "draw", lambda *_: 1 // 0):
        run()


def gets_news() -> None:
    """Run the program with news after one second that change nothing."""
    heard, told = os.pipe()
    os.set_blocking(heard, False)
    following = pokersvc.Session.next

    def following_news(session: pokersvc.Session) -> Any:
        with suppress(BlockingIOError):
            os.read(heard, 1)
        return following(session)

    Timer(2.0, os.write, (told, b"!")).start()
    news = patch.object(LocalBackend, "fileno", lambda _: heard)
    with news, patch.object(pokersvc.Session, "next", following_news):
        run()


def stopped_import() -> None:
    """Run the program so that a person presses Ctrl-C at the seventh hand; hands are counted after three."""
    from pokersvc.cli.histories import hands, importing

    told = hands.HandsReport.hand
    count = iter(range(1, 1000))

    def stopped(*arguments: Any) -> None:
        if next(count) == 7:
            raise KeyboardInterrupt
        told(*arguments)

    with patch.object(importing, "COUNTED_AT_ONCE", 3), patch.object(hands.HandsReport, "hand", stopped):
        run()


def stopped_audit() -> None:
    """Run the program so that a person presses Ctrl-C at the fourth thing that an audit is about to print as JSON."""
    from pokersvc.cli.evidence import audit

    count = iter(range(1, 1000))

    def stopping(printed: Callable[..., None]) -> Callable[..., None]:
        def stopped(*arguments: Any) -> None:
            if next(count) == 4:
                raise KeyboardInterrupt
            printed(*arguments)

        return stopped

    with (
        patch.object(audit._Json, "page", stopping(audit._Json.page)),
        patch.object(audit._Json, "game", stopping(audit._Json.game)),
    ):
        run()


def import_in_small_transactions() -> None:
    """Run the program so that few hands are recorded in one transaction."""
    from pokersvc.histories import importing

    with patch.object(importing, "HANDS_IN_A_TRANSACTION", 4):
        run()


def killed_import() -> None:
    """Run the program so that it is killed at the sixth hand, of which some are recorded in one transaction."""
    from pokersvc.cli.histories import hands

    told = hands.HandsReport.hand
    count = iter(range(1, 1000))

    def killed(*arguments: Any) -> None:
        if next(count) == 6:
            os.kill(os.getpid(), signal.SIGKILL)
        told(*arguments)

    with patch.object(hands.HandsReport, "hand", killed):
        import_in_small_transactions()


def two_newest() -> None:
    """Run the program so that a terminal is shown the two newest of a list."""
    from pokersvc.cli.replay import newest_first

    with patch.object(newest_first, "NEWEST", 2):
        run()
