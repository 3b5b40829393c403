"""Full Tilt's text: all discard before anybody is dealt, and a raise names its total only."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, amount_of, currency_of
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import sentences as say
from pokersvc.histories.dialects.blocks import blocks_of
from pokersvc.histories.dialects.grammar import (
    Grammar,
    Line,
    Lines,
    at,
    quoted,
    refuse_other_game,
    seats_of,
    statements,
)
from pokersvc.histories.dialects.sentences import (
    AFTER_THE_DEAL,
    BEFORE_THE_SUMMARY,
    CARDS_SAID,
    KEPT_SAID,
    PLACE,
    Sentence,
    TextPart,
    sentence,
)
from pokersvc.histories.dialects.stakes import LIMITS, ante_of, stakes
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


def _summed(pattern: str, outcome: say.Outcome) -> Sentence:
    return sentence(PLACE + pattern, say.summed(outcome), TextPart.SUMMARY)


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
                _summed(r"folded before the Draw(?P<did_not_bet> \(didn't bet\))?", "folded_before_draw"),
                _summed(r"(?P<did_not_bet>didn't bet) \(folded\)", "folded_before_draw"),
                _summed(r"folded after the Draw", "folded_after_draw"),
                _summed(r"collected \((?P<amount>{A})\)(?:, mucked)?", "collected"),
                _summed(rf"showed {CARDS_SAID} and won \((?P<amount>{{A}})\){_CALLED}", "showed"),
                _summed(rf"showed {CARDS_SAID} and lost{_CALLED}", "lost"),
                _summed(rf"mucked(?: {CARDS_SAID}(?: - (?P<called>.+))?)?", "mucked"),
                _summed("is sitting out", "sat_out"),
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


class FullTilt:
    """The dialect."""

    name = "full-tilt"

    def recognises(self, head: str) -> bool:
        """Tell whether a text begins as Full Tilt's do."""
        return any(_BEGINS.match(line) for line in head.split("\n"))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the hands, which two blank lines divide: some files have one within a hand."""
        return blocks_of(lines, _BEGINS, 2)

    def read(self, block: Block) -> ToldHand:
        """Return a hand."""
        lines = Lines(block)
        header = lines.next(_HEADER, "which hand of Full Tilt it is, its table, its stakes, its game and its time")
        game = _GAME.fullmatch(header["game"])
        if game is None:
            refuse_other_game(lines.number, header["game"])
        with at(lines.number):
            currency = currency_of(header["low"])
            low, high = (amount_of(header[side], currency) for side in ("low", "high"))
            ante = amount_of(header["ante"], currency) if header["ante"] else 0
            when = _when(header["when"])
            tournament = _tournament(header)
        seats = seats_of(lines, _SEAT, currency)
        button, rest = _button(lines)
        told = statements(rest, _GRAMMAR, seats, currency)
        return ToldHand(
            dialect=self.name,
            site="Full Tilt",
            number=header["number"],
            text=block.text,
            first_line=block.first_line,
            last_line=lines.last,
            currency=currency,
            ante=ante or ante_of(told),
            table=header["table"],
            size=int(header["size"]) if header["size"] else None,
            button=button,
            played=when,
            tournament=tournament,
            hero=say.hero_of(told),
            players=seats.players,
            told=told,
            **stakes(LIMITS[game[1]], low, high, told),
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
