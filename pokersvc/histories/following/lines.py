"""Finds the line of the file that states each event of a hand's game."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDrawn, RecordedHandDealt
from pokersvc.histories import statements
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import HandHistory

_What: TypeAlias = tuple[str, int]
"""A fact that a line may tell: its kind, and the seat or the pot that it is about."""


def lines_of(
    hand: HandHistory, seating: DealtIn, played: Sequence[Event], chosen_at: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the line for each event after the first; 0 if an event has no line but follows from the lines before.

    ``chosen_at`` maps the place of a choice in ``played`` to its line.
    """
    left = _lines_told(hand, seating)
    return tuple([chosen_at.get(place) or _line_of(played[place], left) for place in range(1, len(played))])


def _lines_told(hand: HandHistory, seating: DealtIn) -> dict[_What, list[int]]:
    """Map each fact about the dealer's actions to the lines that state it, last line first."""
    lines: dict[_What, list[int]] = defaultdict(list)
    for one in hand.told:
        if (what := _TOLD.get(one.__class__)) is not None:
            seat = seating.seats.get(one.name, 0) if isinstance(one, statements.PlayerStatement) else 0
            for key in what(one, seat):
                lines[key].append(one.line)
    for numbers in lines.values():
        numbers.reverse()
    return lines


def _line_of(event: Event, left: Mapping[_What, list[int]]) -> int:
    """Return the line that states an event of the dealer; of several such lines, each is used once, in order."""
    keys = _DONE[event.__class__](event) if event.__class__ in _DONE else []
    numbers: list[int] = next((left[key] for key in keys if key in left), [])
    return numbers.pop() if len(numbers) > 1 else sum(numbers)


def _posted(one: statements.Posted, seat: int) -> list[_What]:
    return [("ante" if one.kind == "ante" else "blind", seat)]


_TOLD: Final[Mapping[type[statements.Statement], Callable[..., list[_What]]]] = {
    statements.Posted: _posted,
    statements.Dealt: lambda _, seat: [("dealt", seat)],
    statements.Drew: lambda _, seat: [("drew", seat)],
    statements.Reshuffled: lambda *_: [("reshuffled", 0)],
    statements.Returned: lambda _, seat: [("returned", seat)],
    statements.Showed: lambda _, seat: [("showed", seat)],
    statements.Mucked: lambda _, seat: [("mucked", seat)],
    statements.Won: lambda one, seat: [("won", 1 + (one.pot or 0)), ("paid", seat)],
    statements.Totals: lambda one, _: [] if one.rake is None else [("rake", 0)],
    statements.Summed: lambda one, seat: [("summed", seat)] if one.cards or one.outcome == "mucked" else [],
}
"""Statement → the facts that it states."""

_DONE: Final[Mapping[type[Event], Callable[..., list[_What]]]] = {
    events.AntePosted: lambda event: [("ante", event.seat)],
    events.BlindPosted: lambda event: [("blind", event.seat)],
    events.Posted: lambda event: [("blind", event.seat)],
    RecordedHandDealt: lambda event: [("dealt", event.seat)],
    RecordedCardsDrawn: lambda event: [("drew", event.seat)],
    events.DeckReshuffled: lambda _: [("reshuffled", 0)],
    events.UncalledBetReturned: lambda event: [("returned", event.seat)],
    events.HandShown: lambda event: [("showed", event.seat), ("summed", event.seat)],
    events.HandMucked: lambda event: [("mucked", event.seat), ("summed", event.seat)],
    events.RakeTaken: lambda _: [("rake", 0)],
    events.PotAwarded: lambda event: [("won", event.pot), *[("paid", share.seat) for share in event.shares]],
}
"""Event of the dealer → the facts that tell it, the best first."""
