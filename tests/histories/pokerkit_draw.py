"""PokerKit with five-card draw, as docs/histories.md defines it."""

import re
from decimal import Decimal
from functools import cache
from pathlib import Path

from pokerkit import HandHistory

_DOCS = Path(__file__).parents[2] / "docs" / "histories.md"


@cache
def registered() -> type[HandHistory]:
    """Return PokerKit's hand histories, with the codes of the docs."""
    (code,) = [
        code for code in re.findall(r"```python\n(.*?)```", _DOCS.read_text("utf-8"), re.DOTALL) if "5CD" in code
    ]
    exec(code, {})
    return HandHistory


def finishing_stacks(text: str) -> list[Decimal]:
    """Return the stacks that PokerKit's replay of a PHH ends with."""
    *_, state = registered().loads(text)
    return [Decimal(stack) for stack in state.stacks]
