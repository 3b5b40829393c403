"""Random edits of good hands: the follower and the independent checker agree on which ones are possible."""

from pathlib import Path

import pytest

from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hand_of

from .checker import contradiction
from .edits import Edit, edits, sample_hands


def disagreement(edit: Edit) -> str | None:
    hand = hand_of(Path("edited"), edit.dialect, edit.block)
    if isinstance(hand, Unread):
        return None
    other, ours = contradiction(hand), follow(hand, "0" * 64).contradictions
    if (other is None) == (not ours):
        return None
    theirs = other and f"line {other.line}: {other}"
    return f"{edit.number} ({edit.kind}, {hand.number}, line {edit.line}): checker {theirs}; {ours and str(ours[0])}"


def test_both_find_the_same_edits() -> None:
    found = [one for edit in edits(15, 250) if (one := disagreement(edit)) is not None]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(1, 6), 15])
def test_both_find_the_same_edits_of_any_seed(seed: int) -> None:
    found = [one for edit in edits(seed, 1000) if (one := disagreement(edit)) is not None]
    assert found == []


SIDE = "Hero collected 606 from side pot"
MUCKS = "Cid: mucks hand"
MAIN = "Hero collected 32 from main pot"
SHOWS = "Bob: shows [As Ad Ks Kd 2h] (two pair, Aces and Kings)"

JUDGED = {
    "a newcomer's big blind may be told first": (
        "R5-46987275-233",
        "Fay_7 posts big blind ($0.05)\nDora posts big blind ($0.05)",
        "Dora posts big blind ($0.05)\nFay_7 posts big blind ($0.05)",
        None,
    ),
    "a cancelled hand need not have a big blind": (
        "100000000005",
        "Hero: posts big blind $0.10\n",
        "",
        12,  # where the summary says who had it
    ),
    "a cancelled hand need not have a small blind": ("100000000005", "Ann: posts small blind $0.05\n", "", 11),
    "a summary of a cancelled hand has everybody's seat": (
        "100000000005",
        "Seat 3: Hero (big",
        "Seat 2: Hero (big",
        13,
    ),
    "between two the button has the small blind, also where none is told": (
        "100000000005",
        "Ann: posts small blind $0.05\nHero: posts big blind $0.10",
        "Ann: posts big blind $0.10",
        5,
    ),
    "a small blind is no more than the big one": ("57273888010", "small blind $0.05", "small blind $0.15", 7),
    "a hand that may win a side pot is told before it is paid": (
        "100000000006",
        f"{MUCKS}\n{SIDE}",
        f"{SIDE}\n{MUCKS}",
        26,
    ),
    "a hand that may win the main pot is told before it is paid": (
        "100000000006",
        f"{SHOWS}\n{MAIN}",
        f"{MAIN}\n{SHOWS}",
        28,
    ),
    "a deck that runs out is told to be reshuffled": ("100000000004", "The deck is reshuffled\n", "", 23),
    "what was given up after a reshuffle is not dealt again": (
        "100000000004",
        "[Js 8c 7s 5d 3h]",
        "[Js 8c 7s 5d 4s]",
        45,
    ),
    "nobody who drew before a reshuffle has what was given up by then": (
        "100000000004",
        "Ann: discards 5 cards\nAnn B: discards 5 cards\nCid: discards 5 cards\nDora: discards 5 cards\n"
        "The deck is reshuffled\nHero: discards 3 cards [9h Jc 4s]\nDealt to Hero [2c 2d] [2h 7d 8d]\nGus",
        "Ann: discards 5 cards\nAnn B: discards 5 cards\nCid: discards 5 cards\nDora: discards 5 cards\n"
        "The deck is reshuffled\nHero: discards 3 cards [9h Jc 4s]\nDealt to Hero [2c 2d] [Kc 7d 8d]\nGus",
        34,
    ),
    "a hand without a pair has the name of its highest card": (
        "R5-46987275-233",
        "(HIGH_CARD KING)",
        "(HIGH_CARD ACE)",
        46,
    ),
    "a deck is not reshuffled twice for one player": (
        "100000000004",
        "The deck is reshuffled\n",
        "The deck is reshuffled\n" * 2,
        24,
    ),
    "a hand that was dealt keeps as many cards as it did not change": (
        "79625180593",
        "Dealt to Hero",
        "Dealt to Kai",
        28,
    ),
    "the second of two bets is no less than the first": ("R5-46987275-232", "$0.05/$0.10", "$0.05/$0.01", 1),
    "no more is counted than a thousand million": ("R5-46987275-232", "$0.05/$0.10", "$0.05/$46987175.00", 1),
    "a summary leaves out no blind": ("57273888010", "Eve (big blind) folded", "Eve folded", 24),
}  # fmt: skip


@pytest.mark.parametrize("rule", JUDGED)
def test_a_difference_that_edits_have_shown_is_judged_by_the_rules(rule: str) -> None:
    number, old, new, line = JUDGED[rule]
    dialect, block = next((dialect, block) for dialect, block, hand in sample_hands() if hand.number == number)
    assert block.text.count(old) == 1
    hand = hand_of(Path("edited"), dialect, block._replace(text=block.text.replace(old, new)))
    assert isinstance(hand, HandHistory), hand
    other, ours = contradiction(hand), follow(hand, "0" * 64).contradictions
    assert (other and other.line, ours[0].line if ours else None) == (line, line), (str(other), *map(str, ours))


@pytest.mark.parametrize(
    ("number", "old", "new", "line"),
    [
        ("51234567-19", 'player="3" text="3"', 'player="3" text="132879088439000"', 23),
        (
            "6649814790",
            '<CARD LINK="14"></CARD></RESULT>',
            '<CARD LINK="14"></CARD>\n<CARD LINK="15"></CARD></RESULT>',
            48,
        ),
    ],
)
def test_more_cards_than_a_hand_has_are_found(number: str, old: str, new: str, line: int | None) -> None:
    dialect, block = next((dialect, block) for dialect, block, hand in sample_hands() if hand.number == number)
    assert old in block.text
    hand = hand_of(Path("edited"), dialect, block._replace(text=block.text.replace(old, new)))
    assert isinstance(hand, HandHistory), hand
    ours = follow(hand, "0" * 64).contradictions
    assert ours
    assert line in (None, ours[0].line)
