"""The database named on the command line."""

from typing import NamedTuple


class Chosen(NamedTuple):
    """The database named on the command line or in the environment; the name is None if there is none."""

    name: str | None
    by_option: bool
