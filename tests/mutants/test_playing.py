"""Mutants of a small project are played against its tests."""

from pathlib import Path

import pytest

from . import playing
from .changes import Mutant, mutants
from .coverings import coverings
from .playing import Copy, NotPlayed, batches, copy_of_project

SOURCE = b"""\
def small(number):
    return number < 10


def idle(number):
    return number
"""
TESTS = """\
import pytest

from room.sizes import idle, small


@pytest.mark.parametrize("number", [9, 10])
def test_small(number):
    assert small(number) == (number == 9)


def test_idle():
    idle(1)


def test_broken():
    assert small(10)
"""
SMALL = ["test_sizes.py::test_small[9]", "test_sizes.py::test_small[10]"]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    folder = tmp_path / "copy"
    (folder / "room").mkdir(parents=True)
    (folder / "room" / "sizes.py").write_bytes(SOURCE)
    (folder / "test_sizes.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: not run\n")
    return Copy(folder)


def mutant(change: str) -> Mutant:
    """Return a mutant of the small project."""
    (found,) = [mutant for mutant in mutants("room/sizes.py", SOURCE) if mutant.name.change == change]
    return found


def test_a_mutant_is_killed_by_a_test_that_fails(copy: Copy) -> None:
    played = copy.play(mutant("return number < 10 → return number <= 10"), SMALL, lambda tests: 0.0)
    assert (played.verdict, played.by) == ("killed", SMALL[1])
    assert (copy.folder / "room" / "sizes.py").read_bytes() == SOURCE


@pytest.mark.slow
def test_a_mutant_that_no_test_shows_survives(copy: Copy) -> None:
    played = copy.play(mutant("return number → return None"), ["test_sizes.py::test_idle"], lambda tests: 0.0)
    assert (played.verdict, played.by) == ("survived", "")


@pytest.mark.slow
def test_a_mutant_is_killed_by_a_file_that_cannot_be_imported(copy: Copy) -> None:
    file = copy.folder / "test_sizes.py"
    file.write_text(TESTS + "\n\nassert not small(10)\n")
    played = copy.play(mutant("return number < 10 → return number <= 10"), SMALL, lambda tests: 0.0)
    assert (played.verdict, played.by) == ("killed", "test_sizes.py")
    assert copy.failing(["test_sizes.py"], 600) == [], "it can be imported, whatever its tests say"


def test_a_mutant_that_hangs_is_ended(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "START", 0.0)
    played = copy.play(mutant("return number → return None"), ["test_sizes.py::test_idle"], lambda tests: 0.0)
    assert played.verdict == "timed out"
    assert (copy.folder / "room" / "sizes.py").read_bytes() == SOURCE


@pytest.mark.slow
def test_a_test_that_is_not_there_kills_nothing(copy: Copy) -> None:
    with pytest.raises(NotPlayed, match=r"there is no test test_sizes\.py::test_gone"):
        copy.play(mutant("return number → return None"), ["test_sizes.py::test_gone"], lambda tests: 0.0)


@pytest.mark.slow
def test_tests_that_fail_without_a_mutant_are_found(copy: Copy) -> None:
    broken = "test_sizes.py::test_broken"
    assert copy.failing([*SMALL, broken], 600) == [broken]
    assert copy.failing(SMALL, 600) == []


def test_a_run_of_tests_takes_longer_than_the_one_before() -> None:
    runs = list(batches([str(number) for number in range(100)], lambda tests: float(len(list(tests)))))
    assert [len(run) for run in runs] == [3, 12, 48, 37]
    assert [test for run in runs for test in run] == [str(number) for number in range(100)]


@pytest.mark.slow
def test_a_mutant_is_asked_of_the_tests_that_run_its_line_and_pass(
    copy: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.mutants.coverings.ENOUGH", 1)
    for _ in range(2):
        found = coverings(copy, tmp_path, ["room"], [], 1)
        assert set(found.tests(mutant("return number < 10 → return number <= 10"))) == set(SMALL)
        assert found.tests(mutant("return number → return None")) == ["test_sizes.py::test_idle"]
        copy.output.unlink(missing_ok=True)
    assert not copy.output.exists(), "the second time, nothing was run"


PROPERTY = "tests/eventlog/test_chain.py::test_a_batch_is_hashed_as_the_definition_says"
NOT_MEASURED = "tests/games/poker_market/test_rollout.py::test_rollout_declines_what_is_all_the_same_to_it"


@pytest.mark.slow
def test_a_property_and_what_is_not_measured_otherwise_are_asked_too(tmp_path: Path) -> None:
    copy = copy_of_project(tmp_path / "copy")
    found = coverings(copy, tmp_path, ["pokersvc/eventlog", "pokersvc/games"], [PROPERTY, NOT_MEASURED], 1)
    for file, function, test in (
        ("pokersvc/eventlog/record.py", "chain", PROPERTY),
        ("pokersvc/games/poker_market/players.py", "RolloutPlayer.choose", NOT_MEASURED),
    ):
        inside = [one for one in mutants(file, (copy.folder / file).read_bytes()) if one.name.function == function]
        assert test in {test for one in inside for test in found.tests(one)}
