"""Which database the command line names."""

from typing import NamedTuple


class Chosen(NamedTuple):
    """The database that the command line or the environment names; None if neither does."""

    name: str | None
    by_option: bool
