"""The entry to a tournament: its price in whole units, and how the prices that all pay are divided into prizes.

Prices and prizes are kept apart from chips. Fields are in alphabetical order, so that an entry inside ``GameStarted``
is written as canonical JSON.
"""

from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.betting.ranking import PERCENT
from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.playable import Refusal
from pokersvc.games.draw_poker.house.rules import MOST_SEATS

ENTRY: Final = Option("entry", "Price of the entry to a tournament, in whole units.", int, "UNITS")
PRIZES: Final = Option(
    "prizes",
    "Percent of all prices that each place wins, from the first, such as 50,30,20.  [default: 100]",
    str,
    "PERCENT,…",
    form="Percent of all entries that each place wins, from the first: such as 50,30,20. If empty, the first wins all.",
)
MOST_PRICE: Final = 1_000_000
"""The maximum price of an entry."""

PRIZE_UNIT: Final = "units"
"""The name of what prices and prizes are counted in."""

Price: TypeAlias = Annotated[int, Field(ge=1, le=MOST_PRICE)]
Percent: TypeAlias = Annotated[int, Field(ge=1, le=PERCENT)]


class TournamentEntry(BaseModel):
    """What an entry costs, and what each place wins of all entries together."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    price: Price
    """The price that each player pays before the first round."""
    prizes: Annotated[tuple[Percent, ...], Field(min_length=1, max_length=MOST_SEATS, strict=False)]
    """The share of each place in percent, from the first."""


def refused_entry(entry: TournamentEntry, seats: int, *, cash: bool) -> Refusal | None:
    """Return what in a game's start does not go with its entry; None if it can be played."""
    if cash:
        return Refusal(ENTRY.name, "left out in a cash game")
    if len(entry.prizes) > seats:
        return Refusal(PRIZES.name, f"at most {seats}, one for each seat")
    if sum(entry.prizes) != PERCENT:
        return Refusal(PRIZES.name, f"such that they add up to {PERCENT} percent")
    if list(entry.prizes) != sorted(entry.prizes, reverse=True):
        return Refusal(PRIZES.name, "such that no place wins more than a better one")
    return None


def check_entry(entry: TournamentEntry | None, seats: int, *, cash: bool) -> TournamentEntry | None:
    """Return an entry that a game of so many seats may have; raise `InvalidValue` for any other."""
    if entry is not None and (refused := refused_entry(entry, seats, cash=cash)) is not None:
        option = PRIZES if refused.field == PRIZES.name else ENTRY
        with about(option.name):
            said = ",".join(map(str, entry.prizes)) if option is PRIZES else str(entry.price)
            raise InvalidValue(f"{option.name} {said} cannot be: {refused.field} must be {refused.right}.")
    return entry


def entry_given(given: Options) -> TournamentEntry | None:
    """Return the entry that the options name or have; None without one. Raise `InvalidValue` for a wrong one."""
    price, prizes = given.get(ENTRY.name), given.get(PRIZES.name)
    if isinstance(price, TournamentEntry):
        return price
    if price is None:
        if prizes is not None:
            with about(PRIZES.name):
                raise InvalidValue(f"Prizes {prizes!r} need the price of an entry, such as 10.")
        return None
    if type(price) is not int or not 1 <= price <= MOST_PRICE:
        with about(ENTRY.name):
            raise InvalidValue(f"The entry {price!r} cannot be; it must be 1 to {MOST_PRICE:,} whole units.")
    return TournamentEntry(price=price, prizes=_shares(prizes))


def _shares(said: object) -> tuple[int, ...]:
    if said is None:
        return (PERCENT,)
    parts = str(said).split(",")
    shares = [int(part) for part in parts if part.strip().isdecimal() and len(part) <= len(str(PERCENT))]
    if len(shares) < len(parts) or not all(1 <= share <= PERCENT for share in shares):
        with about(PRIZES.name):
            raise InvalidValue(f"The prizes {said!r} are not whole percents from the first place, such as 50,30,20.")
    return tuple(shares)
