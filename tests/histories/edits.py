"""Good hands with one thing changed: an amount, a card, a name, the order of two lines, a line gone or doubled."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from pokersvc.cards import CARDS
from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects import DIALECTS
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hand_of
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohh
from pokersvc.histories.writers.phh import phh

SAMPLES: Final = Path(__file__).parent / "samples"
KINDS: Final = ("amount", "card", "name", "order", "gone", "doubled")

_AMOUNT: Final = re.compile(r"(?<![0-9#:/.,-])[0-9][0-9,]*(?:\.[0-9]{2})?(?![0-9:/])")
_CARD: Final = re.compile(r"\b[2-9TJQKA][cdhs]\b")


class Edit(NamedTuple):
    """A hand with one change."""

    number: int
    kind: str
    dialect: Dialect
    block: Block
    line: int
    """The first changed line."""


def sample_hands() -> list[tuple[Dialect, Block, HandHistory]]:
    """Return the hands of the samples."""
    hands: list[tuple[Dialect, Block, HandHistory]] = []
    for dialect in DIALECTS:
        for path in sorted(SAMPLES.iterdir()):
            if path.suffix != ".told" and path.name.startswith(_FILES[dialect.name]):
                hands += _hands_of(dialect, path.read_text("utf-8"))
    return hands


def good_hands() -> list[tuple[Dialect, Block, HandHistory]]:
    """Return the hands to edit: the samples, and the text hands converted to PHH and OHH."""
    hands = sample_hands()
    by_name = {dialect.name: dialect for dialect in DIALECTS}
    for write, dialect in ((phh, by_name["phh"]), (ohh, by_name["ohh"])):
        for _, _, hand in hands[:]:
            if hand.dialect in ("pokerstars", "full-tilt"):
                try:
                    text = write(hand)
                except CannotBeWritten:
                    continue
                hands += _hands_of(dialect, text)
    return hands


_FILES: Final = {"phh": "more.phh", "ohh": "more.ohh"} | {
    name: name for name in ("pokerstars", "full-tilt", "ongame", "boss", "merge")
}


def _hands_of(dialect: Dialect, text: str) -> Iterator[tuple[Dialect, Block, HandHistory]]:
    for found in dialect.blocks(text.splitlines(keepends=True)):
        block = found._replace(first_line=1)
        hand = hand_of(Path("good"), dialect, block)
        assert isinstance(hand, HandHistory), hand
        yield dialect, block, hand


def edits(seed: int, count: int) -> Iterator[Edit]:
    """Yield random edits, always the same for a seed; edits without effect are repeated."""
    hands = good_hands()
    number = 0
    while number < count:
        random = Random(f"{seed}:{number}:edits")
        kind = KINDS[number % len(KINDS)]
        while True:
            dialect, block, hand = random.choice(hands)
            lines = block.text.split("\n")
            place = _change(random, kind, lines, [player.name for player in hand.players])
            if place is not None and "\n".join(lines) != block.text:
                break
        yield Edit(number, kind, dialect, block._replace(text="\n".join(lines)), place + 1)
        number += 1


def _change(random: Random, kind: str, lines: list[str], names: list[str]) -> int | None:
    """Change lines in place; return the first that is changed, or None where the kind does not fit."""
    place = random.randrange(1, len(lines))
    line = lines[place]
    match kind:
        case "amount":
            return _replace(random, lines, place, _AMOUNT, [_near(random, line)])
        case "card":
            return _replace(random, lines, place, _CARD, [card.notation for card in CARDS])
        case "name":
            inside = [name for name in names if name in line]
            if not inside:
                return None
            lines[place] = line.replace(random.choice(inside), random.choice(names))
        case "order":
            other = min(place + random.choice((1, 1, 1, 2, 5)), len(lines) - 1)
            lines[place], lines[other] = lines[other], line
        case "gone":
            del lines[place]
        case _:
            lines.insert(place, line)
            return place + 1
    return place


def _replace(random: Random, lines: list[str], place: int, found: re.Pattern[str], by: list[str]) -> int | None:
    spots = list(found.finditer(lines[place]))
    if not spots:
        return None
    spot = random.choice(spots)
    new = random.choice(by)
    lines[place] = lines[place][: spot.start()] + new + lines[place][spot.end() :]
    return place


def _near(random: Random, line: str) -> str:
    found = _AMOUNT.findall(line)
    old = random.choice(found or ["1"]).replace(",", "")
    whole = "." not in old
    cents = int(old) * 100 if whole else int(old.replace(".", ""))
    cents = max(cents + random.choice((1, -1, 5, -5, 100, -100, cents)) * (100 if whole and cents % 100 == 0 else 1), 0)
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02}"
