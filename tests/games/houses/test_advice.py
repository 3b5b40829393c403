"""The draw for people: what they are advised in one line, and how they take it or not."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.games.draw_poker.actions import Check, Discard, LegalActions
from pokersvc.games.draw_poker.players import advised_discard
from pokersvc.games.draw_poker.words import DrawPokerWords
from pokersvc.games.game import InvalidAnswer

from ..draw_poker.table import ACES, KINGS, NOTHING, Table
from .house import BUY_THE_POT, opened_by, with_hands

WORDS = DrawPokerWords()


def drawing(hand: str = ACES) -> Table:
    """Seat 1 is a person with this hand, and about to draw."""
    return opened_by(with_hands(BUY_THE_POT, hand, KINGS, persons=(1,)), 1).given(Check(1))


@pytest.mark.parametrize(
    ("hand", "most", "advice"),
    [
        (ACES, 5, 'Advice: discard 8C 6S 3C (positions 3,4,5); say "ok" to take it'),
        ("8C AH 6S AD 3C", 5, 'Advice: discard 8C 6S 3C (positions 1,3,5); say "ok" to take it'),
        (ACES, 2, 'Advice: discard 6S 3C (positions 4,5); say "ok" to take it'),
        ("AH AD 8C 8S 3C", 5, 'Advice: discard 3C (position 5); say "ok" to take it'),
        ("5C 6D 7H 8S 9C", 5, 'Advice: keep all; say "ok" to do so'),
    ],
    ids=["three", "in between", "as many as can be dealt", "one", "none"],
)
def test_a_person_sees_the_advice_in_one_line_before_the_draw(hand: str, most: int, advice: str) -> None:
    view, legal = drawing(hand).view(1), LegalActions(discard=most)
    first, question = WORDS.ask(view, legal).splitlines()
    assert first == advice
    assert question == f"Discard up to {most}: positions (1,3) or Enter to keep all"


@pytest.mark.parametrize("answer", ["ok", "OK", " ok ", "okay", "advice"])
@pytest.mark.parametrize(("hand", "most"), [(ACES, 5), (ACES, 1), (NOTHING, 5), ("5C 6D 7H 8S 9C", 5)])
def test_one_word_takes_the_advice(answer: str, hand: str, most: int) -> None:
    table, legal = drawing(hand), LegalActions(discard=most)
    taken = WORDS.read(answer, table.view(1), legal)
    assert taken == Discard(1, advised_discard(table.view(1), legal))
    table.event_of(taken)  # is not refused


@pytest.mark.parametrize("answer", ["1,3,5", "1 3 5", " 1, 3 ,5 ", "5 3 1"])
def test_a_person_may_list_positions_instead(answer: str) -> None:
    taken = WORDS.read(answer, drawing().view(1), LegalActions(discard=5))
    assert isinstance(taken, Discard)
    assert sorted(taken.cards) == sorted(parse_cards("AH 8C 3C"))


def test_nothing_keeps_all_whatever_is_advised() -> None:
    assert WORDS.read("", drawing().view(1), LegalActions(discard=5)) == Discard(1, ())


def test_where_no_card_can_be_dealt_nothing_is_advised() -> None:
    view, legal = drawing().view(1), LegalActions(discard=0)
    assert WORDS.ask(view, legal) == "No card can be dealt: Enter to keep your hand"
    assert WORDS.read("ok", view, legal) == Discard(1, ())


def test_ok_is_no_answer_in_the_betting() -> None:
    table = opened_by(with_hands(BUY_THE_POT, ACES, KINGS, persons=(1,)), 1)
    with pytest.raises(InvalidAnswer, match="'ok' is no answer here"):
        WORDS.read("ok", table.view(1), table.legal)
