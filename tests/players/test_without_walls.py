"""The powers of a trusted custom player without a box, as docs/players.md describes them; the game continues."""

import sys
from pathlib import Path

import pytest

from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs, Walls
from pokersvc.tournament import plan
from pokersvc.tournament.play import play

KILLER = """import os, signal
from pathlib import Path
from pokersvc.games.draw_poker.actions import Bet, Check, Discard, Fold
class Killer:
    def choose(self, view, legal, random):
        worker = os.getppid()
        game = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
        for thread in Path(f"/proc/{game}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                if child != worker and "players/worker.py" in Path(f"/proc/{child}/cmdline").read_text():
                    os.kill(child, signal.SIGKILL)
        if legal.discard is not None:
            return Discard(view.to_act, ())
        return Bet(view.to_act, legal.bet[0]) if legal.bet else Check(view.to_act) if legal.check else Fold(view.to_act)
"""

VICTIM = """from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold
class Victim:
    def choose(self, view, legal, random):
        if legal.discard is not None:
            return Discard(view.to_act, ())
        return Call(view.to_act) if legal.call else Check(view.to_act) if legal.check else Fold(view.to_act)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the killer finds its rival in /proc")
def test_a_player_that_is_killed_by_its_rival_is_the_one_who_forfeits_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "killer.py").write_text(KILLER)
    (tmp_path / "victim.py").write_text(VICTIM)
    seats = (Seat(f"{tmp_path}/killer.py:Killer", "Killer"), Seat(f"{tmp_path}/victim.py:Victim", "Victim"))
    tournament = plan(DRAW_POKER, {}, seats, 1, orders=1, rounds=2, seed="1")
    with Programs(walls=Walls(trusted=True)) as programs:
        programs.check(DRAW_POKER, tournament.players)
        played, _ = play(tournament, 0, programs)
    assert played.forfeits[0] == {}
    assert set(played.forfeits[1]) == {"raised"}
    assert played.rounds == 2


@pytest.mark.parametrize("page", ["docs/promises.md", "docs/architecture.md", "docs/players.md"])
def test_the_pages_say_that_it_is_not_sandboxed(page: str) -> None:
    said = " ".join((Path(__file__).parent.parent.parent / page).read_text().split())
    for what in ("not sandboxed", "runs as", "read", "database", "kill", "rival", "stop"):
        assert what in said, what
