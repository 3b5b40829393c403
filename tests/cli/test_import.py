"""`pokersvc import` and `pokersvc audit FILE`, as they are typed."""

import json
from pathlib import Path

import pytest

from pokersvc.cli.output import EXIT_INTERRUPTED

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


def test_a_file_of_something_else_is_no_hand_and_no_fault_in_a_folder(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    folder.mkdir()
    (folder / "hands.txt").write_bytes(STARS.read_bytes())
    (folder / "readme.txt").write_text("Hands of the last year.\n", "utf-8")
    ended = program.ended("import", folder)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "10 hands: 10 stored.")
    assert "readme.txt is not a hand history that is read" in " ".join(ended.err.split())
    named = program.ended("audit", folder / "hands.txt", folder / "readme.txt")
    assert named.code == 3
    assert "\n10 hands: 10 without findings.\n1 file could not be read.\n" in named.out


def test_the_history_of_a_hand_is_in_its_currency(program: Program) -> None:
    program.ended("import", STARS)
    won = {hand["result"]: hand["game"] for hand in program.json("games")}
    assert program.run("history", won["Dora won $10.10"]).splitlines() == ["Round 1 -- Dora won $18.10"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "Dora: raises $2 to $3",
            "Dora: raises $3 to $4",
            "Dora cannot raise to $4.00 now; the choices are to call $1.00, to raise to $2.00 to $3.50 or to fold",
        ),
        (
            "Cid: discards 1 card\n",
            "Cid: discards 6 cards\n",
            "that Cid discards 6 cards, and the lines before it imply five cards at most",
        ),
    ],
)
def test_findings_have_amounts_in_their_currency_and_count_cards_that_nobody_knows(
    program: Program, tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = STARS.read_text("utf-8")
    file = tmp_path / "wrong.txt"
    file.write_text(text.replace(old, new, 1), "utf-8")
    assert says in " ".join(program.ended("audit", file).out.split())


def test_an_import_that_is_stopped_has_counted_what_it_stored(program: Program) -> None:
    terminal = program.terminal("import", STARS, run="tests.cli.odd_runs:stopped_import")
    assert terminal.end() == EXIT_INTERRUPTED
    [(stored, counted)] = program.sql("SELECT count(*), sum(counted) FROM game_summaries")
    assert stored == counted > 6
