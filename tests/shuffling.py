"""A table that shuffles together in a test: devices that follow its log, bind themselves and open their shares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pokersvc.core.actions import Action
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.remote.device import Device
from pokersvc.service import Recorded, Service

DEALT_TOGETHER = [kind for kind in game_kinds() if game_of(kind).dealt_together]
TOGETHER = TableSettings(dealing="together", opens_seeds=True)
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo")


class Turned:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 31, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Table:
    """One game, with a device for each person and a copy of everyone's that is followed from the log."""

    service: Service
    clock: Turned
    kind: str = "draw"
    people: int = 2
    bots: int = 1
    rounds: int | None = None
    settings: TableSettings = TOGETHER
    length: int = 40
    named: str | None = None
    """The game's id; a fresh one unless it is given."""
    devices: dict[int, Device] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = game_of(self.kind)
        bot = next(iter(game.players))
        kinds = [HUMAN] * self.people + [bot] * self.bots
        seats = tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))
        self.seats = seats
        setup = Setup(seats, EntropySource.fresh(), self.rounds, dict(self.options))
        self.game_id, _ = self.service.start(self.kind, setup, table=self.settings, game_id=self.named)
        self.replay = Replay(game, EVERYONE)
        self._count, self._head = 0, bytes(32)
        self.random = Random(1)
        self.follow()

    def follow(self) -> list[Recorded]:
        """Apply new events to the copy."""
        found = self.service.since(self.game_id, self._count, self._head)
        for one in found:
            self.replay.take(one.event, one.record.recorded_at, one.record.hash)
            self._count, self._head = one.record.seq, one.record.hash
            if one.record.seq == 1:
                self.start = one.record.hash
        return found

    @property
    def dealing(self) -> Dealing:
        """The copy's fold of the common shuffle."""
        self.follow()
        dealing = self.replay.dealing
        assert dealing is not None
        return dealing

    def bind(self, *seats: int) -> None:
        """Bind seats (by default those of all people), each with a new device."""
        for seat in seats or range(1, self.people + 1):
            before = self.devices.get(seat)
            device = self.devices[seat] = Device.fresh(self.start, seat, length=self.length)
            self.service.table_act(self.game_id, device.bind(before))

    def open_round(self) -> None:
        """Have the next round await its shares."""
        self.service.go_on(self.game_id)

    def share(self, *seats: int) -> list[Recorded]:
        """Open the shares of seats, by default all that are awaited."""
        dealing, found = self.dealing, []
        for seat in seats or dealing.waiting:
            action = self.devices[seat].open(dealing)
            assert action is not None
            found = self.service.open_share(self.game_id, action)
        self.follow()
        return found

    def miss(self) -> list[Recorded]:
        """Let the time for shares run out."""
        self.clock.turn(self.settings.share_seconds)
        found = self.service.miss_shares(self.game_id, self.clock.now)
        self.follow()
        return found

    def act(self) -> list[Recorded]:
        """Let the seats that must choose act as the game's bot does."""
        status = self.service.status(self.game_id)
        seat = status.awaited[0]
        if status.seats[seat - 1].kind != HUMAN:
            return self.service.step(self.game_id, seat=seat)
        return self.service.act(self.game_id, self.choice(seat))

    def choice(self, seat: int) -> Action:
        """Return the action that the game's bot chooses."""
        turn = self.service.turn(self.game_id, seat)
        player: Any = next(iter(game_of(self.kind).players.values()))()
        action: Action = player.choose(turn.view, turn.legal, self.random)
        return action

    def play_round(self) -> None:
        """Play until the next round waits, or the game is over."""
        while (status := self.service.status(self.game_id)).awaited and status.outcome is None:
            self.act()
        self.follow()

    def play(self, *, missing: dict[int, tuple[int, ...]] | None = None) -> None:
        """Play to the end; ``missing`` names the seats that open no share, by round."""
        while self.service.status(self.game_id).outcome is None:
            self.open_round()
            round_ = self.dealing.round
            away = (missing or {}).get(round_, ())
            self.share(*[seat for seat in self.dealing.waiting if seat not in away])
            if away:
                self.miss()
            self.play_round()
