"""Decks that are shuffled together: to whom one is dealt, and seats that forgo the round as their share was missed."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import CloseGame, ForgoRound, Leave
from pokersvc.core.event import AUDITOR, EVERYONE, ImpossibleEvent, redact
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.short_stacks import folded_unasked
from pokersvc.games.draw_poker.house.houses import preset

from ..card_rooms.rooms import opened
from .scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, after_earlier_rounds, dealt, rules_with, seated


def awards(game: Scenario) -> list[events.PotAwarded]:
    return [event for event in game.log if isinstance(event, events.PotAwarded)]


def forgone(*seats: int) -> list[ForgoRound]:
    return [ForgoRound(seat) for seat in seats]


# To whom a deck is dealt.


def test_before_the_first_round_the_deck_is_dealt_to_all() -> None:
    assert DRAW_POKER.dealt_together
    assert seated(3).state.deals_to() == (1, 2, 3)


def test_within_a_round_no_other_deck_comes_next() -> None:
    game = seated(2)
    while not isinstance(game.log[-1], events.RoundEnded):
        event = game.dealer() or game.event_of(game_over_soon(game))
        game.given(event)
        between = isinstance(event, events.RoundEnded)
        assert (game.state.deals_to() is not None) == between, event


def game_over_soon(game: Scenario) -> Fold | Discard:
    assert game.to_act is not None
    return Fold(game.to_act) if game.legal.fold else Discard(game.to_act, ())


def test_a_seat_that_is_too_short_leaves_first_and_then_the_others_are_dealt_in() -> None:
    game = after_earlier_rounds(seated(3), (1000, 3, 1000))
    assert game.state.deals_to() is None
    game.given(events.PlayerLeft(0, "short", 2))
    assert game.state.deals_to() == (1, 3)


@pytest.mark.parametrize("stacks", [(1000, 3), (1000, 0)])
def test_no_deck_comes_where_the_game_ends_for_want_of_players(stacks: tuple[int, int]) -> None:
    game = after_earlier_rounds(seated(2), stacks)
    assert game.state.deals_to() is None
    game.given(events.PlayerLeft(0, "short", 2))
    assert game.state.deals_to() is None
    assert game.dealer() == events.GameEnded("last_player", stacks, (1,))


def test_no_deck_comes_after_the_last_round_or_once_the_game_was_closed_or_is_over() -> None:
    for last in (True, False):
        game = dealt(2, persons=(1, 2)) if not last else seated(2, persons=(1, 2), rounds=1).ready()
        game.given(Fold(1))
        game.deal_on()
        assert (game.state.deals_to() is None) == last
        if not last:
            assert game.state.pausing
            game.given(game.event_of(CloseGame()))
            assert game.state.deals_to() is None
        game.ready()
        assert game.state.outcome is not None
        assert game.state.deals_to() is None


def test_who_left_between_two_rounds_is_not_dealt_in() -> None:
    game = dealt(3, persons=(1, 2, 3)).given(Fold(1), Fold(2))
    game.deal_on()
    assert game.state.deals_to() == (1, 2, 3)
    game.given(Leave(2))
    assert game.state.deals_to() == (1, 3)


def test_who_will_surrender_at_the_ante_is_not_dealt_in_but_the_last_one_who_stays_is() -> None:
    rules = preset("buy-the-pot")
    ante = rules.ante_of(1)
    game = after_earlier_rounds(seated(3, rules=rules), (ante, ante - 1, ante + 1))
    assert game.state.deals_to() == (1, 3)
    assert folded_unasked(game.view(), 2) == "surrenders"
    alone = after_earlier_rounds(seated(3, rules=rules), (ante - 1, ante - 1, ante - 1))
    assert alone.state.deals_to() == (3,)
    alone.deal_on()
    assert [event.seat for event in alone.log if isinstance(event, events.PlayerLeft)] == [1, 2]


def test_it_needs_nothing_that_is_hidden() -> None:
    game = after_earlier_rounds(seated(3), (1000, 1000, 4))
    game.deal_on()
    copy = DRAW_POKER.new(redact(game.log[0], EVERYONE))  # type: ignore[arg-type]
    assert copy.deals_to() == (1, 2, 3)
    for event in (events.RoundStarted(5, None, 1), events.AntePosted(5, 1)):
        copy.apply(event)
        assert copy.deals_to() is None


# Who may forgo a round, and when.


def test_a_seat_forgoes_whoever_s_turn_it_is() -> None:
    game = dealt(3, rules=rules_with(betting__check="always"))
    assert game.to_act == 1
    for seat in (1, 2, 3):
        assert game.event_of(ForgoRound(seat)) == events.RoundForgone(seat)
        assert DRAW_POKER.action_of(events.RoundForgone(seat)) == ForgoRound(seat)


@pytest.mark.parametrize("seat", [0, -1, 4, 99, True, 1.0, "1", None])
def test_a_seat_that_there_is_not_cannot_forgo(seat: int) -> None:
    assert dealt(3).refusal(ForgoRound(seat)) == "already_out"


def test_a_seat_that_folded_or_forwent_cannot_forgo_again() -> None:
    game = dealt(4).given(Fold(1))
    assert game.refusal(ForgoRound(1)) == "already_out"
    game.given(ForgoRound(3))
    assert game.refusal(ForgoRound(3)) == "already_out"


def test_nobody_forgoes_while_the_dealer_is_to_act_or_after_the_game() -> None:
    game = seated(2, rounds=1)
    while game.state.outcome is None:
        if game.to_act is None:
            assert game.refusal(ForgoRound(1)) == "dealer_to_act"
            event = game.dealer()
            assert event is not None
            game.given(event)
        else:
            game.given(game_over_soon(game))
    assert game.refusal(ForgoRound(1)) == "dealer_to_act"


def test_what_cannot_be_is_refused_before_anything_changes() -> None:
    game = dealt(3).given(Fold(1))
    before = game.view(AUDITOR)
    for seat in (1, 9):
        with pytest.raises(ImpossibleEvent, match="is not in the round"):
            game.state.apply(events.RoundForgone(seat))
    with pytest.raises(ImpossibleEvent, match="the phase is BETWEEN"):
        seated(2).state.apply(events.RoundForgone(1))
    assert game.view(AUDITOR) == before


# In the betting.


def test_the_turn_stays_where_it_is_when_another_seat_forgoes() -> None:
    game = dealt(4).given(ForgoRound(3))
    assert game.to_act == 1
    assert game.view().seat(3).standing == "folded"
    game.given(Fold(1), Fold(2))
    game.deal_on()
    assert [share.seat for share in awards(game)[-1].shares] == [4]


def test_the_turn_moves_on_when_the_seat_in_turn_forgoes() -> None:
    game = dealt(4).given(ForgoRound(1))
    assert game.to_act == 2
    game.given(*forgone(2, 3))
    game.deal_on()
    assert awards(game)[-1] == events.PotAwarded(1, "last_in", (events.Share(20, 4),))


def test_the_last_one_left_wins_what_was_posted_without_showing_a_hand() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(*forgone(1, 2))
    game.deal_on()
    assert game.stacks == (995, 995, 1010)
    assert not any(isinstance(event, events.HandsOpened | events.HandShown) for event in game.log)


def test_a_seat_that_is_short_is_still_folded_by_the_dealer_after_another_forwent() -> None:
    game = dealt(3, ACES, KINGS, QUEENS, stacks=(1000, 15, 1000)).given(ForgoRound(1))
    assert game.dealer() == events.Folded("short", 2)
    game.deal_on()
    assert [share.seat for share in awards(game)[-1].shares] == [3]


def test_the_opener_that_was_drawn_forgoes_and_the_next_one_opens() -> None:
    game = dealt(3, rules=preset("buy-the-pot"))
    opener = game.to_act
    assert opener is not None
    assert events.OpenerChosen(1, opener) in game.log
    game.given(ForgoRound(opener))
    assert game.to_act == opener % 3 + 1


def test_a_seat_forgoes_the_final_betting() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Call(3))
    game.given(Discard(1, ()), Discard(2, ()), Discard(3, ()), Check(1), ForgoRound(1), Check(2), Check(3))
    game.deal_on()
    assert awards(game)[-1].shares == (events.Share(165, 2),)


# Blinds and side pots.


def test_a_blind_that_was_forgone_stays_in_the_pot_and_is_never_returned() -> None:
    game = opened("no-limit", 2).given(ForgoRound(2))  # the big blind of 2, against a small one of 1
    done = game.deal_on()
    assert not any(isinstance(event, events.UncalledBetReturned) for event in done)
    assert game.stacks == (202, 198)


def test_the_others_call_the_big_blind_although_its_seat_is_out() -> None:
    game = opened("no-limit", 4).given(ForgoRound(3))
    assert game.to_act == 4
    assert (game.legal.call, game.view().price) == (2, 2)
    game.given(Call(4), Call(1), Call(2))
    game.deal_on()
    assert game.view().stage == "draw"
    assert game.pot == 8


def test_the_excess_over_what_a_forgone_blind_matched_is_returned() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS, stacks=(200, 200, 200)).given(ForgoRound(3))
    game.given(Raise(1, 50), Fold(2))
    done = game.deal_on()
    assert events.UncalledBetReturned(48, 1) in done
    assert game.stacks == (203, 199, 198)


def test_a_seat_that_is_all_in_by_its_blind_forgoes_and_side_pots_are_of_the_others() -> None:
    game = opened("no-limit", 4, NOTHING, QUEENS, ACES, KINGS, stacks=(200, 30, 2, 100))
    assert game.view().seat(3).all_in
    game.given(ForgoRound(3))
    assert not game.view().seat(3).all_in
    game.given(Raise(4, 100), Call(1), Call(2))
    game.given(*(Discard(seat, ()) for seat in (2, 4, 1)))
    game.deal_on()
    # The main pot of 30 from each of three and the blind; the side pot of 70 from each of two.
    assert [(award.pot, award.shares) for award in awards(game)] == [
        (2, (events.Share(140, 4),)),
        (1, (events.Share(92, 4),)),
    ]
    assert game.stacks == (100, 0, 0, 232)


def test_beaten_hands_are_mucked_when_the_only_one_who_was_all_in_forgoes() -> None:
    game = opened("no-limit", 4, KINGS, QUEENS, ACES, NOTHING, stacks=(200, 200, 2, 200))
    game.given(ForgoRound(3), Raise(4, 20), Call(1), Call(2))
    game.given(*(Discard(seat, ()) for seat in (2, 4, 1)), Check(2), Check(4), Check(1))
    shown = [event for event in game.deal_on() if isinstance(event, events.HandShown | events.HandMucked)]
    assert shown[1:] == [events.HandMucked(4), events.HandShown(parse_cards(KINGS), 1)]


def test_betting_is_over_when_the_only_one_who_could_go_on_betting_forgoes() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS, stacks=(2, 200, 2)).given(Call(1))
    assert game.to_act == 2
    game.given(ForgoRound(2))
    game.deal_on()
    assert game.view().stage == "draw"
    assert game.to_act in (1, 3)


# In the draw.


def in_the_draw() -> Scenario:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Call(3)).ready()
    assert (game.view().stage, game.to_act) == ("draw", 1)
    return game


def test_a_seat_that_forgoes_in_the_draw_is_skipped() -> None:
    game = in_the_draw().given(ForgoRound(2), Discard(1, ()))
    assert game.to_act == 3
    game.given(Discard(3, ()))
    assert game.ready().view().stage == "final betting"
    assert game.to_act == 1


def test_the_next_one_draws_when_the_seat_in_turn_forgoes() -> None:
    game = in_the_draw().given(ForgoRound(1))
    assert game.to_act == 2
    game.given(Discard(2, ()), ForgoRound(2))
    assert game.to_act is None, "the last one left does not draw"
    game.deal_on()
    assert awards(game)[-1] == events.PotAwarded(1, "last_in", (events.Share(165, 3),))


def test_the_draw_ends_when_the_last_one_to_draw_forgoes() -> None:
    game = in_the_draw().given(Discard(1, ()), Discard(2, ()), ForgoRound(3))
    assert game.ready().view().stage == "final betting"
    assert {seat.seat for seat in game.view().seats if seat.standing == "in"} == {1, 2}


def test_hands_that_forwent_are_not_shown_where_all_hands_are_after_the_draw() -> None:
    game = dealt(3, ACES, KINGS, QUEENS, rules=rules_with(open_hands="after_draw"))
    game.given(Bet(1, 50), Call(2), Call(3)).ready()
    game.given(ForgoRound(1), Discard(2, ()), Discard(3, ()))
    opened_hands = next(event for event in game.deal_on() if isinstance(event, events.HandsOpened))
    assert [hand.seat for hand in opened_hands.hands] == [2, 3]


# Words, books, history.


def test_it_is_told_in_a_sentence() -> None:
    game = dealt(3).given(ForgoRound(2))
    said = DRAW_POKER.words.tell(game.log[-1], game.state)
    assert said == "The share of the shuffle from Player2 was missed, so Player2 folds"


@pytest.mark.parametrize("history", ["shown", "all"])
def test_the_history_says_who_forwent_the_round_and_after_the_game_which_hand(history: str) -> None:
    rules = rules_with(history=history)
    game = Scenario(seated(3, rules=rules, rounds=1).log[0])  # type: ignore[arg-type]
    game.ready().given(ForgoRound(2), Fold(1))
    game.deal_on()
    lines = {}
    for viewer in (EVERYONE, 2):
        entry = game.state.entry(game.log[-1], viewer)
        assert entry is not None
        assert [hand.get("forgone") for hand in entry.facts["hands"]] == [None, True, None]
        lines[viewer] = DRAW_POKER.words.details(entry)[1]
    assert lines[EVERYONE] == "Player2 [hidden], folded as its share of the shuffle was missed"
    assert "hidden" not in lines[2]
    while (event := game.dealer()) is not None:
        game.given(event)
        if isinstance(event, events.HandsRevealed):
            again = game.state.entry(event, EVERYONE)
            assert again is not None
            assert DRAW_POKER.words.details(again)[1] == lines[2]
    revealed = [hand.seat for event in game.log if isinstance(event, events.HandsRevealed) for hand in event.hands]
    assert revealed == ([1, 2, 3] if history == "all" else [])


def test_the_books_find_chips_that_a_seat_takes_back_which_forwent_the_round() -> None:
    game = opened("no-limit", 2).given(ForgoRound(2))
    books = DRAW_POKER.books(game.log[0])  # type: ignore[arg-type]
    for event in game.log:
        assert list(books.post(event)) == []
    assert list(books.compare(game.state)) == []
    wrong = list(books.post(events.UncalledBetReturned(1, 2)))
    assert [(one.found, one.expected) for one in wrong] == [("1 returned to Player2", "0, which nobody matched")]


def test_the_books_find_a_pot_for_a_seat_that_forwent_the_round() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Call(3), *(Discard(seat, ()) for seat in (1, 2, 3)))
    game.given(ForgoRound(1), Check(2), Check(3))
    books = DRAW_POKER.books(game.log[0])  # type: ignore[arg-type]
    for event in (*game.log, game.dealer()):
        assert event is not None
        assert list(books.post(event)) == []
    wrong = list(books.post(events.PotAwarded(1, "showdown", (events.Share(165, 1),))))
    assert [(one.found, one.expected) for one in wrong] == [
        ("a share of pot 1 for Player1", "shares for Player2, Player3 only")
    ]
