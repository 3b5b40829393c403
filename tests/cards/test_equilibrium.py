"""The packaged distribution of good players' final hands, and that solving it again gives the same."""

import runpy
import subprocess
import sys
import zipfile
from collections.abc import Container, Iterable
from importlib.resources import files
from itertools import permutations
from math import comb
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from pokersvc.cards import equilibrium, opponents
from pokersvc.cards.discards import DISCARDS, SIZES, Values, batch_best, batch_totals, outcomes
from pokersvc.cards.equilibrium import STILL, TYPICAL, deals, final_hands, solve
from pokersvc.cards.opponents import (
    MOST_OPPONENTS,
    THROWN_UNITS,
    WIN_UNITS,
    Ends,
    faces_had,
    good_players,
    win_values,
    winning,
)

CYCLES = (6, 8)
"""Numbers of opponents at which the iteration ends in a cycle, so that final hands are averaged over it."""

NUMBERS = range(1, MOST_OPPONENTS + 1)
SETTLED = [number for number in NUMBERS if number not in CYCLES]


def some(numbers: Iterable[int], quick: Container[int]) -> list[object]:
    """Return all numbers, of which only some are tried by the quick tests."""
    return [pytest.param(number, marks=[pytest.mark.slow] * (number not in quick)) for number in numbers]


def test_one_deal_stands_for_all_that_differ_in_suits() -> None:
    of = deals()
    assert of.hands.shape == (134_459, 5)
    assert of.weights.sum() == comb(52, 5)
    for row in range(0, 134_459, 997):
        hand = of.hands[row].tolist()
        alike = {frozenset(card // 4 * 4 + suits[card % 4] for card in hand) for suits in permutations(range(4))}
        assert len(alike) == of.weights[row]


def test_final_hands_are_those_of_the_totals() -> None:
    """The frequency of each strength equals the totals for a value of 1 for it and 0 for all others."""
    of = deals()
    random = np.random.default_rng(4)
    discards = random.integers(0, DISCARDS, len(of.hands)).astype(np.uint8)
    found = final_hands(discards)
    sizes = np.array(SIZES)[discards]
    assert [found[size].sum() for size in range(6)] == [
        of.weights[sizes == size].sum() * comb(47, size) for size in range(6)
    ]
    for s in (1, 1278, 4000, 5864, 7462):
        of_one = batch_totals(of.hands, Values(np.arange(1, 7463) == s))[np.arange(len(discards)), discards]
        assert [(of_one * of.weights)[sizes == size].sum() for size in range(6)] == found[:, s].tolist()


@pytest.mark.parametrize("face", [0, pytest.param(12, marks=pytest.mark.slow)])
def test_faces_that_players_have_are_counted_over_their_final_hands_and_discards(face: int) -> None:
    """Compare the counts with a direct count of the deals that lack a card and end with a given strength."""
    of = deals()
    discards = batch_best(of.hands, win_values(TYPICAL))
    sizes = np.array(SIZES)[discards]
    every = final_hands(discards)
    for s in (2000, 3900):
        indicator = Values(np.arange(1, 7463) == s)
        without = np.zeros(6)
        for card in range(4 * face, 4 * face + 4):
            lack = ~(of.hands == card).any(axis=1)
            found = batch_totals(of.hands[lack], indicator, dead=[card])[np.arange(lack.sum()), discards[lack]]
            without += np.bincount(sizes[lack], found * of.weights[lack], 6)
        had = np.where(every[:, s] > 0, faces_had()[face, :, s], 0)
        assert np.allclose(without, every[:, s] * (4 - had), rtol=0.51 / THROWN_UNITS / 2)


@pytest.mark.parametrize("number", some(SETTLED, {1, 4, 9}))
def test_the_best_discards_against_good_players_are_theirs(number: int) -> None:
    ends = good_players()[number - 1]
    assert ends.rounds == 1
    assert np.array_equal(final_hands(batch_best(deals().hands, win_values(number))), ends.counts)


@pytest.mark.parametrize("number", some(CYCLES, {8}))
def test_where_they_cycle_another_round_moves_the_average_by_less_than_a_millionth(number: int) -> None:
    ends = good_players()[number - 1]
    assert ends.rounds > 1
    ours = final_hands(batch_best(deals().hands, win_values(number)))
    assert not np.array_equal(ours * ends.rounds, ends.counts)
    again = winning([Ends(ends.counts + ours, ends.rounds + 1).chances()] * number)
    assert np.abs(again.by_strength - win_values(number).by_strength).max() < STILL * WIN_UNITS


@pytest.mark.parametrize("number", some(NUMBERS, {1, 4, 8}))
def test_among_equals_everybody_wins_as_often(number: int) -> None:
    """Over all deals, the best discard wins one time in N for N equal players.

    Where the average of several ways to play stands for the opponents, the best answer wins a little more.
    """
    of = deals()
    chosen = batch_best(of.hands, win_values(number))
    best = batch_totals(of.hands, win_values(number))[np.arange(len(chosen)), chosen]
    mean = sum(
        int((best * of.weights)[chosen == mask].astype(object).sum()) / outcomes(mask) for mask in range(DISCARDS)
    ) / (comb(52, 5) * WIN_UNITS)
    if number in CYCLES:
        assert -1e-9 < mean - 1 / (number + 1) < 1e-6
    else:
        assert mean == pytest.approx(1 / (number + 1), abs=1e-9)


def test_what_comes_with_the_package_against_one_is_what_is_solved() -> None:
    solved, shipped = solve(1), good_players()[0]
    assert np.array_equal(solved.counts, shipped.counts)
    assert solved.rounds == shipped.rounds


@pytest.mark.slow
def test_a_command_makes_the_part_for_one_opponent_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of tables that are solved for one opponent alone, each is the first row of the packaged one."""
    made = tmp_path / "opponents.npz"
    monkeypatch.setattr(opponents, "MOST_OPPONENTS", 1)
    monkeypatch.setattr(sys, "argv", ["equilibrium", str(made)])
    runpy.run_path(equilibrium.__file__, run_name="__main__")
    with np.load(made) as ours, files("pokersvc.cards").joinpath("opponents.npz").open("rb") as file:
        shipped = np.load(file)
        assert sorted(ours) == sorted(shipped)
        for name in ours:
            whole = shipped[name] if name == "thrown" else shipped[name][:1]
            assert ours[name].dtype == whole.dtype
            assert np.array_equal(ours[name], whole), name


@pytest.mark.slow
@pytest.mark.exhaustive
def test_a_command_makes_the_file_anew(tmp_path: Path) -> None:
    """Solving again gives the packaged file, for any number of opponents."""
    made = tmp_path / "opponents.npz"
    subprocess.run([sys.executable, "-m", "pokersvc.cards.equilibrium", str(made)], check=True)
    with files("pokersvc.cards").joinpath("opponents.npz").open("rb") as shipped:
        tables = unpacked(shipped)
    assert sorted(tables) == ["counts.npy", "rounds.npy", "thrown.npy", "together.npy"]
    with made.open("rb") as file:
        assert unpacked(file) == tables


def unpacked(file: IO[bytes]) -> dict[str, bytes]:
    """The tables of a file byte for byte; how they are packed differs from one Python to the next."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
