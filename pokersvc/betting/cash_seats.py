"""The people of a cash game, besides their stacks: requested purchases, standing wishes, and identities.

A *person* is a number that the table gives somebody who sits down for the first time. It stays the same when they come
back, also at another seat, so the chips that they brought and took are added up under this number.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTerms:
    """The terms of a cash game for purchases, absence and return."""

    approval: bool = False
    """Whether the host admits or refuses each purchase."""
    away_rounds: int | None = None
    """The number of rounds for which somebody who sits out keeps the seat; None for any number."""
    bomb_blinds: int | None = None
    """The ante of a bomb pot in big blinds; None if there are no bomb pots."""
    bomb_every: int | None = None
    """The number of rounds from one bomb pot announced by the dealer to the next; None if only the host announces
    them."""
    least: int = 1
    """The least that may be bought at once."""
    most: int | None = None
    """The most that may be bought at once; None if only the stack is limited (`Terms.buy_up_to`)."""
    return_rounds: int | None = None
    """The number of rounds within which a person must come back with all chips they took; None for no such limit."""
    straddle_by_choice: bool = False
    """Whether only players who wish to straddle do; if not, everybody does in turn (`Terms.straddle`)."""
    wishes: bool = False
    """Whether people have numbers and standing wishes."""


NO_CASH_TERMS: Final = CashTerms()


class Purchase(NamedTuple):
    """A purchase that waits for the host's answer."""

    amount: int
    name: str | None
    """The new name of the seat, if somebody else sits down there; None if it keeps its name."""
    person: int | None
    """The person who sits down; None for the person who sits there already."""


class Wishes(NamedTuple):
    """The standing wishes of a seat, carried out before a round begins or, for a straddle, as the round begins."""

    in_with_blind: bool = False
    """Whether the person, who sits out, is dealt in again as soon as that requires no extra post."""
    out_at_blind: bool = False
    """Whether the person sits out as soon as they would post the big blind."""
    straddles: bool = False
    """Whether the person posts the straddle in each round in which it is their turn."""
    top_up_to: int = 0
    """The stack up to which chips are bought before each round; 0 for no such wish."""


NO_WISHES: Final = Wishes()


class Account(NamedTuple):
    """The chips that a person has brought to the table and taken from it; a starting stack counts as brought."""

    brought: int = 0
    taken: int = 0
    last_taken: int = 0
    """The chips that the person took when getting up last."""
    left_in: int = 0
    """The number of rounds that had been played when the person got up last."""


@dataclass(slots=True)
class CashSeats:
    """The people of a cash game; lists by seat have an unused place 0."""

    persons: list[int]
    """The person who holds each seat, or held it last; 0 where nobody has sat."""
    accounts: dict[int, Account] = field(default_factory=dict)
    """Person → what they brought and took."""
    names: dict[int, str] = field(default_factory=dict)
    """Person → the name under which they sat last."""
    first_new: int = 1
    """The lowest number that a person who is new to the table may have."""
    asked: dict[int, Purchase] = field(default_factory=dict)
    """Seat → the purchase that waits for the host's answer."""
    admitted: int = 0
    """The seat whose purchase the host has admitted and is now carried out; 0 for none."""
    out_since: dict[int, int] = field(default_factory=dict)
    """Seat that sits out → the number of rounds that had been played when it began to sit out."""
    wishes: dict[int, Wishes] = field(default_factory=dict)
    """Seat → its standing wishes, if it has any."""

    @property
    def next_person(self) -> int:
        """The number of the next person who is new to the table."""
        return max(self.first_new, *[number + 1 for number in self.persons], *[number + 1 for number in self.accounts])

    def gone(self, seat: int) -> None:
        """Forget what belongs only to the holder of a seat, who has got up."""
        self.asked.pop(seat, None)
        self.out_since.pop(seat, None)
        self.wishes.pop(seat, None)

    def wish(self, seat: int, wishes: Wishes) -> None:
        """Note all standing wishes of a seat."""
        if wishes == NO_WISHES:
            self.wishes.pop(seat, None)
        else:
            self.wishes[seat] = wishes

    def brings(self, seat: int, amount: int) -> None:
        """Add chips to what the person at a seat has brought."""
        person = self.persons[seat]
        account = self.accounts.get(person, Account())
        self.accounts[person] = account._replace(brought=account.brought + amount)

    def takes(self, seat: int, amount: int, round_: int) -> None:
        """Add chips to what the person at a seat has taken."""
        person = self.persons[seat]
        account = self.accounts.get(person, Account())
        self.accounts[person] = Account(account.brought, account.taken + amount, amount, round_)
