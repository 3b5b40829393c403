"""Random walks of a table: after each event, the possible next events, the refusals, and the whole state."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc.core.actions import Action, IllegalAction, Leave
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.common_shuffle import SharedEntropy
from pokersvc.core.randomness.share_events import SeatBound, ShareMissed, ShareOpened, SharesAwaited
from pokersvc.core.randomness.shares import Links, bound_message, opened_message
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.core.tables.clock import SECOND, Clock, ShareClock, microseconds, moment_of
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import (
    CameBack,
    ClockRestarted,
    DeviceChanged,
    SeatRemoved,
    SeatReplaced,
    TablePaused,
    TableResumed,
    TableSettings,
    TimedOut,
    settings_events,
)
from pokersvc.core.tables.table_words import RoundsChecked, event_words, shuffle_words
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import DeckShuffled
from tests.digested import Digested

_SOURCE: Final = EntropySource.from_text("a walk")
_START: Final = sha256(b"start").digest()
_NAMES: Final = ("Ann", "You", "Cy", "Dee")
_STEPS: Final = 130
_MAY_BE: Final = "may be"


class _Walk:
    """A game of draw poker at a table with both clocks (for choices and for shares)."""

    def __init__(self, settings: TableSettings, number: int) -> None:
        self.random = Random(number)
        self.seats = tuple(Seat(HUMAN if name != "Dee" else "random", name) for name in _NAMES)
        started = DRAW_POKER.start(Setup(self.seats, _SOURCE, None, {"rules": "fixed-limit"}))
        self.state: State = DRAW_POKER.new(started)
        self.state.record.stop()
        self.table = Table(self.seats)
        self.at = number * SECOND
        self.roots: dict[bytes, bytes] = {}
        """The tip of a hash chain → its root."""
        for event in settings_events(settings):
            self.table.apply(event)
        if self.table.dealing is not None:
            self.table.dealing.start = _START
        self.clock = Clock(self.table)
        self.shares = None if self.table.dealing is None else ShareClock(self.table.dealing)

    def lines(self) -> Iterator[str]:
        """Yield the state after each step, as lines."""
        for number in range(_STEPS):
            yield f"{number} {self._step()}"
            yield from self._known()

    def _step(self) -> str:
        """Apply one possible event: sometimes one of the table, else the next of the game."""
        if (due := self.table.due) is not None:
            action = Leave(due.seat) if due.leaves else self._default(due.seat, away=due.away)
            self._take(self.state.decide(action), due.seat)
            return str(action)
        between = self.state.pausing or (self.table.dealing is not None and self.table.dealing.holds_up(self.state))
        for _ in range(12 if between else self.random.randrange(3)):
            event = self._any(self.random)
            if self._checked(event) == _MAY_BE:
                self._take(event, None)
                return event_words(DRAW_POKER, event, self.state, self.seats)
        entropy = _SOURCE.entropy()
        if (dealing := self.table.dealing) is not None and dealing.complete:
            entropy = SharedEntropy(dealing, _SOURCE.secret)
        seat, event_ = self.state.to_act, self.state.dealer_event(entropy)
        if event_ is None and seat is not None:
            player = DRAW_POKER.players["random"]()
            event_ = self.state.decide(player.choose(self.state.view(seat), self.state.legal(seat), self.random))
        if event_ is None:
            return "nothing comes"
        self._take(event_, seat)
        return str(event_)

    def _default(self, seat: int, *, away: bool) -> Action:
        return self.state.default_action(seat, away=away, random=self.random)

    def _take(self, event: Event, chooser: int | None) -> None:
        self.at += self.random.choice((-2, 0, 1, 7, 21, 40)) * SECOND + self.random.randrange(SECOND)
        if isinstance(event, TableEvent):
            self.table.apply(event)
            if isinstance(event, SharesAwaited) and self.table.dealing and self.table.dealing.awaited:
                self.table.dealing.awaited.head = self.random.choice((None, _START, _START))
        else:
            self.state.apply(event)
            self.table.went_on(event, chooser, shuffled=isinstance(event, DeckShuffled))
        at = self.random.choice((self.at, self.at, None))
        self.clock.take(at, event, chooser, self.state.awaited)
        if self.shares is not None:
            self.shares.take(at, event, paused=self.table.paused)
        if self.random.random() < 0.015:
            name, names = f"New{self.at % 97}", list(self.seats)
            names[self.at % 3] = Seat(HUMAN, name)
            self.seats = tuple(names)
            for seat in self.table.reseated(self.seats):
                self.clock.refill(seat)

    def _any(self, random: Random) -> TableEvent:
        """Return an event at a table, the shares among them mostly right."""
        seat = random.choice((1, 1, 2, 2, 3, 4, 5))
        dealing = self.table.dealing
        round_ = 1 if dealing is None else dealing.round
        asked = () if dealing is None else dealing.asked(self.state, self.table.sitting_out)
        plain: list[TableEvent] = [TimedOut(seat), CameBack(seat), TablePaused(), TableResumed(), TableResumed()] * 2
        plain += [ClockRestarted(), SeatReplaced(seat), DeviceChanged(seat), SeatRemoved(seat)]
        plain += [ShareMissed(seat), *settings_events(_TIMED)]
        shared = [self._bound(seat, random), self._opened(seat, round_, random), self._opened(seat, round_, random)]
        shared += [
            SharesAwaited(round_ + 1, asked or (1,)),
            SharesAwaited(round_ + random.choice((1, 2)), asked or (2,)),
        ]
        if dealing is None:
            return random.choice([*plain, shared[0]])
        for awaited in dealing.waiting[:1]:
            shared += [self._opened(awaited, round_, random)] * 8
        return random.choice([*plain, *shared * 3])

    def _bound(self, seat: int, random: Random) -> SeatBound:
        """Return a binding to a new chain, or to the one before, signed by this key or by a wrong one."""
        root = bytes([random.randrange(3 if random.random() < 0.3 else 256)]) * 32
        tip = Links(_START, seat).after(root, 4)
        self.roots[tip] = root
        signer, key = _key(seat), _key(seat).public_key().public_bytes_raw()
        message = bound_message(_START, seat, key, tip, 4)
        renewal = random.choice((None, None, signer.sign(message), _key(9).sign(message)))
        if random.random() < 0.1:
            key = bytes(32)
        return SeatBound(key, 4, renewal, seat, random.choice([signer] * 6 + [_key(9)]).sign(message), tip)

    def _opened(self, seat: int, round_: int, random: Random) -> ShareOpened:
        share = bytes(32)
        binding = None if self.table.dealing is None else self.table.dealing.bindings.get(seat)
        if binding is not None and random.random() < 0.9:
            share = Links(_START, seat).after(self.roots[binding.tip], max(binding.last - round_, 0))
        message = opened_message(_START, round_, seat, share, _START)
        return ShareOpened(seat, share, _key(random.choice([seat] * 6 + [9])).sign(message))

    def _known(self) -> Iterator[str]:
        table, clock = self.table, self.clock
        yield f"{table.settings} {table.timed} {table.paused} {table.timeouts} {table.sitting_out} {table.replaced}"
        yield f"{table.due} {table.names} {table.nobody_sits_in(self.state)} {clock.now} {clock.bank} {clock.deadlines}"
        yield f"{[clock.left(seat, self.at) for seat in range(1, 5)]} {[clock.left(1, self.at + 25 * SECOND)]}"
        if (dealing := table.dealing) is not None and self.shares is not None:
            yield str([getattr(dealing, name) for name in dealing.__slots__ if name != "tips"])
            yield f"{sorted(dealing.tips)} {dealing.waiting} {dealing.complete} {dealing.holds_up(self.state)}"
            yield f"{dealing.asked(self.state, table.sitting_out)} {dealing.forgone_next(self.state)}"
            yield f"{self.shares.deadline} {self.shares.left(self.at)} {self.shares.left(self.at + 30 * SECOND)}"
            yield shuffle_words(dealing, self.seats, "later", RoundsChecked(self.at % 3, 1, 2))
        random = Random(self.at)
        for event in [self._any(random) for _ in range(6)]:
            yield f"{event} {self._checked(event)} {self._applied(event)}"
        for check in (table.check_shares, table.check_choice, partial(table.check_round, self.state)):
            yield _refused(check)

    def _checked(self, event: TableEvent) -> str:
        return _refused(partial(self.table.check, event, self.state))

    def _applied(self, event: TableEvent) -> str:
        try:
            deepcopy(self.table).apply(event)
        except ImpossibleEvent as impossible:
            return str(impossible)
        return "taken"


def _key(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def _refused(check: Callable[[], None]) -> str:
    try:
        check()
    except IllegalAction as refused:
        return f"{refused.code}: {refused}"
    return _MAY_BE


def _moments() -> Iterator[str]:
    for at in (-1, 0, 1, 999_999, 1_000_000, 86_400_000_000, 1_800_000_000_000_001):
        yield f"{at} {moment_of(at).isoformat()} {microseconds(moment_of(at))}"


_TIMED: Final = TableSettings(seconds=20, bank=15)
_LINES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    **{
        f"{dealing} {settings.seconds} {number}": _Walk(settings, number).lines
        for number in range(1, 4)
        for dealing, settings in (
            ("dealer", _TIMED),
            ("dealer", TableSettings(advice=False)),
            ("together", TableSettings(seconds=20, bank=15, dealing="together", share_seconds=10)),
            ("together", TableSettings(dealing="together", opens_seeds=True)),
        )
        if number < 3 or dealing == "together"
    },
    "moments": _moments,
}
WALKED: Final = Digested(Path(__file__).with_name("digests.json"), lambda: _LINES)
