"""Fixtures and hooks for all tests."""

import gc
import importlib
import os
import pkgutil
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, is_hypothesis_test, settings
from sqlalchemy import Dialect, Engine
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

import pokersvc
from pokersvc.cli.main import OBJECTS_BETWEEN_COLLECTIONS
from pokersvc.eventlog import schema, sqlite
from pokersvc.eventlog.statements import Statements
from tests import postgres
from tests.migrated import Migrated
from tests.postgres import Server

ROOT: Final = Path(__file__).parents[1]

MEASURED = "measured"
"""The property of a test that is printed at the end of a run."""

PROCESSES_UNTRACED = ("boxes", "cli", "eventlog", "mutants", "players", "service")
"""Folders of tests whose child processes are not traced: they run lines that tests run too, or are killed.

One that is traced takes twice as long."""

VARIATIONS_UNTRACED = ("audit", "cards", "tournament")
"""Folders of tests whose variations all run the same lines, so that only the first is traced, which halves the time."""

BARREN_VARIATIONS = 4
"""After so many variations of a test that ran no new line or branch in this process, the others are not traced.

Whether a line is measured depends little on them: nearly all that they run was run before."""

MOST_SLOW_VARIATIONS = 8
"""If a slow test has more variations than this, `make test-slow` runs every third."""

SLOW_ALONE = ("slow", "exhaustive", "slow and not exhaustive")
"""Selections by marks (``-m``) that no fast test is in."""

HAS_SLOW = re.compile(rb"mark\.slow\b|import sampled\b")
"""What a file with a slow test says, of its own or of `tests.digested`."""

RUN_BY_IMPORT = ("pokersvc.__main__", "pokersvc.migrations.", "pokersvc.players.closed")
"""Modules with side effects at import; pytest imports none of them, not even for their doctests."""

PROMPT = b">>>"
"""What every doctest has."""

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


@pytest.fixture(scope="session", autouse=True)
def new_databases_are_like_the_first() -> Iterator[None]:
    """Run the migrations for the first new database of SQLite alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "upgrade", Migrated(schema.upgrade))
        yield


@pytest.fixture(scope="session", autouse=True)
def what_a_log_asks_is_compiled_once() -> Iterator[None]:
    """Compile the statements of a log for the first database of each kind alone, and not for every one."""
    kept: dict[str, Statements] = {}
    compiled = Statements.of

    def of(dialect: Dialect) -> Statements:
        if dialect.name not in kept:
            kept[dialect.name] = compiled(dialect)
        return kept[dialect.name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Statements, "of", of)
        yield


@pytest.fixture(scope="session", autouse=True)
def what_is_asked_of_any_database_is_compiled_once() -> Iterator[None]:
    """Have databases of one kind share what SQLAlchemy has compiled, as if there were one of each kind."""
    kept: dict[str, object] = {}

    def shared(self: Engine) -> object:
        return kept[self.dialect.name]

    def share(self: Engine, made: object) -> None:
        kept.setdefault(self.dialect.name, made)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "_compiled_cache", property(shared, share), raising=False)
        for kind in (SQLiteDialect, PGDialect):  # whose settings are the same for all
            patch.setattr(kind, "__eq__", lambda self, other: type(self) is type(other))
            patch.setattr(kind, "__hash__", lambda self: hash(type(self)))
        yield


DURABLE: Final = sqlite._writable
"""Sets a connection up that writes as the program's do."""


@pytest.fixture(scope="session", autouse=True)
def nobody_waits_for_the_disk() -> Iterator[None]:
    """Turn off syncing to disk in the processes of the tests; only a power failure could lose data then.

    Programs that are processes of their own wait for the disk; and a test of that takes `DURABLE`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "_writable", lambda connection: sqlite._set(DURABLE(connection), "synchronous = OFF"))
        patch.setattr("os.fsync", os.fstat)  # which refuses what is not open, too
        yield


UNTRACED = pytest.StashKey[bool]()
MAPPED = pytest.StashKey[bool]()
"""Whether it is asked which test runs which line; then each is traced."""
BARREN = Counter[str]()
"""For each test, how many of its variations were traced and ran nothing new."""


@dataclass
class Tracing:
    """Switches coverage tracing of this process on and off; does nothing without coverage."""

    tracer: Any = None
    of_threads: Any = None

    @contextmanager
    def on(self, wanted: bool) -> Iterator[None]:
        """Turn tracing on or off during the ``with`` block, also in threads started meanwhile."""
        before = sys.gettrace() is not None
        self._switch(wanted)
        try:
            yield
        finally:
            self._switch(before)

    def found(self) -> int:
        """Return how many lines and branches were found in this process, as far as its tracer can tell."""
        data = getattr(self.tracer, "data", None)
        return sum(map(len, data.values())) if isinstance(data, dict) else 0

    def _switch(self, wanted: bool) -> None:
        if (now := sys.gettrace()) is not None:  # after a pause pytest-cov has a new tracer
            self.tracer, self.of_threads = now, threading.gettrace()
        threading.settrace(self.of_threads if wanted else None)
        sys.settrace(self.tracer if wanted else None)


TRACING = Tracing()


def is_untraced(item: pytest.Item) -> bool:
    """Return whether a test is excluded from tracing, by a mark or because others run the same lines."""
    return item.stash.get(UNTRACED, False) or item.get_closest_marker("no_cover") is not None


def without_variation(item: pytest.Item) -> str:
    """Return the name of a test without its parameters."""
    return item.nodeid.partition("[")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Do not trace the process that only distributes tests to workers."""
    if session.config.getoption("dist", "no") != "no" and not hasattr(session.config, "workerinput"):
        threading.settrace(None)
        sys.settrace(None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Trace the import of all modules, but not the collection of tests, which takes long.

    What is found is needed to the end: nobody need look for garbage in it, now or later. Garbage of tests is looked for
    as seldom as by the program: it is little, and to look for it more often took 6 % of all their time.
    """
    if sys.gettrace() is not None:
        for module in pkgutil.walk_packages(pokersvc.__path__, "pokersvc."):
            if not module.name.startswith(RUN_BY_IMPORT):
                importlib.import_module(module.name)
    gc.disable()
    with TRACING.on(False):
        collected = yield
    gc.enable()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests only where there is a prompt, and for slow tests only where it says so.

    To look through every module takes as long as many tests.
    """
    found = yield
    if found and parent.config.getoption("markexpr") in SLOW_ALONE and not HAS_SLOW.search(file_path.read_bytes()):
        return []
    if any(isinstance(one, DoctestModule) for one in found) and PROMPT not in file_path.read_bytes():
        return [one for one in found if not isinstance(one, DoctestModule)]
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exclude property tests, and all variations but the first where these run the same lines, from tracing.

    Of a slow test with many variations, `make test-slow` runs every third; `make test-exhaustive` runs the others.
    """
    mapped = bool(items) and items[0].config.getoption("cov_context", None) is not None
    if mapped:  # which test runs which line: each test is traced
        for node in {node for item in items for node in item.listchain()}:
            node.own_markers[:] = [marker for marker in node.own_markers if marker.name != "no_cover"]
    begun: set[str] = set()
    slow: dict[str, list[pytest.Item]] = {}
    for item in items:
        test = without_variation(item)
        varied = test in begun and not set(VARIATIONS_UNTRACED).isdisjoint(item.path.relative_to(ROOT).parts)
        item.stash[MAPPED] = mapped
        item.stash[UNTRACED] = not mapped and (varied or is_hypothesis_test(getattr(item, "obj", None)))
        if item.get_closest_marker("slow") is None:
            begun.add(test)
        else:
            slow.setdefault(test, []).append(item)
    for path in {item.path for variations in slow.values() for item in variations}:
        if not HAS_SLOW.search(path.read_bytes()):
            raise pytest.UsageError(f"No slow test would be found in {path}: write @pytest.mark.slow there.")
    for variations in slow.values():
        if len(variations) > MOST_SLOW_VARIATIONS:
            for item in variations[1::3] + variations[2::3]:
                item.add_marker("exhaustive")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace only the test itself, and no test that is excluded from tracing or of which enough was traced."""
    test = without_variation(item)
    if BARREN[test] >= BARREN_VARIATIONS and not item.stash.get(MAPPED, False):
        item.stash[UNTRACED] = True
    with TRACING.on(not is_untraced(item)):
        before = TRACING.found()
        result = yield
        if not is_untraced(item):
            BARREN[test] += TRACING.found() == before
        return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Trace the setup of shared fixtures, whichever test needs them first, but not of modules that are untraced."""
    if fixturedef.scope == "function":
        return (yield)
    traced = request.node.get_closest_marker("no_cover") is None
    with processes_traced(traced), TRACING.on(traced):
        return (yield)


@contextmanager
def processes_traced(wanted: bool) -> Iterator[None]:
    """Have processes that are started during the ``with`` block traced, if this one is, or not."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [] if wanted else [name for name in os.environ if name.startswith("COVERAGE_")]:
            patch.delenv(name)
        yield


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Trace no process that an untraced test starts, either."""
    traced = not is_untraced(item)
    of_folder = set(PROCESSES_UNTRACED).isdisjoint(item.path.relative_to(ROOT).parts)
    with processes_traced(traced and of_folder), TRACING.on(traced):
        return (yield)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Fixture: the PostgreSQL server for tests, if one is available."""
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
    """Print the measurements of tests, and a line each if there was no PostgreSQL server or no box."""
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(str(value))
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())]
    if ours := [reason.partition("Skipped: ")[2] for reason in reasons if postgres.SKIPPED in reason]:
        terminalreporter.write_line(f"{len(ours)} tests skipped. {ours[0]}", yellow=True)
    if boxes := [reason.partition("Skipped: ")[2] for reason in reasons if "cannot be kept in a box here" in reason]:
        terminalreporter.write_line(f"{len(boxes)} tests skipped. {boxes[0]}", yellow=True)
