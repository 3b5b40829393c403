"""Places Python's objects in a player's memory so that the process can be copied quickly at each choice.

Copying a process takes longer the more pages it has. A copy also runs slower the more of these pages it writes to, if
only to count a reference, because each such page is copied. All of this saves time and changes nothing else: where the
C library, Python or the kernel lacks what a function needs, the function does nothing.
"""

import ctypes
import gc
from contextlib import suppress
from typing import Final

from pokersvc.players.box import kernel

_HUGE: Final = 2 << 20
_TRIM, _TOP_UP, _MAPPED_FROM = -1, -2, -3
"""M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD of mallopt(3)."""
_LARGE: Final = 4 << 20
"""The C library maps memory of this many bytes by itself; smaller memory, with Python's arenas, is in its heap."""
POOL: Final = 1 << 14
_POOL_HEADER: Final = 48
"""Bytes of a pool, in which Python keeps objects of one size, and of its header (Objects/obmalloc.c)."""
_STEP: Final = 16
_MOST_SMALL: Final = 512
"""Python's pools hold objects of up to this many bytes; a pool's objects have equal sizes, a multiple of `_STEP`."""
_NO_GAP: Final = 4
"""If this many objects are in a row from the beginning of a pool, the pool has no gaps."""
_MOST_GAPS: Final = 1 << 12
"""The maximum number of gaps of one size that are filled, in case pools have unexpected sizes."""


class _Allocator(ctypes.Structure):
    """PyMemAllocatorEx."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("context", "malloc", "calloc", "realloc", "free"))


class _ArenaAllocator(ctypes.Structure):
    """PyObjectArenaAllocator."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("context", "alloc", "free"))


_kept: list[object] = []
"""Objects that are never freed: those whose memory was allocated in another way, and those that fill gaps."""


def keep_objects_together() -> None:
    """From now on, have Python take its memory from the C library's heap, which is in one piece.

    Otherwise each MiB is mapped by itself, between libraries, and does not fill a huge page. The process must end by
    `os._exit`: at its end Python would return to the heap what was mapped before.
    """
    with suppress(AttributeError):  # another C library, or another Python
        tune, python = ctypes.CDLL(None).mallopt, ctypes.pythonapi
        allocator, set_arenas = python.PyMem_GetAllocator, python.PyObject_SetArenaAllocator
        for option, most in ((_MAPPED_FROM, _LARGE), (_TRIM, 16 * _LARGE), (_TOP_UP, 8 * _LARGE)):
            tune(option, most)
        raw = _Allocator()
        allocator(ctypes.c_int(0), ctypes.byref(raw))
        # The function for freeing an arena also gets its size, in a register that the one for memory does not read.
        arenas = _ArenaAllocator(raw.context, raw.malloc, raw.free)
        _kept.append(gc.get_objects())
        set_arenas(ctypes.byref(arenas))


def fill_gaps() -> None:
    """Fill the gaps between objects, so that later objects are beside each other and touch fewer pages."""
    if not _has_pools():  # without pools, filling would only take memory
        return
    for size in range(_STEP, _MOST_SMALL + 1, _STEP):
        in_a_row, next_place = 0, -1
        for number in range(_MOST_GAPS):
            one = _of_size(size, number)
            _kept.append(one)
            begins = id(one) % POOL == _POOL_HEADER
            in_a_row = in_a_row + 1 if id(one) == next_place else int(begins)
            next_place = id(one) + size if in_a_row else -1
            if in_a_row == _NO_GAP:  # a new pool: there are no gaps left
                break


def _has_pools() -> bool:
    """Return whether Python keeps objects in pools of the form described in this module.

    A debug build may keep more with each object, and a Python without a global lock has an allocator of its own. If
    all memory comes from the C library (``PYTHONMALLOC=malloc``), objects do not lie where a pool would have them.
    """
    if object.__basicsize__ != _STEP or _BYTES > 3 * _STEP:
        return False
    some = [_of_size(_MOST_SMALL, number) for number in range(_TRIED)]
    return all((id(one) % POOL - _POOL_HEADER) % _MOST_SMALL == 0 for one in some)


def _of_size(size: int, number: int) -> object:
    """Return a new object of ``size`` bytes, not counting the bytes that garbage collection puts before an object."""
    if size == _STEP:
        return object()
    return _LARGE + number if size == 2 * _STEP else bytes(size - _BYTES)


_BYTES: Final = b"".__sizeof__()
_TRIED: Final = 32
"""The number of objects that suffices to tell whether memory is in pools."""


def use_huge_pages() -> None:
    """Move Python's objects into huge pages if the kernel can, which makes copying the process cheap."""
    libc, top = ctypes.CDLL(None), 0
    try:
        advise = libc.madvise
    except AttributeError:
        return
    with suppress(AttributeError):  # a C library without `sbrk`
        libc.sbrk.restype = ctypes.c_size_t
        top = libc.sbrk(ctypes.c_ssize_t(0))
    blocks = {id(one) // _HUGE * _HUGE for one in gc.get_objects()}
    if in_heap := [block for block in blocks if block < top]:
        blocks.update(range(min(in_heap), top, _HUGE))
    for start in blocks:
        # A kernel that cannot do this refuses and changes nothing: before Linux 6.1, without huge pages, or with other
        # page sizes.
        advise(ctypes.c_void_p(start), ctypes.c_size_t(_HUGE), kernel.COLLAPSE)
