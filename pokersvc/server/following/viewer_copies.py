"""Copies of games, each for one point of view: a copy never holds anything that its viewer may not know."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, Final, NamedTuple

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.core.tables.clock import Clock
from pokersvc.core.tables.level_clock import LevelClock
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_events import ComeBack
from pokersvc.core.tables.table_words import event_words
from pokersvc.core.words import NOT_ADVISED, InvalidAnswer, not_understood
from pokersvc.eventlog.record import GENESIS
from pokersvc.server.models.game_models import Chosen, Close, GoOn
from pokersvc.server.viewpoint import Viewpoint
from pokersvc.service import Service
from pokersvc.service.shown import Recorded
from pokersvc.system.eviction import Eviction

SHARE: Final = 4
"""Copies for viewers take at most 1/``SHARE`` of the server's memory for games; the games take the rest."""
SIZE: Final = 10_000
"""The estimated bytes of memory of a copy without its lines."""
SIZE_OF_A_LINE: Final = 250
_COMMON: Final[dict[str, Callable[[int], Chosen]]] = {
    "leave": Leave, "next": GoOn, "go on": GoOn, "back": ComeBack, "close": Close,
}  # fmt: skip
"""Text that a person may type in every game → its action."""
LINES: Final = 200
"""The number of last events whose lines a copy keeps."""


class EventLine(NamedTuple):
    """One event in words."""

    seq: int
    text: str


class ViewerCopy:
    """One game from one point of view, for one thread at a time."""

    def __init__(self, kind: str, game_id: str, viewpoint: Viewpoint) -> None:
        self.game = game_of(kind)
        self.game_id, self.viewpoint = game_id, viewpoint
        self.count, self.head = 0, GENESIS
        self.lines: deque[EventLine] = deque(maxlen=LINES)
        self.lock = Lock()
        self.failed = False
        """Whether an update failed midway; the copy may then be inconsistent and is no longer used."""
        self._seats: tuple[Seat, ...] = ()
        self._replay = Replay(self.game, viewpoint.viewer, keeps_record=False)

    @property
    def state(self) -> State:
        """The game after the last event, as far as the viewer may know it."""
        return self._replay.state

    @property
    def replay(self) -> Replay:
        """The replay of the viewer's events, which callers may only query."""
        return self._replay

    @property
    def table(self) -> Table:
        """The state of the table itself: its settings, pauses, and who sits out."""
        return self._replay.table

    @property
    def clock(self) -> Clock | None:
        """The time that people have to choose; None if the table has no clock."""
        return self._replay.clock

    @property
    def level_clock(self) -> LevelClock | None:
        """The time of levels that end by time; None if there are none."""
        return self._replay.level_clock

    @property
    def size(self) -> int:
        """The estimated bytes of memory of the copy, computed from the number of its lines."""
        return SIZE + SIZE_OF_A_LINE * len(self.lines)

    def follow(
        self,
        service: Service,
        each: Callable[[Recorded, State], None] | None = None,
        upto: int | None = None,
        known: int = 0,
    ) -> None:
        """Take the events that were recorded since the last call, up to event ``upto`` if it is given.

        A copy with at least ``known`` events does not look for more.
        """
        while (
            (upto is None or self.count < upto)
            and (not known or self.count < known)
            and (found := service.since(self.game_id, self.count, self.head, viewer=self.viewpoint.viewer, known=known))
        ):
            for recorded in found:
                if upto is not None and recorded.record.seq > upto:
                    break
                self._take(recorded)
                if each is not None:
                    each(recorded, self.state)

    def view(self) -> Any:
        """Return the game's view for the viewer."""
        return self.state.view(self.viewpoint.viewer)

    def legal(self) -> Any:
        """Return the choices that the viewer's seat has now; None if it need not choose."""
        seat = self.viewpoint.viewer
        if seat == EVERYONE or seat not in self.state.awaited:
            return None
        with suppress(IllegalAction, WithheldSecrets):
            return self.state.legal(seat)
        return None

    def typed(self, text: str, *, advised: bool) -> Chosen:
        """Return the action that a person has typed for their seat; raise `InvalidAnswer` with what can be typed."""
        said = text.strip().lower()
        seat = self.viewpoint.viewer
        assert isinstance(seat, int)
        if said in _COMMON:
            return _COMMON[said](seat)
        if self.state.pausing and (between := self.game.words.read_between(text, self.view(), seat)) is not None:
            return between
        if (legal := self.legal()) is None:
            if self.state.pausing and (may := self.game.words.between_rounds(self.view(), seat)):
                typed = ", ".join(["next", "leave", *(one.said for one in may)])
                raise InvalidAnswer(f"{not_understood(text)} Now you can type: {typed}.")
            raise IllegalAction("not_your_turn", "It is not your turn.")
        words, view = self.game.words, self.view()
        if not advised and words.takes_advice(text, legal):
            raise InvalidAnswer(NOT_ADVISED)
        return words.read(text, view, legal)

    def _take(self, recorded: Recorded) -> None:
        event = self.viewpoint.event(recorded)
        state = self._replay.take(event, recorded.record.recorded_at, recorded.record.hash)
        self.count, self.head = recorded.record.seq, recorded.record.hash
        if self.count == 1:
            self._seats = self.game.seats(event)
        self.lines.append(EventLine(self.count, event_words(self.game, event, state, self._seats)))


class ViewerCopies:
    """Copies of games for points of view, some kept in memory; thread-safe."""

    def __init__(self, service: Service, memory: int) -> None:
        self._service = service
        self._lock = Lock()
        self._kept: dict[tuple[str, Viewpoint], ViewerCopy] = {}
        self._eviction: Eviction[tuple[str, Viewpoint]] = Eviction(memory)

    @property
    def bytes(self) -> int:
        """Bytes that all copies in memory take, by `ViewerCopy.size`."""
        return self._eviction.bytes

    @contextmanager
    def now(
        self, kind: str, game_id: str, viewpoint: Viewpoint, upto: int | None = None, known: int = 0
    ) -> Iterator[ViewerCopy]:
        """Yield an up-to-date copy of a game for a point of view; no other thread uses it meanwhile.

        A caller that has just learnt of the first ``known`` events gets a copy with at least these.
        With ``upto``, which every call for a delayed point of view has, the copy has no later event.
        """
        assert viewpoint.delayed == (upto is not None)
        key = game_id, viewpoint
        while True:
            with self._lock:
                found = self._kept.get(key) or ViewerCopy(kind, game_id, viewpoint)
                self._kept[key] = found
            with found.lock:
                if found.failed:  # another thread failed while this one waited for the lock
                    continue
                if upto is not None and found.count > upto:  # the delay has become longer
                    found.failed = True
                    with self._lock:
                        if self._kept.get(key) is found:
                            del self._kept[key]
                            self._eviction.gone(key)
                    continue
                try:
                    found.follow(self._service, upto=upto, known=known)
                except BaseException:
                    found.failed = True
                    with self._lock:
                        if self._kept.get(key) is found:
                            del self._kept[key]
                            self._eviction.gone(key)
                    raise
                with self._lock:
                    self._kept[key] = found
                    for other in self._eviction.used(key, found.size):
                        del self._kept[other]
                yield found
                return

    def steps(
        self,
        kind: str,
        game_id: str,
        viewpoint: Viewpoint,
        each: Callable[[Recorded, State, ViewerCopy], None],
        upto: int | None = None,
    ) -> None:
        """Replay a game from its start, up to event ``upto`` if it is given, and call ``each`` after every event."""
        followed = ViewerCopy(kind, game_id, viewpoint)
        followed.follow(self._service, lambda recorded, state: each(recorded, state, followed), upto)
