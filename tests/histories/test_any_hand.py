"""Any random hand played in PokerKit is written, read again, and written as the same text."""

import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Card, Deck

from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.phh import phh

from .pokerkit_draw import AUTOMATIC, finishing_stacks, registered


def read(dialect: Phh, text: str) -> HandHistory:
    (block,) = dialect.blocks(text.splitlines(keepends=True))
    return dialect.read(block)


def played(data: st.DataObject) -> str:
    """Let PokerKit play a hand with random choices, and return it as PHH."""
    code = data.draw(st.sampled_from(["N5CD", "P5CD", "F5CD"]))
    count = data.draw(st.integers(2, 6))
    stacks = data.draw(st.lists(st.integers(5, 120), min_size=count, max_size=count))
    ante = data.draw(st.integers(0, 2))
    bets = {"small_bet": 4, "big_bet": 8} if code == "F5CD" else {"min_bet": 4}
    game: Any = registered().game_types[code]
    game = game(
        automations=AUTOMATIC, ante_trimming_status=False, raw_antes=ante, raw_blinds_or_straddles=(2, 4), **bets
    )
    state = game(stacks, count)
    order = data.draw(st.permutations(list(Deck.STANDARD)))
    deck = iter([repr(card) for card in order])
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_hole():
            state.deal_hole("".join(next(deck) for _ in range(5 if state.street_index == 0 else 1)))
        elif state.can_stand_pat_or_discard():
            hand: list[Card] = list(state.hole_cards[state.stand_patter_or_discarder_index])
            gone = data.draw(st.integers(0, 2))
            state.stand_pat_or_discard("".join(map(repr, hand[:gone])))
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(data.draw(st.sampled_from([None, True])))
        else:
            _bet(state, data)
    return str(registered().from_game_state(game, state, finishing_stacks=list(state.stacks)).dumps())


def _bet(state: Any, data: st.DataObject) -> None:
    choice = data.draw(st.sampled_from(["call", "call", "raise", "fold"]))
    if choice == "raise" and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        state.complete_bet_or_raise_to(data.draw(st.integers(least, max(least, most))))
    elif choice == "fold" and state.can_fold() and state.checking_or_calling_amount:
        state.fold()
    else:
        state.check_or_call()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("hands", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_any_hand_of_pokerkit_is_read_and_written_again(hands: int) -> None:
    settings(max_examples=hands)(given(st.data())(is_read_and_written_again))()


def is_read_and_written_again(data: st.DataObject) -> None:
    theirs = played(data)
    hand = read(Phh(), theirs)
    text = phh(hand)
    assert phh(read(Phh(), text)) == text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert finishing_stacks(text) == finishing_stacks(theirs)
    end = outcome_of(hand)
    assert end is not None
    assert [end.stacks[player.name] for player in hand.players] == finishing_stacks(theirs)
