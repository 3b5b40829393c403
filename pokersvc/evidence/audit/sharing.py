"""Checks of common shuffles: only allowed events come between shares and deck, and the shares give the seed.

`Dealing.check` checks chains and signatures, as it did when the shares came; this module checks the rest.
"""

from typing import Final

from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.common_events import RoundForgone
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import DealingSet, ShareMissed, SharesAwaited
from pokersvc.core.replay import Replay, at_of
from pokersvc.core.state import State
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.evidence.audit.judge import Judge
from pokersvc.evidence.audit.reading import AnyRecord, Report, quoted, shown_secret
from pokersvc.evidence.audit.shuffles import Shuffles
from pokersvc.text import counted

LATER_IN_COMMAND: Final = DealingSet | SharesAwaited | ShareMissed
"""Types of events at the table that need not be the first event of their command."""


class JudgeSharing:
    """Checks a log against the rules of common shuffles; if there are none, it checks that no seat forgoes a round."""

    def __init__(self, game: Game, replay: Replay, judge: Judge, report: Report, source: EntropySource | None) -> None:
        self._game = game
        self._replay = replay
        self._judge = judge
        self._report = report
        self._source = source
        """The dealer's secret, if it is known."""
        self._completed: AnyRecord | None = None
        """The event with which the last share of the current round was opened or missed."""
        self._missed: AnyRecord | None = None
        """The last event of a missed share, if others may follow in the same command; else None."""
        self.shuffles = Shuffles(game)
        judge.derive_seeds(self._seed)

    def check_place(self, record: AnyRecord, event: TableEvent) -> None:
        """Report an event at the table in a wrong place or at a wrong time; call it before the event is taken."""
        if isinstance(event, DealingSet):
            if record.seq != 3 or record.n != 3:
                self._wrong(record, "how a table shuffles as the third event of its game")
            if not self._game.dealt_together:
                self._wrong(record, "no such event in a game without a deck to shuffle")
            if self._source is not None and self._source.text is not None:
                self._wrong(record, "no such event in a game that is dealt from a text")
        elif isinstance(event, ShareMissed):
            before = self._missed
            if record.n > 1 and (before is None or (record.command_id, record.n) != (before.command_id, before.n + 1)):
                self._wrong(record, "a share that was missed first in its command, or after others")
            self._check_time(record)

    def _check_time(self, record: AnyRecord) -> None:
        clock = self._replay.share_clock
        if clock is None:
            return
        at = at_of(record.recorded_at)
        if left := clock.left(clock.now if at is None else at):
            found = f"a share called missed {left / 1_000_000:.6f} seconds before the time for shares is over"
            self._report("clock", record, found, "that once it is over")

    def taken(self, record: AnyRecord, event: TableEvent) -> None:
        """Update the checks by a table event that the table has just applied."""
        self._missed = record if isinstance(event, ShareMissed) else None
        dealing = self._replay.dealing
        if dealing is not None and dealing.complete and self._completed is None:
            self._completed = record

    def forgone(self, state: State) -> Event | None:
        """Return the event by which a seat forgoes the round, if this event must come next; else None."""
        dealing = self._replay.dealing
        return None if dealing is None else dealing.forgone_next(state)

    def check(self, record: AnyRecord, event: Event, state: State) -> None:
        """Report a game event that the common shuffle does not allow here; call it before the event is taken."""
        dealing = self._replay.dealing
        if dealing is None:
            if event.__class__ in self._game.seeded:
                self.shuffles.alone(record)
            if isinstance(event, RoundForgone):
                self._wrong(record, "no such event at a table whose dealer shuffles alone")
            return
        due = self.forgone(state)
        acts = self._game.action_of(event) is not None
        if due is not None or isinstance(event, RoundForgone):
            if event != due:
                who = "nobody" if due is None else self._replay.table.names[getattr(due, "seat", 0)]
                self._wrong(record, f"{who} out of the round, as no share of theirs came")
        elif dealing.waiting:
            self._wrong(record, "shares, or that they were missed, and nothing else")
        elif dealing.complete:
            if acts:
                self._wrong(record, "the dealer's events up to the deck, after the shares of all")
            self._check_deck(record, event, dealing)
        elif not acts and dealing.holds_up(state):
            self._wrong(record, "the shares of a round before it begins")

    def _check_deck(self, record: AnyRecord, event: Event, dealing: Dealing) -> None:
        completed = self._completed
        if completed is not None and record.command_id != completed.command_id:
            self._wrong(record, "the deck in the command that completed its shares")
        if event.__class__ not in self._game.seeded:
            return
        self._completed = None
        due, secret = self._seed(), shown_secret(record)
        follows = due is not None
        if due is not None and secret is not None and self._seed_in(record, secret) != due:
            follows = False
            self._report("deal", record, "a seed", "the seed that follows from the shares and the dealer's part")
        self.shuffles.shuffled(record, self._judge.deck, follows=follows)

    def _seed_in(self, record: AnyRecord, secret: str) -> bytes | None:
        try:
            return self._game.seed_of(self._game.codec.decode(record.type, record.version, record.payload, secret))
        except UnreadableEvent:
            return None

    def _seed(self) -> bytes | None:
        """Return the seed that follows from the round's shares; None if shares or the dealer's secret are missing."""
        dealing = self._replay.dealing
        if self._source is None or dealing is None or not dealing.complete:
            return None
        return dealing.seed(self._source.secret)

    def compared(self, record: AnyRecord) -> None:
        """Count the deck of an applied event as confirmed, if the event's cards were compared with the deck."""
        if not self._judge.hidden:
            self.shuffles.compared(record, self._judge.deck)

    def end(self) -> None:
        """Report a log that ends after the shares of a round but before its deck."""
        if self._completed is not None:
            self._report("rules", None, "the end of the log", "the deck in the command that completed its shares")

    def check_promise(self, state: State) -> None:
        """Report secrets of the dealer that a table with a common shuffle promised to open but the copy lacks.

        For a dealer who shuffles alone see `unopened`.
        """
        if self._replay.dealing is None or not self._promised(state):
            return
        if self._source is None:
            self._report("deal", None, "no secret of the dealer's", "the one that the table opens after the game")
        if self.shuffles.first_closed is not None:
            found = f"{counted(self.shuffles.closed, 'closed seed')}, this one first"
            self._report("deal", self.shuffles.first_closed, found, "seeds that the table opens after the game")

    def unopened(self, state: State) -> str | None:
        """If the dealer shuffled alone, return a sentence on promised secrets that this copy lacks; else None.

        This is no finding: earlier exports have these secrets only if somebody asked for them.
        """
        closed = [counted(self.shuffles.closed, "seed")] if self.shuffles.closed else []
        closed += ["the dealer's secret"] if self._source is None else []
        if self._replay.dealing is not None or not closed or not self._game.seeded or not self._promised(state):
            return None
        be = "is" if closed in (["1 seed"], ["the dealer's secret"]) else "are"
        return f"The table promised to open its seeds after the game; {' and '.join(closed)} {be} not in this copy."

    def _promised(self, state: State) -> bool:
        """Return whether the game is over and its table has promised to open its seeds then."""
        settings = self._replay.table.settings
        return settings is not None and settings.opens_seeds and state.outcome is not None

    def _wrong(self, record: AnyRecord, expected: str) -> None:
        self._judge.wrong("rules", record, quoted(record.type, record.payload), expected)
