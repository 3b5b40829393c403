"""The process that others are forked from (`tests.forks`): it has run the program, and holds nothing open.

A message asks for a process, with a descriptor to tell how it ended and those of its streams. Beside each process
that was asked for there is a keeper, its parent, who waits for its end.
"""

import ctypes
import fcntl
import gc
import importlib
import json
import os
import random
import resource
import signal
import socket
import sys
import termios
from contextlib import redirect_stdout, suppress
from io import StringIO
from tempfile import TemporaryDirectory
from typing import Any

from pokersvc.cli.main import main as run

IMPORTED = (
    "pokersvc.cli.evidence.audit", "pokersvc.cli.drawing.drawn_screen", "pokersvc.cli.drawing.prompt",
    "pokersvc.cli.statistics.stats", "pokersvc.evidence.spoken_head", "prompt_toolkit.input.vt100",
    "tests.service.crowd", "tests.service.sender",
)  # fmt: skip
RUN = (
    ("play", "--auto", "--rounds", "1"),
    ("games",),
    ("history", "last"),
    ("replay", "last"),
    ("events", "last"),
    ("db", "check"),
    ("advise", "AC AD JH 3S 2D"),
    ("play", "--auto", "--rules", "no-limit", "--players", "2", "--rounds", "1"),
    ("play", "--auto", "--game", "kalah", "--holes", "1", "--beans", "1", "--opponents", "random"),
    ("play", "--auto", "--game", "market", "--markets", "1", "--opponents", "random", "--rounds", "1"),
)
"""What the program does before anything is forked: most of what it needs is made when it is first used."""

LONGEST_REQUEST = 1 << 17
DROP_FROM_BOUNDING_SET = 24
"""`PR_CAPBSET_DROP` of Linux."""
CAPABILITIES_VERSION = 0x20080522
"""`_LINUX_CAPABILITY_VERSION_3`."""


def main() -> None:
    """Fork processes on request, until the other end is closed."""
    for name in IMPORTED:
        importlib.import_module(name)
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        for command in RUN:
            assert not run(["--db", f"{folder}/games.sqlite", *command])
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who presses Ctrl-C means the tests
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        while True:
            request, descriptors, _, _ = socket.recv_fds(requests, LONGEST_REQUEST, 4)
            if not request:
                return
            if not os.fork():
                break
            for descriptor in descriptors:
                os.close(descriptor)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    _keep(json.loads(request), *descriptors)


def _keep(request: dict[str, Any], status: int, *streams: int) -> None:
    """Fork the requested process, and send its ID and its exit status."""
    if not (pid := os.fork()):
        os.close(status)
        return _become(streams, **request)
    for stream in streams:
        os.close(stream)
    os.write(status, b"%d\n" % pid)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(BrokenPipeError):
        os.write(status, b"%d\n" % code)
    os._exit(0)


def _become(
    streams: tuple[int, ...],
    function: str,
    arguments: list[str],
    home: str,
    environment: dict[str, str],
    size: int | None,
    at_terminal: bool,
    powerless: bool,
) -> None:
    """Run a function as Python runs a program that it starts."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if at_terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", errors="surrogateescape", newline="\n", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", newline="\n", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", newline="\n", closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(home)
    os.environ.clear()
    os.environ.update(environment)
    random.seed()
    if size is not None:
        sys.dont_write_bytecode = True  # a module that is cut short would be kept
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    if powerless:
        _drop_capabilities()
    sys.argv[1:] = arguments
    module, _, name = function.partition(":")
    getattr(importlib.import_module(module), name)()


def _drop_capabilities() -> None:
    """Drop root's capabilities, also for what this process starts; who is not root has none."""
    system = ctypes.CDLL(None)
    number = 0
    while os.geteuid() == 0 and not system.prctl(DROP_FROM_BOUNDING_SET, number, 0, 0, 0):
        number += 1
    assert not system.capset((ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)())


if __name__ == "__main__":
    main()
