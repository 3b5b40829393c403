"""The terminal's alternate screen; leaving it, even by a signal, restores the terminal."""

import os
import signal
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import RLock
from types import FrameType
from typing import Final, Self

ENTER: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Switch to the alternate screen, which has no scrollback, and clear it."""
LEAVE: Final = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?2004l\x1b[?1049l"
"""Reset the text style, wrap lines, show the cursor, end bracketed paste, and restore the previous screen."""
WIPE: Final = "\x1b[0m\x1b[2J\x1b[3J\x1b[H"
_END_OF_LINE: Final = (b"\r", b"\n", b"\x04")
_ENDING: Final = (signal.SIGTERM, signal.SIGHUP)


class AlternateScreen:
    """The alternate screen as a context manager; signals that end or stop the program restore the normal screen.

    Input is not echoed while no question is open, and Ctrl-C interrupts.
    """

    def __init__(self) -> None:
        self._input, self._output = sys.stdin.fileno(), sys.stdout.fileno()
        self._found = termios.tcgetattr(self._input)
        self._handlers = {number: signal.getsignal(number) for number in (*_ENDING, signal.SIGTSTP)}
        self.came_back: Callable[[], None] = lambda: None
        """Called when the program continues after it was stopped, to redraw everything."""
        self._entered = False
        self._lock = RLock()
        """Held while the screen is entered, left or drawn, because another thread may draw."""

    def __enter__(self) -> Self:
        for number in _ENDING:
            signal.signal(number, self._end)
        signal.signal(signal.SIGTSTP, self._stop)
        self._enter()
        quiet = termios.tcgetattr(self._input)
        quiet[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(self._input, termios.TCSADRAIN, quiet)
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def wipe(self) -> None:
        """Clear the screen and the scrollback."""
        self._write(WIPE)

    def draw(self, lines: Sequence[str]) -> None:
        """Write lines from the first row on, in place of the old content; do nothing if the screen is not entered."""
        with self._lock:
            if self._entered:
                self._write("\x1b[H" + "".join(f"{line}\x1b[K\r\n" for line in lines) + "\x1b[J")

    def again(self) -> None:
        """Enter the screen again, after another program that used the terminal may have left the screen."""
        self._write(ENTER)

    def wait_for_enter(self, text: str) -> str:
        """Write a text, wait for a line that Enter ends, and return that line."""
        self._write(text)
        line = bytearray()
        while (typed := os.read(self._input, 1)) not in _END_OF_LINE and typed:
            line += typed
        return line.decode("utf-8", "replace").strip()

    def _enter(self) -> None:
        with self._lock:
            self._entered = True
            self._write(ENTER)

    def _leave(self) -> None:
        with self._lock:
            self._entered = False
            self._write(LEAVE)
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._found)

    def _write(self, codes: str) -> None:
        with suppress(OSError):
            sys.stdout.flush()
            os.write(self._output, codes.encode())

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Restore the terminal, and end the program by the signal's default action."""
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Restore the terminal and stop; enter the screen again when the program continues."""
        as_it_was = termios.tcgetattr(self._input)
        self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        termios.tcsetattr(self._input, termios.TCSADRAIN, as_it_was)
        self._enter()
        self.came_back()
