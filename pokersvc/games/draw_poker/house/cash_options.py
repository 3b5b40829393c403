"""The options of draw poker that change a house or its table: straddle, rake, uncapped raises, cash game, stacks."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from pokersvc.core.seats import OPEN, Seat, taken
from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.amounts import ANTE, BLINDS, OWN_STACK, STACK, chips_in, own_stacks
from pokersvc.games.draw_poker.house.cash_rules import OPTIONS_OF_CASH
from pokersvc.games.draw_poker.house.cash_table import CashTable, check_table, table_of
from pokersvc.games.draw_poker.house.playable import check_playable, first_refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, DrawPokerRules, Rake
from pokersvc.text import does, listed


class Uncapped(StrEnum):
    """The condition under which two players may raise without end: see `Betting.uncapped`."""

    NEVER = "never"
    TWO_DEALT_IN = "two_dealt_in"
    TWO_LEFT = "two_left"


CASH: Final = Option(
    "cash", "A cash game: between rounds people sit down, get up, buy chips and sit out.", of=bool, first=True
)
RAKE: Final = Option(
    "rake",
    "Share that the house takes of a pot, after a draw.",
    str,
    "PERCENT",
    form="Percent that the house takes of a pot, after a draw, such as 5 or 2.5.",
)
RAKE_CAP: Final = Option(
    "rake_cap",
    "Most that it takes; also a list, by players: 2, 3 and so on.  [default: no cap]",
    str,
    "CHIPS,…",
    form="Most chips that the rake takes of a pot; such as 1,2,3 for 2, 3, and more players. If empty, it has no cap.",
)
STRADDLE: Final = Option(
    "straddle", "Chips that the next player after the big blind puts in, to act last before the draw.", int, "CHIPS"
)
UNCAPPED: Final = Option(
    "uncapped",
    "When two players may raise without end in a fixed limit.  [default: as the house has it]",
    Uncapped,
    None,
    form="When two players may raise without end in a fixed limit: never, two_dealt_in or two_left (of more).",
)
CHANGEABLE: Final = Option("changeable", "The host may change blinds, antes and bets between rounds.", of=bool)
CASH_OPTIONS: Final = (
    *(CASH, STACK, BLINDS, ANTE, STRADDLE, UNCAPPED, RAKE, RAKE_CAP, CHANGEABLE),
    *OPTIONS_OF_CASH,
)


def with_straddle(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with the straddle of the options; raise `InvalidValue` if it is impossible in this house."""
    straddle = given.get(STRADDLE.name)
    if straddle is None:
        return rules
    if type(straddle) is not int or not 0 <= straddle <= MAX_CHIPS:
        raise InvalidValue(f"The straddle {straddle!r} is not a number of chips; it must be from 0 to {MAX_CHIPS:,}.")
    if rules.blinds is None:
        raise InvalidValue(
            f"The house {rules.name} has no blinds, so nobody can straddle; play one that has, such as no-limit."
        )
    blinds = rules.blinds.model_copy(update={"straddle": straddle})
    straddled = rules.model_copy(update={"blinds": blinds})
    if (refused := first_refusal(straddled)) is not None and refused.field == "blinds.straddle":
        raise InvalidValue(f"The straddle of {rules.name} cannot be {straddle}; it must be {refused.right}.")
    return check_playable(straddled)


def with_uncapped(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with the cap on raises lifted as the options say; raise `InvalidValue` if there is no cap."""
    said = given.get(UNCAPPED.name)
    if said is None:
        return rules
    if said not in list(Uncapped):
        raise InvalidValue(f"uncapped = {said!r} is not valid; it must be {listed(list(Uncapped), 'or')}.")
    if rules.betting.most_bets is None:
        raise InvalidValue(
            f"The house {rules.name} has no cap on raises to be lifted for two players; play one that has, such as"
            " fixed-limit."
        )
    return rules.model_copy(update={"betting": rules.betting.model_copy(update={"uncapped": str(said)})})


def with_rake(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with the rake of the options; raise `InvalidValue` if it is not valid."""
    share, caps = given.get(RAKE.name), given.get(RAKE_CAP.name)
    if share is None:
        if caps is not None:
            raise InvalidValue("A rake cap needs a rake, such as 5%.")
        return rules
    return rules.model_copy(update={"rake": Rake(caps=_caps(caps), share=_basis_points(share))})


def _basis_points(share: object) -> int:
    """Return a share, such as ``5%`` or ``2.5``, in basis points (hundredths of a percent)."""
    wrong = InvalidValue(f"The rake {share!r} is not a percentage, such as 5% or 2.5, from 0 to 100.")
    fine = InvalidValue(f"The rake {share!r} has too many decimals: it has at most two, such as 2.25%.")
    try:
        points = Decimal(str(share).strip().removesuffix("%")) * 100
    except InvalidOperation:
        raise wrong from None
    if not points.is_finite() or not 0 <= points <= 10_000:
        raise wrong
    if points != points.to_integral_value():
        raise fine
    return int(points)


def _caps(caps: object) -> tuple[int, ...]:
    if caps is None:
        return ()
    found = [chips_in(part) for part in str(caps).split(",")]
    if None in found:
        with about(RAKE_CAP.name):
            raise InvalidValue(f"The rake cap {caps!r} is not a number of chips, nor a list of them such as 1,2,3.")
    return tuple([cap for cap in found if cap is not None])


def is_set(given: Options, name: str) -> bool:
    """Return whether a flag is set; raise `InvalidValue` for anything but true or false."""
    said = given.get(name)
    if said is not None and not isinstance(said, bool):
        raise InvalidValue(f"{name} = {said!r} is not valid; it must be true or false.")
    return bool(said)


def of_a_table(given: Options) -> dict[str, object]:
    """Return the options that set up a table, checked as far as is possible without knowing the seats."""
    table, cash, stacks = given.get("table"), is_set(given, CASH.name), given.get(STACK.name)
    if table is not None and (cash or stacks):
        raise InvalidValue("A game with the option 'table' has its stacks there; leave out 'cash' and 'stack'.")
    found: dict[str, object] = {}
    if table is not None:
        found["table"] = table_of(table)
    if cash:
        found[CASH.name] = True
    if stacks and (own := own_stacks(stacks)):
        found[STACK.name] = own
    return found


def table_for(seats: tuple[Seat, ...], rules: DrawPokerRules, options: Options) -> CashTable | None:
    """Return the `CashTable` that checked options give these seats; None if all seats simply have the house's stack."""
    table: CashTable | None = options.get("table")
    if table is not None:
        return check_table(table, len(seats))
    stacks: Mapping[str, int] = options.get(STACK.name, {})
    if not stacks and not options.get(CASH.name):
        return None
    own = {name.casefold(): chips for name, chips in stacks.items()}
    own |= {seat.name.casefold(): 0 for seat in seats if seat.kind == OPEN}
    names = {seat.name.casefold() for seat in taken(seats)}
    for name in stacks:
        if name.casefold() not in names:
            players = listed([seat.name for seat in taken(seats)])
            with about(OWN_STACK):
                raise InvalidValue(f"Nobody at the table is called {name!r}; the players are {players}.")
    chips = [(seat.name, own.get(seat.name.casefold(), rules.stack)) for seat in taken(seats)]
    if stacks and len(seats) > 1 and sum(stack > 0 for _, stack in chips) < _FEWEST:
        without = [name for name, stack in chips if not stack]
        with about(OWN_STACK):
            raise InvalidValue(f"{_begin_without(without)}; two players at least need chips to begin with.")
    return check_table(
        CashTable(
            cash=bool(options.get(CASH.name)),
            numbers=tuple(range(1, len(seats) + 1)),
            stacks=tuple(own.get(seat.name.casefold(), rules.stack) for seat in seats),
        ),
        len(seats),
    )


_FEWEST: Final = 2
"""The minimum number of players with chips when a game begins."""


def _begin_without(names: list[str]) -> str:
    """Return a sentence: the named players begin without chips or, if there are no names, too few sit at the table."""
    if not names:
        return "Too few sit at the table"
    return f"{does(names[0], 'begins') if len(names) == 1 else f'{listed(names)} begin'} without chips"
