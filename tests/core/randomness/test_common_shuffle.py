"""Common shuffles at a table: given events, then the seats' bindings and the awaited shares."""

from typing import Final

import pytest

from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.randomness.common_shuffle import Binding, Dealing, Span
from pokersvc.core.randomness.share_events import SeatBound, ShareMissed, ShareOpened, SharesAwaited
from pokersvc.core.tables.table_event import TableEvent

SIGNED: Final = bytes(64)


def link(number: int) -> bytes:
    return bytes([number]) * 32


def bound(seat: int, number: int, length: int = 3, *, renewed: bool = False) -> SeatBound:
    """The event that binds a seat to a key and a chain, both derived from a number."""
    return SeatBound(link(100 + number), length, SIGNED if renewed else None, seat, SIGNED, link(number))


def opened(seat: int, number: int) -> ShareOpened:
    return ShareOpened(seat, link(number), SIGNED)


def given(*events: TableEvent, sitting_out: tuple[int, ...] = ()) -> Dealing:
    dealing = Dealing(20)
    for event in events:
        dealing.apply(event, sitting_out)
    return dealing


def forgoing(dealing: Dealing) -> list[int]:
    return list(dealing.forgoing)


class TestBinding:
    def test_a_chain_counts_from_the_next_round_and_its_end_is_no_share(self) -> None:
        dealing = given(bound(1, 7, 3), SharesAwaited(1, (1,)), ShareMissed(1), bound(2, 8, 5))
        assert dealing.bindings[1] == Binding(link(107), 3, 1, link(7), 0, link(7))
        assert dealing.bindings[2] == Binding(link(108), 5, 2, link(8), 1, link(8))
        assert [dealing.bindings[seat].last for seat in (1, 2)] == [3, 6]

    def test_every_chain_is_remembered_by_its_seat_also_after_the_next(self) -> None:
        dealing = given(bound(1, 7), bound(2, 7), bound(1, 8), bound(1, 9, renewed=True))
        dealing.link_replaced(1)
        assert dealing.tips == {(1, link(7)), (2, link(7)), (1, link(8)), (1, link(9))}

    def test_a_key_without_the_signature_of_the_one_before_is_a_replacement(self) -> None:
        assert given(bound(1, 7)).replaced == {}
        assert given(bound(1, 7), bound(1, 8, renewed=True)).replaced == {}
        assert given(bound(1, 7), bound(1, 8), bound(2, 9)).replaced == {1: 1}
        assert given(bound(1, 7), bound(1, 8), bound(1, 9)).replaced == {1: 2}
        assert given(bound(1, 7), bound(1, 8)).keys == {1: link(108)}

    def test_a_new_link_ends_the_binding_and_keeps_the_key(self) -> None:
        dealing = given(bound(1, 7), bound(2, 8))
        dealing.link_replaced(1)
        assert list(dealing.bindings) == [2]
        assert dealing.keys == {1: link(107), 2: link(108)}
        dealing.apply(bound(1, 9), ())
        assert dealing.replaced == {1: 1}

    def test_whoever_takes_a_seat_renews_no_key(self) -> None:
        dealing = given(bound(1, 7))
        dealing.reseated(1, "Ann")
        dealing.apply(bound(1, 8), ())
        dealing.reseated(1, "Bob")
        assert dealing.replaced == {}
        assert dealing.former == {1: ["Ann", "Bob"]}
        assert (dealing.keys, dealing.bindings) == ({}, {})


class TestRound:
    def test_a_share_is_the_link_from_which_the_next_is_judged(self) -> None:
        events = (bound(1, 7), bound(2, 8), SharesAwaited(1, (1, 2)), opened(1, 6))
        dealing = given(*events)
        assert dealing.bindings[1] == Binding(link(107), 3, 1, link(7), 1, link(6))
        assert (dealing.waiting, dealing.complete) == ((2,), False)
        dealing.apply(opened(2, 5), ())
        assert (dealing.waiting, dealing.complete) == ((), True)
        assert dealing.awaited is not None
        assert dealing.awaited.shares == {1: link(6), 2: link(5)}

    def test_who_missed_and_who_sat_out_forgo_the_round_that_is_dealt(self) -> None:
        bindings = [bound(seat, seat) for seat in (1, 2, 3, 4)]
        dealing = given(*bindings, SharesAwaited(1, (2, 3)), opened(2, 9), ShareMissed(3), sitting_out=(4, 1, 2))
        assert forgoing(dealing) == []
        dealing.shuffled()
        assert forgoing(dealing) == [1, 3, 4]
        dealing.forgone(3)
        assert forgoing(dealing) == [1, 4]
        assert dealing.awaited is None
        dealing.apply(SharesAwaited(2, (2,)), (4, 1))
        assert forgoing(dealing) == []

    def test_a_round_without_any_share_is_not_played(self) -> None:
        before = (bound(1, 7), bound(2, 8), SharesAwaited(1, (1, 2)), ShareMissed(1))
        assert given(*before).unplayed == []
        assert given(*before, ShareMissed(2)).unplayed == [1]
        assert given(*before, ShareMissed(2)).awaited is None
        assert given(*before, opened(2, 9)).unplayed == []
        assert given(*before, opened(2, 9)).complete

    def test_the_rounds_of_a_seat_are_kept_as_spans(self) -> None:
        dealing = given(bound(1, 7, 9), bound(2, 8, 9))
        for number, missing in enumerate((0, 0, 1, 0, 2), 1):
            dealing.apply(SharesAwaited(number, (1, 2)), ())
            for seat in (1, 2):
                dealing.apply(ShareMissed(seat) if seat == missing else opened(seat, number), ())
            dealing.shuffled()
        assert dealing.part == {1: [Span(1, 2), Span(4, 5)], 2: [Span(1, 4)]}
        assert dealing.missed == {1: [3], 2: [5]}

    @pytest.mark.parametrize("event", [opened(1, 6), ShareMissed(1)])
    def test_a_share_that_is_not_awaited_is_impossible(self, event: TableEvent) -> None:
        for before in (
            (bound(1, 7),),
            (bound(1, 7), SharesAwaited(1, (2,))),
            (SharesAwaited(1, (1,)),),
            (bound(1, 7), bound(2, 8), SharesAwaited(1, (1, 2)), event),
        ):
            with pytest.raises(ImpossibleEvent, match="no share of seat 1 is awaited"):
                given(*before, event)
