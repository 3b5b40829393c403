"""Players of these tests that play in this process, without one of their own, which is a hundred times as fast."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pokersvc.core.bots.player import Player
from pokersvc.core.bots.seating import Seating
from pokersvc.players import Programs
from tests.tournament.mixing import Loose, Mixed
from tests.tournament.rare import Rare

_FOLDER: Final = Path(__file__).parent
RARE: Final = f"{_FOLDER}/rare.py:Rare"
MIXED: Final = f"{_FOLDER}/mixing.py:Mixed"
LOOSE: Final = f"{_FOLDER}/mixing.py:Loose"
LIES: Final = f"{_FOLDER}/mixing.py:Lies"
HERE: Final[Mapping[str, Callable[[], Any]]] = {RARE: Rare, MIXED: Mixed, LOOSE: Loose}
"""The kinds of the players that play here."""


class InThisProcess(Programs):
    """Has these players play here, as if they were built in."""

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Player] | None:
        return HERE[kind] if kind in HERE else super().find(game, kind, load=load)
