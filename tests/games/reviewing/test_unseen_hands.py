"""The samples of the others' hands: no card is in two hands, also where the deck runs out."""

import numpy as np
import pytest

from pokersvc.games.draw_poker.reviewing import unseen_hands
from pokersvc.games.draw_poker.reviewing.unseen_hands import GONE, UnseenHands, redrawn


def test_a_folded_hand_is_dealt_again_when_the_deck_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ten at the table two cards are left, so who draws five gets three of those that were folded."""
    monkeypatch.setattr(unseen_hands, "SAMPLES", 50)
    random = np.random.default_rng(1)
    unseen = UnseenHands(np.arange(5), range(2, 11), random)
    folded = unseen.hands[2]
    unseen.folded(2)
    assert 2 not in unseen.hands
    assert (np.take_along_axis(unseen.places, folded, axis=1) == GONE).all()
    drawn = redrawn(unseen.hands[3], np.full(50, 31, np.uint8), unseen.places, random.random((50, 52)))
    others = np.concatenate([hands for seat, hands in unseen.hands.items() if seat != 3], axis=1)
    for new, held, old in zip(drawn, others, folded, strict=True):
        assert not {*new} & {*unseen.own, *held}
        assert len({*new} & {*old}) == 3
