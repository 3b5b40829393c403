"""A hand as a file tells it, the same for every dialect."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from pokersvc.core.value import Value
from pokersvc.errors import PokersvcError
from pokersvc.histories.statements import Away, Dealt, Discarded, Drew, Posted, Statement

Limit: TypeAlias = Literal["no-limit", "pot-limit", "fixed-limit"]
DrawOrder: TypeAlias = Literal["in_turn", "together"]
"""Whether each player draws right after discarding (``in_turn``), or all discard before any draws (``together``)."""
DRAW_ORDERS: Final[dict[str, DrawOrder]] = {"in turn": "in_turn", "together": "together"}
"""The draw orders as they are written in our own fields of PHH and OHH."""


class UnreadableHand(PokersvcError):
    """A hand that cannot be read: the line that is wrong, what it says, and what would be right."""

    code = "unreadable_hand"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


@dataclass(frozen=True, slots=True)
class Currency(Value):
    """A currency: amounts are whole numbers of its smallest unit."""

    code: str
    """The code: ISO 4217, such as ``USD``; empty for chips; a site's own name for play money."""
    exponent: int
    """The number of decimal places of its smallest unit; 0 for chips."""


CHIPS = Currency("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhenPlayed(Value):
    """When a hand was played."""

    utc: datetime
    """The time in UTC, with its time zone set."""
    zone: str
    """The site's name of the time zone, such as ``ET``; empty if the file gives UTC itself."""
    text: str
    """The time as the file writes it."""
    ambiguous: bool = False
    """Whether the hour occurs twice, at the end of summer time; the first of the two was taken."""
    contradicts: str | None = None
    """The file's second time or weekday, as written there, if it contradicts `utc`; None if all agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryTournament(Value):
    """The tournament that a hand belongs to."""

    number: str
    level: str | None = None
    """The level of the blinds as the site writes it, such as ``IV``."""
    buy_in: int | None = None
    fee: int | None = None
    bounty: int | None = None
    """The part of the buy-in that is paid for knocking somebody out; ``buy_in`` leaves it out."""
    currency: Currency = CHIPS
    """The currency of the buy-in; the chips of the hand have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPlayer(Value):
    """A player at the table when the hand began."""

    line: int
    name: str
    number: int
    """The seat number as the site counts, from 0 or 1 and with gaps."""
    stack: int
    sitting_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory(Value):
    """One hand of five-card draw, as its file tells it."""

    dialect: str
    """The name of the dialect, such as ``pokerstars``."""
    site: str
    """The site that dealt the hand: ``PokerStars``, ``Full Tilt``, a PHH's ``venue`` …"""
    number: str
    """The hand's number at the site."""
    text: str
    """The hand's own text, verbatim."""
    first_line: int
    last_line: int
    limit: Limit
    currency: Currency
    ante: int = 0
    small_blind: int = 0
    """The small blind; 0 if the file does not say, as in a fixed limit in which nobody posted it in full."""
    big_blind: int = 0
    straddle: int = 0
    """The full straddle, if the player had too few chips for it; else 0: the posted amount is the whole straddle."""
    min_bet: int | None = None
    """The minimum bet, if the file states it and no big blind implies it."""
    small_bet: int | None = None
    """The smaller of the two bets of a fixed limit; `big_bet` is the other."""
    big_bet: int | None = None
    table: str | None = None
    size: int | None = None
    """The number of seats at the table."""
    button: int | None
    """The number of the seat with the button; the seat may be empty."""
    draw: DrawOrder | None = None
    """The draw order if the file states it; None if the site's custom or the order of the lines decides."""
    played: WhenPlayed | None = None
    tournament: HistoryTournament | None = None
    hero: str | None = None
    players: tuple[HistoryPlayer, ...]
    told: tuple[Statement, ...]
    """The statements in the order of the file."""
    warnings: tuple[tuple[int, str], ...] = ()
    """Line and sentence for each oddity in the text that changes nothing."""

    def dealt_in(self) -> tuple[HistoryPlayer, ...]:
        """Return the players who are dealt a hand: all but those who sit out when the hand begins.

        In a tournament, absent players are dealt in.
        """
        before = takewhile(lambda told: isinstance(told, Posted | Away), self.told)
        gone = ("sits_out", "left") if self.tournament is None else ("left",)
        away = {told.name for told in before if isinstance(told, Away) and told.what in gone}
        return tuple([player for player in self.players if not player.sitting_out and player.name not in away])

    def as_dealt(self) -> "HandHistory":
        """Return the hand, with everybody who is not dealt in marked as sitting out from the start."""
        dealt = {player.name for player in self.dealt_in()}
        players = [replace(player, sitting_out=player.name not in dealt) for player in self.players]
        return replace(self, players=tuple(players))

    @property
    def only_hero(self) -> str | None:
        """The hero; None if the file also has another player's private cards: no single player sees both."""
        seen = (one for one in self.told if isinstance(one, Dealt | Discarded | Drew) and one.name != self.hero)
        return None if any(one.cards or one.part for one in seen) else self.hero

    @property
    def seat_count(self) -> int:
        """The number of seats at the table: as the file says, or more if the seat numbers require it."""
        taken = [player.number for player in self.players]
        return max(self.size or 0, seats_for([*taken, *([] if self.button is None else [self.button])]))


def seats_for(numbers: Sequence[int]) -> int:
    """Return the smallest size of a table that has these seat numbers, counted from 0 or 1.

    >>> seats_for([2, 5]), seats_for([0, 2, 4])
    (5, 5)
    """
    return max(numbers) + (0 in numbers)
