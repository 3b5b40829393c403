"""What bots choose and searches find is what it was, to the number of positions that are looked at."""

import pytest

from .thinking.thought import THOUGHT

KEPT = THOUGHT.kept()


@pytest.mark.parametrize("name", THOUGHT.lines)
def test_the_same_is_thought_as_before(name: str) -> None:
    assert THOUGHT.digest(name) == KEPT[name], f'see: python -m tests.games.thinking "{name}"'


def test_no_digest_is_kept_of_what_is_gone() -> None:
    assert list(KEPT) == list(THOUGHT.lines)
