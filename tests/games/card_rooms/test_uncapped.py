"""Two players who raise endlessly in fixed limit, if their house allows it.

Robert's Rules of Poker, version 11, "Betting and raising", rule 4: unlimited raising is allowed in heads-up play.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Final

import pytest

from pokersvc.core.setup import Options
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_options import UNCAPPED, Uncapped
from pokersvc.games.draw_poker.house.houses import preset, rules_of
from pokersvc.games.draw_poker.house.playable import InvalidRules
from pokersvc.games.draw_poker.house.rules import Betting
from pokersvc.testing import check_game

from ..draw_poker.checked import CHECKED, quicken
from ..draw_poker.scenario import Scenario, after_earlier_rounds, rules_with, seated
from .rooms import drawn, house, on, passed

CAP: Final = 4
WHENS: Final = tuple(Uncapped)
every_when = pytest.mark.parametrize("uncapped", WHENS)


def first(players: int, uncapped: str, *stacks: int) -> Scenario:
    """The first betting, with blinds of 1 and 2; of three, seat 2 has the small one and seat 3 the big one."""
    game = seated(players, rules=house("fixed-limit", uncapped=uncapped))
    return after_earlier_rounds(game, stacks or (12,) * players).ready()


def final_of_two(players: int, uncapped: str, *stacks: int) -> Scenario:
    """The final betting of two: all but the blinds have folded before the draw."""
    game = first(players, uncapped, *stacks)
    for _ in range(players - 2):
        assert game.to_act is not None
        game.given(Fold(game.to_act))
    return drawn(passed(game))


class TestBySequences:
    """Every sequence of choices of a betting round, by the engine and by an independent count of bets."""

    @every_when
    def test_two_dealt_in_before_the_draw(self, uncapped: str) -> None:
        cap = CAP if uncapped == "never" else None
        # The button has the small blind and acts first; the big blind is the first bet.
        assert set(sequences(first(2, uncapped))) == set(counted([1, 2], 12, 2, cap))

    @every_when
    def test_two_dealt_in_after_the_draw(self, uncapped: str) -> None:
        cap = CAP if uncapped == "never" else None
        assert set(sequences(final_of_two(2, uncapped, 26, 26))) == set(counted([0, 0], 24, 4, cap))

    @every_when
    def test_three_dealt_in_before_the_draw_are_capped_also_once_one_has_folded(self, uncapped: str) -> None:
        # The button acts first, then the blinds.
        assert set(sequences(first(3, uncapped))) == set(counted([0, 1, 2], 12, 2, CAP))

    @every_when
    @pytest.mark.parametrize("players", [3, 6])
    def test_two_left_of_more_after_the_draw(self, players: int, uncapped: str) -> None:
        cap = None if uncapped == "two_left" else CAP
        game = final_of_two(players, uncapped, *(26,) * players)
        assert set(sequences(game)) == set(counted([0, 0], 24, 4, cap))


def sequences(game: Scenario) -> Iterator[str]:
    """Yield every possible sequence of choices in a betting round, one letter per choice."""
    stage = game.view().stage
    if game.to_act is None or stage not in ("first betting", "final betting"):
        yield ""
        return
    seat, legal = game.to_act, game.legal
    most = legal.bet or legal.raise_to
    assert most is None or most[0] == most[1], "a fixed limit leaves no choice"
    choices = {
        "f": Fold(seat) if legal.fold else None,
        "k": Check(seat) if legal.check else None,
        "c": Call(seat) if legal.call else None,
        "r": None if most is None else Bet(seat, most[0]) if legal.bet else Raise(seat, most[0]),
    }
    for letter, action in choices.items():
        if action is not None:
            after = on(deepcopy(game).given(action))
            rest = sequences(after) if after.view().stage == stage else [""]
            yield from (letter + further for further in rest)


def counted(put: list[int], stack: int, unit: int, cap: int | None) -> Iterator[str]:
    """Return the same by counting bets only: all have equal stacks of whole units, and act in order."""

    def further(put: tuple[int, ...], inside: tuple[int, ...], waiting: tuple[int, ...]) -> Iterator[str]:
        if len(inside) == 1 or not waiting:
            yield ""
            return
        player, *others = waiting
        price = max(put)
        if put[player] < price:
            left = tuple(one for one in inside if one != player)
            yield from ("f" + rest for rest in further(put, left, tuple(others)))
        paid = (*put[:player], price, *put[player + 1 :])
        letter = "c" if put[player] < price else "k"
        yield from (letter + rest for rest in further(paid, inside, tuple(others)))
        bets = price // unit
        if price < stack and (cap is None or bets < cap):
            raised = (*put[:player], price + unit, *put[player + 1 :])
            around = [one for one in (*range(player + 1, len(put)), *range(player)) if one in inside]
            yield from ("r" + rest for rest in further(raised, inside, tuple(around)))

    everybody = tuple(range(len(put)))
    yield from further(tuple(put), everybody, everybody)


class TestWhoIsAllIn:
    def test_of_three_in_the_pot_two_who_can_bet_raise_without_end(self) -> None:
        for uncapped, fifth in (("two_left", (20, 20)), ("two_dealt_in", None), ("never", None)):
            game = drawn(passed(first(3, uncapped, 200, 200, 2)))
            game.given(Bet(2, 4), Raise(1, 8), Raise(2, 12), Raise(1, 16))
            assert game.legal.raise_to == fifth

    def test_as_soon_as_three_can_bet_as_the_round_begins_there_is_a_cap(self) -> None:
        game = drawn(passed(first(4, "two_left", 200, 200, 200, 2)))
        assert game.to_act is not None
        game.given(Bet(2, 4), Raise(3, 8), Fold(1), Raise(2, 12), Raise(3, 16))
        assert game.legal.raise_to is None

    def test_three_dealt_in_of_whom_one_is_all_in_by_a_blind(self) -> None:
        game = first(3, "two_left", 200, 200, 1)
        game.given(Raise(1, 4), Raise(2, 6), Raise(1, 8))
        assert game.legal.raise_to == (10, 10)

    def test_a_round_without_a_cap_does_not_lift_that_of_the_next_hand(self) -> None:
        game = final_of_two(3, "two_left", 200, 200, 200)
        assert game.state.uncapped
        assert game.to_act is not None
        game.given(Check(2), Check(3)).deal_on()
        game.ready()
        assert not game.state.uncapped
        one, two, three = (game.state.button - 1 + seat for seat in range(3))
        seats = [seat % 3 + 1 for seat in (one, two, three)]
        game.given(Raise(seats[0], 4), Raise(seats[1], 6), Raise(seats[2], 8))
        assert game.legal.raise_to is None


@pytest.mark.slow
@every_when
def test_whatever_bots_do_the_game_keeps_its_promises(uncapped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    options = [{"rules": "fixed-limit", "uncapped": uncapped}]
    check_game(DRAW_POKER, seeds=range(2), options=options, stored=1, **CHECKED)


class TestHouse:
    def test_a_house_that_says_nothing_has_todays_cap(self) -> None:
        assert preset("fixed-limit").betting.uncapped == "never"
        assert [house.uncapped for house in (Betting(minimum=2, most_bets=4),)] == ["never"]

    @pytest.mark.parametrize("uncapped", ["two_dealt_in", "two_left"])
    def test_without_a_cap_there_is_none_to_lift(self, uncapped: str) -> None:
        with pytest.raises(InvalidRules, match=f'betting.uncapped = "{uncapped}".*no cap to lift'):
            rules_with(betting__uncapped=uncapped)

    def test_a_word_for_no_rule_is_refused(self) -> None:
        data = preset("fixed-limit").model_dump()
        data["betting"]["uncapped"] = "always"
        with pytest.raises(InvalidRules, match=r"betting\.uncapped"):
            rules_of(data, "given")

    @pytest.mark.parametrize("players", [2, 3])
    def test_the_rules_of_the_moment_say_it(self, players: int) -> None:
        for uncapped, said in (
            ("never", "at most 4 bets and raises together."),
            ("two_dealt_in", "together, and no limit where only two are dealt in."),
            ("two_left", "together, and no limit where only two can still bet as a round of betting begins."),
        ):
            game = first(players, uncapped)
            assert game.to_act is not None
            told = " ".join(" ".join(DrawPokerWords().moment(game.view(game.to_act), game.legal)).split())
            assert said in told


class TestOption:
    def options(self, **given: object) -> Betting:
        found: Options = DRAW_POKER.options({"rules": "fixed-limit", **given})
        betting: Betting = found["rules"].betting
        return betting

    def test_it_is_in_the_option_what_it_is_in_the_rules(self) -> None:
        for uncapped in Uncapped:
            for given in (uncapped, str(uncapped)):
                betting = self.options(uncapped=given)
                assert betting == preset("fixed-limit").betting.model_copy(update={"uncapped": str(uncapped)})
                assert type(betting.uncapped) is str
        assert self.options().uncapped == "never"
        assert UNCAPPED.of_form is str

    def test_what_it_cannot_be_is_refused(self) -> None:
        for wrong in ("always", 2, True):
            with pytest.raises(InvalidValue, match=r"it must be never, two_dealt_in or two_left\."):
                self.options(uncapped=wrong)

    def test_a_house_without_a_cap_is_refused(self) -> None:
        with pytest.raises(InvalidValue, match=r"no-limit has no cap on raises .* fixed-limit"):
            DRAW_POKER.options({"rules": "no-limit", "uncapped": "two_left"})
