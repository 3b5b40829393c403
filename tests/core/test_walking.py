"""Random walks of a table give the stored results: possible events, refusals, and the time left."""

import pytest

from tests.digested import sampled

from .walking.walked import WALKED

STORED = WALKED.stored()


@pytest.mark.parametrize("name", sampled(STORED))
def test_a_table_goes_on_as_before(name: str) -> None:
    assert WALKED.digest(name) == STORED[name], f'see: python -m tests.core.walking "{name}"'


def test_no_digest_is_stored_of_a_walk_that_is_gone() -> None:
    assert list(STORED) == list(WALKED.texts())
