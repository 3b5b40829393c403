"""The options of `pokersvc serve`, and the settings that the server receives."""

from collections.abc import Callable
from dataclasses import fields, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from pokersvc.cli.drawing import qr_code
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.run import urls_of
from pokersvc.server.settings import NAMES, Limits, Settings, limits_of
from pokersvc.system.memory import half_of_this_machine
from pokersvc.system.network import RUNNING, Interface
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
    """Replace the server by nothing, so that an option that is wrongly accepted fails at once."""
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
    """The settings of the servers that were to be started."""
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


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two addresses in its local networks."""
    found = [Interface("wlan0", RUNNING, ip_address("192.168.1.7")), Interface("eth0", RUNNING, ip_address("fd12::7"))]
    monkeypatch.setattr("pokersvc.system.network.in_local_networks", lambda: found)


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a server is ready at once, and ends."""

    def run(_: object, settings: Settings, ready: Callable[[list[str]], Any]) -> None:
        ready(urls_of(settings))

    monkeypatch.setattr("pokersvc.server.run.serve", run)


ONLY_HERE = "Only this machine can open this link: `pokersvc serve --lan` serves your local network.\n"
PLAIN_HTTP = "Over plain http, others in the network could read cards: docs/operating.md shows https.\n"


@pytest.mark.usefixtures("at_home", "starts")
def test_in_the_local_network_each_address_is_named_with_its_interface(program: Program) -> None:
    assert program.run("serve", "--lan", "--port", "8080") == (
        "Serving on http://192.168.1.7:8080 (wlan0)\n"
        "Serving on http://[fd12::7]:8080 (eth0)\n"
        "Devices in the same network can open these links; no other address works. Ctrl-C ends it.\n" + PLAIN_HTTP
    )


@pytest.mark.usefixtures("at_home")
def test_the_local_network_alone_is_served(program: Program, told: list[Settings]) -> None:
    program.run("serve", "--lan")
    assert told[0].addresses == ("192.168.1.7", "fd12::7")


@pytest.mark.usefixtures("starts")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), ONLY_HERE),
        (("--host", "::1"), ONLY_HERE),
        (("--url", "http://localhost:9000"), ONLY_HERE),
        (("--host", "192.168.1.7"), PLAIN_HTTP),
        (("--url", "http://table.example"), PLAIN_HTTP),
        (("--url", "https://table.example"), ""),
    ],
)
def test_a_server_says_who_can_open_its_link_and_who_reads_along(
    program: Program, options: tuple[str, ...], said: str
) -> None:
    assert program.run("serve", *options).partition("(Ctrl-C ends it)\n")[2] == said


@pytest.mark.usefixtures("serves_nothing")
@pytest.mark.parametrize("option", [("--host", "10.0.0.7"), ("--url", "https://table.example")])
def test_the_local_network_has_no_other_address(program: Program, option: tuple[str, str]) -> None:
    said = program.refused("serve", "--lan", *option)
    assert said == "--lan finds the addresses itself; give it alone, or --host and --url without it."


@pytest.mark.usefixtures("serves_nothing")
def test_a_machine_without_a_local_network_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.system.network.in_local_networks", list)
    said = program.refused("serve", "--lan")
    assert said == "This machine is in no local network; connect it to one, or name an address with --host."

    def secret() -> list[Interface]:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr("pokersvc.system.network.in_local_networks", secret)
    said = program.refused("serve", "--lan")
    assert said == "Addresses cannot be found here (Operation not permitted); name one with --host."


@pytest.mark.parametrize("coloured", [True, False])
def test_a_camera_reads_the_qr_code(coloured: bool) -> None:
    url = "http://[fd12:3456:789a:1:aaaa:bbbb:cccc:dddd]:8000"
    lines = qr_code.lines(url, coloured=coloured)
    shown = [line.removeprefix("\x1b[38;5;231;48;5;16m").removesuffix("\x1b[0m") for line in lines]
    assert (shown != lines) == coloured
    picture = Image.new("L", (len(shown[0]), 2 * len(shown)))
    for row, line in enumerate(shown):
        for column, block in enumerate(line):
            picture.putpixel((column, 2 * row), 255 * (block in "█▀"))
            picture.putpixel((column, 2 * row + 1), 255 * (block in "█▄"))
    (read,) = zxingcpp.read_barcodes(picture.resize((4 * picture.width, 4 * picture.height)))
    assert read.text == url
