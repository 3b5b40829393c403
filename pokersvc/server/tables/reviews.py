"""Reviews of the seats of finished games; each is computed once and then kept in memory for a time."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from pokersvc.core.bots.review import Review, reviewed
from pokersvc.core.bots.reviewing import ReviewedChoice, ReviewTerms
from pokersvc.core.registry import game_of
from pokersvc.errors import InvalidValue
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.errors import WrongTime
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.service import Service

REVIEWS: Final = Rate(0.2, 10)
"""The rate of reviews that an address may request; a review takes some seconds."""
MOST_HANDS: Final = 20
"""The number of a game's last hands that are reviewed."""
_KEPT: Final = 256
"""The most reviews in memory; one takes some kilobytes."""


class Reviews:
    """Reviews how a seat was played, for its holder; thread-safe."""

    def __init__(self, service: Service, delay: Delay) -> None:
        self._service, self._delay = service, delay
        self._kept: OrderedDict[tuple[str, int], dict[str, object]] = OrderedDict()
        self._lock = Lock()

    def told(self, row: TableRow, seat: SeatRow) -> dict[str, object]:
        """Return the review of a seat; raise `WrongTime` before the game is over, and for a link that was replaced.

        Raise `InvalidValue` if there is no review for the game.
        """
        if not row.shows_live(seat):
            self._delay.require_whole(row)
        if row.status != "over":
            raise WrongTime("not_over", "The game is not over; what you chose is reviewed then.")
        if seat.since:
            raise WrongTime("link_replaced", "A replaced link shows no hand from before, and so has no review.")
        if not game_of(row.kind).reviews_at_tables:
            raise InvalidValue(f"There is no review of the game {row.kind} at tables; `pokersvc review` has one.")
        key = row.game_id, seat.seat
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return kept
        found = self._made(row, seat)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _made(self, row: TableRow, seat: SeatRow) -> dict[str, object]:
        events = [step.event for step in self._service.replay(row.game_id, seat.seat)]
        game = game_of(row.kind)
        terms = ReviewTerms(row.game_id.encode(), game.samples_at_tables)
        found = reviewed(game, events, seat.seat, terms, rounds=MOST_HANDS)
        return {
            "game": row.game_id,
            "programs": [about for _, about in found.programs],
            "choices": len(found.choices),
            "cost": found.said(found.cost),
            "unit": found.unit,
            "called": found.called,
            "dearest": [_choice(choice, found) for choice in found.dearest],
            "judged": [_choice(choice, found) for choice in found.choices],
            "rounds": [
                {
                    "round": line.of.round,
                    "had": line.of.had,
                    "choices": line.of.choices,
                    "net": found.net(line.of),
                    "cost": found.said(line.cost),
                }
                for line in found.lines
            ],
        }


def _choice(choice: ReviewedChoice, found: Review) -> dict[str, object]:
    return {
        "round": choice.round,
        "number": choice.number,
        "when": choice.when,
        "had": choice.had,
        "situation": choice.situation,
        "chose": choice.chose,
        "by": choice.by,
        "would": [{"action": action, "chance": chance} for action, chance in choice.would],
        "improvised": choice.improvised,
        "doubted": choice.doubted,
        "points": choice.points,
        "cost": found.said_of(choice),
    }
