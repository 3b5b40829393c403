"""Rules, options, tables and stored events are refused exactly as stored, at each limit."""

import pytest

from tests.digested import sampled

from .refusing.refused import REFUSED

STORED = REFUSED.stored()


@pytest.mark.parametrize("name", sampled(STORED, one_in=6))
def test_the_same_is_refused_as_before(name: str) -> None:
    assert REFUSED.digest(name) == STORED[name], f'see: python -m tests.games.refusing "{name}"'


def test_no_digest_is_stored_of_what_is_gone() -> None:
    assert list(STORED) == list(REFUSED.texts())
