"""Rules, options, tables and stored events are refused as before, at each edge of what is allowed."""

import pytest

from .refusing.refused import REFUSED

KEPT = REFUSED.kept()


@pytest.mark.parametrize("name", REFUSED.lines)
def test_the_same_is_refused_as_before(name: str) -> None:
    assert REFUSED.digest(name) == KEPT[name], f'see: python -m tests.games.refusing "{name}"'


def test_no_digest_is_kept_of_what_is_gone() -> None:
    assert list(KEPT) == list(REFUSED.lines)
