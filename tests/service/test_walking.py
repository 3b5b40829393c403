"""Whatever is asked of two services on one log, they record, refuse and answer what they did."""

import pytest

from .walking.walked import WALKED

STORED = WALKED.stored()


@pytest.mark.parametrize("name", STORED)
def test_services_go_on_as_before(name: str) -> None:
    assert WALKED.digest(name) == STORED[name], f'see: python -m tests.service.walking "{name}"'


def test_no_digest_is_stored_of_a_walk_that_is_gone() -> None:
    assert list(STORED) == list(WALKED.texts())
