"""Rounds and antes: how a round starts, the amount of the ante, and how the game ends."""

import pytest

from pokersvc.betting.state import BettingState
from pokersvc.core.actions import Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import StreamRandom
from pokersvc.core.state import Outcome
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold, LegalActions
from pokersvc.games.draw_poker.advising.players import MinimumPlayer
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.betting_terms import streets_of, terms_of
from pokersvc.games.draw_poker.house.houses import preset, preset_names

from .scenario import (
    ACES,
    KINGS,
    RISING_ANTE,
    Scenario,
    after_earlier_rounds,
    dealt,
    happened,
    rules_with,
    seated,
    stand_pat,
)

SHOWN = rules_with(history="shown")
"""Without the hands that rising-ante reveals at the end of a game."""


def after_a_round(
    players: int = 2, persons: tuple[int, ...] = (), rounds: int | None = None, engine: int = DRAW_POKER.engine
) -> Scenario:
    """Return a game just after round 1, in which all but the last seat folded."""
    game = seated(players, persons=persons, rounds=rounds, rules=SHOWN, engine=engine)
    game.given(*(Fold(seat) for seat in range(1, players))).deal_on()
    return game


def between_rounds(*stacks: int, carried: int = 0, rounds: int | None = None) -> Scenario:
    """Return a game of bots after round 1, with these stacks and this pot."""
    return after_earlier_rounds(after_a_round(len(stacks), rounds=rounds), stacks, carried)


def test_the_house_is_as_the_table_of_its_rules_says() -> None:
    house = RISING_ANTE
    assert (house.seats.default, house.seats.most, house.stack, house.discards, house.advice) == (2, 10, 1000, 4, "win")
    assert (house.ante.amount, house.ante.increase, house.betting.minimum) == (5, 1, 50)


def test_a_round_is_antes_shuffle_deal_and_then_the_first_betting() -> None:
    game = seated(3)
    done = game.deal_on()
    assert [type(event) for event in done] == [
        events.RoundStarted,
        *[events.AntePosted] * 3,
        events.DeckShuffled,
        *[events.HandDealt] * 3,
    ]
    assert game.to_act == 1
    assert game.legal == LegalActions(fold=True, bet=(50, 995))


def test_the_ante_is_5_in_round_1_and_1_more_each_round() -> None:
    game = seated(2)
    antes = []
    for _ in range(4):
        done = game.ready().given(Fold(1)).log
        antes.append(happened(done, events.RoundStarted)[-1])
        game.deal_on()
    assert antes == [events.RoundStarted(5 + n, None, 1 + n) for n in range(4)]


def test_every_player_pays_the_ante_before_the_deal_in_seat_order() -> None:
    done = seated(3).deal_on()
    assert happened(done, events.AntePosted) == [events.AntePosted(5, seat) for seat in (1, 2, 3)]
    assert dealt(3).pot == 15
    assert dealt(3).stacks == (995, 995, 995)


def test_each_seat_in_turn_is_dealt_the_next_five_cards_of_the_deck() -> None:
    from pokersvc.cards import FRESH_DECK, shuffle

    done = seated(3).deal_on()
    (shuffled,) = happened(done, events.DeckShuffled)
    assert isinstance(shuffled, events.DeckShuffled)
    assert shuffled.seed is not None
    deck = shuffle(FRESH_DECK, shuffled.seed)
    dealt = happened(done, events.HandDealt)
    assert [(one.cards, one.count, one.seat) for one in dealt] == [
        (deck[0:5], 5, 1),
        (deck[5:10], 5, 2),
        (deck[10:15], 5, 3),
    ]


def test_the_deck_of_every_round_has_a_seed_of_its_own() -> None:
    game = after_a_round()
    game.deal_on()
    first, second = happened(game.log, events.DeckShuffled)
    assert first != second


def test_who_cannot_pay_the_next_ante_sits_out_with_their_chips_from_then_on() -> None:
    game = between_rounds(5, 1500, 1495)
    left, started, *_ = game.deal_on()
    assert left == events.PlayerLeft(0, "short", 1)
    assert started == events.RoundStarted(6, None, 2)
    assert game.stacks == (5, 1494, 1489)
    assert game.to_act == 2
    assert [seat.standing for seat in game.view().seats] == ["out", "in", "in"]
    assert game.given(Fold(2)).deal_on()[-1] == events.RoundEnded(2)
    assert events.AntePosted(7, 1) not in game.deal_on()


def test_who_can_just_pay_the_ante_plays_on_without_a_chip() -> None:
    game = between_rounds(6, 1500, 1494)
    assert events.AntePosted(6, 1) in game.deal_on()
    assert game.stacks[0] == 0
    assert happened(game.log, events.Folded)[-1] == events.Folded("short", 1)
    assert game.to_act == 2


def test_the_game_ends_when_fewer_than_two_can_pay_the_next_ante() -> None:
    game = between_rounds(5, 1995)
    assert game.deal_on() == [
        events.PlayerLeft(0, "short", 1),
        events.GameEnded("last_player", (5, 1995), (2,)),
    ]
    assert game.state.outcome == Outcome((5, 1995), (2, 1))
    assert game.to_act is None
    assert game.dealer() is None


def test_the_game_ends_when_nobody_can_pay_the_next_ante() -> None:
    assert between_rounds(5, 5).deal_on() == [
        events.PlayerLeft(0, "short", 1),
        events.PlayerLeft(0, "short", 2),
        events.GameEnded("last_player", (5, 5), (1, 2)),
    ]


def test_the_game_ends_after_its_rounds() -> None:
    game = seated(2, rounds=2, rules=SHOWN)
    game.given(Fold(1)).deal_on()
    game.given(Fold(1)).deal_on()
    assert game.deal_on() == [events.GameEnded("rounds", (989, 1011), (2,))]


def test_nobody_is_put_out_for_being_short_when_all_rounds_are_played() -> None:
    assert between_rounds(3, 1997, rounds=1).deal_on() == [events.GameEnded("rounds", (3, 1997), (2,))]


def test_the_winner_is_the_largest_stack_several_if_equal() -> None:
    game = between_rounds(1200, 600, 1200, rounds=1)
    assert game.deal_on() == [events.GameEnded("rounds", (1200, 600, 1200), (1, 3))]
    assert game.state.outcome is not None
    assert game.state.outcome.ranks == (1, 3, 1)
    assert game.state.outcome.winners == (1, 3)


@pytest.mark.parametrize(("stacks", "winner"), [((900, 1099), 2), ((1000, 999), 1), ((999, 1000), 2)])
def test_a_remainder_at_the_games_end_goes_to_the_largest_stack(stacks: tuple[int, int], winner: int) -> None:
    after = tuple(stack + (seat == winner) for seat, stack in enumerate(stacks, 1))
    assert between_rounds(*stacks, carried=1, rounds=1).deal_on() == [
        events.PotAwarded(1, "game_end", (events.Share(1, winner),)),
        events.GameEnded("rounds", after, (winner,)),
    ]


def test_a_remainder_goes_to_the_lowest_seat_of_equal_stacks() -> None:
    award, ended = between_rounds(900, 1099, 1099, carried=2, rounds=1).deal_on()
    assert award == events.PotAwarded(1, "game_end", (events.Share(2, 2),))
    assert ended == events.GameEnded("rounds", (900, 1101, 1099), (2,))


def test_a_remainder_that_would_pay_the_ante_does_not_prolong_the_game() -> None:
    *left, award, ended = between_rounds(5, 5, 5, carried=1).deal_on()
    assert left == [events.PlayerLeft(0, "short", seat) for seat in (1, 2, 3)]
    assert award == events.PotAwarded(1, "game_end", (events.Share(1, 1),))
    assert ended == events.GameEnded("last_player", (6, 5, 5), (1,))


def test_a_remainder_at_the_games_end_counts_as_won_in_no_round() -> None:
    game = between_rounds(1000, 999, carried=1, rounds=1)
    (award, _) = game.deal_on()
    assert game.state.entry(award, EVERYONE) is None


# Two players who always bet the minimum.


def test_two_players_who_always_bet_the_minimum_make_pots_of_210_212_214() -> None:
    game, player = seated(2, rounds=3), MinimumPlayer()
    lines: list[str] = []
    while game.state.outcome is None:
        if game.deal_on()[-1:] == [events.RoundEnded(len(lines) + 1)]:
            entry = game.state.entry(game.log[-1], EVERYONE)
            assert entry is not None
            lines.append(DrawPokerWords().line(entry))
        if (seat := game.to_act) is not None:
            game.given(player.choose(game.view(seat), game.legal, StreamRandom(b"unused")))
    assert [line.rpartition(" ")[2] for line in lines] == ["210", "212", "214"]
    assert lines[0] in ("Round 1 -- Player1 won 210", "Round 1 -- Player2 won 210")
    assert lines[1] in ("Round 2 -- Player1 won 212", "Round 2 -- Player2 won 212")


def test_a_round_bet_by_bet() -> None:
    game = dealt(2, KINGS, ACES)
    game.given(Bet(1, 50), Call(2), *stand_pat(1, 2), Bet(1, 50), Call(2))
    done = game.deal_on()
    assert [type(event) for event in done] == [events.HandsOpened, events.PotAwarded, events.RoundEnded]
    assert done[1] == events.PotAwarded(1, "showdown", (events.Share(210, 2),))
    assert game.stacks == (895, 1105)
    assert game.pot == 0


# Leaving.


def test_a_person_may_leave_for_good_between_rounds_with_their_chips() -> None:
    game = after_a_round(3, persons=(1,))
    assert game.state.pausing
    game.given(game.event_of(Leave(1)))
    assert game.log[-1] == events.PlayerLeft(0, "withdrew", 1)
    started, *rest = game.deal_on()
    assert started == events.RoundStarted(6, None, 2)
    assert happened(rest, events.AntePosted) == [events.AntePosted(6, 2), events.AntePosted(6, 3)]
    assert game.stacks[0] == 995


def test_the_winner_is_named_among_those_who_still_sit() -> None:
    game = after_a_round(3, persons=(3,), rounds=2)
    assert game.stacks == (995, 995, 1010)
    game.given(Leave(3)).given(Fold(1)).deal_on()
    *_, ended = game.deal_on()
    assert ended == events.GameEnded("rounds", (989, 1001, 1010), (2,))
    assert game.state.outcome == Outcome((989, 1001, 1010), (3, 1, 2))
    assert DrawPokerWords().result(game.state.seats, game.state.outcome) == (
        "Player2 did best of those who stayed, with $1,001; Player3 brought home $1,010 and Player1 $989"
    )


def test_only_where_nobody_sits_any_more_the_winner_is_named_among_all() -> None:
    game = after_a_round(3, persons=(1, 2, 3)).given(Leave(3), Leave(1), events.PlayerLeft(0, "short", 2))
    *_, ended = game.deal_on()
    assert ended == events.GameEnded("last_player", (995, 995, 1010), (3,))


def test_by_the_first_engine_who_left_may_be_the_winner() -> None:
    game = after_a_round(3, persons=(3,), rounds=2, engine=1)
    game.given(Leave(3)).given(Fold(1)).deal_on()
    *_, ended = game.deal_on()
    assert ended == events.GameEnded("rounds", (989, 1001, 1010), (3,))


def test_a_remainder_at_the_end_goes_to_the_largest_stack_that_still_sits() -> None:
    game = after_a_round(3, persons=(3,), rounds=2)
    game.given(Leave(3)).given(Fold(1)).deal_on()
    after_earlier_rounds(game, (989, 1000, 1010), carried=1)
    award, *_, ended = game.deal_on()
    assert award == events.PotAwarded(1, "game_end", (events.Share(1, 2),))
    assert ended == events.GameEnded("rounds", (989, 1001, 1010), (2,))


def test_who_cannot_go_on_is_out_before_anybody_is_asked() -> None:
    game = after_earlier_rounds(after_a_round(3, persons=(1, 2)), (0, 1500, 1500))
    assert not game.state.pausing
    assert game.dealer() == events.PlayerLeft(0, "short", 1)
    assert game.given(events.PlayerLeft(0, "short", 1)).state.pausing


def test_the_game_does_not_wait_for_a_person_who_cannot_go_on() -> None:
    game = after_earlier_rounds(after_a_round(3, persons=(1,)), (0, 1500, 1500))
    game.given(events.PlayerLeft(0, "short", 1))
    assert not game.state.pausing
    assert isinstance(game.dealer(), events.RoundStarted)


def test_the_game_does_not_wait_for_a_person_without_chips_who_is_dealt_a_hand() -> None:
    game = seated(3, persons=(1,), rules=preset("buy-the-pot"))
    game.state.round = 1
    assert after_earlier_rounds(game, (1, 200, 199)).state.pausing
    assert not after_earlier_rounds(game, (0, 200, 200)).state.pausing


def test_by_the_first_engine_a_person_without_chips_is_waited_for() -> None:
    assert after_earlier_rounds(after_a_round(3, persons=(1,), engine=1), (0, 1500, 1500)).state.pausing


def test_leaving_ends_the_game_when_one_player_remains() -> None:
    game = after_a_round(2, persons=(1,)).given(Leave(1))
    assert not game.state.pausing
    assert game.deal_on() == [events.GameEnded("last_player", (995, 1005), (2,))]


def test_only_a_person_may_leave() -> None:
    game = after_a_round(3, persons=(1,))
    assert [game.refusal(Leave(seat)) for seat in (2, 3, 0, -1, 4)] == ["not_a_person"] * 5


def test_a_game_without_a_person_does_not_pause() -> None:
    assert not after_a_round(3).state.pausing


@pytest.mark.parametrize("game", [seated(2, persons=(1, 2)), dealt(2, persons=(1, 2))], ids=["before", "in a round"])
def test_nobody_may_leave_before_the_first_round_or_in_one(game: Scenario) -> None:
    assert not game.state.pausing
    assert game.refusal(Leave(1)) == "not_between_rounds"
    assert game.refusal(Leave(2)) == "not_between_rounds"


def test_nobody_may_leave_once_the_next_round_has_started() -> None:
    game = after_a_round(2, persons=(1,)).given(events.RoundStarted(6, None, 2))
    assert game.refusal(Leave(1)) == "not_between_rounds"


def test_nobody_may_leave_a_game_that_ends_anyway() -> None:
    assert after_a_round(2, persons=(1, 2), rounds=1).refusal(Leave(1)) == "not_between_rounds"
    assert after_earlier_rounds(after_a_round(2, persons=(1, 2)), (5, 1995)).refusal(Leave(2)) == "not_between_rounds"


def test_who_has_left_cannot_leave_again_nor_act() -> None:
    game = after_a_round(4, persons=(1, 2)).given(Leave(1))
    assert game.refusal(Leave(1)) == "already_out"
    assert game.ready().refusal(Fold(1)) == "not_your_turn"


def test_several_persons_may_leave_in_one_pause() -> None:
    game = after_a_round(4, persons=(1, 2)).given(Leave(2), Leave(1))
    assert happened(game.deal_on(), events.AntePosted) == [events.AntePosted(6, 3), events.AntePosted(6, 4)]


def test_when_the_last_person_has_left_the_game_pauses_no_more() -> None:
    assert not after_a_round(3, persons=(1,)).given(Leave(1)).state.pausing


def test_what_is_no_action_of_draw_poker_is_refused() -> None:
    assert dealt(2).refusal("fold") == "unknown_action"


def test_a_stack_of_its_own_and_an_ante_that_stays() -> None:
    game = dealt(2, rules=rules_with(stack=60, ante__amount=10, ante__increase=0))
    assert game.stacks == (50, 50)
    game.given(Fold(1)).deal_on()
    assert happened(game.deal_on(), events.RoundStarted) == [events.RoundStarted(10, None, 2)]


def test_when_a_game_is_over_nobody_acts() -> None:
    game = between_rounds(5, 1995)
    game.deal_on()
    assert game.refusal(Check(1)) == "not_your_turn"
    assert game.refusal(Leave(1)) == "not_a_person"


@pytest.mark.parametrize("house", preset_names())
def test_what_betting_asks_for_to_stay_in_is_what_the_rules_say(house: str) -> None:
    rules = preset(house)
    state = BettingState(terms_of(rules, 4, None), streets_of(rules)[0], (), [0])
    for state.round in (0, 1, 8):
        assert state.price_to_stay() == rules.price_to_stay(state.round + 1)
