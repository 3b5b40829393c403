"""The entry to a tournament: its price in whole units, and how the prices that all pay are divided into prizes.

Prices and prizes are kept apart from chips. Fields are in alphabetical order, so that an entry inside ``GameStarted``
is written as canonical JSON.
"""

from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.betting.ranking import PERCENT
from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.amounts import chips_in
from pokersvc.games.draw_poker.house.levels import MOST_LEVELS, Levels
from pokersvc.games.draw_poker.house.playable import Refusal
from pokersvc.games.draw_poker.house.rules import MOST_SEATS, Bet

ENTRY: Final = Option("entry", "Price of the entry to a tournament, in whole units.", int, "UNITS")
REENTRIES: Final = Option("reentries", "How often a person who lost all chips may enter again.", int)
ADDON: Final = Option(
    "addon",
    "Chips that each person may add once, and their price, if it is not that of an entry.",
    str,
    "CHIPS[/UNITS]",
    form="Chips that each person may add once, such as 500, or 500/5 for a price of 5. If empty, there are none.",
)
UNTIL: Final = Option(
    "entry_until", "Last level after whose rounds people may enter again, and add chips.", int, "LEVEL"
)
PRIZES: Final = Option(
    "prizes",
    "Percent of all prices that each place wins, from the first, such as 50,30,20.",
    str,
    "PERCENT,…",
    form="Percent of all entries that each place wins, from the first: such as 50,30,20. If empty, the first wins all.",
)
ENTRY_OPTIONS: Final = (ENTRY, PRIZES, REENTRIES, ADDON, UNTIL)
MOST_REENTRIES: Final = 100
MOST_PRICE: Final = 1_000_000
"""The maximum price of an entry."""

PRIZE_UNIT: Final = "units"
"""The name of the unit of prices and prizes."""

Price: TypeAlias = Annotated[int, Field(ge=1, le=MOST_PRICE)]
Percent: TypeAlias = Annotated[int, Field(ge=1, le=PERCENT)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class AddOn(_Part):
    """Chips that each person may buy once, besides the entry."""

    chips: Bet
    price: Price


class TournamentEntry(_Part):
    """The price of an entry, what else may be bought, and the share of each place in all that was paid."""

    addon: AddOn | None = None
    price: Price
    """The price that each player pays before the first round."""
    prizes: Annotated[tuple[Percent, ...], Field(min_length=1, max_length=MOST_SEATS, strict=False)]
    """The share of each place in percent, from the first."""
    reentries: Annotated[int, Field(ge=0, le=MOST_REENTRIES)] = 0
    """How often a person who has lost all chips may enter again, for the same price."""
    until: Annotated[int, Field(ge=0, le=MOST_LEVELS)] = 0
    """The last level after whose rounds people may enter again or take the add-on; 0 if nobody may."""


def refused_entry(entry: TournamentEntry, seats: int, levels: Levels | None, *, cash: bool) -> Refusal | None:
    """Return the first part of a game's start that does not fit its entry; None if all fits."""
    if cash:
        return Refusal(ENTRY.name, "left out in a cash game")
    if len(entry.prizes) > seats:
        return Refusal(PRIZES.name, f"at most {seats}, one for each seat")
    if sum(entry.prizes) != PERCENT:
        return Refusal(PRIZES.name, f"such that they add up to {PERCENT} percent")
    if list(entry.prizes) != sorted(entry.prizes, reverse=True):
        return Refusal(PRIZES.name, "such that no place wins more than a better one")
    most = 0 if levels is None else len(levels.schedule)
    if (entry.reentries or entry.addon is not None) and not 1 <= entry.until <= most:
        return Refusal(
            UNTIL.name,
            f"1 to {most}, the number of a level"
            if most
            else "left out without levels, as re-entries and the add-on are",
        )
    if entry.until and not entry.reentries and entry.addon is None:
        return Refusal(UNTIL.name, "left out where nobody may enter again or take an add-on")
    return None


def check_entry(
    entry: TournamentEntry | None, seats: int, levels: Levels | None, *, cash: bool
) -> TournamentEntry | None:
    """Return an entry if a game with this many seats may have it; raise `InvalidValue` if not."""
    if entry is not None and (refused := refused_entry(entry, seats, levels, cash=cash)) is not None:
        said = {
            ENTRY.name: entry.price,
            PRIZES.name: ",".join(map(str, entry.prizes)),
            UNTIL.name: entry.until or "without a level",
        }
        with about(refused.field):
            raise InvalidValue(f"{refused.field} {said[refused.field]} is not valid; it must be {refused.right}.")
    return entry


def entry_given(given: Options) -> TournamentEntry | None:
    """Return the entry that the options describe; None without one. Raise `InvalidValue` for a wrong one."""
    price, prizes = given.get(ENTRY.name), given.get(PRIZES.name)
    if isinstance(price, TournamentEntry):
        return price
    if price is None:
        for option in ENTRY_OPTIONS:
            if given.get(option.name) is not None:
                with about(option.name):
                    raise InvalidValue(f"{option.name} {given[option.name]!r} needs the price of an entry, such as 10.")
        return None
    if type(price) is not int or not 1 <= price <= MOST_PRICE:
        with about(ENTRY.name):
            raise InvalidValue(f"The entry {price!r} is not valid; it must be 1 to {MOST_PRICE:,} whole units.")
    return TournamentEntry(
        addon=_addon(given.get(ADDON.name), price),
        price=price,
        prizes=_shares(prizes),
        reentries=_whole(given, REENTRIES, MOST_REENTRIES),
        until=_whole(given, UNTIL, MOST_LEVELS),
    )


def _whole(given: Options, option: Option, most: int) -> int:
    said = given.get(option.name)
    if said is None:
        return 0
    if type(said) is not int or not 0 <= said <= most:
        with about(option.name):
            raise InvalidValue(f"{option.name} = {said!r} is not valid; it must be 0 to {most}.")
    return said


def _addon(said: object, price: int) -> AddOn | None:
    if said is None:
        return None
    chips, _, own = str(said).partition("/")
    amounts = chips_in(chips), chips_in(own) if own else price
    if not amounts[0] or not amounts[1] or amounts[1] > MOST_PRICE:
        with about(ADDON.name):
            raise InvalidValue(f"The add-on {said!r} is not a number of chips, such as 500, or 500/5 for a price of 5.")
    return AddOn(chips=amounts[0], price=amounts[1])


def _shares(said: object) -> tuple[int, ...]:
    if said is None:
        return (PERCENT,)
    parts = str(said).split(",")
    shares = [int(part) for part in parts if part.strip().isdecimal() and len(part) <= len(str(PERCENT))]
    if len(shares) < len(parts) or not all(1 <= share <= PERCENT for share in shares):
        with about(PRIZES.name):
            raise InvalidValue(f"The prizes {said!r} are not whole percents from the first place, such as 50,30,20.")
    return tuple(shares)
