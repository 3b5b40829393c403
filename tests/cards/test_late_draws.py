"""The advice, compared with simulated win rates in every seat, from the table of `tests.cards.late_draws`.

What is counted is checked for every hand and seat. Of what is played, which takes about a second a case, `make test`
checks a case, `make test-slow` a twenty-fourth of those against nine, six and three opponents, and
`make test-exhaustive` all the rest.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

from pokersvc.cards import parse_cards
from pokersvc.cards.advice import WITHIN, Objective, RankedDiscard, advise, within
from pokersvc.core.compiled import compile_kernels
from tests.cards import dealt, late_draws
from tests.cards.late_draws import DEALS, HANDS, Case, Won, case_of, conditional, deals_for, kept, unconditional

MEAN = 0.005
MOST = 0.01
"""The maximum mean error and maximum error of the advice, where no error is displayed with the number."""

NOISE = 3
"""The number of standard errors allowed in addition, for the table and for a simulated draw."""


class Compared(NamedTuple):
    """A case, the advised discard, and the win rates of that one and of the best one in the table."""

    case: Case
    advised: RankedDiscard
    won: Won
    best: Won

    @property
    def off(self) -> float:
        return self.advised.value - self.won.mean

    @property
    def error(self) -> float:
        return float(np.hypot(self.advised.error, self.won.error))


@cache
def rows() -> list[dict[str, Any]]:
    return kept()


@cache
def advice_on(hand: str, objective: Objective) -> list[RankedDiscard]:
    return advise(parse_cards(hand), objective)


def objective_of(case: Case) -> Objective:
    return Objective("win", case.opponents, case.drew, case.before - len(case.drew))


def compared(row: dict[str, Any]) -> Compared:
    """Return the advice for a case, compared with the best discard in the table.

    Where many are as good, that may be another one than is advised, but nearly as good.
    """
    case = case_of(row)
    cards = parse_cards(case.hand)
    won = {int(mask): Won(*of) for mask, of in row["won"].items()}
    asked = objective_of(case)
    if not asked.is_played():  # then the seat makes no difference
        asked = Objective("win", case.opponents)
    advised, *others = advice_on(case.hand, asked)
    for discard in (advised, *others):
        mask = sum(1 << bit for bit, card in enumerate(cards) if card in discard.thrown)
        if mask in won:
            break
    assert advised.value - discard.value <= MEAN, f"{case}: the table has nothing like {advised.thrown}"
    return Compared(case, discard, won[mask], max(won.values()))


def check(of: Iterable[Compared]) -> None:
    found = list(of)
    for one in found:
        assert abs(one.off) <= MOST + NOISE * one.error, one
        assert abs(one.off) <= within(one.advised, objective_of(one.case)) + NOISE * one.error, one
        assert one.won.mean >= one.best.mean - MEAN - NOISE * one.error, one
    assert np.mean([abs(one.off) for one in found]) <= MEAN


def counted_rows() -> list[dict[str, Any]]:
    return [row for row in rows() if not objective_of(case_of(row)).is_played()]


def played_rows() -> list[dict[str, Any]]:
    return [row for row in rows() if objective_of(case_of(row)).is_played()]


def test_the_table_has_forty_hands_against_one_to_nine_in_the_first_middle_and_last_seat() -> None:
    assert len(set(HANDS)) == 40
    seats = {(case.opponents, case.before) for case in unconditional()}
    assert seats == {(n, before) for n in range(1, 10) for before in (0, (n + 1) // 2, n)}
    assert [case_of(row) for row in rows()] == [*unconditional(), *conditional()]


def test_every_case_of_the_table_was_dealt_often_enough() -> None:
    for row in rows():
        assert row["deals"] >= deals_for(case_of(row), DEALS)
        assert all(error < 0.0016 for _, error in row["won"].values())
    assert all(row["deals"] == DEALS for row in rows() if not row["drew"])


@pytest.mark.slow
def test_what_is_counted_comes_as_near_to_real_deals_as_is_said_beside_it() -> None:
    check(map(compared, counted_rows()))


@pytest.mark.slow
def test_what_is_said_beside_a_counted_chance_is_no_more_than_was_found() -> None:
    """`WITHIN` is the largest difference from the table, except for the table's own error."""
    for opponents, most in WITHIN.items():
        found = [one for one in map(compared, counted_rows()) if one.case.opponents == opponents]
        largest = max(found, key=lambda one: abs(one.off))
        assert abs(largest.off) <= most <= abs(largest.off) + 0.002


def test_four_to_a_straight_is_kept_in_the_last_of_seven_seats() -> None:
    """A lone ace, which was advised once, wins 5.1 %."""
    (row,) = (row for row in rows() if case_of(row) == Case("AC 2D 3H 4S 9C", 6, 6))
    found = compared(row)
    assert [str(card) for card in found.advised.thrown] == ["9C"]
    check([found])


def thirds(cases: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Split rows into three parts: each has every hand, and every seat with a third of the hands."""
    parts: list[list[dict[str, Any]]] = [[], [], []]
    seen = Counter[str]()
    for row in cases:
        hand = row["hand"]
        parts[(HANDS.index(hand) + seen[hand]) % 3].append(row)
        seen[hand] += 1
    return parts


PLAYED_AGAINST: Final = (9, 8, 7, 6, 5, 3, 1)
OFTEN: Final = (9, 6, 3)
"""The numbers of opponents of the cases of which the slow tests take some."""


def played_against(opponents: int) -> list[dict[str, Any]]:
    return [row for row in played_rows() if row["opponents"] == opponents]


def test_each_third_of_what_is_played_has_every_hand_and_every_seat() -> None:
    assert sum(len(played_against(opponents)) for opponents in PLAYED_AGAINST) == len(played_rows())
    for opponents in PLAYED_AGAINST:
        of = played_against(opponents)
        parts = thirds(of)
        assert sorted(map(case_of, of)) == sorted(case_of(row) for part in parts for row in part)
        for part in parts:
            assert {row["hand"] for row in part} == {row["hand"] for row in of}
            assert {row["before"] for row in part} == {row["before"] for row in of}


def twelfths(opponents: int) -> list[list[dict[str, Any]]]:
    """Return each third in four quarters."""
    return [part[quarter::4] for part in thirds(played_against(opponents)) for quarter in range(4)]


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("opponents", OFTEN)
def test_some_of_what_is_played_comes_near_to_real_deals(opponents: int) -> None:
    check(map(compared, twelfths(opponents)[opponents][::2]))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.no_cover
@pytest.mark.parametrize("opponents", PLAYED_AGAINST)
@pytest.mark.parametrize("twelfth", range(12))
def test_all_that_is_played_comes_near_to_real_deals(opponents: int, twelfth: int) -> None:
    check(map(compared, twelfths(opponents)[twelfth]))


@pytest.mark.slow
@pytest.mark.no_cover
def test_a_case_that_is_played_in_plain_python_comes_out_as_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The random numbers differ, so results agree within the errors; the policy is simple: discard nothing."""
    monkeypatch.setattr(late_draws, "policy", lambda opponents: np.zeros(2_598_960, np.uint8))
    case, masks = Case("2C 2D 8H 5S 3D", 2, 1), [0, 0b11100]
    plain = late_draws.play(case, masks, 400, 1, dealt)
    functions = compile_kernels(dealt, dealt.COMPILED)
    assert functions is not None
    for by_python, by_numba in zip(plain, late_draws.play(case, masks, 20_000, 2, functions), strict=True):
        assert abs(by_python.mean - by_numba.mean) < 5 * by_python.error
