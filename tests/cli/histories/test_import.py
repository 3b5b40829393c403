"""`pokersvc import` and `pokersvc audit FILE`, as they are typed."""

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from pokersvc.cli.output import EXIT_FINDINGS, EXIT_INTERRUPTED
from pokersvc.histories import checking
from tests.audit.flips import run
from tests.cli.program import Program
from tests.eventlog.support import AS_SCHEMA_0001
from tests.forks import forks

HISTORIES = Path(__file__).parents[2] / "histories"
STARS = HISTORIES / "samples/pokerstars.txt"
DOCTORED = HISTORIES / "doctored"


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
    """It is not the player with the largest stack after the hand."""
    program.ended("import", HISTORIES / "samples/pokerstars-more.txt")
    hands = {hand["result"]: hand for hand in program.json("games")}
    assert {"Bob won $27.00", "Hero won 328", "nobody gained", "Bob B won $5.30 and Hero won $1.00"} <= set(hands)
    seats = hands["Bob B won $5.30 and Hero won $1.00"]["seats"]
    assert [(seat["rank"], seat["score"]) for seat in seats] == [(3, -200), (1, 530), (4, -500), (1, 100)]
    assert program.run("audit").count("  passed") == len(program.json("games"))


def test_a_dry_run_makes_no_database(program: Program) -> None:
    lines = program.ended("import", STARS, STARS, "--dry-run").out.splitlines()
    assert (lines[0], lines[-1]) == (
        "20 hands: 10 would be stored, 10 stored or told before.",
        "Dry run: nothing was stored.",
    )
    assert not list(program.home.rglob("*.sqlite"))


@pytest.mark.parametrize("keep", [(), ("--keep",)])
def test_a_dry_run_says_what_an_import_says_and_changes_no_byte(program: Program, keep: tuple[str, ...]) -> None:
    program.ended("import", HISTORIES / "samples/pokerstars-more.txt")
    other = program.home / "other.txt"
    other.write_text(STARS.read_text("utf-8").replace("Rake $0.90", "Rake $0.80"), "utf-8")
    files = (STARS, HISTORIES / "samples", other, DOCTORED / "call_removed.phh", "--json")
    before = {path: path.read_bytes() for path in program.home.rglob("*.sqlite*")}
    foreseen = program.ended("import", *files, *keep, "--dry-run")
    assert {path: path.read_bytes() for path in program.home.rglob("*.sqlite*")} == before
    done = program.ended("import", *files, *keep)
    assert (foreseen.code, foreseen.out) == (done.code, done.out) == (3, done.out)
    assert {"stored", "known"} < {hand["result"] for hand in json.loads(done.out)}


def test_hands_that_were_kept_with_findings_have_them_when_they_come_again(program: Program) -> None:
    wrong = program.home / "wrong.txt"
    wrong.write_text(STARS.read_text("utf-8").replace("Rake $0.90", "Rake $0.80"), "utf-8")
    for options, became in (
        (["--dry-run"], "9 would be stored, 1 would be stored with findings"),
        ([], "9 stored, 1 stored with findings"),
        ([], "9 stored before, 1 stored before with findings"),
        (["--dry-run"], "9 stored or told before, 1 stored or told before with findings"),
    ):
        said = run(program.database, "import", str(wrong), "--keep", *options)
        assert (said.code, said.out.count("a rake of $0.80")) == (EXIT_FINDINGS, 1)
        assert f"\n10 hands: {became}.\n" in said.out


def test_a_dry_run_reads_a_database_of_an_older_schema_as_it_is(program: Program) -> None:
    program.ended("import", STARS)
    program.sql(*AS_SCHEMA_0001)
    before = program.database.read_bytes()
    assert program.ended("import", STARS, "--dry-run").out.startswith("10 hands: 10 stored or told before.")
    assert program.database.read_bytes() == before


def test_an_audit_tells_a_hand_that_was_told_before(program: Program) -> None:
    other = program.home / "other.txt"
    other.write_text(STARS.read_text("utf-8").replace("Dora", "Doris"), "utf-8")
    done = program.ended("audit", STARS, STARS, other)
    assert done.code == 3
    told = " ".join(done.out.split())
    [(wrong, good, again)] = re.findall(
        r"30 hands: (\d+) with findings, (\d+) without findings, (\d+) told before\.", told
    )
    assert int(wrong) > 0
    assert (int(good), int(wrong) + int(again)) == (10, 20)
    assert "and the hand as it was told before says" in told
    found = json.loads(program.ended("audit", STARS, STARS, "--json").out)
    assert [hand["result"] for hand in found] == ["checked"] * 10 + ["known"] * 10


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
    assert "readme.txt is not a hand history in a known format" in " ".join(ended.err.split())
    named = program.ended("audit", folder / "hands.txt", folder / "readme.txt")
    assert named.code == 3
    assert "\n10 hands: 10 without findings.\n1 file could not be read.\n" in named.out


@pytest.mark.parametrize("content", [b"", b"  \n", None], ids=["empty", "spaces", "a pipe"])
def test_a_stray_file_without_hands_is_a_fault_only_where_it_is_named(
    program: Program, tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / "hands"
    folder.mkdir()
    (folder / "hands.txt").write_bytes(STARS.read_bytes())
    stray = folder / "stray.txt"
    stray.write_bytes(content) if content is not None else os.mkfifo(stray)
    for command in ("import", "audit"):
        named = run(program.database, command, str(stray))
        assert named.code == EXIT_FINDINGS
        assert named.out.endswith("No hand was found.\n1 file could not be read.\n")
        inside = run(program.database, command, str(folder))
        assert (inside.code, inside.out.count("could not be read")) == (0, 0)
        assert f"note: {stray} is " in inside.err


def test_a_note_of_two_moments_says_which_was_taken(program: Program) -> None:
    said = run(program.database, "audit", str(STARS), str(STARS.with_name("ongame-more.txt")))
    assert [line.partition("note: ")[2] for line in said.err.splitlines() if " taken" in line] == [
        "2010/09/20 20:00:00 PT [2010/09/20 20:00:00 ET] names two different times: the one in ET was taken, not"
        " 2010/09/20 20:00:00 PT.",
        "Fri Sep 10 12:01:00 EEST 2011 contradicts itself: that day is not a Fri; the date was taken.",
    ]


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
    assert terminal.last_line == "pokersvc: Interrupted; what was stored stays, and the same command continues."


@pytest.mark.parametrize("command", ["import", "audit"])
def test_large_files_are_shared_by_all_processors_unless_somebody_says_how_many(
    command: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def noting(*arguments: Any, processes: int, **options: Any) -> Any:
        asked.append(processes)
        return check(*arguments, processes=1, **options)

    check = checking.check
    monkeypatch.setattr(checking, "check", noting)
    monkeypatch.setattr(checking, "usable_processors", lambda: 3)
    monkeypatch.setattr(checking, "PAYS_FROM", 50_000)  # else most of the time goes into reading the blank lines
    large = tmp_path / "large.txt"
    large.write_text(STARS.read_text("utf-8") + "\n" * checking.PAYS_FROM, "utf-8")
    for arguments in ((STARS,), (large,), (STARS, tmp_path), (large, "--processes", "2")):
        said = run(program.database, command, *map(str, arguments))
        assert said.code == 0
        assert said.out.startswith(("10 hands: ", "20 hands: "))
    assert asked == [1, 3, 3, 2]
    monkeypatch.setattr(checking, "usable_processors", lambda: 64)
    assert checking.fitting_processes([large]) == checking.MOST_UNASKED


def test_an_import_that_is_stopped_has_printed_json(program: Program, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(STARS.read_text("utf-8").replace("Total pot", "Total pots"), "utf-8")
    for arguments in (("import", wrong, "--json"), ("audit", wrong, "--json")):
        run = forks().run("tests.cli.odd_runs:stopped_import", *arguments, **program.place)
        assert run.code == EXIT_INTERRUPTED
        assert isinstance(json.loads(run.out), list)
    assert len(json.loads(run.out)) == 6


@pytest.mark.parametrize("there_is_a_database", [False, True])
def test_what_looks_like_a_file_is_neither_a_game_nor_a_file(program: Program, there_is_a_database: bool) -> None:
    if there_is_a_database:
        program.run("db", "upgrade")
    for text in ("nofile.txt", "no/file"):
        assert program.refused("audit", text) == (
            f"There is neither a game nor a file '{text}': `pokersvc games` lists the games, and a hand history is"
            " named by its path."
        )


def counted(program: Program) -> tuple[object, object]:
    """Return the statistics of everybody, and of which hands they are, after an audit of all."""
    assert program.run("audit").count("  passed") == len(program.json("games"))
    return program.json("stats"), sorted(game["game"] for game in program.json("games"))


@pytest.fixture
def at_once(tmp_path: Path) -> tuple[object, object]:
    """Return the result of an import that is not interrupted."""
    other = Program(tmp_path / "other")
    other.home.mkdir()
    other.ended("import", STARS)
    return counted(other)


def test_an_import_that_is_killed_goes_on_where_it_was(program: Program, at_once: object) -> None:
    """Given transactions of four hands, if the import is killed at the sixth hand, the next import stores the rest."""
    run = forks().run("tests.cli.odd_runs:killed_import", "import", STARS, **program.place)
    assert run.code == -signal.SIGKILL
    assert len(program.json("games")) == 8
    assert program.ended("import", STARS).out.splitlines()[0] == "10 hands: 2 stored, 8 stored before."
    assert counted(program) == at_once


def test_a_disk_that_fills_up_keeps_whole_hands_and_says_so(program: Program, at_once: object) -> None:
    program.run("db", "upgrade")
    size = program.database.stat().st_size + 20_000
    small = "tests.cli.odd_runs:import_in_small_transactions"
    run = forks().run(small, "import", STARS, **program.place, size=size)
    stored = len(program.json("games"))
    assert stored in (4, 8)
    assert run.code == 1
    assert run.err.endswith("; what was stored stays, and the same command continues.\n")
    assert "nothing" not in run.err
    assert (
        program.ended("import", STARS).out.splitlines()[0] == f"10 hands: {10 - stored} stored, {stored} stored before."
    )
    assert counted(program) == at_once


def test_two_imports_at_once_store_each_hand_once(program: Program, at_once: object) -> None:
    program.run("db", "upgrade")
    terminals = [program.terminal("import", STARS, size=(24, 200)) for _ in range(2)]
    assert [terminal.end() for terminal in terminals] == [0, 0]
    stored = [re.search(r"(\d+) stored[,.]", terminal.seen) for terminal in terminals]
    assert sum(int(found[1]) for found in stored if found) == 10
    assert counted(program) == at_once


def test_a_terminal_shows_how_far_it_is_at_which_rate_and_what_was_found_so_far(
    program: Program, tmp_path: Path
) -> None:
    text = STARS.read_text("utf-8")
    assert "Rake $0.90" in text
    file = tmp_path / "hands.txt"
    file.write_text(text.replace("Rake $0.90", "Rake $0.80"), "utf-8")
    small = "tests.cli.odd_runs:import_in_small_transactions"
    terminal = program.terminal("import", STARS, file, run=small, term="xterm", size=(24, 60))
    assert terminal.end() == EXIT_FINDINGS
    bars = [line for line in terminal.seen.split("\r") if "wrong" in line]
    assert re.search(r"\d (bytes|kB|MB)/s", bars[-1]), bars[-1]
    assert bars[-1].rstrip().endswith("20 hands, 1 wrong"), bars[-1]
    assert "20 hands: 10 stored, 9 stored before, 1 with findings." in terminal.seen.replace("\r\n", " ")
    assert program.ended("import", file).err.count("wrong") == 0, "in a pipe there is none"


def test_what_names_a_file_that_exists_is_a_file_and_not_a_game(program: Program) -> None:
    program.run("play", "--auto", "--rounds", "1")
    file = program.home / "last"
    file.write_text(STARS.read_text("utf-8"), "utf-8")
    assert program.ended("audit", "last").out.startswith("10 hands: 10 without findings.")
    file.unlink()
    assert program.run("audit", "last").rstrip().endswith("passed")


def test_a_line_that_cannot_be_read_is_named_once(program: Program) -> None:
    path = program.home / "wrong.txt"
    path.write_text(STARS.read_text("utf-8").replace("Hero: folds", "Hero: dances", 1), "utf-8")
    said = next(line for line in program.ended("import", path).out.splitlines() if "dances" in line)
    assert re.fullmatch(r".*wrong\.txt: Line \d+ is not a line that PokerStars writes: 'Hero: dances'\.", said), said
