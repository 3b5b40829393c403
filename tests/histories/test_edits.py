"""Random edits of good hands: what follows hands by the rules and the independent checker agree on which can stand."""

from pathlib import Path

from pokersvc.histories.following.walk import follow
from pokersvc.histories.reading import Unread, hand_of

from .checker import contradiction
from .edits import Edit, edits


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
    found = [one for edit in edits(15, 1000) if (one := disagreement(edit)) is not None]
    assert found == []
