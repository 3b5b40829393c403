"""Random walks of a table give the stored results: possible events, refusals, and the time left."""

import pytest

from tests.digested import sampled

from .walking.walked import WALKED

STORED = WALKED.stored()
DEAR = ("dealer 20 1", "dealer 20 2")
"""Walks half a second long that go where another does: without a clock, or with one and shares."""


@pytest.mark.parametrize("name", sampled(STORED, dear=DEAR))
def test_a_table_goes_on_as_before(name: str) -> None:
    assert WALKED.digest(name) == STORED[name], f'see: python -m tests.core.walking "{name}"'


def test_no_digest_is_stored_of_a_walk_that_is_gone() -> None:
    assert list(STORED) == list(WALKED.texts())
