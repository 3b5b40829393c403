"""Houses with a straddle: a blind raise by the next player after the big blind, who acts last before the draw.

Robert's Rules of Poker, version 11, "No-limit and pot-limit", rule 2: a straddle is the new least price of the round.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc.betting.cash import SitDown, SitIn, SitOut
from pokersvc.core.actions import Leave
from pokersvc.core.drawing import Room
from pokersvc.core.event import Event
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import load_rules, preset_text
from pokersvc.games.draw_poker.house.playable import InvalidRules
from pokersvc.testing import check_game

from ..card_rooms.rooms import HOUSES, drawn, house, passed
from .checked import CHECKED, quicken
from .scenario import Scenario, after_earlier_rounds, happened, seated
from .tables import books_of, called, sitting, table
from .test_posts import blinds, dealt_in, folded_out, next_round

WORDS = DrawPokerWords()
PEOPLE = range(1, 11)


def straddled(
    players: int = 5, *stacks: int, name: str = "no-limit", at_table: bool = False, straddle: int = 4, **fields: Any
) -> Scenario:
    """A first round with blinds of 1 and 2 and a straddle, the button at seat 1."""
    rules = house(name, straddle=straddle, **fields)
    if at_table:
        return sitting(table(*(stacks or (200,) * players)), rules).ready()
    return after_earlier_rounds(seated(players, rules=rules), stacks).ready()


def cash_game(players: int, **fields: Any) -> Scenario:
    """A cash game after its first round, with the button at seat 1, the big blind at seat 3, and a straddle."""
    return folded_out(sitting(table(*[100] * players, cash=True), house("no-limit", straddle=4, **fields)))


def posted(game: Scenario) -> list[Event]:
    return happened(game.log, events.BlindPosted, events.Posted)


def straddle(seat: int, amount: int = 4) -> events.Posted:
    return events.Posted(amount, "straddle", seat)


anywhere = pytest.mark.parametrize("at_table", [False, True])


@anywhere
def test_the_next_player_after_the_big_blind_straddles(at_table: bool) -> None:
    game = straddled(at_table=at_table)
    assert posted(game) == [*blinds(2, 3), straddle(4)]
    assert game.pot == 7
    assert WORDS.tell(straddle(4), game.state).endswith(" posts a straddle, 4")


@anywhere
def test_the_straddler_acts_last_before_the_draw_and_may_check_or_raise(at_table: bool) -> None:
    game = straddled(at_table=at_table)
    order = []
    while game.to_act != 4:
        order.append(game.to_act)
        game.given(Call(game.to_act or 0))
    assert order == [5, 1, 2, 3]
    assert game.legal.check
    assert not game.legal.fold
    assert game.legal.raise_to == (8, 200)
    game.given(Raise(4, 8))
    assert (game.to_act, game.legal.call) == (5, 4)


def test_a_straddle_is_the_least_price_and_the_next_raise_is_as_large_again() -> None:
    game = straddled()
    assert (game.legal.call, game.legal.raise_to) == (4, (8, 200))
    game = straddled(straddle=6)
    assert (game.legal.call, game.legal.raise_to) == (6, (12, 200))


def test_under_a_pot_limit_the_straddle_is_in_the_pot() -> None:
    assert straddled(name="pot-limit").legal.raise_to == (8, 4 + 7 + 4)


def test_under_a_fixed_limit_the_straddle_counts_as_a_bet() -> None:
    game = straddled(name="fixed-limit")
    assert (game.legal.call, game.legal.raise_to) == (4, (6, 6))
    game.given(Raise(5, 6), Raise(1, 8))
    assert game.legal.raise_to is None, "four bets with the big blind and the straddle"


def test_after_the_draw_the_betting_begins_left_of_the_button_with_the_least_bet_of_the_house() -> None:
    game = drawn(passed(straddled()))
    assert game.to_act == 2
    assert game.legal.bet == (2, 196)


@pytest.mark.parametrize("rule", ["forward", "dead"])
@anywhere
def test_everybody_straddles_in_turn(rule: str, at_table: bool) -> None:
    rules = house("no-limit", straddle=4, button_rule=rule)
    game = sitting(table(*[200] * 4), rules) if at_table else seated(4, rules=rules)
    for _ in range(5):
        called(folded_out(game))
    assert [event.seat for event in game.log if isinstance(event, events.Posted)] == [4, 1, 2, 3, 4]
    assert len(happened(game.log, events.BlindPosted)) == 10


def test_of_three_players_the_button_straddles() -> None:
    game = straddled(3)
    assert posted(game) == [*blinds(2, 3), straddle(1)]
    assert game.to_act == 2


@anywhere
def test_heads_up_nobody_straddles(at_table: bool) -> None:
    game = straddled(2, at_table=at_table)
    assert posted(game) == blinds(1, 2)
    assert (game.to_act, game.legal.raise_to) == (1, (4, 200))


def test_when_two_are_left_nobody_straddles_any_more() -> None:
    game = seated(3, persons=PEOPLE, rules=house("no-limit", straddle=4))
    folded_out(game)
    game.given(Leave(1))
    assert len(next_round(game)) == 2


def test_where_all_fold_the_straddler_takes_back_what_nobody_matched() -> None:
    game = straddled().given(Fold(5), Fold(1), Fold(2), Fold(3))
    game.deal_on()
    assert happened(game.log, events.UncalledBetReturned) == [events.UncalledBetReturned(2, 4)]
    assert game.stacks == (200, 199, 198, 203, 200)
    books_of(game)


# Short stacks and antes.


@anywhere
def test_who_has_less_straddles_with_all_of_it_and_others_call_the_whole(at_table: bool) -> None:
    game = straddled(5, 200, 200, 200, 3, 200, at_table=at_table)
    assert posted(game)[-1] == straddle(4, 3)
    assert game.view().seat(4).all_in
    assert WORDS.tell(straddle(4, 3), game.state).endswith(" posts a straddle, 3 and is all in")
    assert (game.to_act, game.legal.call, game.legal.raise_to) == (5, 4, (8, 200))


def test_who_has_nothing_left_after_the_ante_straddles_with_nothing() -> None:
    game = straddled(5, 200, 200, 200, 1, 200, ante=1)
    assert posted(game)[-1] == straddle(4, 0)
    assert WORDS.tell(straddle(4, 0), game.state).endswith(" has nothing left for a straddle")
    assert game.legal.call == 4


def test_antes_come_before_the_straddle_and_are_no_part_of_it() -> None:
    game = straddled(ante=3)
    assert [type(event) for event in game.log[2:10]] == [
        *[events.AntePosted] * 5,
        *[events.BlindPosted] * 2,
        events.Posted,
    ]
    assert (game.pot, game.legal.call) == (22, 4)


def test_a_short_big_blind_leaves_the_price_at_the_straddle() -> None:
    game = straddled(5, 200, 200, 1, 200, 200)
    assert posted(game) == [events.BlindPosted(1, "small", 2), events.BlindPosted(1, "big", 3), straddle(4)]
    assert game.legal.call == 4


def test_the_last_player_with_chips_is_asked_for_no_more_than_is_in() -> None:
    game = straddled(3, 3, 200, 2)  # the button straddles with 3, the big blind has 2: both are all in
    assert (game.to_act, game.legal.call, game.legal.raise_to) == (2, 2, None)


# The dead button, and blinds that are owed.


def test_with_a_dead_button_and_no_small_blind_the_next_after_the_big_blind_straddles() -> None:
    game = seated(5, persons=PEOPLE, rules=house("no-limit", straddle=4, button_rule="dead"))
    folded_out(game)
    game.given(Leave(3))
    assert next_round(game) == [events.BlindPosted(2, "big", 4), straddle(5)]


def test_who_owes_a_blind_posts_that_and_nobody_straddles() -> None:
    game = sitting(table(100, 100, 100, 100, 0, 100, cash=True), house("no-limit", straddle=4))
    folded_out(game)
    game.given(SitDown(5, 80))
    assert next_round(game) == [*blinds(3, 4), events.Posted(2, "extra", 5)]
    assert next_round(game) == [*blinds(4, 5), straddle(6)]


def test_others_who_owe_a_blind_post_it_before_the_straddle() -> None:
    game = sitting(table(100, 100, 100, 100, 100, 0, cash=True), house("no-limit", straddle=4))
    folded_out(game)
    game.given(SitDown(6, 80))
    assert next_round(game) == [*blinds(3, 4), events.Posted(2, "extra", 6), straddle(5)]


def test_where_one_alone_has_stayed_nothing_is_owed_and_a_newcomer_straddles() -> None:
    game = sitting(table(100, 100, 100, 0, 0, 0, cash=True), house("no-limit", straddle=4))
    folded_out(game)
    game.given(Leave(1), Leave(2), SitDown(4, 80), SitDown(5, 80), SitDown(6, 80))
    assert next_round(game) == [*blinds(4, 5), straddle(6)]
    assert dealt_in(game) == {3, 4, 5, 6}


def test_where_two_have_stayed_newcomers_owe_a_blind() -> None:
    game = sitting(table(100, 100, 100, 0, 0, 0, cash=True), house("no-limit", straddle=4))
    folded_out(game)
    game.given(Leave(1), SitDown(4, 80), SitDown(5, 80), SitDown(6, 80))
    assert next_round(game) == [*blinds(3, 4), events.Posted(2, "extra", 5), events.Posted(2, "extra", 6)]


def test_a_missed_straddle_is_not_owed() -> None:
    game = cash_game(6).given(SitOut(5))  # who would straddle next
    assert next_round(game) == [*blinds(3, 4), straddle(6)]
    game.given(SitIn(5))
    assert next_round(game) == [*blinds(4, 5), straddle(6)]


def test_who_waits_for_the_button_to_pass_does_not_straddle() -> None:
    game = cash_game(6).given(SitOut(4))
    assert next_round(game) == [*blinds(3, 5), straddle(6)], "the big blind has passed seat 4"
    game.given(SitIn(4))
    assert next_round(game) == [*blinds(5, 6), straddle(1)]
    assert dealt_in(game) == {1, 2, 3, 5, 6}
    assert next_round(game) == [*blinds(6, 1), events.Posted(2, "extra", 4), straddle(2)]


# Who is told what.


def test_the_rules_of_the_moment_say_who_begins() -> None:
    game = straddled()
    said = " ".join(" ".join(WORDS.moment(game.view(5), game.legal)).split())
    assert "the blinds are 1 and 2, and the straddle is 4 with three players or more." in said
    assert "The first player left of the straddle begins;" in said
    alone = straddled(2)
    assert "left of the big blind begins;" in " ".join(WORDS.moment(alone.view(1), alone.legal))


def test_the_drawn_table_shows_who_straddled() -> None:
    lines = ["".join(piece.text for piece in line) for line in WORDS.draw(straddled().view(5), Room(100, 30))]
    assert [line.split()[0] for line in lines if "straddle" in line] == ["Player4"]


# A house, an option, a start.


def test_a_straddle_as_an_option() -> None:
    rules = DRAW_POKER.options({"rules": "no-limit", "straddle": 4, "rake": "5%"})["rules"]
    assert rules.straddle == 4
    assert rules.rake is not None
    assert DRAW_POKER.options({"rules": rules, "straddle": 0})["rules"].straddle == 0
    assert DRAW_POKER.options({"rules": rules})["rules"].straddle == 4
    assert load_rules("no-limit").straddle == 0


@pytest.mark.parametrize(
    ("rules", "given", "said"),
    [
        ("rising-ante", 4, "The house rising-ante has no blinds, so nobody can straddle; play one that has, such as"),
        ("no-limit", "4", "The straddle '4' is not a number of chips; it must be from 0 to 1,000,000,000."),
        ("no-limit", True, "The straddle True is not a number of chips"),
        ("no-limit", -4, "The straddle -4 is not a number of chips"),
        ("no-limit", 3, "The straddle of no-limit cannot be 3; it must be 0, or at least twice the big blind"),
        ("no-limit", 201, "The straddle of no-limit cannot be 201; it must be at most the stack, 200."),
        ("pot-limit", 8, "The straddle of pot-limit cannot be 8; it must be at most what a raise of the pot"),
        ("fixed-limit", 5, "The straddle of fixed-limit cannot be 5; it must be 0 or twice the big blind, 4"),
    ],
)
def test_a_wrong_straddle_is_refused(rules: str, given: object, said: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        DRAW_POKER.options({"rules": rules, "straddle": given})
    assert str(refused.value).startswith(said)
    assert isinstance(refused.value, InvalidRules) == said.startswith("The rules")


def test_a_game_of_an_engine_before_straddles_cannot_have_one() -> None:
    started = straddled().log[0]
    assert isinstance(started, events.GameStarted)
    assert list(DRAW_POKER.contradictions(started)) == []
    (wrong,) = DRAW_POKER.contradictions(replace(started, engine=2))
    assert str(wrong.found) == "a straddle in a game of engine 2"


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_of_its_own_file_may_have_a_straddle(tmp_path: Path, name: str) -> None:
    file, text = tmp_path / "my.toml", preset_text(name)
    assert text.count("straddle = 0 ") == 1
    file.write_text(text.replace("straddle = 0 ", "straddle = 4 "))
    assert load_rules(str(file)).straddle == 4
    file.write_text("\n".join(line for line in text.splitlines() if not line.startswith("straddle")))
    assert load_rules(str(file)).straddle == 0


@pytest.mark.slow
def test_the_kit_for_authors_finds_nothing_in_straddled_games(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    options = [
        {"rules": "no-limit", "straddle": 6},
        {"rules": "fixed-limit", "straddle": 4, "cash": True, "rake": "5%"},
    ]
    check_game(DRAW_POKER, options=options, seeds=range(4), stored=2, **CHECKED)
