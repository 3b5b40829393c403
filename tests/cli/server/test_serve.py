"""The options of `pokersvc serve`: what the server is told."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.settings import NAMES, Limits, Settings, limits_of
from pokersvc.system.memory import half_of_this_machine
from tests.cli.program import Program


def test_the_options_are_the_settings_of_the_server(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Settings] = []
    monkeypatch.setattr("pokersvc.server.run.serve", lambda _database, settings, _say: told.append(settings))
    program.run("serve")
    program.run(
        "serve", "--port", "8080", "--pace", "2", "--pause", "90", "--idle-days", "7", "--url", "https://a.example"
    )
    assert told == [Settings(), Settings(port=8080, pace=2, pause=90, idle_days=7, url="https://a.example")]


@pytest.mark.parametrize("option", ["--pace", "--pause"])
def test_seconds_are_bounded(program: Program, option: str) -> None:
    assert f"for '{option}'" in program.refused("serve", option, "-1", code=2)
    assert f"for '{option}'" in program.refused("serve", option, "1e9", code=2)


@pytest.fixture
def serves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what is not refused fails, and does not wait for the end of a server."""
    monkeypatch.setattr("pokersvc.server.run.serve", lambda *_: None)


@pytest.mark.usefixtures("serves_nothing")
@pytest.mark.parametrize("kind", ["http://[", "nobody", "human", ""])
def test_a_program_that_names_no_player_is_refused(program: Program, kind: str) -> None:
    assert f"There is no bot {kind!r}; name a custom player as FILE.py:CLASS" in program.refused(
        "serve", "--program", kind
    )


@pytest.mark.usefixtures("serves_nothing")
def test_a_program_whose_file_is_not_there_is_refused(program: Program) -> None:
    said = program.refused("serve", "--program", "missing.py:Mine")
    assert "The player missing.py:Mine cannot be used: its file cannot be read" in said


def test_programs_that_a_game_has_or_whose_files_are_there_are_served(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[Settings] = []
    monkeypatch.setattr("pokersvc.server.run.serve", lambda _database, settings, _say: told.append(settings))
    mine = tmp_path / "mine.py"
    mine.write_text("")
    program.run("serve", "--program", "steady", "--program", f"{mine}:Mine", "--trust")
    assert [settings.programs for settings in told] == [("steady", f"{mine}:Mine")]


@pytest.mark.usefixtures("serves_nothing")
@pytest.mark.parametrize(
    "url", ["http://[", "http://", "ftp://a.example", "http://a.example:port", "https://a.example/b"]
)
def test_an_url_that_is_no_server_s_is_refused(program: Program, url: str) -> None:
    assert f"--url {url!r} is not the address of a server" in program.refused("serve", "--url", url)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What servers were told that were to run."""
    found: list[Settings] = []
    monkeypatch.setattr("pokersvc.server.run.serve", lambda _database, settings, _say: found.append(settings))
    return found


def test_memory_is_set_by_the_option_or_the_setting_or_is_half_of_the_machine_s(
    program: Program, told: list[Settings]
) -> None:
    program.run("serve")
    program.run("config", "set", "memory", "512MB")
    program.run("serve")
    program.variables["POKERSVC_MEMORY"] = "1GiB"
    program.run("serve")
    program.run("serve", "--memory", "64000000")
    assert [one.memory for one in told] == [half_of_this_machine(), 512_000_000, 2**30, 64_000_000]


@pytest.mark.usefixtures("serves_nothing")
@pytest.mark.parametrize("text", ["", "lots", "-1", "1MB", "1e9", "99999999TB", "1 PB", "\u0664GB"])
def test_memory_that_is_none_is_refused(program: Program, text: str) -> None:
    assert repr(text) in program.refused("serve", "--memory", text)


def test_memory_that_is_none_is_no_setting(program: Program) -> None:
    said = program.refused("config", "set", "memory", "lots")
    assert said == "memory cannot be 'lots': 'lots' is not an amount of memory; it is like 512MB, 2GB or 2GiB."


def test_limits_are_set_by_options_which_win_over_the_settings(program: Program, told: list[Settings]) -> None:
    program.run("config", "set", "limits", "open-tables=10 commands=1/2")
    program.run("serve", "--limit", "commands=0.5/40", "--limit", "streams=7")
    assert told[0].limits == replace(Limits(), open_tables=10, commands=Rate(0.5, 40), streams=7)


@pytest.mark.parametrize("name", NAMES)
def test_every_limit_can_be_set(name: str) -> None:
    field = name.replace("-", "_")
    rate = isinstance(getattr(Limits(), field), Rate)
    number = 499 if name == "streams-of-address" else 5999
    set_ = limits_of([f"{name}=3/4" if rate else f"{name}={number}"])
    assert getattr(set_, field) == (Rate(3, 4) if rate else number)
    changed = [one.name for one in fields(Limits) if getattr(set_, one.name) != getattr(Limits(), one.name)]
    assert changed == [field]


def test_an_address_needs_connections_for_no_more_streams_than_the_server_has() -> None:
    assert limits_of(["streams=100", "connections-of-address=101"]).connections_of_address == 101


@pytest.mark.usefixtures("serves_nothing")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tables", "'tables' is not a limit; it is like open-tables=10000"),
        ("tables=5", "There is no limit 'tables'; the limits are requests, "),
        ("open-tables=0", "The limit open-tables cannot be '0'; it is a whole number from 1 to 1,000,000"),
        ("open-tables=9999999", "The limit open-tables cannot be '9999999'"),
        ("commands=10", "The limit commands cannot be '10'; it is like 10/40"),
        ("commands=0/40", "The limit commands cannot be '0/40'"),
        ("streams=6000", "6000 streams need more connections than 6000"),
        ("streams-of-address=500", "500 streams of an address need more connections of it than 500"),
        ("connections-of-address=300", "300 streams of an address need more connections of it than 300"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(program: Program, text: str, said: str) -> None:
    assert said in program.refused("serve", "--limit", text)


@pytest.mark.usefixtures("serves_nothing")
def test_a_wrong_limit_of_the_settings_names_where_it_stands(program: Program) -> None:
    program.variables["POKERSVC_LIMITS"] = "tables=5"
    assert "POKERSVC_LIMITS: There is no limit 'tables'" in program.refused("serve")
    program.variables["POKERSVC_LIMITS"] = "many"
    assert "POKERSVC_LIMITS cannot be 'many': it must be like open-tables=10000" in program.refused("serve")
