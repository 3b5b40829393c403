"""A choice in advance at this terminal: it is kept in this program's memory until the person's turn."""

import time
from secrets import SystemRandom
from typing import Final

import pokersvc
from pokersvc import core
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Shortcut

DELAY: Final = (1.4, 2.6)
"""The range of seconds between the turn and the sending, also in the browser; it is the same for every choice."""
SETTLED: Final = 0.4
"""The seconds for which a choice whose meaning has just changed cannot be typed."""
SPARE: Final = 1.5
"""A choice is sent at the latest this many seconds before the end of the clock."""
AHEAD: Final = "ahead"
"""The word that begins a choice in advance when the table is not drawn."""
TAKE_BACK: Final = Shortcut("t", "take back")
_BACK: Final = (TAKE_BACK.typed, TAKE_BACK.does)


class Advance:
    """The choice that the person at a session's only seat made before their turn; it is neither sent nor stored."""

    def __init__(self, session: "pokersvc.Session", settled: float = SETTLED) -> None:
        """For ``settled`` seconds after a change of the possible choices, none can be typed; 0 for a script."""
        self._settled, self._hinted = settled, False
        self._session, self._words = session, session.game.words
        self._choice: core.words.InAdvance | None = None
        self._offered: list[Shortcut] = []
        self._since = 0.0
        """The time at which the offered choices last changed."""
        self._due: tuple[int, float] | None = None
        """The turn for which a delay was drawn, and the time at which the delay is over."""

    def shortcuts(self) -> list[Shortcut]:
        """Return the choices that are possible now, or how to take back the one that was made."""
        offered = [] if self._seat is None else self._words.in_advance(self._session.state, self._seat)
        if offered != self._offered:
            self._offered, self._since = offered, time.monotonic()
        return [*offered, *[TAKE_BACK] * (self._choice is not None)]

    @property
    def said(self) -> str:
        """The choice in words, such as ``call 20``; empty if there is none."""
        return "" if self._choice is None else self._choice.said

    def typed(self, text: str) -> str | None:
        """Take a text typed early; return why it does not count, "" if it counts, None if it names no choice."""
        if text.lower() in _BACK and self._choice is not None:
            self.forget()
            return ""
        if self._seat is None:
            return None
        choice = self._words.read_in_advance(text, self._session.state, self._seat)
        if choice is None:
            return None
        if time.monotonic() - self._since < self._settled:
            return "What you can choose in advance has just changed: look at it, and type it again."
        self._choice = choice
        return ""

    def hint(self) -> str:
        """Return once, as soon as something can be chosen, how to choose in advance line by line; else ""."""
        if self._hinted or not self.shortcuts():
            return ""
        self._hinted = True
        return f"You can choose in advance: `{AHEAD}` says what."

    def answer(self, text: str) -> str:
        """Take what a person typed after `AHEAD`, line by line, and return the reply."""
        offered = " or ".join(f"`{AHEAD} {one.does.partition(',')[0]}`" for one in self.shortcuts())
        why = self.typed(text)
        if why is None and offered:
            return f"While others choose, you can type {offered}."
        if why is None:
            return "Nothing can be chosen in advance at this moment."
        return why or (f"In advance: {self._choice.said}." if self._choice is not None else "Taken back.")

    def forget(self) -> None:
        """Forget the choice."""
        self._choice = self._due = None

    def dropped(self) -> str:
        """Forget a choice that is no longer valid; return the reason, if the person should know it."""
        if self._choice is None or self._seat is None:
            return ""
        why = self._words.dropped(self._choice, self._session.state, self._seat)
        if why is not None:
            self.forget()
        return why or ""

    def action(self, choose: "pokersvc.Choose") -> Action | None:
        """Return the action that the choice means in this turn; forget a choice that is not possible."""
        if self._choice is None or choose.seat != self._seat:
            return None
        found = self._words.act_in_advance(self._choice, self._session.state, choose.seat, choose.legal)
        if found is None:
            self.forget()
        return found

    def wait(self, turn: int, left: float | None) -> float:
        """Return the seconds until the choice is sent; the delay is drawn once per turn, regardless of the choice."""
        if self._due is None or self._due[0] != turn:
            self._due = turn, time.monotonic() + SystemRandom().uniform(*DELAY)
        wait = self._due[1] - time.monotonic()
        return max(0.0, wait if left is None else min(wait, left - SPARE))

    @property
    def _seat(self) -> int | None:
        seats = self._session.seats
        return seats[0] if len(seats) == 1 else None
