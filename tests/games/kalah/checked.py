"""How Kalah is checked by the kit for authors: on small boards too, by the programs that do not think long."""

from typing import Any, Final

CHECKED: Final[dict[str, Any]] = {
    "options": [{"holes": 3, "beans": 2}, {"holes": 2, "beans": 3, "empty_capture": True}, {}],
    "programs": ["random", "bad", "smart/2"],
}
