"""Persons of a table: the numbers that identify people in whatever seat, and the amounts that they brought."""

from typing import NamedTuple


class PersonAccount(NamedTuple):
    """The amounts that one person has brought to a table and taken away from it, over all its games."""

    number: int
    """The number that the table gave the person when they first sat down."""
    name: str
    """The name under which they sat last."""
    brought: int
    taken: int
    has: int
    """What the person has on the table now."""
    last_taken: int = 0
    """What the person took when getting up last."""
    left_ago: int | None = None
    """The number of rounds played since the person last got up; None if the person never did, or took nothing then."""

    @property
    def net(self) -> int:
        """The result over all games: what the person took away and still holds, less what the person brought."""
        return self.taken + self.has - self.brought


class Persons(NamedTuple):
    """The persons of a game whose people have numbers."""

    seats: tuple[int, ...]
    """The person who holds each seat or held it last, from seat 1; 0 where nobody has sat."""
    next: int
    """The number of the next person who is new to the table."""
    accounts: tuple[PersonAccount, ...]
    """The account of each person who has ever sat at the table, in the order of their numbers."""
    asking: tuple[int, ...] = ()
    """The seats at which somebody asks the host to let them sit down."""

    def of_seat(self, seat: int) -> int | None:
        """Return the person who holds a seat or was its last holder; None if nobody has sat there."""
        return self.seats[seat - 1] or None
