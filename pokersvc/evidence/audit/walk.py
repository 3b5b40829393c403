"""The check of a game's log by the game's rules: schema, rules, deal and money, in one pass.

When the dealer must act, the recorded event must be the dealer's; when seats must choose, it must be one that `decide`
makes for any of them. Texts are compared, so an equal event is also valid and canonical, and only a different one is
examined more closely.

A log has all secrets, and so has an auditor's copy: every event is compared. In any other copy the state knows what its
viewer may know, and the seeds that were opened: their decks are dealt again. An event that depends on more than that
must only have the right type and be applicable.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NoReturn

from pokersvc.core.auditable import RecordCheck
from pokersvc.core.books import Books, LedgerPage, Mismatch
from pokersvc.core.event import AUDITOR, Event, ImpossibleEvent, Viewer
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.setup import check_seats
from pokersvc.core.state import State
from pokersvc.core.tables.table_words import Checkable, shuffle_words
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.evidence.audit.at_table import JudgeAtTable, names_at_table
from pokersvc.evidence.audit.judge import CannotGoOn, Judge
from pokersvc.evidence.audit.reading import AnyRecord, Met, Reader, Report, known_to, quoted
from pokersvc.evidence.findings import lost
from pokersvc.service.read_models.projections import Line, Projector, Reseating, followed_by

Failed = Callable[[AnyRecord | None, Exception], None]
"""Called with the current record (None: the end) and an exception that is a bug, or follows from an earlier finding."""


class Walk:
    """Checks one game event by event, as far as the copy of ``viewer`` shows it.

    Events are compared before they are applied, and a game refuses an event that it cannot take with an error of
    pokersvc's own. So any other exception is a bug in pokersvc, or follows from an earlier finding: `failed` gets it,
    and the game is followed no further.

    ``over`` says whether secrets may be quoted, ``met`` is given every event that could be read, ``projector`` makes
    the lines of history that `follow` returns, and ``ledger`` is given the pages of the books.
    """

    def __init__(
        self,
        game: Game,
        report: Report,
        failed: Failed,
        *,
        over: bool,
        viewer: Viewer = AUDITOR,
        met: Met | None = None,
        projector: Projector | None = None,
        ledger: Callable[[LedgerPage], None] | None = None,
    ) -> None:
        self._game = game
        self._reader = Reader(game, report, met)
        self._judge = Judge(game, viewer, self._reader, report, over=over)
        self._report = report
        self._failed = failed
        self._viewer = viewer
        self._with_secrets = viewer == AUDITOR
        self._projector = projector
        self._ledger = ledger
        self._follow: Callable[[AnyRecord], Line | None] = self._start
        self._replay = Replay(game, viewer, keeps_record=False)
        self._at_table = names_at_table(game)
        self._table: JudgeAtTable | None = None
        """Checks the table's rules; None before the first event at the table."""
        self._dealers: EntropySource | None = None
        """The dealer's secret if the copy shows it, even where the viewer could not see it; else None."""
        self._balanced = True
        self._books: Books
        self._record_check: RecordCheck[State] | None = None
        self._ledger_page: LedgerPage | None = None
        self.started: Event | None = None
        """The event that started the game."""
        self.reseating: Reseating | None = None
        """The seats now, and all players who ever sat there; None until an event may have seated another player."""
        self.state: State | None = None
        """The state after the last event; None if the game cannot be followed, or not any further."""

    @property
    def shuffled(self) -> str | None:
        """Sentences that say who took part in a common shuffle, and how far it was checked.

        None if the dealer shuffles alone, or the game could not be followed. They hold only if nothing was found, which
        the receiver of the findings must check.
        """
        if self.state is None or self._table is None or self._replay.dealing is None:
            return None
        settings = self._replay.table.settings
        promised = settings is not None and settings.opens_seeds
        checkable: Checkable = "now" if self._dealers is not None else "later" if promised else "never"
        rounds = self._table.sharing.shuffles.rounds
        return shuffle_words(self._replay.dealing, self._replay.seats, checkable, rounds)

    @property
    def unopened(self) -> str | None:
        """A sentence on promised secrets that this copy lacks, if the dealer shuffled alone; else None."""
        return None if self.state is None or self._table is None else self._table.sharing.unopened(self.state)

    @property
    def missed_shares(self) -> dict[int, int]:
        """Seat → the number of its shares of a common shuffle that were missed."""
        dealing = self._replay.dealing if self._replay.begun else None
        return {} if dealing is None else {seat: len(rounds) for seat, rounds in sorted(dealing.missed.items())}

    @property
    def undealt(self) -> int:
        """The number of random events (such as deals) that could not be checked against their seed."""
        return self._judge.undealt

    @property
    def unchecked(self) -> Mapping[str, int]:
        """Kind of thing not checkable in a game played elsewhere → the number of them; empty for a partial copy."""
        return self._record_check.unchecked if self._record_check is not None and self._with_secrets else {}

    def follow(self, record: AnyRecord) -> Line | None:
        """Check the next event; return the line of history that it completed, if any."""
        line = None
        try:
            line = self._follow(record)
        except CannotGoOn:
            self._lose(record, why_was_said=not self._with_secrets)
        except PokersvcError:
            self._lose(record)
        except Exception as error:
            self._fail(record, error)
        if self._ledger_page is not None:
            self._give_page()
        return line

    def end(self) -> None:
        """Check that the log may end here, and give the ledger the page of the round in progress."""
        if self.state is None:
            return
        try:
            self._end(self.state)
        except Exception as error:
            self._fail(None, error)
        if self._ledger_page is not None:
            self._give_page()

    def stop(self) -> None:
        """Stop checking the game by its rules; later events are only read."""
        self.state = None
        self._follow = self._only_read

    def _end(self, state: State) -> None:
        if self._ledger is not None:
            self._ledger_page = self._books.open_ledger_page()
        if self._table is not None:
            self._table.sharing.check_promise(state)
            if self._with_secrets:
                self._table.end()
        if (dealing := self._replay.dealing) is not None and dealing.holds_up(state):
            return  # the round waits for shares, not for the dealer
        due = self._judge.due_at_the_end(state)
        if due is not None:
            self._report("rules", None, "the end of the log", f"{type(due).__name__}, which the rules require next")

    def _give_page(self) -> None:
        assert self._ledger_page is not None
        assert self._ledger is not None
        page, self._ledger_page = self._ledger_page, None
        self._ledger(page)

    # The first event.

    def _start(self, record: AnyRecord) -> None:
        game = self._game
        event = self._reader.read(record)
        if event is None:
            raise CannotGoOn
        self._reader.expect_canonical(record, event)
        if type(event) is not game.start_event:
            self._report("rules", record, quoted(record.type, record.payload), "the event that starts a game")
            raise CannotGoOn
        self.started = started = known_to(event, self._viewer)
        self._dealers = game.source(event)
        seats, source = game.seats(started), game.source(started)
        for found, expected in game.contradictions(started):
            self._report("deal", record, found, expected)
        self._check_seats(record, started)
        if source is not None and source.text is not None and source != EntropySource.from_text(source.text):
            self._report("deal", record, "a game's secret", "the secret that follows from the text of its seed")
        self._books = game.books(started)
        self._record_check = game.record_check(started)
        self._judge.start(seats, source)
        self.state = self._replay.take(started, hash_=record.hash)
        self._follow = self._go

    def _check_seats(self, record: AnyRecord, started: Event) -> None:
        try:
            check_seats(self._game.seats(started), self._game.longest_name(started))
        except InvalidValue as error:
            self._report("rules", record, "impossible seats", str(error).rstrip("."))

    # Every other event.

    def _go(self, record: AnyRecord) -> Line | None:
        assert self.state is not None
        if self._table is not None or record.type in self._at_table:
            return self._go_at_table(record, self.state)
        line = None
        for event in self._judge.event(record, self.state):
            line = self._take(record, event)
        return line

    def _go_at_table(self, record: AnyRecord, state: State) -> Line | None:
        """Check an event of a log with events at the table, of which this may be the first."""
        if self._table is None:
            self._table = JudgeAtTable(self._game, self._replay, self._judge, self._reader, self._report, self._dealers)
        table = self._table
        if record.type in self._at_table:
            table.take(record, state)
            return None
        line = None
        named = table.named(record, state)
        for event in self._judge.event(record, state) if named is None else (named,):
            table.check(record, event, state)
            line = self._take(record, event)
        table.sharing.compared(record)
        return line

    def _take(self, record: AnyRecord, event: Event) -> Line | None:
        books = self._books
        try:
            state = self._replay.take(event, record.recorded_at, record.hash)
        except ImpossibleEvent:
            self._refused(record, event)
        for found, expected in books.post(event):
            self._report("money", record, found, expected)
        if self._balanced:
            for found, expected in books.compare(state):
                self._report("money", record, found, expected)
                self._balanced = False  # report this once: later events do not correct it
        if self._record_check is not None:
            for found, expected in self._record_check.take(event, state):
                self._report("deal", record, found, expected)
        if self._ledger is not None and (page := books.ledger_page()) is not None:
            self._ledger_page = page
        if self._projector is None:
            return None
        if (reseating := self._projector.reseating(event, state)) is not None:
            self.reseating = reseating if self.reseating is None else followed_by(self.reseating, reseating)
        return self._projector.line(record.seq, event, state)

    def _refused(self, record: AnyRecord, event: Event) -> NoReturn:
        """Report an event that the state refused, unless it was reported already; then raise `CannotGoOn`."""
        reported = self._judge.reported
        with suppress(LookupError):  # the books may not have its seat either
            for found, expected in self._books.post(event):
                self._report("money", record, found, expected)
                reported = True
        if not (self._with_secrets or reported):
            self._report("rules", record, quoted(record.type, record.payload), "an event of this table")
        raise CannotGoOn

    # Events of a game that cannot be followed are still read.

    def _lose(self, record: AnyRecord, *, why_was_said: bool = False) -> None:
        """Stop checking the game by its rules, and report the event at which the check stopped."""
        self.stop()
        if not why_was_said:
            finding = lost("", None, None)
            self._report(finding.check, record, finding.found, finding.expected)

    def _fail(self, record: AnyRecord | None, error: Exception) -> None:
        self.stop()
        for found, expected in unplayable(self._game, self.started):
            self._report("rules", record, found, expected)
        self._failed(record, error)

    def _only_read(self, record: AnyRecord) -> None:
        event = self._reader.read(record)
        if event is not None:
            self._reader.expect_canonical(record, event)


def unplayable(game: Game, started: Event | None) -> list[Mismatch]:
    """Return the reasons why a game cannot be played by its rules; called after an exception has ended its check.

    The cause of that exception may make this call fail too; the first exception is the one to report.
    """
    if started is None:
        return []
    try:
        return list(game.unplayable(started))
    except Exception:
        return []
