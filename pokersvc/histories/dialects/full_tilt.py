"""Full Tilt's text: all players discard before new cards are dealt, and a raise states only its total."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, amount_of, currency_of
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import sentences as say
from pokersvc.histories.dialects.blocks import Layout
from pokersvc.histories.dialects.grammar import (
    Grammar,
    Line,
    Lines,
    at,
    quoted,
    seats_of,
    statements,
)
from pokersvc.histories.dialects.left_out import Note, of_the_draw, of_the_summary
from pokersvc.histories.dialects.sentences import (
    AFTER_THE_DEAL,
    BEFORE_THE_SUMMARY,
    CARDS_SAID,
    KEPT_SAID,
    TextPart,
    in_summary,
    sentence,
)
from pokersvc.histories.dialects.site_words import tilt_words
from pokersvc.histories.dialects.text import IN_SUMMARY, SUMMARY, Header, TextDialect, limit_of
from pokersvc.histories.hand import Currency, HandHistory, HistoryTournament, UnreadableHand, WhenPlayed
from pokersvc.histories.statements import Posted, Statement, Summed
from pokersvc.histories.timestamps import MONTHS, WEEKDAYS, clock, played

_BEGINS: Final = re.compile(r"Full ?Tilt ?Poker Game #[0-9]+:")
_HEADER: Final = re.compile(
    r"Full ?Tilt ?Poker Game #(?P<number>[0-9]{1,20}): +"
    r"(?:(?P<tournament_name>.+) \((?P<tournament>[0-9]+)\), +)?"
    r"(?:Table +)?(?P<table>.+?)(?: +\((?P<size>[0-9]{1,2}) max(?:, [^()]*)?\)| +\([^()]*\))? +- +"
    r"(?:(?P<game>[A-Z0-9](?:(?! - ).)*?) +- +)?"  # since 2013 the game stands before the stakes
    rf"(?P<low>{AMOUNT}K?)/(?P<high>{AMOUNT}K?)(?: +Ante +(?P<ante>{AMOUNT}K?))? +- +"
    r"(?(game)|(?P<last>(?:(?! - ).)+?) +- +)"
    r"(?P<when>[0-9].+)"
)
_FRAME: Final = re.compile(r"\*{5,} # [0-9]+ \*{5,}\s*$|BEGIN\s*$|The blinds are now .*")
"""Matches lines between hands: in files that the site mailed, in other programs' archives, and in tournaments."""
_GAME: Final = re.compile(r"(No Limit|Pot Limit|Limit|NL|PL|FL) 5 Card Draw")
_TIME: Final = r"([0-9]{1,2}):([0-9]{2}):([0-9]{2}) ([A-Z]{2,5}) +- +([0-9]{4})/([0-9]{2})/([0-9]{2})"
_WHEN: Final = re.compile(rf"(?P<first>{_TIME})(?: +\[(?P<second>{_TIME})\])?")
_WHEN_IN_WORDS: Final = re.compile(
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}) (?P<zone>[A-Z]{2,5}) - "
    rf"(?P<weekday>{'|'.join(WEEKDAYS)}), (?P<month>[A-Z][a-z]+) (?P<day>[0-9]{{1,2}}), (?P<year>[0-9]{{4}})"
)
"""Matches a time as files of July 2010 write it."""
_BUY_IN: Final = re.compile(rf"(?P<buy_in>{AMOUNT})(?: \+ (?P<fee>{AMOUNT}))?(?: .*)?")
_SEAT: Final = re.compile(
    rf"Seat (?P<number>[0-9]{{1,2}}): (?P<name>.+) \((?P<stack>{AMOUNT})\)(?P<away>, is sitting out)?"
)
_CANCELLED: Final = re.compile("Hand #(?P<number>[0-9]+) has been cancell?ed")
_BUTTON: Final = re.compile("The button is in seat #(?P<button>[0-9]{1,2})")

_ALL_IN: Final = "(?P<all_in>,? and is all.in)?"
_CALLED: Final = "(?: with (?P<called>.+))?"


_PAID: Final = (
    sentence(rf" (?:wins|ties for) the (?:main )?pot \((?P<amount>{{A}})\){_CALLED}", say.won, AFTER_THE_DEAL),
    sentence(
        rf" (?:wins|ties for) (?:the )?side pot(?P<side>(?: #[0-9])?) \((?P<amount>{{A}})\){_CALLED}",
        say.won,
        AFTER_THE_DEAL,
    ),
)

_GRAMMAR: Final = Grammar(
    writes="Full Tilt",
    parts={
        "*** HOLE CARDS ***": TextPart.PLAY,
        "*** SHOW DOWN ***": TextPart.SHOWDOWN,
        "*** SUMMARY ***": TextPart.SUMMARY,
    },
    about={
        "posts": (
            sentence(f" posts the small blind of (?P<amount>{{A}}){_ALL_IN}", say.posted("small"), TextPart.POSTS),
            sentence(f" posts the big blind of (?P<amount>{{A}}){_ALL_IN}", say.posted("big"), TextPart.POSTS),
            sentence(f" posts a dead small blind of (?P<amount>{{A}}){_ALL_IN}", say.posted("dead"), TextPart.POSTS),
            sentence(f" posts (?P<amount>{{A}}){_ALL_IN}", say.posted("extra"), TextPart.POSTS),
        ),
        "antes": (sentence(f" antes (?P<amount>{{A}}){_ALL_IN}", say.posted("ante"), TextPart.POSTS),),
        "folds": (sentence(" folds", say.folded),),
        "checks": (sentence(" checks", say.checked),),
        "calls": (sentence(f" calls (?P<amount>{{A}}){_ALL_IN}", say.called),),
        "bets": (sentence(f" bets (?P<amount>{{A}}){_ALL_IN}", say.bet),),
        "raises": (sentence(f" raises to (?P<to>{{A}}){_ALL_IN}", say.raised),),
        "discards": (sentence(rf" discards (?P<said>(?P<count>[0-9]) cards?)(?: {CARDS_SAID})?", say.discarded),),
        "stands": (sentence(rf" stands pat(?: on {CARDS_SAID})?", say.stood_pat),),
        "is": (
            sentence(r" is dealt (?P<said>(?P<count>[0-9]) cards?)", say.drew),
            sentence(" is sitting out", say.away("sits_out"), BEFORE_THE_SUMMARY),
        ),
        "shows": (sentence(rf" shows {CARDS_SAID}(?: (?P<called>.+))?", say.showed, AFTER_THE_DEAL),),
        "mucks": (sentence(" mucks", say.not_shown), sentence(" mucks", say.mucked, TextPart.SHOWDOWN)),
        "wins": _PAID,
        "ties": _PAID,
    },
    before=(
        (re.compile("Dealt to "), (sentence(rf"(?: {KEPT_SAID})? {CARDS_SAID}", say.dealt),)),
        (
            re.compile("Seat (?P<number>[0-9]{1,2}): "),
            (
                in_summary(r"folded before the [Dd]raw(?P<did_not_bet> \(didn't bet\))?", "folded_before_draw"),
                in_summary(r"(?P<did_not_bet>didn't bet) \(folded\)", "folded_before_draw"),
                in_summary(r"folded after the [Dd]raw", "folded_after_draw"),
                in_summary(r"collected \((?P<amount>{A})\)(?:, mucked)?", "collected"),
                in_summary(rf"showed {CARDS_SAID} and won \((?P<amount>{{A}})\){_CALLED}", "showed"),
                in_summary(rf"showed {CARDS_SAID} and lost{_CALLED}", "lost"),
                in_summary(rf"mucked(?: {CARDS_SAID}(?: - (?P<called>.+))?)?", "mucked"),
                in_summary("is sitting out", "sat_out"),
            ),
        ),
    ),
    whole=(
        sentence(r"Uncalled bet of (?P<amount>{A}) returned to (?P<name>.+)", say.returned, AFTER_THE_DEAL),
        sentence(
            r"\*\*\* DRAW \*\*\*(?: +\((?:Total )?Pot: (?P<amount>{A})(?:, [0-9]+ Players)?(?:, [0-9]+ All-In)?\))?",
            say.pot_so_far,
        ),
        sentence("The deck is reshuffled", say.reshuffled),
        sentence(_CANCELLED.pattern, say.cancelled, BEFORE_THE_SUMMARY),
        sentence(
            r"Total pot (?P<amount>{A})(?P<pots> Main pot {A}\.(?: Side pot(?: [0-9]+)? {A}\.)*)?"
            r" \| Rake (?P<rake>{A})",
            say.totals,
            TextPart.SUMMARY,
        ),
        sentence("Duration [0-9]+s", say.nothing, TextPart.SUMMARY),
        sentence("The blinds are now .+", say.nothing, BEFORE_THE_SUMMARY | TextPart.SUMMARY),
        sentence("(?P<anyone>.+) is sitting out", say.away("sits_out"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) sits down", say.away("joined"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) stands up", say.away("left"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) has returned", say.away("back"), BEFORE_THE_SUMMARY),
    ),
    chat=re.compile(": .*"),
    noise=tuple(
        re.compile(pattern)
        for pattern in (
            r".+ has [0-9]+ seconds left to act",
            r".+ has (?:timed out|been disconnected|reconnected|requested TIME)",
            r".+ has [0-9]+ seconds to reconnect",
            r".+ is feeling [a-z]+",
            rf".+ adds {AMOUNT}",
            r".+ \(Observer\): .*",
        )
    ),
)


class FullTilt(TextDialect):
    """The dialect of Full Tilt."""

    name = "full-tilt"
    site = "Full Tilt"
    layout = Layout(_BEGINS, SUMMARY, IN_SUMMARY, gap=2, frame=_FRAME)  # some files have a blank line within a hand

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        lines = Lines(block)
        header = _header(lines)
        seats = seats_of(lines, _SEAT, header.currency, tournament=header.tournament is not None)
        button, rest = _button(lines)
        for number, text in rest:
            if (cancelled := _CANCELLED.fullmatch(text)) and cancelled["number"] != header.number:
                raise UnreadableHand(number, f"Line {number} cancels another hand: {quoted(text)}.")
        told = _summed_up(statements(rest, _GRAMMAR, seats, header.currency), seats.number_of, button)
        return self.hand(block, lines, replace(header, button=button), seats, told, hero=say.hero_of(told))

    def left_out(self, hand: HandHistory, lines: Lines, *, ended: bool) -> Iterator[Note]:
        """Yield notes on text that is missing in the draw and in the summary."""
        yield from of_the_draw(hand, lines.all, "*** DRAW ***")
        yield from of_the_summary(hand, lines.all[-1][1], tilt_words, mucks_named=True, ended=ended)


def _header(lines: Lines) -> Header:
    first = lines.next(_HEADER, "which hand of Full Tilt it is, its table, its stakes, its game and its time")
    limit = limit_of(lines.number, first["game"] or first["last"], _GAME)
    with at(lines.number):
        currency = currency_of(first["low"])
        low, high = (_stake(first[side], currency) for side in ("low", "high"))
        return Header(
            number=first["number"],
            limit=limit,
            currency=currency,
            low=low,
            high=high,
            ante=_stake(first["ante"], currency) if first["ante"] else 0,
            table=first["table"],
            size=int(first["size"]) if first["size"] else None,
            button=None,
            played=_when(first["when"]),
            tournament=_tournament(first),
        )


def _stake(text: str, currency: Currency) -> int:
    """Return a stake of the first line; late in a tournament, stakes may be in thousands, such as ``50K``."""
    if not text.endswith("K"):
        return amount_of(text, currency)
    return amount_of(text.removesuffix("K"), Currency(currency.code, currency.exponent + 3))


def _button(lines: Lines) -> tuple[int | None, list[Line]]:
    """Return the button's seat number and the other unread lines; the button's line comes after the blinds."""
    button: int | None = None
    rest = []
    for number, text in lines.rest():
        if (found := _BUTTON.fullmatch(text)) is None:
            rest.append((number, text))
        elif button is not None:
            raise UnreadableHand(number, f"Line {number} says again where the button is: {quoted(text)}.")
        else:
            button = int(found["button"])
    return button, rest


def _when(text: str) -> WhenPlayed:
    """Return when the hand was played; if the text has two times, the second (in ET) decides."""
    if (in_words := _WHEN_IN_WORDS.fullmatch(text)) is not None:
        return _when_in_words(in_words)
    found = _WHEN.fullmatch(text)
    if found is None:
        raise InvalidValue(f"{quoted(text)} is not a time of Full Tilt: write it like 03:00:26 ET - 2010/11/07.")
    groups = found.groups()
    first, second = (
        clock((*part[4:], *part[:3]), part[3], shown) if shown else None
        for part, shown in ((groups[1:8], found["first"]), (groups[9:16], found["second"]))
    )
    assert first is not None
    return played(first, second, text=text)


def _when_in_words(found: re.Match[str]) -> WhenPlayed:
    """Return when the hand was played, to the minute; a weekday that does not fit the date is a contradiction."""
    month = found["month"][:3]
    if month not in MONTHS:
        raise InvalidValue(f"{found['month']!r} is not a month: write it like July.")
    parts = (found["year"], str(MONTHS.index(month) + 1), found["day"], found["hour"], found["minute"], "0")
    shown = clock(parts, found["zone"], found[0])
    when = played(shown)
    return when if WEEKDAYS[shown.local.weekday()] == found["weekday"] else replace(when, contradicts=found["weekday"])


def _summed_up(told: tuple[Statement, ...], numbers: Mapping[str, int], button: int | None) -> tuple[Statement, ...]:
    """Adjust a summary: heads-up, the small blind is the button; with antes, a missing ``didn't bet`` means nothing."""
    antes = any(isinstance(one, Posted) and one.kind == "ante" for one in told)
    return tuple([_summed(one, numbers, button, antes) if isinstance(one, Summed) else one for one in told])


def _summed(one: Summed, numbers: Mapping[str, int], button: int | None, antes: bool) -> Summed:
    if one.position == ("small",) and numbers.get(one.name) == button:
        one = replace(one, position=("button", "small"))
    if antes and one.outcome == "folded_before_draw" and not one.did_not_bet:
        one = replace(one, did_not_bet=None)
    return one


def _tournament(header: re.Match[str]) -> HistoryTournament | None:
    """Return the tournament; the buy-in is read from the beginning of its name, if the name has one."""
    if header["tournament"] is None:
        return None
    found = _BUY_IN.fullmatch(header["tournament_name"])
    if found is None:
        return HistoryTournament(number=header["tournament"])
    currency = currency_of(found["buy_in"])
    return HistoryTournament(
        number=header["tournament"],
        buy_in=amount_of(found["buy_in"], currency),
        fee=amount_of(found["fee"], currency) if found["fee"] else 0,
        currency=currency,
    )
