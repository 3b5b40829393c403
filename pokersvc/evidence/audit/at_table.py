"""Checks of a log by the rules of its table: allowed table events, and the game events that they require."""

from random import Random

from pokersvc.core.actions import BeginLevel, IllegalAction
from pokersvc.core.event import AUDITOR, Event, ImpossibleEvent, redact
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.share_events import SharesAwaited
from pokersvc.core.replay import Replay, at_of, chooser_of
from pokersvc.core.rules import Rules
from pokersvc.core.state import State
from pokersvc.core.tables.clock import SECOND
from pokersvc.core.tables.table import Due
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import TABLE_EVENTS, TableSet, TimedOut
from pokersvc.errors import PokersvcError
from pokersvc.evidence.audit.judge import CannotGoOn, Judge
from pokersvc.evidence.audit.reading import AnyRecord, Reader, Report, quoted
from pokersvc.evidence.audit.sharing import LATER_IN_COMMAND, JudgeSharing


def names_at_table(game: Rules) -> frozenset[str]:
    """Return the type names of events at the table in a game's log."""
    return game.codec.names_of(TABLE_EVENTS)


class JudgeAtTable:
    """Checks a log against the rules of its table, starting with the first event at the table.

    The replay keeps the table and its clock: each event is judged before it is taken.
    """

    def __init__(
        self,
        game: Game,
        replay: Replay,
        judge: Judge,
        reader: Reader,
        report: Report,
        source: EntropySource | None,
    ) -> None:
        self._game = game
        self.sharing = JudgeSharing(game, replay, judge, report, source)
        self._replay = replay
        self._judge = judge
        self._reader = reader
        self._report = report
        self._before: AnyRecord | None = None
        """The last event at the table if another event must follow it in the same command; else None."""

    def take(self, record: AnyRecord, state: State) -> None:
        """Check an event at the table and apply it; raise `CannotGoOn` if it cannot be applied."""
        event = self._reader.read(record)
        if not isinstance(event, TableEvent):
            return  # unreadable, which was reported; the game is unchanged
        self._reader.expect_canonical(record, event)
        self._check_place(record, event, state)
        try:
            self._replay.take(event, record.recorded_at, record.hash)
        except ImpossibleEvent as refused:
            self._wrong(record, f"no such event here: {refused}")
            raise CannotGoOn from refused
        self._before = None if self._replay.table.due is None else record
        self.sharing.taken(record, event)

    def _check_place(self, record: AnyRecord, event: TableEvent, state: State) -> None:
        if isinstance(event, TableSet) and record.seq != 2:
            self._wrong(record, "the settings of a table as the second event of its game")
        elif not isinstance(event, TableSet | LATER_IN_COMMAND) and record.n != 1:
            self._wrong(record, "an event at the table as the first of its command")
        else:
            try:
                self._replay.table.check(event, state)
            except IllegalAction as refused:
                self._wrong(record, f"no such event here: {refused}")
                return
        self.sharing.check_place(record, event)
        if isinstance(event, SharesAwaited):
            self._check_level(record)
            self._check_break(record)
        if isinstance(event, TimedOut) and self._replay.clock is not None:
            at = at_of(record.recorded_at)
            if left := self._replay.clock.left(event.seat, self._replay.clock.now if at is None else at):
                name = self._replay.table.names[event.seat]
                found = f"a time-out {left / 1_000_000:.6f} seconds before the time of {name} is over"
                self._report("clock", record, found, "a time-out once it is over")

    def named(self, record: AnyRecord, state: State) -> Event | None:
        """Return the record's event if it is the game event that the table requires next; else None.

        The required event is the default move of a seat whose time is over, or the forgoing of the round by a seat that
        gave no share. For a move drawn at random, None is returned: the audit can only check that the move is legal.
        """
        due = self._replay.table.due
        if due is not None and due.leaves:
            return None
        named = self.sharing.forgone(state) if due is None else self._named(due, state)
        if named is None or not self._judge.is_stored_as(named, record):
            return None
        if self._reader.met is not None:
            self._reader.met(record, named)
        return redact(named, self._replay.viewer)

    def _named(self, due: Due, state: State) -> Event | None:
        """Return the event of a seat's default move; None if the move is random or depends on hidden data."""
        random = _Watched()
        try:
            action = state.default_action(due.seat, away=due.away, random=random)
            return None if random.used else state.decide(action)
        except Exception as error:
            if self._replay.viewer == AUDITOR and not isinstance(error, PokersvcError):
                raise
            return None  # in a redacted copy, the answer may depend on hidden data

    def check(self, record: AnyRecord, event: Event, state: State) -> None:
        """Report a game event that the table does not allow here; call it before the event is taken."""
        table = self._replay.table
        chooser = chooser_of(self._game, event, state)
        if table.due is not None:
            self._check_due(record, event, state, table.due, chooser)
            return
        self.sharing.check(record, event, state)
        if isinstance(self._game.action_of(event), BeginLevel):
            self._check_begins_level(record)
        elif event.__class__ in self._game.seeded and table.dealing is None:
            self._check_level(record)
        try:
            if chooser is not None:
                table.check_choice()
            elif state.pausing and self._game.action_of(event) is None:
                self._check_break(record)
                table.check_round(state)
        except IllegalAction as refused:
            self._wrong(record, f"no such event here: {refused}")

    def _check_begins_level(self, record: AnyRecord) -> None:
        """Report a level that begins before its time."""
        clock, at = self._replay.level_clock, at_of(record.recorded_at)
        left = None if clock is None or at is None else clock.left(at)
        if left != 0:
            early = "" if left is None else f" {left / SECOND:.6f} seconds before the one before it is over"
            self._report("clock", record, f"a level that begins{early}", "one that begins in its time")

    def _check_level(self, record: AnyRecord) -> None:
        """Report a round that begins although the next level must begin first."""
        clock, at = self._replay.level_clock, at_of(record.recorded_at)
        if clock is not None and at is not None and (late := clock.overdue(at)):
            found = f"a round that begins {late / SECOND:.6f} seconds after the next level was due"
            self._report("clock", record, found, "the next level before it")

    def _check_break(self, record: AnyRecord) -> None:
        """Report an event that begins a round during a break."""
        clock, at = self._replay.level_clock, at_of(record.recorded_at)
        if clock is not None and at is not None and (left := clock.rest_left(at)):
            found = f"a round that begins {left / SECOND:.6f} seconds before the end of a break"
            self._report("clock", record, found, "a round once the break is over")

    def _check_due(self, record: AnyRecord, event: Event, state: State, due: Due, chooser: int | None) -> None:
        name, before = self._replay.table.names[due.seat], self._before
        if before is not None and (record.command_id, record.n) != (before.command_id, before.n + 1):
            self._wrong(record, f"the event of {name} in the command of the {before.type} before it")
        if due.leaves:
            action = self._game.action_of(event)
            if action is None or action.seat != due.seat or chooser is not None:
                self._wrong(record, f"the event of {name}, who was removed and leaves")
            return
        named = self._named(due, state)
        if chooser != due.seat and not (named is not None and self._judge.is_stored_as(named, record)):
            self._wrong(record, f"the move of {name}, whose time is over")
        elif named is not None and not self._judge.is_stored_as(named, record):
            coded = self._game.codec.encode(named)
            self._wrong(record, f"{quoted(coded.type, coded.payload)}, the move of {name}, whose time is over")

    def end(self) -> None:
        """Report a log that ends although another event must follow."""
        due = self._replay.table.due
        if due is not None:
            name = self._replay.table.names[due.seat]
            self._report("rules", None, "the end of the log", f"the event of {name} in the command of the last event")
        self.sharing.end()

    def _wrong(self, record: AnyRecord, expected: str) -> None:
        self._judge.wrong("rules", record, quoted(record.type, record.payload), expected.rstrip("."))


class _Watched(Random):
    """A random number generator that records whether it was used."""

    def __init__(self) -> None:
        self.used = False
        super().__init__(0)

    def random(self) -> float:
        self.used = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self.used = True
        return super().getrandbits(k)
