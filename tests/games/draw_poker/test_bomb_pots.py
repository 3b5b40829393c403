"""Bomb pots of a cash game: everybody antes, nobody bets before the draw, and the blinds go on as before."""

from typing import Any

import pytest

from pokersvc.betting.cash import SitIn, SitOut
from pokersvc.betting.seats import seats_in
from pokersvc.betting.wishes import Wish
from pokersvc.core.event import Event
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, events
from pokersvc.games.draw_poker.actions import AnnounceBombPot, Bet, Discard
from pokersvc.games.draw_poker.display.terms import terms
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_rules import CashRules

from .cash_evening import after_a_round, another_round, before_the_round, evening
from .scenario import Scenario

WORDS = DrawPokerWords()


def with_bomb_pots(**given: Any) -> Scenario:
    """A cash game after its first round, whose host may announce bomb pots of five big blinds of 2."""
    return after_a_round(**{"seats": 4, "bomb_pot": 5, **given})


def announced(game: Scenario, seat: int = 0) -> Scenario:
    return game.given(game.event_of(AnnounceBombPot(seat)))


def the_bomb_pot(game: Scenario) -> Scenario:
    """Announce a bomb pot, and play the round before it."""
    announced(game)
    return another_round(game)


def of_round(game: Scenario, *types: type[Event]) -> list[Any]:
    """The events of these types in the current or last round."""
    began = max(at for at, one in enumerate(game.log) if isinstance(one, events.RoundStarted))
    return [one for one in game.log[began:] if isinstance(one, types or (Event,))]


def begun(game: Scenario) -> events.RoundStarted:
    """Begin the next round, and return its event."""
    game.deal_on()
    return next(one for one in reversed(game.log) if isinstance(one, events.RoundStarted))


# Given a house with bomb pots.


def test_the_host_announces_the_round_after_the_next() -> None:
    game = announced(with_bomb_pots(), 1)
    assert game.log[-1] == cash_events.BombPotAnnounced(1, False, 3)
    another_round(game)
    assert of_round(game, events.RoundStarted) == [events.RoundStarted(0, 2, 2)], "the next round is as ever"
    assert of_round(game, events.BlindPosted)
    assert begun(game).ante == 10


def test_everybody_antes_and_nobody_bets_before_the_draw() -> None:
    game = the_bomb_pot(with_bomb_pots())
    begun(game)
    assert of_round(game, events.AntePosted) == [events.AntePosted(10, seat) for seat in (3, 4, 1, 2)]
    assert not of_round(game, events.BlindPosted, events.Posted)
    assert game.state.pot == 40
    assert game.legal.discard == 5, "the draw follows the deal"
    assert game.to_act == game.state.button % 4 + 1
    for seat in (3, 4, 1, 2):
        game.given(Discard(seat, ())).ready()
    assert (game.to_act, game.legal.check, game.legal.bet) == (3, True, (2, game.state.stacks[3]))
    another_round(game)
    assert game.state.pot == 0
    assert sum(game.state.stacks) == 400


def test_the_button_and_the_blinds_go_on_as_if_there_had_been_none() -> None:
    game, without = with_bomb_pots(), with_bomb_pots()
    the_bomb_pot(game)
    another_round(without)
    before = game.state.button, game.state.small_blind, game.state.big_blind
    another_round(game)
    assert (game.state.button, game.state.small_blind, game.state.big_blind) == before
    for one in (game, without):
        another_round(one)
    assert [(one.blind, one.seat) for one in of_round(game, events.BlindPosted)] == [
        (one.blind, one.seat) for one in of_round(without, events.BlindPosted)
    ]
    assert game.state.button == without.state.button


def test_who_sits_out_of_it_owes_nothing() -> None:
    game = the_bomb_pot(with_bomb_pots())
    away = game.state.big_blind % 4 + 1
    game.given(SitOut(away))
    another_round(game)
    assert [one.seat for one in of_round(game, events.AntePosted)] == [seat for seat in (3, 4, 1, 2) if seat != away]
    assert not game.state.owes_big | game.state.owes_small
    game.given(SitIn(away))
    another_round(game)
    assert not of_round(game, events.Posted), "nothing is made up for"


def test_what_was_owed_before_is_still_owed() -> None:
    game = with_bomb_pots()
    away = game.state.big_blind % 4 + 1
    game.given(SitOut(away))
    the_bomb_pot(game)
    owed = game.state.owes_big, game.state.owes_small
    assert away in seats_in(owed[0]), "the big blind has passed"
    game.given(SitIn(away))
    another_round(game)
    assert away in [one.seat for one in of_round(game, events.AntePosted)], "it is dealt in for the ante"
    assert (game.state.owes_big, game.state.owes_small) == owed


def test_nobody_comes_in_with_the_blind_or_sits_out_at_it_in_a_bomb_pot() -> None:
    game = with_bomb_pots()
    away = game.state.button
    game.given(SitOut(away), Wish(away, in_with_blind=True))
    leaves = game.state.big_blind % 4 + 1
    announced(game)
    game.given(Wish(leaves, out_at_blind=True))
    before_the_round(game)
    another_round(game)
    game.given(Wish(game.state.big_blind % 4 + 1, out_at_blind=True))
    assert before_the_round(game) == [], "no wish is due before the bomb pot"
    another_round(game)
    assert before_the_round(game), "and it is before the round after it"


def test_nobody_straddles() -> None:
    game = the_bomb_pot(with_bomb_pots(straddle=4))
    begun(game)
    assert not of_round(game, events.Posted)


def test_a_house_with_an_ante_takes_only_that_of_the_bomb_pot() -> None:
    game = the_bomb_pot(with_bomb_pots(ante=1))
    assert of_round(game, events.RoundStarted)[0].ante == 1
    assert begun(game).ante == 10
    another_round(game)
    assert begun(game).ante == 1


def test_who_has_less_antes_all_they_have() -> None:
    game = the_bomb_pot(with_bomb_pots())
    game.state.stacks[3] = 7
    begun(game)
    assert of_round(game, events.AntePosted)[0] == events.AntePosted(7, 3)
    assert game.state.all_in == 1 << 3
    another_round(game)
    assert {one.pot for one in of_round(game, events.PotAwarded)} == {1, 2}, "a main pot, and a side pot without them"


def test_what_nobody_can_match_is_returned() -> None:
    game = the_bomb_pot(with_bomb_pots(seats=2))
    game.state.stacks[1] = 6
    another_round(game)
    assert of_round(game, events.UncalledBetReturned) == [events.UncalledBetReturned(4, 2)]
    assert of_round(game, events.PotAwarded)[0].shares[0].amount == 12


def test_two_in_a_row_and_both_are_bomb_pots() -> None:
    game = the_bomb_pot(with_bomb_pots())
    announced(game)
    button = game.state.button
    for _ in range(2):
        assert begun(game).ante == 10
        assert game.state.button == button
        another_round(game)
    assert begun(game).ante == 0
    assert game.state.bomb_pots == ()


def test_the_ante_follows_the_blinds_where_the_host_changes_them() -> None:
    game = the_bomb_pot(with_bomb_pots(changeable=True))
    game.given(game.event_of(DRAW_POKER.change_of_stakes(game.state, {"blinds": "2/4"})))
    assert begun(game).ante == 20
    assert not game.state.streets[0].bets


# Every so many rounds.


def test_the_dealer_announces_every_fourth_round_a_round_ahead() -> None:
    game = with_bomb_pots(bomb_every=4)
    for _ in range(10):
        another_round(game)
    said = [one for one in game.log if isinstance(one, cash_events.BombPotAnnounced)]
    assert said == [cash_events.BombPotAnnounced(None, True, round_) for round_ in (4, 8, 12)]
    started = [one for one in game.log if isinstance(one, events.RoundStarted)]
    assert [one.round for one in started if one.ante] == [4, 8]


def test_the_dealer_announces_as_soon_as_a_round_is_over_and_nobody_else_does() -> None:
    game = with_bomb_pots(bomb_every=3)
    assert not game.state.pausing, "the announcement comes first"
    assert game.refusal(AnnounceBombPot(0)) == "not_between_rounds"
    assert game.state.deals_to() is None
    event = game.dealer()
    assert event == cash_events.BombPotAnnounced(None, True, 3)
    game.given(event)
    assert game.state.pausing
    assert game.state.deals_to() == (1, 2, 3, 4), "shares can be awaited at once"
    assert game.refusal(AnnounceBombPot(0)) == "asked_already"


def test_who_waits_for_the_blind_comes_in_where_nobody_else_could_play() -> None:
    game = the_bomb_pot(with_bomb_pots(seats=2))
    game.given(SitOut(2), Wish(2, in_with_blind=True))
    assert before_the_round(game) == [cash_events.SatInWithBlind(2)]
    assert begun(game).ante == 10


def test_rounds_that_are_not_played_are_not_announced() -> None:
    game = with_bomb_pots(bomb_every=2)
    game.state.rounds = 3
    for _ in range(2):
        another_round(game)
    assert not [one for one in game.log if isinstance(one, cash_events.BombPotAnnounced) and one.round == 4]


# What is refused.


def test_what_cannot_be_announced() -> None:
    game = with_bomb_pots()
    assert game.refusal(AnnounceBombPot(-1)) == "not_a_person"
    assert game.refusal(AnnounceBombPot(9)) == "not_a_person"
    announced(game)
    assert game.refusal(AnnounceBombPot(0)) == "asked_already"
    assert game.ready().refusal(AnnounceBombPot(0)) == "not_between_rounds"
    assert after_a_round().refusal(AnnounceBombPot(0)) == "no_bomb_pots"
    last = with_bomb_pots()
    last.state.rounds = 2
    assert last.refusal(AnnounceBombPot(0)) == "no_such_round"


@pytest.mark.parametrize("given", [{"bomb_pot": False}, {"bomb_pot": True, "blinds": "2/4"}, {"bomb_pot": "yes"}])
def test_it_is_announced_alone(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match="announced alone"):
        DRAW_POKER.change_of_stakes(with_bomb_pots(changeable=True).state, given)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"bomb_pot": 0}, "bomb_pot"),
        ({"bomb_pot": 1001}, "bomb_pot"),
        ({"bomb_pot": "5"}, "bomb_pot"),
        ({"bomb_pot": 5, "bomb_every": 1}, "bomb_every"),
        ({"bomb_every": 4}, "bomb_every"),
        ({"bomb_pot": 5, "cash": False}, "bomb_pot"),
        ({"bomb_pot": 5, "house": "rising-ante"}, "bomb_pot"),
        ({"bomb_pot": 5, "house": "buy-the-pot"}, "bomb_pot"),
    ],
)
def test_a_house_that_cannot_have_them_is_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        evening(**given)
    assert refused.value.field == field


@pytest.mark.parametrize("house", ["no-limit", "pot-limit", "fixed-limit"])
def test_houses_with_blinds_have_them(house: str) -> None:
    game = the_bomb_pot(with_bomb_pots(house=house))
    assert begun(game).ante == 5 * game.state.terms.big_blind
    another_round(game)
    assert game.state.pausing


def test_the_start_records_them() -> None:
    started = evening(bomb_pot=5, bomb_every=10).log[0]
    assert isinstance(started, events.GameStarted)
    assert started.cash == CashRules(bomb_blinds=5, bomb_every=10)


def test_a_choice_before_the_draw_is_refused() -> None:
    game = the_bomb_pot(with_bomb_pots())
    begun(game)
    assert game.refusal(Bet(3, 2)) == "cannot_bet"


# In words.


def test_the_words_of_a_bomb_pot() -> None:
    game = announced(with_bomb_pots(), 2)
    assert WORDS.tell(game.log[-1], game.state) == "Bob announced that round 3 is a bomb pot"
    assert WORDS.tell(cash_events.BombPotAnnounced(None, False, 3), game.state) == (
        "The host announced that round 3 is a bomb pot"
    )
    assert WORDS.tell(cash_events.BombPotAnnounced(None, True, 3), game.state) == "Round 3 is going to be a bomb pot"
    another_round(game)
    assert WORDS.before_round(game.view(), 1) == [
        "The next round is a bomb pot: everybody antes 10, and nobody bets before the draw. Who sits it out owes"
        " nothing for it."
    ]
    started = game.dealer()
    assert started is not None
    game.given(started)
    assert WORDS.tell(started, game.state) == "Round 3 starts as a bomb pot: the ante is 10, Bob has the button"
    said = " ".join(" ".join(WORDS.about(game.ready().view(1))).split())
    assert "this round is a bomb pot: everybody antes 10, and there are no blinds." in said


def test_what_a_host_types() -> None:
    game = with_bomb_pots()
    assert [one.said for one in WORDS.stakes(game.view())] == ["bomb pot (round 3, an ante of 10)"]
    assert WORDS.read_stakes("Bomb  pot", game.view()) == {"bomb_pot": True}
    announced(game)
    assert WORDS.stakes(game.view()) == []
    other = after_a_round()
    assert (WORDS.stakes(other.view()), WORDS.read_stakes("bomb pot", other.view())) == ([], None)


def test_the_terms_say_them() -> None:
    given = {"rules": "no-limit", "cash": True, "bomb_pot": 5}
    assert "bomb pots of 5 big blinds" in terms(DRAW_POKER.options(given))
    assert "bomb pots of 1 big blind every 9 rounds" in terms(
        DRAW_POKER.options({**given, "bomb_pot": 1, "bomb_every": 9})
    )
