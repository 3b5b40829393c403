"""A game that is being doctored."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pokersvc.core.event import Viewer

from .games import Game, Line


def json_of(value: object) -> str:
    """Return a value as games write it."""
    return json.dumps(value, separators=(",", ":"))


@dataclass
class Hand:
    """The lines of a game, the line to change, and the viewer of the export."""

    game: Game
    lines: list[Line]
    at: int
    random: Random
    viewer: Viewer
    opens: bool

    @property
    def line(self) -> Line:
        return self.lines[self.at]

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.line["payload"])
        return said

    def say(self, said: object) -> bool:
        before: str = self.line["payload"]
        self.line["payload"] = json_of(said)
        return bool(before != self.line["payload"])


Change = Callable[[Hand], bool]
"""A function that changes a game, and returns whether it could."""
