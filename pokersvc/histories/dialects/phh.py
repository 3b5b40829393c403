"""PHH 0.0.2, the Poker Hand History standard in TOML: one hand per file (``.phh``) or per table (``.phhs``).

The standard has no code for five-card draw; those here, and the fields that begin with an underscore, are described in
docs/histories.md. Optional fields (players, seats, winnings, finishing stacks …) are read as claims.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from hashlib import sha256
from typing import Final, NamedTuple

from pokersvc.histories.amounts import paid_in
from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import Layout, blocks_of
from pokersvc.histories.dialects.phh_actions import Actions
from pokersvc.histories.dialects.phh_fields import PhhFields
from pokersvc.histories.dialects.seat_list import check_button, check_players
from pokersvc.histories.hand import (
    CHIPS,
    DRAW_ORDERS,
    DrawOrder,
    HandHistory,
    HistoryPlayer,
    HistoryTournament,
    Limit,
    UnreadableHand,
    WhenPlayed,
)
from pokersvc.histories.statements import Discarded, Drew, Posted, PostKind, Reshuffled, Statement, Summed, Totals
from pokersvc.histories.timestamps import WallClock, played
from pokersvc.text import counted

VARIANTS: Final[dict[str, Limit]] = {"N5CD": "no-limit", "P5CD": "pot-limit", "F5CD": "fixed-limit"}
_TABLE: Final = re.compile(r"\[[^\[\].,]+\]\s*(?:#.*)?$")
_COMMENT: Final = re.compile(r"\s*#")
_LAYOUT: Final = Layout(_TABLE, ends=re.compile("(?!)"), gap=1 << 62, frame=_COMMENT)
"""The layout of a text in which blank lines never end a hand."""
_VARIANT: Final = re.compile(r"^variant\s*=", re.MULTILINE)


class Phh:
    """The dialect of PHH: TOML."""

    name = "phh"

    def recognises(self, head: str) -> bool:
        """Return whether a text begins with fields of PHH."""
        return bool(_VARIANT.search(head)) or bool(re.search(r"^(antes|starting_stacks)\s*=", head, re.MULTILINE))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the whole file as a block, or each of its TOML tables."""
        return blocks_of(lines, _LAYOUT)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        fields = PhhFields(block)
        variant = fields.text("variant")
        if (limit := VARIANTS.get(variant or "")) is None:
            codes = ", ".join(VARIANTS)
            raise UnreadableHand(fields.line("variant"), f"The variant {variant!r} is not five-card draw: {codes}.")
        for key in ("small_bet", "big_bet") if limit != "fixed-limit" else ("min_bet",):
            if key in fields:
                fields.wrong(key, f"a bet that {variant} has")
        players, away = _players(fields), _away(fields)
        check_players(block.first_line, players + away)
        button = fields.whole("_button")
        check_button(fields.line("_button"), button, None, players + away)
        posts = _posts(fields, players, button)
        actions = _actions(fields, players, posts)
        draw = _draw(fields)
        played_out = _in_turn(actions.told) if draw == "in_turn" else actions.told
        return HandHistory(
            dialect=Phh.name,
            site=fields.text("venue") or "PHH",
            number=fields.name("hand") or _digest(block.text),
            text=block.text,
            first_line=block.first_line,
            last_line=block.first_line + block.text.rstrip().count("\n"),
            limit=limit,
            currency=fields.currency,
            ante=posts.ante,
            small_blind=posts.small,
            big_blind=posts.big,
            straddle=posts.straddle,
            min_bet=fields.amount("min_bet"),
            small_bet=fields.amount("small_bet"),
            big_bet=fields.amount("big_bet"),
            table=fields.name("table"),
            size=fields.whole("seat_count"),
            button=players[-1].number if button is None else button,
            draw=draw,
            played=_played(fields),
            tournament=_tournament(fields),
            hero=fields.text("_hero"),
            players=players + away,
            told=(*posts.told, *played_out, *_claims(fields, players)),
            warnings=tuple(actions.warnings),
        )


def _digest(text: str) -> str:
    """Return a number for a hand without one: a hash of its text that is the same for every kind of line end."""
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return sha256(lines.encode(errors="replace")).hexdigest()[:16]


def _players(fields: PhhFields) -> tuple[HistoryPlayer, ...]:
    """Return the players who were dealt in, p1 first; names and seats are optional."""
    stacks = fields.amounts("starting_stacks")
    if not stacks:
        fields.wrong("starting_stacks", "what each player began with")
    count = len(stacks)
    names = fields.texts("players") or [f"p{number}" for number in range(1, count + 1)]
    seats = fields.wholes("seats") or list(range(1, count + 1))
    for key, found in (("players", names), ("seats", seats)):
        if len(found) != count:
            fields.wrong(key, f"one for each of {counted(count, 'player')}")
    line = fields.line("players" if "players" in fields else "starting_stacks")
    return tuple(
        [
            HistoryPlayer(line=line, name=name, number=seat, stack=stack)
            for name, seat, stack in zip(names, seats, stacks, strict=True)
        ]
    )


def _away(fields: PhhFields) -> tuple[HistoryPlayer, ...]:
    """Return the players at the table who were not dealt in."""
    key, away = "_sitting_out", list[HistoryPlayer]()
    for one in fields.tables(key):
        name, seat, stack = (one.get(what) for what in ("name", "seat", "stack"))
        if type(name) is not str or type(seat) is not int:
            fields.wrong(key, "tables of name, seat and stack")
        away.append(
            HistoryPlayer(
                line=fields.line(key), name=name, number=seat, stack=fields.amount_in(key, stack), sitting_out=True
            )
        )
    return tuple(away)


class _Posts(NamedTuple):
    """The posts before the deal."""

    told: list[Statement]
    staked: Contributions
    ante: int
    small: int
    big: int
    straddle: int
    """The full straddle, if the player had too few chips to post all of it; else 0."""


def _posts(fields: PhhFields, players: tuple[HistoryPlayer, ...], button: int | None) -> _Posts:
    """Return antes and blinds; a negative blind is a newcomer's, and heads-up blinds are in reverse order."""
    count = len(players)
    lists = {key: fields.amounts(key) or [0] * count for key in ("antes", "_dead", "blinds_or_straddles")}
    for key, amounts in lists.items():
        if len(amounts) != count:
            fields.wrong(key, f"one amount for each of {counted(count, 'player')}")
    antes, dead, blinds = lists.values()
    if fields.of_type("ante_trimming_status", bool) and (any(dead) or len(set(antes)) > 1):
        fields.wrong("ante_trimming_status", "false, as it is where antes differ")
    house = fields.amounts("_blinds") or [max(0, blind) for blind in (*blinds, 0, 0)][:2]
    if len(house) != 2:
        fields.wrong("_blinds", "the small and the big blind")
    over = [blind for blind in blinds if blind > max(house)]
    straddle = over[0] if len(over) == 1 else 0
    staked, told = Contributions(players, house[1], straddle), list[Statement]()

    def post(key: str, player: HistoryPlayer, amount: int, kind: PostKind) -> None:
        if paid := min(amount, staked.left[player.name]):
            line, short = fields.line(key), paid < amount
            told.append(posted := Posted(line=line, name=player.name, amount=paid, kind=kind, all_in=short))
            staked.take(posted)

    for player, amount, less in zip(players, antes, dead, strict=True):
        if amount < less:
            fields.wrong("_dead", "dead blinds that are part of antes")
        if amount > less:
            post("antes", player, amount - less, "ante")
    for player, amount in zip(players, dead, strict=True):
        if amount:
            post("_dead", player, amount, "dead")
    kinds = set[PostKind]()
    listed = list(zip(players[::-1] if count == 2 else players, blinds, strict=True))
    if count == 2 and button not in (None, players[-1].number):  # button at an empty seat: p1 has the small blind
        listed.reverse()
    if blinds.count(house[1]) < 2 and house[0] == house[1]:
        kinds.add("small")  # a single blind is the big blind
    for player, blind in listed:
        if blind:
            kinds.add(kind := _kind(blind, house, kinds))
            post("blinds_or_straddles", player, abs(blind), kind)
    if not any(isinstance(one, Posted) and one.kind == "straddle" and one.all_in for one in told):
        straddle = 0
    ante = max(amount - less for amount, less in zip(antes, dead, strict=True))
    return _Posts(told, staked, ante, house[0], house[1], straddle)


def _kind(blind: int, house: list[int], before: set[PostKind]) -> PostKind:
    """Return the kind of a blind from its amount and the kinds listed before it."""
    small, big = house
    if blind == small and "small" not in before:
        return "small"
    if blind == big and "big" not in before:
        return "big"
    return "straddle" if blind > big else "extra"


def _actions(fields: PhhFields, players: tuple[HistoryPlayer, ...], posts: _Posts) -> Actions:
    """Read the actions, and the mucked or shown hands that actions cannot express."""
    names = [player.name for player in players]
    read = Actions(names, posts.staked, fields.currency)
    texts = fields.texts("actions")
    if texts is None:
        fields.wrong("actions", "a list of actions")
    for line, text in zip(fields.lines("actions", len(texts)), texts, strict=True):
        read.take(line, text)
    read.end(fields.line("actions"))
    for key in ("_mucked", "_shown"):
        hands = fields.texts(key) or []
        for line, text in zip(fields.lines(key, len(hands)), hands, strict=True):
            player, _, cards = text.partition(" ")
            read.reveal(line, player, cards, mucked=key == "_mucked")
    return read


def _draw(fields: PhhFields) -> DrawOrder | None:
    """Return the draw order that our field states, else None; PHH's actions do not tell it: discards come first."""
    said = fields.text("_draw")
    if said is not None and said not in DRAW_ORDERS:
        fields.wrong("_draw", " or ".join(f'"{one}"' for one in DRAW_ORDERS))
    return None if said is None else DRAW_ORDERS[said]


def _in_turn(told: list[Statement]) -> list[Statement]:
    """Reorder statements so that each player draws right after discarding, if all discards precede all draws."""
    discards = {place: one for place, one in enumerate(told) if isinstance(one, Discarded)}
    if not discards:
        return told
    first, last = min(discards), max(discards)
    if any(isinstance(one, Drew) for one in told[first:last]):  # discards and draws are in turn already
        return told
    after = last + 1
    while after < len(told) and isinstance(told[after], Drew | Reshuffled):
        after += 1
    drawn: dict[str, list[Statement]] = {}
    waiting: list[Statement] = []
    for one in told[last + 1 : after]:
        waiting.append(one)
        if isinstance(one, Drew):
            drawn.setdefault(one.name, []).extend(waiting)
            waiting = []
    section = [one for discard in discards.values() for one in (discard, *drawn.pop(discard.name, ()))]
    return [*told[:first], *section, *(one for rest in drawn.values() for one in rest), *waiting, *told[after:]]


def _claims(fields: PhhFields, players: tuple[HistoryPlayer, ...]) -> Iterator[Statement]:
    """Yield the statements of optional fields about the end of the hand: winnings and stacks."""
    for key in ("winnings", "finishing_stacks"):
        if (amounts := fields.amounts(key)) is None:
            continue
        if len(amounts) != len(players):
            fields.wrong(key, f"one amount for each of {counted(len(players), 'player')}")
        for player, amount in zip(players, amounts, strict=True):
            won, stack = (amount, None) if key == "winnings" else (None, amount)
            yield Summed(line=fields.line(key), name=player.name, won=won, stack=stack)
    if fields.is_list("_rake"):
        rakes = tuple(fields.amounts("_rake") or ())
        yield Totals(line=fields.line("_rake"), rake=sum(rakes), rakes=rakes)
    elif (rake := fields.amount("_rake")) is not None:
        yield Totals(line=fields.line("_rake"), rake=rake)


def _tournament(fields: PhhFields) -> HistoryTournament | None:
    table = fields.of_type("_tournament", dict)
    if table is None:
        return None
    known = ("number", "level", "currency", "buy_in", "fee", "bounty")
    if type(table.get("number")) is not str or not set(table) <= set(known):
        fields.wrong("_tournament", f"a table of {', '.join(known)}")
    if any(type(table[key]) is not str for key in ("level", "currency") if key in table):
        fields.wrong("_tournament", "a table in which level and currency are texts")
    currency = paid_in(table["currency"]) if "currency" in table else CHIPS
    paid = {key: fields.amount_in("_tournament", table[key], currency) for key in known[3:] if key in table}
    return HistoryTournament(number=table["number"], level=table.get("level"), currency=currency, **paid)


def _played(fields: PhhFields) -> WhenPlayed | None:
    """Return when the hand was played, if day, time and zone are given; ``_clock`` is the site's local time."""
    parts = [fields.whole(key) for key in ("year", "month", "day")]
    at, zone = fields.of_type("time", time), fields.text("time_zone")
    if at is None or zone is None or None in parts:
        try:
            date(*[part or default for part, default in zip(parts, (2000, 1, 1), strict=True)])
        except (ValueError, OverflowError):
            fields.wrong("day", "a day of its month and year")
        return None
    line, text = fields.line("time"), "-".join(map(str, parts)) + f" {at} {zone}"
    year, month, day = (part or 0 for part in parts)
    try:
        local = datetime.combine(date(year, month, day), at)
        told = played(WallClock(local, zone, text))
    except (ValueError, OverflowError):
        raise UnreadableHand(
            line, f"{text[:60]!r} is not a time: write a day, a time and a time zone such as UTC."
        ) from None
    clock = fields.text("_clock")
    return told if clock is None else WhenPlayed(utc=told.utc, zone=fields.text("_clock_zone") or "", text=clock)
