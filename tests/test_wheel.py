"""A built wheel holds everything that the program needs: installed elsewhere, it plays."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a clean checkout: what git knows, without what was built or cached."""
    checkout, built = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("wheel")
    known = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(known, cwd=ROOT, text=True).split("\0"):
        if (source := ROOT / name).is_file() or source.is_symlink():
            target = checkout / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target, follow_symlinks=False)
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", built, checkout], check=True)
    (found,) = built.glob("pokersvc-*.whl")
    return found


@pytest.mark.slow
def test_it_holds_the_program_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        held = archive.namelist()
    metadata = next(name for name in held if name.endswith(".dist-info/METADATA")).split("/")[0]

    assert {name.split("/")[0] for name in held} == {"pokersvc", metadata}
    of_the_checkout = {
        (Path(package) / path.relative_to(folder)).as_posix()
        for package in ("pokersvc", "pokersvc/cli", "pokersvc/migrations")
        for folder in [(ROOT / package).resolve()]
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in held if not name.startswith(metadata)} == of_the_checkout
    assert of_the_checkout >= {
        "pokersvc/py.typed",
        "pokersvc/games/draw_poker/presets/rising-ante.toml",
        "pokersvc/cli/main.py",
        "pokersvc/migrations/env.py",
        "pokersvc/migrations/script.py.mako",
        "pokersvc/migrations/versions/0001_event_log.py",
    }
    assert f"{metadata}/licenses/LICENSE" in held


@pytest.mark.slow
def test_it_plays_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    home, elsewhere, environment = tmp_path / "home", tmp_path / "elsewhere", tmp_path / "venv"
    home.mkdir()
    elsewhere.mkdir()
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    subprocess.run([*PIP, "--python", python, "install", "-c", ROOT / "constraints.txt", wheel], check=True)
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL")}

    def pokersvc(*arguments: str) -> list[str]:
        done = subprocess.run(
            [environment / "bin" / "pokersvc", *arguments],
            cwd=elsewhere,
            env={**inherited, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    played = pokersvc("play", "--auto", "--players", "2", "--seed", "demo", "--rounds", "5")
    rounds = [line for line in pokersvc("history", "last") if line.startswith("Round ")]

    assert [line.partition(" -- ")[0] for line in rounds] == [f"Round {number}" for number in range(1, 6)]
    assert set(rounds) <= set(played)
    assert not list(elsewhere.iterdir())
    assert [path.name for path in home.rglob("pokerdb.sqlite")] == ["pokerdb.sqlite"]
