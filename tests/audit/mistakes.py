"""Mistakes in the code of draw poker, made on purpose."""

from collections.abc import Callable
from typing import Any, Final, cast

import pytest

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import apply as draw_apply

from .played import Tampered

CALLING: Final = "fixed-limit"
"""A game in which at least one seat calls."""


def typo(table: Any, _event: Any) -> None:
    table.staked_chips += 1


def break_apply(monkeypatch: pytest.MonkeyPatch, handler: Callable[[Any, Any], None], *broken: type[Event]) -> None:
    """Replace the function that applies events of these types, or of all types, by another one."""
    for handlers in (*draw_apply.HANDLERS.values(), *draw_apply.HANDLERS_WITHOUT_COMMITMENTS.values()):
        for event in handlers:
            if event in broken or not broken:
                monkeypatch.setitem(cast(dict[type[Event], Any], handlers), event, handler)


def first_of(tampered: Tampered, game_id: str, type_: str) -> int:
    return next(record.seq for record in tampered.records(game_id) if record.type == type_)
