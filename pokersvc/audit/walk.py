"""Walking a game's log by its rules: the checks of schema, rules, deal and money, in one pass.

Where the dealer must act, the recorded event has to be the dealer's; where a seat must choose, it has to be one that
`decide` makes. Texts are compared, so what equals is valid and canonical as well, and only what differs is looked
at more closely.
"""

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from textwrap import shorten
from typing import Any, Final

from pokersvc.audit.entropy import RecordedEntropy
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from pokersvc.findings import Check
from pokersvc.games.books import Books, Page
from pokersvc.games.codec import EncodedEvent
from pokersvc.games.entropy import EntropySource
from pokersvc.games.event import EVERYONE, Event, secret_fields
from pokersvc.games.game import Entry, Game, IllegalAction, Leave, Seat, Setup, State

Report = Callable[[Check, Record | None, str, str], None]
"""Takes the check, the record (None: the whole game), what was found, and what should have been."""

MOST_SHOWN: Final = 300
"""How much of a text a finding shows, in characters."""
MOST_IN_A_ROW: Final = 20
"""After so many events in a row that should be others, a game is not followed any further."""


class _Lost(Exception):
    """The state cannot be followed through the event at hand."""


class Walk:
    """One game, followed event by event."""

    def __init__(self, game: Game, report: Report, *, over: bool, ledger: Callable[[Page], None] | None) -> None:
        self._game = game
        self._codec = game.codec
        self._report = report
        self._over = over
        self._ledger = ledger
        self._entropy = RecordedEntropy(game, None)
        self._follow: Callable[[Record], Entry | None] = self._start
        self._compared = True
        self._in_a_row = 0
        self._books: Books
        self._page: Page | None = None
        self.started: Event | None = None
        """The event that started the game, once it was read."""
        self.state: State | None = None
        """The state after the last event; None where it cannot be followed, or not any more."""
        self.seats: tuple[Seat, ...] = ()

    def follow(self, record: Record) -> Entry | None:
        """Check the next event; return the line of history that it completed."""
        entry = self._follow(record)
        if self._page is not None and self._ledger is not None:
            self._ledger(self._page)
            self._page = None
        return entry

    def end(self) -> None:
        """Check that a log that has no more events ends where it may; give the ledger the round that goes on."""
        state = self.state
        if state is None:
            return
        if self._ledger is not None and (page := self._books.open_page()) is not None:
            self._ledger(page)
        self._entropy.record = None
        due = None
        with suppress(Exception):  # as below
            due = None if state.pausing else state.dealer_event(self._entropy)
        if due is not None:
            self._report("rules", None, "the end of the log", f"{type(due).__name__}, which the dealer has to do")

    # The first event.

    def _start(self, record: Record) -> None:
        game = self._game
        try:
            started = self._read(record)
            if started is None:
                raise _Lost
            self._expect_canonical(record, started)
            seats, source = game.seats(started), game.source(started)
            for found, expected in game.contradictions(started):
                self._report("deal", record, found, expected)
            if source is not None:
                self._check_source(record, seats, source)
            self._books = game.books(started)
            self.state, self.started, self.seats = game.new(started), started, seats
            self._follow = self._go
        except Exception:  # anything may stand where the start of a game should
            self._lose(record)

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

    def _go(self, record: Record) -> Entry | None:
        state, entropy = self.state, self._entropy
        assert state is not None
        try:
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
        except Exception:  # a state that was made of events that should not be may fail in any way
            self._lose(record)
        return None

    def _take(self, record: Record, event: Event) -> Entry | None:
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
        return state.entry(event, EVERYONE)

    def _other_than(self, due: Event, coded: EncodedEvent, record: Record, state: State) -> Event:
        """Return the event to go on with, where the record is not what the dealer would have written."""
        event = self._read(record)
        if event is None:
            return self._instead(due)
        self._expect_canonical(record, event)
        if event == due or self._leaves(event, state):
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

    def _leaves(self, event: Event, state: State) -> bool:
        """Tell whether a person leaves here, although the dealer is to act: only `decide` knows where one may."""
        if not isinstance(action := self._game.action_of(event), Leave):
            return False
        with suppress(IllegalAction):
            return state.decide(action) == event
        return False

    def _is_next_after(self, due: Event, event: Event, state: State) -> bool:
        """Tell whether an event would be right if the dealer's event before it had been recorded."""
        trial = deepcopy(state)
        with suppress(Exception):  # whatever a state does that was never meant to be
            trial.apply(due)
            if (then := trial.dealer_event(self._entropy)) is not None:
                return then == event
            return trial.decide(self._game.action_of(event)) == event
        return False

    def _chosen(self, record: Record, state: State) -> Event:
        """Return the event of a choice, after checking that it was allowed."""
        event = self._read(record)
        if event is None:
            raise _Lost
        action, seat = self._game.action_of(event), state.to_act
        expected = "nothing, the game is over"
        if seat is not None:
            expected = f"a choice of {self.seats[seat - 1].name}"
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
        if action is None or action.seat != seat or _withheld(event) or not self._game.fits(state, event):
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
        self.state = None
        self._follow = self._only_read
        self._report(
            "rules",
            record,
            "an event after which the game cannot be followed (rules, deal, money and lists are not checked any more)",
            "one that follows from the events before it",
        )

    def _only_read(self, record: Record) -> None:
        event = self._read(record)
        if event is not None:
            self._expect_canonical(record, event)

    def _read(self, record: Record) -> Event | None:
        """Return the event of a record, or None after saying why it is none."""
        try:
            event = self._codec.decode(record.type, record.version, record.payload, record.secret)
        except Exception as error:  # a database may hold anything in any column
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
        with suppress(Exception):
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


def _withheld(event: Event) -> bool:
    return any(getattr(event, name) is None for name in secret_fields(type(event)))


def _said(type_: Any, payload: Any) -> str:
    text = f"{type_} {payload}"
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
