"""Advice on a hand outside a game: default values of a question, and the explanations of an answer."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK, InvalidCard
from pokersvc.cards.advice import AIMS
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.advising.hand_advice import SAMPLES, Answer, Question, answer

HAND: Final = "AH AD 8C 6S 3C"
QUICK: Final = Question(HAND, aim="rank")
SAMPLED: Final = Question(HAND, aim="rank", monte_carlo=True, samples=50, seed="a seed")
IN_HAND: Final = tuple(card.notation for card in answer(QUICK).hand.cards)
ELSEWHERE: Final = tuple(card.notation for card in FRESH_DECK if card.notation not in IN_HAND)


WIN: Final = {"aim": "win", "monte_carlo": True, "samples": 2, "seed": "a seed"}
"""Where the chance itself does not matter: the exact one takes seconds."""


def asked(*about: Mapping[str, Any], **question: Any) -> Answer:
    changes: dict[str, Any] = {}
    for one in (*reversed(about), question):
        changes.update(one)
    return answer(replace(QUICK, **changes))


class TestDeadCards:
    @given(st.lists(st.sampled_from(ELSEWHERE), unique=True, max_size=20))
    def test_cards_outside_the_hand_may_be_dead(self, dead: list[str]) -> None:
        found = asked(dead=" ".join(dead))
        assert found.document(0)["dead"] == dead
        assert all(row.outcomes for row in found.discards)

    @given(
        st.sampled_from(IN_HAND),
        st.lists(st.sampled_from(ELSEWHERE), unique=True, max_size=20),
        st.integers(0, 20),
    )
    def test_a_card_of_the_hand_is_not_dead_wherever_it_stands(self, doubled: str, dead: list[str], at: int) -> None:
        with pytest.raises(InvalidCard, match=f"^{doubled.replace('T', '10').upper()} is in the hand and dead as well"):
            asked(dead=" ".join([*dead[:at], doubled, *dead[at:]]))

    def test_the_first_of_several_is_named(self) -> None:
        with pytest.raises(InvalidCard, match=r"^3C is in the hand"):
            asked(dead="KH 3C AH")


class TestWhatIsSaidOfTheOpponents:
    @pytest.mark.parametrize(
        ("question", "seat"),
        [
            ({"opponents": 3, "seat": "first"}, 1),
            ({"opponents": 3, "seat": "middle"}, 3),
            ({"opponents": 4, "seat": "middle"}, 3),
            ({"opponents": 3, "seat": "last"}, 4),
            ({"opponents": 3, "seat": "1"}, 1),
            ({"opponents": 3, "seat": "4"}, 4),
            ({"opponents": 3}, 1),
            ({}, 1),
            ({"opponents": 2, "drew": (3,)}, 2),
            ({"drew": (3, 1)}, 3),
        ],
    )
    def test_the_turn_to_draw_is_counted_from_1(self, question: dict[str, object], seat: int) -> None:
        found = asked(WIN, question).document(0)
        assert found["seat"] == seat
        assert found["opponents"] == question.get("opponents", len(found["drew"]) or 1)

    def test_what_was_asked_stands_in_the_answer(self) -> None:
        found = asked(WIN, opponents=2, drew=(2,), folded=1, dead="KH").document(0)
        assert (found["opponents"], found["drew"], found["seat"], found["folded"]) == (2, [2], 2, 1)
        assert found["objective"] == "win"

    @pytest.mark.parametrize("aim", [aim for aim in AIMS if aim != "win"])
    def test_other_objectives_know_no_opponents(self, aim: str) -> None:
        found = asked(aim=aim).document(0)
        assert [found[name] for name in ("opponents", "drew", "seat", "folded")] == [None] * 4
        assert found["objective"] == aim

    @pytest.mark.parametrize("aim", [aim for aim in AIMS if aim != "win"])
    @pytest.mark.parametrize("about", [{"opponents": 1}, {"seat": "first"}, {"folded": 0}, {"drew": (0,)}], ids=str)
    def test_and_refuse_what_is_said_of_them(self, aim: str, about: dict[str, object]) -> None:
        with pytest.raises(InvalidValue, match=f"matter to the objective win only, not to {aim}"):
            asked(about, aim=aim)

    @pytest.mark.parametrize("seat", ["0", "4", "-1", "second", ""])
    def test_a_turn_that_there_is_not_is_refused(self, seat: str) -> None:
        with pytest.raises(InvalidValue, match=r"first, middle, last or 1 to 3\."):
            asked(WIN, opponents=2, seat=seat)


class TestWhatTheHouseDecides:
    @pytest.mark.parametrize("house", [house.name for house in DRAW_POKER.houses()])
    def test_the_objective_and_the_most_cards_are_the_houses(self, house: str) -> None:
        rules = DRAW_POKER.options({"rules": house})["rules"]
        found = answer(Question(HAND, house))
        assert found.objective.aim == rules.advice
        cards = range(rules.discards + 1)
        assert len(found.discards) == sum(len(list(combinations(range(5), count))) for count in cards)

    def test_without_a_house_it_is_the_chance_to_win_with_any_discard(self) -> None:
        found = answer(Question(HAND))
        assert found.objective.aim == "win"
        assert len(found.discards) == 32

    def test_an_objective_that_is_named_is_taken_whatever_the_house_has(self) -> None:
        assert answer(Question(HAND, "buy-the-pot", "code")).objective.aim == "code"

    def test_samples_are_those_asked_for_else_the_houses_else_the_documents(self) -> None:
        monte_carlo = Question(HAND, aim="rank", monte_carlo=True, seed="a seed")
        house = DRAW_POKER.options({"rules": "capped-raise"})["rules"]
        assert house.samples != SAMPLES
        assert answer(monte_carlo).samples == SAMPLES
        assert answer(replace(monte_carlo, house="capped-raise")).samples == house.samples
        assert answer(replace(monte_carlo, house="capped-raise", samples=7)).samples == 7


class TestMonteCarlo:
    def test_the_same_seed_gives_the_same_answer_and_another_gives_another(self) -> None:
        assert answer(SAMPLED) == answer(SAMPLED)
        assert answer(SAMPLED).discards != answer(replace(SAMPLED, seed="another")).discards

    @pytest.mark.parametrize("given", [{"samples": 50}, {"samples": 0}, {"seed": "a seed"}, {"seed": ""}], ids=str)
    def test_samples_and_a_seed_are_for_nothing_else(self, given: dict[str, object]) -> None:
        with pytest.raises(InvalidValue, match="are for Monte Carlo"):
            asked(given)

    @pytest.mark.slow
    def test_the_answer_says_how_it_was_found(self) -> None:
        assert (answer(SAMPLED).document(0)["method"], answer(SAMPLED).document(0)["samples"]) == ("monte-carlo", 50)
        assert asked().document(0)["method"] == "exact"
        assert asked(aim="win").document(0)["method"] == "exact"
        assert asked(aim="win", drew=(3,)).document(0)["method"] == "played"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({}, "against 1 opponent who draws well."),
        ({"opponents": 2}, "against 2 opponents who draw well."),
        ({"drew": (3,)}, "against 1 opponent who drew 3."),
        ({"drew": (3, 0, 1)}, "against 3 opponents who drew 3, 0 and 1."),
        ({"opponents": 2, "drew": (3,)}, "against 2 opponents, of whom one drew 3."),
        ({"opponents": 3, "drew": (3, 1)}, "against 3 opponents, of whom 2 drew 3 and 1."),
        ({"opponents": 3, "drew": (3,), "seat": "3"}, "of whom one drew 3, drawing 3rd of 4."),
        ({"opponents": 2, "drew": (3,), "seat": "last"}, "of whom one drew 3, drawing last."),
        ({"opponents": 9}, "against 9 opponents who draw well, drawing first."),
    ],
)
def test_the_sentence_says_whom_it_is_against(question: dict[str, object], said: str) -> None:
    assert asked(WIN, question).sentence().endswith(f" {said}")


def test_the_sentence_names_what_is_thrown_away_and_what_is_kept() -> None:
    assert asked().sentence().startswith("Discard 8C 6S 3C and keep AH AD: that comes to ")
    assert asked(cards="AH KH QH JH TH").sentence().startswith("Keep all: ")
    assert asked(cards="7H 5D 4C 3S 2C").sentence().startswith("Discard ")
