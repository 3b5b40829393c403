"""Texts forged in a database or a file reach no terminal unescaped."""

import json
import shutil
from pathlib import Path

import pytest

from pokersvc.errors import printable
from pokersvc.evidence.findings import Finding
from tests.audit.flips import Said, run
from tests.cli.program import Program

EXAMPLE = Path(__file__).parents[3] / "pokerdb.sqlite.example"
FALSE_LINE = "784907e7  draw  45 events  passed"
FORGED = f"\x1bx (read_models)\n{FALSE_LINE}\x1b[8m\r\x9b"
GAME = "two-minimum"
COMMANDS = (["audit"], ["games"], ["history", "last"], ["events", "last"], ["replay", "last"], ["db", "check"])
WHERE = {
    "what is played": ["UPDATE game_summaries SET facts = :text"],
    "a line of history": ["UPDATE history_entries SET facts = :text"],
    "a kind": [
        "UPDATE games SET kind = :text",
        "UPDATE game_summaries SET kind = :text, outcome = NULL",
        "UPDATE events SET payload = '{}' WHERE seq = 1",
    ],
    "a game's id": [
        f"UPDATE {table} SET game_id = :text WHERE game_id = '{GAME}'"
        for table in ("games", "events", "game_summaries", "game_players", "played_rounds", "history_entries")
    ],
    "a type": [f"UPDATE events SET type = :text WHERE game_id = '{GAME}'"],
    "a payload": [f"UPDATE events SET payload = :text WHERE game_id = '{GAME}'"],
    "a command": [f"UPDATE events SET command_id = :text WHERE game_id = '{GAME}' AND seq = 3"],
    "a moment": ["UPDATE game_summaries SET started_at = :text"],
}


def is_plain(said: Said) -> bool:
    lines = f"{said.out}{said.err}".split("\n")
    return all(map(str.isprintable, lines)) and not any(line.startswith(FALSE_LINE) for line in lines)


@pytest.mark.parametrize("where", WHERE)
def test_what_is_forged_in_a_database_is_told_in_the_line_that_is_about_it(program: Program, where: str) -> None:
    program.database.parent.mkdir(parents=True)
    shutil.copy(EXAMPLE, program.database)
    quoted = "CAST(x'" + FORGED.encode().hex() + "' AS TEXT)"
    program.sql("DROP TRIGGER events_refuse_update", *(line.replace(":text", quoted) for line in WHERE[where]))
    told = [run(program.database, *command) for command in COMMANDS]
    told.append(run(program.database, "audit", "--ledger"))
    assert all(map(is_plain, told))
    assert told[0].code == 3, "there is something to tell"


def test_a_finding_is_one_line_whatever_it_quotes() -> None:
    finding = Finding(FORGED, 1, FORGED, "schema", FORGED, FORGED)
    assert str(finding).isprintable()
    assert str(finding).count(printable(FORGED)) == 4


def test_what_is_forged_in_a_file_is_told_in_a_line(program: Program) -> None:
    program.database.parent.mkdir(parents=True)
    shutil.copy(EXAMPLE, program.database)
    content = program.run("export", GAME).splitlines()
    line = json.loads(content[5])
    forged = json.dumps({**line, "payload": f'{{"{FORGED}":1}}'}, sort_keys=True, separators=(",", ":"))
    (program.home / "forged.jsonl").write_text("\n".join([*content[:5], forged, *content[6:], ""]))
    said = run(program.database, "verify", str(program.home / "forged.jsonl"))
    assert said.code == 3
    assert is_plain(said)
