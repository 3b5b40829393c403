"""Exports: one game in a file of its own, with the secrets that its reader may see and the digests of the others.

The file is verified without any database. The format is described for outsiders in docs/exports.md.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from pokersvc.audit.walk import Walk
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.eventlog.record import (
    SALT_BYTES,
    ChainBroken,
    Record,
    SharedRecord,
    Withheld,
    secret_digest,
    verify,
)
from pokersvc.findings import Check, Finding
from pokersvc.games.books import Books
from pokersvc.games.codec import UnreadableEvent
from pokersvc.games.event import AUDITOR, EVERYONE, Event, Viewer, may_see, redact, secret_fields
from pokersvc.games.game import HiddenCards, IllegalAction, Leave, State, game_of
from pokersvc.jsonl import MAX_NUMBER, Fields, InvalidFile, line_of
from pokersvc.service import NotOver, Service

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
            shown = record.seq in others or may_see(event, viewer)
            file.write(line_of(_line(record, shown=shown)))
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


def _line(record: Record, *, shown: bool) -> dict[str, Any]:
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
    if record.secret is not None and record.salt is not None:
        line["digest"] = secret_digest(record.salt, record.secret).hex()
        if shown:
            line |= {"salt": record.salt.hex(), "secret": record.secret}
    return line


class _NoEntropy:
    """Stands where chance decides what the dealer does: that cannot be told from a copy without the seeds."""

    def deck_seed(self, round_: int) -> bytes:
        raise HiddenCards


@dataclass(frozen=True, slots=True)
class Known:
    """A hash that the reader of an export trusts, and where it is from: of event ``count``, or of any (None)."""

    head: bytes
    whence: str
    check: Check = "chain"
    count: int | None = None


class Verification:
    """An export that is verified while it is read; its findings come first, then what was seen may be asked.

    ``lines`` are those of a file called ``name``. InvalidFile for what is no export.
    """

    def __init__(self, lines: Iterator[Fields], name: str, known: Iterable[Known] = ()) -> None:
        self._lines = lines
        self._read(next(lines, None), name)
        self.known = list(known)
        self._noted: list[Finding] = []
        self._type: str | None = None
        self._state: State | None = None
        self._books: Books
        self._compared = True
        self._seats = 0
        self._replaying = True
        self._walk = Walk(self._game, self._walked, over=True, ledger=None) if self.export.viewer == AUDITOR else None
        """Checks the events of a copy that shows every secret, as an audit does."""
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
        self._game = game_of(self.export.kind)
        self._codec = self._game.codec

    @property
    def over(self) -> bool:
        """Whether the game was over at the export's end."""
        state = self._state if self._walk is None else self._walk.state
        return state is not None and state.outcome is not None

    def findings(self) -> Iterator[Finding]:
        """Read the file to its end and yield what is not as it should be."""
        head = b""
        try:
            for record in verify(self._records(), game_id=self.export.game_id):
                self.count, head = record.seq, record.hash
                yield from self._take_noted()
                yield from self._event(record)
                yield from self._known_at(record)
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
            if secret_digest(salt, secret) == digest:
                self.shown += 1
            else:
                found = f"a secret whose digest is {secret_digest(salt, secret).hex()}"
                self._noted.append(self._finding("chain", found, f"the one committed to, {digest.hex()}", seq))
                salt, secret = None, None
        record = SharedRecord(
            self.export.game_id,
            seq,
            type_,
            line.number("version"),
            line.moment("recorded_at"),
            line.id("command_id"),
            line.number("n"),
            line.text("payload"),
            digest if secret is None else secret,
            salt,
            line.bytes("hash", HASH_BYTES),
        )
        line.end()
        return record

    def _event(self, record: SharedRecord) -> Iterator[Finding]:
        """Check an event against its schema, against what the first line says of secrets, and against the rules."""
        secret = record.secret if isinstance(record.secret, str) else None
        if self._walk is not None:
            if secret == record.secret:
                self._walk.follow(Record(*record[:8], secret, *record[9:]))
                yield from self._take_noted()
                return
            self._walk, self._replaying = None, False  # without all secrets it cannot go on
        try:
            canonical = self._codec.is_canonical(record.type, record.version, record.payload, secret)
            event = self._codec.decode(record.type, record.version, record.payload, secret)
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
            yield from self._apply(redact(event, self.export.viewer), _cut(f"{record.type} {record.payload}"))

    def _shows(self, event: Event, seq: int) -> bool:
        own = may_see(event, self.export.viewer)
        if seq in self._opened and not own:
            self._others += 1
            return True
        return own

    def _apply(self, event: Event, told: str) -> Iterator[Finding]:
        """Take the event into the state; a copy may lack secrets, so the rules are checked as far as it shows them."""
        state = self._state
        seat: Any = getattr(event, "seat", None)
        if state is not None and state.outcome is not None:
            yield self._wrong("an event", "the end, as the game was over")
        elif state is not None and state.to_act is not None and seat != state.to_act:
            yield self._wrong("an event that is not of the seat on turn", f"a choice of seat {state.to_act}")
        elif state is not None and seat is not None and not 1 <= seat <= self._seats:
            yield self._wrong(f"the seat {seat}", f"a seat from 1 to {self._seats}")
        else:
            try:
                if state is None:
                    yield from self._begin(event)
                else:
                    yield from self._go_on(state, event, told)
            except Exception:  # what no game can have recorded may fail in any way
                yield self._wrong("an event that cannot follow", "one that the rules allow")

    def _go_on(self, state: State, event: Event, told: str) -> Iterator[Finding]:
        expected = self._otherwise(state, event)
        if expected is not None:
            yield self._wrong(told, expected)
        if not self._game.fits(state, event):
            if expected is None:
                yield self._wrong(told, "an event of this table")
            return
        state.apply(event)
        for mismatch in self._books.post(event):
            yield self._finding("money", *mismatch)
        if self._compared:
            for mismatch in self._books.compare(state):
                yield self._finding("money", *mismatch)
                self._compared = False  # once apart, they stay apart

    def _otherwise(self, state: State, event: Event) -> str | None:
        """Return what should be there instead of an event; None for one that is right, as far as the copy shows."""
        action = self._game.action_of(event)
        if state.to_act is not None:
            if action is None:
                return f"a choice of seat {state.to_act}"
            if any(getattr(event, name) is None for name in secret_fields(type(event))):
                return None  # whether a hidden choice was allowed is hidden too
        elif not (state.pausing and isinstance(action, Leave)):
            if action is not None:
                return "what the dealer has to do"
            with suppress(Exception):  # what chance decides, or cards that this copy hides, cannot be told
                due = state.dealer_event(_NoEntropy())
                if due is not None and redact(due, self.export.viewer) != event:
                    return self._payload(due)
            return None
        try:
            decided = state.decide(action)
        except IllegalAction as refused:
            return f"one that is allowed: {str(refused).rstrip('.')}"
        return None if decided == event else self._payload(decided)

    def _payload(self, event: Event) -> str:
        coded = self._codec.encode(event)
        return _cut(f"{coded.type} {coded.payload}")

    def _begin(self, event: Event) -> Iterator[Finding]:
        game = self._game
        self._seats = len(game.seats(event))
        for mismatch in game.contradictions(event):
            yield self._finding("deal", *mismatch)
        self._books = game.books(event)
        self._state = game.new(event)
        if isinstance(self.export.viewer, int) and self.export.viewer > self._seats:
            yield self._finding("export", f"the copy of seat {self.export.viewer}", f"one of the {self._seats} seats")

    def _wrong(self, found: str, expected: str) -> Finding:
        self._replaying = False
        return self._finding("rules", found, expected)

    def _walked(self, check: Check, record: Record | None, found: str, expected: str) -> None:
        seq, type_ = (None, None) if record is None else (record.seq, record.type)
        self._noted.append(Finding(self.export.game_id, seq, type_, check, found, expected))

    def _known_at(self, record: SharedRecord) -> Iterator[Finding]:
        for known in self.known:
            if known.count is None and known.head == record.hash:
                self.met[known] = record.seq
            elif known.count == record.seq:
                if known.head != record.hash:
                    expected = f"{known.head.hex()}, {known.whence}"
                    yield self._finding(known.check, f"the hash {record.hash.hex()}", expected)
                self.met[known] = record.seq

    def _at_the_end(self, head: bytes) -> Iterator[Finding]:
        self._type = None
        if self._walk is not None:
            self._walk.end()
        yield from self._take_noted()
        export = self.export
        if self.count != export.count:
            found, expected = f"the end after {self.count} events", f"{export.count}, as the first line says"
            yield self._finding("chain", found, expected, self.count + 1)
        elif head != export.head:
            found, expected = f"the head {head.hex()}", f"{export.head.hex()}, as the first line says"
            yield self._finding("chain", found, expected)
        elif self._others != len(export.opened):
            found, expected = f"{self._others} opened secrets", f"the {len(export.opened)} that the first line names"
            yield Finding(export.game_id, None, None, "export", found, expected)
        for known in self.known:
            if known in self.met:
                continue
            if known.count is None:
                yield Finding(export.game_id, None, None, known.check, "no such event", f"one with {known.whence}")
            else:
                found, expected = f"the end after {self.count} events", f"{known.count} events, {known.whence}"
                yield self._finding(known.check, found, expected, self.count + 1)

    def _take_noted(self) -> list[Finding]:
        noted, self._noted = self._noted, []
        return noted

    def _finding(self, check: Check, found: str, expected: str, seq: int | None = None) -> Finding:
        return Finding(self.export.game_id, self.count if seq is None else seq, self._type, check, found, expected)


def _shortened(error: UnreadableEvent) -> str:
    """Return what an error says for a finding: it may quote the file, which may hold anything."""
    return _cut("".join(character if character.isprintable() else "?" for character in str(error).rstrip(".")))


def _cut(said: str) -> str:
    return said if len(said) <= MOST_SAID else f"{said[:MOST_SAID]}…"


def _is_viewer(value: Any) -> bool:
    return value in (EVERYONE, AUDITOR) or (type(value) is int and 1 <= value <= MAX_NUMBER)


def _is_ascending(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(type(seq) is int and 1 <= seq <= MAX_NUMBER for seq in value)
        and value == sorted(set(value))
    )
