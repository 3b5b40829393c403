"""The chip race: whole chips for all who are in, nobody out by it, and no chips from nowhere."""

from hypothesis import assume, given
from hypothesis import strategies as st

from pokersvc.betting.chip_race import is_due, raced_off
from pokersvc.betting.seats import has

CHIPS = st.integers(2, 60)
TABLES = st.lists(st.integers(0, 500), min_size=2, max_size=10).flatmap(
    lambda stacks: st.tuples(st.just([0, *stacks]), st.integers(1, 2 ** len(stacks) - 1).map(lambda seats: seats << 1))
)


@given(TABLES, CHIPS)
def test_all_who_are_in_have_whole_chips_near_to_what_they_had(table: tuple[list[int], int], chip: int) -> None:
    stacks, seated = table
    after = raced_off(stacks, seated, chip)
    for seat, (had, now) in enumerate(zip(stacks, after, strict=True)):
        if not has(seated, seat):
            assert now == had, "who is out has no part in it"
            continue
        assert now % chip == 0
        assert abs(now - had) < chip
        assert bool(now) == bool(had), "nobody is raced out of play, and nobody comes in by it"


@given(TABLES, CHIPS)
def test_who_had_more_odd_chips_never_loses_where_one_with_fewer_wins(table: tuple[list[int], int], chip: int) -> None:
    stacks, seated = table
    after = raced_off(stacks, seated, chip)
    racing = [seat for seat in range(1, len(stacks)) if has(seated, seat) and stacks[seat] >= chip]
    won = [stacks[seat] % chip for seat in racing if after[seat] > stacks[seat]]
    lost = [stacks[seat] % chip for seat in racing if after[seat] < stacks[seat]]
    assert not won or not lost or min(won) >= max(lost)


@given(TABLES, CHIPS)
def test_what_leaves_play_is_less_than_a_chip_and_what_comes_is_for_who_would_be_out(
    table: tuple[list[int], int], chip: int
) -> None:
    stacks, seated = table
    after = raced_off(stacks, seated, chip)
    more = sum(after) - sum(stacks)
    assert more > -chip
    saved = sum(chip - had for seat, had in enumerate(stacks) if has(seated, seat) and 0 < had < chip)
    assert more <= max(saved, 0)
    if all(had >= chip for seat, had in enumerate(stacks) if has(seated, seat)):
        assert more <= 0


@given(TABLES, CHIPS)
def test_after_a_race_none_is_due(table: tuple[list[int], int], chip: int) -> None:
    stacks, seated = table
    assume(is_due(stacks, seated, chip))
    assert not is_due(raced_off(stacks, seated, chip), seated, chip)


def test_none_is_due_for_the_last_one_in() -> None:
    assert is_due([0, 7, 13, 0], 0b1110, 5)
    assert not is_due([0, 7, 0, 0], 0b1110, 5), "the game is over"
    assert not is_due([0, 5, 13, 10], 0b1010, 5), "who is out has odd chips"
