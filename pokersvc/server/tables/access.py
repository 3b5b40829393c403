"""The decisions of a table's host about people: who is let in, what watchers are shown, and who may talk."""

import json
from dataclasses import asdict, dataclass
from typing import Final, Literal

Admits = Literal["all", "each"]
Talkers = Literal["all", "folded", "off"]


@dataclass(frozen=True, slots=True)
class Access:
    """Access to a table: who may come in, what watchers are shown, and who may talk."""

    admits: Admits = "all"
    """Whether everybody who sits down is let in at once, or each by the host."""
    delay: int = 0
    """Seconds by which watchers see everything later; 0: no delay."""
    chat: Talkers = "all"
    """Who may talk: all seats, only those without cards in the hand, or nobody."""
    watchers_read: bool = False
    """Whether watchers may read what is said."""

    @classmethod
    def of_json(cls, text: str) -> "Access":
        """Return the access that a table stores; missing fields have their values for a new table.

        >>> Access.of_json('{"delay": 30}')
        Access(admits='all', delay=30, chat='all', watchers_read=False)
        """
        return cls(**json.loads(text))

    @property
    def json(self) -> str:
        """The access as a table stores it."""
        return json.dumps(asdict(self), sort_keys=True)


AT_FIRST: Final = Access()
"""The rules at a table whose host has decided nothing yet."""
