"""Asks the kernel for the result of system calls under a filter.

No call that is tried is ever made, so none can do harm, whatever a filter lets through: beside the filter that is
tried, another has all calls with a mark fail. Of two filters' answers the kernel takes the stricter; of two errors,
that of the filter that was installed last.
"""

import ctypes
import mmap
import os
import pickle
import sys
from array import array
from collections.abc import Callable, Sequence
from struct import pack
from typing import Final, NamedTuple, NoReturn

Step = tuple[int, int, int, int]
"""An instruction of BPF."""


class Try(NamedTuple):
    """A call to be tried; its sixth argument is the mark."""

    number: int
    arguments: tuple[int, int, int, int, int]
    by_interrupt: bool = False
    """Whether to call by ``int 0x80``, as 32-bit programs do."""


MARK: Final = 0x6D61726B
LET_THROUGH, TRACED = 3996, 3997
"""Pseudo errors that stand for these answers; no system call returns them."""
_NOT_TRIED: Final = 1 << 30
_FAIL_IF_MARKED: Final = [(0x20, 0, 0, 16 + 8 * 5), (0x15, 0, 1, MARK), (6, 0, 0, 0x50000 | LET_THROUGH),
                          (6, 0, 0, 0x7FFF0000)]  # fmt: skip
_INTERRUPT: Final = (
    b"\x53\x55"  # push rbx; push rbp
    b"\x89\xf8"  # mov eax, edi: the number
    b"\x83\xcb\xff\x83\xc9\xff\x83\xca\xff\x83\xce\xff\x83\xcf\xff"  # ebx, ecx, edx, esi and edi: -1
    b"\xbd" + pack("<I", MARK) +  # mov ebp, MARK
    b"\xcd\x80"  # int 0x80
    b"\x5d\x5b\xc3"  # pop rbp; pop rbx; ret
)  # fmt: skip


def ask(install: Callable[[list[Step]], object]) -> NoReturn:
    """Read calls and a filter from standard input, try the calls, and write the results to standard output.

    That is the error of each, 0 where it had none, or below 0 the signal that ended the process. ``inherited`` says
    that the filter is to be installed once, for all processes; one that lets none be started cannot be.
    """
    steps, inherited, tries = pickle.load(sys.stdin.buffer)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.argtypes, libc.syscall.restype = [ctypes.c_ulong] * 7, ctypes.c_long
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(_INTERRUPT)
    interrupt = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    results = memoryview(mmap.mmap(-1, 4 * len(tries))).cast("i")
    results[:] = array("i", [_NOT_TRIED]) * len(tries)

    def error(number: int, arguments: Sequence[int], by_interrupt: bool) -> int:
        if by_interrupt:
            result: int = interrupt(number)
            return max(-result, 0)
        return ctypes.get_errno() if libc.syscall(number, *arguments, MARK) == -1 else 0

    def restrict() -> None:
        install(_FAIL_IF_MARKED)
        if error(39, [0] * 5, by_interrupt=False) != LET_THROUGH:
            raise OSError("calls that are tried would be made")
        install(steps)

    libc.prctl(4, 0)  # PR_SET_DUMPABLE: a thousand processes end here, and none needs a core dump
    if inherited:
        restrict()
    done = 0
    while done < len(tries):
        if not (pid := os.fork()):
            if not inherited:
                restrict()
            for place in range(done, len(tries)):
                results[place] = error(*tries[place])
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        while done < len(tries) and results[done] != _NOT_TRIED:
            done += 1
        if done < len(tries):
            if not os.WIFSIGNALED(status):
                raise ChildProcessError(f"the process that should try {tries[done]} has ended with {status}")
            results[done] = -os.WTERMSIG(status)
            done += 1
    sys.stdout.buffer.write(results)
    sys.stdout.buffer.flush()
    os._exit(0)  # what else runs when a process ends may need calls that the filter refuses
