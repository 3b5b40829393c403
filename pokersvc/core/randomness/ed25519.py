"""Signatures by Ed25519 (RFC 8032), checked in the same way wherever pokersvc checks one.

What another implementation must do to agree on every signature, also on one that was made to divide them: refuse a
public key or a first half of the signature that is not in canonical form, refuse a public key of small order, refuse a
second half that is not below the group's order, and compare without a cofactor: [S]B = R + [k]A.
"""

from typing import Final

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_PRIME: Final = 2**255 - 19
_Y_BITS: Final = 2**255 - 1
_OF_ORDER_8: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_OF_SMALL_ORDER: Final = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})
"""The y of the points whose order divides 8: 1 is neutral, -1 has order 2, 0 order 4. Where y^2 = -x^2 doubling leads
to order 4, and the curve's equation then says d y^4 + 2 y^2 = 1."""


def is_weak(public: bytes) -> bool:
    """Tell whether a public key is weak: a point of small order, or not in canonical form.

    RFC 8032 does not demand that a verifier refuses the first. With such a key a signature that was made without any
    private key is valid, for one message in eight at least.
    """
    y = int.from_bytes(public, "little") & _Y_BITS
    return y >= _PRIME or y in _OF_SMALL_ORDER


def is_signed(message: bytes, signature: bytes, public: bytes) -> bool:
    """Tell whether a signature of a message was made with the private key to a public one; with a weak one never."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if is_weak(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
