"""Thousands of hands with one change are read, followed and written as they were, to the letter."""

from typing import Final

import pytest

from tests.digested import digests, stored

from .outcomes import STORED, families

HANDS: Final = families()
KNOWN: Final = stored(STORED)


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_with_one_change_comes_to_what_it_did(name: str) -> None:
    assert digests(HANDS[name]) == KNOWN[name]


def test_there_are_digests_of_these_hands_alone() -> None:
    assert list(KNOWN) == list(HANDS)
