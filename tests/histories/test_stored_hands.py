"""Stored hands are told, written, listed and counted as they were, to the letter."""

from typing import Final

import pytest

from tests.digested import digests, stored

from .stored_hands import STORED, families

HANDS: Final = families()
KNOWN: Final = stored(STORED)


@pytest.mark.parametrize("name", HANDS)
def test_stored_hands_are_told_as_they_were(name: str) -> None:
    assert digests(HANDS[name]) == KNOWN[name]


def test_there_are_digests_of_these_hands_alone() -> None:
    assert list(KNOWN) == list(HANDS)
