"""The new events since an earlier record, compared with lists that keep all events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.record import ROUNDS, Extent, GameRecord, Round, Seen, extend

Rounds = list[list[int]]


def happened(rounds: Rounds) -> GameRecord[int]:
    """Return a record of numbered events, round by round."""
    found: GameRecord[int] = GameRecord()
    extend(found, rounds)
    return found


def seen(rounds: Rounds) -> Seen[int]:
    return happened(rounds).seen(AUDITOR)


def numbered(lengths: list[int]) -> Rounds:
    """Rounds of these lengths, with the events numbered from 0."""
    rounds: Rounds = []
    for length in lengths:
        first = sum(map(len, rounds))
        rounds.append(list(range(first, first + length)))
    return rounds


LENGTHS = st.lists(st.integers(0, 3), min_size=1, max_size=6)


@given(LENGTHS, st.data())
def test_what_is_new_continues_what_was_there(lengths: list[int], data: st.DataObject) -> None:
    rounds = numbered(lengths)
    at = data.draw(st.integers(0, len(rounds) - 1))
    events = data.draw(st.integers(0, len(rounds[at])))
    before = [*rounds[:at], rounds[at][:events]]
    assert seen(before).extent == Extent(at, events)
    news = seen(rounds).since(Extent(at, events))
    assert news == [tuple(rounds[at][events:]), *map(tuple, rounds[at + 1 :])]
    again = happened(before)
    extend(again, news)
    assert again == happened(rounds)


@given(LENGTHS)
def test_since_the_start_everything_is_new(lengths: list[int]) -> None:
    rounds = numbered(lengths)
    assert seen(rounds).since(Extent(0, 0)) == seen(rounds).all() == [tuple(one) for one in rounds]


@given(LENGTHS)
def test_nothing_goes_on_from_what_is_further(lengths: list[int]) -> None:
    rounds = numbered(lengths)
    here, record = seen(rounds).extent, seen(rounds)
    assert record.since(here) == [()]
    assert record.since(here._replace(events=here.events + 1)) is None
    assert record.since(Extent(here.rounds + 1, 0)) is None


def test_what_was_forgotten_is_not_told_as_if_nothing_had_been() -> None:
    record = seen([[number] for number in range(ROUNDS + 11)])
    assert record.extent == Extent(ROUNDS + 10, 1)
    kept = record.since(Extent(10, 0))
    assert kept is not None
    assert (kept[0], len(kept)) == ((10,), ROUNDS + 1)
    assert record.since(Extent(9, 1)) is None
    assert record.since(Extent(0, 0)) is None


@pytest.mark.parametrize("count", range(8))
def test_the_last_events_are_the_last_ones_the_oldest_first(count: int) -> None:
    record = seen([[0, 1], [], [2], [3, 4]])
    assert record.last(count) == [0, 1, 2, 3, 4][max(0, 5 - count) :]


def test_no_more_rounds_are_read_than_the_last_events_are_in() -> None:
    read: list[int] = []

    class Noted(Round[int]):
        def seen(self, viewer: Viewer) -> tuple[int, ...]:
            read.append(self.items[0])
            return super().seen(viewer)

    game = happened([[0], [1, 2], [3], [4]])
    game.rounds[:] = [Noted(kept.items) for kept in game.rounds]
    assert game.seen(AUDITOR).last(2) == [3, 4]
    assert read == [3]
