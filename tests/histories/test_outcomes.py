"""Thousands of hands with one change are read, followed and written exactly as stored."""

import pytest

from tests.digested import sampled

from .outcomes import OUTCOMES

STORED = OUTCOMES.stored()


@pytest.mark.parametrize("name", sampled(STORED, one_in=9, dear=("doctored",)))
def test_a_hand_with_one_change_comes_to_what_it_did(name: str) -> None:
    assert OUTCOMES.digest(name) == STORED[name], f'see: python -m tests.histories.outcomes "{name}"'


def test_there_are_digests_of_these_hands_alone() -> None:
    assert list(STORED) == list(OUTCOMES.texts())
