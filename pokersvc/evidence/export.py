"""Exports: one game in a file of its own, with the secrets that its reader may see and the digests of the others.

The file is verified without any database. The format is described for outsiders in docs/exports.md.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from pokersvc.core.actions import IllegalAction, Leave, ServiceAction
from pokersvc.core.books import Books
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see, redact, secret_fields
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, has_game
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.eventlog.record import (
    SALT_BYTES,
    ChainBroken,
    Record,
    SharedRecord,
    Withheld,
    digest_of,
    secret_digest,
    shared,
    verify,
)
from pokersvc.evidence.audit.moments import Moments
from pokersvc.evidence.audit.seeds import Seeds
from pokersvc.evidence.audit.walk import Walk, unplayable
from pokersvc.evidence.findings import Check, Fault, Finding, failure
from pokersvc.evidence.jsonl import MAX_NUMBER, Fields, InvalidFile, line_of
from pokersvc.service import NotOver, Service
from pokersvc.text import counted

FORMAT: Final = "pokersvc/export/1"
MOST_SAID: Final = 200
"""How much of an event, or of an error about one, a finding quotes."""


@dataclass(frozen=True, slots=True)
class Export:
    """What the first line of an export says: which game, whose copy, and where the chain ends."""

    viewer: Viewer
    """Whose copy: a seat, everyone's or an auditor's."""
    count: int
    game_id: str
    head: bytes
    kind: str
    opened: tuple[int, ...]
    """Events whose secrets are opened although the viewer could not see them."""


def write(
    file: BinaryIO,
    log: EventLog,
    game_id: str,
    viewer: Viewer = EVERYONE,
    *,
    opened: Collection[int] = (),
    force: bool = False,
) -> Export:
    """Write a game as the viewer may know it, with the secrets of the events ``opened`` too, and return its first line.

    While the game is on only the viewer's own secrets are opened; NotOver for others without ``force``. The chain is
    verified on the way (`ChainBroken`); InvalidValue for an event that is not there or has no secret.
    """
    others = _others(log, game_id, viewer, opened, force=force)
    with log.snapshot() as snapshot:
        head = snapshot.head(game_id)
        assert head is not None  # it has just been read, and games do not go away
        export = Export(viewer, head.count, game_id, head.hash, head.kind, others)
        decode = game_of(head.kind).codec.decode
        file.write(line_of(_header(export)))
        for record in snapshot.read(game_id):
            event = decode(record.type, record.version, record.payload, None)
            file.write(line_of(_line(shared(record, opened=record.seq in others or may_see(event, viewer)))))
    return export


def _others(log: EventLog, game_id: str, viewer: Viewer, opened: Collection[int], *, force: bool) -> tuple[int, ...]:
    """Return the events whose secrets are asked for and are not the viewer's own, lowest first; or refuse."""
    wanted, others = set(opened), []
    over = False
    count = 0
    eyes = EVERYONE if viewer == AUDITOR else viewer  # an auditor would be refused before anything is looked at
    upto = None if wanted or (viewer == AUDITOR and not force) else 1
    for count, (record, event, state) in enumerate(Service(log).replay(game_id, eyes, upto=upto), 1):
        over = state.outcome is not None
        if count in wanted:
            if record.secret is None:
                raise InvalidValue(f"Event {count} of game {game_id} ({record.type}) has no secret to open.")
            if not may_see(event, viewer):
                others.append(count)
    if wanted and not 1 <= min(wanted) <= max(wanted) <= count:
        outside = min(wanted) if min(wanted) < 1 else max(wanted)
        raise InvalidValue(f"Game {game_id} has no event {outside}; its events are 1 to {count}.")
    if not over and not force:
        if viewer == AUDITOR:
            raise NotOver(
                f"Game {game_id} is not over, and an auditor's copy opens every secret; wait for its end, or add"
                " --force."
            )
        if others:
            raise NotOver(
                f"Game {game_id} is not over, and the secret of event {others[0]} is not the reader's; wait for its"
                " end, or add --force."
            )
    return tuple(others)


def _header(export: Export) -> dict[str, Any]:
    return {
        "as": export.viewer,
        "count": export.count,
        "format": FORMAT,
        "game": export.game_id,
        "head": export.head.hex(),
        "kind": export.kind,
        "opened": list(export.opened),
    }


def _line(record: Record | SharedRecord) -> dict[str, Any]:
    line: dict[str, Any] = {
        "command_id": record.command_id,
        "hash": record.hash.hex(),
        "n": record.n,
        "payload": record.payload,
        "recorded_at": record.recorded_at,
        "seq": record.seq,
        "type": record.type,
        "version": record.version,
    }
    if digest := digest_of(record):
        line["digest"] = digest.hex()
    if record.salt is not None:  # not withheld
        line |= {"salt": record.salt.hex(), "secret": record.secret}
    return line


class _NoEntropy:
    """Stands where chance decides what the dealer does: that cannot be told from a copy without the seeds."""

    def seed(self, index: int) -> bytes:
        raise WithheldSecrets


@dataclass(frozen=True, slots=True)
class Known:
    """A hash that the reader of an export trusts, and where it is from: of event ``count``, or of any (None)."""

    head: bytes
    whence: str
    check: Check = "chain"
    count: int | None = None


class Verification:
    """An export that is verified while it is read; its findings come first, then what was seen may be asked.

    ``lines`` are those of a file called ``name``. InvalidFile for what is no export. Of a game of an unknown kind the
    chain alone is checked.
    """

    def __init__(self, lines: Iterator[Fields], name: str, known: Iterable[Known] = ()) -> None:
        self._lines = lines
        self._read(next(lines, None), name)
        self.known = list(known)
        self._noted: list[Finding] = []
        self._found = False
        """Whether anything was found, up to the line at hand."""
        self.fault: Fault | None = None
        """The mistake in the code that ended the check of the game, where nothing was found before it."""
        self._type: str | None = None
        self._state: State | None = None
        self._started: Event | None = None
        self._books: Books
        self._compared = True
        self._seats = 0
        self._replaying = True
        self._moments = Moments()
        self._ended = False
        self.over = False
        """Whether the game was over at the export's end, as far as it could be followed."""
        self._open = False
        """Whether the line at hand opens a secret."""
        self.count = 0
        """Events that were read and whose chain is whole."""
        self.secrets = 0
        self.shown = 0
        """Secrets that are in the file and are those that were committed to."""
        self._others = 0
        self.met: dict[Known, int] = {}
        """Which event has each hash that the reader trusts."""
        self._game: Game | None = None
        """By which events are checked; None where the chain alone is."""
        self._seeds: Seeds | None = None
        self._walk: Walk | None = None
        """Checks the events of a copy that shows every secret, as an audit does."""
        if self.known_kind:
            try:
                self._ask(game_of(self.export.kind))
            except Exception as error:
                self._failed(None, error)

    def _read(self, line: Fields | None, name: str) -> None:
        if line is None:
            raise InvalidFile(f"{name} is empty; it has to be an export.")
        line.take("format", f'"{FORMAT}"', FORMAT.__eq__)
        self.export = Export(
            line.take("as", f'a seat, "{EVERYONE}" or "{AUDITOR}"', _is_viewer),
            line.number("count"),
            line.id("game"),
            line.bytes("head", HASH_BYTES),
            line.id("kind"),
            tuple(line.take("opened", "a list of the numbers of events, ascending", _is_ascending)),
        )
        line.end()
        self._opened = frozenset(self.export.opened)

    def _ask(self, game: Game) -> None:
        self._seeds = Seeds(game)
        if self.export.viewer == AUDITOR:
            self._walk = Walk(game, self._walked, self._failed, over=True, ledger=None)
        self._game = game

    @property
    def known_kind(self) -> bool:
        """Whether this program knows the game; if not, only its chain is checked."""
        return has_game(self.export.kind)

    @property
    def checked(self) -> bool:
        """Whether everything was checked that this copy shows."""
        return self.known_kind and self.fault is None

    def findings(self) -> Iterator[Finding]:
        """Read the file to its end and yield what is not as it should be."""
        for finding in self._findings():
            self._found = True
            yield finding

    def _findings(self) -> Iterator[Finding]:
        head = b""
        try:
            for record in verify(self._records(), game_id=self.export.game_id):
                self.count, head = record.seq, record.hash
                yield from self._take_noted()
                if (wrong := self._moments.check(record)) is not None:
                    yield self._finding("chain", *wrong)
                if self._game is not None:
                    yield from self._event(record, self._game)
                yield from self._trusted_at(record)
        except ChainBroken as broken:
            yield from self._take_noted()
            yield self._finding("chain", broken.found, broken.expected, broken.seq)
            return
        yield from self._at_the_end(head)

    def _records(self) -> Iterator[SharedRecord]:
        for line in self._lines:
            yield self._record(line)

    def _record(self, line: Fields) -> SharedRecord:
        seq, type_ = line.number("seq"), line.id("type")
        self._type = type_
        digest, salt, secret = None, None, None
        self._open = line.has("secret")
        if line.has("digest"):
            digest = Withheld(line.bytes("digest", HASH_BYTES))
            self.secrets += 1
        if digest is not None and (line.has("salt") or line.has("secret")):
            salt, secret = line.bytes("salt", SALT_BYTES), line.text("secret")
            found = _other_secret(salt, secret, digest)
            if found is None:
                self.shown += 1
            else:
                self._noted.append(self._finding("chain", found, f"the one committed to, {digest.hex()}", seq))
                salt, secret = None, None
        record = SharedRecord(
            self.export.game_id,
            seq,
            type_,
            line.number("version"),
            line.text("recorded_at"),
            line.id("command_id"),
            line.number("n"),
            line.text("payload"),
            digest if secret is None else secret,
            salt,
            line.bytes("hash", HASH_BYTES),
        )
        line.end()
        return record

    def _event(self, record: SharedRecord, game: Game) -> Iterator[Finding]:
        """Check an event; after a mistake in the code by which events are read, the chain alone is checked."""
        try:
            yield from self._checked(record, game)
        except PokersvcError:
            self._replaying, self._game = False, None
            yield self._finding("schema", "what cannot be read", "a valid event")
        except Exception as error:
            self._replaying, self._game = False, None
            self._failed(None, error)
            yield from self._take_noted()

    def _checked(self, record: SharedRecord, game: Game) -> Iterator[Finding]:
        """Check an event against its schema, against what the first line says of secrets, and against the rules."""
        secret = record.secret if isinstance(record.secret, str) else None
        if secret is not None and self._seeds is not None:
            repeated = self._seeds.check(record.type, record.seq, secret, self.export.game_id)
            if repeated is not None:
                yield repeated
        if self._walk is not None:
            if secret == record.secret:
                self._walk.follow(Record(*record[:8], secret, *record[9:]))
                yield from self._take_noted()
                return
            self._walk, self._replaying = None, False  # without all secrets it cannot go on
        try:
            canonical = game.codec.is_canonical(record.type, record.version, record.payload, secret)
            event = game.codec.decode(record.type, record.version, record.payload, secret)
        except UnreadableEvent as error:
            self._replaying = False
            yield self._finding("schema", f"what cannot be read ({_shortened(error)})", "a valid event")
            return
        if not canonical:
            yield self._finding("schema", "JSON that is not canonical", "the payload as it is written")
        if record.secret is None and not may_see(event, EVERYONE):
            self._replaying = False
            yield self._finding("schema", "no secret", f"the secret of a {record.type}, or its digest")
            return
        if record.secret is not None and may_see(event, EVERYONE):
            yield self._finding("schema", "a secret", f"none, as a {record.type} has no secret")
        elif record.secret is not None and self._open != self._shows(event, record.seq):
            found = "an opened secret" if self._open else "no opened secret"
            yield self._finding("export", found, f"what the first line says of the copy of {self.export.viewer}")
        if self._replaying:
            yield from self._apply(game, redact(event, self.export.viewer), _cut(f"{record.type} {record.payload}"))

    def _shows(self, event: Event, seq: int) -> bool:
        own = may_see(event, self.export.viewer)
        if seq in self._opened and not own:
            self._others += 1
            return True
        return own

    def _apply(self, game: Game, event: Event, told: str) -> Iterator[Finding]:
        """Take the event into the state; a copy may lack secrets, so the rules are checked as far as it shows them."""
        try:
            yield from self._begin(game, event) if self._state is None else self._go_on(game, self._state, event, told)
        except PokersvcError:  # a refusal of what the event says
            yield self._wrong("an event that cannot follow", "one that the rules allow")
        except Exception as error:
            self._noted += [self._finding("rules", *wrong) for wrong in unplayable(game, self._started)]
            self._failed(None, error)
            yield from self._take_noted()

    def _go_on(self, game: Game, state: State, event: Event, told: str) -> Iterator[Finding]:
        seat: Any = getattr(event, "seat", None)
        if state.outcome is not None:
            yield self._wrong("an event", "the end, as the game was over")
        elif state.awaited and seat not in state.awaited:
            yield self._wrong("an event that is not of the seat on turn", _choice_of(state.awaited))
        elif seat is not None and not 1 <= seat <= self._seats:
            yield self._wrong(f"the seat {seat}", f"a seat from 1 to {self._seats}")
        else:
            expected = self._otherwise(game, state, event)
            if expected is not None:
                yield self._wrong(told, expected)
            if game.fits(state, event):
                yield from self._take(state, event)
            elif expected is None:
                yield self._wrong(told, "an event of this table")

    def _take(self, state: State, event: Event) -> Iterator[Finding]:
        state.apply(event)
        for mismatch in self._books.post(event):
            yield self._finding("money", *mismatch)
        if self._compared:
            for mismatch in self._books.compare(state):
                yield self._finding("money", *mismatch)
                self._compared = False  # once apart, they stay apart

    def _otherwise(self, game: Game, state: State, event: Event) -> str | None:
        """Return what should be there instead of an event; None for one that is right, as far as the copy shows."""
        action = game.action_of(event)
        if state.awaited:
            if action is None:
                return _choice_of(state.awaited)
            if any(getattr(event, name) is None for name in secret_fields(type(event))):
                return None  # whether a hidden choice was allowed is hidden too
        elif not (state.pausing and isinstance(action, Leave | ServiceAction)):
            return "what the dealer has to do" if action is not None else self._otherwise_due(game, state, event)
        try:
            decided = state.decide(action)
        except IllegalAction as refused:
            return f"one that is allowed: {str(refused).rstrip('.')}"
        return None if decided == event else _payload(game, decided)

    def _otherwise_due(self, game: Game, state: State, event: Event) -> str | None:
        try:
            due = state.dealer_event(_NoEntropy())
        except WithheldSecrets as hidden:  # what chance decides, or hands that this copy hides: its type alone is known
            if not hidden.due or type(event) in hidden.due:
                return None
            return f"{' or '.join(sorted(type_.__name__ for type_ in hidden.due))}, which the dealer has to do"
        return None if due is None or redact(due, self.export.viewer) == event else _payload(game, due)

    def _begin(self, game: Game, event: Event) -> Iterator[Finding]:
        if type(event) is not game.start_event:
            yield self._wrong("an event", "the one that starts a game")
            return
        self._started = event
        self._seats = len(game.seats(event))
        for mismatch in game.contradictions(event):
            yield self._finding("deal", *mismatch)
        self._books = game.books(event)
        self._state = game.new(event)
        self._state.record.stop()
        if isinstance(self.export.viewer, int) and self.export.viewer > self._seats:
            yield self._finding("export", f"the copy of seat {self.export.viewer}", f"one of the {self._seats} seats")

    def _wrong(self, found: str, expected: str) -> Finding:
        self._replaying = False
        return self._finding("rules", found, expected)

    def _walked(self, check: Check, record: Record | None, found: str, expected: str) -> None:
        seq, type_ = (None, None) if record is None else (record.seq, record.type)
        self._noted.append(Finding(self.export.game_id, seq, type_, check, found, expected))

    def _failed(self, record: Record | None, error: Exception) -> None:
        self._replaying = False
        seq, type_ = (None, None) if self._ended else (self.count or None, self._type)
        told = failure(error, self.export.game_id, seq, type_, found=self._found or bool(self._noted))
        if isinstance(told, Finding):
            self._noted.append(told)
        elif self.fault is None:
            self.fault = told

    def _trusted_at(self, record: SharedRecord) -> Iterator[Finding]:
        for known in self.known:
            if known.count is None and known.head == record.hash:
                self.met[known] = record.seq
            elif known.count == record.seq:
                if known.head != record.hash:
                    expected = f"{known.head.hex()}, {known.whence}"
                    yield self._finding(known.check, f"the hash {record.hash.hex()}", expected)
                self.met[known] = record.seq

    def _at_the_end(self, head: bytes) -> Iterator[Finding]:
        self._type, self._ended = None, True
        self._end()
        yield from self._take_noted()
        export = self.export
        if self.count != export.count:
            found, expected = f"the end after {counted(self.count, 'event')}", f"{export.count}, as the first line says"
            yield self._finding("chain", found, expected, self.count + 1)
        elif head != export.head:
            found, expected = f"the head {head.hex()}", f"{export.head.hex()}, as the first line says"
            yield self._finding("chain", found, expected)
        elif self._game is not None and self._others != len(export.opened):
            found, expected = (
                counted(self._others, "opened secret"),
                f"the {len(export.opened)} that the first line names",
            )
            yield Finding(export.game_id, None, None, "export", found, expected)
        for known in self.known:
            if known in self.met:
                continue
            if known.count is None:
                yield Finding(export.game_id, None, None, known.check, "no such event", f"one with {known.whence}")
            else:
                found, expected = (
                    f"the end after {counted(self.count, 'event')}",
                    f"{counted(known.count, 'event')}, {known.whence}",
                )
                yield self._finding(known.check, found, expected, self.count + 1)

    def _end(self) -> None:
        """Check that the game may end where the copy does, and note whether it is over."""
        if self._walk is not None:
            self._walk.end()
            self.over = self._walk.summary is not None and self._walk.summary.outcome is not None
        elif self._state is not None:
            try:
                self.over = self._state.outcome is not None
            except Exception as error:
                self._failed(None, error)

    def _take_noted(self) -> list[Finding]:
        noted, self._noted = self._noted, []
        return noted

    def _finding(self, check: Check, found: str, expected: str, seq: int | None = None) -> Finding:
        return Finding(self.export.game_id, self.count if seq is None else seq, self._type, check, found, expected)


def _other_secret(salt: bytes, secret: str, digest: bytes) -> str | None:
    """Return what a secret is instead of the one with that digest; None for the right one."""
    try:
        made = secret_digest(salt, secret)
    except UnicodeEncodeError:  # JSON can name half a character, a lone surrogate
        return "a secret that is not UTF-8"
    return None if made == digest else f"a secret whose digest is {made.hex()}"


def _choice_of(awaited: tuple[int, ...]) -> str:
    return f"a choice of seat {' or '.join(map(str, awaited))}"


def _payload(game: Game, event: Event) -> str:
    coded = game.codec.encode(event)
    return _cut(f"{coded.type} {coded.payload}")


def _shortened(error: UnreadableEvent) -> str:
    """Return what an error says for a finding: it may quote the file, which may hold anything."""
    return _cut("".join(character if character.isprintable() else "?" for character in str(error).rstrip(".")))


def _cut(said: str) -> str:
    return said if len(said) <= MOST_SAID else f"{said[:MOST_SAID]}…"


def _is_viewer(value: object) -> bool:
    return value in (EVERYONE, AUDITOR) or (type(value) is int and 1 <= value <= MAX_NUMBER)


def _is_ascending(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(type(seq) is int and 1 <= seq <= MAX_NUMBER for seq in value)
        and value == sorted(set(value))
    )
