"""The levels that a person chooses from, defined by the habits that make a player weaker."""

from collections.abc import Mapping
from typing import Final

from pokersvc.games.draw_poker.reading.table_spot import SHARK, Manner

MANNERS: Final[Mapping[str, Manner]] = {
    "beginner": Manner(
        reads=False, narrows=0.0, calls=0.45, chases=1.0, timid=0.25, position=False, largest=1.0, buys=False
    ),
    "club": Manner(
        reads=False, narrows=0.2, calls=0.25, chases=0.6, timid=0.12, position=False, largest=1.0, buys=False
    ),
    "regular": Manner(reads=False, narrows=0.5, calls=0.1, chases=0.3, timid=0.06, largest=1.0),
    "shark": SHARK,
}
"""Level → how it plays, the weakest first."""
