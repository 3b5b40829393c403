"""A strategy as a file: a line that says what it is, a line of JSON, and compressed probabilities.

Probabilities are whole numbers of 255ths. Each choice has one byte for every action but the first, whose probability is
what is left; the arrays come in the order of `Strategy.arrays`.
"""

import json
import lzma
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pokersvc.cards.subsets import Ints
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.strategy.best_response import Worth
from pokersvc.games.draw_poker.strategy.groups import Floats, Hands, bucket_of
from pokersvc.games.draw_poker.strategy.spots import Spot, named
from pokersvc.games.draw_poker.strategy.strategy import Strategy, filled
from pokersvc.games.draw_poker.strategy.tree import EDITIONS, LATEST, Node, betting_tree
from pokersvc.system.files import opened
from pokersvc.text import counted, listed

PARTS: Final = 255
"""The probability of 1, in the units of a file."""
ENDING: Final = ".strategy"
MOST_BYTES: Final = 10_000_000
"""The maximum size of a file."""
_MAGIC: Final = re.compile(rb"pokersvc strategy ([1-9])\n")
_MOST_UNPACKED: Final = 100_000_000


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
    sha256: str
    """The digest of the probabilities, before they are compressed."""
    spot: str
    """The name of the spot."""


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """A strategy that was read from a file."""

    description: Description
    keys: Ints
    strategy: Strategy
    edition: int = 1
    """The edition of its tree, which says the sizes of bets; see `EDITIONS`."""


def packed(chances: Floats) -> NDArray[np.uint8]:
    """Return probabilities in units of 1/`PARTS`, rounded to add up to 1, without those of the first action."""
    bounds = np.rint(chances[::-1].cumsum(axis=0) * PARTS).astype(np.int64)
    found: NDArray[np.uint8] = np.diff(bounds, axis=0, prepend=0)[-2::-1].astype(np.uint8)
    return found


def unpacked(parts: NDArray[np.uint8]) -> Floats:
    """Return probabilities from what `packed` returned."""
    others = parts.astype(np.float64) / PARTS
    return np.concatenate([1 - others.sum(axis=0, keepdims=True), others])


def rounded(strategy: Strategy, hands: Hands) -> Strategy:
    """Return a strategy as it would be read back from a file."""
    arrays = strategy.arrays()
    return filled(strategy.spot, hands, lambda _: unpacked(packed(next(arrays))), strategy.root)


def written(strategy: Strategy, keys: Ints, iterations: int, worth: Worth, edition: int = LATEST) -> bytes:
    """Return the bytes of a file for a strategy in an edition's tree; at a fixed limit the edition is always 1."""
    probabilities = b"".join(packed(array).tobytes() for array in strategy.arrays())
    description = Description(
        button=round(worth.button, 3),
        exploitability=round(worth.exploitability, 3),
        iterations=iterations,
        keys=keys.tolist(),
        sha256=sha256(probabilities).hexdigest(),
        spot=strategy.spot.name,
    )
    line = json.dumps(description.model_dump(), separators=(",", ":")).encode() + b"\n"
    edition = 1 if strategy.spot.limit == "fixed_limit" else edition
    return b"pokersvc strategy %d\n" % edition + line + lzma.compress(probabilities, preset=9)


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
    """Return the strategy in the bytes of a file named ``source``."""
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
    unpacking = lzma.LZMADecompressor()
    try:
        probabilities = unpacking.decompress(rest, _MOST_UNPACKED)
    except (lzma.LZMAError, EOFError) as error:
        raise InvalidStrategy(f"The strategy {source} is damaged: its probabilities cannot be unpacked.") from error
    if not unpacking.eof or unpacking.unused_data or sha256(probabilities).hexdigest() != description.sha256:
        raise InvalidStrategy(f"The strategy {source} is damaged: its probabilities are not those that it says.")
    root = betting_tree(spot, EDITIONS[edition])
    strategy = _strategy_in(spot, root, len(description.keys), probabilities, source)
    return Stored(description, np.array(description.keys), strategy, edition)


def shipped(spot: Spot) -> Stored | None:
    """Return the strategy of a spot from the package; None if there is none."""
    entry = files(__package__).joinpath("files", spot.name + ENDING)
    return parsed(entry.read_bytes(), spot.name) if entry.is_file() else None


def shipped_spots() -> list[Spot]:
    """Return the spots whose strategies are in the package."""
    folder = files(__package__).joinpath("files")
    names = [entry.name.removesuffix(ENDING) for entry in folder.iterdir() if entry.name.endswith(ENDING)]
    return sorted(map(named, names))


def _strategy_in(spot: Spot, root: Node, groups: int, probabilities: bytes, source: str) -> Strategy:
    parts = np.frombuffer(probabilities, np.uint8)
    place = 0

    def taken(shape: tuple[int, ...]) -> Floats:
        nonlocal place
        less = (shape[0] - 1, *shape[1:])
        found = parts[place : (place := place + prod(less))]
        if found.size != prod(less):
            raise InvalidStrategy(f"The strategy {source} has too few probabilities for its spot, {spot.name}.")
        return unpacked(found.reshape(less))

    strategy = filled(spot, Hands(groups, int(bucket_of().max()) + 1), taken, root)
    if place != len(parts):
        raise InvalidStrategy(f"The strategy {source} has too many probabilities for its spot, {spot.name}.")
    return strategy
