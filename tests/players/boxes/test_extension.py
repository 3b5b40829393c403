"""A player's extension module, written in C, that makes system calls past Python and the C library."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.players.boxes.support import asking

pytestmark = pytest.mark.usefixtures("box")

EPERM, ENOENT, ENOSYS = -1, -2, -38
CALLS = {
    "fork": ("raw.call(57)", {EPERM}),
    "vfork": ("raw.call(58)", {EPERM}),
    "clone": ("raw.call(56, 17)", {ENOSYS}),
    "clone with shared memory": ("raw.call(56, 0x100 | 17)", {ENOSYS}),
    "clone of a thread in a new namespace": ("raw.call(56, 0x10000000 | 0x10F00)", {EPERM, -22}),
    "kill": ("raw.call(62, -1, 9)", {EPERM}),
    "kill the parent": ("raw.call(62, 1, 9)", {EPERM}),
    "ptrace": ("raw.call(101, 16, 2)", {EPERM}),
    "open the database": ("raw.open(DATABASE)", {ENOENT}),
    "a call of the other convention": ("raw.call(0x40000000 | 39)", None),
    "socket": ("raw.call(41, 2, 1, 0)", {EPERM}),
    "execve": ("raw.call(59, 0, 0, 0)", {EPERM}),
    "seccomp": ("raw.call(317, 0, 0, 0)", {EPERM}),
    "a call that no kernel has": ("raw.call(9999)", {ENOSYS}),
    "prctl that turns memory off": ("raw.call(157, 4, 0, 0)", {EPERM}),
    "arguments with upper bits": ("raw.call(302, 0, 7, 1 << 32, 0)", {EPERM}),
}


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixture: the compiled module; where changes are judged, a compiler is required."""
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if (compiler := shutil.which("gcc") or shutil.which("cc")) is None or not headers.exists():
        if "CI" in os.environ:
            pytest.fail("a C compiler and Python's headers are needed")
        pytest.skip("there is no C compiler, or Python's headers are missing")
    built = tmp_path_factory.mktemp("raw") / f"raw{sysconfig.get_config_var('EXT_SUFFIX')}"
    source = Path(__file__).with_name("raw.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", f"-I{headers.parent}", source, "-o", built], check=True)
    return built


def test_its_calls_are_refused(extension: Path, tmp_path: Path) -> None:
    shutil.copy(extension, tmp_path)
    (tmp_path / "pokerdb.sqlite").touch()
    tried = {name: expression for name, (expression, errors) in CALLS.items() if errors is not None}
    before = f"import json, raw\nDATABASE = {str(tmp_path / 'pokerdb.sqlite')!r}"
    made = ", ".join(f"{name!r}: {expression}" for name, expression in tried.items())
    with asking(tmp_path, f"print(json.dumps({{{made}}}))", before) as player:
        said = json.loads(player.choose())
    assert {name: result for name, result in said.items() if result not in (CALLS[name][1] or ())} == {}


def test_a_call_of_another_convention_ends_the_choice(extension: Path, tmp_path: Path) -> None:
    shutil.copy(extension, tmp_path)
    with asking(tmp_path, CALLS["a call of the other convention"][0], "import raw") as player:
        assert [player.choose() for _ in range(2)] == ["raised"] * 2
