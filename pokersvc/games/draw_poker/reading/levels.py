"""The levels that a person chooses from, by the habits that make a player weaker."""

from collections.abc import Mapping
from typing import Final

from pokersvc.games.draw_poker.reading.shark import SHARK, Manner

MANNERS: Final[Mapping[str, Manner]] = {
    "beginner": Manner(reads=False, narrows=0.0, calls=0.3, chases=0.8, timid=0.2, position=False),
    "club": Manner(reads=False, narrows=0.4, calls=0.12, chases=0.4, timid=0.1, position=False),
    "regular": Manner(reads=False, narrows=0.8, calls=0.03, chases=0.1, timid=0.03),
    "shark": SHARK,
}
"""Level → how it plays, the weakest first."""
