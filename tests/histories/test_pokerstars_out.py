"""PokerStars' text: hands written and read again, and real hands written exactly as they were."""

import re
from dataclasses import replace
from itertools import combinations

import pytest

from pokersvc.cards import CARDS, category_of, strength
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.dialects.site_words import stars_words
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Cancelled
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.pokerstars import pokerstars

from .goldens import SAMPLES

HANDS = [
    hand
    for path in sorted(SAMPLES.iterdir())
    if path.suffix != ".told"
    for hand in hands_in(path)
    if isinstance(hand, HandHistory)
]
UNSAYABLE = {
    "all discard before anybody draws",
    "it does not say when it was played",
    "it has dead money other than with both blinds",
    "the tournament's number is 'S-77'",
}
NOISE = re.compile(
    r'(?!Seat [0-9]).*(?: (?:joins|leaves) the table.*|: sits out| said, ".*"| is (?:dis)?connected'
    r"| has (?:timed out|returned)| is sitting out| will be allowed to play after the button"
    r"| was removed from the table .*| finished the .*)"
)
MOVED = {"100000000001", "100000000002", "100000000003", "100000000006"}
"""Hand-written samples with an unusual order of lines: a side pot paid between shows, or a late big blind."""


def back(text: str) -> HandHistory:
    (block,) = PokerStars().blocks(text.splitlines(keepends=True))
    return PokerStars().read(block)


def refusal(hand: HandHistory) -> str | None:
    """Return why a hand cannot be written so, None if it can be."""
    try:
        pokerstars(hand)
    except CannotBeWritten as error:
        return str(error).removeprefix("PokerStars' text cannot express this hand: ").removesuffix(".")
    return None


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: f"{hand.site} {hand.number}")
def test_out_in_again_and_out_is_the_same_text_and_the_same_end(hand: HandHistory) -> None:
    if refusal(hand) is not None:
        return
    text = pokerstars(hand)
    assert pokerstars(back(text)) == text
    if not any(isinstance(told, Cancelled) for told in hand.told):
        assert outcome_of(back(text)) == outcome_of(hand)


def test_every_kind_of_refusal_is_one_of_a_sample() -> None:
    assert {refusal(hand) for hand in HANDS} - {None} == UNSAYABLE


def lines_of(text: str, *, from_a_file: bool = True) -> list[str]:
    """Return the lines that matter; older headers have Game instead of Hand."""
    first, *others = [line.rstrip() for line in text.splitlines() if not NOISE.fullmatch(line)]
    return [re.sub(r"^PokerStars Game #", "PokerStars Hand #", first) if from_a_file else first, *others]


@pytest.mark.parametrize(
    "hand", [hand for hand in HANDS if hand.dialect == "pokerstars"], ids=lambda hand: str(hand.number)
)
def test_a_real_hand_comes_out_as_it_went_in(hand: HandHistory) -> None:
    """Compared line by line, or sorted where the site's order of side pots or blinds differs."""
    written, read = lines_of(pokerstars(hand), from_a_file=False), lines_of(hand.text)
    if hand.number in MOVED:
        assert written != read
        written, read = sorted(written), sorted(read)
    assert written == read


def test_a_header_is_written_as_the_site_writes_it() -> None:
    """Amounts named together have decimals if one of them has; a tournament is preceded by one space."""
    headers = {hand.number: pokerstars(hand).split("\n", 1)[0] for hand in HANDS if hand.dialect == "pokerstars"}
    assert "Draw Pot Limit ($0.50/$1.00 USD) - " in headers["15504835000"]
    assert "Draw No Limit ($1/$2 USD) - " in headers["100000000002"]
    assert headers["100000000006"].startswith(
        "PokerStars Hand #100000000006: Tournament #700001, $1.00+$0.10 USD 5 Card"
    )
    hand = next(hand for hand in HANDS if hand.number == "100000000006")
    assert hand.tournament is not None
    free = replace(hand, tournament=replace(hand.tournament, buy_in=None, fee=None))
    assert ": Tournament #700001, Freeroll  5 Card Draw No Limit - Level IV (50/100) - " in pokerstars(free)


def test_what_a_hand_is_called_follows_from_its_strength() -> None:
    """Checked with 16 cards, which contain hands of every category."""
    kinds = {
        "high card": 0, "a pair of": 1, "two pair": 2, "three of a kind": 3, "a straight,": 4, "a flush": 5,
        "a full house": 6, "four of a kind": 7, "a straight flush": 8, "a Royal Flush": 9,
    }  # fmt: skip
    some = [
        *CARDS[:4],
        *CARDS[4:8],
        CARDS[8],
        CARDS[12],
        CARDS[16],
        CARDS[20],
        CARDS[48],
        CARDS[44],
        CARDS[40],
        CARDS[36],
    ]
    for hand in combinations(some, 5):
        words = stars_words(hand)
        (kind,) = [number for start, number in kinds.items() if words.startswith(start)]
        assert category_of(strength(hand)) == kind


@pytest.mark.parametrize("name", ["Ann\x07", " Ann", "Ann "])
def test_a_name_that_would_not_come_back_is_refused(name: str) -> None:
    hand = next(hand for hand in HANDS if refusal(hand) is None)
    first, *others = hand.players
    renamed = replace(hand, players=(replace(first, name=name), *others))
    assert refusal(renamed) == "a name in it cannot stand in a line of text"
