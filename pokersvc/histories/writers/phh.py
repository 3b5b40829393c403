"""Writes hands as PHH; what the standard lacks goes into fields that begin with an underscore (docs/histories.md)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Final

from pokersvc.histories.dialects.phh import VARIANTS
from pokersvc.histories.draw_order import draw_said
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import Cancelled, Posted
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten, money
from pokersvc.histories.writers.outcome import HandEnd, outcome_of
from pokersvc.histories.writers.phh_actions import Written
from pokersvc.histories.writers.pots import paid_pots, rakes_of
from pokersvc.system import toml

_CODES: Final = {limit: code for code, limit in VARIANTS.items()}


def phh(hand: HandHistory) -> str:
    """Return a hand as the text of a ``.phh`` file; raise `CannotBeWritten` if the format cannot express it."""
    if any(isinstance(told, Cancelled) for told in hand.told):
        raise CannotBeWritten("PHH", "it was cancelled")
    fields = _fields(hand.as_dealt())
    return "".join(f"{key} = {value}\n" for key, value in fields.items() if value is not None)


def phhs(hands: Iterable[HandHistory]) -> Iterator[str]:
    """Yield hands as text of a ``.phhs`` file, each with its heading."""
    for number, hand in enumerate(hands, 1):
        yield f"{chr(10) if number > 1 else ''}[{number}]\n{phh(hand)}"


def in_position(hand: HandHistory) -> tuple[HistoryPlayer, ...]:
    """Return the players who were dealt in, beginning to the left of the button."""
    dealt = sorted((player for player in hand.players if not player.sitting_out), key=lambda player: player.number)
    button = hand.button if hand.button is not None else dealt[-1].number if dealt else 0
    return tuple(
        [player for player in dealt if player.number > button] + [player for player in dealt if player.number <= button]
    )


def _fields(hand: HandHistory) -> dict[str, str | None]:
    players, end = in_position(hand), outcome_of(hand)
    if len(players) < 2:
        raise CannotBeWritten("PHH", "fewer than two players were dealt in")
    actions = Written(hand, players, end)

    def amount(value: int) -> str:
        return money(value, hand.currency)

    def each(values: Iterable[int]) -> str:
        return toml.array(map(amount, values))

    real = len(hand.currency.code) == 3 and hand.currency.code.isupper()
    posts = _Posts(hand, players)
    return {
        "variant": toml.text(_CODES[hand.limit]),
        "antes": each(posts.antes),
        "ante_trimming_status": "true" if posts.short_ante else None,
        "blinds_or_straddles": each(posts.listed),
        **_bets(hand),
        "starting_stacks": each(player.stack for player in players),
        "actions": toml.lines(map(toml.text, actions.actions)),
        "venue": toml.text(hand.site),
        **_moment(hand),
        "hand": _number(hand.number),
        "seats": toml.array(str(player.number) for player in players),
        "seat_count": None if hand.size is None else str(hand.seat_count),
        "table": None if hand.table is None else toml.text(hand.table),
        "players": toml.array(toml.text(player.name) for player in players),
        "finishing_stacks": each(end.stacks[player.name] for player in players) if end else None,
        "winnings": each(end.won[player.name] for player in players) if end and end.won else None,
        "currency": toml.text(hand.currency.code) if real else None,
        "_currency": toml.text(hand.currency.code) if hand.currency.code and not real else None,
        "_hero": None if hand.only_hero is None else toml.text(hand.only_hero),
        "_button": str(hand.button) if hand.button not in (None, players[-1].number) else None,
        "_blinds": each(posts.house) if posts.house != posts.as_listed else None,
        "_dead": each(posts.dead) if any(posts.dead) else None,
        "_draw": toml.text(draw_said(hand)),
        "_rake": _rake(hand, end) if end and end.rake else None,
        "_mucked": toml.lines(map(toml.text, actions.mucked)) if actions.mucked else None,
        "_shown": toml.lines(map(toml.text, actions.shown)) if actions.shown else None,
        "_sitting_out": _sitting_out(hand),
        "_tournament": _tournament(hand),
    }


def _bets(hand: HandHistory) -> dict[str, str | None]:
    if hand.limit != "fixed-limit":
        least = hand.min_bet or hand.big_blind
        if not least:
            raise CannotBeWritten("PHH", "it does not say the minimum bet")
        return {"min_bet": money(least, hand.currency)}
    if not hand.small_bet or not hand.big_bet:
        raise CannotBeWritten("PHH", "it does not say the two bets of the limit")
    return {"small_bet": money(hand.small_bet, hand.currency), "big_bet": money(hand.big_bet, hand.currency)}


def _moment(hand: HandHistory) -> dict[str, str | None]:
    """Return the fields for the time of the hand in UTC, and for the site's local time."""
    if hand.played is None:
        return {}
    utc, zone = hand.played.utc.astimezone(UTC), hand.played.zone
    return {
        "time": utc.time().isoformat(),
        "time_zone": toml.text("UTC"),
        "day": str(utc.day),
        "month": str(utc.month),
        "year": str(utc.year),
        "_clock": toml.text(hand.played.text) if zone != "UTC" else None,
        "_clock_zone": toml.text(zone) if zone not in ("", "UTC") else None,
    }


def _rake(hand: HandHistory, end: HandEnd) -> str:
    """Return the total rake as text; or the rake of each pot, if it was not taken from the main pot first."""
    rakes = rakes_of(hand, paid_pots(hand, end))
    return toml.array(money(rake, hand.currency) for rake in rakes) if rakes else money(end.rake, hand.currency)


def _number(number: str) -> str:
    whole = number.isascii() and number.isdecimal() and len(number) <= 18 and str(int(number)) == number
    return number if whole else toml.text(number)


def _sitting_out(hand: HandHistory) -> str | None:
    away = [
        toml.table(
            {"name": toml.text(player.name), "seat": str(player.number), "stack": money(player.stack, hand.currency)}
        )
        for player in hand.players
        if player.sitting_out
    ]
    return toml.array(away) if away else None


def _tournament(hand: HandHistory) -> str | None:
    if (told := hand.tournament) is None:
        return None
    paid = {"buy_in": told.buy_in, "fee": told.fee, "bounty": told.bounty}
    texts = {"number": told.number, "level": told.level, "currency": told.currency.code or None}
    return toml.table(
        {key: toml.text(value) for key, value in texts.items() if value is not None}
        | {key: money(value, told.currency) for key, value in paid.items() if value is not None}
    )


class _Posts:
    """Antes and blinds by position, in full even if a short stack posted less."""

    def __init__(self, hand: HandHistory, players: tuple[HistoryPlayer, ...]) -> None:
        self.house = (hand.small_blind, hand.big_blind)
        places = {player.name: place for place, player in enumerate(players)}
        left = {player.name: player.stack for player in players}
        antes, self.dead, blinds = ([0] * len(players) for _ in range(3))
        posts = [told for told in hand.told if isinstance(told, Posted)]
        if any(told.name not in places for told in posts):
            raise CannotBeWritten("PHH", "somebody posted who was not dealt in")
        big = min((places[told.name] for told in posts if told.kind == "big"), default=-1)
        whole = defaultdict[str, int](int, ante=hand.ante, small=hand.small_blind)
        whole |= dict.fromkeys(("big", "both", "extra"), hand.big_blind) | {"straddle": hand.straddle}
        for told in posts:
            place, amount = places[told.name], told.amount
            left[told.name] -= amount
            if left[told.name] <= 0:  # the player is all in
                amount = max(amount, whole[told.kind])
            match told.kind:
                case "ante":
                    antes[place] += amount
                case "dead":
                    self.dead[place] += amount
                case "both":
                    blinds[place] = -min(amount, hand.big_blind)
                    self.dead[place] += max(0, amount - hand.big_blind)
                case "extra":
                    blinds[place] = -amount
                case "big" if place != big:
                    blinds[place] = -amount
                case _:
                    blinds[place] = amount
        self.short_ante = not any(self.dead) and len(set(antes)) == 1 and _ante_is_short(posts, antes[0])
        """Whether a player is all in with less than the ante, and can win only that much from each opponent."""
        self.antes = [ante + dead for ante, dead in zip(antes, self.dead, strict=True)]
        self.listed = blinds[::-1] if len(players) == 2 else blinds
        self.as_listed = (max(0, self.listed[0]), max(0, self.listed[1]))


def _ante_is_short(posts: Iterable[Posted], ante: int) -> bool:
    return any(told.kind == "ante" and told.amount < ante for told in posts)
