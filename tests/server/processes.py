"""`pokersvc serve` as processes of their own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SERVER = ("-m", "pokersvc")


@contextmanager
def process(
    database: object, port: int, *options: str, program: Sequence[str] = SERVER, before: Sequence[str] = ()
) -> Iterator[subprocess.Popen[str]]:
    """Serve in a process of its own; it is killed at the end, if it still runs. ``before`` becomes that process."""
    command = [*before, sys.executable, *program, "--db", str(database), "serve", "--port", str(port), *options]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert running.stdout is not None
        assert re.match("Serving on", running.stdout.readline())
        yield running
    finally:
        running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()
