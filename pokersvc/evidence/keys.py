"""Ed25519 keys (RFC 8032) for signing checkpoints: making them, keeping them in PEM files, and using them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pokersvc.core.randomness.ed25519 import is_weak
from pokersvc.errors import PokersvcError
from pokersvc.evidence.jsonl import opened, refuse_taken, written

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MOST: Final = 1 << 16  # bytes of a key's file that are read


class InvalidKey(PokersvcError):
    """The file has no key of the required kind."""

    code = "invalid_key"


def make(path: Path) -> bytes:
    """Write a new private key to a file that only its owner may read, and the public key beside it as ``FILE.pub``.

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
        """Read a private key from a PEM file (PKCS 8, without a password); raise `InvalidKey` for any other file."""
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
    """Return the public key in a PEM file, 32 bytes; raise `InvalidKey` for any other file, or a weak key."""
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


def _content(path: Path) -> bytes:
    with opened(path) as file:
        return file.read(_MOST)


@contextmanager
def _refused(path: Path, right: str) -> Iterator[None]:
    from cryptography.exceptions import InternalError, UnsupportedAlgorithm

    try:
        yield
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:  # InternalError: OpenSSL's own errors
        raise InvalidKey(f"{path} is not {right}.") from error
