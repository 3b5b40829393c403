"""The bot `shark`: legal everywhere, the same for the same view, and an answer to what it has seen."""

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import Category, Hand
from pokersvc.cards.unknown import known_among
from pokersvc.games.draw_poker.actions import Bet, Discard, Raise
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.games.draw_poker.reading.shark import ReadingPlayer
from pokersvc.games.draw_poker.strategy.kinds import KINDS
from tests.games.reading.playing import AnyPlayer, Chosen, NeverRaises, played

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo")


@given(
    house=st.sampled_from(preset_names()),
    kinds=st.lists(st.sampled_from(["random", "steady", "table", "house", "shark"]), min_size=1, max_size=9),
    stack=st.sampled_from(["60", "100", "200"]),
    seed=st.integers(0, 999),
)
@settings(max_examples=12)
def test_every_choice_is_legal_in_every_house_with_2_to_10_seats(
    house: str, kinds: list[str], stack: str, seed: int
) -> None:
    """`State.decide` refuses any other."""
    players: dict[str, AnyPlayer] = {name: KINDS[kind]() for name, kind in zip(NAMES, kinds, strict=False)}
    players["Sue"] = ReadingPlayer()
    chosen = [*played(str(seed), players, rounds=2, rules=house, stack=stack)]
    assert chosen


@pytest.mark.parametrize("house", ["fixed-limit", "no-limit", "buy-the-pot"])
def test_it_chooses_the_same_by_the_same_view_and_randomness(house: str) -> None:
    """Whoever asks, in whatever process: nothing but the view counts, whatever is kept in memory of rounds before."""
    players: dict[str, AnyPlayer] = {"Ann": ReadingPlayer(), "Bob": KINDS["steady"](), "Cy": KINDS["table"]()}
    for view, legal, _ in played("same", players, rounds=3, rules=house):
        again = pickle.loads(pickle.dumps(view))
        first, second = (ReadingPlayer().choose(one, legal, Random("1")) for one in (view, again))
        assert first == second


def _bets(chosen: Chosen) -> bool:
    return isinstance(chosen.action, (Bet, Raise))


def _choices_of_shark(other: AnyPlayer, *, rounds: int, house: str) -> list[Chosen]:
    players: dict[str, AnyPlayer] = {"Sue": ReadingPlayer(), "Other": other}
    return [
        one
        for one in played("seen", players, rounds=rounds, rules=house, stack="4000")
        if one.view.viewer == 1 and not isinstance(one.action, Discard)
    ]


@pytest.mark.parametrize("house", ["fixed-limit", "pot-limit"])
def test_it_does_not_bluff_one_who_never_folds(house: str) -> None:
    choices = _choices_of_shark(NeverRaises(folds=False), rounds=60, house=house)
    late = [one for one in choices if one.view.round > 30 and one.view.stage == "final betting"]
    nothing = [one for one in late if Hand(known_among(one.view.seat(1).cards)).category is Category.HIGH_CARD]
    assert len(nothing) >= 3
    assert not any(map(_bets, nothing))


@pytest.mark.parametrize("house", ["fixed-limit", "no-limit"])
def test_it_bets_with_anything_against_one_who_folds_to_every_bet(house: str) -> None:
    choices = _choices_of_shark(NeverRaises(folds=True), rounds=150, house=house)
    late = [one for one in choices if one.view.round > 30 and (one.legal.bet or one.legal.raise_to)]
    weak = [one for one in late if Hand(known_among(one.view.seat(1).cards)).category is Category.HIGH_CARD]
    assert len(weak) >= 8
    assert sum(map(_bets, weak)) >= 0.9 * len(weak)


def test_it_seldom_risks_a_deep_stack_for_a_small_pot() -> None:
    deep = []
    for seed in range(25):
        players: dict[str, AnyPlayer] = {"Sue": ReadingPlayer(), "Bob": KINDS["steady"](), "Cy": KINDS["steady"]()}
        for one in played(f"deep {seed}", players, rounds=1, rules="no-limit"):
            limits = one.legal.bet or one.legal.raise_to
            if one.view.viewer == 1 and limits and limits[1] > 5 * one.view.pot:
                deep.append((one, limits[1]))
    assert len(deep) >= 25
    all_in = [one for one, most in deep if getattr(one.action, "to", getattr(one.action, "amount", 0)) == most]
    assert len(all_in) <= len(deep) / 10
