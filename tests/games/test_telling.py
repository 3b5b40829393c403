"""Every sentence, drawing, offer, refusal and impossible event of some games equals the stored one."""

import pytest

from tests.digested import sampled

from .telling.told import TOLD

STORED = TOLD.stored()


@pytest.mark.parametrize("name", sampled(STORED, one_in=6))
def test_a_game_is_told_as_before(name: str) -> None:
    assert TOLD.digest(name) == STORED[name], f'see: python -m tests.games.telling "{name}"'


def test_no_digest_is_stored_of_a_game_that_is_gone() -> None:
    assert list(STORED) == list(TOLD.texts())
