"""The seed of a tournament: a text from which all deals are derived, one way, and its digest, which can be shown."""

import hashlib
import secrets
from typing import Final

from pokersvc.core.randomness.chance import derived_text

_DIGEST_PREFIX: Final = b"pokersvc/tournament/1\0"


def drawn_seed() -> str:
    """Return a seed that nobody can predict: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def deal_text(seed: str, deal: int) -> str:
    """Return the text from which a deal (from 1) is derived: ``derive(seed, "deal", deal)`` in hexadecimal.

    A recorded game shows its text when it is over, and with it the same deal in the other seat orders and line-ups,
    which may still have to be played. The text reveals neither the seed nor the text of another deal.

    >>> deal_text("1", 7)
    'fa9c86c2af73c7e913253f383aca58c2aa73ae2ecb6bb26dda2a0e688bd99d90'
    """
    return derived_text(seed, "deal", deal)


def digest_of(seed: str) -> str:
    """Return a digest that commits a tournament to a seed without showing it: SHA-256 over a constant and the seed.

    >>> digest_of("1")
    '0278553d0d62fb73489bced3ed7766a25e022c4d33b73ef10e92e363bab50d73'
    """
    return hashlib.sha256(_DIGEST_PREFIX + seed.encode()).hexdigest()
