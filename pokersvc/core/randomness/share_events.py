"""The events and actions by which a table shuffles together (`pokersvc.core.randomness.common_shuffle`)."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from pokersvc.core.actions import IllegalAction
from pokersvc.core.common_events import Number
from pokersvc.core.randomness.ed25519 import KEY_BYTES, SIGNATURE_BYTES
from pokersvc.core.randomness.shares import LINKS, MOST_LINKS, SHARE_BYTES
from pokersvc.core.tables.table_event import TableAction, TableEvent
from pokersvc.text import counted

SHARE_SECONDS: Final = 20
"""The number of seconds for which a table waits for shares by default."""
MOST_SHARE_SECONDS: Final = 3600

Key: TypeAlias = Annotated[bytes, Field(min_length=KEY_BYTES, max_length=KEY_BYTES)]
Link: TypeAlias = Annotated[bytes, Field(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]
Signed: TypeAlias = Annotated[bytes, Field(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]


# Events.


@dataclass(frozen=True, slots=True)
class DealingSet(TableEvent):
    """Dealer and seats will shuffle together; recorded right after `TableSet`, by the command that starts the game."""

    protocol: Literal[1]
    seconds: Annotated[int, Field(ge=1, le=MOST_SHARE_SECONDS)]
    """The number of seconds for which the table waits for shares."""


@dataclass(frozen=True, slots=True)
class SeatBound(TableEvent):
    """A seat is bound to a chain of shares, its contributions to the coming shuffles, and to a key that signs them."""

    key: Key
    length: Annotated[int, Field(ge=1, le=MOST_LINKS)]
    """The number of shares in the chain."""
    renewal: Signed | None
    """The signature of the binding by the seat's former key; None for the first binding or after a new link."""
    seat: Number
    signature: Signed
    """The signature of the binding by the new key."""
    tip: Link
    """The last link of the hash chain, against which shares are checked; the tip itself is not a share."""


@dataclass(frozen=True, slots=True)
class SharesAwaited(TableEvent):
    """A round opens, and each seat listed must open its share; the round's number is not used again."""

    round: Number
    """The round's number, from 1, counted by `SharesAwaited` events; the game's own number of the round may differ."""
    seats: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class ShareOpened(TableEvent):
    """A seat opened its share of the round; its signature is over the history up to `SharesAwaited`."""

    seat: Number
    share: Link
    signature: Signed


@dataclass(frozen=True, slots=True)
class ShareMissed(TableEvent):
    """A seat opened no share in time: it posts the bets that it owes in this round, folds at once, and sits out."""

    seat: Number


DEALING_EVENTS: Final[tuple[type[TableEvent], ...]] = (DealingSet, SeatBound, SharesAwaited, ShareOpened, ShareMissed)


# Actions.


@dataclass(frozen=True, slots=True, kw_only=True)
class BindSeat(TableAction):
    """Bind a seat to a chain of shares and a key; see `SeatBound`."""

    seat: int
    key: bytes
    tip: bytes
    length: int = LINKS
    signature: bytes
    renewal: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenShare(TableAction):
    """Open the share of a seat for the round that awaits it."""

    seat: int
    share: bytes
    signature: bytes


def bound_event(action: BindSeat) -> SeatBound:
    """Return the event of a binding; raise `IllegalAction` for impossible values."""
    _check_bytes(action.key, KEY_BYTES, "A key")
    _check_bytes(action.tip, SHARE_BYTES, "The tip of a chain")
    _check_bytes(action.signature, SIGNATURE_BYTES, "A signature")
    if action.renewal is not None:
        _check_bytes(action.renewal, SIGNATURE_BYTES, "The signature of a renewal")
    if type(action.length) is not int or not 1 <= action.length <= MOST_LINKS:
        raise IllegalAction("wrong_length", f"A chain has 1 to {MOST_LINKS:,} links, not {action.length!r}.")
    return SeatBound(action.key, action.length, action.renewal, action.seat, action.signature, action.tip)


def opened_event(action: OpenShare) -> ShareOpened:
    """Return the event of a share that is opened; raise `IllegalAction` for impossible values."""
    _check_bytes(action.share, SHARE_BYTES, "A share")
    _check_bytes(action.signature, SIGNATURE_BYTES, "A signature")
    return ShareOpened(action.seat, action.share, action.signature)


def _check_bytes(value: object, size: int, what: str) -> None:
    if type(value) is not bytes or len(value) != size:
        found = counted(len(value), "byte") if isinstance(value, bytes) else repr(value)
        raise IllegalAction("wrong_size", f"{what} has {counted(size, 'byte')}, not {found}.")


def share_event_of(action: TableAction) -> TableEvent | None:
    """Return the event of an action of a common shuffle; None for any other action."""
    match action:
        case BindSeat():
            return bound_event(action)
        case OpenShare():
            return opened_event(action)
        case _:
            return None
