"""The bytes of a common shuffle: hash chains of shares, signed messages, and the seed derived from all shares.

docs/shares.md defines them for another implementation, with test vectors. ``start`` is the hash of the event that
starts a game; keys, links, hashes and seeds are 32 bytes each, signatures 64 (`pokersvc.core.randomness.ed25519`).
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from pokersvc.core.randomness.stream import derive

SHARE_BYTES: Final = 32
LINKS: Final = 10_000
"""The default length of a chain, which is the number of rounds that can be played with it."""
MOST_LINKS: Final = 1_000_000
"""The maximum length of a chain; checking one share may take up to this many hashes."""

_LINK: Final = b"pokersvc/share/1"
_BOUND: Final = b"pokersvc/bound/1"
_OPENED: Final = b"pokersvc/opened/1"
_TYPED: Final = b"pokersvc/typed/1"
_TOGETHER: Final = b"pokersvc/together/1"


def u64(number: int) -> bytes:
    """Return a number as 8 bytes, big-endian."""
    return number.to_bytes(8, "big")


def field(value: bytes) -> bytes:
    """Return bytes preceded by their length, so that no two lists of fields make the same bytes."""
    return u64(len(value)) + value


class Links:
    """The hash function H that makes each link from the one before it, for the chains of one seat in one game."""

    __slots__ = ("_begun",)

    def __init__(self, start: bytes, seat: int) -> None:
        # What is hashed for a link begins alike for all links: this is hashed once, and each link adds 32 bytes.
        self._begun = sha256(field(_LINK) + field(start) + u64(seat) + u64(SHARE_BYTES))

    def after(self, link: bytes, times: int = 1) -> bytes:
        """Return the link that results from applying H to ``link`` the given number of times."""
        begun = self._begun
        for _ in range(times):
            hashed = begun.copy()
            hashed.update(link)
            link = hashed.digest()
        return link


def bound_message(start: bytes, seat: int, key: bytes, tip: bytes, length: int) -> bytes:
    """Return the message that binds a seat; its new key signs it and, for a renewal, its former key as well."""
    return field(_BOUND) + field(start) + u64(seat) + field(key) + field(tip) + u64(length)


def opened_message(start: bytes, round_: int, seat: int, share: bytes, head: bytes) -> bytes:
    """Return the message that a seat signs to open its share; ``head`` is the hash of the round's `SharesAwaited`."""
    return field(_OPENED) + field(start) + u64(round_) + u64(seat) + field(share) + field(head)


def typed_root(start: bytes, seat: int, text: str) -> bytes:
    """Return the first link of a chain whose only secret is a text that somebody typed, encoded as UTF-8."""
    return sha256(field(_TYPED) + field(start) + u64(seat) + field(text.encode())).digest()


def dealers_part(secret: bytes, round_: int) -> bytes:
    """Return the dealer's contribution to the seed of a round, derived from the dealer's secret of the game."""
    return derive(secret, "deck", round_)


def round_seed(part: bytes, start: bytes, round_: int, shares: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the seed of a round, derived from the dealer's part and the shares: (seat, share) in order of seats.

    The share is empty for a seat that was asked and did not open its share in time.
    """
    message = [field(_TOGETHER), field(start), u64(round_)]
    for seat, share in shares:
        message += (u64(seat), field(share))
    return hmac.digest(part, b"".join(message), "sha256")
