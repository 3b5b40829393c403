"""What the page's forms say of games: words for a form, and none of a command line."""

import re
from typing import Any

import pytest

from pokersvc.core.registry import BUILT_IN, game_of
from pokersvc.core.setup import Option
from pokersvc.server.tables.information import games

COMMAND_LINE = re.compile(r"\[default|(?<![\w-])--?[a-z]|\b[A-Z]{4,}\b|\b[MN]\b|repeated|repeatable|,…")
"""Defaults in brackets, options, metavars such as CHIPS or N, and what only a command line can do."""

OFFERED = {game["kind"]: game for game in games(())}


def texts(game: dict[str, Any]) -> list[str]:
    """Return what a form says of a game and its houses, whose rules can be looked at and changed there."""
    return [
        *(option["help"] for option in game["options"]),
        *(option["each"] for option in game["options"] if option["each"]),
        *(house[part] for house in game["houses"] for part in ("summary", "text")),
    ]


@pytest.mark.parametrize("kind", sorted(BUILT_IN))
def test_a_form_has_no_words_of_a_command_line(kind: str) -> None:
    assert [found[0] for text in texts(OFFERED[kind]) if (found := COMMAND_LINE.search(text))] == []


def test_what_the_command_line_says_would_be_found() -> None:
    wrong = {"rake_cap", "stack", "uncapped", "markets", "holes", "beans"}
    options = [option for kind in BUILT_IN for option in game_of(kind).own_options if option.open]
    assert {option.name for option in options if COMMAND_LINE.search(option.help)} == wrong


def test_an_option_says_in_a_form_what_it_says_in_help_unless_it_has_words_for_forms() -> None:
    assert Option("piles", "Piles of stones.").words_of_form == "Piles of stones."
    assert Option("piles", "Play N piles.", form="How many piles.").words_of_form == "How many piles."
