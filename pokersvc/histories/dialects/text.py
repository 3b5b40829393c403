"""The base of all dialects of text lines: a header above the seats, a line for each seat, then sentences."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import Layout, blocks_of
from pokersvc.histories.dialects.grammar import Lines, Seats, quoted, refuse_other_game
from pokersvc.histories.dialects.left_out import Note
from pokersvc.histories.dialects.stakes import LIMITS, ante_of, stakes
from pokersvc.histories.hand import Currency, HandHistory, HistoryTournament, Limit, UnreadableHand, WhenPlayed
from pokersvc.histories.statements import Statement

SUMMARY: Final = re.compile(r"\*\*\* SUMMARY \*\*\*")
"""Matches the line with which the end of a hand starts at PokerStars and Full Tilt."""
IN_SUMMARY: Final = re.compile(
    r"Total pot |Duration [0-9]|Board \[|Seat [0-9]{1,2}: "
    r".*(?: folded | didn't bet| collected \(| showed \[| mucked|[^,)] is sitting out)"
)
"""Matches the beginning of a line of the summary, but no line above the hand that lists a seat with its stack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The facts of a hand besides its players and their actions."""

    number: str
    limit: Limit
    currency: Currency
    low: int
    """The small blind, or in a fixed limit the small bet."""
    high: int
    ante: int = 0
    """The ante in the header; 0 if only the posts tell it."""
    table: str
    size: int | None
    button: int | None
    played: WhenPlayed
    tournament: HistoryTournament | None


class TextDialect:
    """A dialect of text lines. A subclass names the dialect and reads a hand."""

    name: str
    site: ClassVar[str]
    layout: ClassVar[Layout]
    """The patterns that separate the hands of a text."""

    def recognises(self, head: str) -> bool:
        """Return whether a line of a text begins a hand of this dialect."""
        return any(self.layout.begins.match(line) for line in head.split("\n"))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the hands."""
        return blocks_of(lines, self.layout)

    def hand(
        self, block: Block, lines: Lines, header: Header, seats: Seats, told: tuple[Statement, ...], *, hero: str | None
    ) -> HandHistory:
        """Return the hand that was read, with notes on its oddities."""
        read = HandHistory(
            dialect=self.name,
            site=self.site,
            number=header.number,
            text=block.text,
            first_line=block.first_line,
            last_line=lines.last,
            currency=header.currency,
            ante=header.ante or ante_of(told),
            table=header.table,
            size=header.size,
            button=header.button,
            played=header.played,
            tournament=header.tournament,
            hero=hero,
            players=seats.players,
            told=told,
            warnings=lines.gaps(self.layout.gap),
            **stakes(header.limit, header.low, header.high, told),
        )
        left_out = tuple(self.left_out(read, lines, ended=block.ended))
        return replace(read, warnings=read.warnings + left_out) if left_out else read

    def left_out(self, hand: HandHistory, lines: Lines, *, ended: bool) -> Iterator[Note]:
        """Yield notes on text that the site always writes and the hand lacks.

        ``ended`` says that the hand's last line has a line end.
        """
        return iter(())


def limit_of(number: int, game: str, five_card_draw: re.Pattern[str]) -> Limit:
    """Return the limit in the name of a game; raise `UnreadableHand` if the game is not five-card draw."""
    found = five_card_draw.fullmatch(game)
    if found is None and "5 Card Draw" in game:
        said = f"Line {number} begins a hand of {quoted(game)}: only no limit, pot limit and fixed limit are read."
        raise UnreadableHand(number, said)
    if found is None:
        refuse_other_game(number, game)
    return LIMITS[found[1]]
