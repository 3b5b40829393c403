"""Finds differences between two files of the same hand, and states them in the words of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted, HandShown, HandsRevealed
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, DealRecorded, HandQuoted
from pokersvc.histories.following.finding import Contradiction
from pokersvc.text import counted

_INPUTS: Final = (HandQuoted, DealRecorded, CardsLearned, HandsRevealed)
"""Events about the source of a hand and its known cards, which differ between files."""


AS_STORED: Final = "the hand that is stored says"
AS_TOLD_BEFORE: Final = "the hand as it was told before says"


def differences(kept: Sequence[Event], told: Sequence[Event], against: str = AS_STORED) -> Iterator[Contradiction]:
    """Yield the first public fact in which a hand differs from the recorded one, with its line.

    ``against`` introduces the recorded hand in the sentence.
    """
    quote = next(event for event in told if isinstance(event, HandQuoted))
    lines = (quote.first_line, quote.first_line, *quote.lines)  # the start and the quotation also have the first line
    ours = [(place, event) for place, event in enumerate(kept) if not isinstance(event, _INPUTS)]
    theirs = [(place, event) for place, event in enumerate(told) if not isinstance(event, _INPUTS)]
    # The events of both end with the end of the game.
    for (place, one), (other_place, other) in zip(ours, theirs, strict=False):
        if (said := _differing(_public(one), _public(other))) is None:
            continue
        recorded, says = said or (_told(kept[: place + 1]), _told(told[: other_place + 1]))
        line = lines[other_place] or max(lines[:other_place])  # an event without a line follows from the lines before
        yield Contradiction(line, says, recorded, against)
        return


def _differing(one: Event, other: Event) -> tuple[str, str] | tuple[()] | None:
    """Return, in words, the first fact in which two starts differ; () for other events; None if they are equal."""
    if not isinstance(one, GameStarted) or not isinstance(other, GameStarted):
        return () if one != other else None
    return next(((a, b) for a, b in zip(_start(one), _start(other), strict=False) if a != b), None)


def _start(event: GameStarted) -> Iterator[str]:
    """Yield the facts of a start, in words; posts and rake have events of their own."""
    table = event.table
    assert table is not None
    yield f"that {counted(len(event.seats), 'player')} are dealt in"
    for seat, number, stack in zip(event.seats, table.numbers, table.stacks, strict=True):
        yield f"that {seat.name} sits at seat {number} with {table.currency.say(stack)}"
    yield f"the button at seat {table.button}" if table.button is not None else "no button"
    yield f"amounts in {table.currency.code or 'chips'}"
    yield from (f"{field.replace('_', ' ')} {value}" for field, value in _rules(event, table))


def _rules(event: GameStarted, table: CashTable) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each rule of a start."""
    for room, rules in event.rules.model_dump().items():
        if isinstance(rules, dict):
            yield from ((f"{room} {field}", value) for field, value in rules.items())
        else:
            yield room, rules


def _told(events: Sequence[Event]) -> str:
    """Return the game's own sentence about the last of the events."""
    started, *others = events
    assert isinstance(started, GameStarted)
    state = DRAW_POKER.new(started)
    for event in others:
        state.apply(event)
    said = DRAW_POKER.words.tell(_public(events[-1]), state)
    return f"that {said[0].lower() + said[1:] if said.startswith('The ') else said}"


def _public(event: Event) -> Event:
    """Return the public part of an event; shown cards are sorted, because their order means nothing."""
    if isinstance(event, HandShown):
        event = replace(event, cards=tuple(sorted(event.cards)))
    return redact(event, EVERYONE)
