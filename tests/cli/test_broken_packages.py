"""A library that is installed and cannot be imported is one sentence, not a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("package", "source", "command"),
    [
        ("numpy", "raise ImportError('no shared object')", ["advise", "AH AD JS 3C 2D"]),
        ("numpy", "1 / 0", ["rules"]),
        ("cryptography", "import no_such_module", ["keygen", "house.key"]),
    ],
)
def test_a_broken_library_is_one_sentence(tmp_path: Path, package: str, source: str, command: list[str]) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(source)
    done = subprocess.run(
        [sys.executable, "-m", "pokersvc", *command],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"pokersvc: The package {package} cannot be used: ")
    assert done.stderr.count("\n") == 1
