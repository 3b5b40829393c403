"""Numbers of things are written by one function, which uses the singular for one."""

import ast
import re
from collections.abc import Iterator

import pytest

from pokersvc.text import counted
from tests.sources import sources

pytestmark = pytest.mark.no_cover  # sources are read, and none of them is run

AFTER_A_NUMBER = re.compile(
    r"^ (?:\w+ed |dead |seat )?(beans|bytes|cards|chips|deals|events|findings|games|hands|lines|markets|moves|opponents"
    r"|orders|players|points|positions|processes|rounds|seats|secrets|sowings)\b"
)

NEVER_ONE = {
    "refused because it is below the least, or above the most": (
        "A board cannot start with {} beans",
        "A game cannot have {} events",
        "A game of {} markets",
        "A game of {} rounds",
        "A line of {} bytes cannot be written",
        "A market of {} rounds",
        "A search cannot look {} sowings ahead",
        "A tournament of {} deals",
        "No opponent drew {} cards",
        "Sequences of {} sowings",
        "{} beans cannot lie in a hole",
        "{} bytes cannot be taken",
        "{} cards cannot be dealt: the number",
        "{} players are more than any game seats",
        "{} processes cannot play",
    ),
    "a constant, and no 1": (
        "Compiled code cannot follow a game for more than {} sowings",
        "That would be more than {} games",
        "The player {} cannot be used: its file has more than {} bytes",
        "The rules file {} is too large for a house: it has more than {} bytes",
        "There are tables for 1 to {} opponents",
        "null or {} bytes in",
        "{} bytes in lower-case",
        "{} is longer than {} bytes",
    ),
    "two at least, or it would not be said": (
        "The draws of {} opponents are given",
        "one of the {} seats",
        "{} could be any of {} games",
        "{} hands of five cards cannot be dealt",
        "{} markets of {}",
        "{} players are named for {} seats",
        "{} seats have {} orders",
    ),
}
"""What may be written otherwise, by the reason."""


def said_of_numbers() -> Iterator[str]:
    """Yield the texts in which a number stands before a thing in the plural, each number as ``{}``."""
    for source in sources("cli", "pokersvc"):
        for node in source.joined:
            yield from (f"{source.path}: {text}" for text in of_one(node))


def of_one(node: ast.JoinedStr) -> Iterator[str]:
    for value, following in zip(node.values, node.values[1:], strict=False):
        if (
            isinstance(value, ast.FormattedValue)
            and isinstance(following, ast.Constant)
            and AFTER_A_NUMBER.match(str(following.value))
        ):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def test_numbers_of_things_are_written_by_the_function_that_knows_one() -> None:
    allowed = {text for texts in NEVER_ONE.values() for text in texts}
    found = list(said_of_numbers())
    assert [text for text in found if not any(start in text for start in allowed)] == []
    assert [start for start in allowed if not any(start in text for text in found)] == [], "nothing is excepted in vain"


@pytest.mark.parametrize(("number", "said"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips"), (1000, "1,000 chips")])
def test_one_is_no_several(number: int, said: str) -> None:
    assert counted(number, "chip") == said
