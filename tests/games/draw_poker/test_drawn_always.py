"""In any game of any house, the table can be drawn, offered commands are accepted, and refusals have a reason."""

import random
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS
from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.drawing import Room, plain, width
from pokersvc.core.event import EVERYONE
from pokersvc.core.record import without_secrets
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.events import GameEnded, HandsOpened, RoundEnded
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import DrawPokerView

from .played import KINDS, Plan, Played, boundary_actions

WORDS: Final = DrawPokerWords()
ROOMS: Final = (Room(60, 8), Room(60, 20), Room(80, 14), Room(120, 40), Room(200, 60), Room(24, 6))


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """One round or two of 2 to 10 seats in any house."""
    rules = preset(draw(st.sampled_from(preset_names())))
    seats = draw(st.integers(2, 10))
    kinds = draw(st.lists(st.sampled_from(["human", *KINDS]), min_size=seats, max_size=seats))
    return Plan(tuple(kinds), draw(st.integers(1, 2)), rules, draw(st.integers(0, 2**32)), rules.stack)


@settings(max_examples=6)
@given(plans())
def test_every_moment_can_be_drawn_and_every_choice_typed(plan: Plan) -> None:
    _play(plan)


@pytest.mark.slow
@pytest.mark.parametrize("games", [50, pytest.param(150, marks=pytest.mark.exhaustive)])
def test_every_moment_of_many_games_can_be_drawn_and_every_choice_typed(games: int) -> None:
    settings(max_examples=games)(given(plans())(_play))()


def _play(plan: Plan) -> None:
    game = Played(plan)
    rooms = random.Random(plan.seed)
    for event in game.steps():
        state = game.state
        if state.to_act is None and not isinstance(event, RoundEnded | HandsOpened | GameEnded):
            continue
        _fits(state.view(rooms.choice([EVERYONE, state.to_act or 1])), rooms.choice(ROOMS))
        if (seat := state.to_act) is not None:
            _can_be_typed(state, seat)


def _fits(view: DrawPokerView, room: Room) -> None:
    lines = WORDS.draw(view, room)
    assert len(lines) <= room.rows, room
    assert max(map(width, lines), default=0) <= room.columns, plain(lines)
    assert lines == WORDS.draw(without_secrets(view), room), "it is drawn by what its viewer may know"
    said = "\n".join(plain(lines))
    seen = {card for seat in view.seats for card in (*seat.cards, *seat.discarded)}
    for card in set(CARDS) - seen:
        assert card.symbol + card.text[-1] not in said


def _can_be_typed(state: DrawPokerState, seat: int) -> None:
    view, legal = state.view(seat), state.legal(seat)
    offered = [one.typed for one in WORDS.shortcuts(view, legal)]
    for typed in [*offered, *WORDS.completions(view, legal)]:
        state.decide(WORDS.read(typed, view, legal))
        assert WORDS.why_not(typed, view, legal) is None, typed
    for action in boundary_actions(state, seat):
        typed = _typed(action, view)
        assert WORDS.read(typed, view, legal) == action
        if not isinstance(action, Discard):
            assert typed[0] in {one[0] for one in offered}, f"{typed} is not offered"
    for typed in _tried(legal):
        assert (WORDS.why_not(typed, view, legal) is None) == _may(typed, state, seat), typed


def _typed(action: Action, view: DrawPokerView) -> str:
    """Return the short form of an action."""
    match action:
        case Bet(amount=amount):
            return f"b {amount}"
        case Raise(to=to):
            return f"r {to}"
        case Discard(cards=cards):
            hand = in_reading_order(view.seat(action.seat).cards)
            return " ".join(str(hand.index(card) + 1) for card in cards)
        case Check() | Call():
            return "c"
    assert isinstance(action, Fold)
    return "f"


def _tried(legal: LegalActions) -> Iterator[str]:
    """Yield actions that a person may try, mostly illegal ones."""
    if legal.discard is not None:
        yield from ("1 2 3 4 5", "1 2", "check", "call", "f", "bet 50", "k")
        return
    yield from ("check", "k", "call", "c", "f", "fold", "a", "all in", "1 3 5", "bet 1", "r 1")
    for least, most in filter(None, (legal.bet, legal.raise_to)):
        yield from (f"b {least - 1}", f"bet {most}", f"b {most + 1}", f"r {least - 1}", f"raise to {most}", str(most))


def _may(typed: str, state: DrawPokerState, seat: int) -> bool:
    try:
        state.decide(WORDS.read(typed, state.view(seat), state.legal(seat)))
    except (IllegalAction, InvalidAnswer):
        return False
    return True
