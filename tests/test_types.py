"""The number of `Any` annotations per room, which may only decrease."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

import pokersvc
from tests.sources import sources

pytestmark = pytest.mark.no_cover  # sources are read, and none of them is run

ROOT: Final = Path(pokersvc.__file__).parent
COMPILED: Final = {"kernels.py", "engine.py"}
"""Modules whose numbers are Python's, NumPy's and numba's by turns."""
MOST: Final = {
    "betting": 0, "cards": 11, "cli": 17, "core": 22, "eventlog": 4, "evidence": 10, "games": 24, "players": 10,
    "server": 69, "service": 3, "system": 3, "testing": 2, "tournament": 4,
}  # fmt: skip
"""Room → the maximum number; lower it when there are fewer."""
MOST_IN_A_NEW_ROOM: Final = 10


def test_any_stands_in_few_places() -> None:
    found: Counter[str] = Counter()
    for room in (folder for folder in ROOT.iterdir() if folder.is_dir()):
        for source in sources(str(room.resolve())):
            if source.path.name not in COMPILED:
                found[room.name] += source.names["Any"]
    assert {room: count for room, count in found.items() if count > MOST.get(room, MOST_IN_A_NEW_ROOM)} == {}
