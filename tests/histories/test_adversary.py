"""Hands that somebody has doctored with care, found at their lines; and odd ones that are right, read as they are."""

from pathlib import Path

import pytest

from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.reading import Unread, hand_of

from .checker import contradiction
from .edits import sample_hands

SIDE, THREE, RESHUFFLE, LEVEL = "100000000001", "100000000002", "100000000004", "100000000006"
NEW_HAND = '<cards type="DRAW_DRAWN_CARDS" cards="8d,7h,9c,7c,2s" player="1" hand="Pair of Sevens"/>'

FOUND = {
    "two side pots are paid to one winner each, who share both": (
        THREE,
        [
            ("Cid collected $30 from side pot-2\nHero collected $30", "Cid collected $60"),
            ("Cid collected $30 from side pot-1\nHero collected $30", "Hero collected $60"),
        ],
        24,
    ),
    "a side pot is paid to who is all in for less": (
        SIDE,
        [("Hero collected $6 from side pot", "Bob B collected $6 from side pot")],
        29,
    ),
    "the button is at an empty seat, and the summary has it elsewhere": (
        THREE,
        [("Seat #2 is the button", "Seat #3 is the button")],
        32,
    ),
    "the button is at a seat from which another would have the blind": (
        "49909572764",
        [("Seat #", "Seat #9")],
        8,
    ),
    "one ante is twice the level's": (LEVEL, [("Hero: posts the ante 10", "Hero: posts the ante 20")], 7),
    "one ante is missing": (LEVEL, [("Cid: posts the ante 10\n", "")], 13),
    "the blinds are another level's": (LEVEL, [("Level IV (50/100)", "Level IV (100/200)")], 11),
    "a winner mucks before a loser shows": (
        SIDE,
        [("Hero: shows [Ah As Jc 5d 6h] (a pair of Aces)\nCid", "Hero: mucks hand\nCid")],
        27,
    ),
    "a player draws a card that the player has thrown away": (
        SIDE,
        [("[Jc 5d 6h]", "[3c 5d 6h]"), ("Ah As Jc 5d 6h", "Ah As 3c 5d 6h")],
        20,
    ),
    "another shows what was thrown away, and no deck was made anew": (
        SIDE,
        [("[8c 8d 8h Kc Kd]", "[8c 8d 8h 4d 4c]"), ("Eights full of Kings", "Eights full of Fours")],
        30,
    ),
    "of two whose names begin alike the other acts": (
        THREE,
        [("Bob: folds: raises $20 to $30 and is all-in", "Bob: folds")],
        13,
    ),
    "cards are dealt to who stood pat": (
        THREE,
        [("on [9d Td Jd Qs Ks]", "on [9d Td Jd Qs Ks]\nDealt to Hero [9d Td Jd Qs] [Ah]")],
        19,
    ),
    "the house takes more than the pots had": (
        "57273888010",
        [("Rake $0", "Rake $0.30"), ("Total pot $0.20", "Total pot $0.50")],
        21,
    ),
    "net and stack are wrong by the same amount": (
        "R5-46987275-232",
        [("Hero ($0.90), net: -$0.10", "Hero ($0.80), net: -$0.20")],
        31,
    ),
    "a raise is told with another sum than it adds": (
        "R5-46987275-232",
        [("raises $0.10 to $0.10", "raises $0.05 to $0.10")],
        16,
    ),
    "Merge's dealer button is at a seat far away": ("51234567-19", [('dealer="2"', 'dealer="9"')], 10),
    "Merge calls the hand that was dealt by another name": (
        "51234567-19",
        [('7c,6s" player="1" hand="Pair of Sevens"', '7c,6s" player="1" hand="Pair of Aces"')],
        20,
    ),
    "Merge calls the new hand by another name": ("51234567-19", [(NEW_HAND, NEW_HAND.replace("Sevens", "Nines"))], 28),
    "an OHH's rake is as large as its main pot": ("70001", [('"rake": 3.00', '"rake": 63.00')], 40),
    "a PHH pays who has folded": ("7", [("[0, 15.25, 0, 0]", "[15.25, 0, 0, 0]")], 28),
    "a seat has a number that no table has": ("7", [("[2, 4, 5, 9]", "[2, 4, 5, 140]")], 1),
}  # fmt: skip

UNREADABLE = {
    "full-width digits": ("49909572764", "calls $0.10", "calls $０.１０", 16),
    "Arabic digits": ("57273888010", "Seat 3: Eve ($3.85", "Seat 3: Eve ($٣.٨٥", 5),
    "an amount below zero": ("57273888010", "raises $0.10 to $0.20", "raises $-0.10 to $0.20", 15),
    "a rake below zero": ("57273888010", "Rake $0", "Rake $-0.10", 21),
    "a comma for the point": ("57273888010", "collected $0.20 from", "collected $0,20 from", 18),
    "two players of one seat": ("57273888010", "Seat 4: Hero", "Seat 3: Hero", 6),
    "a card in other letters": (SIDE, "[Ah As 3c 4d 9h]", "[AH As 3c 4d 9h]", 10),
    "two currencies": ("57273888010", "collected $0.20 from", "collected €0.20 from", 18),
    "somebody at an empty seat": ("51234567-19", 'player="0" amount="0.10"', 'player="7" amount="0.10"', 15),
    "an event's number twice": ("51234567-19", '<event sequence="17"', '<event sequence="16"', 34),
    "a second new hand": ("51234567-19", NEW_HAND, f"{NEW_HAND}\n{NEW_HAND}", 29),
    "two buttons": ("2997015392", 'STATE_PLAYING" DEALER="N"', 'STATE_PLAYING" DEALER="Y"', 4),
}

RIGHT = {
    "an amount with more decimals than it needs": ("57273888010", [("collected $0.20 from", "collected $0.200 from")]),
    "the house takes rake of a pot that nobody contested": (
        "57273888010",
        [
            ("Rake $0", "Rake $0.05"),
            ("collected $0.20 from", "collected $0.15 from"),
            ("collected ($0.20)", "collected ($0.15)"),
        ],
    ),
    "nothing says who has the button": (
        "9000000001",
        [('<PLAYER NAME="UNKNOWN" SEAT="1" AMOUNT="0.00" STATE="STATE_EMPTY" DEALER="Y"></PLAYER>', "")],
    ),
    "the two times of a hand disagree": ("62899098639", [("16:58:32 ET", "17:58:32 ET")]),
}


def told(number: str, *pairs: tuple[str, str]) -> ToldHand | Unread:
    """Return a sample's hand with other words in it."""
    dialect, block = next((dialect, block) for dialect, block, hand in sample_hands() if hand.number == number)
    text = block.text
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return hand_of(Path("doctored"), dialect, block._replace(text=text))


@pytest.mark.parametrize("what", FOUND)
def test_what_is_doctored_is_found_at_its_line(what: str) -> None:
    number, pairs, line = FOUND[what]
    hand = told(number, *pairs)
    assert isinstance(hand, ToldHand), hand
    assert [one.line for one in follow(hand, "0" * 64).contradictions][:1] == [line]
    assert contradiction(hand) is not None


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_no_site_writes_is_not_read(what: str) -> None:
    number, old, new, line = UNREADABLE[what]
    hand = told(number, (old, new))
    assert isinstance(hand, Unread)
    assert hand.line == line


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_odd_and_right_is_read_as_it_is(what: str) -> None:
    number, pairs = RIGHT[what]
    hand = told(number, *pairs)
    assert isinstance(hand, ToldHand), hand
    assert follow(hand, "0" * 64).contradictions == ()
    assert contradiction(hand) is None
