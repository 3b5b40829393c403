"""The output about stored hands (told, written, listed, counted) equals the stored one."""

import pytest

from tests.digested import sampled

from .stored_hands import TOLD

STORED = TOLD.stored()


@pytest.mark.parametrize("name", sampled(STORED, one_in=9))
def test_stored_hands_are_told_as_they_were(name: str) -> None:
    assert TOLD.digest(name) == STORED[name], f'see: python -m tests.histories.stored_hands "{name}"'


def test_there_are_digests_of_these_hands_alone() -> None:
    assert list(STORED) == list(TOLD.texts())
