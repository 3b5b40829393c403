"""How much a player may take: memory, files, and processor time."""

import resource
from typing import Final

MEMORY: Final = 4 << 30
"""Bytes of address space of a player, and so of each choice: there is one at a time."""
SCRATCH: Final = 64 << 20
"""Bytes of the files that a choice may have at once, and of each of them."""
SCRATCH_FILES: Final = 4096
OPEN_FILES: Final = 256
SPARE_SECONDS: Final = 1
"""Processor time of a choice beyond its limit, which counts what all of its threads take."""


def set_limits() -> None:
    """Limit this process and what it starts."""
    for which, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, SCRATCH),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(which)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (allowed, allowed))


def limit_time(pid: int, seconds: int) -> None:
    """Limit the processor time of another process: it is told with a signal, and ended a second later."""
    resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
