"""The common shuffle of a table: dealer and seats make it together, so that nobody chooses the result.

The dealer and each seat bind themselves once. Before each round that needs a new shuffle, every bound seat opens one
share, and the seed is derived from all of them and from the dealer's part. docs/fairness.md says what that proves;
docs/shares.md defines every byte. The state of a shuffle is a fold over the table's events.
"""

import dataclasses
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.core.actions import ForgoRound, IllegalAction
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.randomness.ed25519 import is_signed, is_weak
from pokersvc.core.randomness.share_events import SeatBound, ShareMissed, ShareOpened, SharesAwaited
from pokersvc.core.randomness.shares import Links, bound_message, dealers_part, opened_message, round_seed
from pokersvc.core.state import State
from pokersvc.core.tables.table_event import TableEvent


class Binding(NamedTuple):
    """A seat's key and hash chain of shares, recorded together: the seat must open these shares, one in each round."""

    key: bytes
    length: int
    first: int
    """The first round whose share comes from this chain."""
    tip: bytes
    known: int
    """The last round whose share was opened; the round before ``first`` if none was opened yet."""
    link: bytes
    """The share of the round ``known``; the tip of the chain if no share was opened yet."""

    @property
    def last(self) -> int:
        """The last round for which the chain has a share."""
        return self.first + self.length - 1


@dataclass(slots=True)
class Awaited:
    """A round whose shares are awaited, or are complete and will be shuffled next."""

    round: int
    seats: tuple[int, ...]
    away: tuple[int, ...]
    """The seats that sit out when the round opens: they give no share and forgo the round."""
    head: bytes | None = None
    """The hash of the round's `SharesAwaited` event; None until that is recorded."""
    shares: dict[int, bytes] = dataclasses.field(default_factory=dict)
    """Seat → the share that it opened, empty if it opened none in time; a seat still awaited has no entry."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose share is still to come, in ascending order."""
        return tuple(seat for seat in self.seats if seat not in self.shares)

    @property
    def complete(self) -> bool:
        """Whether each seat opened its share or missed it; if all missed it, the round is not played."""
        return len(self.shares) == len(self.seats)

    @property
    def missed(self) -> tuple[int, ...]:
        """The seats that did not open their share in time, in ascending order."""
        return tuple(seat for seat in self.seats if self.shares.get(seat) == b"")


class Span(NamedTuple):
    """A range of consecutive rounds, both ends included."""

    first: int
    last: int


class Dealing:
    """The state of a table's common shuffle after its events so far.

    `start` and the head of a round are hashes of stored events; the caller that feeds the fold (`Replay`) sets them.
    """

    __slots__ = (
        "awaited",
        "bindings",
        "forgoing",
        "former",
        "keys",
        "missed",
        "part",
        "replaced",
        "round",
        "seconds",
        "start",
        "tips",
        "unplayed",
    )

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self.start: bytes | None = None
        """The hash of the event that started the game; None until it is recorded."""
        self.bindings: dict[int, Binding] = {}
        self.keys: dict[int, bytes] = {}
        """Seat → the last key that its holder bound it to; kept when a new link for the seat ends the binding."""
        self.tips: set[tuple[int, bytes]] = set()
        """(seat, tip) of every chain ever bound; a chain is never bound again, because its opened shares are known."""
        self.round = 0
        """The number of the last round that was opened."""
        self.awaited: Awaited | None = None
        """The round whose shares are awaited or complete, until it is shuffled."""
        self.forgoing: tuple[int, ...] = ()
        """The seats that gave no share to the round just dealt, and forgo it as soon as a seat must choose in it.

        They missed the time for a share, or sat out."""
        self.part: dict[int, list[Span]] = {}
        """Seat → the rounds to whose shuffle it gave a share."""
        self.missed: dict[int, list[int]] = {}
        """Seat → the rounds in which it did not open its share in time."""
        self.replaced: dict[int, int] = {}
        """Seat → how often it was bound again without a signature by the key that it had before."""
        self.former: dict[int, list[str]] = {}
        """Seat → the names of its former holders, from the first."""
        self.unplayed: list[int] = []
        """The rounds that were not played because no share came."""

    # Queries.

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose share is awaited now, in ascending order."""
        return () if self.awaited is None else self.awaited.waiting

    @property
    def complete(self) -> bool:
        """Whether all shares of a round have come or were missed, so that its shuffle comes next."""
        return self.awaited is not None and self.awaited.complete

    def holds_up(self, state: State) -> bool:
        """Return whether the next round must wait for the shares of its shuffle."""
        return not self.complete and state.deals_to() is not None

    def asked(self, state: State, sitting_out: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats that the next round asks for a share: bound, dealt in, and not sitting out."""
        number = self.round + 1
        return tuple(
            seat
            for seat in state.deals_to() or ()
            if seat not in sitting_out
            and (binding := self.bindings.get(seat)) is not None
            and binding.first <= number <= binding.last
        )

    def forgone_next(self, state: State) -> Event | None:
        """Return the next `RoundForgone` event of a seat that gave no share to this round; None if none is due."""
        for seat in self.forgoing if state.awaited else ():
            with suppress(IllegalAction):  # it was not dealt in
                return state.decide(ForgoRound(seat))
        return None

    def seed(self, secret: bytes) -> bytes:
        """Return the seed of the round whose shares are complete, derived from them and the dealer's secret."""
        awaited, start = self.awaited, self.start
        assert awaited is not None
        assert awaited.complete
        assert start is not None
        shares = [(seat, awaited.shares[seat]) for seat in awaited.seats]
        return round_seed(dealers_part(secret, awaited.round), start, awaited.round, shares)

    # Changes by events.

    def apply(self, event: TableEvent, sitting_out: tuple[int, ...]) -> None:
        """Change the state by an event of the shuffle; raise `ImpossibleEvent` for a share that is not awaited."""
        match event:
            case SeatBound():
                self._bound(event)
            case SharesAwaited():
                self.round = event.round
                self.forgoing = ()
                self.awaited = Awaited(
                    event.round, event.seats, tuple(seat for seat in sitting_out if seat not in event.seats)
                )
            case ShareOpened():
                self._asked(event, event.seat).shares[event.seat] = event.share
                binding = self.bindings[event.seat]
                self.bindings[event.seat] = binding._replace(known=self.round, link=event.share)
                self._note_part(event.seat)
            case ShareMissed():
                awaited = self._asked(event, event.seat)
                awaited.shares[event.seat] = b""
                self.missed.setdefault(event.seat, []).append(awaited.round)
                if awaited.complete and not any(awaited.shares.values()):
                    self.unplayed.append(awaited.round)
                    self.awaited = None

    def _bound(self, event: SeatBound) -> None:
        if event.seat in self.keys and event.renewal is None:
            self.replaced[event.seat] = self.replaced.get(event.seat, 0) + 1
        self.keys[event.seat] = event.key
        self.tips.add((event.seat, event.tip))
        first = self.round + 1
        self.bindings[event.seat] = Binding(event.key, event.length, first, event.tip, first - 1, event.tip)

    def link_replaced(self, seat: int) -> None:
        """Note that a seat has a new link or moved to another device; the old device is no longer asked for shares."""
        self.bindings.pop(seat, None)

    def reseated(self, seat: int, before: str) -> None:
        """Note that a seat has a new holder, who will bind it to a new key; ``before`` is the former holder's name."""
        self.link_replaced(seat)
        self.keys.pop(seat, None)
        self.former.setdefault(seat, []).append(before)

    def _asked(self, event: TableEvent, seat: int) -> Awaited:
        if self.awaited is None or seat not in self.awaited.waiting or seat not in self.bindings:
            raise ImpossibleEvent(event, f"no share of seat {seat} is awaited")
        return self.awaited

    def _note_part(self, seat: int) -> None:
        spans = self.part.setdefault(seat, [])
        if spans and spans[-1].last == self.round - 1:
            spans[-1] = Span(spans[-1].first, self.round)
        else:
            spans.append(Span(self.round, self.round))

    def shuffled(self) -> None:
        """Note that the awaited round was shuffled: seats that gave no share will forgo it."""
        if self.awaited is not None:
            self.forgoing = tuple(sorted(self.awaited.missed + self.awaited.away))
            self.awaited = None

    def forgone(self, seat: int) -> None:
        """Note that a seat has forgone the round, so that it forgoes the round only once."""
        self.forgoing = tuple(other for other in self.forgoing if other != seat)

    # Checks of the events that may come now. A clock decides whether time is over.

    def check(self, event: TableEvent, state: State, people: frozenset[int], sitting_out: tuple[int, ...]) -> None:
        """Raise `IllegalAction` if an event of the shuffle may not come now; ``people`` are the seats of people."""
        match event:
            case SeatBound():
                self._check_bound(event, state, people)
            case SharesAwaited():
                self._check_awaited(event, state, sitting_out)
            case ShareOpened():
                self._check_opened(event)
            case ShareMissed():
                self._check_asked(event.seat)

    def check_none_awaited(self) -> None:
        """Raise `IllegalAction` while shares are awaited, because nothing else may happen in the game then."""
        if self.awaited is not None:
            raise IllegalAction("shares_awaited", "The table waits for shares of the shuffle, and then deals.")

    def _check_bound(self, event: SeatBound, state: State, people: frozenset[int]) -> None:
        self.check_none_awaited()
        if event.seat not in people:
            raise IllegalAction("not_a_person", f"Seat {event.seat} is a bot's; bots take no part in the shuffle.")
        if state.deals_to() is None and not state.pausing:
            raise IllegalAction("round_on", "A seat is bound between two rounds; this one is being played.")
        if is_weak(event.key):
            raise IllegalAction("weak_key", f"{event.key.hex()} is not a key whose signatures prove anything.")
        message = bound_message(self._start(), event.seat, event.key, event.tip, event.length)
        if not is_signed(message, event.signature, event.key):
            raise IllegalAction("not_signed", f"The binding of seat {event.seat} is not signed by its key.")
        if (event.seat, event.tip) in self.tips:
            raise IllegalAction(
                "known_chain",
                f"Seat {event.seat} was bound to the chain {event.tip.hex()[:8]} before; it needs a new one.",
            )
        if event.renewal is None:
            return
        before = self.keys.get(event.seat)
        if before is None or not is_signed(message, event.renewal, before):
            raise IllegalAction("not_signed", f"The renewal of seat {event.seat} is not signed by the key it had.")

    def _check_awaited(self, event: SharesAwaited, state: State, sitting_out: tuple[int, ...]) -> None:
        self.check_none_awaited()
        if state.deals_to() is None:
            raise IllegalAction("no_round", "No round that needs a shuffle begins now, so no shares are awaited.")
        if not (asked := self.asked(state, sitting_out)):
            raise IllegalAction("nobody_bound", "No seat that is dealt in is bound to shares; one at least is needed.")
        if event != SharesAwaited(self.round + 1, asked):
            seats = ", ".join(map(str, asked))
            raise IllegalAction("wrong_round", f"Round {self.round + 1} comes next, with shares of the seats {seats}.")

    def _check_asked(self, seat: int) -> tuple[Awaited, Binding]:
        binding = self.bindings.get(seat)
        if self.awaited is None or binding is None or seat not in self.awaited.waiting:
            waiting = ", ".join(map(str, self.waiting)) or "none"
            raise IllegalAction("not_awaited", f"No share of seat {seat} is awaited; seats awaited: {waiting}.")
        return self.awaited, binding

    def _check_opened(self, event: ShareOpened) -> None:
        awaited, binding = self._check_asked(event.seat)
        if awaited.head is None:
            raise IllegalAction("not_recorded", "The round was not recorded yet, so nobody can have signed it.")
        links = Links(self._start(), event.seat)
        if links.after(event.share, awaited.round - binding.known) != binding.link:
            raise IllegalAction("wrong_share", f"That is not the share of seat {event.seat} for round {awaited.round}.")
        message = opened_message(self._start(), awaited.round, event.seat, event.share, awaited.head)
        if not is_signed(message, event.signature, binding.key):
            raise IllegalAction(
                "not_signed",
                f"The share of seat {event.seat} is not signed by its key for round {awaited.round} of this history.",
            )

    def _start(self) -> bytes:
        assert self.start is not None
        return self.start


@dataclass(frozen=True, slots=True)
class SharedEntropy:
    """The seeds of a table that shuffles together, derived from the shares of each round and the dealer's secret."""

    dealing: Dealing
    secret: bytes

    def seed(self, index: int) -> bytes:
        """Return the seed of the round whose shares are complete; the ``index`` that the game asks for is ignored."""
        return self.dealing.seed(self.secret)
