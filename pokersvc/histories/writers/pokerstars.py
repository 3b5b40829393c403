"""Writes hands as PokerStars' text, with the hero's cards and those that were shown."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from hashlib import sha256
from itertools import zip_longest
from re import fullmatch
from typing import Final

from pokersvc.histories.amounts import POINTS
from pokersvc.histories.dialects.pokerstars import WHEN, PokerStars
from pokersvc.histories.draw_order import draw_order
from pokersvc.histories.hand import Currency, HandHistory, Limit
from pokersvc.histories.statements import Discarded, Drew, Posted, Reshuffled, Showed, Summed
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.pokerstars_lines import StarsLines, stars_money
from pokersvc.service.read_models.played_rounds import HERE

_LIMITS: Final[dict[Limit, str]] = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "fixed-limit": "Limit"}
_MOST_NUMBER: Final = 10**18
_FORMAT: Final = "PokerStars' text"


def pokerstars(hand: HandHistory) -> str:
    """Return a hand as text of a PokerStars file; raise `CannotBeWritten` if the format cannot express it."""
    _refuse(hand)
    body = StarsLines(hand.as_dealt())
    return "\n".join([_header(hand), _table(hand), *body.lines]) + "\n"


def pokerstars_file(hands: Iterable[HandHistory]) -> Iterator[str]:
    """Yield hands as text of a file, separated by two blank lines."""
    for number, hand in enumerate(hands):
        yield ("\n\n" if number else "") + pokerstars(hand)


def _refuse(hand: HandHistory) -> None:
    blinds, fixed = hand.big_blind, hand.limit == "fixed-limit"
    draw = [told for told in hand.told if isinstance(told, Discarded | Drew | Reshuffled)]
    late = [
        told
        for told, after in zip_longest(draw, draw[1:])
        if isinstance(told, Reshuffled) and not isinstance(after, Discarded)
    ]
    reasons = {
        "it does not say who has the button": hand.button is None,
        "it does not say when it was played": hand.played is None,
        "it is played without blinds": not blinds,
        "it does not say the two bets of the limit": fixed and (not hand.small_bet or not hand.big_bet),
        "its big blind is not the small bet": fixed and blinds != hand.small_bet,
        "its minimum bet is not the big blind": not fixed and hand.min_bet not in (None, blinds),
        "a stack was too short for the straddle": hand.straddle > 0,
        "all discard before anybody draws": draw_order(hand) == "together" and _changes(hand) > 1,
        "the deck was reshuffled after a player had discarded": bool(late),
        "it has dead money other than with both blinds": any(
            isinstance(told, Posted) and told.kind == "dead" for told in hand.told
        ),
        "a hand in it has other than five different cards": any(
            isinstance(told, Showed | Summed)
            and told.cards is not None
            and (len(told.cards), len({*told.cards})) != (5, 5)
            for told in hand.told
        ),
        "a name in it cannot stand in a line of text": any(
            not player.name.isprintable() or player.name != player.name.strip() for player in hand.players
        ),
        "a name in it begins as the first line of a hand does": any(
            PokerStars.layout.begins.match(f"{player.name}:") for player in hand.players
        ),
        f"its currency is {hand.currency.code or 'chips with parts'}": not _has_sign(hand.currency),
    }
    for reason, holds in reasons.items():
        if holds:
            raise CannotBeWritten(_FORMAT, reason)


def _changes(hand: HandHistory) -> int:
    return sum(isinstance(told, Discarded) and told.count > 0 for told in hand.told)


def _has_sign(currency: Currency) -> bool:
    return currency.code in ("USD", "EUR", "GBP") or currency == Currency("", 0)


def _header(hand: HandHistory) -> str:
    assert hand.played is not None
    amounts = (hand.small_blind, hand.big_blind)
    if hand.limit == "fixed-limit":
        amounts = (hand.small_bet or 0, hand.big_bet or 0)
    stakes = "/".join(_alike(amounts, hand.currency))
    code = f" {hand.currency.code}" if hand.currency.code else ""
    game = f"5 Card Draw {_LIMITS[hand.limit]}"
    when = hand.played.text  # PokerStars' own hands have the local time already
    if not WHEN.fullmatch(when):
        when = f"{hand.played.utc.astimezone(UTC):%Y/%m/%d %H:%M:%S} UTC"
    space = "  " if hand.tournament is None else " "
    number = f"PokerStars Hand #{_number(hand)}:{space}"
    return f"{number}{_tournament(hand)}{game} {_level(hand)}({stakes}{code}) - {when}"


def _alike(amounts: Sequence[int], currency: Currency) -> list[str]:
    """Return amounts as texts; if one needs decimals, all have them, as in ``$0.50/$1.00``."""
    texts = [stars_money(amount, currency) for amount in amounts]
    return (
        [stars_money(amount, currency, whole=True) for amount in amounts] if any("." in one for one in texts) else texts
    )


def _number(hand: HandHistory) -> str:
    """Return the hand's number; if it is not all digits, a number derived from it."""
    return _digits(hand.site, hand.number)


def _digits(site: str, number: str) -> str:
    """Return a number of a site; if it is not all digits, one derived from it."""
    if fullmatch("[0-9]{1,20}", number):
        return number
    return str(int.from_bytes(sha256(f"{site} {number}".encode()).digest()[:8]) % _MOST_NUMBER)


def _tournament(hand: HandHistory) -> str:
    told = hand.tournament
    if told is None:
        return ""
    if not fullmatch("[0-9]+", told.number) and hand.site != HERE:
        raise CannotBeWritten(_FORMAT, f"the tournament's number is {told.number!r}")
    number = _digits(hand.site, told.number)
    if told.buy_in is None:
        return f"Tournament #{number}, Freeroll  "
    if told.currency.code in POINTS:
        return f"Tournament #{number}, {told.buy_in}{told.currency.code} "
    parts = [told.buy_in, *([] if told.bounty is None else [told.bounty]), told.fee or 0]
    paid = "+".join(_alike(parts, told.currency))
    return f"Tournament #{number}, {paid}{' ' if told.currency.code else ''}{told.currency.code} "


def _level(hand: HandHistory) -> str:
    level = hand.tournament.level if hand.tournament else None
    return f"- Level {level} " if level and fullmatch("[IVXLCDM]+", level) else ""


def _table(hand: HandHistory) -> str:
    return f"Table '{hand.table or hand.number}' {hand.seat_count}-max Seat #{hand.button} is the button"
