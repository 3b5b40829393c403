"""Arrays of hands have the same strengths as single hands, whatever the type of the arrays."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import CARDS, InvalidHand, strength
from pokersvc.cards.arrays import CHUNK, strengths
from tests.cards.every_hand import every_hand, every_strength

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i2", ">u8", "<i4"]

hands = st.permutations(range(52)).map(lambda order: order[:5])
rows = st.lists(hands, min_size=1, max_size=20)


@pytest.mark.slow
def test_every_hand_is_as_strong_as_in_plain_python() -> None:
    found = strengths(every_hand())
    assert found.dtype == np.uint16
    assert np.array_equal(found, every_strength())


@given(rows)
def test_the_order_of_cards_and_hands_does_not_matter(drawn: list[list[int]]) -> None:
    assert strengths(drawn).tolist() == [strength([CARDS[card] for card in hand]) for hand in drawn]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_any_integers_will_do(dtype: str) -> None:
    drawn = every_hand()[:: 2_598_960 // 1000]
    assert np.array_equal(strengths(drawn.astype(dtype)), every_strength()[:: 2_598_960 // 1000])


def test_any_layout_in_memory_will_do() -> None:
    drawn = every_hand()[::997].astype(np.int32)
    found = strengths(drawn)
    wide = np.zeros((len(drawn), 10), np.int32)
    wide[:, ::2] = drawn
    read_only = drawn.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(drawn), wide[:, ::2], drawn[::-1][::-1], read_only, drawn.tolist()):
        assert np.array_equal(strengths(same), found)
    assert np.array_equal(strengths(drawn[:, ::-1]), found)
    assert np.array_equal(strengths(drawn[::-1]), found[::-1])


@pytest.mark.parametrize("count", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_there_may_be_any_number_of_hands(count: int) -> None:
    found = strengths(every_hand()[:count])
    assert found.shape == (count,)
    assert found.dtype == np.uint16
    assert np.array_equal(found, every_strength()[:count])


def test_hands_are_left_as_they_were() -> None:
    given_hands = np.array([[48, 49, 37, 5, 0]])
    strengths(given_hands)
    assert given_hands.tolist() == [[48, 49, 37, 5, 0]]


@pytest.mark.parametrize("shape", [(), (5,), (0,), (3, 4), (3, 6), (0, 4), (2, 3, 5), (5, 0)])
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidHand) as refused:
        strengths(np.zeros(shape, int))
    assert str(refused.value) == f"Hands are an array of shape (n, 5), not {shape}."


@pytest.mark.parametrize("dtype", ["float64", "float16", "bool", "complex128", "object", "U2", "S1", "datetime64[D]"])
def test_what_are_no_integers_is_refused(dtype: str) -> None:
    with pytest.raises(InvalidHand, match=r"^Hands are arrays of whole numbers, not of "):
        strengths(np.array([[0, 1, 2, 3, 4]]).astype(dtype))


def test_hands_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidHand, match=r"^Hands are an array of shape \(n, 5\), not \(2,\)"):
        strengths([[0, 1, 2, 3, 4], [0, 1]])


@pytest.mark.parametrize(
    ("number", "dtype"),
    [
        (-1, "int8"),
        (-128, "int8"),
        (52, "uint8"),
        (255, "uint8"),
        (256, "int64"),
        (52 + 2**32, "int64"),
        (-(2**63), "int64"),
        (2**64 - 1, "uint64"),
        (2**63, ">u8"),
    ],
)
def test_a_number_that_is_no_card_is_refused(number: int, dtype: str) -> None:
    drawn = np.tile(np.arange(5), (3, 1)).astype(dtype)
    drawn[1, 2] = number
    with pytest.raises(InvalidHand) as refused:
        strengths(drawn)
    assert str(refused.value) == f"{number} is not the number of a card: those are 0 to 51."
    assert refused.value.code == "invalid_hand"


def test_a_number_of_any_size_is_refused() -> None:
    with pytest.raises(InvalidHand, match="whole numbers"):
        strengths([[0, 1, 2, 3, 2**70]])


@given(rows, st.data())
def test_a_card_twice_is_refused_wherever_it_is(drawn: list[list[int]], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(drawn) - 1))
    place, other = data.draw(st.permutations(range(5)))[:2]
    drawn = [list(hand) for hand in drawn]
    drawn[row][place] = drawn[row][other]
    with pytest.raises(InvalidHand) as refused:
        strengths(drawn)
    assert str(refused.value) == f"Hand {row} has a card twice: {drawn[row]}; its five cards must differ."


def test_of_several_wrong_hands_the_first_is_named() -> None:
    drawn = every_hand()[: 2 * CHUNK].copy()
    drawn[CHUNK + 7, 3] = drawn[CHUNK + 7, 4]
    drawn[CHUNK + 5, 0] = drawn[CHUNK + 5, 1]
    with pytest.raises(InvalidHand, match=f"^Hand {CHUNK + 5} has a card twice"):
        strengths(drawn)


def test_tables_are_made_at_the_first_use() -> None:
    program = (
        "from pokersvc.cards import arrays;"
        "assert not arrays.tables.cache_info().currsize;"
        "arrays.strengths([[48, 49, 37, 5, 0]]);"
        "assert arrays.tables.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
