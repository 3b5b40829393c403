"""Signatures on which implementations of Ed25519 differ, for both verifiers: ``signatures.json``."""

import hashlib
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.evidence.curve import NEUTRAL, P, Point, encodings, plus, times, with_y

SIGNATURES: Final = Path(__file__).with_name("signatures.json")
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_SECRET: Final = 0x1234567890ABCDEF


def _base() -> Point:
    return next(point for point in with_y(4 * pow(5, -1, P) % P) if point[0] % 2 == 0)


def _encoded(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def _challenge(first: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(first + key + message).digest(), "little") % ORDER


def _of_order_8() -> Point:
    return next(
        point for y in range(2, 200) for found in with_y(y) if times(4, point := times(ORDER, found)) != NEUTRAL
    )


def _signed(key: bytes, message: bytes, nonce: int, first: bytes | None = None) -> bytes:
    """Sign with `_SECRET`, whatever the key is said to be."""
    first = _encoded(times(nonce, _base())) if first is None else first
    second = (nonce + _challenge(first, key, message) * _SECRET) % ORDER
    return first + second.to_bytes(32, "little")


def signatures() -> list[dict[str, Any]]:
    """Return signatures and whether they are valid by `pokersvc.core.randomness.ed25519`."""
    found: list[dict[str, Any]] = []

    def add(name: str, message: bytes, key: bytes, signature: bytes, *, valid: bool) -> None:
        found.append(
            {"name": name, "message": message.hex(), "key": key.hex(), "signature": signature.hex(), "valid": valid}
        )

    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, message = private.public_key().public_bytes_raw(), b"a round of cards"
    good = private.sign(message)
    second = int.from_bytes(good[32:], "little")
    add("a good one", message, public, good, valid=True)
    add("of an empty message", b"", public, private.sign(b""), valid=True)
    add("of another message", b"another round", public, good, valid=False)
    add("whose second half is not below the order", message, public,
        good[:32] + (second + ORDER).to_bytes(32, "little"), valid=False)  # fmt: skip
    add("by another key", message, Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw(),
        good, valid=False)  # fmt: skip
    key = _encoded(times(_SECRET, _base()))
    add("whose first half is the neutral point", message, key, _signed(key, message, 0), valid=True)
    add("whose first half is the neutral point, not in canonical form", message, key,
        _signed(key, message, 0, (1 + P).to_bytes(32, "little")), valid=False)  # fmt: skip
    mixed = _encoded(plus(times(_SECRET, _base()), _of_order_8()))
    for divides in (True, False):
        nonce = next(
            nonce
            for nonce in range(1, 100)
            if (_challenge(_encoded(times(nonce, _base())), mixed, message) % 8 == 0) is divides
        )
        name = "by a key of mixed order, valid " + ("without a cofactor" if divides else "with a cofactor alone")
        add(name, message, mixed, _signed(mixed, message, nonce), valid=divides)
    of_order_8 = _of_order_8()
    weak = sorted({text for times_ in range(8) for text in encodings(times(times_, of_order_8))})
    for text in weak:
        nonce = next(n for n in range(1, 100) if _challenge(_encoded(times(n, _base())), text, message) % 8 == 0)
        first = _encoded(times(nonce, _base()))
        add(f"by the weak key {text.hex()[:8]}…{text.hex()[-2:]}", message, text,
            first + nonce.to_bytes(32, "little"), valid=False)  # fmt: skip
    off = next(y.to_bytes(32, "little") for y in range(2, 100) if not with_y(y))
    add("by a key that is no point", message, off, good, valid=False)
    return found
