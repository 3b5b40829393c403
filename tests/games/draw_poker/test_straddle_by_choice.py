"""The straddle by choice of a cash game: who wishes to posts it in their turn, and nobody else does."""

from typing import Any, cast

import pytest

from pokersvc.betting.cash import SitIn, SitOut
from pokersvc.betting.seats import has
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import Leave
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, events
from pokersvc.games.draw_poker.display.reasons import why_not
from pokersvc.games.draw_poker.display.terms import terms
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_rules import CashRules

from .cash_evening import after_a_round, another_round, before_the_round, evening
from .scenario import Scenario

WORDS = DrawPokerWords()


def by_choice(seats: int = 4, **options: Any) -> Scenario:
    """A cash game after its first round, in which nobody had a wish yet; the straddle is 4."""
    return after_a_round(seats=seats, straddle=4, straddle_by_choice=True, **options)


def turn(game: Scenario) -> int:
    """The seat whose turn it is to straddle in the round to come: two after the big blind of the last one."""
    return (game.state.big_blind + 1) % len(game.stacks) + 1


def straddles(game: Scenario, began: int = 0) -> list[events.Posted]:
    return [one for one in game.log[began:] if isinstance(one, events.Posted) and one.kind == "straddle"]


# Given a house with the straddle by choice.


def test_nobody_straddles_who_has_not_wished_to() -> None:
    game = by_choice()
    another_round(game)
    assert straddles(game) == []
    assert game.stacks == tuple(game.state.stacks[1:])


def test_who_wishes_to_straddles_in_each_round_in_which_it_is_their_turn() -> None:
    game = by_choice()
    seat = turn(game)
    game.given(Wish(seat, straddles=True))
    assert game.log[-1] == cash_events.WishesSet(False, False, seat, True, 0)
    for _ in range(8):
        another_round(game)
    assert straddles(game) == [events.Posted(4, "straddle", seat)] * 2, "once around the table, and once more"
    game.given(Wish(seat, straddles=False))
    for _ in range(4):
        another_round(game)
    assert len(straddles(game)) == 2, "the wish was taken back"


def test_it_is_a_straddle_like_any_other() -> None:
    game = by_choice()
    seat = turn(game)
    game.given(Wish(seat, straddles=True)).ready()
    assert game.state.price == 4
    assert game.to_act == seat % 4 + 1, "the seat after the straddle begins"
    assert (game.legal.call, game.legal.raise_to and game.legal.raise_to[0]) == (4, 8)


def test_nobody_straddles_for_somebody_else() -> None:
    game = by_choice()
    game.given(Wish(turn(game) % 4 + 1, straddles=True))
    began = len(game.log)
    another_round(game)
    assert straddles(game, began) == []


def test_it_waits_for_nobody() -> None:
    game = by_choice()
    game.given(Wish(turn(game), straddles=True))
    assert before_the_round(game) == [], "nothing is done before the round"
    assert game.state.deals_to() is not None, "shares are awaited at once"
    assert game.ready().refusal(Wish(1, straddles=True)) == "not_between_rounds"


def test_with_two_dealt_in_nobody_straddles() -> None:
    game = by_choice(seats=2).given(Wish(1, straddles=True), Wish(2, straddles=True))
    for _ in range(2):
        another_round(game)
    assert straddles(game) == []


def test_who_owes_a_blind_posts_that_instead_and_nobody_straddles() -> None:
    game = by_choice()
    for seat in (1, 2, 3, 4):
        game.given(Wish(seat, straddles=True))
    away = game.state.big_blind % 4 + 1
    game.given(SitOut(away))
    another_round(game)
    game.given(SitIn(away))
    for _ in range(3):
        began = len(game.log)
        another_round(game)
        posted = {(one.kind, one.seat) for one in game.log[began:] if isinstance(one, events.Posted)}
        if ("extra", away) in posted:
            assert ("straddle", away) not in posted
            return
    raise AssertionError("the missed blind was not posted in three rounds")


def test_who_comes_back_after_a_round_of_two_does_not_straddle_in_that_round() -> None:
    game = by_choice()
    for seat in (1, 2, 3, 4):
        game.given(Wish(seat, straddles=True))
    game.given(SitOut(3), SitOut(4))
    another_round(game)
    assert game.state.live.bit_count() == 2
    game.given(SitIn(3), SitIn(4))
    for _ in range(3):
        two, began = game.state.two, len(game.log)
        another_round(game)
        assert not [one for one in straddles(game, began) if two and not has(two, one.seat)]
    for _ in range(4):
        another_round(game)
    assert straddles(game), "later they do"


def test_who_has_less_straddles_with_all_they_have() -> None:
    game = by_choice()
    seat = turn(game)
    game.state.stacks[seat] = 3
    game.given(Wish(seat, straddles=True)).ready()
    assert straddles(game) == [events.Posted(3, "straddle", seat)]
    assert game.state.price == 4


def test_the_wish_outlasts_sitting_out_and_ends_with_getting_up() -> None:
    game = by_choice().given(Wish(1, straddles=True, out_at_blind=True), SitOut(1))
    assert game.state.cash_seats.wishes[1] == (False, False, True, 0)
    game.given(SitIn(1))
    assert game.state.cash_seats.wishes[1].straddles
    game.given(Leave(1))
    assert 1 not in game.state.cash_seats.wishes


def test_the_wish_of_who_sits_out_posts_nothing() -> None:
    game = by_choice()
    seat = turn(game)
    game.given(Wish(seat, straddles=True), SitOut(seat))
    began = len(game.log)
    another_round(game)
    assert not has(game.state.live, seat)
    assert straddles(game, began) == []


def test_wishes_that_cannot_be_are_refused() -> None:
    game = by_choice()
    assert game.refusal(Wish(1, straddles=False)) == "nothing_changes"
    assert game.refusal(Wish(1, straddles=cast(bool, 1))) == "not_a_wish"
    for other in (after_a_round(), after_a_round(straddle=4)):
        assert other.refusal(Wish(1, straddles=True)) == "no_choice"


def test_the_host_changes_the_amount_and_the_wish_stays() -> None:
    game = by_choice(changeable=True)
    seat = turn(game)
    game.given(Wish(seat, straddles=True))
    game.given(game.event_of(DRAW_POKER.change_of_stakes(game.state, {"straddle": 0})))
    began = len(game.log)
    another_round(game)
    assert straddles(game, began) == [], "the house has no straddle now"
    game.given(game.event_of(DRAW_POKER.change_of_stakes(game.state, {"straddle": 6})))
    for _ in range(4):
        another_round(game)
    assert straddles(game) == [events.Posted(6, "straddle", seat)]


def test_without_the_choice_everybody_straddles_in_turn_as_before() -> None:
    game = after_a_round(seats=4, straddle=4)
    another_round(game)
    assert [one.amount for one in straddles(game)] == [4, 4]


# Given the options.


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"straddle": 0},
        {"straddle": 4, "cash": False},
        {"house": "rising-ante"},
    ],
)
def test_a_house_without_a_straddle_has_none_by_choice(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue) as refused:
        evening(**{"straddle_by_choice": True, **given})
    assert refused.value.field == "straddle_by_choice"


def test_it_is_true_or_false() -> None:
    with pytest.raises(InvalidValue, match="true or false"):
        evening(straddle=4, straddle_by_choice="yes")


def test_the_start_records_it() -> None:
    started = evening(straddle=4, straddle_by_choice=True).log[0]
    assert isinstance(started, events.GameStarted)
    assert started.cash == CashRules(straddle_by_choice=True)
    assert started.rules.straddle == 4


# In words.


def test_the_words_of_the_wish() -> None:
    game = by_choice().given(Wish(2, straddles=True))
    view = game.view()
    assert WORDS.tell(game.log[-1], game.state) == "Bob wishes to straddle in turn"
    assert WORDS.read_between("straddle on", view, 1) == Wish(1, straddles=True)
    assert WORDS.read_between("Straddle  OFF", view, 2) == Wish(2, straddles=False)
    said = [[one.said for one in WORDS.between_rounds(view, seat)] for seat in (1, 2)]
    assert "straddle on (4 in your turn)" in said[0]
    assert "straddle off (no more)" in said[1]
    assert why_not("straddle on", game.ready().view(), game.legal) == (
        "Type `straddle` between two rounds; this one is being played."
    )


def test_a_house_without_the_choice_offers_none() -> None:
    for game in (after_a_round(), after_a_round(straddle=4)):
        assert not [one for one in WORDS.between_rounds(game.view(), 1) if one.typed.startswith("straddle")]


def test_the_terms_of_the_house_say_it() -> None:
    given = {"rules": "no-limit", "cash": True, "straddle": 4, "straddle_by_choice": True}
    assert "straddle 4 by choice" in terms(DRAW_POKER.options(given))
    view = by_choice().ready().view(1)
    said = " ".join(" ".join(WORDS.about(view)).split())
    assert "the straddle is 4, for those who wish to, with three players or more" in said


def test_a_view_says_who_wishes_to() -> None:
    seats = by_choice().given(Wish(2, straddles=True)).view().seats
    assert [one.at_cash and one.at_cash.straddles for one in seats] == [False, True, False, False]
