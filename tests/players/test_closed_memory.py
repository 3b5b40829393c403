"""A player runs as the same user as the game, but cannot read the memory of the game's process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pokersvc.tournament import processes
from tests.forks import POWERLESS
from tests.tournament.support import dumpable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")

PLAYER = """import ctypes, os
from pathlib import Path
class Mine:
    def choose(self, view, legal, random):
        Path(__file__).with_name("said").write_text(str(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)))
        os._exit(1)
"""
GAME = """import ctypes
from importlib import import_module
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.core.seats import Seat
from pokersvc.players import Programs, Walls
from pokersvc.tournament.play import play
from tests.tournament.support import dumpable, planned
said = [dumpable()]
with Programs(walls=Walls(trusted=True)) as programs:
    play(planned("minimum", "minimum"), 0, programs)
    said.append(dumpable())
    programs.check(DRAW_POKER, (Seat({kind!r}, "A"),))
    said.append(dumpable())
    play(planned({kind!r}, "minimum"), 0, programs)
print(*said)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # and another process would begin
run, kept = (import_module("pokersvc.tournament." + name) for name in ("run", "kept"))
told = []
class Noted(kept.Programs):
    def __init__(self, *given):
        told.append(dumpable())
        super().__init__(*given)
kept.Programs = Noted
run.play_batch(planned("minimum", "minimum"), [], None)
run.play_batch(planned({kind!r}, "minimum"), [], None)
print(*told)
"""


def test_the_process_of_a_game_closes_its_memory_before_a_player_of_ones_own_is_there(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLAYER)
    program = GAME.format(kind=f"{tmp_path}/mine.py:Mine")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    game, batch = done.stdout.splitlines()
    assert game == b"1 1 0", "it is open where only the game's own programs play"
    assert batch == b"1 0", "so is that of who plays a batch, until the batch has a player of one's own"
    assert (tmp_path / "said").read_text() == "0", "and a player's process is closed to its rival's"


def test_a_process_of_a_tournament_closes_its_memory_before_it_hears_of_a_seed() -> None:
    with processes(2) as workers:
        assert workers.executor is not None
        assert workers.executor.submit(dumpable).result() == 0


TOURNAMENT = """import os
from pathlib import Path
from pokersvc.tournament import processes
from tests.tournament.support import closed_and_told
def below(pid):
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        yield child
        yield from below(child)
with processes(2) as workers:
    print(*workers.executor.submit(closed_and_told).result())
    for pid in below(os.getpid()):
        name = "tracker" if "resource_tracker" in Path(f"/proc/{pid}/cmdline").read_text() else "tournament"
        try:
            environment = Path(f"/proc/{pid}/environ").read_text()
        except PermissionError:
            print(name, "closed")
        else:
            print(name, "told" if "POKERSVC_" in environment else "not told")
print(os.environ["POKERSVC_DATABASE_URL"])
"""


@pytest.mark.slow
def test_no_process_of_a_tournament_shows_where_the_database_is() -> None:
    """Playing processes are closed, like the forkserver; the resource tracker does not know the database."""
    done = subprocess.run(
        [*POWERLESS, sys.executable, "-c", TOURNAMENT],  # for root could read what is closed
        env=os.environ | {"POKERSVC_DATABASE_URL": "postgresql://secret"},
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    first, *others, last = done.stdout.decode().splitlines()
    assert first == "True postgresql://secret", "who plays may record games there"
    assert last == "postgresql://secret"
    assert sorted(others) == ["tournament closed", "tournament closed", "tracker not told"]


READER = """import os, sys
for name in ("mem", "environ", "fd/0"):
    try:
        open(f"/proc/{os.getppid()}/{name}", "rb").close()
    except PermissionError:
        print("closed", name)
    else:
        print("open", name)
"""


@pytest.mark.parametrize(("closes", "said"), [(False, "open"), (True, "closed")])
def test_what_is_closed_cannot_be_read_by_the_same_user(closes: bool, said: str) -> None:
    program = (
        "import ctypes, os\n"
        "from pokersvc.players import close_memory\n"
        "if os.getuid() == 0:\n"  # whom nothing is closed to
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # which a change of the user closes by itself\n"
        f"{'close_memory()' if closes else ''}\n"
        "if not os.fork():\n"
        f"    exec({READER!r})\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    ).replace("    os._exit(0)", "    sys.stdout.flush(); os._exit(0)")
    done = subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    if not closes and Path("/proc/sys/kernel/yama/ptrace_scope").exists():
        pytest.skip("this machine closes the memory of all processes")
    assert done.stdout.decode().splitlines() == [f"{said} {name}" for name in ("mem", "environ", "fd/0")]
