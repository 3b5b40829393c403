"""What the program says, and what its docstrings say, uses the common word: odd wordings stay out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("pokersvc", "cli", "migrations", "benchmarks")

ODD: Final = {
    r"\bis no answer here\b|\bpossible are\b": "I don't understand ... You can: ...",
    r"\bWinner (is|are)\b": "NAME wins with ...",
    r"\b[Gg]o on with (it|a game)\b|\bgone on with\b|\bstart it again to go on\b": "resume, continue",
    r"\bgo(es)? on behind\b|\bfound behind\b": "after",
    r"\b[Ww]here nobody says\b": "by default",
    r"\b([Pp]layers?|[Hh]ouses?|[Ff]iles?|rules) of (one's|your) own\b": "custom",
    r"\b(made|make it|begin|begin it|writes it) anew\b|\banew with --": "again, rebuilt, recomputed, regenerated",
    r"\bmade again from the events\b": "rebuilt",
    r"\bwill not do\b": "cannot be, is wrong",
    r"\bit has to be\b": "it must be",
    r"\bhang together\b": "are correlated",
    r"\bin the mean\b": "on average",
    r"\bnought\b": "zero",
    r"\b[Ww]hose eyes\b": "point of view",
    r"\b[Ww]hat to make large\b": "what to maximise",
    r"\bmaximize|\banalyze\b|\brecognize": "British spelling, as in the names of commands and options",
    r"\bnobody can foresee\b": "predict",
    r"\b(laid|lays?|lies?|lying) open\b": "shown",
    r"\bhands are opened\b": "Showdown",
    r"\bleast bet\b": "minimum bet",
    r"\bon turn\b": "to act",
    r"\bbeginning of (an id|one)\b|\bwrite more of the id\b": "a unique prefix of a game ID",
    r"\bmistakes? in (the code|this program)\b": "bug in pokersvc",
    r"\b(copy|backup) (of it )?from before\b": "restore a backup",
    r"\boverwrites nothing\b": "never overwrites a file",
    r"\bis there already\b": "already exists",
    r"\b(is|was|are) taken as it is\b|\b[Tt]ake (it|the database) as it is\b": "accept",
    r"\bbring (it|the database) to\b|\bthe newest schema\b": "migrate",
    r"\bcan change no event\b|\bchange none\b": "cannot change events",
    r"\bknows? no roles\b": "has no roles",
    r"\bis whole\.?$|\bwhether it is whole\b|\bchain is whole\b": "intact",
    r"\bwhole or not at all\b": "complete, or not there at all",
    r"\bmay not put right\b": "cannot repair",
    r"\bsomebody acted meanwhile\b": "someone else acted",
    r"\bOnly programs\b|\bonly programs\b|\bagainst programs\b": "bots",
    r"\bprograms? that (thinks?|draws?|plays?)\b": "bot",
    r"\bof which kind the others are\b": "the kinds of the others",
    r"^says nothing (about|without)\b": "does not apply to, needs",
    r"\bkept, go on\b|\bis kept; go on\b": "saved, resume",
    r"\ba line a (seat|round|side|game)\b": "one line per ...",
}
"""Wordings that nobody else uses, and what a technical writer says."""


def texts() -> Iterator[tuple[str, str]]:
    """Yield the string literals of the code with where they are, docstrings and parts of f-strings too."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if (ROOT / "pokersvc" / "cli") in path.parents or (ROOT / "pokersvc" / "migrations") in path.parents:
                continue  # links to folders of the repository
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(node.value.split())


TEXTS: Final = list(texts())


def test_the_texts_are_found() -> None:
    places = {place.split(":")[0] for place, _ in TEXTS}
    assert {"cli/play.py", "pokersvc/core/words.py", "migrations/env.py", "benchmarks/audit.py"} <= places
    assert any("What discards are judged by." in text for _, text in TEXTS), "docstrings too"


@pytest.mark.parametrize("odd", ODD)
def test_the_common_word_is_used(odd: str) -> None:
    assert [(place, text) for place, text in TEXTS if re.search(odd, text)] == [], f"rather: {ODD[odd]}"
