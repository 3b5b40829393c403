"""OnGame's text: whole new hands instead of cards drawn, and a summary with every stack after the hand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, PLAY_MONEY, amount_of, currency_of
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import sentences as say
from pokersvc.histories.dialects.blocks import Layout
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
from pokersvc.histories.dialects.inferred_draws import changed
from pokersvc.histories.dialects.sentences import BEFORE_THE_SUMMARY, CARDS_SAID, SeenLine, TextPart, sentence
from pokersvc.histories.dialects.text import Header, TextDialect
from pokersvc.histories.hand import HandHistory, HistoryTournament, Limit, UnreadableHand, WhenPlayed
from pokersvc.histories.statements import Dealt, Discarded, Drew, Posted, Statement, Totals, Won
from pokersvc.histories.timestamps import MONTHS, WEEKDAYS, clock, played

_BEGINS: Final = re.compile(r"\*{5} History for hand ")
_HEADER: Final = re.compile(
    r"\*{5} History for hand (?P<number>[A-Z0-9-]{1,40})"
    rf'(?P<event> \(TOURNAMENT:(?: ".+",)? (?P<tournament>[A-Z0-9-]*)(?:, buy-in: (?P<buy_in>{AMOUNT}))?\))? \*{{5}}'
)
_START: Final = re.compile(
    r"Start hand: (?P<weekday>[A-Z][a-z]{2}) (?P<month>[A-Z][a-z]{2}) (?P<day>[0-9]{1,2})"
    r" (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) (?P<zone>[A-Z]{2,5}(?:[+-][0-9]{4})?) (?P<year>[0-9]{4})"
)
_TABLE: Final = re.compile(
    r"Table: (?:\[SPEED\] )?(?P<table>.+) \[(?P<id>[0-9]+)\] \((?P<limit>NO_LIMIT|POT_LIMIT|LIMIT)"
    rf" (?P<game>[A-Z0-9_-]+) (?P<low>{AMOUNT})/(?P<high>{AMOUNT}),(?: ante: (?P<ante>{AMOUNT}),)?"
    r" (?P<money>Real money|Play money|Chips|TC)\)"
)
_USER: Final = re.compile("User: (?P<hero>.+)")
_BUTTON: Final = re.compile("Button: seat (?P<button>[0-9]{1,2})")
_PLAYERS: Final = re.compile(r"Players in round: (?P<count>[0-9]{1,2})(?: \((?P<size>[0-9]{1,2})\))?")
_SEAT: Final = re.compile(rf"Seat (?P<number>[0-9]{{1,2}}): (?P<name>.+) \((?P<stack>{AMOUNT})\)(?P<out> sits out)?")
_END: Final = re.compile(r"\*{5} End of hand (?P<number>[A-Z0-9-]{1,40}) \*{5}")
_LIMITS: Final[dict[str, Limit]] = {"NO_LIMIT": "no-limit", "POT_LIMIT": "pot-limit", "LIMIT": "fixed-limit"}

_WINNER: Final = re.compile(rf" \((?P<amount>{AMOUNT})\)(?:, |$)")
_ALL_IN: Final = r"(?P<all_in> \[all in\])?"


def _pot_won(seen: SeenLine) -> tuple[Statement, ...]:
    """Return statements of a pot's size and winners, such as ``Ann ($1.37), Bob ($1.36)``; names may have commas."""
    told: list[Statement] = [say.pot_told(seen)]
    winners = seen.found["winners"]
    at_place = 0
    while at_place < len(winners):
        fitting = (
            (name, found)
            for name in seen.names
            if winners.startswith(name, at_place) and (found := _WINNER.match(winners, at_place + len(name)))
        )
        name, found = next(fitting, (None, None))
        if name is None or found is None:
            raise InvalidValue(f"{quoted(winners[at_place:])} does not name who at the table won how much.")
        amount = amount_of(found["amount"], seen.currency)
        told.append(Won(line=seen.line, name=name, amount=amount, pot=say.pot_of(seen)))
        at_place = found.end()
    return tuple(told)


def _rake(seen: SeenLine) -> Statement:
    """Return the statement of the rake, which has a currency sign even in a game for chips."""
    rake = seen.found["rake"]
    return Totals(line=seen.line, rake=amount_of(rake if seen.currency.code else rake.lstrip("$€£"), seen.currency))


_GRAMMAR: Final = Grammar(
    writes="OnGame",
    parts={"Dealing pocket cards": TextPart.PLAY, "Summary:": TextPart.SUMMARY},
    about={
        "posts": (
            sentence(rf" posts small blind \((?P<amount>{{A}})\){_ALL_IN}", say.posted("small"), TextPart.POSTS),
            sentence(rf" posts big blind \((?P<amount>{{A}})\){_ALL_IN}", say.posted("big"), TextPart.POSTS),
            sentence(rf" posts dead blind \((?P<amount>{{A}})\){_ALL_IN}", say.posted("dead"), TextPart.POSTS),
            sentence(rf" posts small & big blind \( ?(?P<amount>{{A}})\){_ALL_IN}", say.posted("both"), TextPart.POSTS),
            sentence(rf" posts ante \(?(?P<amount>{{A}})\)?{_ALL_IN}", say.posted("ante"), TextPart.POSTS),
        ),
        "folds": (sentence(" folds", say.folded),),
        "checks": (sentence(" checks", say.checked),),
        "calls": (sentence(f" calls (?P<amount>{{A}}){_ALL_IN}", say.called),),
        "bets": (sentence(f" bets (?P<amount>{{A}}){_ALL_IN}", say.bet),),
        "raises": (sentence(f" raises (?P<adds>{{A}}) to (?P<to>{{A}}){_ALL_IN}", say.raised),),
        "changed": (sentence(r" changed (?P<count>[0-9]) cards?", say.discarded),),
        "sits": (sentence(" sits out", say.away("sits_out"), BEFORE_THE_SUMMARY),),
    },
    before=(
        (re.compile("Dealing to "), (sentence(f": {CARDS_SAID}", say.dealt),)),
        (re.compile("New hand for "), (sentence(f": {CARDS_SAID}", say.new_hand),)),
        (
            re.compile("Seat (?P<number>[0-9]{1,2}): "),
            (
                sentence(
                    r" \((?P<stack>{A})\)(?:, net: (?P<sign>[+-]?)(?P<net>{A}))?"
                    rf"(?:, {CARDS_SAID} \((?P<called>[A-Z_, ]+)\))?",
                    say.summed(None),
                    TextPart.SUMMARY,
                ),
            ),
        ),
    ),
    whole=(
        sentence(
            r"(?:Main pot|Side pot (?P<side>[0-9])): (?P<amount>{A}) won by (?P<winners>.+)", _pot_won, TextPart.SUMMARY
        ),
        sentence("Rake taken: (?P<rake>{A})", _rake, TextPart.SUMMARY),
    ),
    noise=(re.compile("-{3,}"),),
)


class OnGame(TextDialect):
    """The dialect of OnGame."""

    name = "ongame"
    site = "OnGame"
    layout = Layout(_BEGINS, _END, gap=2)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        lines = Lines(block)
        header, players, hero = _header(lines)
        seats = seats_of(lines, _SEAT, header.currency, tournament=header.tournament is not None)
        if (named := len(seats.players)) != players:
            raise UnreadableHand(
                lines.number,
                f"Line {lines.number} is the last that names a player: there are {named}, not {players}.",
            )
        told = _with_draws(statements(_to_the_end(lines, header.number), _GRAMMAR, seats, header.currency))
        if header.low == header.high:
            told = _with_a_small_blind(told)
        return self.hand(block, lines, header, seats, told, hero=hero if hero in seats.names else None)


def _header(lines: Lines) -> tuple[Header, int, str | None]:
    """Return the header above the seats, the number of players, and the player whose file it is."""
    first = lines.next(_HEADER, "which hand of OnGame it is")
    start_line = lines.number + 1
    start = lines.next(_START, "when the hand was played")
    with at(start_line):
        when = _when(start)
    table = lines.next(_TABLE, "its table, its game and its stakes")
    if table["game"] != "FIVE_CARD_DRAW":
        refuse_other_game(lines.number, table["game"])
    with at(lines.number):
        currency = currency_of(table["low"])
        if currency.code and table["money"] == "Play money":
            currency = PLAY_MONEY
        low, high = (amount_of(table[side], currency) for side in ("low", "high"))
        ante = amount_of(table["ante"], currency) if table["ante"] else 0
        tournament = _tournament(first, table["id"])
    user = lines.next_if(_USER)
    button = lines.next(_BUTTON, "where the button is")
    count = lines.next(_PLAYERS, "how many players there are")
    header = Header(
        number=first["number"],
        limit=_LIMITS[table["limit"]],
        currency=currency,
        low=low,
        high=high,
        ante=ante,
        table=table["table"],
        size=int(count["size"]) if count["size"] else None,
        button=int(button["button"]),
        played=when,
        tournament=tournament,
    )
    return header, int(count["count"]), user["hero"] if user else None


def _to_the_end(lines: Lines, number: str) -> Iterator[Line]:
    """Yield the lines before the hand's last line; raise `UnreadableHand` if it is missing or names another hand."""
    rest = list(lines.rest())
    end = _END.fullmatch(rest[-1][1]) if rest else None
    if end is None:
        raise UnreadableHand(
            lines.last, f"The hand is cut off after line {lines.last}: the line that ends it is missing."
        )
    if end["number"] != number:
        raise UnreadableHand(lines.last, f"Line {lines.last} ends another hand: {quoted(rest[-1][1])}.")
    yield from rest[:-1]


def _with_draws(told: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements; where hands before and after a draw are known, add the discarded and drawn cards.

    If the line with the number of discards is missing, discard and draw follow from the line of the new hand.
    """
    held = {one.name: one.cards for one in told if isinstance(one, Dealt)}
    whole: list[Statement] = []
    for one in told:
        old = held.get(one.name) if isinstance(one, Drew) else None
        if not isinstance(one, Drew) or one.hand is None or old is None:
            whole.append(one)
            continue
        place = next(
            (at for at, said in enumerate(whole) if isinstance(said, Discarded) and said.name == one.name), None
        )
        before = None if place is None else whole[place]
        count = before.count if isinstance(before, Discarded) else len(set(old) - set(one.hand))
        discard, drew = changed(one.line, one.name, count, old, one.hand)
        if place is None:
            whole.append(discard)
        else:
            whole[place] = replace(discard, line=whole[place].line)
        whole.append(drew or one)
    return tuple(whole)


def _with_a_small_blind(told: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the statements; if both blinds are called big, as equal blinds are, the first becomes the small blind."""
    posts = [one for one in told if isinstance(one, Posted) and one.kind != "ante"]
    if [one.kind for one in posts[:2]] != ["big", "big"]:
        return told
    return tuple([replace(posts[0], kind="small") if one is posts[0] else one for one in told])


def _when(start: re.Match[str]) -> WhenPlayed:
    """Return when the hand was played; a weekday that does not fit the date is a contradiction."""
    if start["month"] not in MONTHS:
        raise InvalidValue(f"{start['month']!r} is not a month: write it like Sep.")
    month = str(MONTHS.index(start["month"]) + 1)
    shown = clock((start["year"], month, start["day"], *start["time"].split(":")), start["zone"], start[0][12:])
    when = played(shown)
    if WEEKDAYS[shown.local.weekday()] != start["weekday"]:
        return replace(when, contradicts=start["weekday"])
    return when


def _tournament(header: re.Match[str], table: str) -> HistoryTournament | None:
    """Return the tournament; if an old file does not state its number, the table's number is used."""
    if header["event"] is None:
        return None
    number = header["tournament"] or table
    if header["buy_in"] is None:
        return HistoryTournament(number=number)
    currency = currency_of(header["buy_in"])
    buy_in = amount_of(header["buy_in"], currency)
    return HistoryTournament(number=number, buy_in=buy_in, currency=currency)
