"""The findings of an audit: each describes one thing that is wrong, and where it is.

An exception that does not refuse the contents of a log is a bug in pokersvc, not a finding: a `Fault`.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from traceback import walk_tb
from typing import Final, Literal, NamedTuple

from pokersvc.errors import printable

Check = Literal["chain", "schema", "rules", "deal", "money", "clock", "read_models", "checkpoint", "export", "storage"]

_WITHOUT_SECRETS: Final[Mapping[Check, str]] = {
    "chain": "the chain of hashes is broken, or the event is not where or when it should be",
    "schema": "the event is not stored as such an event is",
    "rules": "the rules require another event, or none",
    "deal": "the deal is not the one that follows from the seed",
    "money": "the chips or the points do not add up",
    "clock": "the recorded times do not show that the time was over",
    "read_models": "the history or the list of games disagrees with the events",
    "checkpoint": "the log is not the one of the checkpoint",
    "export": "the copy shows other secrets than it should",
    "storage": "the database itself is damaged",
}
"""Check → what its findings mean, in words that quote nothing from the log."""

DEBUG: Final = "POKERSVC_DEBUG"
"""The environment variable that, unless unset, empty or 0, lets internal errors through with their tracebacks."""
_LIBRARIES: Final = frozenset({"numba", "numpy", "pydantic", "sqlalchemy"})
"""The libraries that pokersvc and games are built on: an exception from a library is blamed on its caller."""


class Finding(NamedTuple):
    """One thing that is wrong."""

    game_id: str | None
    """The game; None for the database itself."""
    seq: int | None
    """The number of the event; None for the whole game."""
    type: str | None
    """The type of the event as it is in the log, if there is an event."""
    check: Check
    """The check that found it."""
    found: str
    """A description of what was found, to follow the word "found"."""
    expected: str
    """A description of the expected content, to follow "where there should be"."""

    @property
    def without_secrets(self) -> str:
        """A sentence for those who may not see hidden data: it says what is wrong, and quotes nothing from the log."""
        where = "The game" if self.seq is None else f"Event {self.seq}"
        return f"{where}: {_WITHOUT_SECRETS[self.check]}."

    def __str__(self) -> str:
        where = _where(self.game_id, self.seq, self.type)
        return printable(f"{where}: found {self.found} where there should be {self.expected} ({self.check})")


class Fault(NamedTuple):
    """A bug in pokersvc that ended the check of a game; it does not mean that the log is wrong.

    The message of the exception is left out because it may quote secret cards.
    """

    game_id: str | None
    """The game; None for the database itself."""
    seq: int | None
    """The number of the event being checked; None for the whole game or its end."""
    type: str | None
    error: str
    """The type of the exception."""
    place: str
    """The file and the line where it was raised."""

    def __str__(self) -> str:
        where = _where(self.game_id, self.seq, self.type)
        return printable(
            f"{where}: not checked from here on, because of a bug in pokersvc, {self.error} at {self.place};"
            f" {DEBUG}=1 shows its traceback"
        )


def _where(game_id: str | None, seq: int | None, type_: str | None) -> str:
    where = "The database" if game_id is None else f"Game {game_id}"
    if seq is not None:
        where += f", event {seq}" + (f" ({type_})" if type_ else "")
    return where


def failure(
    error: Exception, game_id: str | None, seq: int | None, type_: str | None, *, found: bool
) -> Fault | Finding:
    """Return a `Fault` for an exception that ended a game's check; a finding instead if the log was already wrong.

    If something was ``found`` in the game before, the state may be one that no game can have, and the exception is
    a finding that follows from that; otherwise it is a bug in pokersvc. Raises the exception if `DEBUG` is on.
    """
    if os.environ.get(DEBUG, "") not in ("", "0"):
        raise error
    fault = Fault(game_id, seq, type_, type(error).__name__, place_of(error))
    return lost(game_id, seq, type_, f"{fault.error} at {fault.place}; ") if found else fault


def lost(game_id: str | None, seq: int | None, type_: str | None, why: str = "") -> Finding:
    """Return a finding that says that the rest of a game cannot be checked by the rules."""
    unchecked = f"{why}rules, deal, money and lists are not checked any more"
    found = f"an event after which the game cannot be followed ({unchecked})"
    return Finding(game_id, seq, type_, "rules", found, "one that follows from the events before it")


def place_of(error: BaseException) -> str:
    """Return the last place in pokersvc or a game in an exception's traceback: file (without folders) and line.

    If there is no such line, return the last line that is not from the standard library.

    >>> place_of(ValueError())
    'an unknown place'
    """
    place, passed = "", "an unknown place"
    for frame, line in walk_tb(error.__traceback__):
        *packages, name = str(frame.f_globals.get("__name__", "")).split(".")
        if (packages or [name])[0] in sys.stdlib_module_names:
            continue
        file = Path(frame.f_code.co_filename).name
        passed = "/".join([*packages, name, file] if file == "__init__.py" else [*packages, file]) + f":{line}"
        if (packages or [name])[0] not in _LIBRARIES:
            place = passed
    return place or passed
