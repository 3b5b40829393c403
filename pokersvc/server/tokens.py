"""Tokens: the holder of a seat's token holds the seat. Only digests of tokens are stored."""

import hmac
import secrets
from hashlib import sha256
from typing import Final

TOKEN_BYTES: Final = 16
TOKEN: Final = r"^[A-Za-z0-9_-]{22}$"  # noqa: S105  # a pattern
"""The form of a token: 128 bits in base64url."""


def new_token() -> str:
    """Return a new token of 128 random bits.

    >>> len(new_token())
    22
    """
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> bytes:
    """Return the digest of a token, which is stored: 32 bytes. It needs no salt, because nobody can guess 128 bits."""
    return sha256(token.encode()).digest()


def opens(token: str | None, digest: bytes | None) -> bool:
    """Return whether a token matches a digest, compared in constant time."""
    return token is not None and digest is not None and hmac.compare_digest(digest_of(token), bytes(digest))
