"""Kalah in words: what people are shown, and how what they type is read. Plain text, no terminal codes."""

import re
from collections.abc import Callable
from typing import Any, Final

from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.games.kalah import events
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import POT, Side
from pokersvc.games.kalah.drawing import draw
from pokersvc.games.kalah.history_words import KalahHistoryWords, who
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted, listed

MOST_NAMED: Final = 50
"""The most columns that the holes in a question take."""


class KalahWords(KalahHistoryWords, Words[events.GameStarted, KalahState, KalahView, LegalActions]):
    """What Kalah shows to people and reads from them; see `pokersvc.core.words.Words`."""

    def tell(self, event: Event, state: KalahState) -> str:
        """Return an event in a sentence."""
        return _TELL[type(event)](event, state)

    def show(self, view: KalahView) -> list[str]:
        """Return the board, and whose turn it is."""
        names = [f"{side.label}: {seat.name}" for side, seat in zip(Side, view.seats, strict=True)]
        head = "The game is over"
        if view.to_act is not None:
            again = " again" if view.again else ""
            head = f"Move {view.move + 1}: {who(view.seats, view.to_act)} to move{again}"
        return [head, "", *draw(view.board, north=names[1], south=names[0])]

    def ask(self, view: KalahView, legal: LegalActions) -> str:
        """Return the question with the possible holes."""
        return f"Sow from which hole: {_either(legal.holes)}"

    def explain(self, text: str, view: KalahView, legal: LegalActions) -> list[str] | None:
        """Return None: the board shows everything."""
        return None

    def read(self, text: str, view: KalahView, legal: LegalActions) -> Action:
        """Return the action that an answer names: the number of a hole, alone or after ``hole`` or ``sow``."""
        assert view.to_act is not None
        found = re.fullmatch(r"(?:sow\s+)?(?:from\s+)?(?:hole\s+)?([0-9]{1,4})", text.strip().lower())
        if found is None:
            raise InvalidAnswer(f"{not_understood(text)} Type the number of a hole: {_either(legal.holes)}.")
        return Sow(view.to_act, int(found[1]))


def _either(holes: tuple[int, ...]) -> str:
    """Return the holes one by one if there is room, else as ranges, else the first and the last."""
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
    south, north = (seat.name for seat in event.seats)
    return f"{event.rules}: {south} plays South and moves first, {north} plays North."


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
    said = f"{who(state.seats, event.seat)} sows {beans} from hole {event.hole}; {last} into {where}"
    if state.capturing:
        return f"{said}, which was empty."
    return f"{said}: another turn." if state.to_act == event.seat else f"{said}."


def _captured(event: events.BeansCaptured, state: KalahState) -> str:
    opposite = event.beans - 1
    taken = f"the last bean and the {opposite} opposite" if opposite else "the last bean; none lies opposite"
    return f"{who(state.seats, event.seat)} captures {counted(event.beans, 'bean')} at hole {event.hole}: {taken}."


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
    return f"{who(state.seats, event.seat)} {_FORFEITS[event.code]} and loses the game."


def _ended(event: events.GameEnded, state: KalahState) -> str:
    winners = listed([who(state.seats, seat) for seat in event.winners])
    south, north = event.pots
    how = "wins" if len(event.winners) == 1 else "tie"
    if event.reason == "forfeit":
        return f"The game is over: {winners} {how} every bean."
    return f"The game is over: {winners} {how}; the pots are {south} (South) and {north} (North)."


_TELL: Final[dict[type, Callable[[Any, KalahState], str]]] = {
    events.GameStarted: _started,
    events.BeansSown: _sown,
    events.BeansCaptured: _captured,
    events.BeansSwept: _swept,
    events.Forfeited: _forfeited,
    events.GameClosed: lambda _, __: "The game is closed: the beans left go to the pots of their sides.",
    events.GameEnded: _ended,
}
