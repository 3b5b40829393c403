"""The verification of an export without a database: its form, its chain, and an audit's checks as far as possible.

The format is documented in docs/exports.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.eventlog.record import SALT_BYTES, SharedRecord, Withheld, secret_digest
from pokersvc.evidence.copy_check import CopyCheck
from pokersvc.evidence.export import FORMAT, Export
from pokersvc.evidence.findings import Check, Fault, Finding
from pokersvc.evidence.jsonl import MAX_NUMBER, Fields, InvalidFile
from pokersvc.text import counted


@dataclass(frozen=True, slots=True)
class Known:
    """A hash that the export's reader trusts: the hash of event ``count``, or of any event if ``count`` is None."""

    head: bytes
    """The hash, 32 bytes."""
    whence: str
    """The source of the hash in words for a finding, such as "as in monday.jsonl"."""
    check: Check = "chain"
    """The check under which a finding is counted."""
    count: int | None = None
    """The number of the event that must have this hash; None if any event may have it."""


class Verification:
    """Verifies an export while reading it: read `findings` to the end first, then use the other properties.

    ``lines`` are those of a file called ``name``. Raises InvalidFile if they are not an export. If the kind of
    the game is unknown, only the chain is checked.
    """

    def __init__(self, lines: Iterator[Fields], name: str, known: Iterable[Known] = ()) -> None:
        self._lines = lines
        self._read(next(lines, None), name)
        export = self.export
        self._check = CopyCheck(export.game_id, export.kind, export.viewer, export.opened)
        self.known = list(known)
        self.secrets = 0
        self.shown = 0
        """The number of secrets that are in the file and match their digests."""
        self.met: dict[Known, int] = {}
        """Trusted hash that was found in the export → the number of the event that has it."""

    def _read(self, line: Fields | None, name: str) -> None:
        if line is None:
            raise InvalidFile(f"{name} is empty; it must be an export.")
        line.constant("format", FORMAT)
        self.export = Export(
            line.take("as", f'a seat, "{EVERYONE}" or "{AUDITOR}"', _is_viewer),
            line.number("count"),
            line.id("game"),
            line.bytes("head", HASH_BYTES),
            line.id("kind"),
            tuple(line.take("opened", "a list of the numbers of events, ascending", _is_ascending)),
        )
        line.end()

    @property
    def count(self) -> int:
        """The number of events read whose chain is intact."""
        return self._check.count

    @property
    def fault(self) -> Fault | None:
        """The bug in pokersvc that ended the check of the game, if nothing was found before it."""
        return self._check.fault

    @property
    def over(self) -> bool:
        """Whether the game was over at the export's end, as far as it could be followed."""
        return self._check.over

    @property
    def place(self) -> Viewer:
        """The viewer of the copy; a seat by the number that the table shows, if the game can be followed."""
        return self._check.place

    @property
    def known_kind(self) -> bool:
        """Whether this pokersvc knows the game; if not, only its chain is checked."""
        return self._check.known_kind

    @property
    def shuffled(self) -> str | None:
        """Sentences that say who took part in a common shuffle and which shares were missed; None if there was none."""
        return self._check.shuffled

    @property
    def unopened(self) -> str | None:
        """A sentence on the promised seeds that the file lacks, if that is no finding; else None."""
        return self._check.unopened

    @property
    def checked(self) -> bool:
        """Whether everything that this copy shows was checked."""
        return self.known_kind and self.fault is None

    def findings(self) -> Iterator[Finding]:
        """Read the file to its end and yield the findings."""
        for finding in self._findings():
            self._check.found = True
            yield finding

    def _findings(self) -> Iterator[Finding]:
        check = self._check
        for line in self._lines:
            shows = line.has("secret")
            yield from check.take(self._record(line), shows=shows)
            if check.broken:
                return
            yield from self._trusted_now()
        yield from self._at_the_end()

    def _record(self, line: Fields) -> SharedRecord:
        seq, type_ = line.number("seq"), line.id("type")
        self._check.type = type_
        digest, salt, secret = None, None, None
        if line.has("digest"):
            digest = Withheld(line.bytes("digest", HASH_BYTES))
            self.secrets += 1
        if digest is not None and (line.has("salt") or line.has("secret")):
            salt, secret = line.bytes("salt", SALT_BYTES), line.text("secret")
            found = _other_secret(salt, secret, digest)
            if found is None:
                self.shown += 1
            else:
                self._check.note(self._finding("chain", found, f"the one committed to, {digest.hex()}", seq))
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

    def _trusted_now(self) -> Iterator[Finding]:
        count, head = self.count, self._check.head
        for known in self.known:
            if known.count is None and known.head == head:
                self.met[known] = count
            elif known.count == count:
                if known.head != head:
                    yield self._finding(known.check, f"the hash {head.hex()}", f"{known.head.hex()}, {known.whence}")
                self.met[known] = count

    def _at_the_end(self) -> Iterator[Finding]:
        yield from self._check.end()
        export, head = self.export, self._check.head
        if self.count != export.count:
            found, expected = f"the end after {counted(self.count, 'event')}", f"{export.count}, as the first line says"
            yield self._finding("chain", found, expected, self.count + 1)
        elif head != export.head:
            found, expected = f"the head {head.hex()}", f"{export.head.hex()}, as the first line says"
            yield self._finding("chain", found, expected)
        elif self._check.followed and self._check.others != len(export.opened):
            found, expected = (
                counted(self._check.others, "opened secret"),
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

    def _finding(self, check: Check, found: str, expected: str, seq: int | None = None) -> Finding:
        return self._check.finding(check, found, expected, seq)


def _other_secret(salt: bytes, secret: str, digest: bytes) -> str | None:
    """Describe a secret, for a finding, if its digest is not ``digest``; otherwise return None."""
    try:
        made = secret_digest(salt, secret)
    except UnicodeEncodeError:  # JSON can hold half a character, a lone surrogate
        return "a secret that is not UTF-8"
    return None if made == digest else f"a secret whose digest is {made.hex()}"


def _is_viewer(value: object) -> bool:
    return value in (EVERYONE, AUDITOR) or (type(value) is int and 1 <= value <= MAX_NUMBER)


def _is_ascending(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(type(seq) is int and 1 <= seq <= MAX_NUMBER for seq in value)
        and value == sorted(set(value))
    )
