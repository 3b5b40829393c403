"""Choices in advance: what is offered before one's turn, when it is dropped, and what becomes of it."""

from typing import Any

import pytest

from pokersvc.core.actions import Action
from pokersvc.core.words import InAdvance
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset

from .scenario import Scenario, seated, stand_pat

WORDS = DrawPokerWords()


def ready(*given: Any, stack: int = 200) -> Scenario:
    """Return a no-limit game of three: seat 1 has the button and acts first, 2 and 3 have the blinds of 1 and 2."""
    rules = preset("no-limit").model_copy(update={"stack": stack})
    return seated(3, rules=rules).ready().given(*given).ready()


def offered(game: Scenario, seat: int) -> list[str]:
    return [f"{one.typed} {one.does}" for one in WORDS.in_advance(game.state, seat)]


def chosen(game: Scenario, seat: int, text: str) -> InAdvance:
    choice = WORDS.read_in_advance(text, game.state, seat)
    assert choice is not None
    return choice


def dropped(game: Scenario, seat: int, choice: InAdvance) -> str | None:
    return WORDS.dropped(choice, game.state, seat)


def acts(game: Scenario, seat: int, choice: InAdvance) -> Action | None:
    return WORDS.act_in_advance(choice, game.state, seat, game.legal)


CALLED = (Call(1), Call(2), Check(3))


def test_what_is_offered_is_what_the_seat_faces() -> None:
    game = ready()
    assert offered(game, 1) == [], "it is its turn"
    assert offered(game, 2) == ["f fold", "c call 1", "ca call any"]
    assert offered(game, 3) == ["f check/fold", "c check", "ca call any"]
    game.given(Raise(1, 20))
    assert offered(game, 3) == ["f fold", "c call 18", "ca call any"]
    assert offered(game, 1) == ["f check/fold", "ca call any"], "only a raise would bring its turn back"
    game.given(Fold(2))
    assert offered(game, 2) == []


def test_a_call_that_takes_all_chips_says_so() -> None:
    assert offered(ready(Raise(1, 200)), 3) == ["f fold", "c call 198, all in", "ca call any"]
    assert offered(ready(Raise(1, 200)), 1) == [], "who is all in is asked no more"


def test_in_the_draw_one_may_stand_pat() -> None:
    game = ready(*CALLED)
    assert offered(game, 2) == [], "it draws now"
    assert offered(game, 3) == ["pat stand pat"]
    choice = chosen(game, 3, "stand pat")
    assert WORDS.read_in_advance("f", game.state, 3) is None
    game.given(*stand_pat(2))
    assert acts(game, 3, choice) == Discard(3, ())
    game.given(*stand_pat(3)).ready()
    assert offered(game, 3) == [], "it has drawn"
    game.given(*stand_pat(1)).ready()
    assert dropped(game, 3, choice) == "", "the draw is over"


@pytest.mark.parametrize(
    ("text", "before", "action"),
    [
        ("f", (Call(1), Call(2)), Check(3)),
        ("check/fold", (Raise(1, 20), Call(2)), Fold(3)),
        ("CF", (Raise(1, 20), Raise(2, 60)), Fold(3)),
        ("c", (Call(1), Call(2)), Check(3)),
        ("ca", (Call(1), Call(2)), Check(3)),
        ("call  any", (Raise(1, 20), Raise(2, 200)), Call(3)),
    ],
)
def test_a_choice_becomes_an_action_by_what_happened_until_the_turn(
    text: str, before: tuple[Action, ...], action: Action
) -> None:
    game = ready()
    choice = chosen(game, 3, text)
    game.given(*before).ready()
    assert dropped(game, 3, choice) is None
    assert acts(game, 3, choice) == action


def test_call_this_is_dropped_when_its_price_changes_and_check_when_there_is_a_bet() -> None:
    game = ready(Raise(1, 20))
    call = chosen(game, 3, "call 18")
    assert dropped(game, 3, call) is None
    assert acts(game, 3, call) is None, "it is not its turn"
    game.given(Raise(2, 60)).ready()
    assert dropped(game, 3, call) == "The price has changed: your call in advance was dropped."
    game = ready()
    check = chosen(game, 3, "check")
    game.given(Raise(1, 20)).ready()
    assert dropped(game, 3, check) == "There is a bet: your check in advance was dropped."
    game.given(Call(2)).ready()
    assert acts(game, 3, check) is None


@pytest.mark.parametrize("text", ["f", "c", "ca"])
def test_a_choice_ends_with_its_betting_round(text: str) -> None:
    game = ready()
    choice = chosen(game, 3, text)
    game.given(*CALLED).ready()
    assert dropped(game, 3, choice) == ""
    game.given(*stand_pat(2, 3, 1)).ready()
    assert dropped(game, 3, choice) == "", "the betting round after the draw is another"


def test_an_offer_that_differs_from_what_the_seat_faces_is_left_to_the_person() -> None:
    game = ready()
    choice = chosen(game, 3, "ca")
    game.given(Raise(1, 20), Call(2)).ready()
    assert WORDS.act_in_advance(choice, game.state, 3, game.legal) == Call(3)
    for legal in (LegalActions(fold=True, call=20), LegalActions(check=True), LegalActions(discard=4)):
        assert WORDS.act_in_advance(choice, game.state, 3, legal) is None


def test_other_texts_are_no_choices_in_advance() -> None:
    game = ready()
    for text in ("", "raise 20", "pat", "h", "call", "call 5", "c 1"):
        assert WORDS.read_in_advance(text, game.state, 3) is None
    assert WORDS.read_in_advance("check", game.state, 2) is None, "there is a bet, and a check is no call"
    all_in = ready(Raise(1, 200))
    assert chosen(all_in, 3, "call 198").said == chosen(all_in, 3, "call").said == "call 198, all in"
