"""The results for hands with one change, stored as digests: ``python -m tests.histories.outcomes``."""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from pokersvc.cards import CARDS
from pokersvc.core.version import __version__
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.histories.checking import CheckedHand, HandSource, told_again
from pokersvc.histories.contributions import staked_in
from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.exporting import WRITERS
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hand_of
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.outcome import outcome_of
from tests.digested import Digested, Texts, titled

from .claims import changed_claims
from .edits import good_hands
from .goldens import in_lines
from .odd_hands import doctored_hands, odd_hands

PlaceT = TypeVar("PlaceT")

MOST: Final = 5
"""Changes of one kind in one hand."""
FEW: Final = 2
"""The number of changes to a hand that is unusual already."""
_PATH: Final = Path("edited")
_PROGRAM: Final = f'"program":"{__version__}",'
_OF_A_PARSER: Final = re.compile(r"(This is not (?:JSON|TOML|XML)).*")
"""Messages of Python's own parsers, which differ between versions."""
_DIGEST: Final = "0" * 64
_TOKENS: Final = {
    "number": re.compile(r"[0-9]+"),
    "card": re.compile(r"\b(?:[2-9TJQKA]|10)[cdhs]\b"),
    "word": re.compile(r"[A-Za-z]{2,}"),
    "sign": re.compile(r"[^\w\s]"),
    "space": re.compile(r" +"),
}


_VALUE: Final = re.compile(r"""(?<=[:=])[ ]?("[^"]*"|'[^']*'|[^\s,}\]>"'[{]+)""")
_VALUES: Final = ("", "0", "1", "-1", "1.5", "0.001", "x", "true", "null", "[]", "{}", "9" * 20, "x" * 80, "x" * 81)
"""Other values of an attribute or a member, with and without quotation marks."""


@cache
def _texts() -> dict[str, Texts]:
    """Return the results for each good hand, by the hand's name."""
    hands = good_hands()
    lines: dict[str, list[str]] = {}
    for dialect, block, _ in hands:
        lines.setdefault(dialect.name, []).extend(block.text.split("\n"))
    return {
        **{
            f"{place:02} {hand.dialect} {hand.number}": titled(
                partial(_outcomes, dialect, block, lines[dialect.name], MOST)
            )
            for place, (dialect, block, hand) in enumerate(hands, 1)
        },
        **{
            name: titled(partial(_outcomes, dialect, block, lines[dialect.name], FEW))
            for name, dialect, block in odd_hands()
        },
        "doctored": titled(_doctored),
    }


def _doctored() -> Iterator[tuple[str, str]]:
    for name, dialect, block in doctored_hands():
        yield name, _came_to(dialect, block)


def _outcomes(dialect: Dialect, block: Block, others: Sequence[str], most: int) -> Iterator[tuple[str, str]]:
    """Yield the result of each change to a hand, with the name of the change."""
    yield "none", _came_to(dialect, block, with_written=True)
    random = Random(block.text)
    for change, text in chain(_changed(block.text, random, most), _with_others(block.text, others, random, most)):
        yield change, _came_to(dialect, block._replace(text=text))
    hand = hand_of(_PATH, dialect, block)
    if isinstance(hand, Unread):
        return
    for number, (claim, line, other) in enumerate(_some(random, list(changed_claims(hand)), 2 * most)):
        found = [f"{one}\n" for one in follow(other, _DIGEST, events=False).contradictions]
        yield f"claim {number} {claim} {line}", "".join([*found, *_written(other)])


def _changed(text: str, random: Random, most: int) -> Iterator[tuple[str, str]]:
    """Yield copies of a text, each with one change, and the kind and place of the change."""
    lines = text.split("\n")
    for place in _some(random, range(len(lines)), most):
        yield f"gone {place + 1}", "\n".join(lines[:place] + lines[place + 1 :])
    for place in _some(random, range(len(lines)), most):
        yield f"doubled {place + 1}", "\n".join(lines[: place + 1] + lines[place:])
    for place in _some(random, range(len(lines) - 1), most):
        swapped = [lines[place + 1], lines[place]]
        yield f"order {place + 1}", "\n".join(lines[:place] + swapped + lines[place + 2 :])
    for kind, pattern in _TOKENS.items():
        for spot in _some(random, list(pattern.finditer(text)), most):
            other = _another(kind, spot[0], random)
            line = text.count("\n", 0, spot.start()) + 1
            yield f"{kind} {line} {spot.start()} {other}", text[: spot.start()] + other + text[spot.end() :]


def _with_others(text: str, others: Sequence[str], random: Random, most: int) -> Iterator[tuple[str, str]]:
    """Yield copies of a text with a line of another hand, another value, or other cards or amounts throughout."""
    lines = text.split("\n")
    for place in _some(random, range(len(lines)), most):
        yield f"added {place + 1}", "\n".join([*lines[:place], random.choice(others), *lines[place:]])
    for place in _some(random, range(len(lines)), most):
        yield f"replaced {place + 1}", "\n".join([*lines[:place], random.choice(others), *lines[place + 1 :]])
    for spot in _some(random, list(_VALUE.finditer(text)), most):
        mark = random.choice(('"', spot[1][:1]))
        value = random.choice(_VALUES)
        other = f"{mark}{value}{mark}" if mark in ("'", '"') else value
        yield f"value {spot.start()} {other}", text[: spot.start(1)] + other + text[spot.end(1) :]
    for token in _some(random, sorted(set(re.findall(r"[0-9]+(?:[.,][0-9]+)*|\b[2-9TJQKA][cdhs]\b", text))), most):
        other = random.choice(CARDS).notation if token[-1].isalpha() else random.choice(("0", "1", "3", token + "0"))
        yield f"everywhere {token} {other}", re.sub(rf"(?<![\w.,]){re.escape(token)}(?![\w])", other, text)


def _another(kind: str, token: str, random: Random) -> str:
    match kind:
        case "number":
            value = int(token)
            return str(random.choice((value + 1, max(value - 1, 0), 2 * value))).zfill(len(token))
        case "card":
            return random.choice(CARDS).notation
        case "word":
            return random.choice(("", token.upper(), token.lower(), token + "s"))
        case "sign":
            return random.choice(("", token * 2))
        case _:
            return token * 2


def _some(random: Random, places: Sequence[PlaceT], most: int) -> list[PlaceT]:
    return random.sample(places, min(most, len(places)))


def _came_to(dialect: Dialect, block: Block, *, with_written: bool = False) -> str:
    """Return all results for a block: as read, as followed, and as written."""
    hand = hand_of(_PATH, dialect, block)
    if isinstance(hand, Unread):
        why = _OF_A_PARSER.sub(r"\1", hand.why)
        return f"unread at {hand.line}{' of another kind' if hand.other else ''}: {why}"
    checked = told_again(HandSource(_PATH, dialect.name, block, _DIGEST))
    assert isinstance(checked, CheckedHand)
    parts = [in_lines(hand), *_followed(checked)]
    if with_written or not checked.contradictions:
        parts += _written(hand)
    return "".join(parts)


def _followed(checked: CheckedHand) -> Iterator[str]:
    """Yield the findings in a hand, the game made of it, and what the reading commands print about the game."""
    yield f"{checked.line} {checked.game_id} {sorted(checked.unchecked.items())} {checked.warnings}\n"
    for found in checked.contradictions:
        yield f"{found}\n"
    for event in checked.events:
        encoded = DRAW_POKER.codec.encode(event)
        yield f"{encoded.type} {encoded.version} {encoded.payload} {encoded.secret}\n".replace(_PROGRAM, "")
    yield f"{checked.followed}\n"


def _written(hand: HandHistory) -> Iterator[str]:
    """Yield a hand's end by its statements, and its text in every format, or the reason why there is none."""
    staked = staked_in(hand)
    yield f"{hand.only_hero} {hand.seat_count} {[one.name for one in hand.dealt_in()]}\n"
    yield f"{staked.left} {staked.in_all} {staked.returned} {sorted(staked.folded)}\n{outcome_of(hand)}\n"
    for write in WRITERS.values():
        try:
            yield "".join(write(iter([hand])))
        except CannotBeWritten as error:
            yield f"{error}\n"
        except KeyError:  # of a hand that contradicts itself, and so is never written
            yield "not written\n"


OUTCOMES: Final = Digested(Path(__file__).with_suffix(".json"), _texts)

if __name__ == "__main__":
    OUTCOMES.main(sys.argv[1:])
