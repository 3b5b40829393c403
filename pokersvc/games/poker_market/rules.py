"""The rules of a market as data. Fields stand in alphabetical order, as canonical JSON has them."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

MOST_PLAYERS: Final = 10
DEFAULT_ROUNDS: Final = 5
MOST: Final = 1_000_000


class PokerMarketRules(BaseModel):
    """What makes one game of the Poker Market differ from another."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    markets: Annotated[int, Field(ge=1, le=MOST)]
    """How many markets the game has; points are added over them."""
    rounds: Annotated[int, Field(ge=1, le=MOST)]
    """How many turns each player has in a market."""
    version: Annotated[int, Field(ge=1, le=1)]
