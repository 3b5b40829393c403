"""Players in boxes in whole games: those that misbehave forfeit, and nothing of a tournament's deal remains."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.core.seats import Seat
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.players import Programs
from pokersvc.players.process import LOG
from pokersvc.service import Service
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from tests.players.boxes.support import STANDING, asking, below, kernel_state, of_a_box
from tests.service.support import as_the_log_says, play_out, started

BOTS = Path(__file__).parent.parent / "bots.py"

pytestmark = pytest.mark.usefixtures("box")

RAISED = ("Raises", "Exits", "ExitsAtOnce", "Kills", "KillsItsParent", "KillsItsGroup", "ClosesEverything", "Crashes",
          "EatsMemory", "Mutates", "Forks", "ForksAndDisagrees", "LeavesASleeper")  # fmt: skip
TOO_LONG = ("Loops", "LoopsInC", "Sleeps", "SleepsThroughTheAlarm")
ILLEGAL = ("Speaks", "AnswersForAnother", "BetsTooMuch", "AnswersAtLength", "AnswersWithAnActionOfItsOwn", "Forfeits")


@pytest.fixture
def service() -> Iterator[Service]:
    with Database.for_writing(":memory:") as database, Programs(0.5) as programs:
        yield Service(EventLog(database), programs=programs)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param(name, code, marks=[pytest.mark.slow] if at else [])
        for names, code in ((RAISED, "raised"), (TOO_LONG, "timeout"), (ILLEGAL, "illegal"))
        for at, name in enumerate(names)
    ],
)
def test_a_player_that_misbehaves_forfeits_and_the_game_goes_on(service: Service, name: str, code: str) -> None:
    game_id = started(service, f"{BOTS}:{name}", "minimum", "minimum", rounds=1)
    assert service.step(game_id)[0].event == events.Forfeited(code, 1)  # type: ignore[arg-type]  # one of its codes
    play_out(service, game_id)
    assert as_the_log_says(service, service._log, game_id)


HONEST = """
import numpy as np
from beside import weight
FILES = ["table.npy"]
TABLE = np.load(__file__.rpartition("/")[0] + "/table.npy")
class Mine:
    def choose(self, view, legal, random):
        from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard
        assert float((TABLE @ TABLE.T).sum()) == 90_000.0
        weight(view)
        if legal.discard is not None:
            return Discard(view.to_act, ())
        if legal.bet is not None:
            return Bet(view.to_act, legal.bet[0])
        return Call(view.to_act) if legal.call else Check(view.to_act)
"""


def test_an_honest_player_with_numpy_a_module_and_a_data_file_plays(service: Service, tmp_path: Path) -> None:
    import numpy as np

    np.save(tmp_path / "table.npy", np.full((30, 100), 1.0))
    (tmp_path / "beside.py").write_text("import deeper\ndef weight(view): return deeper.ONE\n")
    (tmp_path / "deeper.py").write_text("ONE = 1\n")
    (tmp_path / "mine.py").write_text(HONEST)
    game_id = started(service, f"{tmp_path}/mine.py:Mine", "minimum", rounds=3)
    play_out(service, game_id)
    kinds = [type(step.event).__name__ for step in service.replay(game_id)]
    assert "Bet" in kinds
    assert "Forfeited" not in kinds


WRITER = """
import json, os
def everywhere(what):
    found = []
    for place in ("/choice/this/tmp", "/player", "/dev/shm", "/", "/tmp", os.getcwd()):
        try:
            found += [name for name in os.listdir(place) if "notes" in name]
            with open(f"{place}/notes-{len(found)}", "a") as notes:
                notes.write(what)
        except OSError:
            pass
    return found
LOADED = everywhere("loaded")
SEEN = []
class Mine:
    def choose(self, view, legal, random):
        from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard
        cards = [str(card) for card in view.seat(view.to_act).cards]
        print(json.dumps([everywhere(str(cards)), len(SEEN), LOADED, os.getpid()]), flush=True)
        SEEN.append(cards)
        if legal.discard is not None:
            return Discard(view.to_act, ())
        if legal.bet is not None:
            return Bet(view.to_act, legal.bet[0])
        return Call(view.to_act) if legal.call else Check(view.to_act)
"""


def test_notes_of_one_order_of_a_deal_are_not_there_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(WRITER)
    log = tmp_path / "printed"
    monkeypatch.setenv(LOG, str(log))
    players = (Seat(f"{tmp_path}/mine.py:Mine", "Ann"), Seat("minimum", "Bob"))
    tournament = plan(DRAW_POKER, {}, players, 1, seed="1")
    assert tournament.games == 2
    with Programs() as programs:
        for index in range(tournament.games):
            played, _ = play(tournament, index, programs)
            assert played.forfeits == ({}, {})
    said = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(said) > 2
    assert said == [said[0]] * len(said)
    assert said[0][:3] == [[], 0, []]


def test_a_seat_is_not_shown_what_the_other_seat_of_the_same_player_saw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both seats are asked in one box, but the file of one lacks the record of the other."""
    (tmp_path / "mine.py").write_text(
        "import os, json\n"
        "from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard\n"
        "class Mine:\n"
        "    def choose(self, view, legal, random):\n"
        "        told = b''.join(open(f'/choice/this/{one}', 'rb').read() for one in ('question', 'records'))\n"
        "        print(json.dumps([view.to_act, told.count(b'HandDealt'), len(list(view.record))]), flush=True)\n"
        "        import pickle; hands = [e for e in view.record if type(e).__name__ == 'HandDealt' and e.cards]\n"
        "        assert [e.seat for e in hands] in ([view.to_act], []), hands\n"
        "        return Discard(view.to_act, ()) if legal.discard is not None else Bet(view.to_act, legal.bet[0])"
        " if legal.bet else Call(view.to_act) if legal.call else Check(view.to_act)\n"
    )
    log = tmp_path / "printed"
    monkeypatch.setenv(LOG, str(log))
    kind = f"{tmp_path}/mine.py:Mine"
    with Programs() as programs:
        played, _ = play(plan(DRAW_POKER, {}, (Seat(kind, "Ann"), Seat(kind, "Bob")), 1, orders=1), 0, programs)
    assert played.forfeits == ({}, {}), log.read_text()
    assert {json.loads(line)[0] for line in log.read_text().splitlines()} == {1, 2}


def test_the_ranks_of_hands_are_known_before_a_choice_in_a_box(tmp_path: Path) -> None:
    choice = "print(ranking.by_strength.cache_info().currsize)"
    with asking(tmp_path, choice, "from pokersvc.cards import ranking") as player:
        assert player.choose() == "1\n"


OUTLIVED = """
import os, signal, sys
from pathlib import Path
from tests.players.boxes.support import asking, of_a_box, status
with asking(Path(sys.argv[1]), "pass") as player:
    player.choose()
    mine = of_a_box()
    (first,) = [pid for pid in mine if status(pid)["NSpid"].endswith("\\t1")]
    print(*mine, flush=True)
    os.kill(first, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_box_whose_first_process_hangs_ends_with_the_game_too(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", OUTLIVED, str(tmp_path)], capture_output=True, text=True)
    mine = [int(pid) for pid in done.stdout.split()]
    assert len(mine) == 4, done.stderr
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in mine):
        assert time.monotonic() < until, "it lives on"
        time.sleep(0.05)


def test_output_without_end_is_read_and_most_of_it_thrown_away(tmp_path: Path) -> None:
    with asking(tmp_path, "for _ in range(100): os.write(1, b'x' * (1 << 20))", "import os") as player:
        assert 1 << 20 <= len(player.choose()) < 3 << 20


@pytest.mark.slow
def test_all_threads_of_a_choice_share_its_processor_time(tmp_path: Path) -> None:
    hog = (
        "for _ in range(7):\n"
        "    work = lambda: [hashlib.sha512(b'x' * (1 << 24)) for _ in range(999)]\n"
        "    threading.Thread(target=work).start()\n"
        "time.sleep(99)"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pokersvc.players.box.limits.SPARE_SECONDS", -57)
        with asking(tmp_path, hog, "import hashlib, threading, time", limit=60) as player:
            began = time.monotonic()
            assert player.choose() == "timeout"
    assert time.monotonic() - began < 50


def test_a_choice_does_nothing_before_it_is_asked_and_ends_with_the_game(tmp_path: Path) -> None:
    """A choice's process is stopped before its question, and a box leaves no process behind."""
    others = set(below(os.getpid()))  # of tests before this one in the same process
    with asking(tmp_path, "pass", "import os") as player:
        player.choose()
        mine = of_a_box(others)
        time.sleep(0.1)
        assert sorted(map(kernel_state, mine)) == STANDING
    assert [pid for pid in mine if Path(f"/proc/{pid}").exists()] == []
