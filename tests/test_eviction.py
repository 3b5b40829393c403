"""The cache in memory: limited by bytes, and not useless when more objects are used in turn than fit."""

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pokersvc.system.eviction import MOST_REMEMBERED, NEWCOMERS, SHARE, Eviction


class Kept:
    """Objects of a given size that are created again when missing from the cache."""

    def __init__(self, most: int, size: int = 1) -> None:
        self.eviction: Eviction[int] = Eviction(most)
        self.size = size
        self.there: set[int] = set()
        self.made: list[int] = []

    def use(self, *keys: int) -> "Kept":
        for key in keys:
            if key not in self.there:
                self.made.append(key)
                self.there.add(key)
            for other in self.eviction.used(key, self.size):
                self.there.remove(other)
        return self

    def again(self, keys: Iterable[int]) -> int:
        """Use the objects, and return how many were created again."""
        before = len(self.made)
        self.use(*keys)
        return len(self.made) - before


def test_nothing_is_forgotten_while_everything_fits() -> None:
    kept = Kept(1000).use(*range(1000))
    assert kept.again([*range(1000)] * 3) == 0


def test_with_one_more_than_fits_few_are_made_again() -> None:
    """Of those used in turn, the one unused for longest is the next; who forgot it would make each again."""
    kept = Kept(1000).use(*range(1001), *range(1001))
    assert kept.again(range(1001)) <= 1000 // SHARE + 2


def test_with_twice_as_many_as_fit_about_half_stay() -> None:
    kept = Kept(1000).use(*[*range(2000)] * 2)
    assert kept.again(range(2000)) <= 1000 + 1000 // SHARE + 2


def test_none_is_made_twice_within_a_burst_even_of_many_at_once() -> None:
    kept = Kept(200).use(*range(400))
    for first in range(0, 400, NEWCOMERS):
        burst = range(first, first + NEWCOMERS)
        assert kept.again([*burst] * 5) <= NEWCOMERS
    assert max(kept.made.count(key) for key in range(400)) <= 2


def test_in_an_order_of_chance_most_of_what_fits_is_there() -> None:
    random, kept = Random("orders"), Kept(500)
    keys = [*range(1000)]
    made = []
    for _ in range(20):
        random.shuffle(keys)
        made.append(kept.again(keys))
    assert sum(made[10:]) <= 10 * 700


def test_what_is_used_no_more_gives_its_place_to_what_is() -> None:
    kept = Kept(100).use(*range(100))
    new = range(1000, 1100)
    for _ in range(10):
        kept.use(*new)
    assert kept.again(new) <= 2 * NEWCOMERS


def test_what_has_grown_drives_others_out_and_what_has_shrunk_makes_room() -> None:
    eviction: Eviction[str] = Eviction(10)
    assert eviction.used("a", 4) == eviction.used("b", 4) == []
    assert eviction.used("b", 7) == ["a"]
    assert eviction.used("b", 2) == eviction.used("c", 8) == []
    assert eviction.bytes == 10
    eviction.gone("c")
    eviction.gone("c")
    assert eviction.bytes == 2


def test_what_alone_does_not_fit_stays_while_it_is_used() -> None:
    kept = Kept(10, size=50)
    assert kept.again([1] * 5) == 1
    assert kept.again([2, 2, 1, 1]) == 2


def test_what_was_forgotten_is_remembered_within_bounds() -> None:
    kept = Kept(10).use(*range(MOST_REMEMBERED + 100))
    assert len(kept.eviction._forgotten) == MOST_REMEMBERED


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=300), st.integers(1, 200))
def test_the_bytes_are_those_of_what_stays_and_never_too_many(uses: list[tuple[int, int]], most: int) -> None:
    eviction: Eviction[int] = Eviction(most)
    there: dict[int, int] = {}
    for key, size in uses:
        there[key] = size
        forgotten = eviction.used(key, size)
        assert key not in forgotten
        for other in forgotten:
            del there[other]
        assert eviction.bytes == sum(there.values())
        assert eviction.bytes <= most or list(there) == [key]
