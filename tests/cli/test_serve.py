"""The options of `pokersvc serve`: what the server is told."""

import pytest

from pokersvc.server.settings import Settings
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
