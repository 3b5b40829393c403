"""Every sentence, drawing, offer, refusal and impossible event of some games is what it was."""

import pytest

from .telling.told import TOLD

KEPT = TOLD.kept()


@pytest.mark.parametrize("name", TOLD.lines)
def test_a_game_is_told_as_before(name: str) -> None:
    assert TOLD.digest(name) == KEPT[name], f'see: python -m tests.games.telling "{name}"'


def test_no_digest_is_kept_of_a_game_that_is_gone() -> None:
    assert list(KEPT) == list(TOLD.lines)
