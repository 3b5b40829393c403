"""The tables of `--json` members in the docs are complete and exact."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from pokersvc.games.draw_poker.state import DrawPokerState
from tests.cli.program import TWO_MINIMUM, Program

DOCS: Final = Path(__file__).parents[2] / "docs"
CHANGED: Final = "UPDATE events SET recorded_at = '2026-13-45T00:00:00.000000Z' WHERE seq = 3"


def tables(page: str) -> list[set[str]]:
    """Return the members that each table of a page's part "As JSON" names."""
    [part] = re.findall(r"^## As JSON\n(.*?)^## ", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    found = [re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for table in part.split("| member | what it is |")[1:]]
    return [set(re.findall(r"`(\w+)`", " ".join(cells))) for cells in found]


@pytest.fixture
def home(tmp_path: Path) -> Program:
    """The program in a home with a game."""
    program = Program(tmp_path)
    program.run(*TWO_MINIMUM)
    return program


def findings(program: Program, *arguments: object) -> Any:
    ended = program.ended(*arguments, "--json")
    assert (ended.code, ended.err) == (3, "")
    return json.loads(ended.out)


def test_the_audit(home: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    game, finding, fault = tables("audit.md")
    home.run("checkpoint", "-o", "monday.jsonl")
    [said] = home.json("audit", "--checkpoint", "monday.jsonl", "--ledger")
    assert set(said) == game
    assert set(said["ledger"][0]) == {"title", "rows", "notes"}
    [said] = home.json("audit")
    assert set(said) == game - {"in_checkpoint", "ledger"}
    with monkeypatch.context() as patched:
        patched.setattr(DrawPokerState, "apply", lambda *_: 1 // 0)
        [said] = json.loads(home.ended("audit", "--json").out)
    assert set(said["fault"]) == fault
    home.sql("DROP TRIGGER events_refuse_update", CHANGED)
    [said] = findings(home, "audit")
    assert set(said["findings"][0]) == finding


def test_verify(home: Program) -> None:
    export, checkpoint, proof, forged, of_checkpoint = tables("exports.md")
    home.run("export", "last", "-o", "game.jsonl")
    home.run("checkpoint", "-o", "monday.jsonl")
    home.run("prove", home.json("games")[0]["game"], "--checkpoint", "monday.jsonl", "-o", "proof.jsonl")
    said = json.loads(home.run("verify", "game.jsonl", "--checkpoint", "monday.jsonl", "--json"))
    assert set(said) == export
    assert set(said["known"][0]) == {"head", "seq"}
    assert set(said["checkpoints"][0]) == of_checkpoint
    said = json.loads(home.run("verify", "monday.jsonl", "--json"))
    assert (set(said), set(said["checkpoint"])) == (checkpoint, of_checkpoint)
    said = json.loads(home.run("verify", "proof.jsonl", "--json"))
    assert (set(said), set(said["checkpoint"])) == (proof, of_checkpoint)
    assert set(findings(home, "verify", "monday.jsonl", "--root", "00" * 32)) == forged


def test_a_ladder(home: Program) -> None:
    whole, member = tables("ladder.md")
    home.run("ladder", "add", "minimum", "random", "--deals", "1")
    home.run("ladder", "run", "--processes", "1")
    [said] = json.loads(home.run("ladder", "show", "--json"))
    assert (set(said), set(said["members"][0])) == (whole, member)


def test_a_tournament(tmp_path: Path) -> None:
    whole, player, meeting = tables("tournaments.md")
    two = ("--player", "A=minimum", "--player", "B=random", "--deals", "2", "--processes", "1")
    said = json.loads(Program(tmp_path).run("tournament", *two, "--seed", "1", "--json"))
    assert (set(said), set(said["players"][0]), set(said["meetings"][0])) == (whole, player, meeting)
