"""The Containerfile, checked without a container engine: its commands are run in other folders."""

import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.checkout import ROOT, check_out
from tests.ports import free_port

SOURCE: Final = "/src"
PROGRAM: Final = "/opt/pokersvc"
DATA: Final = "/data"


class Instruction(NamedTuple):
    """One line of a Containerfile."""

    name: str
    said: str

    @property
    def words(self) -> list[str]:
        """Its words: those of a list in JSON, or those of a shell."""
        if "[" in self.said:
            listed: list[str] = json.loads(self.said[self.said.index("[") :])
            return listed
        return shlex.split(self.said)


def stages() -> list[list[Instruction]]:
    """Return the instructions of each stage, with continued lines joined."""
    found: list[list[Instruction]] = []
    for line in (ROOT / "Containerfile").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        instruction = Instruction(*line.split(maxsplit=1))
        if instruction.name == "FROM":
            found.append([])
        found[-1].append(instruction)
    return found


def only(stage: list[Instruction], name: str) -> Instruction:
    (found,) = [one for one in stage if one.name == name]
    return found


def test_it_is_built_and_run_on_the_same_python() -> None:
    build, run = (only(stage, "FROM").words for stage in stages())
    assert build[1:] == ["AS", "build"]
    assert build[0] == run[0], "what is installed with one Python is copied to the other"
    version = build[0].partition(":")[2].partition("-")[0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


def test_what_it_copies_is_there_and_what_it_installs_too() -> None:
    build, run = stages()
    assert only(build, "COPY").words == [".", SOURCE], "the whole checkout"
    assert only(run, "COPY").words == ["--from=build", PROGRAM, PROGRAM], "the environment, at its place"
    _, install = only(build, "RUN").said.split(" && ")
    *_, constraints, what = shlex.split(install)
    assert (ROOT / constraints.removeprefix(f"{SOURCE}/")).is_file()
    name, _, extras = what.rstrip("]").partition("[")
    assert name == SOURCE
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras.split(",")) <= set(known)


def test_what_is_in_the_way_stays_outside() -> None:
    left_out = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {".git", ".venv", "**/node_modules", "**/*.sqlite"} <= set(left_out)


def test_it_runs_as_a_user_of_its_own_that_owns_the_data() -> None:
    _, run = stages()
    names = [one.name for one in run]
    added = shlex.split(only(run, "RUN").said)
    assert added[:2] == ["useradd", "--system"]
    assert {"--create-home", "--home-dir"} <= set(added)
    assert added[added.index("--home-dir") + 1] == only(run, "VOLUME").said == DATA
    assert only(run, "USER").said == added[-1] != "root"
    assert names.index("RUN") < names.index("USER") < names.index("VOLUME"), "the volume is the user's"
    entry = only(run, "ENTRYPOINT").words
    assert entry[entry.index("--db") + 1].startswith(f"{DATA}/")
    assert only(run, "EXPOSE").said == "8000", "the port of `pokersvc serve`"


@pytest.mark.slow
def test_its_commands_install_the_server_and_start_it_in_good_health(tmp_path: Path) -> None:
    build, run = stages()
    places = {SOURCE: tmp_path / "src", PROGRAM: tmp_path / "program", DATA: tmp_path / "data"}
    check_out(places[SOURCE])
    places[DATA].mkdir()
    port = str(free_port())

    def here(words: list[str]) -> list[str]:
        moved = []
        for word in words:
            for place, folder in places.items():
                if word.startswith(place):
                    word = f"{folder}{word.removeprefix(place)}"
            moved.append(word.replace(":8000/", f":{port}/"))
        return moved

    for command in only(build, "RUN").said.split(" && "):
        words = [word for word in here(shlex.split(command)) if word != "--no-cache-dir"]
        words = [sys.executable, *words[1:]] if words[0] == "python" else words
        subprocess.run(words, check=True, cwd=tmp_path, timeout=300, stdout=subprocess.DEVNULL)
    entry = [*here(only(run, "ENTRYPOINT").words), "--port", port, "--url", "https://table.example"]
    with subprocess.Popen(entry, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline().startswith("Serving on ")
            health = subprocess.run(here(only(run, "HEALTHCHECK").words), check=False, timeout=30)
            assert health.returncode == 0, "although the server is called table.example"
        finally:
            server.terminate()
    assert subprocess.run(here(only(run, "HEALTHCHECK").words), check=False, capture_output=True).returncode != 0
    assert [file.name for file in places[DATA].iterdir() if file.suffix == ".sqlite"] == ["games.sqlite"]
