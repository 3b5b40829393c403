"""Results of tournaments for prizes: what each player paid and won, in whole units, which are never chips."""

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import PrizesAwarded
from pokersvc.service.read_models.history import ReadModelsDamaged
from pokersvc.service.read_models.projections import game_summaries

_ROW: Final = game_summaries.c
_FOR_PRIZES: Final = select(_ROW.game_id, _ROW.started_at, _ROW.facts, _ROW.seats, _ROW.outcome).where(
    _ROW.kind == DRAW_POKER.kind, _ROW.facts.contains('"unit":')
)


class PrizeGame(NamedTuple):
    """A tournament for prizes."""

    game_id: str
    started_at: str
    players: tuple[str, ...]
    """The name of each seat, from seat 1."""
    nets: tuple[int, ...]
    """The prize less the prices of each seat; empty until the game is over."""


class PrizeResult(NamedTuple):
    """One player's result in a tournament for prizes."""

    game_id: str
    started_at: str
    player: str
    place: int
    paid: int
    """The prices of the entry, of re-entries and of an add-on."""
    prize: int


class PrizeSums(NamedTuple):
    """One player's results added up."""

    player: str
    tournaments: int
    paid: int
    won: int
    net: int
    firsts: int
    """The number of tournaments in which nobody had a better place."""
    in_prizes: int
    """The number of tournaments in which the player won a prize."""


def prize_games(connection: Connection) -> Iterator[PrizeGame]:
    """Yield all tournaments for prizes, in progress and over, the earliest start first."""
    for game_id, started_at, facts, seats, outcome in connection.execute(_FOR_PRIZES.order_by(_ROW.started_at)):
        try:
            if "unit" not in json.loads(facts):
                continue
            nets = () if outcome is None else tuple(json.loads(outcome)["scores"])
            game = PrizeGame(game_id, started_at, tuple(seat["name"] for seat in json.loads(seats)), nets)
        except (ValueError, KeyError, TypeError) as error:
            raise ReadModelsDamaged(game_id) from error
        if nets and len(nets) != len(game.players):
            raise ReadModelsDamaged(game_id)
        yield game


def prize_results(database: Database, players: Collection[str] = ()) -> Iterator[PrizeResult]:
    """Yield the result of each player, or only of those named, in each tournament for prizes that is over."""
    with database.read() as connection:
        snapshot = Snapshot(connection)
        for game in prize_games(connection):
            if not game.nets or (players and not {*players} & {*game.players}):
                continue
            awarded = _awarded(snapshot, game.game_id)
            for seat, player in enumerate(game.players):
                if not players or player in players:
                    place, paid, prize = awarded.places[seat], awarded.prices[seat], awarded.prizes[seat]
                    yield PrizeResult(game.game_id, game.started_at, player, place, paid, prize)


def _awarded(snapshot: Snapshot, game_id: str) -> PrizesAwarded:
    with closing(snapshot.read(game_id, verified=False)) as records:  # not verified: that is the task of an audit
        record = next((one for one in records if one.type == PrizesAwarded.__name__), None)
    if record is None:
        raise ReadModelsDamaged(game_id)
    event = DRAW_POKER.codec.decode(record.type, record.version, record.payload, None)
    assert isinstance(event, PrizesAwarded)
    return event


def added_up(results: Iterable[PrizeResult]) -> list[PrizeSums]:
    """Return each player's results added up, the player with the most tournaments first."""
    of: dict[str, list[PrizeResult]] = {}
    for result in results:
        of.setdefault(result.player, []).append(result)
    sums = [
        PrizeSums(
            player,
            len(played),
            paid := sum(one.paid for one in played),
            won := sum(one.prize for one in played),
            won - paid,
            sum(one.place == 1 for one in played),
            sum(one.prize > 0 for one in played),
        )
        for player, played in of.items()
    ]
    return sorted(sums, key=lambda one: (-one.tournaments, one.player))
