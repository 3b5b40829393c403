"""The books of draw poker agree with the state at every event, and their pages add up."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from pokersvc.betting.seats import seats_in
from pokersvc.core.books import LedgerPage, Mismatch, NoBooks
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.books import COLUMNS, DrawPokerBooks
from pokersvc.games.draw_poker.house.playable import LIMITS

from ..houses.plans import Later, any_rules, plans_of
from .played import Plan, Played, play
from .test_properties import CARRIES, CARRIES_LAST

ANY_GAME = plans_of(any_rules(), most_rounds=3)


def pages_of(plan: Plan) -> list[LedgerPage]:
    game = Played(plan)
    books, pages = DRAW_POKER.books(game.started), []
    for event in game.steps():
        assert list(books.post(event)) == []
        if (page := books.ledger_page()) is not None:
            pages.append(page)
    return pages


@given(ANY_GAME)
@settings(max_examples=25)
def test_books_and_state_are_the_same_at_every_event(plan: Plan) -> None:
    books_and_state_are_the_same(plan)


def books_and_state_are_the_same(plan: Plan) -> None:
    game = Played(plan)
    books = DRAW_POKER.books(game.started)
    for event in game.steps():
        assert list(books.post(event)) == []
        assert list(books.compare(game.state)) == []
        assert sum(books.stacks) + books.pot == books.all_chips


@pytest.mark.slow
@pytest.mark.parametrize("games", [300, pytest.param(2000, marks=pytest.mark.exhaustive)])
def test_books_and_state_are_the_same_in_hundreds_of_games(games: int) -> None:
    settings(max_examples=games)(given(ANY_GAME)(books_and_state_are_the_same))()


@given(plans_of(any_rules(LIMITS), most_rounds=3))
@settings(max_examples=40)
def test_pots_are_the_same_by_two_accounts_also_with_chips_carried_into_side_pots(plan: Plan) -> None:
    game = Later(plan)
    books = DRAW_POKER.books(game.started)
    books.stacks, books.pot, books.carried = list(game.state.stacks), game.state.pot, game.state.pot
    for event in game.steps():
        assert list(books.post(event)) == []
        if isinstance(event, events.PotAwarded) and event.reason != "game_end":
            assert books.pots is not None
            assert [pot.chips for pot in books.pots] == [pot.amount for pot in game.state.pots]
            assert [pot.seats for pot in books.pots] == [set(seats_in(pot.eligible)) for pot in game.state.pots]


@given(ANY_GAME)
@settings(max_examples=20)
def test_a_page_adds_up_across_and_down(plan: Plan) -> None:
    *rounds, whole = pages_of(plan)
    for page in rounds:
        assert page.columns == COLUMNS
        *rows, (_, together) = page.rows
        for _, (put, returned, staked, paid, net) in rows:
            assert staked is not None
            assert paid is not None
            assert net == paid - staked or put is None
            assert put is None or put - (returned or 0) == staked
        assert together == tuple(sum(row[at] or 0 for _, row in rows) for at in range(len(COLUMNS)))
        assert together[2] == together[3], "what is in pots is paid or carried"
        assert together[4] == 0
    for _, (began, _put, _returned, _staked, _paid, net, has) in whole.rows:
        assert began is not None
        assert net is not None
        assert has == began + net


def test_what_is_carried_is_a_row_of_its_own() -> None:
    first, second, *_ = pages_of(CARRIES)
    (carried,) = [row for name, row in first.rows if name == "carried"]
    assert carried == (None, None, 0, 1, 1)
    assert ("carried", (None, None, 1, 0, -1)) in second.rows


def test_what_is_carried_at_the_end_is_paid_in_the_page_of_the_game() -> None:
    *_, whole = pages_of(CARRIES_LAST)
    assert sum(row[-1] or 0 for _, row in whole.rows[:-1]) == 3000


# What does not add up. Each is a game in which one event says something else.


def wrong(plan: Plan, type_: type[Any], change: Callable[[Any], Any]) -> list[Mismatch]:
    """Keep the books up to the first event of a type, changed; return the mismatches at that event."""
    started, happened = play(plan)
    books = DrawPokerBooks(started)
    for event in happened:
        if isinstance(event, type_):
            return list(books.post(change(event)))
        assert list(books.post(event)) == []
    raise AssertionError(f"no {type_.__name__}")


def test_a_remainder_is_what_did_not_divide() -> None:
    (found,) = wrong(CARRIES, events.RemainderCarried, lambda event: events.RemainderCarried(2))
    assert found == Mismatch("2 carried", "1, which did not divide")


def test_pots_are_awarded_in_turn_and_to_who_may_win_them() -> None:
    (number,) = wrong(CARRIES, events.PotAwarded, lambda event: replace(event, pot=2))
    assert number == Mismatch("pot 2 awarded", "pot 1")
    shares = (events.Share(100, 1), events.Share(100, 2))
    found = wrong(CARRIES, events.PotAwarded, lambda event: replace(event, shares=shares))
    assert any("paid from pot 1" in mismatch.found for mismatch in found)


def test_only_who_holds_a_hand_is_paid() -> None:
    def to_another(event: events.PotAwarded) -> events.PotAwarded:
        return replace(event, shares=tuple(replace(share, seat=9) for share in event.shares))

    started, happened = play(CARRIES)
    books = DrawPokerBooks(started)
    books.stacks += [0] * 9
    books.names += ("Nobody",) * 9
    for event in happened:
        if isinstance(event, events.PotAwarded):
            books.sums.paid += [0] * 9
            found = list(books.post(to_another(event)))
            assert found[0].found == "a share of pot 1 for Nobody"
            assert found[0].expected.startswith("shares for Player")
            return
        books.post(event)


def test_a_round_does_not_end_before_its_pot_is_paid() -> None:
    found = wrong(CARRIES, events.PotAwarded, lambda event: events.RoundEnded(1))
    assert found[0].expected.startswith("the award of the ")


def test_a_remainder_is_not_forgotten() -> None:
    (first, *_) = wrong(CARRIES, events.RemainderCarried, lambda event: events.RoundEnded(1))
    assert first == Mismatch("the end of the round", "1 carried, which did not divide")


def test_nobody_puts_in_more_than_they_have() -> None:
    (found,) = wrong(CARRIES, events.AntePosted, lambda event: replace(event, amount=2000))
    assert found == Mismatch("2000 put in by Player1", "at most the stack, 1000")


def test_a_game_does_not_end_with_chips_in_the_pot() -> None:
    end = events.GameEnded("rounds", (995, 1000, 1000), (2, 3))
    started, (round_, ante, *_) = play(CARRIES)
    books = DrawPokerBooks(started)
    assert [mismatch for event in (round_, ante, end) for mismatch in books.post(event)] == [
        Mismatch("5 in the pot at the end of the game", "nothing, all is paid")
    ]


def test_the_rules_of_the_house_say_whether_anything_is_left_over() -> None:
    started, happened = play(CARRIES)
    books = DrawPokerBooks(replace(started, rules=CARRIES.rules.model_copy(update={"remainder": "odd_chips"})))
    found = [mismatch for event in happened for mismatch in books.post(event)]
    assert any(mismatch.found.endswith("paid from pot 1") for mismatch in found)


def test_a_game_that_counts_nothing_has_empty_books() -> None:
    books = NoBooks()
    assert (list(books.post(Event())), list(books.compare(object())), books.ledger_page()) == ([], [], None)
