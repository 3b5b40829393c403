"""Sources of randomness: fresh seeds, seeds derived from a text, and the bots' own randomness."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Annotated, ClassVar, Final, Protocol

from pydantic import ConfigDict, Field

from pokersvc.core.books import Mismatch
from pokersvc.core.randomness.stream import Stream, derive
from pokersvc.errors import InvalidValue

SEED_BYTES: Final = 32
Seed = Annotated[bytes, Field(min_length=SEED_BYTES, max_length=SEED_BYTES)]
"""The 32 bytes from which all random outcomes of a round are derived."""


class Entropy(Protocol):
    """Gives the dealer its seeds, a game's only source of chance."""

    def seed(self, index: int) -> bytes:
        """Return the 32-byte seed with this number (from 1); most games take one for each round."""
        ...


@dataclass(frozen=True, slots=True)
class EntropySource:
    """The dealer's secret of one game: 32 bytes and, if reproducible, the text that all seeds are derived from."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="hex", val_json_bytes="hex"
    )

    secret: Seed
    """The 32 bytes of the secret: anybody who knows them can compute every choice of the game's bots."""
    text: str | None
    """The text that all seeds are derived from: anybody who knows it can compute the seeds; None if each is fresh."""

    def __post_init__(self) -> None:
        if self.text is not None:
            _printable(self.text)

    @classmethod
    def fresh(cls) -> "EntropySource":
        """Return a source that nobody can predict."""
        return cls(secrets.token_bytes(SEED_BYTES), None)

    @classmethod
    def from_text(cls, text: str) -> "EntropySource":
        """Return the source of a reproducible game: its secret is ``derive(text, "game")``.

        Raise `InvalidValue` unless the text is printable and not empty.
        """
        return cls(derive(_printable(text).encode(), "game"), text)

    def entropy(self) -> Entropy:
        """Return the `Entropy` of this game: fresh seeds, or seeds derived from the text, the same after a resume."""
        return FreshEntropy() if self.text is None else TextEntropy(self.text)

    def program_random(self, seat: int, seq: int, *labels: str) -> Random:
        """Return the randomness of the bot at a seat for the choice that becomes event ``seq``.

        It depends only on the secret, the seat, ``seq`` and, if several games are played from the same secret, on
        ``labels``. So a resumed game continues as it would have without the interruption.
        """
        return StreamRandom(derive(self.secret, "player", seat, seq, *labels))


NO_CHANCE: Final = EntropySource(bytes(SEED_BYTES), None)
"""The source for a game recorded elsewhere with all its chance: nothing is derived from it."""


def derived_text(text: str, *labels: str | int) -> str:
    """Return a text derived from another by a one-way function: ``derive(text, label, …)`` in hexadecimal.

    The result reveals neither the original text nor anything derived from the original with other labels.
    """
    return derive(text.encode(), *labels).hex()


def wrong_source(reproducible: bool, source: EntropySource | None) -> Iterator[Mismatch]:
    """Yield a contradiction if a game has a seed text and is not reproducible, or the other way round."""
    if source is not None and reproducible != (source.text is not None):
        stated = "a reproducible game" if reproducible else "a game that is not reproducible"
        yield Mismatch(stated, "what the secret says, which has " + ("no text" if reproducible else "a text"))


def _printable(text: str) -> str:
    if not text or not text.isprintable():
        raise InvalidValue(f"{text!r} cannot be a seed: a seed is printable text and not empty.")
    return text


class FreshEntropy:
    """A new seed from the operating system each time."""

    def seed(self, index: int) -> bytes:
        """Return 32 fresh bytes."""
        return secrets.token_bytes(SEED_BYTES)


@dataclass(frozen=True, slots=True)
class TextEntropy:
    """Seeds derived from a text, for reproducible games: ``derive(text, "deck", index)``.

    The label must never change, whatever the seeds are used for: games started with a text are checked with it.
    """

    text: str

    def seed(self, index: int) -> bytes:
        """Return the seed with this number."""
        return derive(self.text.encode(), "deck", index)


class StreamRandom(Random):
    """The standard library's `random.Random` with an HMAC stream as its source of bits."""

    def __init__(self, key: bytes) -> None:
        self._stream = Stream(key, "random")
        self.gauss_next = None  # `gauss` makes numbers in pairs, and keeps the second here

    def skip_seed(self) -> None:
        """Continue as if the first 32 bytes had been drawn, without computing them."""
        self._stream.skip_blocks(1)

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of ``k`` random bits."""
        size = (k + 7) // 8
        return int.from_bytes(self._stream.take(size), "big") >> (size * 8 - k)

    def random(self) -> float:
        """Return a number of 53 random bits in [0, 1)."""
        return self.getrandbits(53) * 2.0**-53

    def seed(self, *_args: object, **_kwargs: object) -> None:
        """Refuse a new seed: with another stream, a resumed game would not continue as it would have."""
        raise TypeError("A StreamRandom takes its stream from its key and cannot be seeded again.")
