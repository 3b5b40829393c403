"""A screen of its own on the terminal: lines that are drawn again with every key, tick and change of size."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from pokersvc.cli.drawing.colours import Painter
from pokersvc.core.drawing import Line, Room

TICK: Final = 0.05
"""How often, in seconds, it is asked whether something has changed."""
_NAMES: Final = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlH: "backspace",
    Keys.Backspace: "backspace",
}


def show(
    lines: Callable[[Room], list[Line]],
    press: Callable[[str], bool],
    tick: Callable[[], bool],
    painter: Painter,
) -> None:
    """Show lines on a screen of their own until ``press`` says that it is over.

    ``tick`` is called many times a second and tells whether anything has changed. Ctrl-C is a KeyboardInterrupt, and
    what any of them raises is raised here, after the terminal is as it was.
    """

    def drawn() -> FormattedText:
        size = application.output.get_size()  # the one that is drawn in, whatever LINES and COLUMNS say
        return FormattedText(painter.fragments(lines(Room(size.columns, size.rows))))

    control = FormattedTextControl(drawn)
    application: Application[None] = Application(
        layout=Layout(Window(control, always_hide_cursor=True)),
        key_bindings=_bindings(press),
        full_screen=True,
    )
    application.ttimeoutlen = 0.1  # how long Escape waits for the rest of another key
    application.run(pre_run=lambda: _start_ticking(application, tick))


def _bindings(press: Callable[[str], bool]) -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add(Keys.ControlC)
    def _interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    @bindings.add(Keys.Any)
    def _any(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0].key
        name = _NAMES.get(pressed, pressed.value) if isinstance(pressed, Keys) else pressed
        try:
            over = press(name)
        except Exception as error:
            event.app.exit(exception=error)
            return
        if over:
            event.app.exit()

    return bindings


def _start_ticking(application: "Application[None]", tick: Callable[[], bool]) -> None:
    async def tick_on() -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                changed = tick()
            except Exception as error:
                with suppress(Exception):  # somebody has quit meanwhile
                    application.exit(exception=error)
                return
            if changed:
                application.invalidate()

    application.create_background_task(tick_on())
