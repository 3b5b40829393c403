"""What every test may rely on."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests import postgres
from tests.postgres import Server

MEASURED = "measured"
"""The property of a test that is printed at the end of a run."""

PROCESSES_UNTRACED = ("eventlog", "players", "service")
"""Folders of tests whose processes run what the tests themselves run too, or end by force and leave no trace."""

# A shell that starts tests in the background has them ignore Ctrl-C, and nohup the end of the terminal; the programs
# that they start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Machines are shared and noisy: how long an example takes says nothing of the code.
# What lands is judged by the same examples each time; everywhere else new ones are tried.
settings.register_profile(
    "untimed",
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def matplotlib_keeps_its_fonts_in_no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have matplotlib cache in a folder of the tests, whichever test is the first to import it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLCONFIGDIR", str(tmp_path_factory.mktemp("matplotlib")))
        yield


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace nothing in a test that is marked so: in a process of several pytest-cov pauses only one of two tracers.

    Nor are its threads traced, nor the processes that it starts, which tracing makes half as fast.
    """
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    untraced = item.get_closest_marker("no_cover") is not None
    with pytest.MonkeyPatch.context() as patch:
        if untraced:
            sys.settrace(None)
            threading.settrace(None)
        if untraced or item.path.parent.name in PROCESSES_UNTRACED:
            for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
                patch.delenv(name)
        yield
    sys.settrace(tracer)
    threading.settrace(of_threads)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave properties untraced: they run the same lines for many examples, and tracing doubles what that takes."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The PostgreSQL server for tests, where there is one."""
    found = postgres.found()
    if isinstance(found, str):
        pytest.skip(found)
    yield found
    found.close()


@pytest.fixture
def measured(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Take a line that is printed at the end of a run."""
    return lambda line: record_property(MEASURED, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was measured, a line each, and in one line that there was no PostgreSQL server, and how to name one."""
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(str(value))
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())]
    if ours := [reason.partition("Skipped: ")[2] for reason in reasons if postgres.SKIPPED in reason]:
        terminalreporter.write_line(f"{len(ours)} tests skipped. {ours[0]}", yellow=True)
