"""A strategy as a file: a line that says what it is, a line of JSON, and compressed probabilities.

Probabilities are bytes (`packed_strategy`), in the order of `Strategy.arrays`. They are compressed in parts, so that a
choice need not wait until all of them are unpacked: the first betting, then what follows each of its ends. In files
whose first line does not say "in parts", all probabilities are compressed together, as in the first files.
"""

import json
import lzma
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pokersvc.cards.subsets import Ints
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.strategy.best_response import Worth
from pokersvc.games.draw_poker.strategy.groups import Hands, bucket_of
from pokersvc.games.draw_poker.strategy.packed_strategy import PackedStrategy, parts_of, sizes_of
from pokersvc.games.draw_poker.strategy.spots import Spot, named
from pokersvc.games.draw_poker.strategy.strategy import Strategy
from pokersvc.games.draw_poker.strategy.tree import EDITIONS, LATEST, betting_tree
from pokersvc.system.files import opened
from pokersvc.text import counted, listed

ENDING: Final = ".strategy"
MOST_BYTES: Final = 10_000_000
"""The maximum size of a file."""
_MAGIC: Final = re.compile(rb"pokersvc strategy ([1-9])( in parts)?\n")
_MOST_UNPACKED: Final = 100_000_000
_LEAST_MEMORY: Final = 1 << 12
"""The least memory, in bytes, that LZMA can be told to use."""


class InvalidStrategy(InvalidValue):
    """The file has no strategy that can be played."""

    code = "invalid_strategy"


class Description(BaseModel):
    """A strategy file's description of its strategy."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    button: float
    """What the button wins in the abstraction, in thousandths of a big blind a hand."""
    exploitability: float
    """How much the strategy, as it is stored, loses to best responses in the abstraction, in the same unit."""
    iterations: int = Field(ge=1)
    keys: list[int] = Field(min_length=1, max_length=10_000)
    """The key of each group of deals."""
    lengths: list[Annotated[int, Field(ge=0)]] = Field(default=[], max_length=10_000)
    """The number of bytes of each compressed part; empty in a file whose parts are compressed together."""
    sha256: str
    """The digest of the probabilities, before they are compressed."""
    spot: str
    """The name of the spot."""


@dataclass(frozen=True, eq=False)
class Stored:
    """A strategy that was read from a file, or one derived from it."""

    description: Description
    keys: Ints
    played: Strategy | PackedStrategy
    """Its probabilities, looked up one by one."""
    edition: int = 1
    """The edition of its tree, which says the sizes of bets; see `EDITIONS`."""

    @cached_property
    def strategy(self) -> Strategy:
        """All its probabilities as numbers; those read from a file then take eight times the memory."""
        return self.played.expanded() if isinstance(self.played, PackedStrategy) else self.played


def written(strategy: Strategy, keys: Ints, iterations: int, worth: Worth, edition: int = LATEST) -> bytes:
    """Return the bytes of a file for a strategy in an edition's tree; at a fixed limit the edition is always 1."""
    parts = [*parts_of(strategy)]
    compressed = [_compressed(part) for part in parts]
    description = Description(
        button=round(worth.button, 3),
        exploitability=round(worth.exploitability, 3),
        iterations=iterations,
        keys=keys.tolist(),
        lengths=[*map(len, compressed)],
        sha256=sha256(b"".join(parts)).hexdigest(),
        spot=strategy.spot.name,
    )
    line = json.dumps(description.model_dump(), separators=(",", ":")).encode() + b"\n"
    edition = 1 if strategy.spot.limit == "fixed_limit" else edition
    return b"pokersvc strategy %d in parts\n" % edition + line + b"".join(compressed)


def _compressed(part: bytes) -> bytes:
    """Return a part compressed as far as possible; unpacking it needs about as much memory as the part itself."""
    memory = max(_LEAST_MEMORY, 1 << (len(part) - 1).bit_length())
    return lzma.compress(part, filters=[{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": memory}])


def read(path: Path) -> Stored:
    """Return the strategy in a file; raise `InvalidStrategy`, with the reason, if there is none."""
    try:
        with opened(path) as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidStrategy(f"The strategy {path} cannot be read: {why}.") from error
    return parsed(content, str(path))


def parsed(content: bytes, source: str) -> Stored:
    """Return the strategy in the bytes of a file named ``source``, which is checked."""
    return _parsed(content, source, checked=True)


def shipped(spot: Spot) -> Stored | None:
    """Return the strategy of a spot from the package; None if there is none. Its parts are unpacked as needed."""
    entry = files(__package__).joinpath("files", spot.name + ENDING)
    return _parsed(entry.read_bytes(), spot.name, checked=False) if entry.is_file() else None


def _parsed(content: bytes, source: str, *, checked: bool) -> Stored:
    begun = _MAGIC.match(content)
    edition = int(begun[1]) if begun else 0
    if begun is None or edition not in EDITIONS:
        known = listed([f"'pokersvc strategy {edition}'" for edition in EDITIONS], "or")
        raise InvalidStrategy(f"{source} is not a strategy of this version: it does not begin with {known}.")
    if len(content) > MOST_BYTES:
        raise InvalidStrategy(f"The strategy {source} is too large: it has more than {counted(MOST_BYTES, 'byte')}.")
    line, _, rest = content[begun.end() :].partition(b"\n")
    try:
        description = Description.model_validate_json(line)
        spot = named(description.spot)
    except (ValidationError, InvalidValue) as error:
        raise InvalidStrategy(
            f"The strategy {source} does not say what it is for; its second line is damaged."
        ) from error
    lengths = description.lengths if begun[2] else [len(rest)]
    root = betting_tree(spot, EDITIONS[edition])
    hands = Hands(len(description.keys), int(bucket_of().max()) + 1)
    parts = _Parts(rest, lengths, source)
    part = parts.part
    if checked or len(lengths) == 1:
        whole = parts.all()
        if sha256(whole).hexdigest() != description.sha256:
            raise InvalidStrategy(
                f"The strategy {source} is damaged: its probabilities do not have the hash that it names."
            )
        bounds = [0, *accumulate(sizes_of(root, hands))]
        if len(whole) != bounds[-1]:
            many = "many" if len(whole) > bounds[-1] else "few"
            raise InvalidStrategy(f"The strategy {source} has too {many} probabilities for its spot, {spot.name}.")
        part = partial(_between, whole, bounds)
    return Stored(description, np.array(description.keys), PackedStrategy(spot, root, hands, part), edition)


def _between(whole: bytes, bounds: Sequence[int], number: int) -> bytes:
    return whole[bounds[number] : bounds[number + 1]]


class _Parts:
    """The compressed parts of a file, of the given lengths."""

    def __init__(self, content: bytes, lengths: Sequence[int], source: str) -> None:
        self._content, self._source = content, source
        self._bounds = [0, *accumulate(lengths)]

    def part(self, number: int) -> bytes:
        """Return the bytes of a part; raise `InvalidStrategy` if they cannot be unpacked."""
        return self._unpacked(number, _MOST_UNPACKED)

    def _unpacked(self, number: int, most: int) -> bytes:
        unpacking = lzma.LZMADecompressor()
        try:
            found = unpacking.decompress(_between(self._content, self._bounds, number), most)
        except (lzma.LZMAError, EOFError) as error:
            raise self._damaged("its probabilities cannot be unpacked") from error
        if not unpacking.eof or unpacking.unused_data:
            raise self._damaged("its probabilities do not have the hash that it names")
        return found

    def all(self) -> bytes:
        """Return the unpacked bytes of all parts, joined; raise `InvalidStrategy` if the file has another length."""
        if self._bounds[-1] != len(self._content):
            raise self._damaged("it has more or fewer bytes than its second line says")
        found, left = [], _MOST_UNPACKED
        for number in range(len(self._bounds) - 1):
            found.append(self._unpacked(number, left))
            left -= len(found[-1])
        return b"".join(found)

    def _damaged(self, why: str) -> InvalidStrategy:
        return InvalidStrategy(f"The strategy {self._source} is damaged: {why}.")


def shipped_spots() -> list[Spot]:
    """Return the spots whose strategies are in the package."""
    folder = files(__package__).joinpath("files")
    names = [entry.name.removesuffix(ENDING) for entry in folder.iterdir() if entry.name.endswith(ENDING)]
    return sorted(map(named, names))
