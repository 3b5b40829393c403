"""The program at an emulated terminal (pyte) on which it draws, and the screen that a person sees."""

import termios
import time

import pexpect
import pyte

from pokersvc.cli.drawing.alternate_screen import ENTER, LEAVE
from tests.cli.program import MAIN, Program
from tests.forks import TIMEOUT

ASIDE = "Press Enter to go back to the table"
"""The last line of pages that fill the screen for a moment, such as help."""
_ASKS = "\x1b[?2004h"
"""The code that prompt_toolkit writes once per question: it turns on the marking of pastes."""


class DrawnTerminal:
    """The program at a terminal; ``shown`` is the current screen, ``raw`` everything written to it."""

    def __init__(
        self,
        program: Program,
        *arguments: object,
        size: tuple[int, int] = (24, 80),
        term: str = "xterm-256color",
        run: str = MAIN,
    ) -> None:
        self.program = program.terminal(*arguments, term=term, size=size, run=run)
        self._pty = self.program.screen
        self.before = self.program.settings
        rows, columns = size
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self.raw = ""
        self._asked = 0
        """How many questions have been looked at."""

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    @property
    def shown(self) -> str:
        return "\n".join(self.lines)

    @property
    def prompt(self) -> str:
        """The line of the cursor."""
        return self.lines[self._screen.cursor.y]

    def question(self) -> str:
        """Wait for the next question, and return the whole screen."""
        while self.raw.count(_ASKS) <= self._asked:
            self._take(self._pty.read_nonblocking(65536, TIMEOUT))
        self._asked = self.raw.count(_ASKS)
        while not self.prompt.startswith(">"):
            self.look()
        return self.shown

    def until(self, *texts: str, without: str = "\0") -> str:
        """Wait until texts are on the screen above an empty prompt, and return the whole screen."""
        deadline = time.monotonic() + TIMEOUT / 2
        while not (
            all(text in self.shown for text in texts) and without not in self.shown and self.prompt in (">", ASIDE)
        ):
            assert time.monotonic() < deadline, f"{texts} is not on the screen:\n{self.shown}"
            try:
                self._take(self._pty.read_nonblocking(65536, 0.1))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise AssertionError(f"the program has ended:\n{self.shown}") from None
        return self.shown

    def type(self, answer: str, *texts: str, without: str = "\0") -> str:
        """Type an answer, and wait for texts on the screen."""
        self._pty.send(f"{answer}\r")
        return self.until(*texts, without=without) if texts else ""

    def look(self) -> None:
        """Read the program's next output."""
        self._take(self._pty.read_nonblocking(65536, TIMEOUT))

    def press(self, key: str) -> None:
        self._pty.send(key)

    def resize(self, rows: int, columns: int) -> None:
        self._screen.resize(rows, columns)
        self._screen.reset()
        self.program.resize(rows, columns)

    def end(self) -> int:
        """Wait for the end; the terminal must be as it was found. Return the exit code."""
        while True:
            try:
                self._take(self._pty.read_nonblocking(65536, TIMEOUT))
            except pexpect.EOF:
                break
        code = self.program.process.wait(TIMEOUT)
        assert self.raw.count(ENTER) >= 1
        assert self.raw.rindex(LEAVE) > self.raw.rindex(ENTER), "the screen that was there is back"
        return code

    @property
    def left(self) -> str:
        """Return the output of the program after the table was cleared."""
        return self.raw.rpartition(LEAVE)[2].replace("\r\n", "\n")

    def settings(self) -> object:
        """Return the attributes of the terminal, as `termios` reads them."""
        return termios.tcgetattr(self._pty.child_fd)

    def _take(self, text: str) -> None:
        self.raw += text
        self._stream.feed(text)
