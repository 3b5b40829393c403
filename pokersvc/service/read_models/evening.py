"""Each player's result over several games, computed from the read models so that it agrees with `history` and `stats`.

A finished game counts as its outcome says. A game in progress counts as far as rounds are over; so does a finished game
in which seats have passed to others, because its outcome knows only the last holders. A tournament with prizes counts
once it is over: until then nobody has a result in the units of its prizes.
"""

import json
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import nsmallest
from threading import Lock
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, func, select

from pokersvc.core.counting import NOTHING, Figures, total
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.seats import OPEN, Seat
from pokersvc.core.state import Entry
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.service.read_models import tallies
from pokersvc.service.read_models.history import GameSummary, started, summary
from pokersvc.service.read_models.played_rounds import HERE, played_rounds
from pokersvc.service.read_models.projections import folded, game_players, history_entries

LINES: Final = 5_000
"""The number of a game's last lines of history that are read; the hands of a game with more rounds are not counted."""
BEST: Final = 5
"""The number of biggest pots that are returned."""
KEPT: Final = 1_000
"""The number of finished games whose results stay in memory."""


class Amounts(NamedTuple):
    """The results that may be added up: those of one kind of game, in one unit and currency."""

    kind: str
    unit: str
    currency: str
    """The currency code; empty for chips, points and beans."""
    exponent: int
    """The number of decimal places of the smallest unit."""


class Best(NamedTuple):
    """One of the biggest pots or, in a game without pots, one of the rounds that its history ranks highest."""

    game_id: str
    round: int
    size: int
    names: tuple[str, ...]
    """Who won it."""
    line: str
    """The round's line of history."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game for everybody in it."""

    summary: GameSummary
    amounts: Amounts
    of_rounds: Amounts
    """The unit in which rounds are counted: the same as ``amounts``, except in a tournament with prizes."""
    nets: dict[str, int]
    """Name → net result, for everybody who has played a round."""
    winners: frozenset[str]
    """The names of rank 1 once the game is over."""
    best: tuple[Best, ...]
    best_name: str
    """The game's name for the best rounds, such as ``Biggest pots``."""


@dataclass(frozen=True, slots=True)
class Own:
    """One player's figures over several games of one kind of amounts."""

    amounts: Amounts
    games: int
    won: int
    """The number of finished games in which the player had rank 1."""
    best: int
    """The best net result of a game."""
    worst: int
    figures: Figures
    """The figures of the game's own counter; all 0 for a game that counts none."""


_Kept = TypeVar("_Kept")


class Evenings:
    """Folds the games of a database; thread-safe; finished games are read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._over: OrderedDict[str, GameResult] = OrderedDict()
        self._counted: OrderedDict[str, tallies.Sums] = OrderedDict()
        self._lock = Lock()

    def result(self, game_id: str) -> GameResult:
        """Return the result of a game, or its result so far; raise `UnknownGame` if it has not started."""
        if (known := self._over.get(game_id)) is not None:
            return known
        found = _result(self._database, summary(self._database, game_id))
        if found.summary.outcome is not None:
            self._keep(self._over, game_id, found)
        return found

    def own(self, name: str, results: Sequence[GameResult]) -> list[Own]:
        """Return a player's figures over some games, for each kind of amounts."""
        found: dict[Amounts, list[GameResult]] = {}
        for result in results:
            if name in result.nets:
                found.setdefault(result.amounts, []).append(result)
        return [
            Own(
                amounts,
                len(played),
                sum(name in one.winners for one in played),
                max(one.nets[name] for one in played),
                min(one.nets[name] for one in played),
                total(self._figures(name, one.summary) for one in played),
            )
            for amounts, played in found.items()
        ]

    def _figures(self, name: str, game: GameSummary) -> Figures:
        if not tallies.counts_rounds(game.kind) or game.rounds > LINES:
            return NOTHING
        sums = self._counted.get(game.game_id)
        if sums is None:
            sums = {}
            with self._database.read() as connection, suppress(*tallies.MISCOUNTED):
                for hand in tallies.hands_of(Snapshot(connection), game.game_id, game.kind):
                    tallies.add_hand(sums, hand, ("all",))
            if game.outcome is not None:
                self._keep(self._counted, game.game_id, sums)
        return total(figures for key, figures in sums.items() if key.player == name)

    def _keep(self, kept: "OrderedDict[str, _Kept]", game_id: str, found: "_Kept") -> None:
        with self._lock:
            kept[game_id] = found
            if len(kept) > KEPT:
                kept.popitem(last=False)


def best_of(results: Sequence[GameResult]) -> tuple[Best, ...]:
    """Return the biggest pots of games of one kind of amounts, biggest first; of equal pots, the earliest first."""
    return tuple(_biggest(best for result in results for best in result.best))


def sums_of(results: Sequence[GameResult]) -> dict[Amounts, dict[str, tuple[int, int]]]:
    """Return name → (number of games, net result) over some games; different amounts are never added up."""
    sums: dict[Amounts, dict[str, tuple[int, int]]] = {}
    for result in results:
        of = sums.setdefault(result.amounts, {})
        for name, net in result.nets.items():
            games, before = of.get(name, (0, 0))
            of[name] = games + 1, before + net
    return sums


def _result(database: Database, found: GameSummary) -> GameResult:
    game = game_of(found.kind)
    facts = found.facts or {}
    of_rounds = Amounts(found.kind, game.unit, facts.get("currency", ""), facts.get("exponent", 0))
    in_prizes = "unit" in facts
    unit = Amounts(found.kind, facts["unit"], "", 0) if in_prizes else of_rounds
    with database.read() as connection:
        lines = _lines(connection, found.game_id)
        nets = Counter() if in_prizes else _of_rounds(connection, found, game, lines)
        players = _players(connection, found.game_id)
    winners: frozenset[str] = frozenset()
    if found.outcome is not None:
        winners = frozenset([found.seats[seat - 1].name for seat in found.outcome.winners])
        first = started(database, found.game_id, game)
        if in_prizes or not game.round_ends or not _passed_on(found.seats, game.seats(first), players):
            gains = game.gains(first, found.outcome) if found.rounds or in_prizes else ()
            nets = _added((seat.name, net) for seat, net in zip(found.seats, gains, strict=False) if seat.kind != OPEN)
        elif lines and (left := game.words.left_over(lines[-1])):
            nets[min(winners)] += left  # there is exactly one winner: the leftover decides between equal leaders
    best = (
        Best(found.game_id, entry.number, *worth, game.words.line(entry))
        for entry in lines
        if (worth := game.words.worth(entry)) is not None
    )
    return GameResult(found, unit, of_rounds, nets, winners, tuple(_biggest(best)), game.words.best_name)


def _lines(connection: Connection, game_id: str) -> list[Entry]:
    """Return the last lines of a game's history, in order."""
    of = history_entries.c
    last = select(of.number, of.facts).where(of.game_id == game_id).order_by(of.number.desc()).limit(LINES)
    return [Entry(number, json.loads(facts)) for number, facts in reversed(connection.execute(last).all())]


def _of_rounds(connection: Connection, found: GameSummary, game: Game, lines: Sequence[Entry]) -> Counter[str]:
    """Return name → net result of the rounds that are over; empty if rounds have no results of their own."""
    if not game.round_ends:
        told = (one for entry in lines for one in game.words.net(entry))
        return _added((found.seats[seat - 1].name, net) for seat, net in told)
    of = played_rounds.c
    sums = (
        select(of.player, func.sum(of.net))
        .where(of.game_id == found.game_id, of.site == HERE, of.player != "")
        .group_by(of.player)
    )
    return _added((name, int(net or 0)) for name, net in connection.execute(sums))


def _players(connection: Connection, game_id: str) -> set[str]:
    """Return the names of all who ever sat at a game's seats, as `folded` returns them."""
    of = game_players.c
    return set(connection.scalars(select(of.player).where(of.game_id == game_id)))


def _passed_on(now: Sequence[Seat], first: Sequence[Seat], players: set[str]) -> bool:
    """Return whether a seat's holder has changed since the start, even if the first holder now has it again."""
    return now != first or bool(players - {folded(seat.name) for seat in now})


def _added(nets: Iterable[tuple[str, int]]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for name, net in nets:
        sums[name] += net
    return sums


def _biggest(found: Iterable[Best]) -> list[Best]:
    return nsmallest(BEST, found, key=lambda best: -best.size)
