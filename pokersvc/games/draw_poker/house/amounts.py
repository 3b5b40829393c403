"""The options of draw poker that are amounts of chips: everybody's stack, stacks of single players, blinds and ante."""

from collections.abc import Mapping
from typing import Final

from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.playable import check_playable, first_refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, DrawPokerRules
from pokersvc.text import counted

STACK: Final = Option(
    "stack",
    "Chips that everybody begins with, or one player, if not the house's; may be repeated.",
    str,
    "CHIPS|NAME=CHIPS",
    several=True,
    form="Chips that everybody begins with, such as 200.",
    first=True,
    each="Chips of players who begin with another stack, such as Ann=500, Bob=300.",
)
BLINDS: Final = Option(
    "blinds",
    "Small and big blind, if not the house's, such as 5/10.",
    str,
    "SMALL/BIG",
    form="Small and big blind, such as 5/10. If empty, the house's.",
    first=True,
)
ANTE: Final = Option(
    "ante",
    "Ante in the first round, if not the house's.",
    int,
    "CHIPS",
    form="Ante in the first round. If empty, the house's.",
    first=True,
)
OWN_STACK: Final = "stack.each"
"""The field of the stacks of single players, apart from everybody's."""


def with_amounts(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with everybody's stack, the blinds and the ante that the options give.

    Raise `InvalidValue` for an amount that is impossible in this house.
    """
    with about(STACK.name):
        stack = stack_of_all(given.get(STACK.name))
    with about(BLINDS.name):
        changed = with_blinds(rules, given)
    with about(ANTE.name):
        changed = with_ante(changed, given)
    if stack is not None:
        changed = changed.model_copy(update={"stack": stack})
    _check(changed, given)
    return changed


def stack_of_all(given: object) -> int | None:
    """Return everybody's stack, which is given as a number without a name; None if there is none.

    >>> stack_of_all("300, Ann=500"), stack_of_all(["Ann=500"]), stack_of_all(None)
    (300, None, None)
    """
    plain = [text for text in _texts(given) if "=" not in text]
    if not plain:
        return None
    if len(plain) > 1:
        raise InvalidValue(f"Everybody is given two stacks, {plain[0]} and {plain[1]}; give one.")
    stack = chips_in(plain[0])
    if stack is None and plain[0].isdecimal():
        raise InvalidValue(f"Nobody can begin with {plain[0]}; the most is {counted(MAX_CHIPS, 'chip')}.")
    if not stack:
        raise InvalidValue(
            f"The stack {plain[0]!r} cannot be read; write a number such as 200 for everybody, or NAME=CHIPS, such as"
            " Ann=350."
        )
    return stack


def own_stacks(given: object) -> dict[str, int]:
    """Return the chips of single players, from one or several ``NAME=CHIPS`` or from a mapping.

    >>> own_stacks("300, Ann=500")
    {'Ann': 500}
    """
    if isinstance(given, Mapping):
        pairs = [(str(name), chips) for name, chips in given.items()]
    else:
        pairs = [(name, chips) for name, equals, chips in (text.rpartition("=") for text in _texts(given)) if equals]
    found: dict[str, int] = {}
    with about(OWN_STACK):
        for name, said in pairs:
            if not name or (chips := chips_in(said)) is None:
                if name and str(said).strip().isdecimal():
                    raise InvalidValue(f"{name} cannot begin with {said}; the most is {counted(MAX_CHIPS, 'chip')}.")
                raise InvalidValue(f"The stack '{name}={said}' cannot be read; write NAME=CHIPS, such as Ann=350.")
            if name.casefold() in map(str.casefold, found):
                raise InvalidValue(f"{name} is given two stacks; give one.")
            found[name] = chips
    return found


def carried_stacks(given: object, carried: Mapping[str, int]) -> object:
    """Return the option of stacks by which players keep carried chips; newcomers begin with the usual stack."""
    everybody = stack_of_all(given)
    if everybody is None:
        return dict(carried)
    return [str(everybody), *(f"{name}={chips}" for name, chips in carried.items())]


def chips_in(text: object) -> int | None:
    """Return the number of chips that a text states; None if the text is not a number."""
    text = str(text).strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_CHIPS))):
        return None
    return int(text) if int(text) <= MAX_CHIPS else None


def _texts(given: object) -> list[str]:
    if given is None or isinstance(given, Mapping):
        return []
    texts = given.split(",") if isinstance(given, str) else [given] if type(given) is int else given
    if not isinstance(texts, list | tuple):
        raise InvalidValue(f"The stacks {given!r} cannot be read; write CHIPS for everybody, or NAME=CHIPS for each.")
    return [str(text).strip() for text in texts]


def with_blinds(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with other blinds: minimum bets are the big blind, and stay in proportion to it."""
    said = given.get(BLINDS.name)
    if said is None:
        return rules
    blinds = blinds_in(said)
    if blinds is None:
        raise InvalidValue(f"The blinds {said!r} cannot be read; write the small and the big blind, such as 5/10.")
    small, big = blinds
    if small > big:
        raise InvalidValue(f"The small blind cannot be {small}; it must be at most the big blind, {big}.")
    if rules.blinds is None:
        raise InvalidValue(
            f"The house {rules.name} has no blinds; play one that has, such as no-limit, or set the ante."
        )
    return with_blinds_of(rules, small, big)


def blinds_in(said: object) -> tuple[int, int] | None:
    """Return the small and the big blind that a text states, such as ``5/10``; None for any other text."""
    small, big = map(chips_in, str(said).partition("/")[::2])
    return (small, big) if small and big else None


def with_blinds_of(rules: DrawPokerRules, small: int, big: int) -> DrawPokerRules:
    """Return a house's rules with these blinds instead of its own; minimum bets stay in proportion to the big blind."""
    betting, blinds = rules.betting, rules.blinds
    assert blinds is not None
    final = betting.final_minimum and max(1, betting.final_minimum * big // blinds.big)
    return rules.model_copy(
        update={
            "blinds": blinds.model_copy(update={"small": small, "big": big}),
            "betting": betting.model_copy(update={"minimum": big, "final_minimum": final}),
        }
    )


def with_ante(rules: DrawPokerRules, given: Options) -> DrawPokerRules:
    """Return the rules with another ante."""
    ante = given.get(ANTE.name)
    if ante is None:
        return rules
    if type(ante) is not int or not 0 <= ante <= MAX_CHIPS:
        raise InvalidValue(f"The ante {ante!r} is not a number of chips; it must be from 0 to {MAX_CHIPS:,}.")
    return rules.model_copy(update={"ante": rules.ante.model_copy(update={"amount": ante})})


def _check(rules: DrawPokerRules, given: Options) -> None:
    """Raise `InvalidValue`, with the option that is to blame, if the rules cannot be played with their new amounts."""
    given_here = [name for name in (STACK.name, BLINDS.name, ANTE.name) if given.get(name) is not None]
    if not given_here or first_refusal(rules) is None:
        return
    betting, straddle = rules.betting, rules.straddle
    least = max(rules.ante.amount, rules.stay, betting.minimum, betting.final_minimum or 0, straddle)
    if rules.stack >= least:  # other faults, such as blinds that do not fit the straddle of a custom house
        with about(given_here[-1]):
            check_playable(rules)
    if stack_of_all(given.get(STACK.name)) is not None:
        with about(STACK.name):
            raise InvalidValue(
                f"The stack of {rules.name} cannot be {rules.stack}; it must be at least {least},"
                " enough for the ante, the blinds and the smallest bet."
            )
    with about(given_here[-1]):
        raise InvalidValue(
            f"Everybody begins with {counted(rules.stack, 'chip')} in {rules.name}, which is too little here;"
            f" give a stack of {least} or more."
        )
