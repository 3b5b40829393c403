"""Accounts that not every game has: dead money, rake, chips bought and cashed, and those of a chip race."""

from typing import TypeAlias

from pokersvc.games.draw_poker import events

Row: TypeAlias = tuple[str, tuple[int | None, ...]]
"""A row of a ledger: the name of its account, and its numbers."""


class TableAccounts:
    """Accounts of dead money, rake, chips bought, cashed and raced off; lists by seat have an unused place 0."""

    def __init__(self, seats: int) -> None:
        self.bought = [0] * (seats + 1)
        """The chips that each seat brought after the game began."""
        self.cashed = [0] * (seats + 1)
        """The chips that each seat took away."""
        self.raced = [0] * (seats + 1)
        """The chips that each seat gained (if negative, lost) in chip races."""
        self.raked = 0
        """The chips that the house has kept."""
        self.open_round(seats)

    def open_round(self, seats: int) -> None:
        """Begin the accounts of a round."""
        self.dead = [0] * (seats + 1)
        """Dead money that each seat posted: part of what it put in, but not a stake that others must match."""
        self.rake: dict[int, int] = {}
        """The rake of each pot, by the pot's number."""

    def take_rake(self, event: events.RakeTaken) -> None:
        """Book the rake of a pot."""
        self.raked += event.amount
        self.rake[event.pot] = self.rake.get(event.pot, 0) + event.amount

    @property
    def gone(self) -> int:
        """The chips that have left the table, less those that came to it after the game began."""
        return self.raked + sum(self.cashed) - sum(self.bought) - sum(self.raced)

    def completed(self, columns: tuple[str, ...], rows: list[Row]) -> tuple[tuple[str, ...], list[Row]]:
        """Return the game's ledger with columns for chips bought, cashed and raced off, and a row for rake, if any."""
        if any(self.bought) or any(self.cashed):
            columns = (columns[0], "bought", *columns[1:-1], "cashed", columns[-1])
            rows = [
                (name, (numbers[0], self.bought[seat], *numbers[1:-1], self.cashed[seat], numbers[-1]))
                for seat, (name, numbers) in enumerate(rows, 1)
            ]
        if any(self.raced):
            columns = (*columns[:-1], "raced off", columns[-1])
            rows = [
                (name, (*numbers[:-1], self.raced[seat], numbers[-1])) for seat, (name, numbers) in enumerate(rows, 1)
            ]
        if self.raked:
            kept = {"paid": self.raked, "net": self.raked, "has": self.raked}
            rows = [*rows, ("rake", tuple(kept.get(column) for column in columns))]
        return columns, rows
