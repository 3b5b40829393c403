"""Full Tilt's text: all discard before anybody is dealt, and a raise names its total only."""

import re
from dataclasses import replace
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, amount_of, currency_of
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import sentences as say
from pokersvc.histories.dialects.grammar import (
    Grammar,
    Line,
    Lines,
    at,
    quoted,
    seats_of,
    statements,
)
from pokersvc.histories.dialects.sentences import (
    AFTER_THE_DEAL,
    BEFORE_THE_SUMMARY,
    CARDS_SAID,
    KEPT_SAID,
    TextPart,
    in_summary,
    sentence,
)
from pokersvc.histories.dialects.text import Header, TextDialect, limit_of
from pokersvc.histories.hand import ToldHand, ToldTournament, UnreadableHand, WhenPlayed
from pokersvc.histories.moments import clock, played

_BEGINS: Final = re.compile(r"Full ?Tilt ?Poker Game #[0-9]+:")
_HEADER: Final = re.compile(
    r"Full ?Tilt ?Poker Game #(?P<number>[0-9]{1,20}): +"
    r"(?:(?P<tournament_name>.+) \((?P<tournament>[0-9]+)\), +)?"
    r"(?:Table +)?(?P<table>.+?)(?: +\((?P<size>[0-9]{1,2}) max(?:, [^()]*)?\)| +\([^()]*\))? +- +"
    rf"(?P<low>{AMOUNT})/(?P<high>{AMOUNT})(?: +Ante +(?P<ante>{AMOUNT}))? +- +"
    r"(?P<game>[^-]+?) +- +"
    r"(?P<when>[0-9].+)"
)
_GAME: Final = re.compile(r"(No Limit|Pot Limit|Limit) 5 Card Draw")
_TIME: Final = r"([0-9]{1,2}):([0-9]{2}):([0-9]{2}) ([A-Z]{2,5}) +- +([0-9]{4})/([0-9]{2})/([0-9]{2})"
_WHEN: Final = re.compile(rf"(?P<first>{_TIME})(?: +\[(?P<second>{_TIME})\])?")
_BUY_IN: Final = re.compile(rf"(?P<buy_in>{AMOUNT})(?: \+ (?P<fee>{AMOUNT}))?(?: .*)?")
_SEAT: Final = re.compile(
    rf"Seat (?P<number>[0-9]{{1,2}}): (?P<name>.+) \((?P<stack>{AMOUNT})\)(?P<out>, is sitting out)?"
)
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
        "discards": (sentence(rf" discards (?P<count>[0-9]) cards?(?: {CARDS_SAID})?", say.discarded),),
        "stands": (sentence(rf" stands pat(?: on {CARDS_SAID})?", say.stood_pat),),
        "is": (
            sentence(r" is dealt (?P<count>[0-9]) cards?", say.drew),
            sentence(" is sitting out", say.away("sits_out"), BEFORE_THE_SUMMARY),
        ),
        "shows": (sentence(rf" shows {CARDS_SAID}(?: (?P<called>.+))?", say.showed, AFTER_THE_DEAL),),
        "mucks": (sentence(" mucks", say.mucked, AFTER_THE_DEAL),),
        "wins": _PAID,
        "ties": _PAID,
    },
    before=(
        (re.compile("Dealt to "), (sentence(rf"(?: {KEPT_SAID})? {CARDS_SAID}", say.dealt),)),
        (
            re.compile("Seat (?P<number>[0-9]{1,2}): "),
            (
                in_summary(r"folded before the Draw(?P<did_not_bet> \(didn't bet\))?", "folded_before_draw"),
                in_summary(r"(?P<did_not_bet>didn't bet) \(folded\)", "folded_before_draw"),
                in_summary(r"folded after the Draw", "folded_after_draw"),
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
        sentence(r"\*\*\* DRAW \*\*\* +\(Pot: (?P<amount>{A})\)", say.pot_so_far),
        sentence("The deck is reshuffled", say.reshuffled),
        sentence("Hand #[0-9]+ has been cancell?ed", say.cancelled, BEFORE_THE_SUMMARY),
        sentence(
            r"Total pot (?P<amount>{A})(?P<pots> Main pot {A}\.(?: Side pot(?: [0-9]+)? {A}\.)*)?"
            r" \| Rake (?P<rake>{A})",
            say.totals,
            TextPart.SUMMARY,
        ),
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
    """The dialect."""

    name = "full-tilt"
    site = "Full Tilt"
    begins = _BEGINS
    gap = 2  # some files have a blank line within a hand

    def read(self, block: Block) -> ToldHand:
        """Return a hand."""
        lines = Lines(block)
        header = _header(lines)
        seats = seats_of(lines, _SEAT, header.currency)
        button, rest = _button(lines)
        told = statements(rest, _GRAMMAR, seats, header.currency)
        return self.hand(block, lines, replace(header, button=button), seats, told, hero=say.hero_of(told))


def _header(lines: Lines) -> Header:
    first = lines.next(_HEADER, "which hand of Full Tilt it is, its table, its stakes, its game and its time")
    limit = limit_of(lines.number, first["game"], _GAME)
    with at(lines.number):
        currency = currency_of(first["low"])
        low, high = (amount_of(first[side], currency) for side in ("low", "high"))
        return Header(
            number=first["number"],
            limit=limit,
            currency=currency,
            low=low,
            high=high,
            ante=amount_of(first["ante"], currency) if first["ante"] else 0,
            table=first["table"],
            size=int(first["size"]) if first["size"] else None,
            button=None,
            played=_when(first["when"]),
            tournament=_tournament(first),
        )


def _button(lines: Lines) -> tuple[int | None, list[Line]]:
    """Return the number of the button's seat, and the lines without the one that says it: it follows the blinds."""
    button: int | None = None
    rest = []
    for number, text in lines.rest():
        if (found := _BUTTON.fullmatch(text)) is None:
            rest.append((number, text))
        elif button is not None:
            raise UnreadableHand(number, f"Line {number} says a second time where the button is: {quoted(text)}.")
        else:
            button = int(found["button"])
    return button, rest


def _when(text: str) -> WhenPlayed:
    """Return when it was played; of two times the second, in ET, decides."""
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


def _tournament(header: re.Match[str]) -> ToldTournament | None:
    """Return the tournament; its name begins with the buy-in, if it names one."""
    if header["tournament"] is None:
        return None
    found = _BUY_IN.fullmatch(header["tournament_name"])
    if found is None:
        return ToldTournament(number=header["tournament"])
    currency = currency_of(found["buy_in"])
    return ToldTournament(
        number=header["tournament"],
        buy_in=amount_of(found["buy_in"], currency),
        fee=amount_of(found["fee"], currency) if found["fee"] else 0,
        currency=currency,
    )
