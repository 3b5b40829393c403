"""Kalah checked by the kit for game authors, on small boards too, with the faster bots."""

from typing import Any, Final

CHECKED: Final[dict[str, Any]] = {
    "options": [{"holes": 3, "beans": 2}, {"holes": 2, "beans": 3, "empty_capture": True}, {}],
    "programs": ["random", "bad", "smart/2"],
}
