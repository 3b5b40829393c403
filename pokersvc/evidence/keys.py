"""Ed25519 keys (RFC 8032) that sign checkpoints: made, kept in PEM files, used."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pokersvc.errors import PokersvcError
from pokersvc.evidence.jsonl import opened, refuse_taken, written

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_PRIME: Final = 2**255 - 19
_Y_BITS: Final = 2**255 - 1
_OF_ORDER_8: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_OF_SMALL_ORDER: Final = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})
"""The y of the points whose order divides 8: 1 is neutral, -1 has order 2, 0 order 4. Where y^2 = -x^2 doubling leads
to order 4, and the curve's equation then says d y^4 + 2 y^2 = 1."""

_MOST: Final = 1 << 16  # bytes of a key's file that are read


class InvalidKey(PokersvcError):
    """A file without a key of the required kind."""

    code = "invalid_key"


def make(path: Path) -> bytes:
    """Write a new private key to a file that only its owner may read, and the public one beside it as ``FILE.pub``.

    Returns the public key, 32 bytes. Neither file is ever overwritten (`FileExists`).
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public_path = path.with_name(f"{path.name}.pub")
    refuse_taken(public_path)
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    with written(path, private=True) as file:
        file.write(private)
    with written(public_path) as file:
        file.write(public)
    return key.public_key().public_bytes_raw()


class Signer:
    """A private key that is ready to sign."""

    public: bytes
    """The public key that belongs to it, 32 bytes."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def read(cls, path: Path) -> "Signer":
        """Read a private key from a PEM file (PKCS 8, without a password); `InvalidKey` for any other file."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        with _refused(path, "an Ed25519 private key without a password; `pokersvc keygen` makes one"):
            key = load_pem_private_key(_content(path), password=None)
            if isinstance(key, Ed25519PrivateKey):
                return cls(key)
            raise ValueError

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes."""
        return self._key.sign(message)


def public_key(path: Path) -> bytes:
    """Return the public key, 32 bytes, that a PEM file holds; `InvalidKey` for any other file, or a weak key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    with _refused(path, "an Ed25519 public key, such as the .pub file that `pokersvc keygen` made"):
        key = load_pem_public_key(_content(path))
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError
        public = key.public_bytes_raw()
    if is_weak(public):
        raise InvalidKey(f"{path} holds the key {public.hex()}, which belongs to no private key; use the right one.")
    return public


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


def _content(path: Path) -> bytes:
    with opened(path) as file:
        return file.read(_MOST)


@contextmanager
def _refused(path: Path, right: str) -> Iterator[None]:
    from cryptography.exceptions import InternalError, UnsupportedAlgorithm

    try:
        yield
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:  # the last: OpenSSL's own, not told
        raise InvalidKey(f"{path} is not {right}.") from error
