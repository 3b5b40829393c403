"""The replayer, apart from the terminal: the effect of each key, and the lines of the screen."""

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import Final

import pokersvc
from pokersvc.cli.drawing.wrapping import newest, said
from pokersvc.cli.replay.replayer_keys import GO_TO, HELP, SEE_AS, footer
from pokersvc.core.drawing import Line, Piece, Room, Tone, clipped, width
from pokersvc.errors import PokersvcError, printable
from pokersvc.service.cursor import Cursor, Moment
from pokersvc.text import cells, counted

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""The possible numbers of seconds for which each event is shown while the game plays, slowest first."""
FEWEST_LINES: Final = 4
"""The minimum number of lines for what happened in the round."""
LEAST_ROOM: Final = Room(40, 12)
"""The minimum size of the screen: a smaller terminal shows the top of a screen of this size."""


class Replayer:
    """Shows a recorded game at one event, and moves to another event when a key is pressed.

    The screen shows nothing of later events: neither who wins nor how long the game lasts. ``summary`` returns the
    game's current entry in the list of games. ``allowed`` returns the viewer that a text names, or raises a
    `PokersvcError` that says why not.
    """

    def __init__(
        self,
        summary: "Callable[[], pokersvc.GameSummary]",
        cursor: Cursor,
        allowed: "Callable[[str], pokersvc.Viewer]",
    ) -> None:
        self._summary, self._allowed = summary, allowed
        self.cursor = cursor
        self.playing = False
        self.closed = False
        """Whether the person has quit."""
        self._speed = SPEEDS.index(1.0)
        self._said = ""
        """The message that answers the last key, such as an error; empty if there is none."""
        self._helped = False
        self._question: str | None = None
        self._typed = ""

    @property
    def seconds(self) -> float:
        """The number of seconds for which each event is shown while the game plays."""
        return SPEEDS[self._speed]

    def _ended(self) -> bool:
        return self._summary().outcome is not None

    def play_on(self) -> None:
        """Show the next event while the game plays; stop playing at the end of a finished game."""
        if not self.cursor.forward() and self._ended():
            self.playing = False

    def press(self, key: str) -> None:
        """Handle a key: a character, or the name of a key such as ``right``."""
        self._said = ""
        if self._question is not None:
            self._type(key)
        elif self._helped:
            self._helped = False
        elif (does := self._does(key)) is not None:
            does()
        else:
            self._said = f"There is no key {key!r} here; ? shows the keys."

    def _does(self, key: str) -> Callable[[], object] | None:
        return {
            "right": self._forward, "l": self._forward, "enter": self._forward,
            "left": self._back, "h": self._back, "backspace": self._back,
            "n": self._next_round, "down": self._next_round, "pagedown": self._next_round,
            "p": self._previous_round, "up": self._previous_round, "pageup": self._previous_round,
            "home": lambda: self._stop(self.cursor.go(1)), "end": lambda: self._stop(self.cursor.go(self.cursor.count)),
            " ": self._play, "+": lambda: self._hurry(1), "=": lambda: self._hurry(1), "-": lambda: self._hurry(-1),
            "g": lambda: self._ask(GO_TO), "v": lambda: self._ask(SEE_AS), "?": self._help, "q": self._quit,
        }.get(key)  # fmt: skip

    def _quit(self) -> None:
        self.closed = True

    def _help(self) -> None:
        self.playing, self._helped = False, True

    def _stop(self, moved: bool) -> bool:
        self.playing = False
        return moved

    def _forward(self) -> None:
        if not self._stop(self.cursor.forward()):
            self._said = "This is the end of the game." if self._ended() else "Nothing more has happened yet."

    def _back(self) -> None:
        if not self._stop(self.cursor.back()):
            self._said = "This is the first event."

    def _next_round(self) -> None:
        if not self._stop(self.cursor.next_round()):  # from the last round to its end
            self.cursor.go(self.cursor.count)

    def _previous_round(self) -> None:
        if not self._stop(self.cursor.previous_round()):
            self._said = "This is the first event."

    def _play(self) -> None:
        self.playing = not self.playing
        if self.playing and self.cursor.at_end and self._ended():
            self.playing = False
            self._said = "This is the end of the game."

    def _hurry(self, steps: int) -> None:
        self._speed = min(max(self._speed + steps, 0), len(SPEEDS) - 1)
        self._said = f"Speed: {self._pace()}."

    def _pace(self) -> str:
        if self.seconds > 1:
            return f"an event in {counted(int(self.seconds), 'second')}"
        return f"{counted(round(1 / self.seconds), 'event')} a second"

    # Input that ends with Enter.

    def _ask(self, question: str) -> None:
        self._question, self._typed = question, ""
        self.playing = False

    def _type(self, key: str) -> None:
        if key == "enter":
            question, self._question = self._question, None
            if text := self._typed.strip():
                (self._go_to if question == GO_TO else self._see_as)(text)
        elif key == "escape":
            self._question = None
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif len(key) == 1 and key.isprintable():
            self._typed = (self._typed + key)[:64]

    def _go_to(self, text: str) -> None:
        number = text.lower().removeprefix("round").removeprefix("r").strip()
        of_round = number != text
        if not number.isdecimal() or len(number) > 9:
            self._said = f"{text!r} is not a place in a game; type 12 for event 12, or r3 for round 3."
        elif not (self.cursor.go_to_round if of_round else self.cursor.go)(int(number)):
            self._said = f"There is no {'round' if of_round else 'event'} {int(number)}."

    def _see_as(self, text: str) -> None:
        try:
            self.cursor = self.cursor.seen_by(self._allowed(text))
        except PokersvcError as refused:
            self._said = str(refused)

    # The screen.

    def screen(self, room: Room) -> list[Line]:
        """Return the lines of the screen, at most as many as it has rows."""
        columns, rows = max(room.columns, LEAST_ROOM.columns), max(room.rows, LEAST_ROOM.rows)
        if self._helped:
            return _filled(_helped(columns), rows - 1, [(Piece("Any key goes back to the game.", Tone.QUIET),)])
        now = self.cursor.now
        below = self._below(columns)
        left = rows - 2 - len(below)
        table = self.cursor.game.words.draw(now.view, Room(columns, left - FEWEST_LINES - 1))
        happened = self._happened(columns, left - len(table) - 1)
        return _filled([self._head(now, columns), (), *table, (), *happened], rows - len(below), below)

    def _head(self, now: Moment, columns: int) -> Line:
        viewer = self.cursor.viewer
        name = self.cursor.seats[viewer - 1].name if isinstance(viewer, int) else viewer
        place = f"round {now.round:,}, event {now.seq:,}, seen as {printable(name)}"
        title = clipped(self._summary().title, max(columns - cells(place) - 2, 1))
        gap = " " * max(columns - cells(title) - cells(place), 0)
        return (Piece(title, Tone.STRONG), Piece(gap), Piece(place, Tone.QUIET))

    def _happened(self, columns: int, most: int) -> list[Line]:
        """Return the last events of the round as lines, newest last, as far as they fit."""
        return newest(self._told(columns, most), most)

    def _told(self, columns: int, most: int) -> Iterator[list[Line]]:
        """Yield up to ``most`` events as lists of lines, newest first; add the result if the game has ended."""
        for moment in reversed(self.cursor.last(most)):
            last = moment.seq == self.cursor.seq
            lines = said([moment.text], columns, Tone.STRONG if last else Tone.QUIET)
            if last and moment.outcome is not None:
                lines += self._result(moment.outcome, columns)
            yield lines

    def _result(self, outcome: "pokersvc.Outcome", columns: int) -> list[Line]:
        words, facts, seats = self.cursor.game.words, self._summary().facts or {}, self.cursor.seats
        result, standings = words.result_of(facts, seats, outcome), words.standings_of(facts, seats, outcome.scores)
        return [*said([result], columns, Tone.GOOD), *said(standings, columns)]

    def _below(self, columns: int) -> list[Line]:
        """Return the last lines of the screen: the question or the last answer, and the keys."""
        if self._question is not None:
            asked = self._question
            if asked == SEE_AS:
                names = [
                    f"{number} {seat.name}" for number, seat in zip(self.cursor.places, self.cursor.seats, strict=True)
                ]
                asked = f"{asked} (everyone, auditor, {', '.join(names)})"
            return [*said([f"{asked}: {self._typed}▏"], columns, Tone.TURN), *footer(columns, typing=True)]
        if self._said:
            return [*said([self._said], columns, Tone.BAD), *footer(columns)]
        if self.playing:
            waits = " and waits for what comes next" if self.cursor.at_end else ""
            return [*said([f"Playing, {self._pace()}{waits}"], columns, Tone.TURN), *footer(columns)]
        return [(), *footer(columns)]


def _filled(lines: list[Line], rows: int, below: list[Line]) -> list[Line]:
    """Return lines, cut or filled up to ``rows`` rows, followed by the lines ``below``."""
    return [*lines[:rows], *[()] * (rows - len(lines)), *below]


def _helped(columns: int) -> list[Line]:
    widest = max(cells(keys) for keys, _ in HELP) + 2
    lines: list[Line] = [(Piece("Keys of the replayer", Tone.STRONG),), ()]
    for keys, does in HELP:
        first, *others = wrap(does, columns - widest) or [""]
        lines.append((Piece(keys + " " * (widest - cells(keys)), Tone.KEY), Piece(first)))
        lines += [(Piece(" " * widest + other),) for other in others]
    assert all(width(line) <= columns for line in lines)
    return lines
