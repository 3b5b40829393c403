"""A pytest plugin: run only the chosen tests, and record failures or durations."""

import json
import os
from pathlib import Path
from typing import Final

import pytest

CHOSEN: Final = "MUTANTS_CHOSEN"
"""The variable that names a file with the tests to run, as JSON; without it, all run."""
FAILED: Final = "MUTANTS_FAILED"
"""The variable that names the file for the tests and the files of tests that failed, a line each."""
TIMES: Final = "MUTANTS_TIMES"
"""The variable that names the file for the seconds of each test that passed, as JSON."""

_seconds: dict[str, float] = {}
_unfit: set[str] = set()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect all tests that were not chosen; a chosen file selects all its tests."""
    if (file := os.environ.get(CHOSEN)) is None:
        return
    chosen = set(json.loads(Path(file).read_text("utf-8")))
    wanted = [item for item in items if item.nodeid in chosen or item.nodeid.partition("::")[0] in chosen]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
    items[:] = wanted


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how a part of a test ended."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _unfit.add(report.nodeid)
    if report.failed:
        _note_failure(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot be imported: tests make much when they are imported."""
    if report.failed:
        _note_failure(report.nodeid)


def _note_failure(name: str) -> None:
    if file := os.environ.get(FAILED):
        with Path(file).open("a", encoding="utf-8") as failed:
            failed.write(json.dumps(name) + "\n")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Record the durations of the tests, in the process that collects the results of all workers."""
    if (file := os.environ.get(TIMES)) and not hasattr(session.config, "workerinput"):
        times = {test: seconds for test, seconds in _seconds.items() if test not in _unfit}
        Path(file).write_text(json.dumps(times), "utf-8")
