"""Judges the discards of all hands whose cards are known, on request, by comparing them with the exact advice.

No result is stored. Judging a discard takes a hundredth of a second, its hand is a secret of the log, and a table of
such secrets would have to be guarded, rebuilt and audited like the log.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from pokersvc.cards.card import Card
from pokersvc.cards.given_away import GivenAway, given_away
from pokersvc.cards.unknown import all_known
from pokersvc.core.counting import RoundCounter, SeatCount
from pokersvc.core.replay import CannotReplay, Replay
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.advising.discards_made import DrawMade, DrawsMade
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service.read_models.game_search import played_by
from pokersvc.service.read_models.projections import game_summaries
from pokersvc.service.read_models.tallies import MISCOUNTED, CountedHand, Key, values_of


class JudgedDiscard(NamedTuple):
    """A discard whose cards are known, and the chance to win that it gave away."""

    played: CountedHand
    seat: SeatCount
    value: str
    """The value of the dimension ``by`` that the discard counts under, such as ``BTN`` for ``position``."""
    opponents: int
    """The number of opponents who were still in."""
    hand: tuple[Card, ...]
    """The five cards, the highest first."""
    away: GivenAway

    @property
    def points(self) -> float:
        """The chance to win that the discard gave away, in percentage points."""
        return float(100 * self.away.cost)


class GivenAwaySum(NamedTuple):
    """The sum of what some discards gave away, in points."""

    judged: int = 0
    best: int = 0
    """The number of discards that gave nothing away."""
    points: float = 0.0
    worst: float = 0.0

    @property
    def per_discard(self) -> float | None:
        """The mean per discard, in points; None if there are no discards."""
        return self.points / self.judged if self.judged else None

    def and_one(self, points: float) -> "GivenAwaySum":
        """Return the sum with one more discard."""
        return GivenAwaySum(self.judged + 1, self.best + (not points), self.points + points, max(self.worst, points))


def sums(discards: Iterable[JudgedDiscard], by: str) -> dict[Key, GivenAwaySum]:
    """Sum up discards by player, site, group and currency, as `statistics` sums up hands."""
    found: dict[Key, GivenAwaySum] = {}
    for one in discards:
        hand = one.played.hand
        key = Key(by, one.seat.player, hand.site, one.value, hand.currency, hand.exponent)
        found[key] = found.get(key, GivenAwaySum()).and_one(one.points)
    return found


Progress = Callable[[int, int], None]
"""Called with the number of games read and the number of all games."""


def discards(
    database: Database,
    by: str = "all",
    players: Collection[str] = (),
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Iterator[JudgedDiscard]:
    """Yield the judged discards of players in finished hands, in the order in which the games started.

    They reveal hands that were never shown. So unfinished games are left out unless ``force`` is given, as in every
    other query for secrets. Discards of cards that nobody recorded and games with damaged logs are left out, too.
    """
    with database.read() as connection:
        games = _games(connection, players, force=force)
        for number, game_id in enumerate(games, 1):
            try:
                found = list(_of_game(connection, game_id, by, players))
            except UNREADABLE:
                found = []
            yield from found
            if progress is not None:
                progress(number, len(games))


UNREADABLE: Final = (*MISCOUNTED, CannotReplay)
"""Exceptions raised by the replay of a game whose log no program of ours wrote."""


def _games(connection: Connection, players: Collection[str], *, force: bool) -> list[str]:
    of_game = game_summaries.c
    asked = select(of_game.game_id).where(of_game.kind == DRAW_POKER.kind, of_game.rounds > 0)
    if not force:
        asked = asked.where(of_game.outcome.is_not(None))
    if players:
        asked = asked.where(played_by(players))
    return list(connection.scalars(asked.order_by(of_game.started_at, of_game.game_id)))


def _of_game(connection: Connection, game_id: str, by: str, players: Collection[str]) -> Iterator[JudgedDiscard]:
    made = DrawsMade()
    counter: RoundCounter | None = None
    counted: dict[int, CountedHand] = {}
    replay = Replay(DRAW_POKER, keeps_record=False)
    with closing(Snapshot(connection).read(game_id)) as records:
        for step in replay.steps(records, lambda record: record):
            if counter is None:
                assert isinstance(step.event, GameStarted)
                counter = DRAW_POKER.round_counter(step.event)
            elif (hand := counter.take(step.event)) is not None:
                counted[hand.round] = CountedHand.of(game_id, hand, step.record.recorded_at)
            assert isinstance(step.state, DrawPokerState)
            made.take(step.event, step.state)
    for draw in made.all():
        if (played := counted.get(draw.round)) is not None:
            yield from _judged(played, draw, by, players)


def _judged(played: CountedHand, draw: DrawMade, by: str, players: Collection[str]) -> Iterator[JudgedDiscard]:
    [seat] = [seat for seat in played.hand.seats if seat.seat == draw.seat]
    hand, thrown = draw.hand, draw.thrown
    if (players and seat.player not in players) or not all_known(hand) or not all_known(thrown) or not draw.opponents:
        return
    best_first = sorted(hand, key=lambda card: card.number, reverse=True)
    away = given_away(best_first, thrown, draw.opponents, draw.most)
    for value in values_of(by, played, seat):
        yield JudgedDiscard(played, seat, value, draw.opponents, tuple(best_first), away)
