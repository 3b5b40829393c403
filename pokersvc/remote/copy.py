"""A client's copy of a game, built from the events that a server sends; each event is checked before it is shown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pokersvc.core.event import EVERYONE, Audience, Viewer, redact, secret_fields
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.eventlog.record import GENESIS, SALT_BYTES, SharedRecord, Withheld, digest_of, secret_digest
from pokersvc.evidence.audit.reading import shown_secret
from pokersvc.evidence.copy_check import CopyCheck
from pokersvc.evidence.export import Export, write_lines
from pokersvc.evidence.jsonl import Fields, InvalidFile, is_hex, written
from pokersvc.evidence.spoken_head import spoken
from pokersvc.remote.errors import UntrueStory
from pokersvc.remote.heads import Heads, KnownHead
from pokersvc.service.shown import Recorded
from pokersvc.text import counted

_WHERE: Final = "An event of the server"


class CheckedCopy:
    """The events of a game that a server has sent to one viewer, all checked; a contradiction raises `UntrueStory`.

    After a contradiction no more events are taken; earlier events stay, and can be kept as evidence.
    """

    def __init__(self, game_id: str, kind: str, viewer: Viewer, heads: Heads) -> None:
        self.game_id, self.kind, self.viewer = game_id, kind, viewer
        self.game = game_of(kind)
        self.replay = Replay(self.game, viewer)
        self.recorded: list[Recorded] = []
        """The events taken so far, as the viewer may know them."""
        self._records: list[SharedRecord] = []
        self.opened: dict[int, tuple[bytes, str]] = {}
        """Event number → the salt and the dealer's secret, for secrets that were opened after the game."""
        self._check = CopyCheck(game_id, kind, viewer, live=True)
        self._dealt_again: CopyCheck | None = None
        """The check of the whole game with the dealer's secrets; None until they are opened."""
        self._heads = heads
        self._device = heads.read(game_id)
        self._told: dict[int, bytes] = {} if self._device is None else {self._device.seq: self._device.hash}
        """Event number → the hash that a later event must have, as the server named it or this device stored it."""

    @property
    def count(self) -> int:
        """The number of events taken."""
        return len(self.recorded)

    @property
    def partial(self) -> bool:
        """Whether the last command lacks events: the dealer's next event, or one required by a table event."""
        if not self.recorded:
            return False
        state = self.replay.state
        done = state.awaited or state.pausing or state.outcome is not None
        dealing = self.replay.dealing
        if dealing is not None and not state.awaited:  # events are missing only if the dealer is not waiting for shares
            done = done or bool(dealing.waiting) or dealing.holds_up(state)
        return not done or self.replay.table.due is not None

    def head(self, count: int) -> bytes:
        """Return the hash after the first ``count`` events; for 0 events, the hash with which every chain begins."""
        return self.recorded[count - 1].record.hash if count else GENESIS

    @property
    def seen_before(self) -> int:
        """The number of events that this device had seen before the copy was begun."""
        return 0 if self._device is None else self._device.seq

    def take(self, members: Mapping[str, Any]) -> bool:
        """Check and take an event as the server sends it, and return whether it is new."""
        record = record_of(self.game_id, members)
        if record.seq <= self.count:
            self._compare(record.seq, record.hash, "it sent before")
            return False
        for finding in self._check.take(record, shows=isinstance(record.secret, str)):
            raise UntrueStory(f"{finding}.")
        secret = shown_secret(record)
        event = redact(self.game.codec.decode(record.type, record.version, record.payload, secret), self.viewer)
        self.replay.take(event, record.recorded_at, record.hash)
        self._records.append(record)
        self.recorded.append(Recorded(record, event))
        if (told := self._told.pop(record.seq, None)) is not None:
            self._compare(record.seq, told, self._whence(record.seq))
        return True

    def told(self, count: object, head: object) -> None:
        """Note the event count and head that the server names; raise `UntrueStory` if they contradict earlier ones."""
        if type(count) is not int or not is_hex(head, HASH_BYTES):
            raise UntrueStory(f"The server does not send the head of game {self.game_id}, although it must.")
        hash_ = bytes.fromhex(str(head))
        if count < self.seen_before:
            raise UntrueStory(
                f"The server says that game {self.game_id} has {counted(count, 'event')}, but this device has seen"
                f" {self.seen_before}."
            )
        if count <= self.count:
            self._compare(count, hash_, "it names now")
        elif self._told.setdefault(count, hash_) != hash_:
            raise self._other_story(count, hash_, self._told[count], self._whence(count))

    def settle(self) -> None:
        """Run the checks that are possible only when all events so far have arrived."""
        for finding in self._check.settle():
            raise UntrueStory(f"{finding}.")

    def keep(self) -> None:
        """Compare the copy with the head stored on this device, then store the new head."""
        if not self.count:
            return
        kept = self._heads.read(self.game_id)
        if kept is not None and kept.seq <= self.count:
            self._compare(kept.seq, kept.hash, "this device was told before")
        if kept is None or kept.seq < self.count:
            self._heads.write(self.game_id, KnownHead(self.count, self.head(self.count)))

    # The end.

    def open_seeds(self, opened: object) -> None:
        """Take the dealer's secrets that the table opens after the game, and check each against its commitment."""
        if not self.recorded or self.replay.state.outcome is None:
            raise UntrueStory(f"The server opens secrets of game {self.game_id} before it is over.")
        for one in opened if isinstance(opened, list) else [None]:
            seq, secret, salt = (
                (one.get(name) for name in ("seq", "secret", "salt")) if isinstance(one, dict) else (0, 0, 0)
            )
            if type(seq) is not int or not 1 <= seq <= self.count or not isinstance(secret, str):
                raise UntrueStory(f"The server opens secrets of game {self.game_id} that it does not have.")
            salted = bytes.fromhex(str(salt)) if is_hex(salt, SALT_BYTES) else b""
            if len(salted) != SALT_BYTES or _digest(salted, secret) != digest_of(self.recorded[seq - 1].record):
                raise UntrueStory(
                    f"Game {self.game_id}, event {seq}: the server opens a different secret from the committed one."
                )
            self.opened[seq] = salted, secret
        for seq in self.dealers:
            if seq not in self.opened:
                raise UntrueStory(f"Game {self.game_id}, event {seq}: the table opens its seeds, but not this one.")
        self._deal_again()

    def _deal_again(self) -> None:
        """Check the whole game again with its seeds: deal every deck, and refuse a seed that was used twice."""
        if self._dealt_again is not None:  # the seeds came earlier, on a connection that was lost
            return
        viewer, records = self._shown()
        check = CopyCheck(self.game_id, self.kind, viewer, self.opened)
        for record in records:
            for finding in check.take(record, shows=isinstance(record.secret, str)):
                raise UntrueStory(f"{finding}.")
        self._dealt_again = check

    @property
    def dealers(self) -> list[int]:
        """The numbers of the events that have a dealer's secret."""
        return [
            one.record.seq
            for one in self.recorded
            if one.record.secret is not None and Audience.DEALER in secret_fields(type(one.event)).values()
        ]

    def save(self, path: Path) -> None:
        """Write the checked events as an export, for ``pokersvc verify``."""
        viewer, records = self._shown()
        export = Export(viewer, self.count, self.game_id, self.head(self.count), self.kind, tuple(sorted(self.opened)))
        with written(path, private=viewer != EVERYONE) as file:
            write_lines(file, export, records)

    def _shown(self) -> tuple[Viewer, list[SharedRecord]]:
        """Return the records with opened secrets, and their viewer: everyone if cards of the viewer are missing."""
        records = [self._with_opened(one) for one in self._records]
        if not self._check.lacks_own:
            return self.viewer, records
        # This copy lacks the cards of an earlier person at the seat, so it becomes everyone's copy, which has no cards.
        return EVERYONE, [
            one
            if one.secret is None or isinstance(one.secret, Withheld) or one.seq in self.opened
            else one._replace(secret=Withheld(digest_of(one)), salt=None)
            for one in records
        ]

    def _with_opened(self, record: SharedRecord) -> SharedRecord:
        salt, secret = self.opened.get(record.seq, (record.salt, record.secret))
        return record._replace(secret=secret, salt=salt)

    def verdict(self) -> str:
        """Return a summary of the checks in a few sentences, with the short form of the head."""
        secrets = [one for one in self._records if one.secret is not None]
        own = sum(isinstance(one.secret, str) for one in secrets)
        said = [f"Checked {counted(self.count, 'event')}: the chain, the rules and the money are right."]
        if self._check.fault is not None:
            said = [f"{self._check.fault}."]
        if secrets:
            said.append(f"Of {counted(len(secrets), 'secret')} {own} were shown and fit what was committed to.")
        if self.opened:
            secret = counted(len(self.opened), "secret")
            said.append(f"The dealer opened {secret}, as committed to before the deal.{self._decks()}")
        check = self._dealt_again or self._check
        said += filter(None, (check.shuffled, check.unopened))
        said.append(f"Compare with the other players: {spoken(self.head(self.count))}")
        return " ".join(said)

    def _decks(self) -> str:
        """Return a sentence about the decks that were dealt again; empty if the game has no decks."""
        check, seeds = self._dealt_again, self.game.codec.names_of(self.game.seeded)
        if not (count := sum(one.type in seeds for one in self._records)):
            return ""
        if check is None or not check.followed:
            return " The decks could not be dealt again."
        but = f", but for {counted(check.undealt, 'event')} that hidden discards decide" if check.undealt else ""
        return f" {counted(count, 'deck')} dealt again, each from a seed of its own: all that was seen is right{but}."

    def _whence(self, count: int) -> str:
        return "this device was told before" if count == self.seen_before else "it named before"

    def _compare(self, count: int, hash_: bytes, whence: str) -> None:
        if hash_ != self.head(count):
            raise self._other_story(count, self.head(count), hash_, whence)

    def _other_story(self, count: int, found: bytes, expected: bytes, whence: str) -> UntrueStory:
        return UntrueStory(
            f"The server tells two stories of game {self.game_id}: event {count} has the head {spoken(found)},"
            f" and {spoken(expected)} {whence}."
        )


def record_of(game_id: str, members: Mapping[str, Any]) -> SharedRecord:
    """Parse an event from the JSON object that the server sent; raise `UntrueStory` if it is not an event."""
    line = Fields(dict(members), _WHERE)
    salt: bytes | None = None
    secret: str | Withheld | None = None
    try:
        if line.has("secret"):
            salt, secret = line.bytes("salt", SALT_BYTES), line.text("secret")
        elif line.has("digest"):
            secret = Withheld(line.bytes("digest", HASH_BYTES))
        return SharedRecord(
            game_id,
            line.number("seq"),
            line.id("type"),
            line.number("version"),
            line.moment("recorded_at"),
            line.id("command_id"),
            line.number("n"),
            line.text("payload"),
            secret,
            salt,
            line.bytes("hash", HASH_BYTES),
        )
    except InvalidFile as error:
        raise UntrueStory(str(error)) from error


def _digest(salt: bytes, secret: str) -> bytes:
    try:
        return secret_digest(salt, secret)
    except UnicodeEncodeError:  # half a character
        return b""
