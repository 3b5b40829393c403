"""The short form of a log's last hash, for players to compare by voice.

It has 80 bits: two histories do not share it by chance, and it can be said in ten seconds in any language. The page's
verifier shows the same form (docs/verifier.md).
"""

from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U, which are easily misheard or misread."""
_BYTES: Final = 10
_GROUPS: Final = range(0, 16, 4)


def spoken(head: bytes) -> str:
    """Return the first 80 bits of a hash as four groups of four letters and digits.

    >>> spoken(bytes(range(32)))
    '000G 40R4 0M30 E209'
    """
    bits = int.from_bytes(head[:_BYTES], "big")
    text = "".join(_ALPHABET[bits >> 5 * place & 31] for place in reversed(range(16)))
    return " ".join(text[at : at + 4] for at in _GROUPS)
