"""Nim beside poker, and a database with games of both that can be tampered with."""

from collections.abc import Iterator

import pytest

from pokersvc.core.registry import _REGISTRY, register

from ..nim.game import NIM
from .played import Tampered, tampering, written


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.core.registry._REGISTRY", dict(_REGISTRY))
    register(NIM)


@pytest.fixture(scope="session")
def _played() -> Iterator[Tampered]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pokersvc.core.registry._REGISTRY", dict(_REGISTRY))
        register(NIM)
        content = written()
    with tampering(content) as found:
        yield found


@pytest.fixture
def tampered(_played: Tampered) -> Tampered:
    """The games as they were played, to be changed."""
    _played.restore()
    return _played
