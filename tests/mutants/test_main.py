"""The command runs a sample, from drawing it to printing its table."""

from pathlib import Path

import pytest

from . import __main__ as command
from .lists import Killed


@pytest.mark.slow
def test_a_sample_is_drawn_played_counted_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stored: list[Killed] = []
    monkeypatch.setattr(command, "BUILD", tmp_path)
    monkeypatch.setattr(command, "store", stored.extend)
    monkeypatch.setattr(command, "LONGEST_STORED", 3600)
    arguments = ["--seed", "1", "--count", "2", "--rooms", "pokersvc/eventlog/merkle.py", "--workers", "1"]
    code = command.main([*arguments, "--tests", "tests/eventlog/test_merkle.py", "--store", "1"])
    printed = capfd.readouterr()
    killed, timed_out, survived, equivalent = [
        int(count) for count in printed.out.splitlines()[2].removeprefix("all").split()
    ]
    assert (killed + timed_out + survived, equivalent) == (2, 0)
    assert printed.out.count("survived: ") == survived
    assert code == (1 if survived else 0), printed.err
    assert len(stored) == 1 <= killed
    assert {one.test.partition("::")[0] for one in stored} == {"tests/eventlog/test_merkle.py"}
