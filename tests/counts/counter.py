"""Counts the calls, builtins and instructions of this package, which are the same on every machine.

Libraries are not counted, so that their versions do not matter; a call into one is. Nor is C: what a builtin does
inside, such as SQLite or a hash, costs one call of a builtin.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pokersvc

_PACKAGE: Final = str(Path(pokersvc.__file__).parent) + "/"
_MADE = "<string>"
"""Where the functions of dataclasses and named tuples are from, and of values (`pokersvc.core.value`)."""


@cache
def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(_PACKAGE)


def _counts(frame: FrameType) -> bool:
    """Return whether a function belongs to the package, or was generated for a class and is called by the package."""
    code = frame.f_code
    return _is_ours(code) or (code.co_filename == _MADE and frame.f_back is not None and _is_ours(frame.f_back.f_code))


class Counter:
    """Counts while it is in `counting`, in this thread."""

    def __init__(self) -> None:
        self.calls = 0
        """Python functions called and generators resumed: those of the package, and those that it calls."""
        self.builtins = 0
        """Functions in C that the package called."""
        self.instructions = 0
        """Instructions of Python's that the package's functions ran."""

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count during the ``with`` block."""
        gc.disable()
        try:
            sys.settrace(self._entered)
            sys.setprofile(self._called)
            yield
        finally:
            sys.setprofile(None)
            sys.settrace(None)
            gc.enable()

    def each(self, times: int) -> dict[str, float]:
        """Return the counts divided by the number of repetitions."""
        return {
            "calls": self.calls / times,
            "builtins": self.builtins / times,
            "instructions": self.instructions / times,
        }

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            caller = frame.f_back
            self.calls += _counts(frame) or (caller is not None and _is_ours(caller.f_code))
        elif event == "c_call":
            self.builtins += _is_ours(frame.f_code)

    def _entered(self, frame: FrameType, _event: str, _: Any) -> Any:
        if not _counts(frame):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self._ran

    def _ran(self, _frame: FrameType, event: str, _: Any) -> Any:
        self.instructions += event == "opcode"
        return self._ran
