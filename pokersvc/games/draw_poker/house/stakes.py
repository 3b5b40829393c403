"""The stakes of a house: the amounts that may change from one round to the next. All other rules stay the same.

Fields are in alphabetical order, so that stakes inside an event are written as canonical JSON.
"""

from typing import Final

from pydantic import BaseModel, ConfigDict

from pokersvc.core.setup import Options
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.house.amounts import ANTE, BLINDS, STACK, chips_in, with_ante, with_blinds
from pokersvc.games.draw_poker.house.playable import Refusal, first_refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Bet, Chips, DrawPokerRules
from pokersvc.text import listed


class Stakes(BaseModel):
    """All amounts of a house that may change between two rounds; None for each that the house does not have."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    ante: Chips
    """The ante of the next round."""
    big: Bet | None
    """The big blind."""
    cap: Bet | None
    """The highest price of a betting round."""
    final_minimum: Bet | None
    """The minimum bet of the final betting, if it differs."""
    increase: Chips
    """The increase of the ante in each later round."""
    maximum: Bet | None
    """The maximum opening bet."""
    minimum: Bet
    """The minimum opening bet; the unit of a fixed limit."""
    small: Bet | None
    """The small blind."""
    stack: Bet
    """The stack up to which chips are sold in a cash game."""
    straddle: Chips
    """The straddle; 0 for none."""


def stakes_of(rules: DrawPokerRules, ante: int) -> Stakes:
    """Return the stakes of a house; ``ante`` is the ante of the next round."""
    betting, blinds = rules.betting, rules.blinds
    return Stakes(
        ante=ante,
        big=None if blinds is None else blinds.big,
        cap=betting.cap,
        final_minimum=betting.final_minimum,
        increase=rules.ante.increase,
        maximum=betting.maximum,
        minimum=betting.minimum,
        small=None if blinds is None else blinds.small,
        stack=rules.stack,
        straddle=rules.straddle,
    )


def with_stakes(rules: DrawPokerRules, stakes: Stakes) -> DrawPokerRules:
    """Return the rules with these stakes, whose ante is that of the next round.

    A house without blinds ignores those of the stakes; a house with blinds keeps its own if the stakes have none.
    """
    betting = rules.betting.model_copy(
        update={
            "cap": stakes.cap,
            "final_minimum": stakes.final_minimum,
            "maximum": stakes.maximum,
            "minimum": stakes.minimum,
        }
    )
    blinds = rules.blinds
    if blinds is not None and stakes.small is not None and stakes.big is not None:
        update = {"big": stakes.big, "small": stakes.small, "straddle": stakes.straddle}
        blinds = blinds.model_copy(update=update)
    ante = rules.ante.model_copy(update={"amount": stakes.ante, "increase": stakes.increase})
    return rules.model_copy(update={"ante": ante, "betting": betting, "blinds": blinds, "stack": stakes.stack})


def refused_stakes(rules: DrawPokerRules, stakes: Stakes, *, cash: bool) -> Refusal | None:
    """Return the first field of the house that the stakes make unplayable; None if they can be played.

    Stakes are checked like the rules of a house. Only in a cash game, where the stack is sold, must the stack be enough
    for the stakes: in other games, blinds may grow beyond the stack with which the game began.
    """
    if (stakes.small is None) is not (rules.blinds is None) or (stakes.big is None) is not (rules.blinds is None):
        return Refusal("blinds", "left out" if rules.blinds is None else "a small and a big blind")
    if rules.blinds is None and stakes.straddle:
        return Refusal("blinds.straddle", "0 in a house without blinds")
    if not cash and stakes.stack != rules.stack:
        return Refusal("stack", f"{rules.stack} as before: in a freeze-out nobody buys chips")
    changed = with_stakes(rules, stakes)
    return first_refusal(changed if cash else changed.model_copy(update={"stack": MAX_CHIPS}))


BET: Final = "bet"
INCREASE: Final = "increase"
STRADDLE: Final = "straddle"
NAMES: Final = (BLINDS.name, ANTE.name, BET, STRADDLE, INCREASE, STACK.name)
"""The names by which stakes are given; every amount that is not given stays in proportion or as it was."""


def stakes_given(rules: DrawPokerRules, ante: int, given: Options) -> Stakes:
    """Return the stakes that somebody names, such as ``{"blinds": "5/10", "ante": 1}``.

    With other blinds, or another minimum ``bet`` in a house without them, all bets and the straddle stay in proportion.
    Raise `InvalidValue` for a value that is not an amount; `refused_stakes` judges the rest.
    """
    if unknown := sorted(set(given).difference(NAMES)):
        raise InvalidValue(f"Nothing here is called {unknown[0]!r}; what may change is {listed(list(NAMES))}.")
    if not given:
        raise InvalidValue(f"Name what changes: {listed(list(NAMES), 'or')}.")
    changed = with_blinds(with_ante(rules, {ANTE.name: _chips(given, ANTE.name, ante)}), given)
    unit = rules.betting.minimum
    if BET in given:
        if rules.blinds is not None:
            raise InvalidValue("The minimum bet is the big blind; give the blinds, such as 5/10.")
        betting = changed.betting.model_copy(update={"minimum": _chips(given, BET, unit, least=1)})
        changed = changed.model_copy(update={"betting": betting})
    now = changed.betting.minimum
    found = stakes_of(changed, changed.ante.amount)
    return found.model_copy(
        update={
            "cap": rules.betting.cap and _scaled(rules.betting.cap, now, unit),
            "final_minimum": rules.betting.final_minimum and _scaled(rules.betting.final_minimum, now, unit),
            "increase": _chips(given, INCREASE, rules.ante.increase),
            "maximum": rules.betting.maximum and _scaled(rules.betting.maximum, now, unit),
            "stack": _chips(given, STACK.name, rules.stack, least=1),
            "straddle": _chips(given, STRADDLE, _scaled(rules.straddle, now, unit) if rules.straddle else 0),
        }
    )


def _scaled(amount: int, now: int, unit: int) -> int:
    """Return an amount that stays in proportion to the minimum bet, which was ``unit`` and is ``now``."""
    return max(1, min(MAX_CHIPS, amount * now // unit))


def _chips(given: Options, name: str, before: int, least: int = 0) -> int:
    said = given.get(name, before)
    found = chips_in(said)
    if found is None or found < least or isinstance(said, bool):
        raise InvalidValue(f"The {name} {said!r} is not a number of chips from {least} to {MAX_CHIPS:,}.")
    return found
