"""The results of all games of a table together (an evening), as one viewer may know them."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.histories.statistics.rates import rates
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service
from pokersvc.service.read_models.evening import Amounts, Best, Evenings, GameResult, Own, best_of, sums_of

MOST_GAMES: Final = 200
"""The number of a table's last games that are added up."""


class EveningResults:
    """Computes each person's results over the games of a table; thread-safe."""

    def __init__(self, tables: TableStore, delay: Delay, evenings: Evenings, service: Service) -> None:
        self._tables, self._delay, self._evenings, self._service = tables, delay, evenings, service

    def told(self, row: TableRow, seat: SeatRow | None) -> dict[str, object]:
        """Return the results of a table for a seat, or for watchers.

        A person who sees the table with a delay is shown a game once they may know all of it.
        """
        found = []
        for one in reversed(self._tables.games(row.table_id, MOST_GAMES)):
            if not one.shows_live(_same(one, seat)) and not self._delay.known(one).whole:
                continue
            with suppress(UnknownGame):  # it has not started
                found.append((one, self._evenings.result(one.game_id)))
        results = [result for _, result in found]
        numbers = {one.game_id: one.number for one, _ in found}
        name = None if seat is None else seat.name
        now = row if row.shows_live(seat) else self._delay.shown(row, None if seat is None else seat.seat)
        return {
            "table": row.table_id,
            "first": min(numbers.values(), default=0),
            "games": [_game(one, result) for one, result in found],
            "sums": [_sum(amounts, people, now) for amounts, people in sums_of(results).items() if people],
            "best": [
                {
                    "name": same[0].best_name,
                    **amounts._asdict(),
                    "rounds": [_best(best, numbers) for best in best_of(same)],
                }
                for amounts, same in _by_rounds(results).items()
                if best_of(same)
            ],
            "persons": self._persons([one for one, _ in found]),
            "own": [] if name is None else [_own(name, own) for own in self._evenings.own(name, results)],
        }

    def _persons(self, rows: Sequence[TableRow]) -> list[dict[str, object]]:
        """Return each person's amounts over the table's life, from the last game whose people have numbers."""
        for row in reversed(rows):
            if (persons := self._service.persons(row.game_id)) is not None:
                seats = {number: seat for seat, number in enumerate(persons.seats, 1)}
                return [
                    {
                        "person": one.number,
                        "name": one.name,
                        "seat": seats.get(one.number),
                        "brought": one.brought,
                        "taken": one.taken,
                        "has": one.has,
                        "net": one.net,
                    }
                    for one in persons.accounts
                ]
        return []


def _same(row: TableRow, seat: SeatRow | None) -> SeatRow | None:
    """Return the seat that a seat's holder has in another game; None if they only watch that game."""
    token = None if seat is None else seat.token
    return next((one for one in row.seats if token is not None and one.token == token), None)


def _by_rounds(results: Sequence[GameResult]) -> dict[Amounts, list[GameResult]]:
    alike: dict[Amounts, list[GameResult]] = {}
    for result in results:
        alike.setdefault(result.of_rounds, []).append(result)
    return alike


def _game(row: TableRow, found: GameResult) -> dict[str, object]:
    return {
        "game": row.game_id,
        "number": row.number,
        "over": found.summary.outcome is not None,
        **found.amounts._asdict(),
        "title": found.summary.title,
        "result": found.summary.result,
        "rounds": found.summary.rounds,
        "nets": [{"name": name, "net": net} for name, net in _ranked(found.nets)],
    }


def _sum(amounts: Amounts, people: dict[str, tuple[int, int]], row: TableRow) -> dict[str, object]:
    seats = {seat.name: seat.seat for seat in row.seats}
    nets = {name: net for name, (_, net) in people.items()}
    return {
        **amounts._asdict(),
        "people": [
            {
                "name": name,
                "seat": seats.get(name),
                "games": people[name][0],
                "net": net,
                "rank": 1 + sum(other > net for other in nets.values()),
            }
            for name, net in _ranked(nets)
        ],
    }


def _ranked(nets: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(nets.items(), key=lambda one: (-one[1], one[0]))


def _best(best: Best, numbers: dict[str, int]) -> dict[str, object]:
    return {
        "game": best.game_id,
        "number": numbers[best.game_id],
        "round": best.round,
        "size": best.size,
        "names": list(best.names),
        "line": best.line,
    }


def _own(name: str, own: Own) -> dict[str, object]:
    figures = own.figures
    return {
        "name": name,
        **own.amounts._asdict(),
        "games": own.games,
        "won": own.won,
        "highest": own.best,
        "lowest": own.worst,
        "hands": {"figures": figures._asdict(), "rates": rates(figures)._asdict()} if figures.dealt else None,
    }
