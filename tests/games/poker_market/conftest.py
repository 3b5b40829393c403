"""Markets are played out in plain Python by all but the slow tests: to compile takes longer than all that they play."""

from math import inf

import pytest

from pokersvc.games.poker_market import engine


@pytest.fixture(autouse=True)
def _plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(engine._Patience, "left", inf)
