"""Memory: how much this process may take, and sizes as people write them, such as ``512MB``."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from pokersvc.errors import InvalidValue

LEAST: Final = 16 * 10**6
MOST: Final = 10**15
UNKNOWN: Final = 2 * 10**9
"""The bytes of memory assumed for a machine whose system does not report them."""
_CONTAINER: Final = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""The files in which Linux states the memory limit of a container: control groups of version 2 and of version 1."""
_WRITTEN: Final = re.compile(r"(\d{1,18}(?:\.\d{1,9})?) ?(?:([KMGT])(I?)B?|B)?", re.ASCII | re.IGNORECASE)
_POWERS: Final = {"K": 1, "M": 2, "G": 3, "T": 4}


def of_this_machine() -> int:
    """Return the bytes of memory of the machine, or the limit of this process's container if that is lower."""
    found = []
    with suppress(ValueError, OSError, AttributeError):  # not on every system
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in _CONTAINER:
        with suppress(ValueError, OSError):  # "max": no limit
            found.append(int(path.read_text("ascii")))
    return min((one for one in found if one > 0), default=UNKNOWN)


def half_of_this_machine() -> int:
    """Return the bytes that a service's games may take by default: half of the memory, but at least `LEAST`."""
    return max(of_this_machine() // 2, LEAST)


def bytes_of(text: str) -> int:
    """Parse a size such as ``512MB`` into bytes; raise `InvalidValue` if it is invalid, too small or too large.

    >>> bytes_of("512MB"), bytes_of("1.5 GiB"), bytes_of("64000000")
    (512000000, 1610612736, 64000000)
    """
    read = _WRITTEN.fullmatch(text.strip())
    if read is None:
        raise InvalidValue(f"{text!r} is not an amount of memory; it is like 512MB, 2GB or 2GiB.")
    number, unit, binary = read.groups()
    found = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.upper()]) if unit else int(float(number))
    if not LEAST <= found <= MOST:
        raise InvalidValue(f"{text!r} of memory cannot be set; it must be at least 16MB and at most 1000TB.")
    return found
