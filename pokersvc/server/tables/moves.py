"""Codes that move a seat, or the host's rights, from one device to another."""

import hmac
import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select, update

from pokersvc.core.actions import IllegalAction
from pokersvc.core.tables.table_events import ChangeDevice
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.code_words import letters_of, new_code
from pokersvc.server.commands import Commands
from pokersvc.server.errors import WrongCode, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.tables.changing import Changing
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.schema import move_codes, table_games, table_seats
from pokersvc.server.tables.store import TableStore
from pokersvc.server.tokens import digest_of, new_token
from pokersvc.service import LogFull, Service

GOOD_FOR: Final = timedelta(minutes=5)
"""For how long a code is valid."""
MOST_WRONG: Final = 1000
"""The number of wrong codes at a table after which its codes end."""
HOST: Final = 0
"""Stands in place of a seat for the host's rights."""
SALT_BYTES: Final = 16
USED: Final = ""
"""Stands in place of the time until which a code is valid, from the code's use until the move has been announced."""


class Code(NamedTuple):
    """A code, as it is shown to the person who made it."""

    code: str
    expires_at: str


class Moved(NamedTuple):
    """A seat, or the host's rights, at its new device."""

    game_id: str
    """The last game of the table in which the person has a seat or the host's rights."""
    address: str
    """The ID in the address at the new device: that of the table, or of the last game in which the person was there."""
    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class StoredCode:
    """A code, as it is stored: only a keyed digest of it."""

    seat: int
    salt: bytes
    digest: bytes
    holder: bytes
    """The digest of the token of the device that made the code or, once the code was used, of the new device."""
    expires_at: str
    wrong: int

    def is_of(self, letters: str) -> bool:
        """Return whether these are the letters of the code, compared in constant time."""
        return hmac.compare_digest(_keyed(self.salt, letters), self.digest)

    @property
    def is_used(self) -> bool:
        """Whether the code was used, but not everybody has been told of the move yet."""
        return self.expires_at == USED

    @property
    def is_good(self) -> bool:
        """Whether the code is not used, not too old, and not ended by too many wrong codes."""
        return self.expires_at > timestamp(_now()) and self.wrong < MOST_WRONG


class Moves:
    """Codes, and the moves made with them; thread-safe."""

    def __init__(self, service: Service, tables: TableStore, commands: Commands, hub: Hub) -> None:
        self._service, self._tables, self._commands, self._hub = service, tables, commands, hub

    def code(self, row: TableRow, holder: bytes | None) -> Code:
        """Make a code for what a device has (a seat or the host's rights); an earlier code for it ends.

        ``holder`` is the digest of the token by which the device was let in; raise `WrongToken` if nobody has it now.
        """
        code, salt, expires_at = new_code(), secrets.token_bytes(SALT_BYTES), timestamp(_now() + GOOD_FOR)
        with self._changing_last(row) as table:
            stored = _Codes(table)
            place = None if holder is None else stored.place(holder)
            if holder is None or place is None:
                raise WrongToken
            stored.keep(StoredCode(place.seat, salt, _keyed(salt, letters_of(code)), holder, expires_at, 0))
        return Code(code, expires_at)

    def move(self, row: TableRow, code: str, fresh: str | None = None, seat: int | None = None) -> Moved:
        """Move a seat or the host's rights to the device that sends a code; raise `WrongCode` if the code is wrong.

        ``seat`` is the seat that must move, if named; a code for another seat is wrong. ``fresh`` is the token that the
        device requests: with it, a device that missed the answer may ask again. If the move cannot be announced now,
        because the log is full or shares are awaited, the error says so, and nothing has changed.
        """
        token = fresh or new_token()
        taken = self._take(row, letters_of(code), token, seat)
        if taken is None:
            raise WrongCode
        moved, used = taken
        self._hub.news(moved.game_id)
        if used is not None:
            try:
                self._tell(moved)
            except (IllegalAction, LogFull):
                self._put_back(row, moved, used)
                raise
            with self._changing_last(row) as table:
                _Codes(table).forget_used(digest_of(token))
        return moved

    def _changing_last(self, row: TableRow) -> AbstractContextManager[Changing]:
        """Return the last game of a table, to be changed; all moves at a table thus happen one after another."""
        return self._tables.changing(self._tables.find(row.table_id).game_id)

    def _take(self, row: TableRow, letters: str, token: str, seat: int | None) -> "tuple[Moved, _Used | None] | None":
        """Give what a code stands for to a token's holder; return it, with the code unless the move was announced.

        If the code is wrong, count it as wrong and return None.
        """
        fresh = digest_of(token)
        with self._changing_last(row) as table:
            stored = _Codes(table)
            codes = stored.all()
            if (mine := stored.place(fresh)) is not None:  # the device asks again
                used = next((one for one in codes if one.holder == fresh and one.is_used), None)
                return mine.to(token), None if used is None else _Used(used, mine.came_at)
            good = [(one, place) for one in codes if one.is_good and (place := stored.place(one.holder)) is not None]
            # Compare all of them, so that the time reveals nothing.
            found = [(one, place) for one, place in good if one.is_of(letters)]
            if not found or seat not in (None, found[0][1].seat):
                stored.count_wrong([one.seat for one, _ in good])
                return None
            code, place = found[0]
            if place.seat == HOST:
                table.host(fresh, timestamp(_now()))
            else:
                self._check_room(table.row, place)
                table.pass_on(code.holder, fresh, timestamp(_now()))
            stored.keep(replace(code, holder=fresh, expires_at=USED))
        return place.to(token), _Used(code, place.came_at)

    def _check_room(self, row: TableRow, place: "_Place") -> None:
        """Raise `LogFull` if the log of a seat's game has no room left for a move."""
        if row.status == "playing" and row.game_id == place.game_id:
            with suppress(UnknownGame):
                self._service.check_room(row.game_id)

    def _tell(self, moved: Moved) -> None:
        """Record in a game in progress that a seat has moved to another device."""
        if moved.seat == HOST or self._tables.get(moved.game_id).status != "playing":
            return
        changed = ChangeDevice(moved.seat)
        try:
            try:
                self._commands.at_table(moved.game_id, changed)
            except UnknownGame:  # the game's start is being recorded; this event tells commands who holds the seat
                self._commands.start_once(self._tables.get(moved.game_id))
                self._commands.at_table(moved.game_id, changed)
        except IllegalAction as refused:
            if refused.code != "game_over":
                raise

    def _put_back(self, row: TableRow, moved: Moved, used: "_Used") -> None:
        """Give a seat or the host's rights, and the code, back to the former device after a failed announcement."""
        with self._changing_last(row) as table:
            table.pass_on(digest_of(moved.token), used.code.holder, used.came_at)
            _Codes(table).keep(used.code)
        self._hub.news(moved.game_id)


class _Place(NamedTuple):
    """Where a token's holder is: the last game of the table in which they hold something, and the seat, or `HOST`."""

    game_id: str
    address: str
    seat: int
    came_at: str | None
    """When the holder came to their present device."""

    def to(self, token: str) -> Moved:
        """Return the seat or the host's rights as moved to a device with this token."""
        return Moved(self.game_id, self.address, self.seat, token)


class _Used(NamedTuple):
    """A used code as it was before its use, and when its maker came to the device that made the code."""

    code: StoredCode
    came_at: str | None


class _Codes:
    """The codes of a table, in a transaction that changes the table."""

    def __init__(self, table: Changing) -> None:
        self._table, self._connection = table, table.connection
        self._here = move_codes.c.table_id == table.row.table_id

    def place(self, token: bytes) -> _Place | None:
        """Return where the holder of a token is, given the token's digest; None if nobody has the token."""
        row = self._table.row
        if row.host == token:
            return _Place(row.game_id, row.table_id, HOST, None)
        newest = (
            select(table_seats.c.game_id, table_seats.c.seat, table_seats.c.came_at)
            .join(table_games, table_games.c.game_id == table_seats.c.game_id)
            .where(table_games.c.table_id == row.table_id, table_seats.c.token == token)
            .order_by(table_games.c.number.desc())
            .limit(1)
        )
        found = self._connection.execute(newest).first()
        if found is None:
            return None
        address = row.table_id if found.game_id == row.game_id else found.game_id
        return _Place(found.game_id, address, found.seat, found.came_at)

    def all(self) -> list[StoredCode]:
        """Return all codes of the table, valid or not."""
        return [
            StoredCode(row.seat, bytes(row.salt), bytes(row.digest), bytes(row.holder), row.expires_at, row.wrong)
            for row in self._connection.execute(select(move_codes).where(self._here))
        ]

    def keep(self, code: StoredCode) -> None:
        """Store a code in place of the one before, if there was one."""
        self._connection.execute(delete(move_codes).where(self._here, move_codes.c.seat == code.seat))
        self._connection.execute(insert(move_codes), {"table_id": self._table.row.table_id, **asdict(code)})

    def count_wrong(self, seats: Sequence[int]) -> None:
        """Count a wrong code against each of these codes."""
        counted = update(move_codes).where(self._here, move_codes.c.seat.in_(seats))
        self._connection.execute(counted.values(wrong=move_codes.c.wrong + 1))

    def forget_used(self, holder: bytes) -> None:
        """Forget the code that gave a token's present holder their place."""
        used = (move_codes.c.holder == holder) & (move_codes.c.expires_at == USED)
        self._connection.execute(delete(move_codes).where(self._here, used))


def _keyed(salt: bytes, letters: str) -> bytes:
    return hmac.digest(salt, letters.encode(), sha256)


def _now() -> datetime:
    return datetime.now(UTC)
