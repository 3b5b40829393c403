"""The unknown card: a single object, written ``??``, distinct from every card and from withheld cards."""

import copy
import json
import pickle

import pytest
from pydantic import TypeAdapter, ValidationError

from pokersvc.cards import CARDS, Card
from pokersvc.cards.unknown import UNKNOWN, AnyCard, all_known, known_among, unknown

CARD: TypeAdapter[AnyCard] = TypeAdapter(AnyCard)


def test_there_is_one_unknown_card() -> None:
    assert copy.copy(UNKNOWN) is copy.deepcopy(UNKNOWN) is pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert UNKNOWN not in CARDS
    assert UNKNOWN, "what is withheld is None, and false"


def test_it_is_written_as_two_question_marks() -> None:
    assert (str(UNKNOWN), UNKNOWN.notation) == ("??", "??")
    assert CARD.dump_json(UNKNOWN) == b'"??"'
    assert CARD.validate_json('"??"') is UNKNOWN
    assert CARD.validate_python("??") is CARD.validate_python(UNKNOWN) is UNKNOWN


@pytest.mark.parametrize("card", CARDS)
def test_a_card_that_may_be_unknown_is_read_and_written_as_a_card_is(card: Card) -> None:
    assert CARD.dump_json(card) == TypeAdapter(Card).dump_json(card)
    assert CARD.validate_json(json.dumps(card.notation)) is CARD.validate_python(card) is card


@pytest.mark.parametrize("text", ["?", "???", "as", "10d", "", "null"])
def test_no_other_spelling_is_read(text: str) -> None:
    with pytest.raises(ValidationError):
        CARD.validate_json(json.dumps(text))


def test_a_card_alone_is_never_unknown() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Card).validate_json('"??"')


def test_unknown_cards_are_sorted_after_all_others() -> None:
    mixed: list[AnyCard] = [UNKNOWN, CARDS[51], UNKNOWN, CARDS[0]]
    assert sorted(mixed, key=lambda card: card.number) == [CARDS[0], CARDS[51], UNKNOWN, UNKNOWN]


def test_a_hand_is_known_where_no_card_of_it_is_unknown_or_withheld() -> None:
    assert all_known(CARDS[:5])
    assert not all_known((*CARDS[:4], UNKNOWN))
    assert not all_known((*CARDS[:4], None))
    assert known_among((UNKNOWN, CARDS[3], None, CARDS[1])) == (CARDS[3], CARDS[1])
    assert unknown(2) == (UNKNOWN, UNKNOWN)
