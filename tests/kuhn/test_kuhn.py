"""Kuhn poker keeps the promises of a game."""

from pathlib import Path

from kuhn import KUHN

from pokersvc.testing import check_game


def test_kuhn_poker_keeps_the_promises_of_a_game() -> None:
    check_game(KUHN, schemas=Path(__file__).with_name("schemas"))
