"""The rules of a market as data. Fields stand in alphabetical order, as canonical JSON has them."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

MOST_PLAYERS: Final = 10
DEFAULT_ROUNDS: Final = 5
MOST: Final = 1_000_000


class PokerMarketRules(BaseModel):
    """The rules in which games of the Poker Market may differ."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    markets: Annotated[int, Field(ge=1, le=MOST)]
    """The number of markets in the game; their points are added."""
    rounds: Annotated[int, Field(ge=1, le=MOST)]
    """The number of turns that each player has in a market."""
    version: Annotated[int, Field(ge=1, le=1)]
