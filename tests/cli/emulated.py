"""A terminal emulator for tests: returns the screen as a person sees it, with all escape codes applied."""

import os
import select
import time
from collections.abc import Callable

import pyte

from tests.cli.program import Terminal

PATIENCE = 30.0


class Seen:
    """The screen of a program that runs at a terminal."""

    def __init__(self, terminal: Terminal, *, rows: int = 24, columns: int = 80) -> None:
        self.terminal = terminal
        self._emulated = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._emulated)
        self.raw = b""
        terminal.resize(rows, columns)

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without spaces at their ends."""
        return [line.rstrip() for line in self._emulated.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def resize(self, rows: int, columns: int) -> None:
        self._emulated.resize(rows, columns)
        self._emulated.reset()  # what stood there is drawn anew, wherever terminals leave the cursor
        self.terminal.resize(rows, columns)
        os.kill(self.terminal.process.pid, 28)  # SIGWINCH: a descriptor that is no controlling terminal sends none

    def until(self, shown: str | Callable[["Seen"], bool]) -> str:
        """Wait until the screen contains a text, or satisfies a function, and return it."""
        fits = (lambda seen: shown in seen.text) if isinstance(shown, str) else shown
        deadline = time.monotonic() + PATIENCE
        descriptor = self.terminal.screen.child_fd
        while not fits(self):
            assert time.monotonic() < deadline, f"waited for {shown!r} at\n{self.text}"
            ready, _, _ = select.select([descriptor], [], [], 0.1)
            if ready:
                self._feed(os.read(descriptor, 65536))
        return self.text

    def press(self, *keys: str) -> None:
        for key in keys:
            self.terminal.press(key)

    def _feed(self, read: bytes) -> None:
        assert read, f"the program has ended at\n{self.text}"
        self.raw += read
        self._stream.feed(read)


RIGHT, LEFT, UP, DOWN, HOME, END = (f"\x1b[{letter}" for letter in "CDABHF")
