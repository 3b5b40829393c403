"""A screen that draws the table, the news, and one question at a time below."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from textwrap import shorten
from typing import Self

from pokersvc.cli.drawing import pager
from pokersvc.cli.drawing import room as drawn
from pokersvc.cli.drawing.alternate_screen import AlternateScreen
from pokersvc.cli.drawing.colours import Painter
from pokersvc.cli.drawing.layout import Asking, Scene, no_notes
from pokersvc.cli.drawing.prompt import Prompt
from pokersvc.cli.drawing.screen import InputEnded, QuitAsked, Screen, turned_round
from pokersvc.cli.drawing.slow import shown_if_slow
from pokersvc.cli.drawing.wrapping import folded, said
from pokersvc.core.drawing import Line, Piece, Room, Tone
from pokersvc.text import counted

_AT_ONCE = 0.5
"""A pager that ends before this number of seconds has not waited for the reader."""
_LEAVES_A_PAGE = ("", "q", "quit", "?", "h", "l", "o")
"""Inputs on a page of text that only mean to leave the page, or repeat the key that asked for it."""
_KEEPS_TYPING = 0.3
"""Seconds after a pager ends in which input is ignored: it was meant for the pager, such as Enter after ``q``."""


class DrawnScreen(Screen):
    """A screen that is drawn again for each question. If several people share it, it is wiped between their turns."""

    drawn = True

    def __init__(self, painter: Painter, *, shared: bool, news: int | None = None) -> None:
        super().__init__(shared=shared, news=news)
        self._scene, self._whole, self._painter = Scene(), AlternateScreen(), painter
        self._prompt = Prompt(painter, news)
        self._whole.came_back = self._draw_again
        self._seen: dict[str, int] = {}
        self._open = False
        self._best: list[Line] = []
        """The lines of an explanation that are shown above the question: as many of the best as fit."""
        self._typed_aside = ""
        """The text typed on the last page of an explanation, where only Enter was expected."""
        self._is_thinking = False
        """Whether the screen says that a bot thinks."""
        self._asked_before: list[Line] = []
        """The lines of an explanation (`_best`) that were shown when the last question was answered."""

    def __enter__(self) -> Self:
        self._whole.__enter__()
        self._open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()
        self._open = False
        self._whole.__exit__()

    def say(self, *lines: str) -> None:
        """Add lines to the log; print them if the screen is not open."""
        if not self._open:
            super().say(*lines)
            return
        self._scene.log += [line for line in lines if line.strip()]

    def tell(self, sentence: str) -> None:
        """Add a sentence to the log; it is wrapped when it is shown."""
        self.say(sentence)

    def turn_to(self, name: str) -> None:
        """Begin a person's turn: wipe a shared screen, and wait until only this person can see it."""
        if self._shared and self._private != name:
            self.hide()
            self._scene.seen = len(self._scene.log)
            self._prompt.forget_typed_ahead()  # an Enter typed ahead by the previous person would show these cards
            self._typed(f"{name}, it is your turn: press Enter when only you can see the screen", Asking(), who="")
        self._private = name
        self._scene.seen = self._seen.get(name, 0)

    def say_privately(self, *lines: str) -> None:
        """Show lines above the question, replacing those shown before."""
        self.explain(lines)

    def stand(self, *lines: str) -> None:
        """Do nothing: a drawn screen shows the state of the game together with each question."""

    def refuse(self, sentence: str) -> None:
        """Show why an answer is not accepted."""
        self._scene.notes = partial(said, [sentence], tone=Tone.BAD)

    def note(self, lines: Callable[[int], list[Line]]) -> None:
        """Show lines with tones above the next question; ``lines`` returns them for a given number of columns."""
        self._scene.notes = lines

    def explain(self, lines: Sequence[str], *, best_first: bool = False, heads: int = 0, again: str = "") -> None:
        """Show lines that a person asked for: above the question or, if they do not fit there, in the pager.

        If ``best_first``, the lines are reversed, so that the best stands next to the question. If they do not fit,
        the best are shown below the ``heads``; a person who types ``again`` sees all of them in the pager, whose
        first page begins with the best.
        """
        room = drawn.room()
        notes, rows = said(lines, room.columns), self._scene.rows_for_notes(room)
        if len(notes) <= rows:
            self._scene.notes = partial(said, turned_round(lines, heads) if best_first else [*lines])
            return
        more = f"… {counted(len(notes) - rows + 1, 'more line')}"
        if not best_first:
            first: list[Line] = [*notes[: rows - 1], (Piece(more, Tone.QUIET),)]
            self._scene.notes = self._after_page() if self._paged(lines) else lambda _: first
            return
        head = said([*lines[:heads]], room.columns) if heads else []
        if len(head) + 2 > rows:
            head = []
        turned = said([*reversed(lines[heads:])], room.columns)
        below = turned[len(head) + 1 - rows :]
        more = f"… {counted(len(turned) - len(below), 'more line')}"
        best: list[Line] = [*head, (Piece(f"{more}; {again} again shows all of them", Tone.QUIET),), *below]
        if self._asked_before == best:
            if self._paged(lines):
                self._scene.notes = self._after_page()
                return
            best = [*head, (Piece(more, Tone.QUIET),), *below]
        self._best = best
        self._scene.notes = lambda _: best

    def _after_page(self) -> Callable[[int], list[Line]]:
        """Return a note that text typed on the previous page was not used; no note if nothing was typed there."""
        if not self._typed_aside.isprintable() or not self._typed_aside:
            return no_notes
        told = f"{shorten(self._typed_aside, 40)!r} was typed on the page before and not used: type it here."
        return partial(said, [told], tone=Tone.BAD)

    def ask(self, question: str, asking: Asking | None = None) -> str:
        """Ask below the table, and return the answer; notes stay on the screen until the answer."""
        answer = self._typed(question, asking or Asking(), who=self._private or "")
        self._asked_before, self._best, self._scene.notes = self._best, [], no_notes
        return answer

    def notice(self, sentence: str) -> None:
        """Add a sentence to the log and draw it at once, because the next question may be a while away."""
        if not self._open:
            super().notice(sentence)
            return
        self._scene.log.append(sentence)
        self._scene.asking, self._scene.question = Asking(self._scene.asking.draw), ""
        self._draw()

    def thinking(self, sentence: str, table: Callable[[], Asking]) -> AbstractContextManager[None]:
        """Return a context in which a bot chooses; if this takes long, the table is drawn with the ``sentence``."""
        if not self._open:
            return super().thinking(sentence, table)

        def show() -> None:
            self._scene.title, self._scene.asking, self._scene.question = self.title, table(), sentence
            self._is_thinking = True
            self._draw()

        def clear() -> None:
            self._is_thinking = False
            self._scene.question = ""
            self._draw()

        return shown_if_slow(show, clear)

    def _draw(self) -> None:
        """Draw the table and the news at once, without reading anything."""
        room = drawn.room()
        self._whole.draw(self._painter.strings(self._scene.lines(Room(room.columns, room.rows - 1), "")))

    def _draw_again(self) -> None:
        """Redraw everything, because the program was stopped and now continues."""
        self._prompt.draw_again()
        if self._is_thinking:
            self._draw()

    def answered(self, name: str) -> None:
        """Note that the person who just chose has seen the log up to that choice, which is shown next."""
        self._seen[name] = len(self._scene.log) + 1

    def wait(self, sentence: str, asking: Asking, seconds: float | None = None, keys: str = "") -> str | None:
        """Show the table while others act; return the key that was pressed, or None after ``seconds``."""
        return self._typed(sentence, asking, who="", at_once=keys, seconds=seconds)

    def hide(self) -> None:
        """Wipe a person's private lines from the screen before anyone else looks."""
        if self._shared and self._private is not None and self._open:
            self._scene.asking, self._scene.notes, self._scene.question = Asking(), no_notes, ""
            self._best = self._asked_before = []
            self._whole.wipe()
        self._private = None

    def _typed(
        self, question: str, asking: Asking, *, who: str, at_once: str = "", seconds: float | None = None
    ) -> str:
        self._scene.title, self._scene.question, self._scene.asking = self.title, question, asking
        try:
            answer = self._prompt.ask(
                self._scene.lines,
                who=who,
                completions=asking.completions,
                at_once=at_once,
                ticks=bool(asking.clock()),
                seconds=seconds,
            )
        except EOFError:
            raise InputEnded from None
        if self._shared and who:
            self._whole.wipe()  # now, because computing the next question may take a while
        answer = (answer or "").strip()
        if answer.lower() in ("q", "quit", "exit"):
            raise QuitAsked
        return answer

    def _paged(self, lines: Sequence[str]) -> bool:
        self._whole.wipe()
        self._typed_aside = ""
        began = time.monotonic()
        columns = drawn.room().columns
        shown = pager.shown([part for line in lines for part in folded(line, columns)])
        if shown and time.monotonic() - began < _AT_ONCE:
            typed = self._whole.wait_for_enter("\r\nPress Enter to go back to the table")
            self._typed_aside = "" if typed.lower() in _LEAVES_A_PAGE else typed
        self._whole.again()
        self._prompt.forget_typed_ahead(_KEEPS_TYPING)
        return shown
