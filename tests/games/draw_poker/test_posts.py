"""Posts beside the blinds: extra blinds, dead money, straddles, and blinds that were missed.

Robert's Rules of Poker, "Blinds" and "Straddles"; PokerStars, "Missed blinds" and "Posting".
"""

from typing import Any

import pytest

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.state import Pot
from pokersvc.core.actions import Action, Leave
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import Post

from ..card_rooms.rooms import drawn, house, passed
from .scenario import Scenario, happened
from .tables import books_of, called, sitting, table

WORDS = DrawPokerWords()


def posts(*what: tuple[str, int, int]) -> tuple[Post, ...]:
    return tuple(Post(amount=amount, kind=kind, seat=seat) for kind, seat, amount in what)  # type: ignore[arg-type]


BLINDS = (("small", 2, 1), ("big", 3, 2))


def stated(*extra: tuple[str, int, int], stacks: tuple[int, ...] = (100,) * 5, **fields: Any) -> Scenario:
    """Five players with the button at seat 1, and the stated posts besides the blinds."""
    rules = house(fields.pop("house", "no-limit"), ante=fields.pop("ante", 0))
    return sitting(table(*stacks, button=1, posts=posts(*BLINDS, *extra), **fields), rules).ready()


def posted(game: Scenario) -> list[Event]:
    return happened(game.log, events.BlindPosted, events.Posted)


def test_posts_are_made_in_the_order_that_is_stated() -> None:
    game = stated(("extra", 5, 2), ("dead", 5, 1), ("straddle", 4, 4))
    assert posted(game) == [
        events.BlindPosted(1, "small", 2),
        events.BlindPosted(2, "big", 3),
        events.Posted(2, "extra", 5),
        events.Posted(1, "dead", 5),
        events.Posted(4, "straddle", 4),
    ]
    assert WORDS.tell(posted(game)[2], game.state) == "Eve posts an extra blind, 2"
    assert WORDS.tell(posted(game)[3], game.state) == "Eve posts dead money, 1"
    assert WORDS.tell(posted(game)[4], game.state) == "Dee posts a straddle, 4"


def test_after_an_extra_blind_play_still_starts_left_of_the_big_blind() -> None:
    assert stated(("extra", 5, 2)).to_act == 4


def test_who_posted_an_extra_blind_may_check_or_raise() -> None:
    game = stated(("extra", 5, 2)).given(Call(4))
    assert game.to_act == 5
    assert game.legal.check
    assert game.legal.raise_to == (4, 100)
    game.given(Check(5), Call(1))
    assert game.to_act == 2


def test_an_extra_blind_is_live_and_no_raise() -> None:
    game = stated(("extra", 5, 2)).given(Raise(4, 6))
    assert game.legal.call == 4, "2 of the price of 6 are in"
    assert stated(("extra", 5, 2)).legal.raise_to == (4, 100)


def test_dead_money_is_in_the_pot_and_counts_for_nothing_else() -> None:
    game = stated(("dead", 5, 1)).given(Fold(4))
    assert game.pot == 4
    assert game.legal.call == 2, "dead money is no part of the price"
    assert game.view().seat(5).stack == 99


def test_both_at_once_a_live_big_blind_and_a_dead_small_one() -> None:
    game = stated(("extra", 5, 2), ("dead", 5, 1)).given(Fold(4))
    assert (game.pot, game.legal.check) == (6, True)
    assert game.view().seat(5).put == 2


def test_dead_money_is_won_even_by_who_is_all_in_for_less() -> None:
    game = stated(("extra", 5, 2), ("dead", 5, 1), stacks=(100, 100, 100, 100, 2))
    assert game.view().seat(5).all_in
    assert posted(game)[-1] == events.Posted(0, "dead", 5)
    assert WORDS.tell(posted(game)[-1], game.state) == "Eve has nothing left for dead money"
    other = stated(("dead", 5, 1), stacks=(100, 100, 100, 100, 1))
    assert other.state.levels()[0] == Pot(1 + 0, 0b111110), "the main pot is the dead money alone"


def test_dead_money_is_in_the_main_pot_and_not_in_a_side_pot() -> None:
    game = stated(("dead", 5, 1), stacks=(100, 10, 100, 100, 100))
    game.given(Raise(4, 50), Call(5), Fold(1), Call(2), Call(3))
    called(game)
    awards = [event for event in game.log if isinstance(event, events.PotAwarded)]
    pots = {award.pot: sum(share.amount for share in award.shares) for award in awards}
    assert pots == {1: 41, 2: 120}
    books_of(game)


def test_a_straddle_is_a_blind_raise_and_its_seat_acts_last() -> None:
    game = stated(("straddle", 4, 4))
    assert game.to_act == 5
    assert (game.legal.call, game.legal.raise_to) == (4, (8, 100))
    game.given(Call(5), Call(1), Fold(2), Call(3))
    assert game.to_act == 4
    assert game.legal.check
    assert game.legal.raise_to == (8, 100), "the straddler may raise"


def test_a_straddle_counts_as_a_bet_of_a_fixed_limit() -> None:
    game = stated(("straddle", 4, 4), house="fixed-limit")
    assert game.legal.raise_to == (6, 6)
    assert game.state.bets == 2


def test_a_straddle_over_a_straddle_acts_after_it() -> None:
    game = stated(("straddle", 4, 4), ("straddle", 5, 8))
    assert game.to_act == 1
    assert (game.legal.call, game.legal.raise_to) == (8, (16, 100))


def test_the_final_betting_starts_left_of_the_button_whatever_was_posted() -> None:
    game = stated(("straddle", 4, 4))
    drawn(passed(game))
    assert game.to_act == 2
    assert game.legal.bet == (2, 96)


def test_where_nobody_posts_a_blind_play_starts_left_of_the_button() -> None:
    game = sitting(table(100, 100, 100, button=1, posts=())).ready()
    assert game.to_act == 2
    assert (game.legal.check, game.legal.bet) == (True, (2, 100))


def test_a_short_big_blind_that_is_stated_has_the_price_of_a_whole_one() -> None:
    at = table(100, 100, 1, 100, 100, button=1, posts=posts(("small", 2, 1), ("big", 3, 2)))
    game = sitting(at).ready()
    assert game.legal.call == 2


def test_a_post_that_is_not_due_is_impossible() -> None:
    game = sitting(table(100, 100, 100, button=1)).given(events.RoundStarted(0, 1, 1))
    before = game.state.pot
    with pytest.raises(Exception, match="is not the one that posts this now"):
        game.state.apply(events.Posted(2, "extra", 2))
    assert game.state.pot == before


# Own games: who owes what follows from who was away.


def cash_game(players: int = 5, **fields: Any) -> Scenario:
    """A cash game after its first round, with the button at seat 1 and the big blind at seat 3."""
    game = sitting(table(*[100] * players, cash=True, **fields), house("no-limit", stack=200)).ready()
    return folded_out(game)


def _quiet(game: Scenario, seat: int) -> Action:
    if game.legal.discard is not None:
        return Discard(seat, ())
    return Fold(seat) if game.legal.fold else Check(seat)


def folded_out(game: Scenario) -> Scenario:
    """Let the dealer act, and all fold or check to the end of the round."""
    while not isinstance((game.deal_on() or game.log)[-1], events.RoundEnded):
        game.given(_quiet(game, game.to_act or 0))
    return game


def next_round(game: Scenario) -> list[Event]:
    """Play the next round, and return its posts."""
    before = len(game.log)
    folded_out(game)
    return happened(game.log[before:], events.BlindPosted, events.Posted)


def dealt_in(game: Scenario) -> set[int]:
    """Return who was dealt a hand in the last round."""
    begins = max(at for at, event in enumerate(game.log) if isinstance(event, events.RoundStarted))
    return {event.seat for event in game.log[begins:] if isinstance(event, events.HandDealt)}


def blinds(small: int, big: int) -> list[Event]:
    return [events.BlindPosted(1, "small", small), events.BlindPosted(2, "big", big)]


def test_who_sits_out_is_dealt_no_hand_and_posts_nothing() -> None:
    game = cash_game().given(SitOut(4))
    assert next_round(game) == blinds(3, 5)
    assert dealt_in(game) == {1, 2, 3, 5}


def test_who_missed_a_big_blind_posts_it_live_but_not_between_the_button_and_the_blinds() -> None:
    game = cash_game(6).given(SitOut(4))
    assert next_round(game) == blinds(3, 5), "the big blind has passed seat 4"
    game.given(SitIn(4))
    assert next_round(game) == blinds(5, 6)
    assert dealt_in(game) == {1, 2, 3, 5, 6}, "seat 4 is left of the button, and waits"
    assert next_round(game) == [*blinds(6, 1), events.Posted(2, "extra", 4)]
    assert next_round(game) == blinds(1, 2), "nothing is owed any more"


def test_who_missed_both_blinds_posts_both_at_once() -> None:
    game = cash_game(6).given(SitOut(4))
    next_round(game)
    assert next_round(game) == blinds(5, 6), "the small blind has passed seat 4 too"
    game.given(SitIn(4))
    assert next_round(game) == [*blinds(6, 1), events.Posted(2, "extra", 4), events.Posted(1, "dead", 4)]
    assert next_round(game) == blinds(1, 2)


def test_who_missed_the_small_blind_alone_posts_it_dead() -> None:
    game = cash_game(6)  # seat 3 has had the big blind
    game.given(SitOut(3))
    assert next_round(game) == blinds(4, 5), "the small blind has passed seat 3"
    game.given(SitIn(3))
    assert next_round(game) == [*blinds(5, 6), events.Posted(1, "dead", 3)]


def test_who_comes_back_as_the_big_blind_owes_no_more() -> None:
    game = cash_game(6).given(SitOut(4))
    for _ in range(5):
        next_round(game)
    game.given(SitIn(4))
    posted_now = next_round(game)
    assert posted_now == blinds(3, 4)
    assert next_round(game) == blinds(4, 5)


def test_a_newcomer_posts_a_big_blind() -> None:
    game = sitting(table(100, 100, 100, 100, 0, cash=True), house("no-limit", stack=200))
    folded_out(game)
    assert dealt_in(game) == {1, 2, 3, 4}
    game.given(SitDown(5, 80))
    assert next_round(game) == [*blinds(3, 4), events.Posted(2, "extra", 5)]


def test_who_gets_up_and_sits_down_again_is_a_newcomer() -> None:
    game = cash_game(6).given(SitOut(1))
    for _ in range(8):
        next_round(game)
    game.given(Leave(1), SitDown(1, 50))
    while 1 not in dealt_in(game):
        last = next_round(game)
    assert [event for event in last if getattr(event, "seat", 0) == 1] in (
        [events.Posted(2, "extra", 1)],
        blinds(0, 1)[1:],
    )


def test_who_runs_out_of_chips_and_buys_some_has_missed_blinds_too() -> None:
    game = sitting(table(100, 100, 100, 2, 100, 100, cash=True), house("no-limit", stack=200))
    folded_out(game)
    game.state.stacks[4] = 0
    assert next_round(game) == blinds(3, 5)
    game.given(BuyChips(4, 60))
    next_round(game)
    assert next_round(game) == [*blinds(6, 1), events.Posted(2, "extra", 4)]


def test_heads_up_nobody_makes_up_for_a_blind() -> None:
    game = cash_game(3).given(SitOut(1))
    for _ in range(3):
        assert len(next_round(game)) == 2
    game.given(SitOut(2), SitIn(1))
    assert len(next_round(game)) == 2
    assert game.state.owes_big & 1 << 1 == 0
