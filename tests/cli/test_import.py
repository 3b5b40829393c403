"""`pokersvc import` and `pokersvc audit FILE`, as they are typed."""

import json
from pathlib import Path

import pytest

from .program import Program

HISTORIES = Path(__file__).parents[1] / "histories"
STARS = HISTORIES / "samples/pokerstars.txt"
DOCTORED = HISTORIES / "doctored"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def test_a_file_is_imported_once(program: Program) -> None:
    first, again = (program.ended("import", STARS).out.splitlines() for _ in range(2))
    assert first[0] == "10 hands: 10 stored."
    assert again[0] == "10 hands: 10 stored before."
    assert first[1] == (
        "Not checked, as the files do not say it: 6 stated rakes, 10 unknown discards, 10 unknown draws and"
        " 37 unknown hands."
    )
    assert len(program.json("games")) == 10


def test_the_list_says_who_won_each_hand_and_what_in_its_currency(program: Program) -> None:
    """Not who has the largest stack after it, which no hand is about."""
    program.ended("import", HISTORIES / "samples/pokerstars-more.txt")
    hands = {hand["result"]: hand for hand in program.json("games")}
    assert {"Bob won $27.00", "Hero won 328", "nobody gained", "Bob B won $5.30 and Hero won $1.00"} <= set(hands)
    seats = hands["Bob B won $5.30 and Hero won $1.00"]["seats"]
    assert [(seat["rank"], seat["score"]) for seat in seats] == [(3, -200), (1, 530), (4, -500), (1, 100)]
    assert program.run("audit").count("  passed") == len(program.json("games"))


def test_a_dry_run_makes_no_database(program: Program) -> None:
    assert program.ended("import", STARS, "--dry-run").out.startswith("10 hands: 10 without findings.")
    assert not list(program.home.rglob("*.sqlite"))


def test_hands_with_findings_are_told_by_line_with_code_3(program: Program) -> None:
    done = program.ended("import", DOCTORED / "call_removed.phh", STARS)
    assert done.code == 3
    assert done.out.splitlines()[:2] == [
        f"{DOCTORED / 'call_removed.phh'}: hand call_removed of PHH: line 26 says how the hand ended for p3, and the"
        " lines before it imply that p2 is to choose.",
        "11 hands: 10 stored, 1 with findings.",
    ]


def test_a_file_is_audited_without_a_database(program: Program) -> None:
    assert program.ended("audit", STARS).out.startswith("10 hands: 10 without findings.")
    assert not list(program.home.rglob("*.sqlite"))
    assert program.ended("audit", STARS, "--processes", "2").out.startswith("10 hands: 10 without findings.")


def test_findings_of_files_as_json(program: Program) -> None:
    done = program.ended("audit", DOCTORED / "check_removed.phh", "--json")
    assert done.code == 3
    (found,) = json.loads(done.out)
    assert found["findings"][0]["line"] == 11
    assert found["result"] == "refused"


def test_what_is_of_the_log_alone_is_refused_for_files(program: Program) -> None:
    said = program.refused("audit", STARS, "--ledger")
    assert said == "--ledger is for games of the database; leave it out to audit a file."
