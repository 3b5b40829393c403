"""The manual pages contain the program's help, and `man` can read them."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.docs.man import MAN, commands, pages

ROOT = Path(__file__).parents[2]


def test_the_pages_are_those_of_the_help() -> None:
    kept = {path.name: path.read_text("utf-8") for path in MAN.iterdir()}
    assert kept == pages(), "run `python -m tests.docs.man`"


def test_every_option_and_argument_of_a_command_is_on_its_page() -> None:
    found = pages()
    for name, command in commands().items():
        page = found[f"{name.replace(' ', '-')}.1"].replace("\\-", "-")
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert all(one in page for one in parameter.opts), (name, parameter.opts)


def test_the_wheel_has_them_where_man_looks() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["shared-data"] == {"docs/man": "share/man/man1"}


@pytest.mark.parametrize(
    "command", [["mandoc", "-Tlint", "-Wwarning"], ["groff", "-man", "-ww", "-Tutf8"]], ids=lambda one: str(one[0])
)
def test_no_page_has_an_error(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*command, *sorted(MAN.glob("*.1"))], capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr) if command[0] == "mandoc" else done.stderr
    assert [line for line in said.splitlines() if "missing date" not in line] == []


def test_man_shows_a_page() -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    page = str(MAN / "pokersvc-replay.1")
    done = subprocess.run(["man", "-P", "cat", page], capture_output=True, text=True, env=environment, check=True)
    assert "pokersvc-replay - Show a game event by event" in done.stdout
    assert "--plain" in done.stdout
