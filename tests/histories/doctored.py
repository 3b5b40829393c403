"""Sample hands with changed words, and the expected results."""

from collections.abc import Iterable
from pathlib import Path

from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hand_of

from .checker import contradiction
from .edits import sample_hands


def told(number: str, *pairs: tuple[str, str]) -> HandHistory | Unread:
    """Return a sample's hand with other words in it."""
    dialect, block = next((dialect, block) for dialect, block, hand in sample_hands() if hand.number == number)
    text, context = block.text, block.context
    for old, new in pairs:
        assert old in text + context
        text, context = text.replace(old, new), context.replace(old, new)
    return hand_of(Path("doctored"), dialect, block._replace(text=text, context=context))


def check_found(number: str, pairs: Iterable[tuple[str, str]], line: int) -> None:
    """Check that both the follower and the checker find an error, the follower at this line."""
    hand = told(number, *pairs)
    assert isinstance(hand, HandHistory), hand
    assert [one.line for one in follow(hand, "0" * 64).contradictions][:1] == [line]
    assert contradiction(hand) is not None


def check_unread(number: str, old: str, new: str, line: int) -> None:
    """Check that the hand is refused by this line."""
    hand = told(number, (old, new))
    assert isinstance(hand, Unread)
    assert hand.line == line


def check_right(number: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Check that neither the follower nor the checker finds an error."""
    hand = told(number, *pairs)
    assert isinstance(hand, HandHistory), hand
    assert follow(hand, "0" * 64).contradictions == ()
    assert contradiction(hand) is None
