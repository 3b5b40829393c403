"""Which database the command line names."""

from typing import NamedTuple


class Chosen(NamedTuple):
    """What the command line or the environment says of the database: None where neither names one."""

    name: str | None
    by_option: bool
