"""Fixtures: the game of Nim, and a database with games of Nim and poker to tamper with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.games.draw_poker import events as draw
from tests.own_game import database, registered

from ..nim.game import NIM
from .mistakes import break_apply, typo
from .played import Tampered, tampering, written

__all__ = ["database"]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(NIM):
        yield


@pytest.fixture(scope="session")
def _played() -> Iterator[Tampered]:
    with registered(NIM):
        content = written()
    with tampering(content) as found:
        yield found


@pytest.fixture
def tampered(_played: Tampered) -> Tampered:
    """Fixture: a database with finished games, which a test may change."""
    _played.restore()
    return _played


@pytest.fixture
def with_a_typo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of draw poker with a typo where a call is applied."""
    break_apply(monkeypatch, typo, draw.Called)


@pytest.fixture
def path(tampered: Tampered, tmp_path: Path) -> Path:
    """The games in a file, for the program."""
    path = tmp_path / "games.sqlite"
    path.write_bytes(written())
    return path
