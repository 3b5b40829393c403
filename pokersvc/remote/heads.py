"""Stores the last head that this device has seen of each game, so that a changed history is noticed later."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from platformdirs import user_state_path

from pokersvc.eventlog.merkle import HASH_BYTES
from pokersvc.evidence.jsonl import is_hex

_MOST: Final = 100
"""Maximum number of characters that are read from a file."""


class KnownHead(NamedTuple):
    """The number and the hash of a game's last known event; the hash fixes the whole history up to that event."""

    seq: int
    hash: bytes


class Heads:
    """A folder with one file per game, which contains its last head, such as ``57 9f86d0…``."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_state_path("pokersvc", appauthor=False) / "heads"
        self.kept = True
        """Whether heads can be stored; False after a file could not be read or written."""

    def read(self, game_id: str) -> KnownHead | None:
        """Return the last head seen of a game; None if there is none or it cannot be read."""
        try:
            with (self.folder / game_id).open(encoding="ascii") as file:
                count, _, hash_ = file.read(_MOST).strip().partition(" ")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            self.kept = False
            return None
        if not count.isdecimal() or int(count) < 1 or not is_hex(hash_, HASH_BYTES):
            return None
        return KnownHead(int(count), bytes.fromhex(hash_))

    def write(self, game_id: str, head: KnownHead) -> None:
        """Store a head atomically: a concurrent reader gets the old head or the new one."""
        draft = self.folder / f".{game_id}.{os.getpid()}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(f"{head.seq} {head.hash.hex()}\n", "ascii")
            draft.replace(self.folder / game_id)
        except OSError:
            self.kept = False
