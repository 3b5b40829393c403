"""`pokersvc tournament --executor dask`, on a cluster of this machine."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.program import Program, the_sentence
from tests.cli.statistics.tournaments import begun
from tests.forks import TIMEOUT
from tests.players.test_own_players import BOTS
from tests.ports import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed", "ignore::DeprecationWarning:tornado"),
]

PLAYERS = (
    "tournament",
    "--seed",
    "1",
    "--player",
    "Ann=steady",
    "--player",
    "Bob=bots.py:Rolls",
    "--player",
    "Cat=random",
)


class Cluster:
    """A scheduler and a worker with two threads, as its owner would start them."""

    def __init__(self, folder: Path) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.folder = folder
        self.scheduler = self._started("scheduler", "--host", self.address)
        self.worker = self._started("worker", self.address, "--nworkers", "1", "--nthreads", "2")

    def _started(self, *arguments: str) -> "subprocess.Popen[bytes]":
        with (self.folder / arguments[0]).open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard"], cwd=self.folder, stdout=log, stderr=log
            )

    @property
    def asked(self) -> tuple[str, ...]:
        return "--executor", "dask", "--scheduler", self.address

    def close(self) -> None:
        for process in (self.worker, self.scheduler):
            process.terminate()
            process.wait(TIMEOUT)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Cluster]]:
    """Start a cluster that plays at once."""
    from distributed import Client

    with ExitStack() as stack:

        def start() -> Cluster:
            cluster = Cluster(tmp_path_factory.mktemp("cluster"))
            stack.callback(cluster.close)
            start = time.monotonic()
            while "Starting established connection" not in (cluster.folder / "worker").read_text():
                assert time.monotonic() - start < TIMEOUT
                time.sleep(0.1)
            with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]  # no types
                client.wait_for_workers(1)
            return cluster

        yield start


@pytest.fixture(scope="module")
def cluster(started: Callable[[], Cluster]) -> Cluster:
    return started()


@pytest.fixture
def at_home(program: Program) -> Program:
    (program.home / "bots.py").write_text(BOTS.read_text())
    return program


def test_a_cluster_prints_what_one_process_prints_and_finds_a_players_file(at_home: Program, cluster: Cluster) -> None:
    arguments = (*PLAYERS, "--deals", "3")
    on_the_cluster = at_home.run(*arguments, *cluster.asked, "--results", "r1")
    assert "by failing" not in on_the_cluster
    assert on_the_cluster == at_home.run(*arguments, "--processes", "1", "--results", "r2")


def test_a_hidden_seed_is_shown_at_the_end_on_a_cluster_too(at_home: Program, cluster: Cluster) -> None:
    hidden = (*PLAYERS[:1], *PLAYERS[3:], "--deals", "2")
    said = at_home.run(*hidden, *cluster.asked)
    seed = said.splitlines()[-1].removeprefix("Seed: ")
    alone = at_home.run(*hidden, "--seed", seed, "--processes", "1", "--results", "r")
    assert alone.splitlines()[1:] == said.splitlines()[2:-2]


def test_a_cluster_records_the_games(at_home: Program, cluster: Cluster) -> None:
    arguments = (*PLAYERS, "--deals", "2", "--store")
    printed = at_home.run("--db", "games.sqlite", *arguments, *cluster.asked)
    assert len(at_home.json("--db", "games.sqlite", "games")) == 12
    assert at_home.run("--db", "games.sqlite", *arguments, "--again", "--processes", "1") == printed
    assert len(at_home.json("--db", "games.sqlite", "games")) == 12


def test_a_worker_plays_a_file_as_it_is_now(at_home: Program, cluster: Cluster) -> None:
    arguments = ("tournament", "--player", "Me=bots.py:Good", "--player", "Bob=minimum", "--deals", "1")
    assert "forfeited" not in at_home.run(*arguments, *cluster.asked)
    with (at_home.home / "bots.py").open("a") as file:
        file.write("\n\nGood = Raises\n")
    assert "Me forfeited choices: 2 by failing" in at_home.run(*arguments, *cluster.asked)


def test_a_scheduler_that_dies_is_a_sentence_and_what_was_played_is_kept(
    at_home: Program, started: Callable[[], Cluster]
) -> None:
    mortal = started()
    arguments = (*PLAYERS, "--deals", "1000", *mortal.asked, "--results", "r")
    with begun(at_home, *arguments) as process:
        mortal.scheduler.kill()
        ended = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert ended == (
        b"",
        f"pokersvc: The cluster at '{mortal.address}' lost the games; what was played is kept:"
        " start it again to continue.\n".encode(),
    )
    assert (at_home.home / "r").read_bytes().count(b"\n") > 4


def test_nobody_at_the_address_is_a_sentence(program: Program) -> None:
    ended = program.ended(
        *PLAYERS[:5], "--player", "B=random", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"
    )
    assert "No Dask scheduler answers at 'tcp://127.0.0.1:1'" in the_sentence(ended, 1)
