"""Hand histories made by a grammar of lines and words from real ones, read hand by hand and followed by the rules."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

from pokersvc.errors import printable
from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.histories.reading import hands_in
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohh
from pokersvc.histories.writers.phh import phh
from pokersvc.histories.writers.pokerstars import pokerstars

from .grammar import TEXTS, spoilt

SAMPLES = Path(__file__).parents[1] / "histories" / "samples"
MOST_LINES = 120
_NAMES = ("Bob: folds", "", "Ann [As]", 'x said, "y', "A ($5)", "é" * 40, "\u202e", "Seat 1: x", "Hero", "None")
_WORD = re.compile(r"[A-Za-z]+|[0-9.,]+|\s+|.")


@cache
def _samples() -> list[list[str]]:
    """Return the lines of each sample, as long ones in the pieces that blank lines divide."""
    texts = [path.read_text("utf-8") for path in sorted(SAMPLES.iterdir()) if path.suffix != ".told"]
    return [text.splitlines(keepends=True) for text in texts]


def make(random: Random, folder: Path) -> bytes:
    """Return a file of a few hands with some of its lines and words changed."""
    lines = random.choice(_samples())
    start = random.choice((0, random.randrange(len(lines))))
    lines = lines[start : start + random.randrange(5, MOST_LINES)]
    for _ in range(random.choice((0, 1, 1, 1, 2, 4))):
        place = random.randrange(len(lines))
        match random.randrange(8):
            case 0:
                del lines[place : place + 1]
                lines = lines or ["\n"]
            case 1:
                lines.insert(place, lines[place])
            case 2:
                lines.insert(place, random.choice(random.choice(_samples())))
            case 3:
                other = random.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
            case 4:
                old, new = random.choice(("Hero", "Ann", "Bob", "Cid")), random.choice(_NAMES)
                lines = [line.replace(old, new) for line in lines]
            case _:
                lines[place] = _other_word(random, lines[place])
    encoding = random.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"))
    errors = "replace" if encoding == "cp1252" else "surrogatepass"
    return spoilt(random, "".join(lines).encode(encoding, errors))


def _other_word(random: Random, line: str) -> str:
    words = _WORD.findall(line) or [""]
    place = random.randrange(len(words))
    near = str(random.choice((0, 1, 9, 10, "0.005", "1,000", 10**20, "١")))
    words[place] = random.choice((near, words[place] * 2, "", words[place].upper(), random.choice(TEXTS)))
    return "".join(words)


def read(content: bytes, folder: Path) -> None:
    """Read a file; each hand must be read, or refused in one sentence with its line."""
    path = folder / "history"
    path.write_bytes(content)
    last = content.count(b"\n") + 1
    for found in hands_in(path):
        if isinstance(found, HandHistory):
            assert found.players
            assert found.first_line <= found.last_line <= last
            assert len(found.dealt_in()) <= 10
            follow(found, "0" * 64)
            _write(found)
        else:
            printable(found.why).encode()
            assert found.why.endswith("."), found.why
            assert "\n" not in found.why
            assert found.line is None or 1 <= found.line <= last


def _write(hand: HandHistory) -> None:
    """Write a hand in every format, and read PHH and OHH again; a refusal must have a reason."""
    for write, dialect in ((phh, Phh()), (ohh, Ohh()), (pokerstars, PokerStars())):
        with suppress(CannotBeWritten):
            text = write(hand)
            with suppress(UnreadableHand):  # of a hand that contradicts itself
                for block in dialect.blocks(text.splitlines(keepends=True)):
                    dialect.read(block)
