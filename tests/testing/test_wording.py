"""How the kit finds that who is spoken to is told of as of somebody else."""

import pytest

from pokersvc.testing.wording import third_person


@pytest.mark.parametrize(
    "said",
    [
        "You always win",
        "Ann deals You cards",
        "Bob beats You this time",
        "The card of You is hidden",
        "Whoever beats You has won",
        "Ann has three hearts, You spades",
        "Between Ann and You was nothing",
        "You perhaps win, and Ann passes",
        "You wince",
        "AreYou is a name",
        "Chips: You 20, Ann 30",
        "You, who has the button",
    ],
)
def test_a_sentence_that_is_right_is_left_alone(said: str) -> None:
    assert third_person(said) is None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("You is dealt Q", "You is"),
        ("You was dealt Q", "You was"),
        ("Round 2: You has 3", "You has"),
        ("Ann has 3\n  You has 4", "You has"),
        ("The game is over. You wins 3", "You wins"),
        ("Round 1 -- You does nothing", "You does"),
        ("(You leaves)", "You leaves"),
        ("It is You's turn", "You's"),
        ("Ann takes You’s chips", "You’s"),
    ],
)
def test_a_verb_of_the_third_person_and_an_owner_are_found(said: str, found: str) -> None:
    assert third_person(said) == found
