"""Ed25519 signatures (RFC 8032), checked by the same rules everywhere in pokersvc.

To agree on every signature, even one that was crafted to make implementations disagree, another implementation must
refuse a public key or a first half of the signature that is not in canonical form, refuse a public key of small order,
refuse a second half that is not below the group's order, and compare without a cofactor: [S]B = R + [k]A.
"""

from typing import Final

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_PRIME: Final = 2**255 - 19
_Y_BITS: Final = 2**255 - 1
_OF_ORDER_8: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_OF_SMALL_ORDER: Final = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})
"""The y coordinates of the points whose order divides 8.

1 is that of the neutral point, -1 that of the point of order 2, 0 that of the points of order 4, and the other two are
those of the points of order 8. Doubling these gives a point of order 4, so y^2 = -x^2, and the curve's equation becomes
d y^4 + 2 y^2 = 1."""


def is_weak(public: bytes) -> bool:
    """Return whether a public key is weak: a point of small order, or not in canonical form.

    RFC 8032 does not require a verifier to refuse points of small order. With such a key, a signature made without any
    private key is valid for at least one message in eight.
    """
    y = int.from_bytes(public, "little") & _Y_BITS
    return y >= _PRIME or y in _OF_SMALL_ORDER


def is_signed(message: bytes, signature: bytes, public: bytes) -> bool:
    """Return whether a message was signed with the private key of a public key; always False for a weak key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if is_weak(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
