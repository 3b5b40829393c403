"""Ports for servers that tests start as separate processes."""

import atexit
import fcntl
import os
import socket
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Final

_PORTS: Final = range(10_000, 20_000)
"""The range of ports, below those that the system assigns by itself."""


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port on which nothing listens; no other process of tests is given it while this one lives."""
    folder = Path(gettempdir()) / f"pokersvc-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for port in Random().sample(_PORTS, len(_PORTS)):
        file = (folder / str(port)).open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            socket.create_server((host, port)).close()
        except OSError:  # somebody has it
            file.close()
            continue
        atexit.register(file.close)
        return port
    raise AssertionError("no port is free")
