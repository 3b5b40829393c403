"""Checkpoints, proofs and exports on the command line: written from a database, checked without one."""

import json
import os
import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from pokersvc.cli.main import main
from pokersvc.evidence.spoken_head import spoken
from tests.cli.program import Program, beside

UNFINISHED = "last"


@pytest.fixture
def copy(played: Program, program: Program) -> Program:
    """Fixture: the program with a database of a demo, a finished game of two rounds, and a person's unfinished game."""
    program.database.parent.mkdir(parents=True)
    shutil.copy(played.database, program.database)
    return program


@pytest.fixture(scope="module")
def finished(played: Program) -> str:
    return str(played.json("games")[1]["game"])


def findings(program: Program, *arguments: object) -> list[str]:
    """Run a command that must have findings, and return its output."""
    ended = program.ended(*arguments)
    assert (ended.code, ended.err) == (3, ""), ended
    return ended.out.splitlines()


def tampered(program: Program, *statements: str) -> None:
    program.sql("DROP TRIGGER events_refuse_update", "DROP TRIGGER events_refuse_delete", *statements)


# Exports.


def test_an_export_is_verified_where_there_is_no_database(copy: Program, finished: str, tmp_path: Path) -> None:
    said = copy.run("export", finished, "-o", "game.jsonl")
    head = copy.json("events", finished)[-1]["hash"]
    assert said.endswith(f" events, head {head}.\n")
    shutil.rmtree(copy.database.parent)
    verified = copy.run("verify", "game.jsonl")
    assert verified.startswith(f"Game {finished}: ")
    short = spoken(bytes.fromhex(head))
    assert f"head {head}; its short form is {short}; over; everyone's export, 0 of " in verified
    assert verified.count("\n") == 1
    told = json.loads(copy.run("verify", "game.jsonl", "--head", head.upper(), "--json"))
    assert (told["verified"], told["findings"], told["over"]) == (True, [], True)
    assert (told["head"], told["spoken"]) == (head, short)
    assert not copy.database.exists()


def test_findings_fit_a_terminal(copy: Program, finished: str, tmp_path: Path) -> None:
    content = copy.run("export", finished).replace(copy.json("events", finished)[-1]["hash"], "00" * 32)
    (copy.home / "game.jsonl").write_text(content)
    terminal = copy.terminal("verify", "game.jsonl")
    assert terminal.end() == 3
    first, *more = terminal.seen.splitlines()
    assert first.startswith(f"Game {finished}, event ")
    assert more
    assert all(len(line) <= 80 and line.startswith("  ") for line in more)


def test_an_export_goes_through_a_pipe(copy: Program, finished: str) -> None:
    content = copy.run("export", finished, "--as", "auditor")
    assert "secrets opened." in copy.run("verify", "-", typed=content)
    assert "an auditor's export" in copy.run("verify", "-", typed=content)


def test_a_seat_is_named_by_number_or_name(copy: Program) -> None:
    by_name, by_number = (copy.run("export", UNFINISHED, "--as", who, "--force") for who in ("zoë", "1"))
    assert by_name == by_number
    assert "; not over; seat 1's export, 3 of 9 secrets opened" in copy.run("verify", "-", typed=by_name)


def test_secrets_of_a_game_that_is_not_over_are_refused_without_force(copy: Program) -> None:
    shuffled = next(event["seq"] for event in copy.json("events", UNFINISHED) if event["type"] == "DeckShuffled")
    before = beside(copy.database)
    for options in (["--as", "auditor"], ["--open", shuffled], ["--as", "1", "--open", shuffled]):
        assert "is not over" in copy.refused("export", UNFINISHED, *options, "-o", "file")
        assert not (copy.home / "file").exists(), "nothing of it is written"
        opened = copy.run("export", UNFINISHED, *options, "--force")
        assert opened.count('"secret":') == {"auditor": 9, shuffled: 1, "1": 4}[options[1]]
    assert beside(copy.database) == before


def test_what_was_changed_is_found(copy: Program, finished: str) -> None:
    content = copy.run("export", finished)
    (copy.home / "forged").write_text(content.replace('\\"round\\":1', '\\"round\\":2', 1))
    (found,) = findings(copy, "verify", "forged")
    assert found.startswith(f"Game {finished}, event 2 (RoundStarted): found the hash ")
    assert found.endswith(" (chain)")
    ended = copy.ended("verify", "forged", "--json")
    told = json.loads(ended.out)
    assert (ended.code, told["verified"]) == (3, False)
    assert [(one["game"], one["seq"], one["check"]) for one in told["findings"]] == [(finished, 2, "chain")]
    (copy.home / "whole").write_text(content)
    (found,) = findings(copy, "verify", "whole", "--head", "00" * 32)
    assert "found no such event where there should be one with the head 0000" in found


# Checkpoints and proofs.


def test_a_signed_checkpoint_covers_every_game(copy: Program, finished: str) -> None:
    public = copy.run("keygen", "house.key").split()[-1].rstrip(".")
    assert (copy.home / "house.key").stat().st_mode & 0o777 == 0o600
    said = copy.run("checkpoint", "-o", "monday", "--sign", "house.key")
    assert said.startswith("monday: the checkpoint of 3 games of 20")
    assert said.endswith(f"signed by {public}.\n")
    assert copy.run("verify", "monday", "--key", "house.key.pub").startswith("The checkpoint of 3 games of ")
    assert "up to event" in copy.run("verify", "-", "--checkpoint", "monday", "--key", "house.key.pub",
                                     typed=copy.run("export", finished))  # fmt: skip
    copy.run("prove", finished[:8], "--checkpoint", "monday", "-o", "proof")
    root = json.loads(copy.run("verify", "monday", "--json"))["checkpoint"]["root"]
    proved = copy.run("verify", "proof", "--root", root, "--key", "house.key.pub")
    assert proved.startswith(f"Game {finished} with ")
    copy.run("export", finished, "-o", "game")
    assert "as in proof" in copy.run("verify", "game", "--proof", "proof", "--root", root)


def test_a_game_may_go_on_after_its_checkpoint(copy: Program) -> None:
    copy.run("checkpoint", "-o", "before")
    copy.ended("resume", UNFINISHED, typed="\n\n\n")
    exported = copy.run("export", UNFINISHED)
    assert "up to event" in copy.run("verify", "-", "--checkpoint", "before", typed=exported)


def test_the_next_checkpoint_is_refused_where_the_log_was_changed(copy: Program, finished: str) -> None:
    copy.run("checkpoint", "-o", "first")
    made = json.loads(copy.run("checkpoint", "-o", "second", "--previous", "first", "--json"))
    assert made["previous"] == made["root"], "nothing has happened since"
    assert copy.run("verify", "second", "--previous", "first")
    tampered(
        copy, f"DELETE FROM events WHERE game_id = '{finished}'", f"DELETE FROM games WHERE game_id = '{finished}'"
    )
    ended = copy.ended("checkpoint", "-o", "third", "--previous", "first")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(f"Game {finished}: found no such game where there should be one of ")
    assert not (copy.home / "third").exists()


def test_a_forged_checkpoint_is_found(copy: Program, finished: str) -> None:
    copy.run("keygen", "one")
    copy.run("keygen", "two")
    copy.run("checkpoint", "-o", "signed", "--sign", "one")
    content = (copy.home / "signed").read_text()
    (copy.home / "forged").write_text(content.replace('"count":', '"count":1', 1))
    (said,) = findings(copy, "verify", "forged")
    assert said.startswith("forged says that its root is ")
    (said,) = findings(copy, "verify", "signed", "--key", "two.pub")
    assert "is signed by the key" in said
    copy.run("export", finished, "-o", "game")
    (said,) = findings(copy, "verify", "game", "--checkpoint", "forged")
    assert said.startswith("forged says that its root is ")
    ended = copy.ended("verify", "forged", "--json")
    assert (ended.code, json.loads(ended.out)["verified"]) == (3, False)
    copy.refused("checkpoint", "-o", "next", "--previous", "forged")


# Errors.


@pytest.fixture(scope="module")
def files(played: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an export, a checkpoint of no game, and files of other kinds."""
    folder = tmp_path_factory.mktemp("files")
    os.mkfifo(folder / "pipe")
    (folder / "empty").touch()
    (folder / "noise").write_bytes(b"\xff\xfe\0noise\n")
    (folder / "other").write_text('{"format":"another"}\n')
    played.run("export", "last", "-o", folder / "export")
    home = Program(folder / "home")
    home.home.mkdir()
    home.run("db", "upgrade")
    home.run("checkpoint", "-o", folder / "none")
    return folder


def test_no_file_is_overwritten(copy: Program, finished: str) -> None:
    (copy.home / "file").write_text("mine")
    copy.run("checkpoint", "-o", "checkpoint")
    for command in (
        ["checkpoint", "-o", "file"],
        ["export", finished, "-o", "file"],
        ["prove", finished, "--checkpoint", "checkpoint", "-o", "file"],
        ["keygen", "file"],
    ):
        assert copy.refused(*command).startswith("file already exists and is not overwritten")
    assert (copy.home / "file").read_text() == "mine"
    assert sorted(path.name for path in copy.home.iterdir() if not path.name.startswith(".local")) == [
        "checkpoint", "file",
    ]  # fmt: skip


def test_reading_commands_of_evidence_leave_the_database_as_it_was(copy: Program, finished: str) -> None:
    before = beside(copy.database)
    for command in (["checkpoint"], ["export", finished], ["export", finished, "--as", "auditor", "--open", "1"]):
        copy.run(*command)
        assert beside(copy.database) == before, command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "missing"], "There is no file missing."),
        (["verify", "."], ". is a folder; name a file that pokersvc wrote."),
        (["verify", "pipe"], "pipe is not a file; name a file that pokersvc wrote."),
        (["verify", "empty"], "empty is empty; it must be an export, a checkpoint or a proof."),
        (["verify", "noise"], "noise, line 1, is not canonical JSON; pokersvc did not write it."),
        (["verify", "other"], "other, line 1, names no format that this pokersvc reads:"),
        (["verify", "export", "--head", "xyz"], "--head is 'xyz'; a hash is 64 hexadecimal digits."),
        (["verify", "export", "--key", "export"], "export is not an Ed25519 public key"),
        (["verify", "export", "--root", "00" * 32], "--root does not apply to an export without --checkpoint"),
        (
            ["verify", "export", "--checkpoint", "export"],
            "export, line 1, has 'format' = \"pokersvc/export/1\"; it must be",
        ),
        (["verify", "export", "--checkpoint", "none"], "none does not have the game"),
        (["verify", "none", "--head", "00" * 32], "--head does not apply to a checkpoint."),
        (["verify", "none", "--proof", "none"], "--proof does not apply to a checkpoint."),
        (["prove", "x", "--checkpoint", "none"], "There is no game 'x' in none."),
        (["checkpoint", "--json"], "--json describes the file that was written; name one with -o."),
        (["checkpoint", "--sign", "noise"], "noise is not an Ed25519 private key"),
        (["checkpoint", "-o", "no/where"], "no/where cannot be written: there is no folder no."),
        (["export", "nothing"], "There is no game 'nothing'"),
        (["export", "last", "--as", "Nobody"], "'Nobody' is not a point of view"),
        (["export", "last", "--open", "2"], "Event 2 of game "),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_cannot_be_is_an_error_in_a_sentence(
    files: Path, played: Program, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    before = sorted(files.iterdir())
    with chdir(files):
        assert main(["--db", str(played.database), *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"pokersvc: {said}")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    assert sorted(files.iterdir()) == before
