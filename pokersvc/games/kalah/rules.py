"""The size of a board and the capture rule, as data; fields stand in alphabetical order."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.errors import InvalidValue, about

MOST_HOLES: Final = 32
MOST_BEANS: Final = 64
RULES_VERSION: Final = 1


class KalahRules(BaseModel):
    """The size of the board, as in `Kalah(holes, beans)`, and whether empty captures count."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    beans: Annotated[int, Field(ge=0, le=MOST_BEANS)] = 4
    """Beans in each hole at the start."""
    empty_capture: bool = False
    """Whether a last bean in an own empty hole is captured even if the opposite hole has no beans."""
    holes: Annotated[int, Field(ge=1, le=MOST_HOLES)] = 6
    """Holes per side."""
    version: Annotated[int, Field(ge=RULES_VERSION, le=RULES_VERSION)] = RULES_VERSION

    def __str__(self) -> str:
        """Return the game as the literature names it.

        >>> str(KalahRules()), str(KalahRules(beans=3, empty_capture=True, holes=5))
        ('Kalah(6, 4)', 'Kalah(5, 3) with empty capture')
        """
        return f"Kalah({self.holes}, {self.beans})" + (" with empty capture" if self.empty_capture else "")


def check_size(holes: object, beans: object) -> None:
    """Raise `InvalidValue` unless a board can have this number of holes per side and of beans per hole."""
    if type(holes) is not int or not 1 <= holes <= MOST_HOLES:
        with about("holes"):
            raise InvalidValue(f"A board cannot have {holes!r} holes per side; holes are 1 to {MOST_HOLES}.")
    if type(beans) is not int or not 0 <= beans <= MOST_BEANS:
        with about("beans"):
            raise InvalidValue(f"A board cannot start with {beans!r} beans per hole; beans are 0 to {MOST_BEANS}.")
