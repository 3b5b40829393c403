"""If root runs the tests, those of boxes run as an ordinary user too, as the kernel treats both differently."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the other tests of this folder run as an ordinary user")

USER: Final = 4711
ROOT: Final = Path(__file__).parents[3]
WALLS: Final = "test_[afnw]*.py"
"""The tests of what a box lets nobody do: attacks, games, files, what lasts, and its walls."""
SITES: Final = ("site-packages", "dist-packages")
SHOWN_AND_AS_USER: Final = ('mount --bind "$1" "$2" && shift 2 &&'
                            f' exec setpriv --reuid={USER} --regid={USER} --clear-groups "$@"')  # fmt: skip
"""The tests of boxes, for a checkout that perhaps only root can read."""
TRIED: Final = f"""
import subprocess, sys
assert sys.version_info[:2] == {sys.version_info[:2]}
import numpy, pydantic, pytest, tests, xdist
subprocess.run([sys.executable, "-V"], check=True)
"""
"""Code that a Python must be able to run: import what the tests need, and start itself."""
ASKS: Final = """
from pathlib import Path
from tests.players.boxes.support import asking
with asking(Path({folder!r}), "print(os.getuid(), os.listdir('/'))", "import os") as player:
    print(player.choose())
"""


class AnotherUser:
    """An ordinary user of this system, with a folder, and a Python that this user can run."""

    def __init__(self, home: Path) -> None:
        self.home, self.checkout = home, home / "checkout"
        self.checkout.mkdir()
        os.chown(home, USER, USER)
        for python in (sys.executable, "/usr/bin/python3"):  # root's own may lie where nobody else may look
            self._python = python
            if not self.run("-c", TRIED).returncode:
                return
        why = "no ordinary user can run a Python here that has what the tests need"
        if "CI" in os.environ:
            pytest.fail(why)
        pytest.skip(why)

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run Python with these arguments, as that user, in the checkout."""
        sites = [place.replace(str(ROOT), str(self.checkout)) for place in sys.path if Path(place).name in SITES]
        environment = {name: os.environ[name] for name in ("CI", "PATH") if name in os.environ} | {
            "HOME": str(self.home),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.home / "hypothesis"),
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(self.checkout), *sites]),
        }
        shown = ["unshare", "--mount", "sh", "-c", SHOWN_AND_AS_USER, "-", str(ROOT), str(self.checkout)]
        there = ["env", "-C", str(self.checkout), self._python, *arguments]
        return subprocess.run([*shown, *there], env=environment, capture_output=True, text=True)


@pytest.fixture
def another() -> Iterator[AnotherUser]:
    """Fixture: another user; the tests' folders lie in a folder of root."""
    home = Path(mkdtemp())
    yield AnotherUser(home)
    rmtree(home)


@pytest.mark.slow
def test_a_box_is_made_for_an_ordinary_user(another: AnotherUser) -> None:
    done = another.run("-c", ASKS.format(folder=str(another.home)))
    assert done.stderr == ""
    assert "choice" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "files", "least"),
    [
        ("not slow", WALLS, 60),
        pytest.param("not slow", "test_*.py", 150, marks=pytest.mark.exhaustive),
        pytest.param("slow", "test_*.py", 60, marks=pytest.mark.exhaustive),
    ],
)
def test_tests_of_boxes_pass_for_an_ordinary_user(another: AnotherUser, which: str, files: str, least: int) -> None:
    report, folder = another.home / "report.xml", Path(__file__).parent
    chosen = {another.checkout / path.relative_to(ROOT) for path in folder.glob(files) if path != Path(__file__)}
    options = ["-q", "-n", "2", "-m", which, "-p", "no:cacheprovider", f"--junitxml={report}"]
    options += [f"--basetemp={another.home / 'tests'}", *map(str, sorted(chosen))]
    done = another.run("-m", "pytest", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    tests = list(ElementTree.parse(report).iter("testcase"))
    assert len(tests) > least
    skipped = {test.get("name"): found.get("message", "") for test in tests for found in test.iter("skipped")}
    assert {name: why for name, why in skipped.items() if "cannot be kept in a box here" in why} == {}
