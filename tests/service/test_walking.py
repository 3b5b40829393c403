"""Random commands to two services on one log give the stored results."""

import pytest

from tests.digested import sampled

from .walking.walked import WALKED

STORED = WALKED.stored()


@pytest.mark.parametrize("name", sampled(STORED))
def test_services_go_on_as_before(name: str) -> None:
    assert WALKED.digest(name) == STORED[name], f'see: python -m tests.service.walking "{name}"'


def test_no_digest_is_stored_of_a_walk_that_is_gone() -> None:
    assert list(STORED) == list(WALKED.texts())
