"""A full-screen view at the terminal: redrawn after a key, a change of size, or a tick that changes its lines."""

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
"""The number of seconds between two calls of ``tick``, which checks for changes."""
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
    """Show lines on the full screen until ``press`` returns True.

    ``tick`` is called many times a second and returns whether anything has changed. Ctrl-C raises KeyboardInterrupt.
    Exceptions of the callbacks are raised here, after the terminal is restored.
    """

    def drawn() -> FormattedText:
        size = application.output.get_size()  # the real size, whatever LINES and COLUMNS say
        return FormattedText(painter.fragments(lines(Room(size.columns, size.rows))))

    control = FormattedTextControl(drawn)
    application: Application[None] = Application(
        layout=Layout(Window(control, always_hide_cursor=True)),
        key_bindings=_bindings(press),
        full_screen=True,
    )
    application.ttimeoutlen = 0.1  # seconds that Escape waits for the rest of a longer key sequence
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
                with suppress(Exception):  # the person has quit meanwhile
                    application.exit(exception=error)
                return
            if changed:
                application.invalidate()

    application.create_background_task(tick_on())
