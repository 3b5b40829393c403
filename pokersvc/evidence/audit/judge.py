"""The check of one event of a log: it must be the event that the dealer had to make, or an allowed choice.

Stored texts are compared: an event with the expected text is valid and canonical; others are examined more closely.
"""

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Final

from pokersvc.core.actions import BetweenRounds, CloseGame, ForgoRound, IllegalAction, ServiceAction
from pokersvc.core.event import AUDITOR, Event, Viewer, secret_fields
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.record import Withheld
from pokersvc.evidence.audit.entropy import RecordedEntropy, ShownEntropy
from pokersvc.evidence.audit.reading import AnyRecord, Reader, Report, difference, known_to, quoted, withheld
from pokersvc.evidence.findings import Check

MOST_IN_A_ROW: Final = 20
"""The maximum number of wrong events in a row; after more, a game is not followed any further."""


class CannotGoOn(PokersvcError):
    """The game cannot be followed past the current event; the reason was reported."""


class Judge:
    """Checks records against the rules, as far as the viewer's copy allows; an auditor's copy shows everything."""

    def __init__(self, game: Game, viewer: Viewer, reader: Reader, report: Report, *, over: bool) -> None:
        self._game = game
        self._codec = game.codec
        self._viewer = viewer
        self._with_secrets = viewer == AUDITOR
        self._reader = reader
        self._report = report
        self._over = over
        self._seats: tuple[Seat, ...] = ()
        self._recorded = RecordedEntropy(game, None) if self._with_secrets else ShownEntropy(game, None)
        self._in_a_row = 0
        self.reported = False
        """Whether the current record was reported as not allowed by the rules."""
        self.undealt = 0
        """The number of random events (such as deals) that cannot be checked because the copy hides the seed."""
        self.hidden = False
        """Whether the current record is counted in `undealt`."""
        self._knows_deck = False
        """Whether this copy knows the deck of the round."""

    def start(self, seats: tuple[Seat, ...], source: EntropySource | None) -> None:
        """Set the seats and, for a reproducible game, the source of its seeds."""
        self._seats = seats
        if source is not None and source.text is not None:
            self._recorded = type(self._recorded)(self._game, source.entropy())

    def derive_seeds(self, follows: Callable[[], bytes | None]) -> None:
        """Set the function that derives, from a round's shares, the seed that a copy withholds (None if it cannot)."""
        if isinstance(self._recorded, ShownEntropy):
            self._recorded.follows = follows

    @property
    def deck(self) -> int:
        """The number of the deck that was shuffled last."""
        return self._recorded.deck

    def event(self, record: AnyRecord, state: State) -> tuple[Event, ...]:
        """Return the events to apply for a record (its own or a replacement); raise `CannotGoOn` if there are none.

        The result has two events if the dealer's event before the record is missing in the log.
        """
        self.reported = self.hidden = False
        recorded = self._recorded
        recorded.record = record
        try:
            due = state.dealer_event(self._recorded)
        except WithheldSecrets as hidden:
            if self._with_secrets:
                raise
            if not self._game.seeded.isdisjoint(hidden.due):
                self._knows_deck = False
            return (self._of_type(record, state, hidden.due),)
        if type(due) in self._game.seeded:
            self._knows_deck = True
        if due is None:
            return (self._chosen(record, state),)
        if self.is_stored_as(due, record):
            events: tuple[Event, ...] = (self._as_due(record, due),)
        else:
            events = self._other_than(due, record, state)
        if recorded.wrong is not None:
            self._wrong_seed(record, *recorded.wrong)
        return events

    def due_at_the_end(self, state: State) -> Event | None:
        """Return the event that the dealer must still make at the end; None if nothing is due, or for a copy."""
        if not self._with_secrets or state.pausing:
            return None  # a copy may be cut off between two events
        self._recorded.record = None
        with suppress(WithheldSecrets):  # a missing secret is reported where it is missing
            return state.dealer_event(self._recorded)
        return None

    def _as_due(self, record: AnyRecord, due: Event) -> Event:
        """Return the dealer's event for a record that is equal to it, without decoding the record."""
        self._in_a_row = 0
        if self._reader.met is not None:
            self._reader.met(record, due)
        return self._dealt(due)

    def _dealt(self, due: Event) -> Event:
        """Return the dealer's event as the viewer may know it, or with all cards if the deck is known."""
        return due if self._recorded.deals else known_to(due, self._viewer)

    def _other_than(self, due: Event, record: AnyRecord, state: State) -> tuple[Event, ...]:
        """Report a record that differs from the dealer's event ``due``, and return the events to apply in its place."""
        event = self._reader.read(record)
        if event is None:
            return (self._instead(due),)
        self._reader.expect_canonical(record, event)
        shows = not withheld(event)
        right = event == due if shows else known_to(event, self._viewer) == known_to(due, self._viewer)
        event = known_to(event, self._viewer)
        if right or self._interrupts(event, state):
            return (event,)
        self._expect_seat(record, event)
        check: Check = "deal" if type(event) is type(due) and type(due) in self._game.dealt else "rules"
        self.wrong(check, record, *difference(record, self._codec.encode(due), over=self._over))
        if self._is_next_after(due, event, state):
            return due, event  # only the dealer's event is missing from the log; the rest follows from it
        if type(event) is not type(due):
            raise CannotGoOn
        return (self._instead(due) if withheld(event) else event,)

    def _instead(self, due: Event) -> Event:
        """Return the dealer's event in place of an unreadable record; raise `CannotGoOn` if it would need a seed."""
        if self._game.seed_of(due) is not None:
            raise CannotGoOn
        return self._dealt(due)

    def _interrupts(self, event: Event, state: State) -> bool:
        """Return whether a person or the service may make this event here although it is the dealer's turn.

        Such events come from people's actions between rounds and from actions of the service; only `decide` knows where
        these are allowed.
        """
        if not isinstance(action := self._game.action_of(event), BetweenRounds | ServiceAction):
            return False
        with suppress(IllegalAction):
            return state.decide(action) == event
        return False

    def _is_next_after(self, due: Event, event: Event, state: State) -> bool:
        """Return whether an event may come right after the dealer's event ``due``, which is missing in the log."""
        trial = deepcopy(state)
        with suppress(PokersvcError):
            trial.apply(due)
            if (then := trial.dealer_event(self._recorded)) is not None:
                return then == event
            action = self._game.action_of(event)
            return action is not None and trial.decide(action) == event
        return False

    def _of_type(self, record: AnyRecord, state: State, due: tuple[type[Event], ...]) -> Event:
        """Return a record's event after checking its type; the copy hides too much to compute the dealer's event."""
        event = self._known(record)
        self._reader.expect_canonical(record, event)
        if self._interrupts(event, state):
            return event
        expected = None
        if self._game.action_of(event) is not None:
            expected = "the event that the rules require next"
        elif due and type(event) not in due:
            names = " or ".join(sorted(type_.__name__ for type_ in due))
            expected = f"{names}, which the rules require next"
        if expected is not None:
            self.wrong("rules", record, quoted(record.type, record.payload), expected)
            raise CannotGoOn
        self._uncontradicted(record, event, state)
        self.hidden = type(event) in self._game.dealt
        self.undealt += self.hidden
        return event

    def _uncontradicted(self, record: AnyRecord, event: Event, state: State) -> Event:
        """Return a partly hidden event if nothing in this copy contradicts it; otherwise raise `CannotGoOn`."""
        if (expected := state.contradiction(event)) is not None:
            self.wrong("rules", record, quoted(record.type, record.payload), expected)
            raise CannotGoOn
        return event

    def _chosen(self, record: AnyRecord, state: State) -> Event:
        """Return the event of a choice, and report it if the rules do not allow it."""
        event = self._known(record)
        action, awaited = self._game.action_of(event), state.awaited
        on_turn = action is not None and (action.seat in awaited or isinstance(action, CloseGame | ForgoRound))
        if on_turn and not self._with_secrets and withheld(event):
            self._reader.expect_canonical(record, event)
            return self._uncontradicted(record, event, state)  # whether a hidden choice was allowed is hidden too
        expected = None
        if action is not None and (on_turn or self._with_secrets):
            try:
                decided = state.decide(action)
            except IllegalAction as refused:
                expected = f"{self._choice_of(state)}: {str(refused).rstrip('.')}"
            else:
                if self.is_stored_as(decided, record):
                    self._in_a_row = 0
                    return decided
                if decided == event:
                    self._reader.expect_canonical(record, event)
                    return event
                coded = self._codec.encode(decided)
                expected = quoted(coded.type, coded.payload)
        self._reader.expect_canonical(record, event)
        found = quoted(record.type, record.payload)
        if awaited and not on_turn and not self._with_secrets:
            found = "an event of a seat that is not to act"
        self.wrong("rules", record, found, expected or self._choice_of(state))
        if not on_turn or withheld(event):
            raise CannotGoOn
        return event

    def _choice_of(self, state: State) -> str:
        awaited = state.awaited
        if not awaited:
            return "nothing, as the game is over"
        if self._with_secrets:
            seats = state.seats_now() or self._seats
            return f"a choice of {' or '.join(seats[seat - 1].name for seat in awaited)}"
        return f"a choice of seat {' or '.join(map(str, awaited))}"

    def is_stored_as(self, event: Event, record: AnyRecord) -> bool:
        """Return whether a record has exactly the stored form of an event; a withheld secret is not compared."""
        type_, version, payload, secret = record.type, record.version, record.payload, record.secret
        if isinstance(secret, Withheld):
            hides = bool(secret_fields(type(event)))
            return hides and self._codec.is_stored_as(event, type_, version, payload, None, withheld=True)
        return self._codec.is_stored_as(event, type_, version, payload, secret)

    def _wrong_seed(self, record: AnyRecord, recorded: bytes, expected: bytes) -> None:
        self._recorded.wrong = None
        found, right = (f"the seed {seed.hex()}" if self._over else "a seed" for seed in (recorded, expected))
        self._report("deal", record, found, f"{right}, which follows from the text of the game's seed")

    def _expect_seat(self, record: AnyRecord, event: Event) -> None:
        """In a copy, report an event of a seat that the game does not have, and raise `CannotGoOn`."""
        seat = getattr(event, "seat", None)
        if not self._with_secrets and seat is not None and not 1 <= seat <= len(self._seats):
            self._report("rules", record, f"the seat {seat}", f"a seat from 1 to {len(self._seats)}")
            raise CannotGoOn

    def wrong(self, check: Check, record: AnyRecord, found: str, expected: str) -> None:
        """Report an event that should not be there; raise `CannotGoOn` after too many in a row."""
        self._report(check, record, found, expected)
        self.reported = True
        self._in_a_row += 1
        if self._in_a_row > MOST_IN_A_ROW:
            raise CannotGoOn

    def _known(self, record: AnyRecord) -> Event:
        """Return a record's event as the viewer may know it or, if the deck is known, with all that the copy shows."""
        event = self._reader.read(record)
        if event is None:
            raise CannotGoOn
        if self._with_secrets:
            return event
        self._expect_seat(record, event)
        return event if self._knows_deck else known_to(event, self._viewer)
