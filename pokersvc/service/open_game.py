"""A game in memory: what its recorded events have made of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic

from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import Entropy, EntropySource
from pokersvc.core.randomness.common_shuffle import SharedEntropy
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.state import Outcome, State
from pokersvc.core.typevars import LegalT, ViewT
from pokersvc.eventlog.record import Record, stored_bytes
from pokersvc.service.errors import NothingToDo
from pokersvc.service.read_models.projections import Projector

SIZE: Final = 5_000
"""Bytes that a game takes without the events that it keeps, and its entry among those in memory."""
SIZE_OF_AN_EVENT: Final = 110
"""Bytes of one that it keeps: of draw poker, whether it was read from a log or made here."""


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands, as everyone may know it."""

    awaited: tuple[int, ...]
    """The seats that must choose, in ascending order; they may choose in any order."""
    count: int
    """How many events are recorded."""
    head: bytes
    """The hash of the last one."""
    kind: str
    """Of the game."""
    kind_to_act: str | None
    """The kind of the seat that must choose, where it is one."""
    outcome: Outcome | None
    pausing: bool
    """Whether the game is between two rounds and a person may leave."""
    seats: tuple[Seat, ...]
    """Who sits where now."""
    to_act: int | None
    """The seat that must choose, where it is one; None where nobody must, or several must."""
    ends_next: bool = False
    """Whether it is pausing and would, as it stands, end without another round."""
    round_ended: bool = False
    """Whether the last command ended a round, so that nobody has chosen in the next one."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[ViewT, LegalT]):
    """What a seat that must choose is asked, all as of one moment."""

    awaited: tuple[int, ...]
    """All seats that must choose now, this one among them."""
    count: int
    """How many events the game has: what the choice may name as ``expected``."""
    legal: LegalT
    """What it may choose: the game's own ``LegalActions``."""
    view: ViewT
    """What it may know."""


@dataclass(slots=True)
class OpenGame:
    """A game with all its secrets, for one thread at a time."""

    game_id: str
    source: EntropySource
    seeds: Entropy
    """Where the seeds come from that the dealer draws alone."""
    game: Game
    replay: Replay
    state: State
    """What its events have made of it: that of the replay."""
    projector: Projector
    count: int = 0
    """How many events are recorded; those of a command that is being made are not."""
    head: bytes = b""
    """The hash of the last event that is recorded."""
    round_ended: bool = False
    """Whether its last recorded command ended a round."""
    stored: int | None = None
    """About how many bytes its recorded events take in the database; None until that is asked for."""

    @classmethod
    def new(cls, game_id: str, game: Game, started: Event, hash_: bytes | None = None) -> "OpenGame":
        """Return the game after the event that starts a game; `NothingToDo` where its secret was withheld."""
        source = game.source(started)
        if source is None:
            raise NothingToDo(f"This copy of game {game_id} lacks the dealer's secrets; it can only be replayed.")
        replay = Replay(game)
        state, projector = replay.take(started, hash_=hash_), Projector(game)
        projector.take(started, "")
        return cls(game_id, source, source.entropy(), game, replay, state, projector)

    @classmethod
    def of(cls, game_id: str, kind: str, records: Iterator[Record]) -> "OpenGame":
        """Return the game that a game's records make, from its first."""
        game = game_of(kind)
        first = next(records)
        started = game.codec.decode(first.type, first.version, first.payload, first.secret)
        open_game = cls.new(game_id, game, started, first.hash)
        open_game.count, open_game.head = first.seq, first.hash
        open_game.follow(records)
        return open_game

    def follow(self, records: Iterable[Record]) -> None:
        """Apply what was recorded next."""
        projector, ends = self.projector, self.projector.ends
        since: int | None = None  # how many events came after the last that ended a round

        def passed(events: list[tuple[Event, str]]) -> None:
            nonlocal since
            if events and events[-1][0].__class__ in ends:
                since = 0
            elif since is not None:
                since = len(events)
            projector.pass_over(events)

        weighed = records if self.stored is None else self._weighed(records, self.stored)
        if (last := self.replay.follow(weighed, passed, ends)) is not None:
            self.count, self.head = last.seq, last.hash
            self.round_ended = since is not None and since < last.n

    def _weighed(self, records: Iterable[Record], stored: int) -> Iterator[Record]:
        for record in records:
            self.stored = stored = stored + stored_bytes(record)
            yield record

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes, without going through them (`python -m benchmarks tables`)."""
        return SIZE + SIZE_OF_AN_EVENT * self.state.record.kept

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where now."""
        return self.replay.seats

    @property
    def entropy(self) -> Entropy:
        """Where the seeds of its dealer come from: shares of the table as well, where it shuffles together."""
        dealing = self.replay.dealing
        return self.seeds if dealing is None else SharedEntropy(dealing, self.source.secret)

    @property
    def holds_up(self) -> bool:
        """Whether its next round waits for shares of a common shuffle, or to be opened for them."""
        dealing = self.replay.dealing
        return dealing is not None and dealing.holds_up(self.state)

    @property
    def waits_for_a_round(self) -> bool:
        """Whether a round begins when somebody says so."""
        return self.state.pausing or self.holds_up

    @property
    def nobody_is_asked(self) -> bool:
        """Whether it pauses for people who may come, and nobody has sat at any of their seats yet."""
        return self.state.pausing and all(seat.kind != HUMAN for seat in self.seats)

    @property
    def kind_to_act(self) -> str | None:
        """The kind of the seat that must choose, where it is one."""
        seat = self.state.to_act
        return None if seat is None else self.seats[seat - 1].kind

    @property
    def awaited_programs(self) -> list[int]:
        """The seats that must choose and are filled by programs, in ascending order."""
        return [seat for seat in self.state.awaited if self.seats[seat - 1].kind != HUMAN]

    @property
    def status(self) -> Status:
        """Where the game stands, as everyone may know it."""
        state = self.state
        return Status(
            awaited=state.awaited,
            count=self.count,
            ends_next=state.ends_next,
            head=self.head,
            kind=self.game.kind,
            kind_to_act=self.kind_to_act,
            outcome=state.outcome,
            pausing=state.pausing,
            round_ended=self.round_ended,
            seats=self.seats,
            to_act=state.to_act,
        )
