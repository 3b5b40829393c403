"""The pages of docs/reference are up to date with the program, its events and its errors."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from pokersvc.core.registry import game_of
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from tests.cli.test_help import COMMANDS
from tests.docs import reference
from tests.docs.each_game import own_games
from tests.docs.error_codes import errors_with_a_code
from tests.docs.events import current


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """Fixture: the pages as generated now."""
    return {path.stem: text for path, text in reference.reference().items()}


def test_the_pages_are_what_the_code_says(made: dict[str, str]) -> None:
    written = {page: (reference.FOLDER / f"{page}.md").read_text("utf-8") for page in made}
    assert written == made, "run `make api-docs`"


def test_every_command_has_a_heading(made: dict[str, str]) -> None:
    headings = re.findall(r"^##+ pokersvc (.*)$", made["commands"], re.MULTILINE)
    assert {" ".join(command) for command in COMMANDS if command} <= set(headings)
    assert "With `--game kalah`:" in made["commands"]


def test_the_page_of_the_server_has_the_options_of_serve_in_their_order(made: dict[str, str]) -> None:
    serve = made["commands"].partition("## pokersvc serve\n")[2].partition("\n## ")[0]
    options = re.findall(r"^\| `(--.*?)` ", serve, re.MULTILINE)
    page = (reference.FOLDER.parent / "server.md").read_text("utf-8")
    of_players = ("--trust", "--player-may-")  # which docs/players.md describes
    assert re.findall(r"^\| `(--.*?)` ", page, re.MULTILINE) == [
        option for option in options if not option.startswith(of_players)
    ]


KINDS: Final = [game.kind for game in own_games()]


@pytest.mark.parametrize("kind", [*KINDS, "table"])
def test_every_event_has_an_example_that_can_be_read(made: dict[str, str], kind: str) -> None:
    heading = "Events at a table" if kind == "table" else f"Events of {kind}"
    [part] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", made["events"], re.DOTALL | re.MULTILINE)
    shown = re.findall(r"^- \*\*(\w+)\*\*, version (\d+): \S.*?\. `(\{.*?)`(?: Secret: `(.*)`)?$", part, re.MULTILINE)
    types = TABLE_EVENT_TYPES if kind == "table" else game_of(kind).event_types
    assert [(name, int(version)) for name, version, *_ in shown] == [
        (event.__name__, version) for event, version in current(types)
    ]
    codec = game_of(KINDS[0] if kind == "table" else kind).codec
    for name, version, payload, secret in shown:
        event = codec.decode(name, int(version), payload, secret or None)
        assert type(event).__name__ == name
        assert json.loads(payload) is not None


def test_every_code_has_a_row(made: dict[str, str]) -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| [A-Z].*\. \|$", made["errors"], re.MULTILINE)
    assert rows == [(error.code, error.__name__) for error in errors_with_a_code()]
    assert len(rows) > 60
    for reason in ("not_your_turn", "no_such_hole", "seat_taken"):
        assert f"| `{reason}` | " in made["errors"]


def test_the_exit_codes_are_those_of_the_help(made: dict[str, str]) -> None:
    from typer.testing import CliRunner

    from pokersvc.cli.main import app

    said = " ".join(CliRunner().invoke(app, ["--help"]).stdout.partition("Exit codes:")[2].split())
    rows = re.findall(r"^\| (\d+) \| .* \|$", made["errors"], re.MULTILINE)
    assert rows == re.findall(r"\b\d+\b", said)


def test_a_page_that_is_made_is_in_its_folder_alone() -> None:
    pages = {path.name for path in Path(reference.FOLDER).glob("*.md")}
    assert pages == {path.name for path in reference.reference()}
