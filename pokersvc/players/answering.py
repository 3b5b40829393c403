"""A player's answers as bytes: a policy, an action, or, one after another, the actions of a batch."""

import random
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from pokersvc.players.worker import ANSWERED, BATCH, ILLEGAL, MOST, POLICY, method_of

Ask: TypeAlias = tuple[object, object, bytes]
"""A view, the legal actions, and the key of the randomness."""

PART: Final = struct.Struct(">cH")
"""The header of one answer among those of a batch: its kind and its length."""


class Writes(Protocol):
    """Writes actions and policies as bytes; None for what is not of the game."""

    def write(self, action: object) -> bytes | None:
        """Return an action as bytes."""
        ...

    def write_policy(self, policy: object) -> bytes | None:
        """Return a policy as bytes."""
        ...


def answer_of(
    make: Callable[[], Any], asks: Sequence[Ask], stream: Callable[[bytes], random.Random], writes: Writes
) -> tuple[bytes, bytes]:
    """Make a player, ask it, and return the kind of its answer and the answer: a policy, a batch or an action."""
    chances = [stream(key) for _, _, key in asks]
    seeds = [chance.randbytes(32) for chance in chances]
    random.seed(seeds[0])  # with another source of randomness a player is reproducible too
    player = make()
    method = method_of(type(player))  # what an object keeps under such a name is its own affair
    if method == "choose_many":
        views, legals = [view for view, _, _ in asks], [legal for _, legal, _ in asks]
        found = player.choose_many(views, legals, chances)
        if not isinstance(found, list) or len(found) != len(asks):
            return ILLEGAL, b""
        return BATCH, b"".join(_part(*_within(ANSWERED, writes.write(action))) for action in found)
    [(view, legal, _)], [chance] = asks, chances
    if method == "policy":
        return _within(POLICY, writes.write_policy(player.policy(view, legal)))
    return _within(ANSWERED, writes.write(player.choose(view, legal, chance)))


def _within(kind: bytes, answer: bytes | None) -> tuple[bytes, bytes]:
    return (ILLEGAL, b"") if answer is None or len(answer) > MOST else (kind, answer)


def _part(kind: bytes, answer: bytes) -> bytes:
    return PART.pack(kind, len(answer)) + answer


def parts_of(batch: bytes, count: int) -> list[tuple[bytes, bytes]] | None:
    """Return the kind and the bytes of each answer in a batch, which may be any bytes; None unless it has ``count``."""
    found: list[tuple[bytes, bytes]] = []
    at = 0
    while at < len(batch) and len(found) < count:
        if len(head := batch[at : at + PART.size]) < PART.size:
            return None
        kind, length = PART.unpack(head)
        at += PART.size
        found.append((kind, batch[at : at + length]))
        at += length
    return found if len(found) == count and at == len(batch) else None
