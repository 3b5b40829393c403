"""Limits on the resources of a player: memory, files, threads, and processor time."""

import os
import resource
from typing import Final

MEMORY: Final = 4 << 30
"""The maximum address space of each process of a player, in bytes; one choice is made at a time."""
SCRATCH: Final = 64 << 20
"""The maximum bytes of all files that a choice has at once, and of each single file."""
SCRATCH_FILES: Final = 4096
OPEN_FILES: Final = 256
THREADS: Final = 8
"""The maximum number of threads of a choice; with more, it would leave too little processor time to others."""
SPARE_SECONDS: Final = 1
"""Seconds of processor time of a choice beyond its limit; the time of all of its threads counts."""
OLDEST_LINUX: Final = (5, 14)
"""The first Linux that counts a user's processes for each user namespace separately, and so for each box."""


def set_limits(others: int = 0) -> None:
    """Limit this process and its children; ``others`` counts the box's other processes of the same user."""
    for which, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, SCRATCH),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, others + 1 + THREADS),
        (resource.RLIMIT_CORE, 1),  # with 0, a program that collects core dumps would be started outside
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(which)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (allowed, allowed))


def limit_time(pid: int, seconds: int) -> None:
    """Limit the processor time of another process: it gets a signal at the limit, and is killed a second later."""
    resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


RUNS, STANDS = 1000, 500
"""Scores for `end_first`: when memory runs out, a process that runs is ended before a player that is stopped."""


def end_first(process: int | str, score: int) -> None:
    """Set the score of a process (its ID or ``self``): when memory runs out, processes with higher scores end first."""
    file = os.open(f"/proc/{process}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)  # for each choice, so without Path
    try:
        os.write(file, b"%d" % score)
    finally:
        os.close(file)
