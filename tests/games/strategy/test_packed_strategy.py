"""A strategy as bytes: what is looked up is what all numbers say, and only the parts that are needed are unpacked."""

import lzma
import tracemalloc
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from pokersvc.cards import Card, parse_cards
from pokersvc.games.draw_poker.strategy import strategy_file
from pokersvc.games.draw_poker.strategy.groups import DRAWS, group_of, group_of_hand, groups
from pokersvc.games.draw_poker.strategy.packed_strategy import PackedStrategy, parts_of, sizes_of
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy_file import InvalidStrategy, Stored, parsed, shipped
from pokersvc.games.draw_poker.strategy.tree import ends_of, nodes_of

from .test_strategy_file import HANDS, SPOT, a_file, some_strategy

SPOTS = (Spot("fixed_limit", 0, 3), Spot("no_limit", 0, 6), Spot("pot_limit", 0, 6))


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.name)
def test_a_choice_is_looked_up_as_it_stands_among_all_numbers_exactly(spot: Spot) -> None:
    stored = of_package(spot)
    packed, whole = stored.played, stored.strategy
    numbers = np.arange(len(stored.keys))
    for node, chances in whole.first.items():
        assert np.array_equal(packed.first_betting(node, numbers), chances)
        assert all(np.array_equal(packed.first_betting(node, group), chances[:, group]) for group in range(0, 99, 7))
    for end, after in whole.after.items():
        assert np.array_equal(packed.draw(end, None, numbers), after.blind)
        assert np.array_equal(packed.draw(end, None, 5), after.blind[:, 5])
        assert np.array_equal(packed.draw(end, 3, 5), after.button[:, 3, 5])
        for node, chances in after.nodes.items():
            buckets = np.arange(chances.shape[-1])
            for drawn in np.ndindex(DRAWS, DRAWS):
                assert np.array_equal(packed.final_betting(end, node, drawn, buckets), chances[:, *drawn])
                assert np.array_equal(packed.final_betting(end, node, drawn, 9), chances[:, *drawn, 9])


def test_only_the_parts_that_a_choice_needs_are_unpacked_and_each_once() -> None:
    strategy, asked = some_strategy(), []
    parts = [*parts_of(strategy)]

    def part(number: int) -> bytes:
        asked.append(number)
        return parts[number]

    packed = PackedStrategy(SPOT, strategy.root, HANDS, part)
    for node in nodes_of(strategy.root):
        packed.first_betting(node, 0)
    assert asked == [0]
    first, second, *_ = strategy.after
    packed.draw(second, None, 1)
    packed.draw(second, 2, 1)
    packed.draw(first, None, 1)
    assert asked == [0, 2, 1]
    assert [*map(len, parts)] == sizes_of(strategy.root, HANDS)


def test_a_file_of_the_package_is_read_as_far_as_a_choice_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "files").mkdir()
    line, said, rest = a_file().split(b"\n", 2)
    (tmp_path / "files" / f"{SPOT.name}.strategy").write_bytes(b"\n".join((line, said, rest[:-1] + b"x")))
    monkeypatch.setattr(strategy_file, "files", lambda _: tmp_path)
    stored = of_package(SPOT)
    whole = some_strategy()
    assert np.abs(stored.played.first_betting(stored.played.root, 0) - whole.first[whole.root][:, 0]).max() < 0.01
    with pytest.raises(InvalidStrategy, match=f"{SPOT.name} is damaged"):
        list(stored.strategy.arrays())
    with pytest.raises(InvalidStrategy, match="is damaged"):
        strategy_file.read(tmp_path / "files" / f"{SPOT.name}.strategy")


def test_a_file_whose_parts_are_compressed_together_is_read_as_before() -> None:
    line, said, _ = a_file().split(b"\n", 2)
    assert line == b"pokersvc strategy 1 in parts"
    whole = b"".join(parts_of(some_strategy()))
    assert sha256(whole).hexdigest().encode() in said
    earlier = said.replace(said[said.index(b'"lengths"') : said.index(b'"sha256"')], b"")
    read = parsed(b"\n".join((line.removesuffix(b" in parts"), earlier, lzma.compress(whole))), "earlier")
    for mine, theirs in zip(read.strategy.arrays(), parsed(a_file(), "now").strategy.arrays(), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_strategy_that_is_played_takes_less_memory_than_its_numbers() -> None:
    spot = Spot("no_limit", 0, 100)
    of_package(Spot("no_limit", 0, 2))  # what all strategies need is made
    tracemalloc.start()
    stored = of_package(spot)
    assert isinstance(stored.played, PackedStrategy)
    for end in ends_of(stored.played.root):  # all of its parts
        stored.played.draw(end, None, 0)
    stored.played.first_betting(stored.played.root, 0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < sum(array.nbytes for array in stored.strategy.arrays()) / 4


def of_package(spot: Spot) -> Stored:
    """Return a strategy that comes with the package."""
    stored = shipped(spot)
    assert stored is not None
    return stored


def test_one_deal_is_in_the_same_group_as_among_many() -> None:
    random, keys = np.random.default_rng(3), groups().keys
    deals = np.array([random.choice(52, 5, replace=False) for _ in range(3000)])
    assert [group_of_hand([Card.of(int(card)) for card in deal], keys) for deal in deals] == [*group_of(deals, keys)]


def test_high_cards_that_one_face_completes_to_a_straight_have_a_number_of_their_own() -> None:
    """Files name their groups by these numbers, so they keep their meaning."""
    keys = groups().keys
    jack, none = [keys[group_of_hand(parse_cards(hand), keys)] for hand in ("KS QH 10D 9S 2C", "KS QH 8D 6S 2C")]
    assert jack == none + 1024
