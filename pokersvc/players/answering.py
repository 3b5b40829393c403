"""A player's answers as bytes: a policy, an action, or the actions of a batch one after another."""

import builtins
import os
import random
import struct
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeAlias, TypeVar

from pokersvc.players.messages import ANSWERED, BATCH, ILLEGAL, MOST, POLICY, method_of

if TYPE_CHECKING:  # at run time, pokersvc's modules can only be found later
    from pokersvc.core.randomness.chance import StreamRandom

P = ParamSpec("P")
T = TypeVar("T")

Ask: TypeAlias = tuple[object, object, bytes]
"""A view, the legal actions, and the key of the randomness."""

SEED: Final = 32
"""The first bytes of a choice's randomness, which are the seed of the module `random`."""

PART: Final = struct.Struct(">cH")
"""The header of one answer among those of a batch: its kind and its length."""

SLOW: Final = 0.02
"""Seconds of processor time: a choice that takes longer, most of it for preparing the player, is reported."""


class Writes(Protocol):
    """Writes actions and policies as bytes, or returns None for an object that is not of the game."""

    def write(self, action: object) -> bytes | None:
        """Return an action as bytes."""
        ...

    def write_policy(self, policy: object) -> bytes | None:
        """Return a policy as bytes."""
        ...


def answer_of(
    make: Callable[[], Any],
    asks: Sequence[Ask],
    stream: Callable[[bytes], "StreamRandom"],
    writes: Writes,
    preparing: "Preparing",
) -> tuple[bytes, bytes]:
    """Make a player, ask it, and return the kind of its answer and the answer: a policy, a batch or an action.

    The kind is in lower case if most of a slow choice's time went into imports and making the player (`SLOW`).
    """
    preparing.seconds, began = 0.0, process_time()
    kind, answer = _answer_of(preparing.making(make), asks, stream, writes)
    return kind.lower() if preparing.seconds > max(SLOW, (process_time() - began) / 2) else kind, answer


class Preparing:
    """Counts the seconds of processor time that imports and the making of a player take from now on."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._counting = False
        builtins.__import__ = self.making(builtins.__import__)

    def making(self, make: Callable[P, T]) -> Callable[P, T]:
        """Return a function that does the same and counts its time; a call within a counted call adds no time."""
        return partial(self._made, make)  # a nested function would write to more memory pages in each choice

    def _made(self, make: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
        if self._counting:
            return make(*arguments, **named)
        self._counting, began = True, process_time()
        try:
            return make(*arguments, **named)
        finally:
            self._counting = False
            self.seconds += process_time() - began


def _answer_of(
    make: Callable[[], Any], asks: Sequence[Ask], stream: Callable[[bytes], "StreamRandom"], writes: Writes
) -> tuple[bytes, bytes]:
    first, *others = chances = [stream(key) for _, _, key in asks]
    random.seed(first.randbytes(SEED))  # so that a player that uses the global `random` is reproducible too
    for chance in others:
        chance.skip_seed()
    player = make()
    # Look at the class only; an attribute of the object with such a name does not count.
    method = method_of(type(player))
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
    """Return the kind and bytes of each answer in a batch of arbitrary bytes; None unless it has ``count`` answers."""
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


def write_all(pipe: int, data: bytes) -> None:
    """Write to a pipe, and wait until it is read; data longer than `MOST` are written in several parts."""
    while data:
        data = data[os.write(pipe, data) :]
