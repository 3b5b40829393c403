"""A session: one client's way through a game, for a terminal, a browser or a test, in this process or over a network.

`Session.next` says what comes next for this client; `Session.act`, `Session.leave` and `Session.go_on` take its
answers. Any number of sessions, in any processes, may follow one game.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial

from pokersvc.core.actions import Action, IllegalAction, Leave
from pokersvc.core.event import EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.core.state import Facts, State
from pokersvc.core.tables.level_clock import LevelClock
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_events import TABLE_EVENTS, ComeBack
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.record import GENESIS, Record, SharedRecord
from pokersvc.service.errors import NothingShown, NotYourSeat
from pokersvc.service.games import Games
from pokersvc.service.next import Choose, Next, Over, Pause, Shown, Stopped, Waiting
from pokersvc.service.shown import Recorded, check_player
from pokersvc.text import counted


class Session:
    """One client of a game, for one thread at a time; the game is in a `Service` or at a server's table.

    ``seats`` are the seats of the people at this client, by default all people of the game; a spectator has none.
    ``viewer`` sees the events: by default the client's only seat, or everyone if the client has several seats or none.
    The choices of a seat, and the view that comes with them, are for that seat alone.
    ``seen`` is the number of events that the client knows already, such as after a lost connection; they are not
    repeated. ``most_alone`` is the number of rounds without people after which the session stops. ``runs_programs``
    says whether this session has bots choose; if not, another session does.

    Raises `InvalidValue`, which names a seat that no person plays, and `NotForAuditors` for a viewer who sees all.
    """

    def __init__(
        self,
        service: Games,
        game_id: str,
        *,
        seats: Iterable[int] | None = None,
        viewer: Viewer | None = None,
        seen: int = 0,
        most_alone: int | None = None,
        runs_programs: bool = True,
    ) -> None:
        status = service.status(game_id)
        self.game_id = game_id
        self.game: Game = game_of(status.kind)
        self._at_first = status.seats
        self._own = None if seats is None else tuple(dict.fromkeys(seats))
        self._viewer = viewer
        self._replay = Replay(self.game, EVERYONE)  # secrets are withheld from the events before they get here
        self._check(seen, status.count)
        self._service = service
        self._most_alone = most_alone
        self._runs_programs = runs_programs
        self.while_choosing: Callable[[int], AbstractContextManager[object]] = lambda _: nullcontext()
        """Returns the context in which `next` has the bot at a seat choose; unused in games without people."""
        self.facts: Facts = {}
        """The facts of the game (`Game.facts`), from its first event on."""
        self._count = 0
        self._moment = 0
        """The number of events when the current set of awaited seats began to choose."""
        self._alone = False
        """Whether only bots were in the game before the command whose events are being shown."""
        self._rounds_alone = 0
        self._coming: deque[tuple[Recorded, bool]] = deque()
        """The events still to be shown, each with True if this session had a bot make the event."""
        self._known, self._head = 0, GENESIS
        """The number of events read from the log, not all of them shown yet, and the hash of the last event read."""
        self._skip(seen)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats after the events shown so far; before the first event, the seats that the service reports."""
        return self._replay.seats or self._at_first

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of all people in the game."""
        return people_of(self.all_seats)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the people at this client."""
        return self.people if self._own is None else self._own

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The free seats at which a person may sit down here; none unless this client is for all people of the game.

        If some people are at other clients, a person who sits down plays at their own client.
        """
        if self._own is not None or not self.game.reseating or not self._replay.begun:
            return ()
        people = (HUMAN, OPEN)
        return tuple(
            [
                number
                for number, seat in enumerate(self.all_seats, 1)
                if seat.kind in people and not self.state.playing(number)
            ]
        )

    @property
    def may_come(self) -> bool:
        """Whether a person may join here between rounds: all people are at this client, and none is in the game."""
        if not self._nobody_plays():
            return False
        return self._may_come_back(self.state) or (bool(self.free_seats) and self.state.seats_now() is not None)

    @property
    def viewer(self) -> Viewer:
        """The viewer of the events: the given viewer, or else the only seat at this client, or else everyone."""
        if self._viewer is not None:
            return self._viewer
        return self.seats[0] if len(self.seats) == 1 else EVERYONE

    @property
    def count(self) -> int:
        """The number of events that the client knows: the events that it had ``seen`` before, and those shown since."""
        return self._count

    @property
    def state(self) -> State:
        """The game after the events shown so far, as the viewer may know it; raises `NothingShown` if none was."""
        if not self._replay.begun:
            raise NothingShown(f"No event of game {self.game_id} was shown yet; `next` returns the first.")
        return self._replay.state

    @property
    def table(self) -> Table:
        """The table after the events shown so far."""
        return self._replay.table

    @property
    def level_clock(self) -> LevelClock | None:
        """The clock of levels that end by time, after the events shown so far; None in other games."""
        return self._replay.level_clock

    @property
    def rounds_alone(self) -> int:
        """The number of rounds in this session that bots played without people."""
        return self._rounds_alone

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that must choose after the events shown so far; none before the first event."""
        return self.state.awaited if self._replay.begun else ()

    def beforehand(self) -> dict[int, tuple[str, ...]]:
        """Map this client's seats to the lines to show their players before the next round, or the first, begins."""
        view = self.state.view(EVERYONE)
        playing = filter(self.state.playing, self.seats)
        lines = {seat: tuple(self.game.words.before_round(view, seat)) for seat in playing}
        return {seat: known for seat, known in lines.items() if known}

    def next(self) -> Next:
        """Return the next event, question, wait or end; bots that must choose do so first, if this session runs bots.

        If it is called again before an answer, it returns the same question, or what others have done meanwhile.
        """
        while True:
            if self._coming:
                return self._show(*self._coming.popleft())
            if not self._replay.begun:
                self._catch_up()
            elif (found := self._found(self.state)) is not None:
                return found

    def told(self) -> Iterator[Shown]:
        """Yield again, from the first, every event that this client was shown or had ``seen``.

        Lines of the history are the same again: the result of a round follows from the events that the state keeps.
        """
        replay, count, head = Replay(self.game, self.viewer), 0, GENESIS
        while count < self._count:
            for record, event in self._service.since(self.game_id, count, head, viewer=self.viewer):
                if count == self._count:
                    return
                state = replay.take(event, record.recorded_at, record.hash)
                entry = None if event.__class__ in TABLE_EVENTS else state.entry(event, self.viewer)
                count, head = record.seq, record.hash
                yield Shown(False, entry, event, record, state)

    def act(self, action: Action, *, expected: int | None = None, command_id: str | None = None) -> bool:
        """Record a choice of a seat of this client, and return whether it was recorded; `next` then shows its events.

        It is not recorded if somebody acted after the ``expected`` event, by default the last one shown: `next` then
        returns their events and, if the choice must still be made, asks for it again. Raises `NotYourSeat`;
        `IllegalAction` leaves no trace.

        If several seats are awaited, they may choose in any order: the choice is recorded even if other awaited seats
        have chosen since. Anything else that happened since may affect the choice, so `next` asks for it again.
        """
        peoples = (*self.game.actions, *self.game.between_rounds, Leave)  # all others are sent only by the service
        if not isinstance(action, peoples):
            raise IllegalAction("unknown_action", f"{action!r} is not an action of a player.")
        if action.seat not in (*self.seats, *self.free_seats):
            raise NotYourSeat(f"This client does not play seat {action.seat!r}; this client's seats are {self.seats}.")
        count = self._count if expected is None else expected
        while not self._sent(partial(self._act, action, count, command_id)):
            if not self._only_others_chose(action.seat, count):
                return False
            count = self._known
        return True

    def leave(self, seat: int, *, expected: int | None = None, command_id: str | None = None) -> bool:
        """Have one of this client's people leave the game, between two rounds; see `act`."""
        return self.act(Leave(seat), expected=expected, command_id=command_id)

    def come_back(self, seat: int, *, expected: int | None = None, command_id: str | None = None) -> bool:
        """Have one of this client's people play again after sitting out; see `act`."""
        if seat not in self.seats:
            raise NotYourSeat(f"This client does not play seat {seat!r}; this client's seats are {self.seats}.")
        return self._sent(
            lambda: self._service.table_act(
                self.game_id,
                ComeBack(seat),
                viewer=self.viewer,
                expected=self._count if expected is None else expected,
                command_id=command_id,
            )
        )

    def go_on(self, *, expected: int | None = None, command_id: str | None = None) -> bool:
        """Begin the next round, and return whether this call began it; see `act`."""
        if not self._replay.begun:
            return False  # this client has not read the start of the game yet
        if not any(map(self.state.playing, self.seats)) and not self.may_come:
            raise NotYourSeat(f"None of this client's players is in the game; this client's seats are {self.seats}.")
        return self._sent(
            lambda: self._service.go_on(
                self.game_id,
                viewer=self.viewer,
                expected=self._count if expected is None else expected,
                command_id=command_id,
            )
        )

    def _act(self, action: Action, expected: int, command_id: str | None) -> list[Recorded]:
        return self._service.act(self.game_id, action, viewer=self.viewer, expected=expected, command_id=command_id)

    def _only_others_chose(self, seat: int, count: int) -> bool:
        """Return whether all events after event ``count`` are choices of other seats awaited together with ``seat``."""
        if not self._moment <= count < self._known:
            return False
        awaited = {*self.awaited}
        for (_, event), _ in self._coming:
            action = self.game.action_of(event)
            if action is None or action.seat not in awaited:
                return False
            awaited.remove(action.seat)
        return seat in awaited

    def _found(self, state: State) -> Next | None:
        """Return the next step after all known events were shown; None if newer events must be shown first."""
        if (outcome := state.outcome) is not None:
            return Over(self._count, outcome)
        if self._most_alone is not None and self._rounds_alone >= self._most_alone:
            return None if self._catch_up() else Stopped(self._count, self._rounds_alone)
        awaited = self.awaited
        if self._replay.at_table and self.table.paused:
            waited_for = awaited or tuple(filter(state.playing, self.people))
            return None if self._catch_up() else Waiting(self._count, waited_for)
        nobody_is_asked = state.pausing and not self.people
        if self._runs_programs and (nobody_is_asked or any(seat not in self.people for seat in awaited)):
            self._run_programs()
            return None
        for seat in awaited:
            if seat in self.seats:
                return self._choose(seat)
        if self._catch_up():
            return None
        if not awaited:
            return self._paused(state)
        return Waiting(self._count, awaited)

    def _choose(self, seat: int) -> Choose | None:
        try:
            turn = self._service.turn(self.game_id, seat)
        except IllegalAction:
            if self._catch_up():  # the seat has chosen at another client
                return None
            raise
        if turn.count == self._count:
            return Choose(turn.count, turn.legal, seat, turn.view)
        self._catch_up()
        return None

    def _paused(self, state: State) -> Pause | Waiting:
        dealing = self.table.dealing
        if dealing is not None and dealing.waiting:
            return Waiting(self._count, dealing.waiting)
        if dealing is not None and not self._runs_programs and not state.pausing:  # others begin the first round
            return Waiting(self._count, tuple(filter(state.playing, self.people)))
        if not any(map(state.playing, self.seats)) and not self._may_come(state):
            return Waiting(self._count, tuple(filter(state.playing, self.people)))
        leaving = tuple(seat for seat in self.seats if _may_leave(state, seat))
        return Pause(self.beforehand(), self._count, leaving)

    def _may_come(self, state: State) -> bool:
        """Return whether one of this client's people may join the game now; False if people cannot come and go."""
        if not self.seats or not state.pausing:
            return False
        return state.seats_now() is not None or self._may_come_back(state)

    def _may_come_back(self, state: State) -> bool:
        """Return whether somebody at this client is out of the game, and may come back between two rounds."""
        return any(map(state.may_come_back, self.seats))

    def _run_programs(self) -> None:
        """Have the next bot choose; if there are no people in the game, have bots choose until a round is over."""
        run = self._service.step if self.people else self._service.play_round
        chooses = next((seat for seat in self.awaited if self.people and seat not in self.people), None)
        with suppress(ConcurrentUpdate):  # the events of others are read next
            with nullcontext() if chooses is None else self.while_choosing(chooses):
                recorded = run(self.game_id, viewer=self.viewer, expected=self._count)
            self._take(recorded, own=True)
            return
        self._catch_up()

    def _sent(self, command: Callable[[], list[Recorded]]) -> bool:
        try:
            self._take(command(), own=False)
        except ConcurrentUpdate:
            self._catch_up()
            return False
        return True

    def _catch_up(self) -> bool:
        """Read and queue the events that others have recorded, and return whether there were any."""
        found = self._service.since(self.game_id, self._known, self._head, viewer=self.viewer)
        self._take(found, own=False)
        return bool(found)

    def _take(self, recorded: list[Recorded], *, own: bool) -> None:
        """Queue events to be shown next; of a repeated command's events, only those that are new."""
        new = [one for one in recorded if one.record.seq > self._known]
        if not new:
            return
        if new[0].record.seq != self._known + 1:  # the command was sent again, and others have acted since
            self._catch_up()
            return
        self._coming.extend((one, own) for one in new)
        self._known, self._head = new[-1].record.seq, new[-1].record.hash

    def _show(self, recorded: Recorded, own: bool) -> Shown:
        record, event = recorded
        state = self._applied(record, event)
        entry = None if event.__class__ in TABLE_EVENTS else state.entry(event, self.viewer)
        if self._alone and own and entry is not None and not entry.again:
            self._rounds_alone += 1
        return Shown(self._alone, entry, event, record, state)

    def _applied(self, record: Record | SharedRecord, event: Event) -> State:
        if record.n == 1:  # the first event of a command
            begun = self._replay.begun
            self._alone = not self.people or (begun and self._nobody_plays())
        awaited = {*self.awaited}
        action = self.game.action_of(event) if len(awaited) > 1 else None
        state = self._replay.take(event, record.recorded_at, record.hash)
        if isinstance(event, self.game.start_event):
            self.facts = self.game.facts(event)
        if self._alone and self.people:
            self._alone = self._nobody_plays()  # somebody may have come, or come back
        self._count = record.seq
        if action is None or {*state.awaited} != awaited - {action.seat}:
            self._moment = self._count
        return state

    def _nobody_plays(self) -> bool:
        return not any(map(self.state.playing, self.people))

    def _skip(self, seen: int) -> None:
        """Apply the events that the client knows already without showing them."""
        while self._count < seen:
            if not self._coming:
                self._catch_up()
            (record, event), _ = self._coming.popleft()
            self._applied(record, event)

    def _check(self, seen: int, count: int) -> None:
        check_player(self.viewer, self.all_seats)
        for seat in self.seats:
            if type(seat) is not int or seat not in (*self.people, *_open(self.all_seats)):
                raise InvalidValue(f"No person plays seat {seat!r}; people play {self.people}.")
        if self.seats and self.viewer not in (EVERYONE, *self.seats):
            raise InvalidValue(
                f"Seat {self.viewer} belongs to another player: a player sees as {EVERYONE!r} or as their own seat."
            )
        if type(seen) is not int or not 0 <= seen <= count:
            raise InvalidValue(f"The game has {counted(count, 'event')}, so {seen!r} cannot have been seen.")


def people_of(seats: Iterable[Seat]) -> tuple[int, ...]:
    """Return the seats of people, by number from 1."""
    return tuple(number for number, seat in enumerate(seats, 1) if seat.kind == HUMAN)


def _open(seats: Iterable[Seat]) -> tuple[int, ...]:
    """Return the seats at which nobody has sat yet, by number from 1."""
    return tuple(number for number, seat in enumerate(seats, 1) if seat.kind == OPEN)


def _may_leave(state: State, seat: int) -> bool:
    with suppress(IllegalAction):
        state.decide(Leave(seat))
        return True
    return False
