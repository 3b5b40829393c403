"""The levels that a person chooses from, by the habits that make a player weaker."""

from collections.abc import Mapping
from typing import Final

from pokersvc.games.draw_poker.reading.shark import SHARK, Manner

MANNERS: Final[Mapping[str, Manner]] = {
    "beginner": Manner(reads=False, narrows=0.0, calls=0.4, chases=1.0, timid=0.2, position=False),
    "club": Manner(reads=False, narrows=0.25, calls=0.18, chases=0.5, timid=0.12, position=False),
    "regular": Manner(reads=False, narrows=0.6, calls=0.06, chases=0.2, timid=0.04),
    "shark": SHARK,
}
"""Level → how it plays, the weakest first."""
