"""Each player's chips put in, from the statements, and the price of a call."""

import pytest

from pokersvc.histories.contributions import Contributions
from pokersvc.histories.hand import HistoryPlayer
from pokersvc.histories.statements import Posted, PostKind

THREE = [HistoryPlayer(line=1, name=name, number=number, stack=100) for number, name in enumerate(("Ann", "Bob", "Cy"))]


@pytest.mark.parametrize(
    ("posts", "price"),
    [
        ([("Ann", 1, "small")], 1),
        ([("Ann", 1, "small"), ("Bob", 2, "big")], 2),
        ([("Ann", 1, "small"), ("Bob", 1, "big")], 2),  # a short big blind counts in full
        ([("Ann", 1, "small"), ("Bob", 2, "big"), ("Cy", 3, "straddle")], 4),  # and so does a short straddle
        ([("Cy", 2, "extra")], 2),
    ],
)
def test_the_price_is_what_the_blinds_ask(posts: list[tuple[str, int, PostKind]], price: int) -> None:
    put_in = Contributions(THREE, big_blind=2, straddle=4)
    for name, amount, kind in posts:
        put_in.take(Posted(name=name, amount=amount, kind=kind, line=1))
    assert put_in.price == price


def test_a_straddle_without_a_size_is_what_is_put_in() -> None:
    put_in = Contributions(THREE, big_blind=2)
    put_in.take(Posted(name="Bob", amount=2, kind="big", line=1))
    put_in.take(Posted(name="Cy", amount=5, kind="straddle", line=2))
    assert put_in.price == 5
