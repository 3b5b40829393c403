"""The database named on the command line."""

from typing import NamedTuple


class Chosen(NamedTuple):
    """The database named on the command line or in the environment; its name is None if neither names one."""

    name: str | None
    by_option: bool
