"""PokerStars' text, from the files that its program saves or that it sends by mail."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, amount_of, currency_of, paid_in
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import sentences as say
from pokersvc.histories.dialects.blocks import Layout
from pokersvc.histories.dialects.grammar import Grammar, Lines, at, quoted, seats_of, statements
from pokersvc.histories.dialects.left_out import Note, of_the_summary
from pokersvc.histories.dialects.sentences import (
    AFTER_THE_DEAL,
    BEFORE_THE_SUMMARY,
    CARDS_SAID,
    KEPT_SAID,
    TextPart,
    in_summary,
    sentence,
)
from pokersvc.histories.dialects.site_words import stars_words
from pokersvc.histories.dialects.text import IN_SUMMARY, SUMMARY, Header, TextDialect, limit_of
from pokersvc.histories.hand import HandHistory, HistoryTournament, WhenPlayed
from pokersvc.histories.timestamps import clock, played

_BEGINS: Final = re.compile(r"(?:(?:PokerStars|POKERSTARS) .{0,40}?|Full Tilt (?:Zoom |Rush )?Hand )#[0-9]+:")
_FRAME: Final = re.compile(r"\*{5,} # [0-9]+ \*{5,}\s*|Transcript for your last [0-9]+ hands requested by .*\s*")
_HEADER: Final = re.compile(
    r"(?:PokerStars|POKERSTARS|(?P<site>Full Tilt)) (?:Zoom |Rush |Home Game )?(?:Game|Hand|GAME)"
    r" #(?P<number>[0-9]{1,20}): +"
    r"(?:\{[^{}]*\} +)?"
    r"(?:(?:Zoom )?Tournament #(?P<tournament>[0-9]+), "
    r"(?:(?:Freeroll|(?P<points>[0-9]+(?:,[0-9]+)*) ?(?P<of>FPP|SC)"
    rf"|(?P<buy_in>(?!5 Card Draw){AMOUNT}(?:\+{AMOUNT}){{0,2}})(?: (?P<paid>[A-Z]{{3}}))?) +)?)?"
    r"(?P<game>[^()]+?)(?: \((?P<turn>[^()]+)\))?,? "  # for a mix of games: its name, and the current game
    r"(?:- (?:Match [^,]+, )?Level (?P<level>[IVXLCDM]+) )?"
    rf"\((?:(?P<its_turn>[^(),]+), )?(?P<low>{AMOUNT})/(?P<high>{AMOUNT})(?: (?P<code>[A-Z]{{3}}))?\)"
    r"(?: \[(?:AAMS|ADM) ID: [A-Z0-9]+\])? - (?P<when>.+)"
)
_GAME: Final = re.compile(r"5 Card Draw (No Limit|Pot Limit|Limit)")
_TIME: Final = r"([0-9]{4})/([0-9]{2})/([0-9]{2}) (?:- )?([0-9]{1,2}):([0-9]{2}):([0-9]{2}) \(?([A-Z]{2,5})\)?"
WHEN: Final = re.compile(rf"(?P<first>{_TIME})(?: \[(?P<second>{_TIME})\])?")
_TABLE: Final = re.compile(
    r"Table '(?P<table>.+)' (?P<size>[0-9]{1,2})-max(?: \(Play Money\))?"
    r"(?: Seat #(?P<button>[0-9]{1,2}) is the button)?"
)
_SEAT: Final = re.compile(
    rf"Seat (?P<number>[0-9]{{1,2}}): (?P<name>.+) \((?P<stack>{AMOUNT}) in chips(?:, {AMOUNT} bounty)?\)"
    r"(?:(?P<away> is sitting out)|(?P<out> out of hand \(moved from another table into (?:small|big) blind\)))?"
)
_CHIPS_BOUGHT: Final = (
    rf".+ (?:re-buys|takes the add-on) and receives [0-9,]+ chips for (?:{AMOUNT}|[0-9,]+ (?:FPPs?|StarsCoin))"
)
_BEFORE_THE_SEATS: Final = re.compile(_CHIPS_BOUGHT)

_ALL_IN: Final = "(?P<all_in> and is all-in)?"
_PRIZE: Final = rf"(?:{AMOUNT}|[0-9,]+ (?:FPPs?|StarsCoin))"
_POTS: Final = r"(?: Main pot {A}\.(?: Side pot(?:-[0-9]+)? {A}\.)*)"


_GRAMMAR: Final = Grammar(
    writes="PokerStars",
    parts={
        "*** DEALING HANDS ***": TextPart.PLAY,
        "*** SHOW DOWN ***": TextPart.SHOWDOWN,
        "*** SUMMARY ***": TextPart.SUMMARY,
    },
    about={
        "posts": (
            sentence(f": posts small blind (?P<amount>{{A}}){_ALL_IN}", say.posted("small"), TextPart.POSTS),
            sentence(f": posts big blind (?P<amount>{{A}}){_ALL_IN}", say.posted("big"), TextPart.POSTS),
            sentence(f": posts small & big blinds (?P<amount>{{A}}){_ALL_IN}", say.posted("both"), TextPart.POSTS),
            sentence(f": posts the ante (?P<amount>{{A}}){_ALL_IN}", say.posted("ante"), TextPart.POSTS),
            sentence(f": posts (?:a )?straddle (?P<amount>{{A}}){_ALL_IN}", say.posted("straddle"), TextPart.POSTS),
        ),
        "folds": (sentence(f": folds(?: {CARDS_SAID})?", say.folded),),
        "checks": (sentence(": checks", say.checked),),
        "calls": (sentence(f": calls (?P<amount>{{A}}){_ALL_IN}", say.called),),
        "bets": (sentence(f": bets (?P<amount>{{A}}){_ALL_IN}", say.bet),),
        "raises": (sentence(f": raises (?P<by>{{A}}) to (?P<to>{{A}}){_ALL_IN}", say.raised),),
        "discards": (sentence(rf": discards (?P<said>(?P<count>[0-9]) cards?)(?: {CARDS_SAID})?", say.discarded),),
        "stands": (sentence(rf": stands pat(?: on {CARDS_SAID})?", say.stood_pat),),
        "shows": (
            sentence(rf": shows {CARDS_SAID}(?: \((?P<called>.+)\))?", say.showed_some),
            sentence(rf": shows {CARDS_SAID}(?: \((?P<called>.+)\))?", say.showed, TextPart.SHOWDOWN),
        ),
        "mucks": (sentence(": mucks hand", say.mucked, AFTER_THE_DEAL),),
        "doesn't": (sentence(": doesn't show hand", say.not_shown, AFTER_THE_DEAL),),
        "collected": (
            sentence(r" collected (?P<amount>{A}) from (?:main )?pot", say.won, AFTER_THE_DEAL),
            sentence(r" collected (?P<amount>{A}) from side pot(?P<side>(?:-[0-9])?)", say.won, AFTER_THE_DEAL),
        ),
    },
    before=(
        (re.compile("Dealt to "), (sentence(rf"(?: {KEPT_SAID})? {CARDS_SAID}", say.dealt),)),
        (
            re.compile("Seat (?P<number>[0-9]{1,2}): "),
            (
                in_summary(r"folded before the Draw(?P<did_not_bet> \(didn't bet\))?", "folded_before_draw"),
                in_summary(r"folded after the Draw", "folded_after_draw"),
                in_summary(r"collected \((?P<amount>{A})\)", "collected"),
                in_summary(
                    rf"showed {CARDS_SAID} and (?:won|collected) \((?P<amount>{{A}})\)(?: with (?P<called>.+))?",
                    "showed",
                ),
                in_summary(rf"showed {CARDS_SAID} and lost(?: with (?P<called>.+))?", "lost"),
                in_summary(rf"mucked(?: {CARDS_SAID})?", "mucked"),
            ),
        ),
    ),
    whole=(
        sentence(r"Uncalled bet \((?P<amount>{A})\) returned to (?P<name>.+)", say.returned, AFTER_THE_DEAL),
        sentence("The deck is reshuffled", say.reshuffled),
        sentence("Hand cancelled", say.cancelled, BEFORE_THE_SUMMARY),
        sentence(
            rf"Total pot (?P<amount>{{A}})(?P<pots>{_POTS})? \| Rake (?P<rake>{{A}})", say.totals, TextPart.SUMMARY
        ),
        sentence("(?P<anyone>.+): sits out", say.away("sits_out"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) is sitting out", say.away("sits_out"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) leaves the table", say.away("left"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) was removed from the table for failing to post", say.away("left"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) joins the table at seat #[0-9]{1,2}", say.away("joined"), BEFORE_THE_SUMMARY),
        sentence("(?P<anyone>.+) has returned", say.away("back"), BEFORE_THE_SUMMARY),
    ),
    noise=tuple(
        re.compile(pattern)
        for pattern in (
            r'.+ said, ".*"',
            r".+ has timed out(?: while (?:being )?disconnected)?",
            r".+ is (?:dis)?connected",
            r".+ will be allowed to play after the button",
            "Betting is capped",
            rf".+ finished the tournament(?: in [0-9]+(?:st|nd|rd|th) place)?(?: and received {_PRIZE}\.)?",
            rf".+ wins the tournament(?: and receives {_PRIZE})?(?: - congratulations!)?",
            rf".+ (?:wins|split) the {AMOUNT} bounty for eliminating .+",
            rf".+ wins {AMOUNT} for (?:eliminating|splitting the elimination of) .+"
            rf" and their own bounty increases by {AMOUNT} to {AMOUNT}",
            r".+ wins an entry to tournament #[0-9]+",
            r"All players have agreed to skip the break\. Game resuming\.",
            _CHIPS_BOUGHT,
            r".+ adds [0-9,]+ chips \([0-9]+ stack\(s\) of [0-9,]+ chips\)\. .+ has [0-9]+ stack\(s\) remaining\.",
        )
    ),
)


class PokerStars(TextDialect):
    """The dialect of PokerStars."""

    name = "pokerstars"
    site = "PokerStars"
    layout = Layout(_BEGINS, SUMMARY, IN_SUMMARY, frame=_FRAME)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        lines = Lines(block)
        header, site = _header(lines)
        seats = seats_of(lines, _SEAT, header.currency, tournament=header.tournament is not None)
        told = statements(lines.rest(), _GRAMMAR, seats, header.currency)
        hand = self.hand(block, lines, header, seats, told, hero=say.hero_of(told))
        return replace(hand, site=site) if site else hand

    def left_out(self, hand: HandHistory, lines: Lines, *, ended: bool) -> Iterator[Note]:
        """Yield notes on text that is missing in the summary."""
        return of_the_summary(hand, lines.all[-1][1], stars_words, mucks_named=False, ended=ended)


def _header(lines: Lines) -> tuple[Header, str | None]:
    """Return the header above the seats, and the site if it is Full Tilt, which uses this format since 2016."""
    first = lines.next(_HEADER, "which hand of PokerStars it is, its game, its stakes and its time")
    limit = limit_of(lines.number, first["turn"] or first["its_turn"] or first["game"], _GAME)
    with at(lines.number):
        currency = currency_of(first["low"], first["code"])
        low, high = (amount_of(first[side], currency) for side in ("low", "high"))
        when = _when(first["when"])
        tournament = _tournament(first)
    table = lines.next(_TABLE, "which table it is and where the button is")
    while lines.next_if(_BEFORE_THE_SEATS):
        pass
    header = Header(
        number=first["number"],
        limit=limit,
        currency=currency,
        low=low,
        high=high,
        table=table["table"],
        size=int(table["size"]),
        button=int(table["button"]) if table["button"] else None,
        played=when,
        tournament=tournament,
    )
    return header, first["site"]


def _when(text: str) -> WhenPlayed:
    """Return when the hand was played; if the text has two times, the second (in ET) decides."""
    found = WHEN.fullmatch(text)
    if found is None:
        raise InvalidValue(f"{quoted(text)} is not a time of PokerStars: write it like 2011/06/26 16:35:49 ET.")
    groups = found.groups()
    first = clock(groups[1:7], groups[7], found["first"])
    second = clock(groups[9:15], groups[15], found["second"]) if found["second"] else None
    return played(first, second, text=text)


def _tournament(header: re.Match[str]) -> HistoryTournament | None:
    """Return the tournament; its price is the buy-in, then the bounty if there is one, then the fee."""
    if header["tournament"] is None:
        return None
    if header["points"] is not None:  # loyalty points
        points = paid_in(header["of"])
        buy_in = amount_of(header["points"], points)
        return HistoryTournament(
            number=header["tournament"], level=header["level"], buy_in=buy_in, fee=0, currency=points
        )
    if header["buy_in"] is None:
        return HistoryTournament(number=header["tournament"], level=header["level"])
    parts = header["buy_in"].split("+")
    currency = currency_of(parts[0], header["paid"])
    buy_in, *bounty, fee = (amount_of(part, currency) for part in (*parts, "0")[: max(len(parts), 2)])
    return HistoryTournament(
        number=header["tournament"],
        level=header["level"],
        buy_in=buy_in,
        fee=fee,
        bounty=bounty[0] if bounty else None,
        currency=currency,
    )
