"""Random bytes and numbers from a key, by a frozen algorithm: stream version 1.

The definition, for another implementation, and test vectors are in docs/shuffle.md.
"""

from hashlib import sha256
from typing import Final

from pokersvc.errors import InvalidValue

_DERIVE_PREFIX: Final = b"pokersvc/derive/1\0"
_STREAM_PREFIX: Final = b"pokersvc/stream/1\0"


def derive(key: bytes, *labels: str | int) -> bytes:
    """Return a 32-byte key derived from ``key`` for a purpose that ``labels`` name; a number is encoded in decimal.

    It is HMAC-SHA256 over a constant and the labels, each after its length, so that no two lists of labels
    make the same message.

    >>> derive(b"k", "player", 1) == derive(b"k", "player", "1") != derive(b"k", "player1")
    True
    """
    message = [_DERIVE_PREFIX]
    for label in labels:
        text = label if isinstance(label, str) else f"{label:d}"
        encoded = text.encode()
        message += (len(encoded).to_bytes(8, "big"), encoded)
    padded = _padded(key)
    inner = sha256(padded.translate(_INNER_PAD) + b"".join(message)).digest()
    return sha256(padded.translate(_OUTER_PAD) + inner).digest()  # half the time of `hmac.digest`


def _padded(key: bytes) -> bytes:
    """Return a key as HMAC takes it (RFC 2104): hashed if it is longer than a block of SHA-256, and padded to one."""
    return (key if len(key) <= _HASHED_AT_ONCE else sha256(key).digest()).ljust(_HASHED_AT_ONCE, b"\0")


_HASHED_AT_ONCE: Final = 64
"""The block size of SHA-256 in bytes, to which HMAC pads its key."""
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))


class Blocks:
    """The blocks of a stream, 32 bytes each: HMAC-SHA256 over a constant, the label and the block's number.

    The HMAC is written out as RFC 2104 defines it, so that the common beginning of all blocks is hashed only once: two
    blocks, which a shuffle needs, take half the time of two calls of `hmac.digest`.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes, label: str) -> None:
        padded = _padded(key)
        self._inner = sha256(padded.translate(_INNER_PAD) + _STREAM_PREFIX + label.encode() + b"\0")
        self._outer = sha256(padded.translate(_OUTER_PAD))

    def block(self, number: int) -> bytes:
        """Return the block with this number, from 0."""
        inner = self._inner.copy()
        inner.update(number.to_bytes(8, "big"))
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


class Stream:
    """An endless stream of bytes derived from a key and a label, read once from front to back.

    >>> Stream(b"k", "deck").take(4).hex()
    '57b06def'
    """

    __slots__ = ("_block", "_blocks", "_of", "_unread")

    def __init__(self, key: bytes, label: str) -> None:
        self._of = key, label
        self._blocks: Blocks | None = None  # most bots' streams are never read
        self._block = 0
        self._unread = b""

    def skip_blocks(self, count: int) -> None:
        """Continue as if ``32 * count`` bytes had been taken, without computing them.

        >>> skipped, taken = Stream(b"k", "deck"), Stream(b"k", "deck")
        >>> skipped.skip_blocks(1)
        >>> taken.take(36)[32:] == skipped.take(4)
        True
        """
        if count < 0:
            raise InvalidValue(f"{count} blocks cannot be skipped: the number must be 0 or more.")
        self._block += count
        if self._blocks is not None and (left := len(self._unread)):
            self._unread = self._blocks.block(self._block - 1)[-left:]

    def take(self, n: int) -> bytes:
        """Return the next ``n`` bytes."""
        if n < 0:
            raise InvalidValue(f"{n} bytes cannot be taken: the number must be 0 or more.")
        if n <= len(unread := self._unread):  # most calls: a block serves many
            self._unread = unread[n:]
            return unread[:n]
        if self._blocks is None:
            self._blocks = Blocks(*self._of)
        end = self._block + (n - len(unread) + 31) // 32
        blocks = map(self._blocks.block, range(self._block, end))
        self._block = end
        unread = b"".join((unread, *blocks))
        self._unread = unread[n:]
        return unread[:n]

    def below(self, n: int) -> int:
        """Return a number from 0 to ``n - 1``, each equally likely. ``below(1)`` reads no bytes.

        It reads the fewest bytes that can hold ``n`` values as one big-endian number. If that number is at or above the
        largest multiple of ``n``, it reads again, because the remainder would favour the low numbers.
        """
        if n < 1:
            raise InvalidValue(f"There is no number below {n}: it must be 1 or more.")
        if n == 1:
            return 0
        size = ((n - 1).bit_length() + 7) // 8
        limit = 256**size - 256**size % n
        while True:
            value = int.from_bytes(self.take(size), "big")
            if value < limit:
                return value % n
