"""Tries, from inside a box, everything that a box must prevent."""

import _thread
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from pokersvc.players.box.limits import THREADS
from pokersvc.players.box.spec import Bait


def open_doors(bait: Bait, *, network: bool) -> list[str]:
    """Return the forbidden actions that succeed when they are tried from inside the box."""
    doors: list[tuple[str, Callable[[], object]]] = [
        *((f"read {file}", lambda file=file: os.close(os.open(file, os.O_RDONLY))) for file in bait.files),
        ("see other processes", lambda: os.listdir("/proc")),  # noqa: PTH208 - as a player would
        ("signal the game", lambda: os.kill(bait.pid, 0)),
        ("start a process", _fork),
        ("write beside its scratch space", lambda: os.mkdir("/player/found")),  # noqa: PTH102
        ("start threads without end", _start_threads),
    ]
    if not network:
        doors.append(("connect", lambda: socket.create_connection(("127.0.0.1", bait.port), 5).close()))
    return [door for door, through in doors if _opens(through)]


def _fork() -> None:
    if not os.fork():
        os._exit(0)


def _start_threads() -> None:
    """Start more threads than are allowed; they wait until this process ends."""
    waiting = _thread.allocate_lock()
    waiting.acquire()
    try:
        for _ in range(THREADS):
            _thread.start_new_thread(waiting.acquire, ())
    except RuntimeError as error:
        raise OSError from error


def _opens(through: Callable[[], object]) -> bool:
    with suppress(OSError):
        through()
        return True
    return False
