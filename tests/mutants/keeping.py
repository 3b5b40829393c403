"""A command that is ended after a time together with everything that it started: ``python -m tests.mutants.keeping``.

A process may leave its group for a session of its own, and its parent may end before it does. On Linux this process
becomes the parent of those that are left, so none can hide from it; elsewhere the command's group alone is ended.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
TIMED_OUT: Final = 124
"""The exit code for a command that took too long, as in timeout(1)."""
MOST_MEMORY: Final = 4 << 30
"""The maximum memory of a process in bytes, because endless loops often allocate ever more."""
ROOT: Final = Path(__file__).parents[2]


def kept(
    command: Sequence[str], seconds: float, *, home: Path, environment: Mapping[str, str], output: Path
) -> int | None:
    """Run a command; return its exit code, or None if it took longer than that and was ended with all it started."""
    keeper = [sys.executable, "-m", "tests.mutants.keeping", str(seconds), str(home), *command]
    with output.open("wb") as printed:
        process = subprocess.Popen(
            keeper, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT
        )
        try:
            code = process.wait()
        except BaseException:
            process.terminate()  # it ends what it started
            process.wait()
            raise
    return None if code == TIMED_OUT else code


def main(seconds: float, home: str, command: Sequence[str]) -> int:
    """Run the command in its own session, and end all of its processes."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(TIMED_OUT))
    process = subprocess.Popen(command, cwd=home, start_new_session=True)
    try:
        return process.wait(seconds) & 0xFF
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        _end_the_others()  # and the command: `Popen.wait` may have been left by a signal with its lock taken
        if process.returncode is None:
            process.returncode = -signal.SIGKILL


def _end_the_others() -> None:
    """End and reap all descendants, including orphans, which become children of this process."""
    while True:
        for pid in _descendants():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)


def _descendants() -> list[int]:
    """Return the descendants of this process; empty if the system does not list them."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = (folder / "stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
            children.setdefault(int(said[1]), []).append(int(folder.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2], sys.argv[3:]))
