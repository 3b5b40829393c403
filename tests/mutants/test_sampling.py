"""The content of a sample, and when it passes."""

from pathlib import Path

import pytest

from .changes import Mutant, mutants
from .lists import Equivalent
from .playing import Played, Verdict
from .sampling import Results, sample

SOURCE = "".join(f"def f{number}():\n    a()\n" for number in range(100)).encode()
DRAWN = mutants("pokersvc/core/a.py", SOURCE)


def results(killed: int, survived: int, equivalent: int, drawn: list[Mutant] = DRAWN) -> Results:
    """Return results with the given number of each verdict."""
    counts: dict[Verdict, int] = {"killed": killed - 1, "timed out": 1, "survived": survived}
    verdicts = [verdict for verdict, count in counts.items() for _ in range(count)]
    played = {mutant.name: Played(verdict) for mutant, verdict in zip(drawn, verdicts, strict=False)}
    known = {mutant.name: Equivalent(mutant.name, "why") for mutant in drawn[len(verdicts) :][:equivalent]}
    return Results(drawn, played, known)


def test_a_seed_draws_the_same_sample_each_time(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a.py").write_bytes(SOURCE)
    one, again, other = (sample(tmp_path, ["room"], seed, 20) for seed in (1, 1, 2))
    assert one == again
    assert len({mutant.name for mutant in one}) == 20
    assert one != other


@pytest.mark.parametrize(
    ("killed", "survived", "equivalent", "faults"),
    [
        (95, 5, 0, []),
        (94, 6, 0, ["94 of 100 mutants were killed, which is less than 95%."]),
        (90, 0, 10, []),
        (89, 0, 11, ["11 of 100 mutants are called equivalent, more than 10%."]),
        (90, 0, 0, ["10 of 100 mutants were not played in time."]),
    ],
)
def test_a_sample_passes_by_what_is_killed_of_those_that_are_not_equivalent(
    killed: int, survived: int, equivalent: int, faults: list[str]
) -> None:
    assert results(killed, survived, equivalent).faults() == faults


def test_the_table_counts_each_verdict_by_room() -> None:
    lines = results(86, 4, 10).table().splitlines()
    assert [line.split() for line in lines[1:]] == [["core", "85", "1", "4", "10"], ["all", "85", "1", "4", "10"]]
