"""A game in memory, in the state after its recorded events."""

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
"""The bytes that a game and its entry in `OpenGames` take in memory, without the events that the game keeps."""
SIZE_OF_AN_EVENT: Final = 110
"""The bytes in memory of one event that a game keeps, measured in draw poker for events read and events made."""


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a game, as everyone may know it."""

    awaited: tuple[int, ...]
    """The seats that must choose, listed in ascending order; they may choose in any order."""
    count: int
    """The number of recorded events."""
    head: bytes
    """The hash of the last recorded event."""
    kind: str
    """The kind of the game."""
    kind_to_act: str | None
    """The kind of player (a person or a bot's name) at the seat ``to_act``; None without such a seat."""
    outcome: Outcome | None
    pausing: bool
    """Whether the game is between two rounds and a person may leave."""
    seats: tuple[Seat, ...]
    """The seats as they are now."""
    to_act: int | None
    """The seat that must choose; None if no seat or several must choose."""
    ends_next: bool = False
    """Whether the game is pausing and will end without another round unless something changes."""
    may_return: bool = False
    """Whether the game is pausing, and a person who is out of it may come back."""
    round_ended: bool = False
    """Whether the last command ended a round, so that nobody has chosen in the next round yet."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[ViewT, LegalT]):
    """The turn of a seat that must choose: its choices and its view after event ``count``."""

    awaited: tuple[int, ...]
    """All seats that must choose now, including the seat whose turn this is."""
    count: int
    """The number of the game's events; `Service.act` takes it as ``expected``."""
    legal: LegalT
    """The seat's choices: the game's own ``LegalActions``."""
    view: ViewT
    """The seat's view of the game."""


@dataclass(slots=True)
class OpenGame:
    """A game with all its secrets, for one thread at a time."""

    game_id: str
    source: EntropySource
    seeds: Entropy
    """The source of the seeds that the dealer draws alone."""
    game: Game
    replay: Replay
    state: State
    """The game's state after all its events; the same object as the replay's state."""
    projector: Projector
    count: int = 0
    """The number of recorded events; those of a command in progress are not counted."""
    head: bytes = b""
    """The hash of the last recorded event."""
    round_ended: bool = False
    """Whether its last recorded command ended a round."""
    stored: int | None = None
    """The approximate size of its recorded events in the database, in bytes; None until somebody needs it."""

    @classmethod
    def new(cls, game_id: str, game: Game, started: Event, hash_: bytes | None = None) -> "OpenGame":
        """Return a new game with its start event applied; raise `NothingToDo` if the event's secret was withheld."""
        source = game.source(started)
        if source is None:
            raise NothingToDo(f"This copy of game {game_id} lacks the dealer's secrets; it can only be replayed.")
        replay = Replay(game)
        state, projector = replay.take(started, hash_=hash_), Projector(game)
        projector.take(started, "")
        return cls(game_id, source, source.entropy(), game, replay, state, projector)

    @classmethod
    def of(cls, game_id: str, kind: str, records: Iterator[Record]) -> "OpenGame":
        """Rebuild a game from all its records."""
        game = game_of(kind)
        first = next(records)
        started = game.codec.decode(first.type, first.version, first.payload, first.secret)
        open_game = cls.new(game_id, game, started, first.hash)
        open_game.count, open_game.head = first.seq, first.hash
        open_game.follow(records)
        return open_game

    def follow(self, records: Iterable[Record]) -> None:
        """Apply the records that follow the game's last event."""
        projector, ends = self.projector, self.projector.ends
        since: int | None = None  # the number of events after the last one that ended a round

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
        """The approximate bytes that the game takes in memory, estimated from its events (see `benchmarks tables`)."""
        return SIZE + SIZE_OF_AN_EVENT * self.state.record.kept

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats as they are now."""
        return self.replay.seats

    @property
    def entropy(self) -> Entropy:
        """The source of the dealer's seeds; at a table that shuffles together, the seats' shares contribute to it."""
        dealing = self.replay.dealing
        return self.seeds if dealing is None else SharedEntropy(dealing, self.source.secret)

    @property
    def holds_up(self) -> bool:
        """Whether the next round waits for a shuffle by dealer and seats: for shares, or for a request for shares."""
        dealing = self.replay.dealing
        return dealing is not None and dealing.holds_up(self.state)

    @property
    def waits_for_a_round(self) -> bool:
        """Whether the next round begins only on request (`Service.go_on`)."""
        return self.state.pausing or self.holds_up

    @property
    def nobody_is_asked(self) -> bool:
        """Whether the game pauses between rounds while no person sits at any of its seats."""
        return self.state.pausing and all(seat.kind != HUMAN for seat in self.seats)

    @property
    def kind_to_act(self) -> str | None:
        """The kind of player (a person or a bot's name) at the seat that must choose; None unless exactly one must."""
        seat = self.state.to_act
        return None if seat is None else self.seats[seat - 1].kind

    @property
    def awaited_programs(self) -> list[int]:
        """The seats that must choose and are played by bots, in ascending order."""
        return [seat for seat in self.state.awaited if self.seats[seat - 1].kind != HUMAN]

    @property
    def status(self) -> Status:
        """The status of the game, as everyone may know it."""
        state = self.state
        return Status(
            awaited=state.awaited,
            count=self.count,
            ends_next=state.ends_next,
            head=self.head,
            kind=self.game.kind,
            kind_to_act=self.kind_to_act,
            may_return=state.pausing and any(map(state.may_come_back, range(1, len(self.seats) + 1))),
            outcome=state.outcome,
            pausing=state.pausing,
            round_ended=self.round_ended,
            seats=self.seats,
            to_act=state.to_act,
        )
