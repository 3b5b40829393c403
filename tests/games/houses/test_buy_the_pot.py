"""`buy-the-pot`, rule by rule: the ante after the deal, random openers, one bet a round, open hands, remainders."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Forfeit
from pokersvc.core.randomness.stream import Stream
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords

from ..draw_poker.scenario import (
    ACES,
    KINGS,
    NOTHING,
    QUEENS,
    Scenario,
    after_earlier_rounds,
    happened,
    seated,
    stand_pat,
)
from .house import BUY_THE_POT, HANDS, award, last_entry, opened_by, until, with_hands

ACES_AGAIN = "AC AS 8D 6H 3S"  # ties with ACES
WORDS = DrawPokerWords()


def table_of(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0, rounds: int | None = None) -> Scenario:
    return with_hands(BUY_THE_POT, *hands, stacks=stacks, carried=carried, rounds=rounds)


def before_the_final_betting(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0) -> Scenario:
    """Return a game before the showdown: nobody has bet, and all have stood pat."""
    game = opened_by(table_of(*hands, stacks=stacks, carried=carried), 1).given(Check(1))
    return game.given(*stand_pat(*(seat for seat in range(1, len(hands) + 1) if game.state.live >> seat & 1)))


def at_the_showdown(*hands: str, carried: int = 0, rounds: int | None = None) -> Scenario:
    game = opened_by(table_of(*hands, carried=carried, rounds=rounds), 1).given(Check(1))
    return opened_by(game.given(*stand_pat(*range(1, len(hands) + 1))), 1).given(Check(1))


def test_the_house_is_what_its_rules_say() -> None:
    rules = BUY_THE_POT
    assert (rules.seats.default, rules.seats.most, rules.stack, rules.stay) == (4, 10, 100, 0)
    assert (rules.ante.amount, rules.ante.increase, rules.discards) == (5, 0, 5)
    assert (rules.advice, rules.player, rules.remainder) == ("linear", "regular", "carry")


def test_four_computers_play_where_nobody_says_otherwise() -> None:
    options = DRAW_POKER.options({"rules": "buy-the-pot"})
    assert (DRAW_POKER.default_seats(options), DRAW_POKER.default_kind(options)) == (4, "regular")


# The ante.


def test_the_ante_comes_after_the_deal_in_seat_order() -> None:
    done = until(seated(4, rules=BUY_THE_POT), events.OpenerChosen)
    assert [type(event) for event in done] == [
        events.RoundStarted,
        events.DeckShuffled,
        *[events.HandDealt] * 4,
        *[events.AntePosted] * 4,
    ]
    assert done[-4:] == [events.AntePosted(5, seat) for seat in (1, 2, 3, 4)]
    assert [event.seat for event in done if isinstance(event, events.HandDealt)] == [1, 2, 3, 4]


def test_who_cannot_pay_leaves_their_chips_in_the_pot_and_is_out_of_the_game() -> None:
    game = table_of(*HANDS, stacks=(100, 4, 100, 100))
    done = until(game, events.OpenerChosen)
    assert done[:2] == [events.AntePosted(5, 1), events.PlayerLeft(4, "short", 2)]
    assert (game.pot, game.stacks) == (19, (95, 0, 95, 95))
    assert game.view().seat(2).standing == "out"
    assert WORDS.tell(done[1], game.state) == "Player2 cannot pay the ante and is out; 4 chips left in the pot"


def test_who_has_just_the_ante_pays_it_and_plays_on_without_chips() -> None:
    game = opened_by(table_of(ACES, KINGS, stacks=(5, 195)), 1)
    assert game.legal == LegalActions(check=True)
    assert game.refusal(Bet(1, 1)) == "cannot_bet"


def test_who_is_out_counts_as_folded() -> None:
    game = opened_by(table_of(*HANDS, stacks=(2, 100, 100, 100)), 2).given(Bet(2, 10), Call(3), Call(4))
    game.given(*stand_pat(2, 3, 4))
    opened = game.dealer()
    assert isinstance(opened, events.HandsOpened)
    assert [hand.seat for hand in opened.hands] == [2, 3, 4]
    done = opened_by(game, 2).given(Check(2)).deal_on()
    assert award(done).shares == (events.Share(47, 2),), "the best hand was out"


def test_who_is_out_is_dealt_no_more_hands() -> None:
    game = opened_by(table_of(ACES, KINGS, QUEENS, stacks=(2, 100, 100)), 2).given(Bet(2, 10), Fold(3))
    game.deal_on()
    dealt = happened(until(game, events.OpenerChosen), events.HandDealt, events.AntePosted)
    assert {getattr(event, "seat", 0) for event in dealt} == {2, 3}


@pytest.mark.parametrize(
    ("stacks", "posted", "won"),
    [((3, 2, 100), [], 5), ((100, 2, 3), [1], 10), ((2, 100, 3), [2], 10), ((4, 4, 4), [], 8), ((0, 2, 3), [], 2)],
    ids=["the last in seat order", "the first", "the second", "everyone broke at once", "one without chips"],
)
def test_when_all_but_one_are_out_the_last_posts_nothing_more_and_wins_at_once(
    stacks: tuple[int, ...], posted: list[int], won: int
) -> None:
    game = table_of(ACES, KINGS, QUEENS, stacks=stacks)
    done = game.deal_on()
    assert happened(done, events.AntePosted) == [events.AntePosted(5, seat) for seat in posted]
    winner = posted[0] if posted else 3
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(won, winner),))
    assert not happened(done, events.OpenerChosen, events.HandsOpened, events.HandShown)
    assert isinstance(game.deal_on()[-1], events.GameEnded)
    assert max(game.stacks) == sum(stacks)
    assert game.pot == 0


# The opener.


def test_the_opener_of_each_betting_round_is_drawn_among_the_players_still_in() -> None:
    openers = set()
    for round_ in range(1, 30):
        game = table_of(*HANDS)
        seed = bytes([round_]) * 32
        game.state.deck_seed = seed
        until(game, events.OpenerChosen)
        first = (1, 2, 3, 4)[Stream(seed, "opener/1").below(4)]
        assert game.dealer() == events.OpenerChosen(1, first)
        openers.add(first)
        game.ready()
        assert game.to_act == first
        after = [seat % 4 + 1 for seat in range(first, first + 3)]
        game.given(Bet(first, 10), Call(after[0]), Fold(after[1]), Call(after[2]))
        still_in = sorted({1, 2, 3, 4} - {after[1]})
        game.given(*stand_pat(*still_in))
        until(game, events.OpenerChosen)
        assert game.dealer() == events.OpenerChosen(2, still_in[Stream(seed, "opener/2").below(3)])
    assert openers == {1, 2, 3, 4}


# Betting.


def test_the_opener_names_0_to_their_stack() -> None:
    game = opened_by(table_of(*HANDS), 3)
    assert game.to_act == 3
    assert game.legal == LegalActions(check=True, bet=(1, 95))
    for amount in (-1, 0, 96, True):
        assert game.refusal(Bet(3, amount)) == "illegal_amount"
    assert game.refusal(Fold(3)) == "cannot_fold"
    assert game.event_of(Bet(3, 95)) == events.Bet(95, 3)


@pytest.mark.parametrize("answer", ["0", "bet 0", "check"])
def test_a_bet_of_0_is_a_check(answer: str) -> None:
    game = opened_by(table_of(*HANDS), 3)
    assert WORDS.read(answer, game.view(3), game.legal) == Check(3)


def test_a_check_ends_the_betting_round() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Check(3))
    assert (game.view().stage, game.to_act, game.pot) == ("draw", 1, 20)
    game = before_the_final_betting(*HANDS)
    opened_by(game, 2).given(Check(2))
    assert isinstance(game.dealer(), events.PotAwarded)


def test_the_others_clockwise_from_the_opener_call_or_fold() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Bet(3, 20))
    for seat, action in ((4, Call(4)), (1, Fold(1)), (2, Call(2))):
        assert game.to_act == seat
        assert game.legal == LegalActions(fold=True, call=20)
        game.given(action)
    assert (game.view().stage, game.to_act, game.pot) == ("draw", 2, 80)


def test_nobody_raises() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Bet(3, 20))
    assert game.refusal(Raise(4, 40)) == "cannot_raise"
    assert game.refusal(Bet(4, 40)) == "cannot_bet"
    assert game.refusal(Check(4)) == "cannot_check"


def test_exactly_as_many_chips_as_the_bet_can_call_and_fewer_are_folded_by_rule() -> None:
    game = with_hands(BUY_THE_POT, *HANDS, stacks=(100, 45, 44, 100), persons=(2, 3))
    opened_by(game, 1).given(Bet(1, 40))
    assert (game.to_act, game.legal) == (2, LegalActions(fold=True, call=40))
    game.given(Call(2))
    assert game.stacks[1] == 0
    assert game.dealer() == events.Folded("short", 3), "a person is not asked what has one answer"
    assert game.ready().to_act == 4


def test_many_chips_can_buy_the_pot() -> None:
    game = opened_by(table_of(NOTHING, ACES, KINGS, stacks=(200, 50, 50)), 1).given(Bet(1, 46))
    done = game.deal_on()
    assert done[:2] == [events.Folded("short", 2), events.Folded("short", 3)]
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(61, 1),))
    assert not happened(done, events.HandsOpened)


def test_an_opener_who_forfeits_is_folded_and_the_next_clockwise_opens_without_a_new_draw() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Forfeit(3, "raised"))
    assert game.log[-1] == events.Forfeited("raised", 3)
    assert (game.to_act, game.legal) == (4, LegalActions(check=True, bet=(1, 95)))
    game.given(Forfeit(4, "timeout"))
    assert game.to_act == 1
    game.given(Check(1))
    assert game.view().stage == "draw"
    assert len(happened(game.log, events.OpenerChosen)) == 1


def test_the_last_one_in_wins_when_all_others_forfeit() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Forfeit(3, "raised"), Forfeit(4, "raised"), Forfeit(1, "raised"))
    assert game.to_act is None
    assert award(game.deal_on()) == events.PotAwarded(1, "last_in", (events.Share(20, 2),))


def test_who_forfeits_a_call_is_folded() -> None:
    game = opened_by(table_of(*HANDS), 3).given(Bet(3, 20), Forfeit(4, "illegal"))
    assert (game.to_act, game.view().seat(4).standing) == (1, "folded")


# The draw.


@pytest.mark.parametrize("count", range(6))
def test_0_to_5_cards_are_discarded(count: int) -> None:
    game = opened_by(seated(4, rules=BUY_THE_POT), 1).given(Check(1))
    assert game.legal == LegalActions(discard=5)
    thrown = game.hand(1)[:count]
    game.given(Discard(1, thrown)).deal_on()
    assert len(game.hand(1)) == 5
    assert not set(thrown) & set(game.hand(1))


def in_the_draw_of_ten(*, surrendered: tuple[int, ...]) -> Scenario:
    """Return a game of ten seats in the draw; some could not pay the ante, and nobody has bet."""
    stacks = (4 if seat in surrendered else 100 for seat in range(1, 11))
    return opened_by(after_earlier_rounds(seated(10, rules=BUY_THE_POT), stacks), 1).given(Check(1))


def test_hands_left_at_the_ante_are_in_the_new_deck() -> None:
    game = in_the_draw_of_ten(surrendered=(3, 7))
    left = {*game.hand(3), *game.hand(7)}
    assert game.legal == LegalActions(discard=5)
    thrown = game.hand(1)
    game.given(Discard(1, thrown)).deal_on()  # the 2 cards of the deck, then 3 of the 10 that were left
    assert happened(game.log, events.DeckReshuffled) == [events.DeckReshuffled(10, 1)]
    assert set(game.hand(1)[2:]) <= left
    game.given(Discard(2, game.hand(2))).deal_on()
    game.given(Discard(4, game.hand(4))).deal_on()  # the last 2 of them, then discards
    assert left == {*game.hand(1)[2:], *game.hand(2), *game.hand(4)[:2]}, "each is dealt once more"
    assert happened(game.log, events.DeckReshuffled)[1:] == [events.DeckReshuffled(10, 2)]


def test_without_them_there_are_only_the_two_cards_left() -> None:
    assert in_the_draw_of_ten(surrendered=()).legal == LegalActions(discard=2)


# The open hands.


def test_all_hands_still_in_are_laid_open_before_the_final_betting() -> None:
    game = opened_by(table_of(*HANDS), 1).given(Bet(1, 10), Fold(2), Call(3), Call(4), *stand_pat(1, 3, 4))
    hands = tuple(events.OpenHand(parse_cards(HANDS[seat - 1]), seat) for seat in (1, 3, 4))
    assert game.dealer() == events.HandsOpened(hands)
    game.ready()
    assert game.view().stage == "final betting"
    assert [None in seat.cards for seat in game.view().seats] == [False, True, False, False]


def test_the_hands_are_told_with_name_and_linear_value() -> None:
    game = before_the_final_betting(ACES, "TC TD TH 2C 2D", "5C 6D 7H 8S 9C")
    opened = game.dealer()
    assert opened is not None
    game.given(opened)
    assert WORDS.tell(opened, game.state) == (
        "All hands are shown:\n  Player1 [AH, AD, 8C, 6S, 3C] pair of aces, worth 38\n"
        "  Player2 [10C, 10D, 10H, 2C, 2D] full house, tens over twos, worth 99\n"
        "  Player3 [5C, 6D, 7H, 8S, 9C] nine-high straight, worth 72"
    )


def test_the_hands_are_not_opened_again_at_the_showdown() -> None:
    game = at_the_showdown(ACES, KINGS)
    assert len(happened(game.log, events.HandsOpened)) == 1
    assert not happened(game.deal_on(), events.HandsOpened, events.HandShown)


def test_the_final_bet_may_buy_the_pot_from_better_hands_that_lie_open() -> None:
    game = opened_by(before_the_final_betting(NOTHING, ACES, stacks=(150, 50)), 1).given(Bet(1, 46))
    done = game.deal_on()
    assert award(done).shares == (events.Share(56, 1),)
    assert [cards["cards"] is None for cards in last_entry(game).facts["hands"]] == [False, False]


# The payout.


def test_the_best_hand_wins_the_pot() -> None:
    assert award(at_the_showdown(KINGS, ACES, QUEENS).deal_on()).shares == (events.Share(15, 2),)


def test_an_even_pot_of_20_for_two_pays_10_each() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, KINGS, QUEENS)
    done = game.deal_on()
    assert award(done).shares == (events.Share(10, 1), events.Share(10, 2))
    assert not happened(done, events.RemainderCarried)
    assert game.pot == 0


def test_a_pot_of_23_for_two_pays_11_each_and_carries_1() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, KINGS, QUEENS, carried=3)
    done = game.deal_on()
    assert done == [
        events.PotAwarded(1, "showdown", (events.Share(11, 1), events.Share(11, 2))),
        events.RemainderCarried(1),
        events.RoundEnded(1),
    ]
    assert game.pot == 1
    assert WORDS.line(last_entry(game)) == "Round 1 -- Player1 and Player2 won 11 each, 1 carried"


def test_the_carried_chip_is_in_the_pot_of_the_next_round() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, KINGS, QUEENS, carried=3)
    game.deal_on()
    done = until(game, events.OpenerChosen)
    assert game.pot == 1 + 4 * 5
    assert game.pot + sum(game.stacks) == 403
    started = happened(done, events.RoundStarted)[0]
    assert isinstance(started, events.RoundStarted)
    assert started.round == 2


def test_ties_are_decided_by_strength_with_kickers_not_by_the_linear_value() -> None:
    better = "AC AS 8D 6H 4S"  # the same pair, worth 38 too, but a better last kicker
    assert award(at_the_showdown(ACES, better).deal_on()).shares == (events.Share(10, 2),)


# The end.


def test_the_game_ends_when_at_most_one_player_has_chips() -> None:
    game = opened_by(table_of(ACES, KINGS, stacks=(100, 50)), 2).given(Bet(2, 45), Call(1), *stand_pat(1, 2))
    opened_by(game, 2).given(Check(2)).deal_on()
    assert game.stacks == (150, 0)
    assert game.deal_on() == [events.GameEnded("last_player", (150, 0), (1,))]


def test_the_game_goes_on_while_two_have_chips_even_fewer_than_the_ante() -> None:
    game = opened_by(table_of(ACES, KINGS, stacks=(100, 50)), 2).given(Bet(2, 43), Call(1), *stand_pat(1, 2))
    opened_by(game, 2).given(Check(2)).deal_on()
    assert game.stacks == (148, 2)
    done = game.deal_on()
    assert happened(done, events.PlayerLeft) == [events.PlayerLeft(2, "short", 2)]
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(7, 1),))
    assert game.deal_on() == [events.GameEnded("last_player", (150, 0), (1,))]


def test_a_player_without_chips_is_out_at_the_next_ante() -> None:
    game = opened_by(table_of(ACES, KINGS, QUEENS, stacks=(100, 50, 100)), 2)
    game.given(Bet(2, 45), Fold(3), Call(1), *stand_pat(1, 2))
    opened_by(game, 2).given(Check(2)).deal_on()
    done = until(game, events.OpenerChosen)
    assert happened(done, events.PlayerLeft) == [events.PlayerLeft(0, "short", 2)]
    assert len(happened(done, events.HandDealt)) == 3


@pytest.mark.parametrize(
    ("hands", "to"),
    [((ACES, ACES_AGAIN, KINGS), 1), ((KINGS, ACES, ACES_AGAIN), 2)],
    ids=["the lowest of equal stacks", "the largest stack"],
)
def test_what_is_left_when_the_game_ends_goes_to_the_winner(hands: tuple[str, ...], to: int) -> None:
    game = at_the_showdown(*hands, rounds=1)  # a pot of 15 for two
    game.deal_on()
    left, ended = game.deal_on()
    assert left == events.PotAwarded(1, "game_end", (events.Share(1, to),))
    assert WORDS.tell(left, game.state) == f"Player{to} wins 1, the chips left in the pot"
    assert isinstance(ended, events.GameEnded)
    assert ended.winners == (to,)
    assert (sum(ended.stacks), game.pot) == (300, 0)
