"""How much a player may take: memory, files, threads, and processor time."""

import resource
from pathlib import Path
from typing import Final

MEMORY: Final = 4 << 30
"""Bytes of address space of a player, and so of each choice: there is one at a time."""
SCRATCH: Final = 64 << 20
"""Bytes of the files that a choice may have at once, and of each of them."""
SCRATCH_FILES: Final = 4096
OPEN_FILES: Final = 256
THREADS: Final = 8
"""Of a choice at a time: with more, the threads of one would leave too little of the processors to another's choice."""
SPARE_SECONDS: Final = 1
"""Processor time of a choice beyond its limit, which counts what all of its threads take."""
OLDEST_LINUX: Final = (5, 14)
"""Since when the processes of a user are counted for each user namespace by itself: in a box, for that box alone."""


def set_limits(others: int = 0) -> None:
    """Limit this process and what it starts; ``others`` are processes that count as the same user's in this box."""
    for which, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, SCRATCH),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, others + 1 + THREADS),
        (resource.RLIMIT_CORE, 1),  # with 0, a program that takes core dumps would be started outside
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(which)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (allowed, allowed))


def limit_time(pid: int, seconds: int) -> None:
    """Limit the processor time of another process: it is told with a signal, and ended a second later."""
    resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


RUNS, STANDS = 1000, 500
"""How soon a process is ended where memory runs out: one that takes it before a player that only stands."""


def end_first(process: int | str, score: int) -> None:
    """Have a process, and what it starts, ended before those with a lower score; it is a number or ``self``."""
    Path(f"/proc/{process}/oom_score_adj").write_text(str(score))
