"""Devices at a table that shuffles together, over HTTP."""

from typing import Any
from uuid import uuid4

import httpx

from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.evidence.audit.reading import shown_secret
from pokersvc.remote.copy import record_of
from pokersvc.remote.device import Device

from .guests import Held, Made

LINKS = 40
"""Chains of tests are short."""


def replay_of(made: Made) -> Replay:
    """Return what everybody was told of a game, replayed."""
    now = made.watch.snapshot()
    replay = Replay(game_of(now["kind"]), EVERYONE)
    for members in made.watch.events(now["count"]):
        record = record_of(made.game, members)
        event = replay.game.codec.decode(record.type, record.version, record.payload, shown_secret(record))
        replay.take(event, record.recorded_at, record.hash)
    return replay


def dealing_of(made: Made) -> Dealing:
    dealing = replay_of(made).dealing
    assert dealing is not None
    return dealing


class Sharer:
    """A seat that takes part in the shuffle."""

    def __init__(self, made: Made, seat: int, *, length: int = LINKS) -> None:
        self.made, self.held = made, made.seat(seat)
        start = dealing_of(made).start
        assert start is not None
        self.device = Device.fresh(start, seat, length=length)

    def binding(self, before: Device | None = None) -> dict[str, Any]:
        action = self.device.bind(before)
        return {
            "id": str(uuid4()), "key": action.key.hex(), "tip": action.tip.hex(), "length": action.length,
            "signature": action.signature.hex(), "renewal": None if action.renewal is None else action.renewal.hex(),
        }  # fmt: skip

    def share(self) -> dict[str, Any]:
        action = self.device.open(dealing_of(self.made))
        assert action is not None
        return {"id": str(uuid4()), "share": action.share.hex(), "signature": action.signature.hex()}

    def bind(self, before: Device | None = None) -> httpx.Response:
        return post(self.held, "binding", self.binding(before))

    def open(self) -> httpx.Response:
        return post(self.held, "share", self.share())


def post(held: Held, what: str, body: dict[str, Any]) -> httpx.Response:
    return held.guest.post(f"{held.path}/{what}", json=body, headers=held.headers)


def awaited(made: Made, round_: int) -> dict[str, Any]:
    """Wait until a round awaits shares, and return where the shuffle stands."""
    return until(made, lambda shares: shares["round"] == round_ and bool(shares["waiting"]))


def until(made: Made, holds: Any) -> dict[str, Any]:
    """Wait until something holds of the shuffle, and return where it stands."""
    while True:
        now = made.watch.snapshot()
        shares: dict[str, Any] = now["shares"]
        if holds(shares):
            return shares
        with made.watch.stream(after=now["count"]) as told:
            next(one for one in told if one.event == "record")
