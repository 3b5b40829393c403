"""The contract is that of every game: it speaks of no game's things."""

import re
from pathlib import Path
from typing import Final

import pytest

import pokersvc.core

FROZEN: Final = re.compile(r'"deck"|"hidden_cards"')
"""Strings that must never change: a label from which seeds of stored games are derived, and a code in outputs."""
OF_CARDS: Final = re.compile(r"\b(?:cards?|decks?|hands?|poker|deck_\w+)\b", re.IGNORECASE)


@pytest.mark.parametrize("path", sorted(Path(pokersvc.core.__file__).parent.rglob("*.py")), ids=lambda path: path.stem)
def test_the_core_speaks_of_no_cards(path: Path) -> None:
    found = [line for line in path.read_text().splitlines() if OF_CARDS.search(FROZEN.sub("", line))]
    assert found == []
