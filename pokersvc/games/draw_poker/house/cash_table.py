"""A table with settings of its own: seat numbers, a stack for each seat, the button and the currency.

In a game without such a table, seats count from 1 without gaps, and each begins with the stack of the house. Fields are
in alphabetical order, so that a table inside ``GameStarted`` is written as canonical JSON.
"""

from collections.abc import Iterator
from json import dumps
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pokersvc.betting.money import say_money
from pokersvc.core.seats import HUMAN, Seat, open_seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Chips
from pokersvc.text import counted

MOST_NUMBER: Final = 99
"""The highest number that a seat of a table may have."""

PlaceNumber: TypeAlias = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
"""The number of a place at the table, as a site counts places: from 0 or 1, with gaps where nobody plays."""


class InvalidTable(InvalidValue):
    """A table at which nobody can play: the sentence names the field, the value and what would be right."""

    code = "invalid_table"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Currency(_Part):
    """The currency of a table: amounts are whole numbers of its smallest unit, never added to those of another."""

    code: Annotated[str, Field(max_length=16)] = ""
    """The ISO 4217 code, such as ``USD``, or a site's own name for play money; empty for chips."""
    exponent: Annotated[int, Field(ge=0, le=4)] = 0
    """The number of decimal places of its smallest unit; 0 for chips."""

    def say(self, amount: int) -> str:
        """Return an amount as text.

        >>> Currency(code="USD", exponent=2).say(1994), Currency(code="SEK", exponent=2).say(-5), Currency().say(1994)
        ('$19.94', '-0.05 SEK', '1994')
        """
        return say_money(amount, self.code, self.exponent)


CHIPS: Final = Currency()


class Post(_Part):
    """A payment of a seat before the deal; a seat that has less puts in all it has."""

    amount: Annotated[int, Field(ge=1, le=MAX_CHIPS)]
    kind: Literal["small", "big", "extra", "dead", "straddle"]
    """A ``small``, ``big`` or ``extra`` blind, ``dead`` money, or a ``straddle``. An extra blind is live but not a
    raise; dead money does not count towards the price; a straddle is a blind raise whose seat acts last."""
    seat: Annotated[int, Field(ge=1)]


class CashTable(_Part):
    """The table at the start of a game: the settings of its seats, its money and its first round."""

    has_open_seats: ClassVar[bool] = True
    """Whether the table can have open seats, stored as persons without chips: true in starts of version 4 or later."""

    button: PlaceNumber | None = None
    """The place that has the button in the first round, which may be empty; None if the house decides."""
    cash: bool = False
    """Whether people buy chips, sit out and get up with their chips between rounds; if not, it is a freeze-out."""
    currency: Currency = CHIPS
    hand: Annotated[int, Field(ge=1)] = 1
    """The number of the first round in the table's own count of hands; later rounds count up from it."""
    numbers: tuple[PlaceNumber, ...]
    """The place of each seat, ascending: seat ``i`` of the game sits at ``numbers[i - 1]``."""
    out: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Seats that sit out when the game begins, ascending."""
    posts: tuple[Post, ...] | None = None
    """The posts of the first round, in order; None if they follow from the button."""
    rake: tuple[Chips, ...] | None = None
    """The rake stated for each pot of the first round, the main pot first; None if it follows from the rules.
    Pots beyond the last one stated paid nothing."""
    recorded: bool = False
    """Whether the cards, and all other results of chance, were recorded elsewhere, so that there is no deck."""
    stacks: tuple[Chips, ...]
    """The chips of each seat, from seat 1."""


def table_of(value: object) -> CashTable:
    """Return a table, which may be a mapping of its fields; raise `InvalidTable`, which names the first wrong field."""
    if isinstance(value, CashTable):
        return value
    try:
        return CashTable.model_validate_json(dumps(value))  # JSON accepts the lists that everybody writes for tuples
    except (TypeError, ValueError) as error:
        if not isinstance(error, ValidationError):
            raise InvalidTable(f"A table is a mapping of its fields, not {type(value).__name__}.") from error
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "the table"
        raise InvalidTable(f"The table has a wrong {field}: {first['msg']}.") from error


class TableRefusal(NamedTuple):
    """A wrong field of a table, and what it must be."""

    field: str
    right: str


def first_refusal(table: CashTable, seats: int) -> TableRefusal | None:
    """Return the first field that is wrong for a game of ``seats`` seats; None if the table is valid."""
    return next((TableRefusal(field, right) for wrong, field, right in _checks(table, seats) if wrong), None)


def _checks(table: CashTable, seats: int) -> Iterator[tuple[bool, str, str]]:
    numbers, out = table.numbers, table.out
    yield len(numbers) != seats, "numbers", f"{seats} of them, one for each seat"
    yield list(numbers) != sorted(set(numbers)), "numbers", "ascending, and all different"
    yield len(table.stacks) != seats, "stacks", f"{seats} of them, one for each seat"
    yield sum(table.stacks) > MAX_CHIPS, "stacks", f"at most {counted(MAX_CHIPS, 'chip')} in all"
    yield (
        list(out) != sorted(set(out)) or any(seat > seats for seat in out),
        "out",
        f"seats from 1 to {seats}, ascending",
    )
    in_play = [seat for seat in range(1, seats + 1) if seat not in out and table.stacks[seat - 1]]
    yield len(in_play) < 2, "stacks", "above 0 for at least two seats that do not sit out"
    for post in table.posts or ():
        yield post.seat not in in_play, "posts", f"of seats that play, {', '.join(map(str, in_play))}"
    yield (
        table.posts is not None and len({(post.kind, post.seat) for post in table.posts}) < len(table.posts),
        "posts",
        "at most one of a kind for each seat",
    )


def check_table(table: CashTable, seats: int) -> CashTable:
    """Return the table if it is valid for this many seats; raise `InvalidTable` if not."""
    if (refused := first_refusal(table, seats)) is not None:
        value = table.model_dump()[refused.field]
        raise InvalidTable(f"The table has {refused.field} = {value!r}; it must be {refused.right}.")
    return table


def stacks_of(table: CashTable | None, seats: int, stack: int) -> list[int]:
    """Return the chips with which each seat begins, with an unused place 0.

    A stored table may lack stacks: the seats without one begin without chips, and an audit reports the fault.

    >>> stacks_of(CashTable(numbers=(2, 5), stacks=(350, 80)), seats=2, stack=200)
    [0, 350, 80]
    """
    if table is None:
        return [0, *[stack] * seats]
    return [0, *(*table.stacks, *[0] * seats)[:seats]]


def seats_at_start(seats: tuple[Seat, ...], table: CashTable | None) -> tuple[Seat, ...]:
    """Return the seats that the start of a game stores, with the open seats among them marked as open.

    An open seat is stored as the seat of a person without chips, named by the seat's number. So a start needs no field
    for open seats, and every program that knows cash games can read the start. Before version 4 of the start there were
    no open seats: there, such a seat belongs to a person of that name.

    >>> seats = Seat("human", "Ann"), Seat("human", "Seat2"), Seat("human", "Cy")
    >>> seats_at_start(seats, CashTable(cash=True, numbers=(1, 2, 3), stacks=(50, 0, 0)))[1:]
    (Seat(kind='open', name='Seat2'), Seat(kind='human', name='Cy'))
    """
    if table is None or not (table.cash and table.has_open_seats):
        return seats
    stacks = (*table.stacks, *[1] * len(seats))
    return tuple(
        [
            open_seat(number) if not stacks[number - 1] and seat == Seat(HUMAN, open_seat(number).name) else seat
            for number, seat in enumerate(seats, 1)
        ]
    )


def button_is_empty(table: CashTable) -> bool:
    """Return whether the button of the first round is at an empty place."""
    return table.button is not None and table.button not in table.numbers
