"""All-ins and side pots in words, as printed and as typed."""

from collections.abc import Iterable

import pytest

from pokersvc.core.actions import Action
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Bet, Call, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords

from ..draw_poker.scenario import ACES, KINGS, QUEENS, Scenario, stand_pat
from .rooms import final, on, opened

WORDS = DrawPokerWords()


def shown(game: Scenario) -> list[str]:
    return WORDS.show(game.view())


def told(game: Scenario, actions: Iterable[Action]) -> list[str]:
    """Apply actions, and return the words for them and for the dealer's events after them."""
    state, lines = game.state, []
    for action in actions:
        event = state.decide(action)
        state.apply(event)
        lines.append(WORDS.tell(event, state))
        while (event_ := game.dealer()) is not None and not state.pausing and state.phase.name != "BETWEEN":
            game.given(event_)
            lines.append(WORDS.tell(event_, state))
    return lines


def answer(game: Scenario, text: str) -> Action:
    assert game.to_act is not None
    return WORDS.read(text, game.view(game.to_act), game.legal)


def asked(game: Scenario) -> str:
    assert game.to_act is not None
    return WORDS.ask(game.view(game.to_act), game.legal)


def at_the_draw() -> Scenario:
    """Two players who have called and checked."""
    game = on(opened("no-limit", 2, ACES, KINGS).given(Call(1)))
    while game.view().stage != "draw":
        on(game.given(answer(game, "check")))
    return game


@pytest.mark.parametrize("text", ["all in", "ALL-IN", " allin "])
def test_all_in_is_an_answer(text: str) -> None:
    assert answer(opened("no-limit", 3), text) == Raise(1, 200)
    assert answer(final("no-limit", 3), text) == Bet(2, 198)


def test_all_in_is_a_call_where_no_more_can_be_put_in() -> None:
    game = opened("no-limit", 3, stacks=(200, 50, 200)).given(Raise(1, 100))
    assert answer(game, "all in") == Call(2)


def test_all_in_is_refused_where_the_limit_is_below_the_stack() -> None:
    with pytest.raises(InvalidAnswer, match=r"cannot go all in now. You can: call 2, raise to 4 or fold\."):
        answer(opened("fixed-limit", 3), "all in")


def test_a_call_of_the_whole_stack_says_so() -> None:
    game = opened("no-limit", 3, stacks=(200, 50, 200)).given(Raise(1, 100))
    assert asked(game) == "Call 49 (all in) or fold"


def test_who_goes_all_in_is_told() -> None:
    lines = told(opened("no-limit", 3, stacks=(20, 30, 200)), [Raise(1, 20), Raise(2, 30)])
    assert lines == [
        "Player1 raises to 20 and is all in, the pot is 23",
        "Player2 raises to 30 and is all in, the pot is 52",
    ]


def test_a_table_with_all_ins_shows_them_and_the_pots() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS, stacks=(20, 30, 200)).given(Raise(1, 20), Raise(2, 30), Call(3))
    lines = shown(on(game))
    assert lines[0] == "Round 1, draw: pot 80 (main pot 60, side pot 1 20); it is Player2's turn"
    assert [line.split("all in")[0].split() for line in lines[1:3]] == [["Player1", "(D)", "$0"], ["Player2", "$0"]]
    assert "all in" not in lines[3]


def test_one_pot_is_not_broken_down() -> None:
    assert shown(opened("no-limit", 3))[0] == "Round 1, first betting: pot 3, the bet is 2; it is Player1's turn"


def test_the_main_pot_is_named_where_there_are_side_pots() -> None:
    game = opened("no-limit", 3, ACES, KINGS, QUEENS, stacks=(20, 30, 200))
    game.given(Raise(1, 20), Raise(2, 30), Call(3))
    lines = told(on(game), [*stand_pat(2), *stand_pat(3), *stand_pat(1)])
    assert [line for line in lines if " wins " in line] == [
        "Player2 wins 20 of side pot 1",
        "Player1 wins 60 of the main pot",
    ]


def test_the_only_pot_is_not_named() -> None:
    lines = told(opened("no-limit", 2), [Fold(1)])
    assert [line for line in lines if " wins " in line] == ["Player2 wins 2, the only player left"]


def test_a_player_with_nothing_left_posts_no_blind() -> None:
    game = opened("no-limit", 3, stacks=(200, 5, 200), ante=5)
    posted = [event for event in game.log if type(event).__name__ == "BlindPosted"]
    assert WORDS.tell(posted[0], game.state) == "Player2 has nothing left for the small blind"
    assert WORDS.tell(posted[1], game.state) == "Player3 posts the big blind, 2"


@pytest.mark.parametrize("text", ["yes", "Y", "ok"])
def test_the_advice_is_accepted_with_a_word(text: str) -> None:
    game = at_the_draw()
    assert answer(game, text) == answer(game, "ok")


def test_positions_may_stand_in_brackets() -> None:
    game = at_the_draw()
    assert answer(game, "(1,2,3)") == answer(game, "1 2 3")
