"""What auditors of the log find: one thing that is not as it should be, in words that name where."""

from typing import Literal, NamedTuple

from pokersvc.errors import printable

Check = Literal["chain", "schema", "rules", "deal", "money", "read_models", "checkpoint", "export", "storage"]


class Finding(NamedTuple):
    """One thing that is not as it should be."""

    game_id: str | None
    """The game; None where the database itself is meant."""
    seq: int | None
    """The number of the event; None where the whole game is meant."""
    type: str | None
    """The type of the event as it stands in the log, where there is one."""
    check: Check
    """Which check found it."""
    found: str
    """What was found, to follow the word "found"."""
    expected: str
    """What should have been, to follow "where there should be"."""

    def __str__(self) -> str:
        where = "The database" if self.game_id is None else f"Game {self.game_id}"
        if self.seq is not None:
            where += f", event {self.seq}" + (f" ({self.type})" if self.type else "")
        return printable(f"{where}: found {self.found} where there should be {self.expected} ({self.check})")
