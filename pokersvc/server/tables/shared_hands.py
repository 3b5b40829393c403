"""Hands shared by a link: each has a token of its own, and ends when the token of the seat that made it ends."""

from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, func, insert, select

from pokersvc.core.event import EVERYONE
from pokersvc.core.registry import game_of
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.errors import TooManySharedHands, UnknownSharedHand, UnknownTable, WrongTime, WrongToken
from pokersvc.server.tables.chat_lines import DAYS
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.information import takes_rounds
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.schema import shared_hands, tables
from pokersvc.server.tables.store import TableStore
from pokersvc.server.tokens import digest_of, new_token, opens
from pokersvc.service import Service

MOST: Final = 20
"""The most hands that one seat shares at a table at the same time."""


class SharedHand(NamedTuple):
    """A hand that is shared, as it is stored."""

    token: bytes
    """The digest of the token in its link."""
    game_id: str
    seat: int
    """The seat that shares it."""
    holder: bytes
    """The digest of the token of that seat."""
    first: int
    """The number of the hand's first event."""
    last: int
    """The number of the hand's last event."""
    cards: bool
    """Whether the seat's own cards are shown with the hand."""
    created_at: str

    @property
    def id(self) -> str:
        """The ID of the hand for its maker; nobody can compute the token from it."""
        return self.token.hex()


class HandEvents(NamedTuple):
    """The events of a hand: those of a round or, in a game without rounds, those of the whole game."""

    first: int
    last: int


class SharedHands:
    """The shared hands of a database; thread-safe."""

    def __init__(self, database: Database, tables: TableStore, service: Service, delay: Delay) -> None:
        self._database, self._tables, self._service, self._delay = database, tables, service, delay

    def share(self, row: TableRow, seat: SeatRow, round_: int, *, cards: bool) -> tuple[str, SharedHand]:
        """Share a hand of a finished game, and return the token of its link; ``seat`` was let in by its token."""
        if (hand := self.hands(row, self._upto(row, seat)).get(round_)) is None:
            raise WrongTime("hand_not_over", f"There is no hand {round_} of this game that you have seen the end of.")
        token = new_token()
        with self._tables.changing(row.game_id) as table:
            holder = table.row.seat(seat.seat).token
            if holder is None or holder != seat.token:
                raise WrongToken
            mine = (shared_hands.c.table_id == row.table_id) & (shared_hands.c.holder == holder)
            count = table.connection.scalar(select(func.count()).select_from(shared_hands).where(mine)) or 0
            if count >= MOST:
                raise TooManySharedHands(MOST)
            made = SharedHand(digest_of(token), row.game_id, seat.seat, holder, *hand, cards, _now())
            table.connection.execute(insert(shared_hands), {"table_id": row.table_id, **made._asdict()})
        return token, made

    def of(self, row: TableRow, holder: bytes | None) -> list[SharedHand]:
        """Return the hands that the holder of a seat's token shares at a table, newest first."""
        mine = (shared_hands.c.table_id == row.table_id) & (shared_hands.c.holder == holder)
        with self._database.read() as connection:
            found = connection.execute(select(*_HAND).where(mine).order_by(shared_hands.c.created_at.desc())).all()
        return [_hand(*one) for one in found]

    def end(self, row: TableRow, holder: bytes | None, id_: str) -> None:
        """End a link of the holder of a seat's token; raise `UnknownSharedHand` if it is not theirs."""
        with self._database.append() as connection:
            ended = connection.execute(
                delete(shared_hands).where(
                    shared_hands.c.table_id == row.table_id,
                    shared_hands.c.holder == holder,
                    shared_hands.c.token == bytes.fromhex(id_),
                )
            )
        if ended.rowcount == 0:
            raise UnknownSharedHand

    def opened(self, address: str, token: str | None) -> tuple[TableRow, SharedHand]:
        """Return the shared hand that a link's token shows now, with its game; else raise `UnknownSharedHand`.

        The error is the same for every reason.
        """
        if token is None:
            raise UnknownSharedHand
        with self._database.read() as connection:
            # Timing this look-up could reveal only digests, from which nobody can compute a token.
            found = connection.execute(select(*_HAND).where(shared_hands.c.token == digest_of(token))).first()
        hand = None if found is None else _hand(*found)
        if hand is None or not opens(token, hand.token):
            raise UnknownSharedHand
        try:
            row = self._tables.find(address, hand.game_id)
        except UnknownTable:
            raise UnknownSharedHand from None
        if not self.is_shown(row, hand):
            raise UnknownSharedHand
        return row, hand

    def is_shown(self, row: TableRow, hand: SharedHand) -> bool:
        """Return whether a link shows its hand now: its maker holds the seat, and watchers have seen the hand's end."""
        if row.seat(hand.seat).token != hand.holder:
            return False
        return row.shows_live(None) or self._delay.known(row).events >= hand.last

    def hands(self, row: TableRow, upto: int | None = None) -> Mapping[int, HandEvents]:
        """Return the hands that are over in a game, by number, up to event ``upto`` if it is given."""
        found: dict[int, HandEvents] = {}
        begins, rounds = 1, takes_rounds(game_of(row.kind))
        try:
            for record, event, state in self._service.replay(row.game_id, EVERYONE, upto=upto):
                if rounds:
                    entry = None if event.__class__ in TABLE_EVENTS else state.entry(event, EVERYONE)
                    if entry is not None and not entry.again:
                        found[entry.number] = HandEvents(begins, record.seq)
                        begins = record.seq + 1
                elif not found and state.outcome is not None:
                    found[1] = HandEvents(begins, record.seq)
        except UnknownGame:
            return {}
        return found

    def last(self, row: TableRow, seat: SeatRow) -> int:
        """Return the number of the last hand that is over in a game, as far as a seat has seen it; 0 if none is."""
        return max(self.hands(row, self._upto(row, seat)), default=0)

    def numbers(self, row: TableRow, shared: list[SharedHand]) -> list[int]:
        """Return the number of each of some shared hands of a game."""
        hands = self.hands(row, max((one.last for one in shared), default=0))
        lasts, numbers = [hand.last for hand in hands.values()], list(hands)
        return [numbers[bisect_left(lasts, one.last)] for one in shared]

    def delete_ended(self, now: datetime) -> None:
        """Delete the shared hands of tables that ended long ago, at the same age as chat."""
        ended = select(tables.c.table_id).where(tables.c.closed_at < timestamp(now - timedelta(days=DAYS)))
        with self._database.append() as connection:
            connection.execute(delete(shared_hands).where(shared_hands.c.table_id.in_(ended)))

    def _upto(self, row: TableRow, seat: SeatRow) -> int | None:
        return None if row.shows_live(seat) else self._delay.known(row).events


_HAND: Final = (
    shared_hands.c.token,
    shared_hands.c.game_id,
    shared_hands.c.seat,
    shared_hands.c.holder,
    shared_hands.c.first,
    shared_hands.c.last,
    shared_hands.c.cards,
    shared_hands.c.created_at,
)


def _hand(
    token: bytes, game_id: str, seat: int, holder: bytes, first: int, last: int, cards: bool, created_at: str
) -> SharedHand:
    return SharedHand(bytes(token), game_id, seat, bytes(holder), first, last, bool(cards), created_at)


def _now() -> str:
    return timestamp(datetime.now(UTC))
