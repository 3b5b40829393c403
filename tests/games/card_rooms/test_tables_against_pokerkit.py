"""Hands with unequal stacks, antes, blinds, straddles and all-ins against PokerKit, compared to the chip.

The stacks, the numbers of the seats, the button and the straddle are data of the start here, not set from outside.
What PokerKit has differently is named and counted as in `test_against_pokerkit`. Extra blinds and dead money it cannot
order, so no hand has them.
"""

import pytest

from .rooms import HOUSES
from .test_against_pokerkit import compare

pytestmark = pytest.mark.no_cover

every_house = pytest.mark.parametrize("name", HOUSES)


@every_house
@pytest.mark.parametrize("players", [2, 6])
def test_the_same_hands_at_a_table_of_its_own(name: str, players: int) -> None:
    compare(name, players, 25, "table", at_table=True)


@pytest.mark.slow
@every_house
@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("hands", [120, pytest.param(3750, marks=pytest.mark.exhaustive)])
def test_many_hands_at_tables_of_their_own(name: str, players: int, hands: int) -> None:
    """101,250 hands in the exhaustive run."""
    compare(name, players, hands, "tables", at_table=True)
