"""A drawn screen with an input line, made with prompt_toolkit; imported only when a table is drawn."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, Float, FloatContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from pokersvc.cli.drawing.colours import Painter
from pokersvc.cli.drawing.screen import NewsCame
from pokersvc.core.drawing import Line, Room

Lines = Callable[[Room, str], list[Line]]
"""Returns the lines above the input line, for the size of the screen and the text typed so far."""
_PICKS: Final = frozenset("0123456789 ,.:")
_MENU: Final = Style([
    ("completion-menu.completion", "fg:default bg:default"),
    ("completion-menu.completion.current", "fg:default bg:default reverse"),
    ("scrollbar.background", "bg:default"),
    ("scrollbar.button", "bg:default reverse"),
])  # fmt: skip


def _nothing(room: Room, typed: str) -> list[Line]:
    return []


class _Output(Vt100_Output):
    """Output to the screen that `AlternateScreen` has entered; it does not switch screens, so drawings stay."""

    def enter_alternate_screen(self) -> None:
        """Move the cursor to the first row, where the drawing begins."""
        self.write_raw("\x1b[H")

    def quit_alternate_screen(self) -> None:
        """Do nothing: the program stays on the alternate screen."""

    is_drawn = False
    """Whether the question has been drawn; one that was answered by typing ahead is drawn after its answer."""

    def erase_down(self) -> None:
        """Erase nothing after the question is answered: the drawing stays until the next question.

        The next question may take long, and its drawing begins on an empty screen in any case.
        """
        if not (self.is_drawn and get_app().is_done):
            super().erase_down()

    def drawn(self, _: object) -> None:
        """Note that the question has been drawn."""
        self.is_drawn = True


class _InFull(Completer):
    """Completes the typed line to a whole possible answer."""

    def __init__(self) -> None:
        self.answers: Sequence[str] = ()

    def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:
        """Yield the possible answers that begin with the typed text."""
        typed = document.text_before_cursor.casefold()
        for answer in self.answers:
            if answer.casefold().startswith(typed):
                yield Completion(answer, start_position=-len(typed))


class Prompt:
    """Draws lines and reads the line typed below them; a question ends when ``news`` becomes readable."""

    def __init__(self, painter: Painter, news: int | None = None) -> None:
        self._painter, self._news = painter, news
        self._lines: Lines = _nothing
        self._at_once: frozenset[str] = frozenset()
        self._completer = _InFull()
        self._histories: dict[str, InMemoryHistory] = {}
        self._left = ""
        """The text that a person had typed when news ended the question; the next question begins with it."""
        self._buffer = Buffer(completer=self._completer, multiline=False, accept_handler=self._accepted)
        self._app = self._application()

    def ask(
        self,
        lines: Lines,
        *,
        who: str = "",
        completions: Sequence[str] = (),
        at_once: str = "",
        ticks: bool = False,
        seconds: float | None = None,
    ) -> str | None:
        """Return the typed line, or a pressed key of ``at_once``; None if neither comes within ``seconds``.

        The person named ``who`` has an input history of their own; it is only in memory, because its lines name cards.
        Raise EOFError, KeyboardInterrupt or `NewsCame`.
        """
        self._lines, self._completer.answers, self._at_once = lines, completions, frozenset(at_once)
        self._buffer.history = self._histories.setdefault(who, InMemoryHistory())
        self._buffer.reset(Document(self._left))
        self._left = ""
        self._app.refresh_interval = 1.0 if ticks else None

        def begin() -> None:
            self._output.is_drawn = False
            loop = asyncio.get_running_loop()
            if self._news is not None:
                loop.add_reader(self._news, self._news_came)
            if seconds is not None:
                loop.call_later(seconds, self._end, None)

        try:
            return self._app.run(pre_run=begin)
        except NewsCame:
            self._left = self._buffer.text
            raise

    def forget_typed_ahead(self, seconds: float = 0.0) -> None:
        """Discard input typed before a question, and input that continues with pauses of at most ``seconds``."""
        clear_typeahead(self._app.input)
        while select.select([sys.stdin], [], [], seconds)[0] and os.read(sys.stdin.fileno(), 1024):
            pass

    def draw_again(self) -> None:
        """Redraw everything, for example after another program has written on the screen."""
        if self._app.is_running:
            self._app.renderer.reset(leave_alternate_screen=False)
            self._app.invalidate()

    def _application(self) -> Application[str | None]:
        above = Window(FormattedTextControl(self._above), always_hide_cursor=True)
        line = Window(BufferControl(self._buffer, input_processors=[BeforeInput("> ")]), height=1)
        menu = Float(CompletionsMenu(max_height=8, scroll_offset=1), xcursor=True, ycursor=True)
        painted = self._painter.scheme is not None
        output = _Output.from_pty(sys.stdout, term=os.environ.get("TERM"))
        assert isinstance(output, _Output)
        self._output = output
        return Application(
            Layout(FloatContainer(HSplit([above, line]), [menu]), focused_element=line),
            key_bindings=self._keys(),
            style=_MENU,
            include_default_pygments_style=False,
            color_depth=ColorDepth.DEPTH_8_BIT if painted else ColorDepth.DEPTH_1_BIT,
            full_screen=True,
            erase_when_done=True,  # `_Output` keeps the drawing all the same
            after_render=output.drawn,
            output=output,
        )

    def _above(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        room = Room(size.columns, max(size.rows - 1, 0))
        try:
            return [*self._painter.fragments(self._lines(room, self._buffer.text))]
        except Exception as error:  # an error in a game's drawing is raised where the question was asked
            if not self._app.is_done:
                self._app.exit(exception=error)
            return []

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        picking = Condition(lambda: bool(self._buffer.text) and _PICKS.issuperset(self._buffer.text))
        wanted = Condition(lambda: bool(self._at_once) and not self._buffer.text)
        empty = Condition(lambda: not self._buffer.text)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt)

        @keys.add("c-d", filter=empty)
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError)

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            os.kill(0, signal.SIGTSTP)  # stop the whole job, as the terminal itself does when no program reads the key

        @keys.add("u", filter=picking)
        def _(event: KeyPressEvent) -> None:
            self._buffer.reset()

        @keys.add("<any>", filter=wanted)
        def _(event: KeyPressEvent) -> None:
            if event.data in self._at_once:
                self._end(event.data)

        return keys

    def _accepted(self, buffer: Buffer) -> bool:
        self._end(buffer.text)
        return False

    def _news_came(self) -> None:
        if not self._app.is_done:
            self._app.exit(exception=NewsCame())

    def _end(self, answer: str | None) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=answer)
