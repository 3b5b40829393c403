"""The independent checker accepts every sample, and finds errors at the right line."""

from collections import Counter
from pathlib import Path

import pytest

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hand_of

from .checker import contradiction
from .edits import KINDS, edits, sample_hands

GOOD = {hand.number: (dialect, block, hand) for dialect, block, hand in sample_hands()}


@pytest.mark.parametrize("number", GOOD)
def test_nothing_is_wrong_with_a_good_hand(number: str) -> None:
    assert contradiction(GOOD[number][2]) is None


def found(number: str, old: str, new: str) -> int | None:
    """Return the line of the contradiction in a changed hand, counted from the hand's first line."""
    dialect, block, _ = GOOD[number]
    assert old in block.text
    hand = hand_of(Path("x"), dialect, block._replace(text=block.text.replace(old, new)))
    assert isinstance(hand, HandHistory), hand
    wrong = contradiction(hand)
    return wrong.line if wrong else None


@pytest.mark.parametrize(
    ("number", "old", "new", "line"),
    [
        # turns
        ("49909572764", "Hal: folds\nJon: folds", "Jon: folds\nHal: folds", 12),
        ("49909572764", "Ida: folds\n", "", 15),
        ("49909572764", "Kai: discards 3 cards\n", "", 19),
        ("12327327470", "Cid checks\nEve checks", "Eve checks\nCid checks", 31),
        # amounts and prices
        ("49909572764", "Hero: posts big blind $0.10", "Hero: posts big blind $0.20", 9),
        ("49909572764", "Hero: calls $0.10", "Hero: calls $0.05", 16),
        ("89500336678", "calls $0.17", "calls $0.20", 22),
        ("12327327470", "Bob B calls $0.75", "Bob B calls $1", 17),
        ("60267294618", "raises $0.25 to $0.50", "raises $0.25 to $0.75", 14),
        # least raises
        ("13059921315", "raises $0.10 to $0.30", "raises $0.05 to $0.25", 17),
        ("12327327470", "Ann raises to $1", "Ann raises to $0.75", 16),
        ("15504835000", "raises $2 to $3", "raises $5 to $6", 10),
        # what comes back, pots and rake
        ("60267294618", "Uncalled bet ($0.50)", "Uncalled bet ($0.25)", 30),
        ("60267294618", "Uncalled bet ($0.50) returned to Hero\n", "", 30),
        ("49909572764", "Rake $0.02", "Rake $0.03", 25),
        ("49909572764", "collected $0.43", "collected $0.42", 25),
        ("12327327470", "(Pot: $4)", "(Pot: $4.50)", 20),
        ("100000000001", "collected $6 from side pot", "collected $6.01 from side pot", 31),
        ("R5-46987275-233", "Main pot: $0.27", "Main pot: $0.28", 40),
        # draws, and cards held once
        ("60267294618", "discards 1 card [2s]", "discards 1 card [3s]", 21),
        ("60267294618", "discards 1 card [2s]", "discards 2 cards [2s]", 21),
        ("49909572764", "Kai: shows [Qd 5c", "Kai: shows [Td 5c", 24),
        ("49909572764", "Kai: shows [Qd 5c", "Kai: shows [2s 5c", 24),
        ("R5-937523909-250", "Bob B changed 1 cards", "Bob B changed 6 cards", 19),
        ("100000000004", "The deck is reshuffled\n", "", 23),
        ("100000000004", "discards 5 cards\nAnn B", "discards 1 card\nAnn B", 23),
        # winners by known cards, and the summary
        ("49909572764", "Kai collected $0.43", "Hero collected $0.43", 25),
        ("79625180593", "mucked [4h Ks 3s Jc 7h]", "mucked [4h 4s 3s Jc 7h]", 28),
        ("49909572764", "Seat 6: Hal folded before the Draw (didn't bet)", "Seat 6: Hal folded after the Draw", 32),
        ("49909572764", "Seat 3: Ida (small blind)", "Seat 3: Ida (button)", 30),
        ("R5-46987275-232", "net: -$0.10", "net: -$0.11", 31),
        ("R5-46987275-232", "Fay_7 ($11.34)", "Fay_7 ($11.35)", 32),
        ("100000000005", "collected ($0)", "collected ($1)", 12),
    ],
)  # fmt: skip
def test_the_first_line_that_cannot_stand_is_named(number: str, old: str, new: str, line: int) -> None:
    assert found(number, old, new) == line


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        ("57273888010", "Fay_7 joins the table at seat #6\n", ""),
        ("57273888010", "Seat 3: Eve ($3.85", "Seat 3: Eve ($4.85"),
        ("57273888010", "Total pot $0.20 | Rake $0\n", ""),
        ("89500336678", "Kai: discards 3 cards", "Kai: discards 2 cards"),
    ],
)
def test_a_line_less_and_what_nobody_can_know_are_consistent(number: str, old: str, new: str) -> None:
    assert found(number, old, new) is None


@pytest.mark.slow
def test_a_thousand_edits_are_judged() -> None:
    """Each is unreadable, contradictory or consistent; of each kind that can be read, many contradict themselves."""
    judged: Counter[tuple[str, str]] = Counter()
    for edit in edits(1, 1_000):
        hand = hand_of(Path("x"), edit.dialect, edit.block)
        if isinstance(hand, Unread):
            judged[edit.kind, "unreadable"] += 1
        else:
            judged[edit.kind, "contradictory" if contradiction(hand) else "consistent"] += 1
    for kind in KINDS:
        whole = sum(judged[kind, how] for how in ("unreadable", "contradictory", "consistent"))
        assert whole >= 1_000 // len(KINDS)
        assert judged[kind, "contradictory"] >= (whole - judged[kind, "unreadable"]) // 5
    assert 150 < sum(judged[kind, "consistent"] for kind in KINDS) < 250


def test_edits_are_the_same_for_a_seed() -> None:
    assert list(edits(5, 30)) == list(edits(5, 30))
    assert list(edits(5, 30)) != list(edits(6, 30))
