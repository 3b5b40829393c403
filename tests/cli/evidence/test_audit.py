"""`pokersvc audit` as people and pipes use it."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pokersvc.cli.output import EXIT_INTERRUPTED
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.service.read_models.projections import READ_MODELS
from tests.audit.flips import Said, run
from tests.cli.program import Program, beside
from tests.forks import forks

EXAMPLE = Path(__file__).parents[3] / "pokerdb.sqlite.example"
LISTS = ("history_entries", "game_players", "played_rounds", "game_summaries")


@pytest.fixture
def whole(program: Program) -> Program:
    """Fixture: the program with the games of the example as its database."""
    program.database.parent.mkdir(parents=True)
    shutil.copy(EXAMPLE, program.database)
    return program


@pytest.fixture
def changed(whole: Program) -> Program:
    """Fixture: the same, with one payload changed."""
    whole.sql(
        "DROP TRIGGER events_refuse_update",
        "UPDATE events SET payload = replace(payload, '106', '107') WHERE game_id = 'two-minimum' AND seq = 40",
        "UPDATE events SET payload = '{\"seat\":1}' WHERE game_id = 'two-minimum' AND type = 'Called' AND seq < 20",
    )
    return whole


def ended(program: Program, *arguments: str) -> Said:
    """Run the program inside this process, which is faster."""
    return run(program.database, *arguments)


def test_a_line_a_game_and_nothing_else(whole: Program) -> None:
    lines = whole.read("audit").splitlines()
    assert [line[:8] for line in lines] == ["ann-leav", "four-ste", "two-mini", "two-stea"]
    assert all(re.fullmatch(r"[a-z-]{8}  draw    +\d+ events  passed", line) for line in lines)


def test_games_are_named_as_everywhere(whole: Program) -> None:
    assert whole.read("audit", "two-m", "last", "two-minimum") == "two-mini  draw           47 events  passed\n"
    ambiguous, unknown = ended(whole, "audit", "two"), ended(whole, "audit", "zzz")
    assert (ambiguous.code, unknown.code) == (1, 1)
    assert "could be any of" in ambiguous.err
    assert "There is no game 'zzz'" in unknown.err


@pytest.mark.parametrize(("options", "told"), [((), 3), (("--ledger",), 1)])
def test_an_audit_that_is_stopped_has_printed_json(whole: Program, options: tuple[str, ...], told: int) -> None:
    stopped = forks().run("tests.cli.odd_runs:stopped_audit", "audit", "--json", *options, **whole.place)
    assert stopped.code == EXIT_INTERRUPTED
    games = json.loads(stopped.out)
    assert games[:-1] == json.loads(whole.read("audit", "--json", *options))[: len(games) - 1]
    assert len(games) == told
    assert ("result" in games[-1]) == (not options), "a ledger that is not at its end has no verdict"


def test_a_finding_is_a_line_and_exit_code_3(changed: Program) -> None:
    said = ended(changed, "audit")
    assert (said.code, said.err) == (3, "")
    lines = said.out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("two-mini"))
    assert re.fullmatch(r"two-mini  draw           47 events  \d+ findings", lines[at])
    assert re.match(r"Game two-minimum, event \d+ \(Called\): found the hash [0-9a-f]{64} where", lines[at + 1])
    assert lines[0].startswith("ann-leav  draw ")
    assert lines[-2].startswith("two-stea  draw ")
    assert lines[-1].startswith("The database: found other figures in the tallies"), "of the chips that were changed"


def test_json_has_every_finding_in_its_parts(changed: Program) -> None:
    said = ended(changed, "audit", "two-minimum", "--json")
    assert said.code == 3
    (game,) = json.loads(said.out)
    assert (game["game"], game["kind"], game["events"], game["known"]) == ("two-minimum", "draw", 47, True)
    first = game["findings"][0]
    assert list(first) == ["game", "seq", "type", "check", "found", "expected"]
    assert (first["game"], first["type"], first["check"]) == ("two-minimum", "Called", "chain")


def test_json_of_whole_games(whole: Program) -> None:
    games = whole.json("audit")
    assert [game["game"] for game in games] == ["ann-leaves", "four-steady", "two-minimum", "two-steady"]
    assert all(game["findings"] == [] and game["over"] for game in games)


def test_the_ledger_can_be_followed(whole: Program) -> None:
    assert (
        whole.read("audit", "two-m", "--ledger").splitlines()
        == """\
Game two-minimum
Round 1    put in  returned  in pots  paid   net
  Player1     105         0      105   210  +105
  Player2     105         0      105     0  -105
  total       210         0      210   210     0
  pot 1, 210 chips: 210 to Player1

Round 2    put in  returned  in pots  paid   net
  Player1     106         0      106   212  +106
  Player2     106         0      106     0  -106
  total       212         0      212   212     0
  pot 1, 212 chips: 212 to Player1

Round 3    put in  returned  in pots  paid   net
  Player1     107         0      107     0  -107
  Player2     107         0      107   214  +107
  total       214         0      214   214     0
  pot 1, 214 chips: 214 to Player2

The game   began  put in  returned  in pots  paid   net   has
  Player1   1000     318         0      318   422  +104  1104
  Player2   1000     318         0      318   214  -104   896
  total     2000     636         0      636   636     0  2000

two-mini  draw           47 events  passed""".splitlines()
    )


def test_the_round_that_goes_on_is_the_last_page_of_the_ledger(program: Program) -> None:
    program.ended(
        "play", "--players=2", "--rules=no-limit", "--seed=open", "--player=Ann=human", "--player=Bob=minimum", typed=""
    )
    (game,) = program.json("audit", "--ledger")
    (page,) = game["ledger"]
    assert (page["title"], game["over"], game["findings"]) == ("Round 1, in progress", False, [])
    put_in = {row["name"]: row["put in"] for row in page["rows"]}
    assert put_in["total"] == put_in["Ann"] + put_in["Bob"] > 0
    assert "Round 1, in progress  put in" in program.read("audit", "--ledger")


def test_the_ledger_as_json_is_one_document(whole: Program) -> None:
    games: list[dict[str, Any]] = whole.json("audit", "--ledger")
    assert [game["ledger"][-1]["title"] for game in games] == ["The game"] * 4
    two = games[2]
    assert two["ledger"][0]["rows"][0] == {
        "name": "Player1", "put in": 105, "returned": 0, "in pots": 105, "paid": 210, "net": 105
    }  # fmt: skip
    assert (two["findings"], two["events"]) == ([], 47)


def test_the_tables_of_a_ledger_fit_80_columns(program: Program) -> None:
    many = [f"--player={'A' * 18}{number}=random" for number in range(4)]
    program.run("play", "--auto", "--players", "4", "--rules", "no-limit", "--rounds", "3", "--seed", "wide", *many)
    lines = [line for line in program.read("audit", "--ledger").splitlines() if not line.startswith("  pot ")]
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_processes_find_the_same(changed: Program) -> None:
    assert ended(changed, "audit", "--processes", "2") == ended(changed, "audit")
    assert changed.json("audit", "four", "--processes", "2") == changed.json("audit", "four")


@pytest.mark.slow
def test_a_row_of_games_that_cannot_be_read_keeps_no_other_game_from_its_line(whole: Program) -> None:
    whole.sql(
        "UPDATE games SET kind = CAST(x'ff41' AS TEXT) WHERE game_id = 'four-steady'",
        "INSERT INTO games SELECT CAST(game_id AS BLOB), kind, count, head FROM games LIMIT 1",
    )
    said = ended(whole, "audit")
    assert (said.code, said.err) == (3, "")
    assert [line[:8] for line in said.out.splitlines() if re.search("  (passed|1 finding)$", line)] == [
        "ann-leav",
        "four-ste",
        "two-mini",
        "two-stea",
    ]
    assert ended(whole, "audit", "--processes", "2") == said


def test_the_chain_alone(changed: Program) -> None:
    changed.sql("UPDATE game_summaries SET facts = '{}'")
    said = ended(changed, "audit", "--chain", "--json")
    findings = [finding for game in json.loads(said.out) for finding in game["findings"]]
    assert (said.code, {finding["check"] for finding in findings}) == (3, {"chain"})
    assert changed.read("audit", "--chain", "four").endswith(" events  passed\n")


@pytest.mark.parametrize("other", [["--chain"], ["--processes", "2"]])
def test_a_ledger_needs_the_whole_audit_in_one_process(whole: Program, other: list[str]) -> None:
    said = ended(whole, "audit", "--ledger", *other)
    assert said.code == 1
    assert "cannot be combined with" in said.err


def test_a_kind_that_was_renamed_in_the_table_of_games_alone_is_a_finding(whole: Program) -> None:
    whole.sql(
        "DROP TRIGGER events_refuse_delete",
        "DELETE FROM history_entries",
        *(
            f"DELETE FROM {table} WHERE game_id <> 'two-minimum'"
            for table in ("played_rounds", "game_players", "game_summaries")
        ),
        "DELETE FROM events WHERE game_id <> 'two-minimum' OR seq > 1",
        "DELETE FROM games WHERE game_id <> 'two-minimum'",
        "UPDATE games SET kind = 'chess', count = 1, head = (SELECT hash FROM events)",
    )
    said = ended(whole, "audit", "last")
    assert said.out.splitlines()[1:] == [
        "Game two-minimum: found the kind 'chess' in the games table where there should be 'draw' (chain)",
        *said.out.splitlines()[2:],
    ]


@pytest.fixture
def of_chess(whole: Program) -> Program:
    """The program with one game whose kind was renamed everywhere."""
    with Database.for_writing(str(whole.database)) as database:
        records = list(EventLog(database).read("two-minimum"))
    events = [
        NewEvent(record.type, record.version, record.payload.replace('"game":"draw"', '"game":"chess"'), record.secret)
        for record in records
    ]
    whole.sql(
        "DROP TRIGGER events_refuse_delete",
        *(f"DELETE FROM {table}" for table in (*(table.name for table in READ_MODELS), "tallies", "events", "games")),
        "UPDATE sqlite_sequence SET seq = 0",
    )
    with Database.for_writing(str(whole.database)) as database:
        EventLog(database).append("chess", events, expected=0, command_id="forged", kind="chess")
    return whole


def test_a_game_whose_kind_was_renamed_is_not_checked_and_exits_with_1(of_chess: Program) -> None:
    for arguments in (("audit",), ("audit", "last")):
        said = ended(of_chess, *arguments)
        assert (said.code, said.err) == (1, "pokersvc: 1 game was not checked; its line says why.\n")
        line, *of_database = said.out.splitlines()
        assert line.split("events  ")[1] == "not checked, this pokersvc does not know 'chess'; its chain is intact"
        assert " ".join(" ".join(of_database).split()) == (
            "The database: the tallies were checked without the hands of 1 game that this pokersvc does not know."
            if arguments == ("audit",)
            else ""
        )
    game, of_database = json.loads(ended(of_chess, "audit", "--json").out)
    assert (of_database["game"], of_database["result"]) == (None, "whole")
    assert of_database["unchecked"] == {"unknown game": 1}
    assert (game["known"], game["checked"], game["result"], game["findings"]) == (False, False, "not checked", [])


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--chain"]])
def test_processes_say_the_same_of_a_game_whose_kind_was_renamed(of_chess: Program, options: list[str]) -> None:
    assert ended(of_chess, "audit", *options, "--processes", "2") == ended(of_chess, "audit", *options)


def test_a_game_of_an_unknown_kind_with_a_finding_exits_with_3(of_chess: Program) -> None:
    of_chess.sql("DROP TRIGGER events_refuse_update", "UPDATE events SET payload = '{}' WHERE seq = 2")
    said = ended(of_chess, "audit")
    assert (said.code, said.err) == (3, "")
    assert "1 finding; not checked, this pokersvc does not know 'chess'\n" in said.out
    game, _ = json.loads(ended(of_chess, "audit", "--json").out)
    assert (game["checked"], game["result"]) == (False, "findings")


def test_the_chain_of_a_game_of_an_unknown_kind_is_checked_as_that_of_any_other(of_chess: Program) -> None:
    said = ended(of_chess, "audit", "--chain")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith(" events  passed\n")
    (game,) = json.loads(ended(of_chess, "audit", "--chain", "--json").out)
    assert (game["known"], game["checked"], game["result"]) == (False, True, "whole")


def test_no_games_is_no_line(program: Program) -> None:
    program.run("db", "upgrade")
    assert program.read("audit") == ""
    assert program.json("audit") == []


def test_an_audit_writes_nothing(changed: Program) -> None:
    before = beside(changed.database)
    ended(changed, "audit")
    assert beside(changed.database) == before


def test_a_damaged_file_is_found_or_refused_in_a_sentence(whole: Program) -> None:
    content = bytearray(whole.database.read_bytes())
    for at in range(5 * 4096, 6 * 4096):
        content[at] ^= 0x55
    whole.database.write_bytes(content)
    said = ended(whole, "audit")
    assert said.code in (1, 3)
    assert "Traceback" not in said.err + said.out


@pytest.mark.slow
def test_at_a_terminal_progress_is_shown_and_gone(whole: Program) -> None:
    terminal = whole.terminal("audit", term="xterm")
    assert terminal.end() == 0
    assert "Auditing" in terminal.seen
    assert re.search(r"two-stea  draw +\d+ events  passed\r\n", terminal.seen)


def test_a_pipe_gets_no_progress(whole: Program) -> None:
    assert whole.run("audit").count("passed") == 4


# Beside a checkpoint.


@pytest.fixture
def checkpoint(whole: Program) -> Path:
    """A signed checkpoint of the whole log, with its keys beside it."""
    assert ended(whole, "keygen", str(whole.home / "house")).code == 0
    file = whole.home / "checkpoint.jsonl"
    assert ended(whole, "checkpoint", "-o", str(file), "--sign", str(whole.home / "house")).code == 0
    return file


def test_what_is_as_in_the_checkpoint_is_whole(whole: Program, checkpoint: Path) -> None:
    key = str(whole.home / "house.pub")
    assert whole.read("audit", "--checkpoint", checkpoint, "--key", key) == whole.read("audit")
    assert whole.read("audit", "two-m", "--checkpoint", checkpoint).endswith("passed\n")


@pytest.mark.slow
def test_what_is_as_in_the_checkpoint_is_whole_to_processes_too(whole: Program, checkpoint: Path) -> None:
    assert whole.read("audit", "two-m", "--checkpoint", checkpoint, "--processes", "2").endswith("passed\n")


def test_a_game_that_is_gone_is_found_beside_a_checkpoint(whole: Program, checkpoint: Path) -> None:
    whole.sql(
        "DROP TRIGGER events_refuse_delete",
        *(f"DELETE FROM {table} WHERE game_id = 'two-steady'" for table in LISTS),
        *(f"DELETE FROM {table} WHERE game_id = 'two-steady'" for table in ("events", "games")),
        "UPDATE sqlite_sequence SET seq = (SELECT max(position) FROM events) WHERE name = 'events'",
    )
    said = ended(whole, "audit", "--checkpoint", str(checkpoint))
    assert said.code == 3
    assert said.out.splitlines()[0].startswith("Game two-steady: found no such game where there should be")
    assert ended(whole, "audit", "four", "--checkpoint", str(checkpoint)).code == 0, "that game is as it was"


@pytest.mark.parametrize("text", ["two-steady", "two-st"])
@pytest.mark.parametrize("processes", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_game_that_only_the_checkpoint_has_is_a_finding(
    whole: Program, checkpoint: Path, text: str, processes: str
) -> None:
    whole.sql(
        "DROP TRIGGER events_refuse_delete",
        *(f"DELETE FROM {table} WHERE game_id = 'two-steady'" for table in LISTS),
        *(f"DELETE FROM {table} WHERE game_id = 'two-steady'" for table in ("events", "games")),
    )
    said = ended(whole, "audit", text, "--checkpoint", str(checkpoint), "--processes", processes)
    assert (said.code, said.err) == (3, "")
    assert said.out.startswith("Game two-steady: found no such game where there should be one of ")
    assert "\ntwo-stea                  0 events  1 finding\n" in said.out
    unknown = ended(whole, "audit", "zzz", "--checkpoint", str(checkpoint))
    assert (unknown.code, unknown.out) == (1, "")


@pytest.mark.slow
def test_a_game_that_is_not_in_the_checkpoint_is_told_apart(whole: Program, checkpoint: Path) -> None:
    before = whole.read("audit").splitlines()
    whole.run("play", "--auto", "--rounds", "1", "--seed", "later", "--player=Ann=steady", "--player=Bob=steady")
    (later,) = (line for line in whole.read("audit").splitlines() if line not in before)
    beside = ("audit", "--checkpoint", str(checkpoint))
    lines = whole.read(*beside).splitlines()
    assert lines == sorted([*before, f"{later}, not in the checkpoint"])
    assert whole.read(*beside, "--processes", "2").splitlines() == lines
    named = whole.read("audit", "four", "last", *beside[1:]).splitlines()
    assert named == [before[1], f"{later}, not in the checkpoint"]
    assert [game["in_checkpoint"] for game in whole.json(*beside)] == [line in before for line in lines]
    assert "in_checkpoint" not in whole.json("audit")[0]


def test_a_checkpoint_is_refused_before_anything_is_audited(whole: Program, checkpoint: Path) -> None:
    other = whole.home / "other"
    assert ended(whole, "keygen", str(other)).code == 0
    said = ended(whole, "audit", "--checkpoint", str(checkpoint), "--key", f"{other}.pub")
    assert (said.code, said.out) == (1, "")
    assert ended(whole, "audit", "--key", f"{other}.pub").err.startswith("pokersvc: --key needs --checkpoint")
    checkpoint.write_text("{}")
    said = ended(whole, "audit", "--checkpoint", str(checkpoint))
    assert (said.code, said.out) == (1, "")
