"""Cards, and how they are written for people and for machines."""

import copy
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from pokersvc.cards import CARDS, FACES, SUITS, Card, InvalidCard, parse_cards

cards = st.sampled_from(CARDS)


def test_a_fresh_deck_is_numbered_from_the_two_of_clubs_to_the_ace_of_spades() -> None:
    assert [card.number for card in CARDS] == list(range(52))
    assert [card.notation for card in CARDS] == [face + suit for face in "23456789TJQKA" for suit in "cdhs"]
    assert (FACES, SUITS) == ("23456789TJQKA", "cdhs")


def test_a_number_is_four_times_the_face_plus_the_suit() -> None:
    for card in CARDS:
        assert card.number == 4 * card.face + card.suit
        assert card.notation == FACES[card.face] + SUITS[card.suit]


@pytest.mark.parametrize(
    ("notation", "text", "symbol", "number"),
    [
        ("2c", "2C", "2♣", 0),
        ("Td", "10D", "10♦", 33),
        ("Jh", "JH", "J♥", 38),
        ("As", "AS", "A♠", 51),
    ],
)
def test_people_and_machines_write_a_card_differently(notation: str, text: str, symbol: str, number: int) -> None:
    card = Card.of(number)
    assert (card.notation, str(card), card.symbol) == (notation, text, symbol)
    assert repr(card) == f"Card({notation!r})"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("AS", "As"),
        ("A♠", "As"),
        ("a♤", "As"),
        ("10d", "Td"),
        ("TD", "Td"),
        ("tD", "Td"),
        ("10♦", "Td"),
        ("10♢", "Td"),
        ("q♡", "Qh"),
        ("9♧", "9c"),
        (" 2c\n", "2c"),
        ("K♥\ufe0f", "Kh"),
    ],
)
def test_people_may_write_a_card_in_many_ways(text: str, notation: str) -> None:
    assert Card(text) is Card.parse(text)
    assert Card(text).notation == notation


@given(cards, st.sampled_from(["notation", "symbol", "text"]), st.booleans(), st.sampled_from(["", " ", "\t\n"]))
def test_every_way_of_writing_a_card_reads_back(card: Card, form: str, upper: bool, space: str) -> None:
    written: str = getattr(card, form)
    assert Card(space + (written.upper() if upper else written.lower()) + space) is card


@pytest.mark.parametrize(
    "text", ["", " ", "A", "S", "1S", "11S", "0C", "AX", "SA", "A S", "ASAS", "T0d", "100d", "１０d", "♠", "joker"]
)
def test_what_is_not_a_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidCard) as refusal:
        Card(text)
    assert refusal.value.code == "invalid_card"
    assert repr(text) in str(refusal.value)
    assert "AH or 10D" in str(refusal.value)


@given(st.text())
def test_any_text_is_a_card_or_refused(text: str) -> None:
    said = ""
    try:
        assert Card(text) in CARDS
    except InvalidCard as refusal:
        said = str(refusal)
    assert len(said) < 250


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_a_number_that_no_card_has_is_refused(number: int) -> None:
    with pytest.raises(InvalidCard, match=f"^{number} is not the number of a card: those are 0 to 51"):
        Card.of(number)


def test_there_is_one_object_for_each_card() -> None:
    for card in CARDS:
        assert Card.of(card.number) is card
        assert copy.copy(card) is card
        assert copy.deepcopy(card) is card
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(card, protocol)) is card
    assert len(set(CARDS)) == 52


def test_cards_are_ordered_by_number() -> None:
    for a in CARDS:
        for b in CARDS:
            assert (a < b, a <= b, a > b, a >= b, a == b) == (
                a.number < b.number,
                a.number <= b.number,
                a.number > b.number,
                a.number >= b.number,
                a.number == b.number,
            )
    assert sorted(sorted(CARDS, key=str)) == list(CARDS)


@pytest.mark.parametrize("operator", ["__lt__", "__le__", "__gt__", "__ge__", "__eq__"])
def test_a_card_has_no_order_with_anything_else(operator: str) -> None:
    assert getattr(Card("As"), operator)("As") is NotImplemented


def test_a_card_does_not_change() -> None:
    card = Card("As")
    with pytest.raises(AttributeError, match="A card does not change"):
        card.face = 3
    with pytest.raises(AttributeError, match="A card does not change"):
        card.colour = "black"
    with pytest.raises(AttributeError, match="A card does not change"):
        del card.face
    assert card.face == 12


# Lists of cards


@pytest.mark.parametrize(
    "text",
    [
        "AH AD JS 3C 2D",
        "AH, AD, JS, 3C, 2D",
        "ah,ad,js,3c,2d",
        "[AH, AD, JS, 3C, 2D]",
        " [ A♥  A♦,J♠ ,3♣\t2♦ ] ",
    ],
)
def test_cards_are_listed_with_commas_or_spaces_and_perhaps_brackets(text: str) -> None:
    assert [card.notation for card in parse_cards(text)] == ["Ah", "Ad", "Js", "3c", "2d"]


@given(st.lists(cards, unique=True), st.sampled_from([" ", ",", ", ", "  "]), st.sampled_from(["{}", "[{}]"]))
def test_a_list_of_cards_reads_back(listed: list[Card], separator: str, brackets: str) -> None:
    assert list(parse_cards(brackets.format(separator.join(map(str, listed))))) == listed


@pytest.mark.parametrize("text", ["AH,,AD", ",AH", "AH,", "AH;AD", "AHAD", "[AH", "AH]", "[[AH]]"])
def test_a_list_with_anything_else_in_it_is_refused(text: str) -> None:
    with pytest.raises(InvalidCard, match="is not a card"):
        parse_cards(text)


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(InvalidCard, match=r"^10D is named twice"):
        parse_cards("10D AH T♦")


# Cards in events


@dataclass(frozen=True, slots=True)
class Shown:
    cards: tuple[Card, ...] | None
    seat: int


shown = TypeAdapter(Shown)


@pytest.mark.parametrize("strict", [True, False])
def test_pydantic_reads_and_writes_the_notation(strict: bool) -> None:
    text = b'{"cards":["Td","Ah","2c"],"seat":1}'
    event = shown.validate_json(text, strict=strict)
    assert event == Shown((Card("Td"), Card("Ah"), Card("2c")), 1)
    assert event.cards is not None
    assert event.cards[0] is Card("Td")
    assert shown.dump_json(event) == text
    assert shown.dump_python(event) == {"cards": (Card("Td"), Card("Ah"), Card("2c")), "seat": 1}
    assert shown.dump_python(event, mode="json") == {"cards": ["Td", "Ah", "2c"], "seat": 1}
    assert shown.validate_json(b'{"cards":null,"seat":1}', strict=strict) == Shown(None, 1)


def test_pydantic_reads_every_card() -> None:
    adapter = TypeAdapter(tuple[Card, ...])
    text = json.dumps([card.notation for card in CARDS], separators=(",", ":"))
    assert adapter.validate_json(text, strict=True) == CARDS
    assert adapter.dump_json(CARDS).decode() == text
    assert adapter.json_schema() == {
        "items": {"enum": [card.notation for card in CARDS], "type": "string"},
        "type": "array",
    }


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "value", ["td", "TD", "10d", "10D", "T♦", " Td", "", "X", 33, 3.5, True, None, [], {}, ["Td"], {"Td": 1}]
)
def test_pydantic_refuses_every_other_spelling(value: object, strict: bool) -> None:
    with pytest.raises(ValidationError) as refusal:
        shown.validate_json(json.dumps({"cards": ["Ah", value], "seat": 1}), strict=strict)
    assert [error["type"] for error in refusal.value.errors()] == ["literal_error"]
    assert refusal.value.errors()[0]["loc"] == ("cards", 1)
    with pytest.raises(ValidationError):
        shown.validate_python({"cards": (Card("Ah"), value), "seat": 1}, strict=strict)


def test_pydantic_takes_cards_themselves_from_python() -> None:
    adapter = TypeAdapter(Card)
    assert adapter.validate_python(Card("Td"), strict=True) is Card("Td")
    assert adapter.validate_python("Td", strict=True) is Card("Td")


def test_importing_cards_imports_no_pydantic() -> None:
    program = "import sys, pokersvc.cards; sys.exit('pydantic_core' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
