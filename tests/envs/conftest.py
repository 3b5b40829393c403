"""The games of these tests."""

from collections.abc import Iterator

import pytest

from .tables import own_games


@pytest.fixture(autouse=True, scope="module")
def games_are_registered() -> Iterator[None]:
    with own_games():
        yield
