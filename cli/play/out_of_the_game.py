"""People at a terminal who are out of a game in progress: they watch, skip to the end, or stop."""

from typing import Final

import pokersvc
from pokersvc.cli.drawing.layout import Asking
from pokersvc.cli.drawing.screen import QuitAsked, Screen
from pokersvc.cli.play.keys import BETWEEN
from pokersvc.core.drawing import Shortcut
from pokersvc.text import does

PACE: Final = 1.2
"""The number of seconds for which each event is shown: time to read a sentence."""
_NEXT: Final = Shortcut("Enter", "next at once")
_STOP: Final = Shortcut("q", "stop")


class Spectating:
    """Shows the rest of a game to people who are out of it."""

    def __init__(self, session: "pokersvc.Session", screen: Screen) -> None:
        self._session, self._screen = session, screen
        self._asked = not screen.can_be_asked or not session.seats
        """Whether the question how to continue was asked, or need not be asked."""
        self.watching = False

    def ask(self) -> None:
        """Ask once how to continue, unless people may still join between rounds; raise `QuitAsked` to stop."""
        if self._asked or self._session.may_come:
            return
        self._asked = True
        names = [self._session.all_seats[seat - 1].name for seat in self._session.seats]
        gone = f"{does(names[0], 'is')} out of this game" if len(names) == 1 else "Nobody here is in this game any more"
        self._screen.tell(f"{gone}; the others play on.")
        keys = (Shortcut("w", "watch"), Shortcut("s", "skip to the end"), *BETWEEN[-1:])
        while True:
            answer = self._screen.ask("Watch the others (Enter), skip to the end (s), or stop (q)", self._table(keys))
            if answer.lower() in ("", "w", "watch", "s", "skip"):
                self.watching = not answer.lower().startswith("s")
                return

    def watch(self) -> None:
        """Watch the next round, if people may join after it."""
        if self._session.may_come:
            self.watching = self._screen.can_be_asked

    def look(self) -> None:
        """Pause so that the last event can be read; one key skips to the end, another stops by raising `QuitAsked`."""
        if not self.watching:
            return
        end = "end of the round" if self._session.may_come else "end"  # a cash game may have no other end
        keys = (_NEXT, Shortcut("s", f"skip to the {end}"), _STOP)
        answer = self._screen.wait("Watching", self._table(keys), PACE, "sq")
        if answer is not None and answer.lower() in ("q", "quit", "stop"):
            raise QuitAsked
        if answer is not None and answer.lower() in ("s", "skip"):
            self.watching = False

    def _table(self, keys: "tuple[Shortcut, ...]") -> Asking:
        view = self._session.state.view(self._session.viewer)
        return Asking(lambda room: self._session.game.words.draw(view, room), keys=keys)
