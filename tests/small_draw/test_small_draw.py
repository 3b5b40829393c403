"""The draw of two-card hands keeps the promises of a game."""

from pathlib import Path

from small_draw import SMALL_DRAW

from pokersvc.testing import check_game


def test_the_draw_of_two_card_hands_keeps_the_promises_of_a_game() -> None:
    check_game(SMALL_DRAW, seeds=range(8), schemas=Path(__file__).with_name("schemas"))
