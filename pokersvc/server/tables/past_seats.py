"""Who sat at the seats of a running game after one of its events, according to the log.

A table's row says who sits there now. In a game in which people come and go, whoever sees it with a delay must not
learn from the row who has come, gone or taken a seat since: they see what was recorded up to the last event that they
may know.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final, NamedTuple

from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.service import Service

PART: Final = 2_000
"""The number of events that are read at once."""
MOST_KEPT: Final = 4_096
"""The most answers in memory, each for one game after one event; one takes less than 1 kB."""


class PastSeat(NamedTuple):
    """A seat after an event."""

    name: str | None
    """The name of the person who sat there last; None if nobody has."""
    taken: bool
    """Whether somebody sat there."""


class PastSeats:
    """Finds who sat where in running games; thread-safe."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._kept: OrderedDict[tuple[str, int], tuple[PastSeat, ...]] = OrderedDict()
        self._last: dict[str, int] = {}
        """Game → the last event after which its seats are in memory."""
        self._lock = Lock()

    def at(self, row: TableRow, seq: int) -> tuple[SeatRow, ...]:
        """Return the seats of a row as everybody knew them after an event of its game.

        After event 0, before the first event, they are the seats with which the game starts.
        """
        then = self._after(row, max(seq, 1))
        return tuple([_told(seat, past, begun=seq > 0) for seat, past in zip(row.seats, then, strict=True)])

    def _after(self, row: TableRow, seq: int) -> tuple[PastSeat, ...]:
        with self._lock:
            if (found := self._kept.get((row.game_id, seq))) is not None:
                self._kept.move_to_end((row.game_id, seq))
                return found
            last = self._last.get(row.game_id, seq)
            known = self._kept.get((row.game_id, last), ()) if last < seq else ()
        found = self._read(row, known, last if known else 0, seq)
        with self._lock:
            self._kept[row.game_id, seq] = found
            self._last[row.game_id] = seq
            while len(self._kept) > MOST_KEPT:
                (game_id, old), _ = self._kept.popitem(last=False)
                if self._last.get(game_id) == old:
                    del self._last[game_id]
        return found

    def _read(self, row: TableRow, known: tuple[PastSeat, ...], after: int, upto: int) -> tuple[PastSeat, ...]:
        """Return the seats after event ``upto``, from those that are known after event ``after``."""
        game, seats = game_of(row.kind), list(known)
        for begin in range(after, upto, PART):
            for told in self._service.with_secrets.part(row.game_id, after=begin, upto=min(upto, begin + PART)):
                if told.record.seq == 1:
                    seats = [_at_first(one) for one in game.seats(told.event)]
                elif (left := game.left_by(told.event)) is not None:
                    seats[left - 1] = seats[left - 1]._replace(taken=False)
                elif isinstance(told.event, tuple(game.reseating)):
                    action = game.action_of(told.event)
                    assert action is not None
                    seats[action.seat - 1] = PastSeat(game.name_of(action) or seats[action.seat - 1].name, True)
        return tuple(seats)


def _at_first(seat: Seat) -> PastSeat:
    return PastSeat(None, False) if seat.kind == OPEN else PastSeat(seat.name, True)


def _told(seat: SeatRow, past: PastSeat, *, begun: bool) -> SeatRow:
    """Return a seat as it was then; until the game begins, it also shows who has come, as before every game."""
    if seat.kind not in (HUMAN, EMPTY):
        return seat
    kind = HUMAN if past.taken else EMPTY
    return SeatRow(seat.seat, kind, past.name, came=past.taken and (begun or seat.came))
