"""Kalah in words: the texts shown to people, and the answers read from them. Plain text, no terminal codes."""

from collections.abc import Callable
from typing import Any, Final

from pokersvc.core.actions import Action
from pokersvc.core.drawing import Line, Room, Shortcut
from pokersvc.core.event import Event
from pokersvc.core.setup import Options
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.games.kalah import advice, events, reminders, typed_moves
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import POT, Side
from pokersvc.games.kalah.board_drawn import drawn
from pokersvc.games.kalah.drawing import draw
from pokersvc.games.kalah.history_words import KalahHistoryWords, who, who_does
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import YOU, counted, does, listed

MOST_NAMED: Final = 50
"""The maximum width of the list of holes in a question, in columns."""


class KalahWords(KalahHistoryWords, Words[events.GameStarted, KalahState, KalahView, LegalActions]):
    """The texts that Kalah shows to people and reads from them; see `pokersvc.core.words.Words`."""

    def terms(self, options: Options) -> list[str]:
        """Return the size of the board, and the capture rule if it is not the usual one."""
        size = f"{counted(options['holes'], 'hole')} of {counted(options['beans'], 'bean')}"
        return [size, *(["empty capture"] if options["empty_capture"] else [])]

    def short_title(self, options: Options) -> str | None:
        """Return the game as the literature names it, such as ``Kalah(6, 4)``."""
        return f"Kalah({options['holes']}, {options['beans']})"

    def tell(self, event: Event, state: KalahState) -> str:
        """Return a sentence that tells an event."""
        return _TELL[type(event)](event, state)

    def show(self, view: KalahView) -> list[str]:
        """Return the board and whose turn it is."""
        names = [f"{side.label}: {seat.name}" for side, seat in zip(Side, view.seats, strict=True)]
        head = "The game is over"
        if view.to_act is not None:
            again = " again" if view.again else ""
            head = f"Move {view.move + 1}: {who(view.seats, view.to_act)} to move{again}"
        return [head, "", *draw(view.board, north=names[1], south=names[0])]

    def ask(self, view: KalahView, legal: LegalActions) -> str:
        """Return the question, with the holes that can be chosen."""
        return f"Sow from which hole: {_either(legal.holes)}"

    def explain(self, text: str, view: KalahView, legal: LegalActions) -> list[str] | None:
        """Return the advice, the best hole last, if the text asks for it: ``odds``, ``o`` or ``advice``; else None."""
        return advice.asked(text, view, legal)

    def advise(self, view: KalahView, legal: LegalActions) -> list[str] | None:
        """Return a line for each hole with the margin to which it leads, the best first."""
        return advice.advice(view, legal)

    def takes_advice(self, text: str, legal: LegalActions) -> bool:
        """Return whether a typed answer asks for advice: ``odds``, ``o`` or ``advice``."""
        return text.strip().lower() in advice.ASKING

    def read(self, text: str, view: KalahView, legal: LegalActions) -> Action:
        """Return the action that an answer names: the number of a hole, alone or after ``hole`` or ``sow``."""
        assert view.to_act is not None
        found = typed_moves.SOWING.fullmatch(text.strip())
        if found is None:
            raise InvalidAnswer(f"{not_understood(text)} Type the number of a hole: {_either(legal.holes)}.")
        return Sow(view.to_act, int(found["hole"]))

    def draw(self, view: KalahView, room: Room) -> list[Line]:
        """Return the board with its holes in boxes, or in rows if there is less room."""
        return drawn(view, room)

    def shortcuts(self, view: KalahView, legal: LegalActions) -> list[Shortcut]:
        """Return the holes with beans, each with the immediate effect of sowing from it."""
        return typed_moves.shortcuts(view, legal)

    def completions(self, view: KalahView, legal: LegalActions) -> list[str]:
        """Return the numbers of the holes with beans."""
        return typed_moves.completions(legal)

    def why_not(self, text: str, view: KalahView, legal: LegalActions) -> str | None:
        """Return why a person may not sow from the hole or pot that they named, or may not pass."""
        return typed_moves.why_not(text, view, legal)

    def about(self, view: KalahView) -> list[str]:
        """Return the rules of Kalah."""
        return reminders.about(view)

    def moment(self, view: KalahView, legal: LegalActions) -> list[str]:
        """Return the rules of a move, and the holes that now lead to an extra turn or a capture."""
        return reminders.moment(view, legal)


def _either(holes: tuple[int, ...]) -> str:
    """Return the holes in words: one by one if there is room, else as ranges, or else only the first and the last."""
    for each in ([str(hole) for hole in holes], _ranges(holes)):
        *others, last = each
        said = f"{', '.join(others)} or {last}" if others else last
        if len(said) <= MOST_NAMED:
            return said
    return f"any with beans, {holes[0]} to {holes[-1]}"


def _ranges(holes: tuple[int, ...]) -> list[str]:
    firsts = [hole for hole in holes if hole - 1 not in holes]
    lasts = [hole for hole in holes if hole + 1 not in holes]
    return [str(first) if first == last else f"{first} to {last}" for first, last in zip(firsts, lasts, strict=True)]


def _started(event: events.GameStarted, _: KalahState) -> str:
    south, north = (does(seat.name, "plays") for seat in event.seats)
    first = "move" if event.seats[0].name == YOU else "moves"
    return f"{event.rules}: {south} South and {first} first, {north} North."


def _sown(event: events.BeansSown, state: KalahState) -> str:
    side = Side(event.seat)
    if event.last_hole == POT:
        where = "the pot"
    elif event.last_side == side:
        where = f"hole {event.last_hole}"
    else:
        where = f"{side.other.label}'s hole {event.last_hole}"
    last = "it falls" if event.beans == 1 else "the last falls"
    beans = counted(event.beans, "bean")
    said = f"{who_does(state.seats, event.seat, 'sows')} {beans} from hole {event.hole}; {last} into {where}"
    if state.capturing:
        return f"{said}, which was empty."
    return f"{said}: another turn." if state.to_act == event.seat else f"{said}."


def _captured(event: events.BeansCaptured, state: KalahState) -> str:
    opposite = event.beans - 1
    taken = f"the last bean and the {opposite} opposite" if opposite else "the last bean; none lies opposite"
    captures = who_does(state.seats, event.seat, "captures")
    return f"{captures} {counted(event.beans, 'bean')} at hole {event.hole}: {taken}."


def _swept(event: events.BeansSwept, state: KalahState) -> str:
    side = Side(event.seat)
    if state.closed:
        return f"{side.label}'s pot gets the {counted(event.beans, 'bean')} left on its side."
    verb = "goes" if event.beans == 1 else "go"
    return (
        f"{side.other.label} has no beans left; the last {counted(event.beans, 'bean')} {verb} to {side.label}'s pot."
    )


_FORFEITS: Final = {
    "illegal": "gave an illegal answer",
    "raised": "failed",
    "timeout": "took too long",
}


def _forfeited(event: events.Forfeited, state: KalahState) -> str:
    loses = "lose" if state.seats[event.seat - 1].name == YOU else "loses"
    return f"{who(state.seats, event.seat)} {_FORFEITS[event.code]} and {loses} the game."


def _ended(event: events.GameEnded, state: KalahState) -> str:
    south, north = event.pots
    won = listed([who(state.seats, seat) for seat in event.winners]) + " tie"
    if len(event.winners) == 1:
        won = who_does(state.seats, event.winners[0], "wins")
    if event.reason == "forfeit":
        return f"The game is over: {won} every bean."
    return f"The game is over: {won}; the pots are {south} (South) and {north} (North)."


_TELL: Final[dict[type, Callable[[Any, KalahState], str]]] = {
    events.GameStarted: _started,
    events.BeansSown: _sown,
    events.BeansCaptured: _captured,
    events.BeansSwept: _swept,
    events.Forfeited: _forfeited,
    events.GameClosed: lambda _, __: "The game is closed: the beans left go to the pots of their sides.",
    events.GameEnded: _ended,
}
