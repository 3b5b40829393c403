"""Leduc hold'em passes the kit's checks, and equals OpenSpiel's: the same choices and gains on every path."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest
from leduc import DECK, LEDUC, Call, CardDealt, CardTurned, DeckShuffled, Fold, LeducState, Raise

from pokersvc import EntropySource, Seat, Setup
from pokersvc.testing import check_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this system")

ENTROPY: Final = EntropySource.from_text("leduc")
CHOICES: Final = {0: Fold, 1: Call, 2: Raise}
"""OpenSpiel's number of a choice → ours."""


@pytest.mark.slow
def test_leduc_keeps_the_promises_of_a_game() -> None:
    check_game(LEDUC, schemas=Path(__file__).with_name("schemas"))


def test_it_is_written_in_250_lines() -> None:
    assert len(Path(__file__).with_name("leduc.py").read_text("utf-8").splitlines()) <= 250


def dealt(*cards: int) -> LeducState:
    """Return a game of one round in which these cards were dealt."""
    seats = (Seat("random", "Ann"), Seat("random", "Bo"))
    state = LEDUC.begin(LEDUC.start(Setup(seats, ENTROPY, rounds=1)))
    state.apply(DeckShuffled(1, None))
    for seat, card in enumerate(cards, 1):
        state.apply(CardDealt(DECK[card], seat))
    return state


def ways(state: LeducState, theirs: Any, cards: list[int]) -> Iterator[tuple[Any, LeducState]]:
    """Yield the states of both games on every path; ``cards`` are the cards that may still be dealt."""
    if theirs.is_chance_node():
        assert state.awaited == ()
        for card, chance in theirs.chance_outcomes():
            assert card in cards
            assert chance == pytest.approx(1 / len(cards))
            turned = deepcopy(state)
            turned.apply(CardTurned(DECK[card]))
            yield from ways(turned, theirs.child(card), cards)
        return
    yield theirs, state
    for number in [] if theirs.is_terminal() else theirs.legal_actions():
        after = deepcopy(state)
        after.apply(after.decide(CHOICES[number](theirs.current_player() + 1)))
        yield from ways(after, theirs.child(number), cards)


@pytest.mark.slow
def test_every_way_through_it_is_one_of_openspiel_with_the_same_gains() -> None:
    known, choosing, ended = set(), 0, 0
    for one, two in permutations(range(6), 2):
        start = pyspiel.load_game("leduc_poker").new_initial_state().child(one).child(two)
        for theirs, state in ways(dealt(one, two), start, [card for card in range(6) if card not in (one, two)]):
            if not theirs.is_terminal():
                seat = theirs.current_player() + 1
                assert state.awaited == (seat,)
                assert state.legal(seat) == tuple([CHOICES[number](seat) for number in theirs.legal_actions()])
                known.add(theirs.information_state_string())
                choosing += 1
                continue
            event = state.dealer_event(ENTROPY.entropy())
            assert event is not None
            state.apply(event)
            assert state.outcome is not None
            assert list(state.outcome.scores) == theirs.returns()
            ended += 1
    assert (len(known), choosing, ended) == (936, 3780, 5520)
