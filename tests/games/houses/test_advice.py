"""The draw for people: the advice in one line, and how they follow it or not."""

import re
from dataclasses import replace
from typing import Any, Literal

import pytest

from pokersvc.cards import parse_cards
from pokersvc.cards.advice import Objective, advise, best_discard, table_of
from pokersvc.cards.worth import ABBREVIATED
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.advising.advice import objective_of
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.view import SeatView

from ..draw_poker.scenario import ACES, KINGS, NOTHING, Scenario
from .house import BUY_THE_POT, HANDS, opened_by, with_hands

WORDS = DrawPokerWords()


def drawing(hand: str = ACES) -> Scenario:
    """Seat 1 is a person with this hand, and about to draw."""
    return opened_by(with_hands(BUY_THE_POT, hand, KINGS, persons=(1,)), 1).given(Check(1))


@pytest.mark.parametrize(
    ("hand", "most", "advice"),
    [
        (ACES, 5, 'Advice: keep the aces, draw three (3,4,5 or "ok"): about two pair, sixes'),
        ("8C AH 6S AD 3C", 5, 'Advice: keep the aces, draw three (3,4,5 or "ok"): about two pair, sixes'),
        (ACES, 2, 'Advice: keep AH AD 8C, draw two (4,5 or "ok"): about two pair, fives'),
        ("AH AD 8C 8S 3C", 5, 'Advice: keep the aces and eights, draw one (5 or "ok"): about three fives'),
        ("5C 6D 7H 8S 9C", 5, 'Advice: keep all ("ok"): about a nine-high straight'),
    ],
    ids=["three", "in between", "as many as can be dealt", "one", "none"],
)
def test_a_person_sees_the_advice_in_one_line_before_the_draw(hand: str, most: int, advice: str) -> None:
    view, legal = drawing(hand).view(1), LegalActions(discard=most)
    first, question = WORDS.ask(view, legal).splitlines()
    assert first == advice
    numbers = found[1] if (found := re.search(r"\(([0-9,]+) or", advice)) else "5"
    assert question == f'Discard up to {most} by number ({numbers}), "table" to compare, or Enter to keep all'


def test_the_advice_fits_a_line_of_a_terminal_with_its_question() -> None:
    rules = BUY_THE_POT.model_copy(update={"advice": "code"})
    game = opened_by(with_hands(rules, "TH 9C 8D 2S TC", KINGS, persons=(1,)), 1).given(Check(1))
    lines = WORDS.ask(game.view(1), LegalActions(discard=5)).splitlines()
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize("answer", ["ok", "OK", " ok ", "okay", "advice"])
@pytest.mark.parametrize(("hand", "most"), [(ACES, 5), (ACES, 1), (NOTHING, 5), ("5C 6D 7H 8S 9C", 5)])
def test_one_word_takes_the_advice(answer: str, hand: str, most: int) -> None:
    game, legal = drawing(hand), LegalActions(discard=most)
    taken = WORDS.read(answer, game.view(1), legal)
    assert taken == Discard(1, best_discard(game.hand(1), Objective("linear"), most))
    game.event_of(taken)  # is not refused


@pytest.mark.parametrize("most", [5, 2])
def test_a_person_may_ask_for_the_table_of_all_discards_that_are_allowed(most: int) -> None:
    game, legal = drawing(), LegalActions(discard=most)
    lines = WORDS.explain(" Table ", game.view(1), legal)
    assert lines is not None
    assert lines == table_of(advise(game.hand(1), Objective("linear"), most=most), Objective("linear"))
    assert len(lines) == 1 + {5: 32, 2: 16}[most]


@pytest.mark.parametrize("hand", ["AH KH QH JH 2C", "10H 10D 10S 10C 9D", "2C 3D 5H 9S KD"])
@pytest.mark.parametrize("aim", ["win", "rank", "linear", "code"])
def test_a_table_fits_its_width_and_adds_the_rarest_up(hand: str, aim: Any) -> None:
    found = advise(parse_cards(hand), Objective(aim))
    whole = table_of(found, Objective(aim))
    assert whole == table_of(found, Objective(aim), 80)
    for width in range(52, 81):
        head, *rows = table_of(found, Objective(aim), width)
        assert max(map(len, [head, *rows])) <= width
        names = head.split()[2:]
        last = [*ABBREVIATED].index(names[-1].rstrip("+"))
        assert (names[-1][-1] == "+") == (last < 9)
        for line, row in zip(rows, found, strict=True):
            rarest = 100 * sum(row.counts[last:]) / row.outcomes
            said = line.split()[-1].replace("<.1", "0.05").replace("-", "0")
            assert float(said) == pytest.approx(rarest, abs=0.11)
    narrow, *_ = table_of(found, Objective(aim), 60)
    assert narrow.endswith("+")


def test_advice_of_a_game_of_others_is_shown_at_any_width() -> None:
    class Other(DrawPokerWords):
        def advise(self, view: Any, legal: Any) -> list[str] | None:
            return ["fold"]

    game, legal = drawing(), LegalActions(discard=5)
    assert Other().advise_within(60, game.view(1), legal) == ["fold"]
    lines = WORDS.advise_within(60, game.view(1), legal)
    assert lines is not None
    assert max(map(len, lines)) <= 60


def test_table_explains_nothing_in_the_betting_and_other_words_explain_nothing_in_the_draw() -> None:
    betting = opened_by(with_hands(BUY_THE_POT, ACES, KINGS, persons=(1,)), 1)
    assert WORDS.explain("table", betting.view(1), betting.legal) is None
    assert WORDS.explain("tables", drawing().view(1), LegalActions(discard=5)) is None


WINNING = BUY_THE_POT.model_copy(update={"advice": "win"})


def test_where_the_house_advises_by_the_chance_to_win_opponents_still_in_are_counted() -> None:
    game = opened_by(with_hands(WINNING, *HANDS, persons=(2,)), 1).given(Bet(1, 1), Fold(2), Call(3), Call(4))
    assert objective_of(game.view(1), drew=True) == Objective("win", opponents=2, folded=1)


@pytest.mark.slow
def test_a_person_is_advised_by_what_opponents_drew_and_a_program_is_not() -> None:
    game = opened_by(with_hands(WINNING, *HANDS, persons=(3,)), 1).given(Bet(1, 1), Call(2), Call(3), Call(4))
    game.given(Discard(1, ()), Discard(2, game.hand(2)[:1])).ready()
    assert objective_of(game.view(3), drew=True) == Objective("win", opponents=3, drew=(0, 1))
    assert objective_of(game.view(3), drew=False) == Objective("win", opponents=3)
    (first, _) = WORDS.ask(game.view(3), LegalActions(discard=5)).splitlines()
    best = advise(game.hand(3), Objective("win", opponents=3, drew=(0, 1)))[0]
    assert first.startswith("Advice: ")
    assert first.endswith(f": wins {best.value * 100:.0f} of 100")


def test_a_person_is_advised_by_who_draws_before_and_after_from_the_left_of_the_button() -> None:
    """With the button at seat 4 of 7, seats 5, 6, 7, 1, 2 draw before seat 3; the first two have drawn already."""
    stands: list[tuple[int | None, Literal["in", "folded", "out"]]] = [
        (None, "in"), (None, "folded"), (None, "in"), (None, "in"), (3, "in"), (1, "in"), (None, "out"),
    ]  # fmt: skip
    seats = tuple(
        SeatView(False, None, (None,) * 5, (), drew, "random", f"P{seat}", seat, 0, seat, False, 9, 0, standing)
        for seat, (drew, standing) in enumerate(stands, start=1)
    )
    gone = replace(seats[6], cards=())
    view = replace(drawing().view(1), seats=(*seats[:6], gone), button=4, viewer=3, rules=WINNING)
    assert objective_of(view, drew=True) == Objective("win", opponents=4, drew=(3, 1), earlier=1, folded=1)
    assert objective_of(view, drew=False) == Objective("win", opponents=4)


def test_a_chance_that_was_counted_is_said_of_100() -> None:
    game = opened_by(with_hands(WINNING, *HANDS, persons=(1,)), 1).given(Bet(1, 1), Call(2), Call(3), Call(4))
    (first, _) = WORDS.ask(game.view(1), LegalActions(discard=5)).splitlines()
    best = advise(game.hand(1), Objective("win", opponents=3))[0]
    assert first.endswith(f": wins {best.value * 100:.0f} of 100")


@pytest.mark.parametrize("answer", ["1,3,5", "1 3 5", " 1, 3 ,5 ", "5 3 1"])
def test_a_person_may_list_positions_instead(answer: str) -> None:
    taken = WORDS.read(answer, drawing().view(1), LegalActions(discard=5))
    assert isinstance(taken, Discard)
    assert sorted(taken.cards) == sorted(parse_cards("AH 8C 3C"))


def test_nothing_keeps_all_whatever_is_advised() -> None:
    assert WORDS.read("", drawing().view(1), LegalActions(discard=5)) == Discard(1, ())


def test_where_no_card_can_be_dealt_nothing_is_advised() -> None:
    view, legal = drawing().view(1), LegalActions(discard=0)
    assert WORDS.ask(view, legal) == "No cards are left to draw: press Enter to keep your hand"
    assert WORDS.read("ok", view, legal) == Discard(1, ())


def test_ok_is_no_answer_in_the_betting() -> None:
    game = opened_by(with_hands(BUY_THE_POT, ACES, KINGS, persons=(1,)), 1)
    with pytest.raises(InvalidAnswer, match="I don't understand 'ok'"):
        WORDS.read("ok", game.view(1), game.legal)
