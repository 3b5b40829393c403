"""`capped-raise`, rule by rule: the first seat opens, a raise doubles the price up to a cap, three chips to stay."""

from collections.abc import Callable
from random import Random

import pytest

from pokersvc.core.actions import Action, Forfeit
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.words import DrawPokerWords

from ..draw_poker.table import (
    ACES,
    KINGS,
    NOTHING,
    QUEENS,
    Table,
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


def table_of(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0, rounds: int | None = None) -> Table:
    """Hands just dealt, antes of 1 paid (``stacks`` are those before)."""
    return with_hands(CAPPED_RAISE, *hands, stacks=stacks, carried=carried, rounds=rounds).ready()


def checked(*seats: int) -> list[Action]:
    return [Check(seat) for seat in seats]


def at_the_showdown(*hands: str, stacks: tuple[int, ...] = (), carried: int = 0, rounds: int | None = None) -> Table:
    """All have checked twice and stood pat."""
    seats = range(1, len(hands) + 1)
    table = table_of(*hands, stacks=stacks, carried=carried, rounds=rounds)
    return table.given(*checked(*seats), *stand_pat(*seats), *checked(*seats))


def test_the_house_is_what_its_rules_say() -> None:
    rules = CAPPED_RAISE
    assert (rules.seats.default, rules.seats.most, rules.stack, rules.stay) == (4, 10, 50, 3)
    assert (rules.ante.amount, rules.ante.increase, rules.ante.when, rules.discards) == (1, 0, "before_deal", 5)
    assert (rules.betting.minimum, rules.betting.maximum, rules.betting.cap) == (2, 2, 32)
    assert (rules.advice, rules.player, rules.remainder) == ("code", "table", "carry")


def test_four_seats_of_the_program_table_where_nobody_says_otherwise() -> None:
    options = DRAW_POKER.options({"rules": "capped-raise"})
    assert (DRAW_POKER.default_seats(options), DRAW_POKER.default_kind(options)) == (4, "table")


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
    table = table_of(*HANDS)
    assert table.to_act == 1
    table.given(*checked(1, 2, 3, 4), *stand_pat(1, 2, 3, 4))
    assert (table.view().stage, table.to_act) == ("final betting", 1)


def test_the_first_seat_still_in_opens_where_seat_1_is_not() -> None:
    table = table_of(*HANDS).given(Check(1), Bet(2, 2), Call(3), Call(4), Fold(1), *stand_pat(2, 3, 4))
    assert (table.view().stage, table.to_act) == ("final betting", 2)
    table.given(*checked(2, 3, 4)).deal_on()
    assert table.ready().to_act == 1, "who folded opens the next round"


def test_the_first_seat_still_in_the_game_opens_where_seat_1_has_left_it() -> None:
    table = after_earlier_rounds(seated(4, rules=CAPPED_RAISE), (2, 66, 66, 66)).ready()
    assert table.to_act == 2
    table.given(*checked(2, 3, 4), *stand_pat(2, 3, 4))
    assert table.to_act == 2


# Facing no bet.


def test_facing_no_bet_a_player_checks_or_bets_2() -> None:
    table = table_of(*HANDS)
    assert table.legal == LegalActions(check=True, bet=(2, 2))
    for amount in (0, 1, 3, 49):
        assert table.refusal(Bet(1, amount)) == "illegal_amount"
    assert table.refusal(Call(1)) == "cannot_call"
    assert table.refusal(Raise(1, 4)) == "cannot_raise"


def test_a_free_hand_is_never_folded() -> None:
    assert table_of(*HANDS).refusal(Fold(1)) == "cannot_fold"


def test_when_all_check_the_betting_round_ends() -> None:
    table = table_of(*HANDS).given(*checked(1, 2, 3, 4))
    assert (table.view().stage, table.pot) == ("draw", 4)


def test_a_bet_needs_2_chips() -> None:
    table = table_of(*HANDS, stacks=(3, 50, 50, 50))
    assert table.legal == LegalActions(check=True, bet=(2, 2))
    table = at_the_final_betting_with(1)
    assert table.legal == LegalActions(check=True)
    assert table.refusal(Bet(1, 2)) == "cannot_bet"


def at_the_final_betting_with(left: int) -> Table:
    """Seat 1 has called 2 and has so many chips left."""
    table = table_of(*HANDS, stacks=(3 + left, 50, 50, 50))
    return table.given(Bet(1, 2), Call(2), Call(3), Call(4), *stand_pat(1, 2, 3, 4))


# Facing a bet.


def test_facing_a_bet_a_player_folds_calls_or_raises_to_double() -> None:
    table = table_of(*HANDS).given(Bet(1, 2))
    assert (table.to_act, table.legal) == (2, LegalActions(fold=True, call=2, raise_to=(4, 4)))
    for to in (2, 3, 5, 8):
        assert table.refusal(Raise(2, to)) == "illegal_amount"
    assert table.refusal(Check(2)) == "cannot_check"
    assert table.refusal(Bet(2, 2)) == "cannot_bet"


def test_raises_double_the_price_up_to_32_and_no_further() -> None:
    table = table_of(ACES, KINGS).given(Bet(1, 2))
    for seat, to in ((2, 4), (1, 8), (2, 16), (1, 32)):
        assert table.legal.raise_to == (to, to)
        table.given(Raise(seat, to))
    assert table.log[-1] == events.Raised(24, 1, 32)
    assert table.legal == LegalActions(fold=True, call=16)
    assert table.refusal(Raise(2, 64)) == "cannot_raise"
    table.given(Call(2))
    assert (table.pot, table.stacks, table.view().stage) == (66, (17, 17), "draw")


def test_the_cap_is_for_each_betting_round() -> None:
    table = table_of(ACES, KINGS, stacks=(200, 200)).given(
        Bet(1, 2), *raised((2, 4), (1, 8), (2, 16), (1, 32)), Call(2)
    )
    table.given(*stand_pat(1, 2), Bet(1, 2), *raised((2, 4), (1, 8), (2, 16), (1, 32)))
    assert table.legal == LegalActions(fold=True, call=16)
    assert table.given(Call(2)).pot == 2 + 4 * 32


def raised(*prices: tuple[int, int]) -> list[Action]:
    return [Raise(seat, to) for seat, to in prices]


def test_a_call_puts_in_what_is_missing_to_the_price() -> None:
    table = table_of(ACES, KINGS, QUEENS).given(Bet(1, 2), Raise(2, 4), Call(3))
    assert table.log[-1] == events.Called(4, 3)
    table.given(Call(1))
    assert table.log[-1] == events.Called(2, 1)


@pytest.mark.parametrize(
    ("stack", "legal"),
    [
        (2, LegalActions(fold=True, call=2)),
        (3, LegalActions(fold=True, call=2)),
        (4, LegalActions(fold=True, call=2, raise_to=(4, 4))),
    ],
)
def test_every_choice_needs_the_chips_for_the_whole_new_price(stack: int, legal: LegalActions) -> None:
    table = table_of(ACES, KINGS, QUEENS, stacks=(50, stack + 1, 50)).given(Bet(1, 2))
    assert table.legal == legal


def test_chips_already_put_in_count_towards_the_price() -> None:
    table = table_of(ACES, KINGS, stacks=(9, 50)).given(Bet(1, 2), Raise(2, 4))
    assert table.legal == LegalActions(fold=True, call=2, raise_to=(8, 8))
    table = table_of(ACES, KINGS, stacks=(8, 50)).given(Bet(1, 2), Raise(2, 4))
    assert table.legal == LegalActions(fold=True, call=2)


def test_who_cannot_match_a_raise_is_folded_and_what_they_put_in_stays() -> None:
    table = table_of(ACES, KINGS, stacks=(5, 50)).given(Bet(1, 2), Raise(2, 4), Call(1), *stand_pat(1, 2))
    assert table.legal == LegalActions(check=True)
    done = table.given(Check(1), Bet(2, 2)).deal_on()
    assert done[0] == events.Folded("short", 1)
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(12, 2),))


def test_a_forfeit_folds_even_a_free_hand() -> None:
    table = table_of(*HANDS).given(Forfeit(1, "raised"))
    assert (table.log[-1], table.to_act) == (events.Forfeited("raised", 1), 2)


def test_who_forfeits_the_draw_stands_pat() -> None:
    table = table_of(*HANDS).given(*checked(1, 2, 3, 4), Forfeit(1, "timeout"))
    assert (table.view().stage, table.to_act, table.view().seat(1).standing) == ("draw", 2, "in")


# When it ends.


def test_the_betting_goes_round_until_all_still_in_have_put_in_the_same() -> None:
    table = table_of(*HANDS).given(Check(1), Bet(2, 2), Call(3), Raise(4, 4), Call(1), Fold(2))
    assert (table.view().stage, table.to_act) == ("first betting", 3)
    table.given(Call(3))
    assert table.view().stage == "draw"
    assert [seat.staked for seat in table.view().seats] == [5, 3, 5, 5]


def test_the_last_one_in_wins_at_once_and_shows_nothing() -> None:
    table = table_of(NOTHING, ACES, KINGS).given(Bet(1, 2), Fold(2), Fold(3))
    done = table.deal_on()
    assert award(done) == events.PotAwarded(1, "last_in", (events.Share(5, 1),))
    assert not happened(done, events.HandsOpened, events.HandShown)


def rounds_of_actions(players: int, choose: Callable[[Table], Action]) -> list[int]:
    """Play one round with chips for every price, and return how many actions each betting round took."""
    table = dealt(players, rules=rules_with_many_chips())
    counted: list[int] = []
    stage = ""
    while (seat := table.to_act) is not None:
        if (now := table.view().stage) == "draw":
            table.given(Discard(seat, ())).ready()
        else:
            if now != stage:
                counted.append(0)
            counted[-1] += 1
            table.given(choose(table)).ready()
        stage = now
    return counted


def rules_with_many_chips() -> DrawPokerRules:
    return CAPPED_RAISE.model_copy(update={"stack": 10_000})


@pytest.mark.parametrize("players", range(2, 11))
def test_a_betting_round_takes_at_most_6n_actions_and_nobody_can_make_it_longer_than_6n_minus_5(players: int) -> None:
    """The last in turn bets, and each raise waits until everybody else has called: the longest there is."""

    def slowest(table: Table) -> Action:
        seat, legal = table.to_act or 0, table.legal
        last_to_answer = table.state.pending == 1 << seat
        if last_to_answer and legal.bet is not None:
            return Bet(seat, 2)
        if last_to_answer and legal.raise_to is not None:
            return Raise(seat, legal.raise_to[0])
        return Check(seat) if legal.check else Call(seat)

    assert rounds_of_actions(players, slowest) == [6 * players - 5] * 2


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_a_betting_round_at_random_is_never_longer(players: int) -> None:
    random = Random(players)

    def anything(table: Table) -> Action:
        seat, legal = table.to_act or 0, table.legal
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
    table = seated(4, rules=CAPPED_RAISE).given(*checked(1, 2, 3, 4))
    assert table.legal == LegalActions(discard=5)
    thrown = table.hand(1)[:count]
    table.given(Discard(1, thrown)).deal_on()
    assert len(table.hand(1)) == 5
    assert not set(thrown) & set(table.hand(1))


def test_the_hands_still_in_are_opened_at_the_showdown() -> None:
    table = table_of(*HANDS).given(Bet(1, 2), Fold(2), Call(3), Call(4), *stand_pat(1, 3, 4), *checked(1, 3, 4))
    done = table.deal_on()
    assert isinstance(done[0], events.HandsOpened)
    assert [hand.seat for hand in done[0].hands] == [1, 3, 4]
    assert award(done).shares == (events.Share(10, 1),)
    assert "worth" not in WORDS.tell(done[0], table.state), "the linear value is another house's"


def test_equal_hands_share_equally_and_the_remainder_is_carried() -> None:
    table = at_the_showdown(ACES, ACES_AGAIN, KINGS)
    done = table.deal_on()
    assert done[1:] == [
        events.PotAwarded(1, "showdown", (events.Share(1, 1), events.Share(1, 2))),
        events.RemainderCarried(1),
        events.RoundEnded(1),
    ]
    assert WORDS.line(last_entry(table)) == "Round 1 -- Player1 and Player2 won 1 each, 1 carried"
    assert table.ready().pot == 1 + 3


def test_what_is_left_when_the_game_ends_goes_to_the_winner() -> None:
    table = at_the_showdown(ACES, ACES_AGAIN, KINGS, rounds=1)
    table.deal_on()
    assert table.deal_on() == [
        events.PotAwarded(1, "game_end", (events.Share(1, 1),)),
        events.GameEnded("rounds", (51, 50, 49), (1,)),
    ]


def test_with_fewer_than_3_chips_after_a_round_a_player_leaves_with_what_they_have() -> None:
    table = at_the_showdown(ACES, KINGS, QUEENS, stacks=(50, 3, 4))
    table.deal_on()
    assert table.stacks == (52, 2, 3)
    done = until(table, events.HandDealt)
    assert done[0] == events.PlayerLeft(0, "short", 2)
    assert WORDS.tell(done[0], table.state) == "Player2 cannot continue and is out with $2"
    assert table.stacks == (51, 2, 2)


def test_the_game_ends_when_fewer_than_two_have_3_chips() -> None:
    table = at_the_showdown(ACES, KINGS, QUEENS, stacks=(50, 3, 3))
    table.deal_on()
    assert table.deal_on() == [
        events.PlayerLeft(0, "short", 2),
        events.PlayerLeft(0, "short", 3),
        events.GameEnded("last_player", (52, 2, 2), (1,)),
    ]


def test_when_nobody_has_3_chips_the_largest_stack_wins_and_gets_what_was_carried() -> None:
    table = after_earlier_rounds(seated(3, rules=CAPPED_RAISE), (2, 1, 2), carried=1)
    done = table.deal_on()
    assert happened(done, events.PlayerLeft) == [events.PlayerLeft(0, "short", seat) for seat in (1, 2, 3)]
    assert done[-2:] == [
        events.PotAwarded(1, "game_end", (events.Share(1, 1),)),
        events.GameEnded("last_player", (3, 1, 2), (1,)),
    ]


def test_the_house_is_not_the_only_one_with_a_cap() -> None:
    house = {"betting__raises": "double", "betting__cap": 200, "betting__maximum": 50, "ante__increase": 0}
    table = dealt(2, rules=rules_with(**house)).given(Bet(1, 50))
    assert table.legal.raise_to == (100, 100)
    assert table.given(Raise(2, 100)).legal.raise_to == (200, 200)
    assert table.given(Raise(1, 200)).legal.raise_to is None
