"""Keeps the process of a loaded player suspended, and copies that process for each choice.

The process is traced (ptrace(2)) and stands at the beginning of its own call of fork. To make a copy, the tracer lets
that one call happen, and resets the process to where the call began. So the process runs no instruction of its own
between two copies. It learns of no choice, and nothing that was replaced in it, not even `os.fork`, is ever called.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable
from errno import EPERM
from pathlib import Path
from struct import calcsize, pack, unpack
from typing import Final

from pokersvc.errors import quoted
from pokersvc.players.box.seccomp import CLONE, MADVISE

_PTRACE: Final = ctypes.CDLL(None, use_errno=True).ptrace
_PTRACE.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_PTRACE.restype = ctypes.c_long
_CONTINUE, _DETACH, _TO_END_OF_CALL, _SET_OPTIONS = 7, 17, 24, 0x4200
_MESSAGE, _GET_REGISTERS, _SET_REGISTERS, _SEIZE, _GET_RESTARTS = 0x4201, 0x4204, 0x4205, 0x4206, 0x420F
_GET_BLOCKED, _SET_BLOCKED = 0x420A, 0x420B
_MARK_CALLS, _SEE_FORKS, _SEE_CLONES, _SEE_REFUSED, _KILL_WITH_TRACER = 1, 2, 8, 0x80, 0x100000
_FORKED, _CLONED, _REFUSED = 1, 3, 7
"""Requests, options and events of ptrace(2)."""
_GENERAL: Final = 1
"""NT_PRSTATUS: the general registers."""
_REGISTERS: Final = "27Q"
_RESULT, _FLAGS, _STACK, _CALL, _NEXT = 10, 14, 13, 15, 16
"""Indices of rax, rdi, rsi, orig_rax and rip among the registers of x86-64."""
_SIZE_OF_CALL: Final = 2
_EVERY_CHILD: Final = 0x40000000
"""__WALL of waitpid(2)."""

_FORK_FLAGS: Final = 0x01000000 | 0x00200000 | signal.SIGCHLD
"""CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID: the flags of the C library's fork, which shares nothing with the copy."""
_SIBLING: Final = 0x8000
"""CLONE_PARENT: the copy becomes a child of the tracer, so the tracer learns how it ended and the player does not."""


class PlayerEndedError(Exception):
    """Raised when the process to copy has ended or can no longer be copied."""


class _Vector(ctypes.Structure):
    """Where registers are (struct iovec)."""

    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t))


class Forker:
    """Traces a player's process, a child of this one, from before the player loads; stops it and makes copies of it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._parked = self._standing = self._blocked = b""
        """The process's registers just before its call of fork and in that call, and the signals that it blocks."""
        self._room = ctypes.create_string_buffer(calcsize(_REGISTERS))
        self._vector = _Vector(ctypes.addressof(self._room), calcsize(_REGISTERS))
        _ptrace(_SEIZE, pid, 0, _SEE_REFUSED | _MARK_CALLS | _KILL_WITH_TRACER)

    def loading(self) -> bool:
        """Return whether the process has stopped to fork; continue it past any other stop."""
        pid, status = os.waitpid(self.pid, _EVERY_CHILD | os.WNOHANG)
        if not pid:
            return False
        if not os.WIFSTOPPED(status):
            raise PlayerEndedError
        if _at_call(status) and self._registers()[_CALL] != MADVISE:
            return True
        signalled = os.WSTOPSIG(status)
        _ptrace(_CONTINUE, self.pid, 0, 0 if status >> 16 or signalled == signal.SIGTRAP else signalled)
        return False

    def refuse(self) -> None:
        """Make the process's pending system call fail, and continue the process."""
        registers = self._registers()
        registers[_CALL], registers[_RESULT] = 2**64 - 1, 2**64 - EPERM
        self._set(pack(_REGISTERS, *registers))
        _ptrace(_CONTINUE, self.pid, 0, 0)

    def fork_once(self) -> None:
        """Let the process fork and continue; the child is not traced."""
        _ptrace(_CONTINUE, self.pid, 0, 0)

    def park(self) -> None:
        """Keep the process stopped where it is about to fork; raise ValueError unless that is a plain fork."""
        registers = self._registers()
        if (registers[_CALL], registers[_FLAGS], registers[_STACK]) != (CLONE, _FORK_FLAGS, 0) or self.restarts():
            raise ValueError("it has replaced how processes are started")
        _ptrace(_SET_OPTIONS, self.pid, 0, _SEE_REFUSED | _MARK_CALLS | _KILL_WITH_TRACER | _SEE_FORKS | _SEE_CLONES)
        self._blocked = _blocked(self.pid)
        _block(self.pid, b"\xff" * 8)  # otherwise a timer of the player's would interrupt each fork
        registers[_FLAGS] |= _SIBLING
        self._standing = pack(_REGISTERS, *registers)
        self._set(self._standing)
        registers[_NEXT] -= _SIZE_OF_CALL
        registers[_RESULT] = CLONE
        self._parked = pack(_REGISTERS, *registers)

    def copy(self) -> int:
        """Return the process ID of a new copy, which waits until `go` releases it."""
        # If the fork fails, the process only finishes the call, and would then run the player's code.
        latest = time.monotonic() + 5
        while not self._forks():
            if time.monotonic() > latest:
                raise PlayerEndedError
            time.sleep(0.01)
        message = ctypes.c_ulong()
        _ptrace(_MESSAGE, self.pid, 0, ctypes.addressof(message))
        self._run_to(_TO_END_OF_CALL, _at_end_of_call)
        self._again()
        os.waitpid(message.value, _EVERY_CHILD)
        _block(message.value, self._blocked)
        return message.value

    def _forks(self) -> bool:
        """Let the process fork; if that fails (EAGAIN, ENOMEM), reset the process and return False."""
        status = self._run_to(_TO_END_OF_CALL, _forked_or_at_end_of_call)
        if status >> 16 == _FORKED:
            return True
        self._again()
        return False

    def _again(self) -> None:
        """Reset the process to before its call of fork, and run it up to that call again."""
        self._set(self._parked)
        self._run_to(_CONTINUE, _at_call)
        if self._held() != self._standing:
            raise PlayerEndedError  # the player's own code made this call

    def restarts(self) -> bool:
        """Return whether the stopped process uses rseq(2), by which the kernel may continue it at another place."""
        held = ctypes.create_string_buffer(24)
        try:
            _ptrace(_GET_RESTARTS, self.pid, len(held), ctypes.addressof(held))
        except OSError:  # the kernel does not know this request
            return False
        return held.raw[:8] != bytes(8)

    def _run_to(self, request: int, arrived: Callable[[int], bool]) -> int:
        """Run the process to its next stop; raise `PlayerEndedError` unless ``arrived`` accepts the status there."""
        _ptrace(request, self.pid, 0, 0)
        _, status = os.waitpid(self.pid, _EVERY_CHILD)
        if not os.WIFSTOPPED(status) or not arrived(status):
            raise PlayerEndedError
        return status

    def _registers(self) -> list[int]:
        return list(unpack(_REGISTERS, self._held()))

    def _held(self) -> bytes:
        """Return the registers as bytes."""
        self._vector.size = calcsize(_REGISTERS)
        _ptrace(_GET_REGISTERS, self.pid, _GENERAL, ctypes.addressof(self._vector))
        return self._room.raw

    def _set(self, registers: bytes) -> None:
        self._room.raw, self._vector.size = registers, len(registers)
        _ptrace(_SET_REGISTERS, self.pid, _GENERAL, ctypes.addressof(self._vector))


def _at_call(status: int) -> bool:
    return status >> 16 == _REFUSED


def _at_end_of_call(status: int) -> bool:
    return status >> 8 == signal.SIGTRAP | 0x80


def _forked_or_at_end_of_call(status: int) -> bool:
    return status >> 16 == _FORKED or _at_end_of_call(status)


def go(pid: int) -> None:
    """Let a copy run, untraced."""
    _ptrace(_DETACH, pid, 0, 0)


def _blocked(pid: int) -> bytes:
    held = ctypes.create_string_buffer(8)
    _ptrace(_GET_BLOCKED, pid, len(held), ctypes.addressof(held))
    return held.raw


def _block(pid: int, signals: bytes) -> None:
    held = ctypes.create_string_buffer(signals, len(signals))
    _ptrace(_SET_BLOCKED, pid, len(held), ctypes.addressof(held))


def shared_with_copies(pid: int, device: int | None = None) -> str | None:
    """Describe anything through which one copy of a process could inform the next; return None if there is nothing."""
    process = Path(f"/proc/{pid}")
    if "Threads:\t1" not in (process / "status").read_text().splitlines():  # a listing of threads may miss a new one
        return "it leaves threads running after loading; start them in choose"
    for file in (process / "fd").iterdir():
        return f"it keeps {quoted(str(file.readlink()))} open after loading; close it"
    mapped = ""
    for line in (process / "smaps").read_text().splitlines():
        first, *others = line.split()
        if not first.endswith(":"):
            mapped = line.partition(" /")[2]
            major, minor = (int(half, 16) for half in others[2].split(":"))
            if os.makedev(major, minor) == device:
                return f"it keeps a file mapped after loading that its choices would share ({quoted(mapped)})"
        elif first == "VmFlags:" and {"sh", "mw"} <= {*others}:
            of = quoted(mapped) if mapped else "no file"
            return f"it keeps memory after loading that its choices would share (of {of})"
    if (process / "cwd").stat().st_dev != (process / "root").stat().st_dev:
        return "it changes its current folder when it is loaded; do so in choose"
    return None


def _ptrace(request: int, pid: int, address: int, data: int) -> None:
    if _PTRACE(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise PlayerEndedError if number == 3 else OSError(number, os.strerror(number))
