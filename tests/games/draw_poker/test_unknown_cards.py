"""A game with a deck knows every card; a stored event with an unknown card cannot be read."""

import pytest

from pokersvc.core.codec import UnreadableEvent
from pokersvc.games.draw_poker import DRAW_POKER


@pytest.mark.parametrize("type_", ["HandDealt", "CardsDiscarded", "CardsDrawn"])
def test_no_card_of_a_deck_is_unknown(type_: str) -> None:
    with pytest.raises(UnreadableEvent):
        DRAW_POKER.codec.decode(type_, 1, '{"count":1,"seat":1}', '{"cards":["??"]}')
