"""The card rooms' rules against PokerKit, an independent engine: the same hands, to the chip.

PokerKit is told every card and every choice. Before each choice the two agree on whose turn it is and what may be
done for how much; in the end on the pots, on who shows and who mucks, on what is paid, and on all stacks. Where their
rules differ by design, `pokerkit_table.Difference` says how, and each time that it mattered is counted.
"""

from collections import Counter
from typing import Final

import pytest

from pokersvc.games.draw_poker.events import Bet, BlindPosted, CardsDiscarded, Raised
from pokersvc.games.draw_poker.state import DrawPokerState

from .duel import Duel
from .pokerkit_table import Difference
from .rooms import HOUSES

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

SEATS: Final = (2, 3, 6, 9, 10)
ONLY_CARDS: Final = {Difference.DRAW_AFTER_ALL, Difference.RESHUFFLE, Difference.DISCARD_LIMIT}
"""Differences that touch which cards are dealt when, and no chip."""

every_house = pytest.mark.parametrize("name", HOUSES)
every_table = pytest.mark.parametrize("players", SEATS)


def compare(
    name: str, players: int, hands: int, seed: str, *, without_small: bool = False, at_table: bool = False
) -> None:
    met: Counter[Difference] = Counter()
    times: Counter[Difference] = Counter()
    decisions = plain = compared = 0
    for number in range(hands):
        seeded = f"{seed}/{name}/{players}/{number}"
        duel = Duel(name, players, seeded, without_small=without_small, at_table=at_table)
        try:
            duel.play()
        except Exception as error:
            error.add_note(f"{name}, {players} players, hand {number}")
            raise
        compared += 1
        decisions += duel.decisions
        met.update(difference for difference, count in duel.met.items() if count)
        times.update(duel.met)
        plain += all(difference in ONLY_CARDS for difference, count in duel.met.items() if count)
    print(f"\n{name}, {players} players: {compared} hands, {decisions} choices, {plain} without a difference in chips")
    for difference in Difference:
        print(f"  {difference.value}: {met[difference]} hands, {times[difference]} times")
    assert compared == hands, "no hand is skipped"
    assert plain > hands * 0.6, "the differences do not swallow the comparison"
    for difference in set(Difference) - ONLY_CARDS:
        assert met[difference] < hands * 0.25, difference


@every_house
@pytest.mark.parametrize("players", [2, 3, 10])
def test_the_same_hands_to_the_chip(name: str, players: int) -> None:
    compare(name, players, 25, "fast")


@every_house
@pytest.mark.parametrize("players", [3, 9])
def test_the_same_hands_without_a_small_blind(name: str, players: int) -> None:
    compare(name, players, 30, "dead", without_small=True)


@pytest.mark.parametrize("uncapped", ["two_dealt_in", "two_left"])
def test_two_who_raise_without_end_do_so_to_the_chip(uncapped: str) -> None:
    beyond = 0
    for number in range(60):
        duel = Duel("fixed-limit", 2, f"uncapped/{number}", uncapped=uncapped)
        duel.play()
        beyond += most_raises(duel.state) > 4
    assert beyond, "no hand would have gone otherwise under a cap"


def most_raises(state: DrawPokerState) -> int:
    """Return the number of bets and raises in the betting round with most of them."""
    most = count = 0
    for event in state.record.events:
        if isinstance(event, CardsDiscarded):
            count = 0
        count += isinstance(event, Bet | Raised) or (isinstance(event, BlindPosted) and event.blind == "big")
        most = max(most, count)
    return most


many_hands = pytest.mark.parametrize("hands", [500, pytest.param(3000, marks=pytest.mark.exhaustive)])


@pytest.mark.slow
@every_house
@pytest.mark.parametrize("players", [3, 6, 9])
@many_hands
def test_many_hands_without_a_small_blind(name: str, players: int, hands: int) -> None:
    compare(name, players, hands, "slow and dead", without_small=True)


@pytest.mark.slow
@every_house
@every_table
@many_hands
def test_many_hands_to_the_chip(name: str, players: int, hands: int) -> None:
    compare(name, players, hands, "slow")
