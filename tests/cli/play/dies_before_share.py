"""The program, killed before it opens a share of a common shuffle."""

import os
import signal
from functools import partial
from itertools import count
from typing import Any, Final

import pokersvc
from pokersvc.cli.main import run
from pokersvc.remote.device import Device

SECONDS: Final = 3
"""Seconds to wait for shares, so that the shares that were lost with the program count as missed."""


def _dying_before(which: int) -> None:
    pokersvc.TableSettings = partial(pokersvc.TableSettings, share_seconds=SECONDS)  # type: ignore[misc, assignment]  # as called
    opened, numbers = Device.open, count(1)

    def open_or_die(device: Device, *arguments: Any) -> Any:
        if next(numbers) == which:
            os.kill(os.getpid(), signal.SIGKILL)
        return opened(device, *arguments)

    Device.open = open_or_die  # type: ignore[assignment, method-assign]
    run()


def before_first() -> None:
    """Run the program up to where it would open its first share."""
    _dying_before(1)


def before_second() -> None:
    """Run the program up to where it would open its second share."""
    _dying_before(2)
