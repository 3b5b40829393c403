"""Verifying an export without any database: its form, its chain, and what an audit checks, as far as the copy shows.

The format is documented in docs/exports.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pokersvc.core.event import AUDITOR, EVERYONE, Event, may_see
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, usable
from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.eventlog.record import SALT_BYTES, ChainBroken, SharedRecord, Withheld, secret_digest, verify
from pokersvc.evidence.audit.moments import Moments
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.seeds import Seeds
from pokersvc.evidence.audit.walk import Walk
from pokersvc.evidence.export import FORMAT, Export
from pokersvc.evidence.findings import Check, Fault, Finding, failure
from pokersvc.evidence.jsonl import MAX_NUMBER, Fields, InvalidFile
from pokersvc.text import counted


@dataclass(frozen=True, slots=True)
class Known:
    """A hash that the reader of an export trusts, and where it is from: of event ``count``, or of any (None)."""

    head: bytes
    """The hash, 32 bytes."""
    whence: str
    """What a finding says about it, such as "as in monday.jsonl"."""
    check: Check = "chain"
    """As which check a finding is counted."""
    count: int | None = None
    """The number of the event that has it; None where any may."""


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
        """The bug in pokersvc that ended the check of the game, where nothing was found before it."""
        self._type: str | None = None
        self._moments = Moments()
        self._ended = False
        self.over = False
        """Whether the game was over at the export's end, as far as it could be followed."""
        self._open = False
        """Whether the line at hand opens a secret."""
        self.count = 0
        """Events that were read and whose chain is intact."""
        self.secrets = 0
        self.shown = 0
        """Secrets that are in the file and are those that were committed to."""
        self._others = 0
        self.met: dict[Known, int] = {}
        """Which event has each hash that the reader trusts."""
        self._seeds: Seeds | None = None
        self._walk: Walk | None = None
        """Checks the events, as an audit does; None where the chain alone is checked."""
        if self.known_kind:
            try:
                self._ask(game_of(self.export.kind))
            except Exception as error:
                self._failed(None, error)

    def _read(self, line: Fields | None, name: str) -> None:
        if line is None:
            raise InvalidFile(f"{name} is empty; it must be an export.")
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
        met = partial(self._met, game)
        self._walk = Walk(game, self._reported, self._failed, over=True, viewer=self.export.viewer, met=met)

    @property
    def known_kind(self) -> bool:
        """Whether this pokersvc knows the game; if not, only its chain is checked."""
        return usable(self.export.kind)

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
                yield from self._event(record)
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

    def _event(self, record: SharedRecord) -> Iterator[Finding]:
        """Hold an event to its schema, to what the first line says of secrets, and to the rules."""
        walk, secret = self._walk, record.secret
        if walk is not None and self._seeds is not None:
            if isinstance(secret, Withheld):
                if self.export.viewer == AUDITOR:
                    walk.stop()  # an auditor's copy is held to all secrets, and this one is missing
            elif secret is not None:
                again = self._seeds.check(record.type, record.seq, secret, self.export.game_id)
                if again is not None:
                    yield again
            walk.follow(record)
        yield from self._take_noted()

    def _met(self, game: Game, record: AnyRecord, event: Event) -> None:
        """Compare which secrets are opened with what the first line says."""
        viewer = self.export.viewer
        if record.seq == 1 and isinstance(viewer, int) and isinstance(event, game.start_event):
            seats = len(game.seats(event))
            if viewer > seats:
                self._noted.append(self._finding("export", f"the copy of seat {viewer}", f"one of the {seats} seats"))
        if record.secret is None or may_see(event, EVERYONE):
            return
        shows = may_see(event, viewer)
        if not shows and record.seq in self._opened:
            self._others += 1
            shows = True
        if self._open != shows:
            found = "an opened secret" if self._open else "no opened secret"
            self._noted.append(self._finding("export", found, f"what the first line says of the copy of {viewer}"))

    def _reported(self, check: Check, record: AnyRecord | None, found: str, expected: str) -> None:
        seq, type_ = (None, None) if record is None else (record.seq, record.type)
        self._noted.append(Finding(self.export.game_id, seq, type_, check, found, expected))

    def _failed(self, record: AnyRecord | None, error: Exception) -> None:
        seq, type_ = (None, None) if self._ended else (self.count or None, self._type)
        failed = failure(error, self.export.game_id, seq, type_, found=self._found or bool(self._noted))
        if isinstance(failed, Finding):
            self._noted.append(failed)
        elif self.fault is None:
            self.fault = failed

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
        elif self._walk is not None and self.fault is None and self._others != len(export.opened):
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
            try:
                self.over = self._walk.state is not None and self._walk.state.outcome is not None
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


def _is_viewer(value: Any) -> bool:
    return value in (EVERYONE, AUDITOR) or (type(value) is int and 1 <= value <= MAX_NUMBER)


def _is_ascending(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(type(seq) is int and 1 <= seq <= MAX_NUMBER for seq in value)
        and value == sorted(set(value))
    )
