"""The rules of a cash game besides those of its house: purchases, absence, straddles by choice, bomb pots.

Fields are in alphabetical order, so that the rules inside ``GameStarted`` are written as canonical JSON.
"""

from collections.abc import Iterator
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.betting.bomb_pots import LEAST_EVERY
from pokersvc.betting.cash_seats import CashTerms
from pokersvc.core.books import Mismatch
from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.playable import Refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Bet, DrawPokerRules
from pokersvc.text import listed

MOST_BOMB: Final = 1000
"""The maximum ante of a bomb pot, in big blinds."""
MOST_ROUNDS: Final = 10_000
"""The maximum number of rounds that a house may set for an absence, for a return, or from bomb pot to bomb pot."""
Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]

APPROVAL: Final = Option("approval", "The host admits or refuses each purchase of chips in a cash game.", of=bool)
BUY_LEAST: Final = Option(
    "buy_least",
    "Least that may be bought at once in a cash game.",
    int,
    "CHIPS",
    form="Least chips that may be bought at once in a cash game. If empty, 1.",
)
BUY_MOST: Final = Option(
    "buy_most",
    "Most that may be bought at once in a cash game, up to the stack of the house.",
    int,
    "CHIPS",
    form="Most chips that may be bought at once in a cash game. If empty, up to everybody's stack.",
)
AWAY_ROUNDS: Final = Option(
    "away_rounds",
    "Rounds for which somebody who sits out of a cash game keeps the seat.",
    int,
    "ROUNDS",
    form="Rounds for which somebody who sits out of a cash game keeps the seat. If empty, any number.",
)
RETURN_ROUNDS: Final = Option(
    "return_rounds",
    "Rounds within which nobody comes back to a cash game with fewer chips than they took.",
    int,
    "ROUNDS",
    form="Rounds within which nobody comes back with fewer chips than they took. If empty, they may at once.",
)
STRADDLE_BY_CHOICE: Final = Option(
    "straddle_by_choice", "In a cash game only those straddle who wish to, not everybody in turn.", of=bool
)
BOMB_POT: Final = Option(
    "bomb_pot",
    "Ante of a bomb pot, which the host may announce in a cash game, in big blinds.",
    int,
    "BLINDS",
    form="Ante of a bomb pot, which the host may announce, in big blinds. If empty, there are none.",
)
BOMB_EVERY: Final = Option(
    "bomb_every",
    "Every so many rounds of a cash game are a bomb pot, without being asked for.",
    int,
    "ROUNDS",
    form="Every so many rounds are a bomb pot. If empty, only those that the host announces.",
)
OPTIONS_OF_CASH: Final = (
    *(BUY_LEAST, BUY_MOST, APPROVAL, AWAY_ROUNDS, RETURN_ROUNDS),
    *(STRADDLE_BY_CHOICE, BOMB_POT, BOMB_EVERY),
)


class CashRules(BaseModel):
    """The rules of a cash game for purchases, absence and return."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    approval: bool = False
    """Whether the host admits or refuses each purchase."""
    away_rounds: Rounds | None = None
    """The number of rounds for which somebody who sits out keeps the seat; None for any number."""
    bomb_blinds: Annotated[int, Field(ge=1, le=MOST_BOMB)] | None = None
    """The ante of a bomb pot in big blinds; None if there are no bomb pots."""
    bomb_every: Annotated[int, Field(ge=LEAST_EVERY, le=MOST_ROUNDS)] | None = None
    """The number of rounds from one bomb pot announced by the dealer to the next; None if only the host announces
    them."""
    least: Bet = 1
    """The least that may be bought at once."""
    most: Bet | None = None
    """The most that may be bought at once; None if only the stack of the house limits it."""
    return_rounds: Rounds | None = None
    """The number of rounds within which a person must come back with all chips they took; None for no such limit."""
    straddle_by_choice: bool = False
    """Whether only players who wish to straddle do; if not, everybody does in turn."""


class TablePerson(BaseModel):
    """A person known from the table's earlier games, with the chips that they brought and took in them."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    brought: Annotated[int, Field(ge=0)]
    has: Annotated[int, Field(ge=0)]
    """The chips that the person takes along into this game."""
    last_taken: Annotated[int, Field(ge=0)]
    """The chips that the person took when getting up last."""
    left_ago: Annotated[int, Field(ge=0)] | None
    """The number of rounds that had been played since then; None if the person has never got up."""
    name: str
    """The name under which they sat last."""
    number: Annotated[int, Field(ge=1)]
    taken: Annotated[int, Field(ge=0)]


class TablePeople(BaseModel):
    """The persons of a table that has had games before."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    known: tuple[TablePerson, ...]
    """All who have ever sat at the table, by number."""
    next: Annotated[int, Field(ge=1)]
    """The lowest number of a person who is new to the table."""
    seats: tuple[Annotated[int, Field(ge=0)], ...]
    """The person at each seat, from seat 1; 0 for an open seat, or for a bot's."""


def refused_people(people: TablePeople, seats: int) -> Refusal | None:
    """Return the first wrong field of the people at a table with this many seats; None if all are right."""
    sitting = [number for number in people.seats if number]
    numbers = [one.number for one in people.known]
    if len(people.seats) != seats or len(set(sitting)) < len(sitting):
        return Refusal("seats", f"{seats} numbers, each person's another")
    if numbers != sorted(set(numbers)):
        return Refusal("known", "different persons, by number")
    if people.next <= max([0, *sitting, *numbers]):
        return Refusal("next", "above the number of everybody who is known")
    return None


def cash_terms_of(cash: CashRules | None, engine: int) -> CashTerms:
    """Return the terms of a cash game for an engine version."""
    rules = CashRules() if cash is None else cash
    return CashTerms(
        approval=rules.approval,
        away_rounds=rules.away_rounds,
        bomb_blinds=rules.bomb_blinds,
        bomb_every=rules.bomb_every,
        least=rules.least,
        most=rules.most,
        return_rounds=rules.return_rounds,
        straddle_by_choice=rules.straddle_by_choice,
        wishes=engine >= WITH_CASH_RULES,
    )


WITH_CASH_RULES: Final = 5
"""The first engine version whose cash games have rules of their own, and people with numbers and standing wishes."""


def refused_cash(cash: CashRules, house: DrawPokerRules) -> Refusal | None:
    """Return the first field of the rules that cannot be played in this house; None if all can be.

    The house sells chips up to its stack.
    """
    if cash.least > house.stack:
        return Refusal("least", f"at most the stack, {house.stack}")
    if cash.most is not None and cash.most < cash.least:
        return Refusal("most", f"at least what must be bought at once, {cash.least}")
    if cash.straddle_by_choice and not house.straddle:
        return Refusal("straddle_by_choice", "left out, as the house has no straddle")
    if cash.bomb_blinds and not _may_have_bomb_pots(house):
        return Refusal("bomb_blinds", "left out, as only a house with blinds and all-ins has bomb pots")
    if cash.bomb_every and not cash.bomb_blinds:
        return Refusal("bomb_every", "left out without bomb pots")
    return None


def _may_have_bomb_pots(house: DrawPokerRules) -> bool:
    """Return whether bomb pots are possible: a house has blinds to leave out, and antes that eliminate nobody."""
    antes = house.ante.when == "before_deal" and house.ante.short != "surrender"
    return house.blinds is not None and house.all_in and antes


def cash_rules_given(given: Options, house: DrawPokerRules) -> CashRules | None:
    """Return the rules of the options, None without any; raise `InvalidValue` for any that this house cannot have."""
    said = {option.name: given[option.name] for option in OPTIONS_OF_CASH if given.get(option.name) is not None}
    if not said:
        return None
    for flag in (APPROVAL.name, STRADDLE_BY_CHOICE.name):
        if type(said.get(flag, False)) is not bool:
            raise InvalidValue(f"{flag} = {said[flag]!r} is not valid; it must be true or false.")
    for option, least, most, unit in _AMOUNTS:
        value = said.get(option.name, least)
        if type(value) is not int or not least <= value <= most:
            with about(option.name):
                raise InvalidValue(
                    f"{option.name} = {value!r} is not valid; it must be from {least} to {most:,} {unit}."
                )
    if not given.get("cash"):
        names = listed([f"--{name.replace('_', '-')}" for name in said])
        with about(next(iter(said))):
            raise InvalidValue(f"Only cash games have these rules: add --cash, or leave out {names}.")
    cash = CashRules(**{_FIELDS.get(name, name): value for name, value in said.items()})
    if (refused := refused_cash(cash, house)) is not None:
        name = next((name for name, field in _FIELDS.items() if field == refused.field), refused.field)
        with about(name):
            raise InvalidValue(f"{name} = {said.get(name)!r} is not valid; it must be {refused.right}.")
    return cash


_FIELDS: Final = {BUY_LEAST.name: "least", BUY_MOST.name: "most", BOMB_POT.name: "bomb_blinds"}
_AMOUNTS: Final = (
    (BUY_LEAST, 1, MAX_CHIPS, "chips"),
    (BUY_MOST, 1, MAX_CHIPS, "chips"),
    (AWAY_ROUNDS, 1, MOST_ROUNDS, "rounds"),
    (RETURN_ROUNDS, 1, MOST_ROUNDS, "rounds"),
    (BOMB_POT, 1, MOST_BOMB, "big blinds"),
    (BOMB_EVERY, LEAST_EVERY, MOST_ROUNDS, "rounds"),
)


def wrong_cash_rules(
    cash: CashRules | None, people: TablePeople | None, house: DrawPokerRules, seats: int
) -> Iterator[Mismatch]:
    """Yield what is impossible in the rules of a cash game and in the people of a table, as a start records them."""
    if cash is not None and (refused := refused_cash(cash, house)) is not None:
        yield Mismatch(f"rules of a cash game that no house has, by their {refused.field}", refused.right)
    if people is not None and (refused := refused_people(people, seats)) is not None:
        yield Mismatch(f"people that no table has, by their {refused.field}", refused.right)
