"""A strategy's file: what is read is what was written, and anything else is refused in a sentence."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pokersvc.games.draw_poker.strategy import strategy_file
from pokersvc.games.draw_poker.strategy.best_response import Worth
from pokersvc.games.draw_poker.strategy.groups import Floats, Hands, bucket_of
from pokersvc.games.draw_poker.strategy.packed_strategy import PARTS, packed, rounded, unpacked
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import Strategy, filled
from pokersvc.games.draw_poker.strategy.strategy_file import InvalidStrategy, parsed
from pokersvc.games.draw_poker.strategy.tree import EDITIONS, LATEST, betting_tree

SPOT = Spot("fixed_limit", 0, 2)
HANDS = Hands(4, int(bucket_of().max()) + 1)


def some_strategy(spot: Spot = SPOT) -> Strategy:
    random = np.random.default_rng(1)

    def fill(shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        parts = random.random(shape)
        return np.asarray(parts / parts.sum(axis=0))

    return filled(spot, HANDS, fill)


def a_file() -> bytes:
    return strategy_file.written(some_strategy(), np.arange(HANDS.groups), 3, Worth(1.0, 2.0))


def test_what_is_read_is_what_was_written_and_rounded() -> None:
    stored = parsed(a_file(), "some")
    assert stored.strategy.spot == SPOT
    assert (stored.description.iterations, stored.description.exploitability) == (3, 2.0)
    for read, wrote in zip(stored.strategy.arrays(), rounded(some_strategy(), HANDS).arrays(), strict=True):
        assert np.array_equal(read, wrote)


def test_a_file_says_which_sizes_of_bets_its_tree_has() -> None:
    spot = Spot("no_limit", 0, 5)
    made = strategy_file.written(some_strategy(spot), np.arange(HANDS.groups), 3, Worth(1.0, 2.0))
    assert parsed(made, "some").strategy.root.actions == betting_tree(spot, EDITIONS[LATEST]).actions
    with pytest.raises(InvalidStrategy, match="too many probabilities"):
        parsed(made.replace(b"strategy %d" % LATEST, b"strategy 1", 1), "some")
    shipped = strategy_file.shipped(SPOT)
    assert shipped is not None
    assert shipped.edition == parsed(a_file(), "some").edition == 1  # the sizes of a fixed limit are the house's


def test_the_same_strategy_makes_the_same_bytes() -> None:
    assert a_file() == a_file()


many_choices = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=3, min_side=2, max_side=6), elements=st.floats(0, 1)
)


@given(many_choices)
def test_rounded_probabilities_are_near_add_up_to_1_and_keep_what_is_always_or_never_done(weights: Floats) -> None:
    chances = (weights + 1e-3) * (weights > 0.1)
    chances[0] += chances.sum(axis=0) == 0
    chances /= chances.sum(axis=0)
    found = unpacked(packed(chances))
    assert np.allclose(found.sum(axis=0), 1)
    assert (found >= -1e-12).all()
    assert (np.abs(found - chances) < 2 / PARTS).all()
    assert (np.abs(found) < 1e-12)[chances == 0].all()
    assert packed(found).tobytes() == packed(chances).tobytes(), "what was rounded stays as it is"


def test_many_hands_that_seldom_do_something_do_it_as_often_together() -> None:
    """A tenth of a unit each: none could do it alone, so one in ten does."""
    often = np.full(331, 0.1 / PARTS)
    found = unpacked(packed(np.array([1 - often, often])))
    assert abs(found[1].sum() - often.sum()) < 1 / PARTS
    assert np.count_nonzero(found[1]) == 33


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: b"", "is not a strategy of this version"),
        (
            lambda whole: whole.replace(b"strategy 1", b"strategy %d" % (LATEST + 1), 1),
            "is not a strategy of this version",
        ),
        (lambda whole: b"PK" + whole, "is not a strategy of this version"),
        (lambda whole: whole.replace(b'"spot"', b'"sport"'), "does not say what it is for"),
        (lambda whole: whole.replace(b"depth-2", b"depth-1"), "does not say what it is for"),
        (lambda whole: whole.replace(b"depth-2", b"depth-3"), "probabilities for its spot"),
        (lambda whole: whole.replace(b'"keys":[0,', b'"keys":['), "probabilities for its spot"),
        (lambda whole: whole[:-20], "is damaged"),
        (lambda whole: whole[:-20] + bytes(20), "is damaged"),
        (lambda whole: whole.partition(b"}\n")[0] + b"}\n", "is damaged"),
        (lambda whole: whole + bytes(strategy_file.MOST_BYTES), "is too large"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(damage: object, said: str) -> None:
    assert callable(damage)
    with pytest.raises(InvalidStrategy) as refused:
        parsed(damage(a_file()), "some.strategy")
    assert said in str(refused.value)
    assert "some.strategy" in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("name", ["nothing.strategy", "."])
def test_a_path_without_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidStrategy, match=r"cannot be read: .*\."):
        strategy_file.read(tmp_path / name)


def test_every_strategy_of_the_package_can_be_read_and_is_close_to_perfect() -> None:
    """Within 5 thousandths of a big blind a hand at a fixed limit, 20 at no-limit, as its file says.

    At the table only the parts that a choice needs are unpacked, so this is where each whole file is checked.
    """
    folder = Path(strategy_file.__file__).parent / "files"
    spots = strategy_file.shipped_spots()
    assert spots
    for spot in spots:
        stored = strategy_file.read(folder / (spot.name + strategy_file.ENDING))
        assert stored.strategy.spot == spot
        assert stored.description.exploitability < (5 if spot.limit == "fixed_limit" else 20)
