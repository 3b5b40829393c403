"""The choices of bots and the results of searches equal the stored ones, even the number of positions."""

import pytest

from tests.digested import sampled

from .thinking.thought import THOUGHT

STORED = THOUGHT.stored()
DEAR = ("pot-limit-3 choices", "rake choices")
"""Where every kind of bot chooses at three seats, which takes seconds."""


@pytest.mark.parametrize("name", sampled(STORED, dear=DEAR))
def test_the_same_is_thought_as_before(name: str) -> None:
    assert THOUGHT.digest(name) == STORED[name], f'see: python -m tests.games.thinking "{name}"'


def test_no_digest_is_stored_of_what_is_gone() -> None:
    assert list(STORED) == list(THOUGHT.texts())
