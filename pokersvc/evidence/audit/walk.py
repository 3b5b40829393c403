"""Walking a game's log by its rules: the checks of schema, rules, deal and money, in one pass.

Where the dealer must act, the recorded event has to be the dealer's; where seats must choose, it has to be one that
`decide` makes for any of them. Texts are compared, so what equals is valid and canonical as well, and only what differs
is looked at more closely.
"""

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from textwrap import shorten
from typing import Final, NamedTuple

from pokersvc.core.actions import IllegalAction, Leave, ServiceAction
from pokersvc.core.books import Books, Mismatch, Page
from pokersvc.core.chance import EntropySource
from pokersvc.core.codec import EncodedEvent, UnreadableEvent
from pokersvc.core.event import EVERYONE, Event, secret_fields
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit.entropy import RecordedEntropy
from pokersvc.evidence.findings import Check, lost
from pokersvc.service.readmodels import facts_text, outcome_text, seats_text

Report = Callable[[Check, Record | None, str, str], None]
"""Takes the check, the record (None: the whole game), what was found, and what should have been."""

Failed = Callable[[Record | None, Exception], None]
"""Takes the record at hand (None: the end) and an exception that is no refusal of what the log says."""

MOST_SHOWN: Final = 300
"""How much of a text a finding shows, in characters."""
MOST_IN_A_ROW: Final = 20
"""After so many events in a row that should be others, a game is not followed any further."""


class _Lost(PokersvcError):
    """The state cannot be followed through the event at hand."""


class Line(NamedTuple):
    """A line of history that an event completed: its number in the game, and its facts as lists have them."""

    number: int
    facts: str
    again: bool
    """Whether it stands in the place of the one of its number."""


class Summary(NamedTuple):
    """What lists say of a game beside its rounds, as they have it."""

    title: str
    seats: str
    outcome: str | None
    """None while the game is on."""


class Walk:
    """One game, followed event by event.

    What the log says is compared before it is applied, and what a game cannot take it refuses in an error of
    pokersvc's own. So any other exception is a mistake in the code, or follows from what was found before: `failed`
    is told of it, and the game is followed no further.
    """

    def __init__(
        self, game: Game, report: Report, failed: Failed, *, over: bool, ledger: Callable[[Page], None] | None
    ) -> None:
        self._game = game
        self._codec = game.codec
        self._report = report
        self._failed = failed
        self._over = over
        self._ledger = ledger
        self._entropy = RecordedEntropy(game, None)
        self._follow: Callable[[Record], Line | None] = self._start
        self._compared = True
        self._in_a_row = 0
        self._books: Books
        self._page: Page | None = None
        self._started: Event | None = None
        self._seats: tuple[Seat, ...] = ()
        self.state: State | None = None
        """The state after the last event; None where it cannot be followed, or not any more."""
        self.summary: Summary | None = None
        """What lists have to say at the end of a game that could be followed so far."""

    def follow(self, record: Record) -> Line | None:
        """Check the next event; return the line of history that it completed."""
        line = None
        try:
            line = self._follow(record)
        except PokersvcError:
            self._lose(record)
        except Exception as error:
            self._fail(record, error)
        if self._page is not None:
            self._show_page()
        return line

    def end(self) -> None:
        """Check that a log that has no more events ends where it may; give the ledger the round that goes on."""
        if self.state is None:
            return
        try:
            self._end(self.state)
        except Exception as error:
            self._fail(None, error)
        if self._page is not None:
            self._show_page()

    def _end(self, state: State) -> None:
        if self._ledger is not None:
            self._page = self._books.open_page()
        self._entropy.record = None
        due = None
        with suppress(WithheldSecrets):  # that a secret is missing was found where it is missing
            due = None if state.pausing else state.dealer_event(self._entropy)
        if due is not None:
            self._report("rules", None, "the end of the log", f"{type(due).__name__}, which the dealer has to do")
        outcome = state.outcome
        ended = None if outcome is None else outcome_text(outcome)
        self.summary = Summary(self._game.words.title(self._started), seats_text(self._seats), ended)

    def _show_page(self) -> None:
        assert self._page is not None
        assert self._ledger is not None
        page, self._page = self._page, None
        self._ledger(page)

    # The first event.

    def _start(self, record: Record) -> None:
        game = self._game
        started = self._read(record)
        if started is None:
            raise _Lost
        self._expect_canonical(record, started)
        if type(started) is not game.start_event:
            self._report("rules", record, _said(record.type, record.payload), "the event that starts a game")
            raise _Lost
        self._started = started
        seats, source = game.seats(started), game.source(started)
        for found, expected in game.contradictions(started):
            self._report("deal", record, found, expected)
        if source is not None:
            self._check_source(record, seats, source)
        self._books = game.books(started)
        self.state, self._seats = game.new(started), seats
        self.state.record.stop()
        self._follow = self._go

    def _check_source(self, record: Record, seats: tuple[Seat, ...], source: EntropySource) -> None:
        try:
            Setup(seats, source)
        except InvalidValue as error:
            self._report("rules", record, "seats that cannot be", str(error).rstrip("."))
        if source.text is None:
            return
        self._entropy = RecordedEntropy(self._game, source.entropy())
        if source != EntropySource.from_text(source.text):
            self._report("deal", record, "a game's secret", "the secret that follows from the text of its seed")

    # Every other event.

    def _go(self, record: Record) -> Line | None:
        state, entropy = self.state, self._entropy
        assert state is not None
        entropy.record = record
        due = state.dealer_event(entropy)
        if due is None:
            return self._take(record, self._chosen(record, state))
        coded = self._codec.encode(due)
        if coded == (record.type, record.version, record.payload, record.secret):
            self._in_a_row = 0
            event = due
        else:
            event = self._other_than(due, coded, record, state)
        if entropy.wrong is not None:
            self._wrong_seed(record, *entropy.wrong)
        return self._take(record, event)

    def _take(self, record: Record, event: Event) -> Line | None:
        state, books = self.state, self._books
        assert state is not None
        state.apply(event)
        for found, expected in books.post(event):
            self._report("money", record, found, expected)
        if self._compared:
            for found, expected in books.compare(state):
                self._report("money", record, found, expected)
                self._compared = False  # once apart, they stay apart
        if self._ledger is not None and (page := books.page()) is not None:
            self._page = page
        entry = state.entry(event, EVERYONE)
        return None if entry is None else Line(entry.number, facts_text(entry), entry.again)

    def _other_than(self, due: Event, coded: EncodedEvent, record: Record, state: State) -> Event:
        """Return the event to go on with, where the record is not what the dealer would have written."""
        event = self._read(record)
        if event is None:
            return self._instead(due)
        self._expect_canonical(record, event)
        if event == due or self._interrupts(event, state):
            return event
        check: Check = "deal" if type(event) is type(due) and type(due) in self._game.dealt else "rules"
        self._report(check, record, *self._told_apart(record, coded))
        self._count_in_a_row()
        if self._is_next_after(due, event, state):
            self._take(record, due)  # it is missing in the log, and all else is as if it were there
            return event
        if type(event) is not type(due) or not self._game.fits(state, event):
            raise _Lost
        return self._instead(due) if _withheld(event) else event

    def _instead(self, due: Event) -> Event:
        """Return the dealer's event in the place of one that cannot be read; without its seed a deck is unknown."""
        if self._game.seed_of(due) is not None:
            raise _Lost
        return due

    def _interrupts(self, event: Event, state: State) -> bool:
        """Tell whether a person leaves here, or the service acts for a seat, although the dealer is to act.

        Only `decide` knows where that may be.
        """
        if not isinstance(action := self._game.action_of(event), Leave | ServiceAction):
            return False
        with suppress(IllegalAction):
            return state.decide(action) == event
        return False

    def _is_next_after(self, due: Event, event: Event, state: State) -> bool:
        """Tell whether an event would be right if the dealer's event before it had been recorded."""
        trial = deepcopy(state)
        with suppress(PokersvcError):
            trial.apply(due)
            if (then := trial.dealer_event(self._entropy)) is not None:
                return then == event
            action = self._game.action_of(event)
            return action is not None and trial.decide(action) == event
        return False

    def _chosen(self, record: Record, state: State) -> Event:
        """Return the event of a choice, after checking that it was allowed."""
        event = self._read(record)
        if event is None:
            raise _Lost
        action, awaited = self._game.action_of(event), state.awaited
        expected = "nothing, the game is over"
        if awaited:
            expected = f"a choice of {' or '.join(self._seats[seat - 1].name for seat in awaited)}"
        if action is not None:
            try:
                decided = state.decide(action)
            except IllegalAction as refused:
                expected = f"{expected}: {str(refused).rstrip('.')}"
            else:
                coded = self._codec.encode(decided)
                if coded == (record.type, record.version, record.payload, record.secret):
                    self._in_a_row = 0
                    return decided
                if decided == event:
                    self._expect_canonical(record, event)
                    return event
                expected = _said(coded.type, coded.payload)
        self._expect_canonical(record, event)
        self._report("rules", record, _said(record.type, record.payload), expected)
        self._count_in_a_row()
        if action is None or action.seat not in awaited or _withheld(event) or not self._game.fits(state, event):
            raise _Lost
        return event

    def _wrong_seed(self, record: Record, recorded: bytes, expected: bytes) -> None:
        self._entropy.wrong = None
        found, right = (f"the seed {seed.hex()}" if self._over else "a seed" for seed in (recorded, expected))
        self._report("deal", record, found, f"{right}, which follows from the text of the game's seed")

    # What cannot be followed is still read.

    def _count_in_a_row(self) -> None:
        self._in_a_row += 1
        if self._in_a_row > MOST_IN_A_ROW:
            raise _Lost

    def _lose(self, record: Record) -> None:
        """Follow the game no further, and say from where on."""
        self._stop()
        finding = lost("", None, None)
        self._report(finding.check, record, finding.found, finding.expected)

    def _fail(self, record: Record | None, error: Exception) -> None:
        self._stop()
        for found, expected in unplayable(self._game, self._started):
            self._report("rules", record, found, expected)
        self._failed(record, error)

    def _stop(self) -> None:
        self.state = None
        self._follow = self._only_read

    def _only_read(self, record: Record) -> None:
        event = self._read(record)
        if event is not None:
            self._expect_canonical(record, event)

    def _read(self, record: Record) -> Event | None:
        """Return the event of a record, or None after saying why it is none."""
        try:
            event = self._codec.decode(record.type, record.version, record.payload, record.secret)
        except UnreadableEvent as error:
            self._report(
                "schema",
                record,
                _said(record.type, record.payload),
                f"an event that can be read ({shorten(str(error), MOST_SHOWN).rstrip('.')})",
            )
            return None
        if record.secret is None and secret_fields(type(event)) and _withheld(event):
            self._report("schema", record, "no secret", f"the secret of a {record.type}")
        return event

    def _expect_canonical(self, record: Record, event: Event) -> None:
        if self._codec.is_canonical(record.type, record.version, record.payload, record.secret):
            return
        coded = None
        with suppress(UnreadableEvent):  # without its secret an event is not written
            coded = self._codec.encode(event)
        if coded is None or coded.payload == record.payload or coded.version != record.version:
            self._report("schema", record, "JSON in another form", "canonical JSON")
        else:
            self._report("schema", record, _said(record.type, record.payload), f"canonical JSON, {coded.payload}")

    def _told_apart(self, record: Record, coded: EncodedEvent) -> tuple[str, str]:
        """Return what was found and what should have been; secrets are told of games that are over."""
        found, expected = _said(record.type, record.payload), _said(coded.type, coded.payload)
        if (record.type, record.payload) != (coded.type, coded.payload):
            return found, expected
        if self._over:
            return f"{found} with the secret {record.secret}", f"the secret {coded.secret}"
        return f"{found} with another secret", "the secret that follows (it is told when the game is over)"


def unplayable(game: Game, started: Event | None) -> list[Mismatch]:
    """Return why nobody can play a game by its rules, to be asked where an exception ended its check.

    What made that exception may make the question fail too; the first exception is the one to tell.
    """
    if started is None:
        return []
    try:
        return list(game.unplayable(started))
    except Exception:
        return []


def _withheld(event: Event) -> bool:
    return any(getattr(event, name) is None for name in secret_fields(type(event)))


def _said(type_: object, payload: object) -> str:
    text = f"{type_} {payload}"
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
