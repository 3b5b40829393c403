"""Checks for rules that cannot be played: they would trap a chip, stop a round or have no effect.

Rules are checked when they are read or a game is started, but not in stored games, which can always be read.
"""

import json
from collections.abc import Iterator
from typing import Final, NamedTuple

from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.system import toml


class InvalidRules(InvalidValue):
    """Rules of a house that cannot be played: the sentence names the field, the value and what would be right."""

    code = "invalid_rules"


class Refusal(NamedTuple):
    """A wrong field, such as ``betting.cap``, and what it must be."""

    field: str
    right: str


LIMITS: Final = ("no_limit", "pot_limit", "fixed_limit")


def first_refusal(rules: DrawPokerRules) -> Refusal | None:
    """Return the first wrong field, or None if the rules can be played."""
    for refusals in (_stacks, _bets, _blinds, _straddles, _all_ins, _antes):
        for wrong, field, right in refusals(rules):
            if wrong:
                return Refusal(field, right)
    return None


_Checks = Iterator[tuple[bool, str, str]]
"""Checks of fields, each as three values: whether the field is wrong, its name, and what it must be."""


def _stacks(rules: DrawPokerRules) -> _Checks:
    stack, seats = rules.stack, rules.seats
    yield stack < rules.ante.amount, "stack", f"at least the ante, {rules.ante.amount}"
    yield stack < rules.stay, "stack", f"at least what it takes to stay in, {rules.stay}"
    yield seats.default > seats.most, "seats.default", f"at most seats.most, {seats.most}"
    yield (
        rules.remainder == "odd_chips" and not rules.button,
        "remainder",
        '"carry" in a house without a button',
    )


def _bets(rules: DrawPokerRules) -> _Checks:
    betting, stack = rules.betting, rules.stack
    final_minimum, maximum, cap = betting.final_minimum, betting.maximum, betting.cap
    least = max(betting.minimum, final_minimum or 0)
    double = betting.raises == "double"
    yield betting.minimum > stack, "betting.minimum", f"at most the stack, {stack}"
    yield (
        final_minimum is not None and final_minimum > stack,
        "betting.final_minimum",
        f"at most the stack, {stack}",
    )
    yield (
        maximum is not None and betting.raises in ("pot_limit", "fixed_limit"),
        "betting.maximum",
        "left out where a limit already says how much may be bet",
    )
    yield maximum is not None and maximum < least, "betting.maximum", f"at least the minimum bet, {least}"
    yield (cap is not None) != double, "betting.cap", 'a number where raises are "double", and only there'
    yield cap is not None and cap < least, "betting.cap", f"at least the minimum bet, {least}"
    yield (
        cap is not None and (maximum is None or maximum > cap),
        "betting.maximum",
        f"at most betting.cap, {cap}, which no bet may exceed",
    )
    yield (
        betting.most_bets is not None and betting.raises != "fixed_limit",
        "betting.most_bets",
        'left out unless raises are "fixed_limit"',
    )
    yield (
        betting.uncapped != "never" and betting.most_bets is None,
        "betting.uncapped",
        '"never" without betting.most_bets: there is no cap to lift',
    )
    yield (
        betting.check_ends and betting.check != "always",
        "betting.check_ends",
        'false unless betting.check is "always"',
    )


def _all_ins(rules: DrawPokerRules) -> _Checks:
    limited = rules.betting.raises in LIMITS
    yield (
        rules.all_in and not limited,
        "betting.raises",
        'a limit ("no_limit", "pot_limit", "fixed_limit") where players may go all in',
    )
    yield (
        limited and not rules.all_in,
        "betting.short",
        f'"all_in" where raises are "{rules.betting.raises}": a short stack puts in what it has',
    )
    in_order = rules.open_hands == "in_order"
    yield rules.muck_all_in and not in_order, "muck_all_in", 'false unless open_hands is "in_order"'
    yield (
        rules.shows_first != "aggressor" and not (in_order and rules.button),
        "shows_first",
        '"aggressor" unless there is a button and open_hands is "in_order"',
    )
    yield rules.all_in and rules.stay < 1, "stay", "at least 1 where players may go all in"


def _blinds(rules: DrawPokerRules) -> _Checks:
    blinds, betting = rules.blinds, rules.betting
    if blinds is None:
        yield rules.button_rule != "forward", "button_rule", '"forward" where there are no blinds'
        return
    yield betting.opener != "button", "betting.opener", '"button" where there are blinds'
    yield not rules.all_in, "betting.short", '"all_in" where there are blinds: a short stack posts what it has'
    yield blinds.small > blinds.big, "blinds.small", f"at most the big blind, {blinds.big}"
    yield blinds.big != betting.minimum, "betting.minimum", f"the big blind, {blinds.big}"
    yield betting.check != "always", "betting.check", '"always" where there are blinds: the big blind may check'
    yield rules.ante.when == "after_deal", "ante.when", '"before_deal" where there are blinds'


def _straddles(rules: DrawPokerRules) -> _Checks:
    """Check the straddle, a blind raise: exactly one bet with a fixed limit, at most a pot raise with a pot limit."""
    blinds, betting = rules.blinds, rules.betting
    if blinds is None or not blinds.straddle:
        return
    straddle, least = blinds.straddle, 2 * blinds.big
    yield straddle < least, "blinds.straddle", f"0, or at least twice the big blind, {least}"
    yield (
        betting.raises == "fixed_limit" and straddle != least,
        "blinds.straddle",
        f"0 or twice the big blind, {least}, under a fixed limit: it counts as a bet",
    )
    most = most_straddled(betting.raises, blinds.small, blinds.big)
    yield (
        most is not None and straddle > most,
        "blinds.straddle",
        f"at most what a raise of the pot makes of the big blind, {most}",
    )
    yield straddle > rules.stack, "blinds.straddle", f"at most the stack, {rules.stack}"
    yield (
        betting.most_bets is not None and betting.most_bets < _FORCED_BETS,
        "betting.most_bets",
        f"at least {_FORCED_BETS} where there is a straddle: the big blind and the straddle count as bets",
    )


def most_straddled(raises: str, small: int, big: int) -> int | None:
    """Return the maximum straddle over these blinds; None without a limit.

    With a pot limit, the maximum is a raise by a pot of both full blinds, even if a player posts less or no blind, so
    that the maximum of a house does not change from round to round. Antes and the posts of newcomers do not count.

    >>> most_straddled("pot_limit", 1, 2), most_straddled("fixed_limit", 1, 2), most_straddled("no_limit", 1, 2)
    (7, 4, None)
    """
    return {"fixed_limit": 2 * big, "pot_limit": 2 * big + small + big}.get(raises)


_FORCED_BETS: Final = 2
"""The number of forced bets: the big blind and a straddle."""


def _antes(rules: DrawPokerRules) -> _Checks:
    ante = rules.ante
    yield (
        ante.short == "post" and not rules.all_in,
        "ante.short",
        '"sit_out" or "surrender" where a player cannot go all in',
    )
    yield (
        ante.short == "surrender" and ante.when == "before_deal",
        "ante.when",
        '"after_deal" where a player who cannot pay leaves their chips in the pot',
    )
    yield (
        ante.short == "sit_out" and ante.when == "after_deal",
        "ante.short",
        '"surrender" or "post" where the ante comes after the deal',
    )


def refused_as_recorded(rules: DrawPokerRules) -> Refusal | None:
    """Return the field that makes rules unusable for a hand that was dealt elsewhere; None if they are usable."""
    if rules.open_hands != "in_order":
        return Refusal("open_hands", '"in_order" where a hand was dealt elsewhere')
    if rules.betting.opener == "random":
        return Refusal("betting.opener", '"first" or "button" where a hand was dealt elsewhere')
    return None


def check_playable(rules: DrawPokerRules) -> DrawPokerRules:
    """Return the rules if they can be played; raise `InvalidRules` if not."""
    if (refused := first_refusal(rules)) is not None:
        raise refused_rules(rules, *refused)
    return rules


MOST_SHOWN: Final = 60
"""The maximum number of characters of a wrong value that an error shows."""


def in_toml(value: object) -> str:
    """Return a value as a rules file writes it.

    >>> in_toml(True), in_toml("steady"), in_toml({"amount": 5})
    ('true', '"steady"', '{ amount = 5 }')
    """
    match value:
        case bool() | str():
            return json.dumps(value, ensure_ascii=not str(value).isprintable())
        case list():
            return toml.array(map(in_toml, value))
        case dict():
            return toml.table({key: in_toml(field) for key, field in value.items()})
        case _:
            return str(value)


def refusal_of(rules: str, field: str, value: object, right: str) -> InvalidRules:
    """Return the error for a field, such as ``betting.cap``, whose value is wrong (None: left out)."""
    has = f"no {field}"
    if value is not None:
        try:
            said = in_toml(value)
        except (ValueError, RecursionError):  # Python does not convert integers of thousands of digits to text
            said = "…"
        has = f"{field} = {said if len(said) <= MOST_SHOWN else said[:MOST_SHOWN] + '…'}"
    return InvalidRules(f"The rules {rules} have {has}; it must be {right}.")


def refused_rules(rules: DrawPokerRules, field: str, right: str) -> InvalidRules:
    """Return the error for a field of rules, such as ``betting.cap``, with a wrong value, which must be ``right``."""
    value: object = rules
    for part in field.split("."):
        value = getattr(value, part)
    return refusal_of(repr(rules.name), field, value, right)
