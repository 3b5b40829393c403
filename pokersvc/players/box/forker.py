"""A loaded player, stopped for good: choices are copies of it.

The process is traced (ptrace(2)) and stands at the beginning of its own call of fork. To make a copy, the tracer lets
that one call happen, and sets the process back to where it began. So it runs no instruction of its own between two
copies: it hears of no choice, and what was replaced in it, even `os.fork`, is never asked.
"""

import ctypes
import os
import signal
from collections.abc import Callable, Sequence
from errno import EPERM
from pathlib import Path
from struct import pack, unpack
from typing import Final

from pokersvc.players.box.seccomp import CLONE

_PTRACE: Final = ctypes.CDLL(None, use_errno=True).ptrace
_PTRACE.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_PTRACE.restype = ctypes.c_long
_CONTINUE, _DETACH, _TO_END_OF_CALL, _SET_OPTIONS = 7, 17, 24, 0x4200
_MESSAGE, _GET_REGISTERS, _SET_REGISTERS, _SEIZE = 0x4201, 0x4204, 0x4205, 0x4206
_MARK_CALLS, _SEE_FORKS, _SEE_CLONES, _SEE_REFUSED, _KILL_WITH_TRACER = 1, 2, 8, 0x80, 0x100000
_FORKED, _CLONED, _REFUSED = 1, 3, 7
"""Requests, options and events of ptrace(2)."""
_GENERAL: Final = 1
"""NT_PRSTATUS: the general registers."""
_REGISTERS: Final = "27Q"
_RESULT, _FLAGS, _STACK, _CALL, _NEXT = 10, 14, 13, 15, 16
"""Where rax, rdi, rsi, orig_rax and rip are among the registers of x86-64."""
_SIZE_OF_CALL: Final = 2
_EVERY_CHILD: Final = 0x40000000
"""__WALL of waitpid(2)."""

_FORK_FLAGS: Final = 0x01000000 | 0x00200000 | signal.SIGCHLD
"""CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID: those of the C library's fork. Nothing is shared with the copy."""
_SIBLING: Final = 0x8000
"""CLONE_PARENT: the copy is its tracer's child, which thus learns how it ended, as the player does not."""


class PlayerEndedError(Exception):
    """The process that should be copied has ended."""


class Forker:
    """The process of a player, from before it loads, and traced by this one: its parent."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._parked: bytes = b""
        _ptrace(_SEIZE, pid, 0, _SEE_REFUSED | _MARK_CALLS | _KILL_WITH_TRACER)

    def loading(self) -> bool:
        """Let the process continue past a stop, if it has stopped; True where it is about to fork."""
        pid, status = os.waitpid(self.pid, _EVERY_CHILD | os.WNOHANG)
        if not pid:
            return False
        if not os.WIFSTOPPED(status):
            raise PlayerEndedError
        if status >> 16 == _REFUSED:
            return True
        signalled = os.WSTOPSIG(status)
        _ptrace(_CONTINUE, self.pid, 0, 0 if status >> 16 or signalled == signal.SIGTRAP else signalled)
        return False

    def refuse(self) -> None:
        """Have the call that it is about to make fail."""
        registers = self._registers()
        registers[_CALL], registers[_RESULT] = 2**64 - 1, 2**64 - EPERM
        self._set(pack(_REGISTERS, *registers))
        _ptrace(_CONTINUE, self.pid, 0, 0)

    def fork_once(self) -> None:
        """Let it fork, and continue; nobody traces its child."""
        _ptrace(_CONTINUE, self.pid, 0, 0)

    def park(self) -> None:
        """Keep it where it is about to fork; ValueError where that is no plain fork."""
        registers = self._registers()
        if (registers[_CALL], registers[_FLAGS], registers[_STACK]) != (CLONE, _FORK_FLAGS, 0):
            raise ValueError("it has replaced how processes are started")
        _ptrace(_SET_OPTIONS, self.pid, 0, _SEE_REFUSED | _MARK_CALLS | _KILL_WITH_TRACER | _SEE_FORKS | _SEE_CLONES)
        registers[_FLAGS] |= _SIBLING
        self._set(pack(_REGISTERS, *registers))
        registers[_NEXT] -= _SIZE_OF_CALL
        registers[_RESULT] = CLONE
        self._parked = pack(_REGISTERS, *registers)

    def copy(self) -> int:
        """Return the process of a new copy, which waits until it is let `go`."""
        event = self._run_to(_CONTINUE, lambda status: status >> 16 in {_FORKED, _CLONED})
        assert event
        message = ctypes.c_ulong()
        _ptrace(_MESSAGE, self.pid, 0, ctypes.addressof(message))
        self._run_to(_TO_END_OF_CALL, lambda status: os.WSTOPSIG(status) == signal.SIGTRAP | 0x80)
        self._set(self._parked)
        self._run_to(_CONTINUE, lambda status: status >> 16 == _REFUSED)
        os.waitpid(message.value, _EVERY_CHILD)
        return message.value

    def _run_to(self, request: int, arrived: Callable[[int], bool]) -> int:
        while True:
            _ptrace(request, self.pid, 0, 0)
            _, status = os.waitpid(self.pid, _EVERY_CHILD)
            if not os.WIFSTOPPED(status):
                raise PlayerEndedError
            if arrived(status):
                return status

    def _registers(self) -> list[int]:
        held = ctypes.create_string_buffer(27 * 8)
        vector = ctypes.create_string_buffer(pack("QQ", ctypes.addressof(held), len(held)))
        _ptrace(_GET_REGISTERS, self.pid, _GENERAL, ctypes.addressof(vector))
        return list(unpack(_REGISTERS, held.raw))

    def _set(self, registers: bytes) -> None:
        held = ctypes.create_string_buffer(registers, len(registers))
        vector = ctypes.create_string_buffer(pack("QQ", ctypes.addressof(held), len(held)))
        _ptrace(_SET_REGISTERS, self.pid, _GENERAL, ctypes.addressof(vector))


def go(pid: int) -> None:
    """Let a copy run; nobody traces it from here on."""
    _ptrace(_DETACH, pid, 0, 0)


def shared_with_copies(pid: int, known: Sequence[os.stat_result]) -> str | None:
    """Say what a process would share with its copies, so that one could tell the next; None where there is nothing.

    ``known`` are the files that it should have open, by their numbers.
    """
    process = Path(f"/proc/{pid}")
    if len(list((process / "task").iterdir())) > 1:
        return "it leaves threads running after loading; start them in choose"
    for file in (process / "fd").iterdir():
        number, found = int(file.name), file.stat()
        if number >= len(known) or (found.st_dev, found.st_ino) != (known[number].st_dev, known[number].st_ino):
            return f"it keeps {file.readlink()} open after loading; close it"
    mapped = ""
    for line in (process / "smaps").read_text().splitlines():
        first, *others = line.split()
        if not first.endswith(":"):
            mapped = line.partition(" /")[2]
        elif first == "VmFlags:" and {"sh", "mw"} <= {*others}:
            return f"it keeps memory after loading that its choices would share ({mapped or 'of no file'})"
    if (process / "cwd").stat().st_dev != (process / "root").stat().st_dev:
        return "it changes its current folder when it is loaded; do so in choose"
    return None


def _ptrace(request: int, pid: int, address: int, data: int) -> None:
    if _PTRACE(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise PlayerEndedError if number == 3 else OSError(number, os.strerror(number))
