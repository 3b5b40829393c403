"""`capped-raise`, rule by rule: the first seat opens, a raise doubles the price up to a cap, three chips to stay."""

from collections.abc import Callable
from random import Random

import pytest

from pokersvc.core.actions import Action, Forfeit
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.scenario import (
    ACES,
    KINGS,
    NOTHING,
    QUEENS,
    Scenario,
    after_earlier_rounds,
    dealt,
    happened,
    rules_with,
    seated,
    stand_pat,
)
from .house import CAPPED_RAISE, HANDS, award, last_entry, until, with_hands

ACES_AGAIN = "AC AS 8D 6H 3S"  # ties with ACES
WORDS = DrawPokerWords()


def table_of(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0, rounds: int | None = None) -> Scenario:
    """Return a game with these hands just dealt and antes of 1 paid (``stacks`` are those before)."""
    return with_hands(CAPPED_RAISE, *hands, stacks=stacks, carried=carried, rounds=rounds).ready()


def checked(*seats: int) -> list[Action]:
    return [Check(seat) for seat in seats]


def at_the_showdown(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0, rounds: int | None = None) -> Scenario:
    """Return a game at the showdown, after all checked twice and stood pat."""
    seats = range(1, len(hands) + 1)
    game = table_of(*hands, stacks=stacks, carried=carried, rounds=rounds)
    return game.given(*checked(*seats), *stand_pat(*seats), *checked(*seats))


def test_the_house_is_what_its_rules_say() -> None:
    rules = CAPPED_RAISE
    assert (rules.seats.default, rules.seats.most, rules.stack, rules.stay) == (4, 10, 50, 3)
    assert (rules.ante.amount, rules.ante.increase, rules.ante.when, rules.discards) == (1, 0, "before_deal", 5)
    assert (rules.betting.minimum, rules.betting.maximum, rules.betting.cap) == (2, 2, 32)
    assert (rules.advice, rules.player, rules.remainder) == ("code", "regular", "carry")


def test_four_play_where_nobody_says_otherwise() -> None:
    options = DRAW_POKER.options({"rules": "capped-raise"})
    assert (DRAW_POKER.default_seats(options), DRAW_POKER.default_kind(options)) == (4, "regular")


def test_each_player_puts_one_chip_in_the_pot_before_the_deal() -> None:
    done = until(seated(4, rules=CAPPED_RAISE), events.HandDealt)
    assert done == [
        events.RoundStarted(1, None, 1),
        *[events.AntePosted(1, seat) for seat in (1, 2, 3, 4)],
        done[-1],
    ]
    assert isinstance(done[-1], events.DeckShuffled)


# Who opens.


def test_seat_1_opens_in_both_betting_rounds() -> None:
    game = table_of(*HANDS)
    assert game.to_act == 1
    game.given(*checked(1, 2, 3, 4), *stand_pat(1, 2, 3, 4))
    assert (game.view().stage, game.to_act) == ("final betting", 1)


def test_the_first_seat_still_in_opens_where_seat_1_is_not() -> None:
    game = table_of(*HANDS).given(Check(1), Bet(2, 2), Call(3), Call(4), Fold(1), *stand_pat(2, 3, 4))
    assert (game.view().stage, game.to_act) == ("final betting", 2)
    game.given(*checked(2, 3, 4)).deal_on()
    assert game.ready().to_act == 1, "who folded opens the next round"


def test_the_first_seat_still_in_the_game_opens_where_seat_1_has_left_it() -> None:
    game = after_earlier_rounds(seated(4, rules=CAPPED_RAISE), (2, 66, 66, 66)).ready()
    assert game.to_act == 2
    game.given(*checked(2, 3, 4), *stand_pat(2, 3, 4))
    assert game.to_act == 2


# Facing no bet.


def test_facing_no_bet_a_player_checks_or_bets_2() -> None:
    game = table_of(*HANDS)
    assert game.legal == LegalActions(check=True, bet=(2, 2))
    for amount in (0, 1, 3, 49):
        assert game.refusal(Bet(1, amount)) == "illegal_amount"
    assert game.refusal(Call(1)) == "cannot_call"
    assert game.refusal(Raise(1, 4)) == "cannot_raise"


def test_a_free_hand_is_never_folded() -> None:
    assert table_of(*HANDS).refusal(Fold(1)) == "cannot_fold"


def test_when_all_check_the_betting_round_ends() -> None:
    game = table_of(*HANDS).given(*checked(1, 2, 3, 4))
    assert (game.view().stage, game.pot) == ("draw", 4)


def test_a_bet_needs_2_chips() -> None:
    game = table_of(*HANDS, stacks=(3, 50, 50, 50))
    assert game.legal == LegalActions(check=True, bet=(2, 2))
    game = at_the_final_betting_with(1)
    assert game.legal == LegalActions(check=True)
    assert game.refusal(Bet(1, 2)) == "cannot_bet"


def at_the_final_betting_with(left: int) -> Scenario:
    """Return a game in which seat 1 has called 2 and has the given chips left."""
    game = table_of(*HANDS, stacks=(3 + left, 50, 50, 50))
    return game.given(Bet(1, 2), Call(2), Call(3), Call(4), *stand_pat(1, 2, 3, 4))


# Facing a bet.


def test_facing_a_bet_a_player_folds_calls_or_raises_to_double() -> None:
    game = table_of(*HANDS).given(Bet(1, 2))
    assert (game.to_act, game.legal) == (2, LegalActions(fold=True, call=2, raise_to=(4, 4)))
    for to in (2, 3, 5, 8):
        assert game.refusal(Raise(2, to)) == "illegal_amount"
    assert game.refusal(Check(2)) == "cannot_check"
    assert game.refusal(Bet(2, 2)) == "cannot_bet"


def test_raises_double_the_price_up_to_32_and_no_further() -> None:
    game = table_of(ACES, KINGS).given(Bet(1, 2))
    for seat, to in ((2, 4), (1, 8), (2, 16), (1, 32)):
        assert game.legal.raise_to == (to, to)
        game.given(Raise(seat, to))
    assert game.log[-1] == events.Raised(24, 1, 32)
    assert game.legal == LegalActions(fold=True, call=16)
    assert game.refusal(Raise(2, 64)) == "cannot_raise"
    game.given(Call(2))
    assert (game.pot, game.stacks, game.view().stage) == (66, (17, 17), "draw")


def test_the_cap_is_for_each_betting_round() -> None:
    game = table_of(ACES, KINGS, stacks=(200, 200)).given(Bet(1, 2), *raised((2, 4), (1, 8), (2, 16), (1, 32)), Call(2))
    game.given(*stand_pat(1, 2), Bet(1, 2), *raised((2, 4), (1, 8), (2, 16), (1, 32)))
    assert game.legal == LegalActions(fold=True, call=16)
    assert game.given(Call(2)).pot == 2 + 4 * 32


def raised(*prices: tuple[int, int]) -> list[Action]:
    return [Raise(seat, to) for seat, to in prices]


def test_a_call_puts_in_what_is_missing_to_the_price() -> None:
    game = table_of(ACES, KINGS, QUEENS).given(Bet(1, 2), Raise(2, 4), Call(3))
    assert game.log[-1] == events.Called(4, 3)
    game.given(Call(1))
    assert game.log[-1] == events.Called(2, 1)


@pytest.mark.parametrize(
    ("stack", "legal"),
    [
        (2, LegalActions(fold=True, call=2)),
        (3, LegalActions(fold=True, call=2)),
        (4, LegalActions(fold=True, call=2, raise_to=(4, 4))),
    ],
)
def test_every_choice_needs_the_chips_for_the_whole_new_price(stack: int, legal: LegalActions) -> None:
    game = table_of(ACES, KINGS, QUEENS, stacks=(50, stack + 1, 50)).given(Bet(1, 2))
    assert game.legal == legal


def test_chips_already_put_in_count_towards_the_price() -> None:
    game = table_of(ACES, KINGS, stacks=(9, 50)).given(Bet(1, 2), Raise(2, 4))
    assert game.legal == LegalActions(fold=True, call=2, raise_to=(8, 8))
    game = table_of(ACES, KINGS, stacks=(8, 50)).given(Bet(1, 2), Raise(2, 4))
    assert game.legal == LegalActions(fold=True, call=2)


def test_who_cannot_match_a_raise_is_folded_and_what_they_put_in_stays() -> None:
    game = table_of(ACES, KINGS, stacks=(5, 50)).given(Bet(1, 2), Raise(2, 4), Call(1), *stand_pat(1, 2))
    assert game.legal == LegalActions(check=True)
    done = game.given(Check(1), Bet(2, 2)).deal_on()
    assert done[0] == events.Folded("short", 1)
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(12, 2),))


def test_a_forfeit_folds_even_a_free_hand() -> None:
    game = table_of(*HANDS).given(Forfeit(1, "raised"))
    assert (game.log[-1], game.to_act) == (events.Forfeited("raised", 1), 2)


def test_who_forfeits_the_draw_stands_pat() -> None:
    game = table_of(*HANDS).given(*checked(1, 2, 3, 4), Forfeit(1, "timeout"))
    assert (game.view().stage, game.to_act, game.view().seat(1).standing) == ("draw", 2, "in")


# When it ends.


def test_the_betting_goes_round_until_all_still_in_have_put_in_the_same() -> None:
    game = table_of(*HANDS).given(Check(1), Bet(2, 2), Call(3), Raise(4, 4), Call(1), Fold(2))
    assert (game.view().stage, game.to_act) == ("first betting", 3)
    game.given(Call(3))
    assert game.view().stage == "draw"
    assert [seat.staked for seat in game.view().seats] == [5, 3, 5, 5]


def test_the_last_one_in_wins_at_once_and_shows_nothing() -> None:
    game = table_of(NOTHING, ACES, KINGS).given(Bet(1, 2), Fold(2), Fold(3))
    done = game.deal_on()
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(5, 1),))
    assert not happened(done, events.HandsOpened, events.HandShown)


def rounds_of_actions(players: int, choose: Callable[[Scenario], Action]) -> list[int]:
    """Play one round with chips for every price, and return how many actions each betting round took."""
    game = dealt(players, rules=rules_with_many_chips())
    counted: list[int] = []
    stage = ""
    while (seat := game.to_act) is not None:
        if (now := game.view().stage) == "draw":
            game.given(Discard(seat, ())).ready()
        else:
            if now != stage:
                counted.append(0)
            counted[-1] += 1
            game.given(choose(game)).ready()
        stage = now
    return counted


def rules_with_many_chips() -> DrawPokerRules:
    return CAPPED_RAISE.model_copy(update={"stack": 10_000})


@pytest.mark.parametrize("players", range(2, 11))
def test_a_betting_round_takes_at_most_6n_actions_and_nobody_can_make_it_longer_than_6n_minus_5(players: int) -> None:
    """The longest round: the last in turn bets, and each raise comes after everybody else has called."""

    def slowest(game: Scenario) -> Action:
        seat, legal = game.to_act or 0, game.legal
        last_to_answer = game.state.pending == 1 << seat
        if last_to_answer and legal.bet is not None:
            return Bet(seat, 2)
        if last_to_answer and legal.raise_to is not None:
            return Raise(seat, legal.raise_to[0])
        return Check(seat) if legal.check else Call(seat)

    assert rounds_of_actions(players, slowest) == [6 * players - 5] * 2


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_a_betting_round_at_random_is_never_longer(players: int) -> None:
    random = Random(players)

    def anything(game: Scenario) -> Action:
        seat, legal = game.to_act or 0, game.legal
        choices: list[Action] = [Check(seat) if legal.check else Call(seat)] * 4
        if legal.bet is not None:
            choices.append(Bet(seat, 2))
        if legal.raise_to is not None:
            choices += [Raise(seat, legal.raise_to[0])] * 2
        if legal.fold and random.random() < 0.1:
            choices.append(Fold(seat))
        return random.choice(choices)

    for _ in range(20):
        assert max(rounds_of_actions(players, anything)) <= 6 * players - 5


# The draw, the payout, and who stays.


@pytest.mark.parametrize("count", range(6))
def test_0_to_5_cards_are_discarded(count: int) -> None:
    game = seated(4, rules=CAPPED_RAISE).given(*checked(1, 2, 3, 4))
    assert game.legal == LegalActions(discard=5)
    thrown = game.hand(1)[:count]
    game.given(Discard(1, thrown)).deal_on()
    assert len(game.hand(1)) == 5
    assert not set(thrown) & set(game.hand(1))


def test_the_hands_still_in_are_opened_at_the_showdown() -> None:
    game = table_of(*HANDS).given(Bet(1, 2), Fold(2), Call(3), Call(4), *stand_pat(1, 3, 4), *checked(1, 3, 4))
    done = game.deal_on()
    assert isinstance(done[0], events.HandsOpened)
    assert [hand.seat for hand in done[0].hands] == [1, 3, 4]
    assert award(done).shares == (events.Share(10, 1),)
    assert "worth" not in WORDS.tell(done[0], game.state), "the linear value is another house's"


def test_equal_hands_share_equally_and_the_remainder_is_carried() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, KINGS)
    done = game.deal_on()
    assert done[1:] == [
        events.PotAwarded(1, "showdown", (events.Share(1, 1), events.Share(1, 2))),
        events.RemainderCarried(1),
        events.RoundEnded(1),
    ]
    assert WORDS.line(last_entry(game)) == "Round 1 -- Player1 and Player2 won 1 each, 1 carried"
    assert game.ready().pot == 1 + 3


def test_what_is_left_when_the_game_ends_goes_to_the_winner() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, KINGS, rounds=1)
    game.deal_on()
    assert game.deal_on() == [
        events.PotAwarded(1, "game_end", (events.Share(1, 1),)),
        events.GameEnded("rounds", (51, 50, 49), (1,)),
    ]


def test_with_fewer_than_3_chips_after_a_round_a_player_leaves_with_what_they_have() -> None:
    game = at_the_showdown(ACES, KINGS, QUEENS, stacks=(50, 3, 4))
    game.deal_on()
    assert game.stacks == (52, 2, 3)
    done = until(game, events.HandDealt)
    assert done[0] == events.PlayerLeft(0, "short", 2)
    assert WORDS.tell(done[0], game.state) == "Player2 cannot continue and is out with $2"
    assert game.stacks == (51, 2, 2)


def test_the_game_ends_when_fewer_than_two_have_3_chips() -> None:
    game = at_the_showdown(ACES, KINGS, QUEENS, stacks=(50, 3, 3))
    game.deal_on()
    assert game.deal_on() == [
        events.PlayerLeft(0, "short", 2),
        events.PlayerLeft(0, "short", 3),
        events.GameEnded("last_player", (52, 2, 2), (1,)),
    ]


def test_when_nobody_has_3_chips_the_largest_stack_wins_and_gets_what_was_carried() -> None:
    game = after_earlier_rounds(seated(3, rules=CAPPED_RAISE), (2, 1, 2), carried=1)
    done = game.deal_on()
    assert happened(done, events.PlayerLeft) == [events.PlayerLeft(0, "short", seat) for seat in (1, 2, 3)]
    assert done[-2:] == [
        events.PotAwarded(1, "game_end", (events.Share(1, 1),)),
        events.GameEnded("last_player", (3, 1, 2), (1,)),
    ]


def test_the_house_is_not_the_only_one_with_a_cap() -> None:
    house = {"betting__raises": "double", "betting__cap": 200, "betting__maximum": 50, "ante__increase": 0}
    game = dealt(2, rules=rules_with(**house)).given(Bet(1, 50))
    assert game.legal.raise_to == (100, 100)
    assert game.given(Raise(2, 100)).legal.raise_to == (200, 200)
    assert game.given(Raise(1, 200)).legal.raise_to is None
