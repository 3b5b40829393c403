"""Who shows first, who may muck, and how a pot is shared."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.event import EVERYONE, Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold, Raise
from pokersvc.games.draw_poker.events import HandMucked, HandShown, PotAwarded, Share

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, happened
from .rooms import drawn, final, on, opened, passed

JACKS, JACKS_TOO, JACKS_THREE = "JH AD 8C 6S 3C", "JD AH 8D 6H 3D", "JC AS 8H 6C 3H"
"""Three hands of equal strength."""


def shown(game: Scenario) -> list[tuple[str, int]]:
    on(game)
    return [(type(event).__name__, event.seat) for event in _shown(game)]


def _shown(game: Scenario) -> list[HandShown | HandMucked]:
    return [event for event in game.log if isinstance(event, HandShown | HandMucked)]


def awarded(game: Scenario) -> list[Event]:
    on(game)
    return happened(game.log, PotAwarded)


# The order.


def test_the_last_aggressor_of_the_final_betting_shows_first() -> None:
    game = final("no-limit", 3, KINGS, QUEENS, ACES).given(Bet(2, 4), Raise(3, 8), Call(1), Call(2))
    assert shown(game)[0] == ("HandShown", 3)


def test_then_clockwise() -> None:
    game = final("no-limit", 4, ACES, KINGS, NOTHING, QUEENS).given(Check(2), Bet(3, 4), Call(4), Call(1), Call(2))
    assert [seat for _, seat in shown(game)] == [3, 4, 1, 2]


def test_without_an_aggressor_the_first_player_left_of_the_button() -> None:
    game = passed(final("no-limit", 3, ACES, KINGS, QUEENS, button=2))
    assert [seat for _, seat in shown(game)] == [3, 1, 2]


def test_the_aggressor_of_the_first_betting_does_not_count() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS).given(Raise(1, 10), Call(2), Call(3))
    assert [seat for _, seat in shown(passed(drawn(game)))] == [2, 3, 1]


def test_folded_players_are_passed_over() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS).given(Call(1), Fold(2), Check(3))
    assert [seat for _, seat in shown(passed(drawn(game)))] == [3, 1]


# Showing and mucking.


def test_a_hand_that_beats_the_best_so_far_is_shown_and_a_beaten_one_mucked() -> None:
    game = passed(final("no-limit", 4, ACES, QUEENS, NOTHING, KINGS))
    assert shown(game) == [("HandShown", 2), ("HandMucked", 3), ("HandShown", 4), ("HandShown", 1)]


def test_a_hand_that_ties_the_best_so_far_is_shown() -> None:
    game = passed(final("no-limit", 2, JACKS, JACKS_TOO))
    assert shown(game) == [("HandShown", 2), ("HandShown", 1)]


def test_a_mucked_hand_has_no_faces_and_stays_hidden() -> None:
    game = passed(final("no-limit", 2, NOTHING, ACES))
    on(game)
    assert HandMucked(1) in game.log
    assert game.view(EVERYONE).seat(1).cards == (None,) * 5
    assert game.view(EVERYONE).seat(2).cards == parse_cards(ACES)


def test_with_anyone_all_in_all_hands_are_shown() -> None:
    game = opened("no-limit", 3, NOTHING, ACES, KINGS, stacks=(200, 2, 200)).given(Call(1), Call(2), Check(3))
    assert shown(passed(drawn(game))) == [("HandShown", 2), ("HandShown", 3), ("HandShown", 1)]


def test_all_hands_are_shown_too_when_the_all_in_came_in_the_final_betting() -> None:
    game = final("no-limit", 3, NOTHING, ACES, KINGS, stacks=(200, 10, 200)).given(Bet(2, 8), Call(3), Call(1))
    assert shown(game) == [("HandShown", 2), ("HandShown", 3), ("HandShown", 1)]


def test_an_all_in_that_came_back_whole_is_no_all_in() -> None:
    # Seat 2 bet its stack, but seat 3 called with fewer chips: seat 3 is all-in, so all is shown.
    called = final("no-limit", 2, NOTHING, ACES, stacks=(10, 200)).given(Bet(2, 198), Call(1))
    assert shown(called) == [("HandShown", 2), ("HandShown", 1)]


def test_a_folded_hand_is_neither_shown_nor_mucked() -> None:
    game = final("no-limit", 3, ACES, KINGS, QUEENS).given(Bet(2, 4), Fold(3), Call(1))
    assert [seat for _, seat in shown(game)] == [2, 1]


def test_the_last_player_in_shows_nothing() -> None:
    game = final("no-limit", 3).given(Bet(2, 4), Fold(3), Fold(1))
    assert shown(game) == []


# Sharing.


def test_equal_hands_share() -> None:
    game = passed(final("no-limit", 2, JACKS, JACKS_TOO))
    assert awarded(game) == [PotAwarded(1, "showdown", (Share(2, 1), Share(2, 2)))]


@pytest.mark.parametrize(("button", "lucky"), [(1, (2, 3)), (2, (3, 1)), (5, (1, 2))])
def test_odd_chips_go_one_each_to_the_winners_from_the_left_of_the_button(button: int, lucky: tuple[int, int]) -> None:
    # Seats 1, 2 and 3 tie; seat 4 leaves 2 chips in the pot, seat 5 none: a pot of 17.
    game = opened("no-limit", 5, JACKS, JACKS_TOO, JACKS_THREE, NOTHING, "QC TD 5H 4H 2C", button=button)
    while game.view().stage == "first betting" and (seat := game.to_act) is not None:
        game.given(Fold(5) if seat == 5 else Call(seat) if game.legal.call else Check(seat))
    assert drawn(game).to_act == lucky[0]
    game.given(Bet(lucky[0], 3))
    while (seat := game.to_act) is not None:
        game.given(Fold(4) if seat == 4 else Call(seat))
    assert awarded(game) == [
        PotAwarded(1, "showdown", tuple(Share(6 if seat in lucky else 5, seat) for seat in (1, 2, 3)))
    ]


def test_the_odd_chips_of_each_pot_are_its_own() -> None:
    # Seats 1 and 2 tie for a main pot of 11 (3 × 3, and 2 of the folded big blind) and for a side pot of 5.
    game = opened("no-limit", 4, JACKS, JACKS_TOO, "QC TD 5H 4H 2C", NOTHING, stacks=(200, 200, 200, 3), button=1)
    game.given(Raise(4, 3), Call(1), Call(2), Fold(3))
    drawn(game).given(Bet(2, 5), Call(1))
    assert awarded(game) == [
        PotAwarded(2, "showdown", (Share(5, 1), Share(5, 2))),
        PotAwarded(1, "showdown", (Share(5, 1), Share(6, 2))),
    ]


def test_nothing_stays_in_the_pot() -> None:
    game = opened("no-limit", 4, JACKS, JACKS_TOO, JACKS_THREE, NOTHING, ante=1).given(Fold(4))
    passed(drawn(passed(game)))
    assert [amount for amount in game.stacks if amount != 200] != []
    assert game.pot == 0
    assert happened(game.log, events.RemainderCarried) == []
