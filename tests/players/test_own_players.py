"""Custom players without a box: their views, the results of what they do, and that a game goes on."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pokersvc.core.bots.custom_players import own_file
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.players import Programs, UnusablePlayer, Walls
from pokersvc.service import NothingToDo, Service
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from tests.nim.game import NIM
from tests.players.boxes.support import asking
from tests.service.support import as_the_log_says, play_out, started, told, types

BOTS = Path(__file__).with_name("bots.py")
LIMIT = 0.5
SOON = 0.1
"""The limit of players that never answer: for others it might be too short on a busy machine."""
TRUSTED = Walls(trusted=True)


def bot(name: str) -> str:
    return f"{BOTS}:{name}"


@pytest.fixture(scope="module")
def programs() -> Iterator[Programs]:
    with Programs(LIMIT, walls=TRUSTED) as programs:
        yield programs


@pytest.fixture
def service(log: EventLog, programs: Programs) -> Service:
    return Service(log, programs=programs)


@pytest.fixture
def hasty(log: EventLog) -> Iterator[Service]:
    with Programs(SOON, walls=TRUSTED) as programs:
        yield Service(log, programs=programs)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Make one kind of player behave as each of them, in one process."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "bots.py").write_text(BOTS.read_text())

    def name_it(name: str) -> str:
        (folder / "name").write_text(name)
        return f"{folder}/bots.py:Chosen"

    return name_it


RAISED = (
    "Raises", "RaisesWhenMade", "Exits", "ExitsAtOnce", "Interrupts", "Kills", "KillsItsParent", "KillsItsGroup",
    "ClosesEverything", "Crashes", "EatsMemory", "Mutates",
)  # fmt: skip
TOO_LONG = ("Loops", "LoopsInC", "Sleeps", "SleepsThroughTheAlarm")
ILLEGAL = (
    "Speaks", "SaysNothing", "AnswersForAnother", "BetsTooMuch", "AnswersAtLength", "AnswersWithCode",
    "AnswersWithAnActionOfItsOwn", "AnswersYes", "CannotBeWritten", "Forges", "Leaves", "Forfeits",
)  # fmt: skip
OFTEN_ELSEWHERE = ("ExitsAtOnce", "KillsItsGroup", "LoopsInC", "SleepsThroughTheAlarm")
"""Players that behave almost like another one, but take longer."""


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param(name, code, marks=[pytest.mark.slow] * (name in OFTEN_ELSEWHERE))
        for names, code in ((RAISED, "raised"), (ILLEGAL, "illegal"))
        for name in names
    ],
)
def test_a_player_that_misbehaves_forfeits_and_the_game_goes_on(
    service: Service, log: EventLog, named: Callable[[str], str], name: str, code: str
) -> None:
    game_id = started(service, named(name), "minimum", "minimum", rounds=1)
    assert service.step(game_id)[0].event == events.Forfeited(code, 1)  # type: ignore[arg-type]  # one of its codes
    play_out(service, game_id)
    assert as_the_log_says(service, log, game_id)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in OFTEN_ELSEWHERE)) for name in TOO_LONG]
)
def test_a_choice_is_stopped_when_its_time_is_over_and_the_game_goes_on(
    hasty: Service, log: EventLog, named: Callable[[str], str], name: str
) -> None:
    game_id = started(hasty, named(name), "minimum", "minimum", rounds=1)
    start = time.monotonic()
    assert hasty.step(game_id)[0].event == events.Forfeited("timeout", 1)
    assert SOON <= time.monotonic() - start < SOON + 5
    play_out(hasty, game_id)
    assert as_the_log_says(hasty, log, game_id)


@pytest.mark.parametrize(
    "name",
    [
        "AnswersWhatWasAskedBefore",
        "AnswersWithNumbersOfItsOwn",
        "DiscardsAList",
        "Forks",
        "ForksAndDisagrees",
        "LeavesASleeper",
        "MovesAway",
        "MutatesByForce",
        "Prints",
    ],
)
def test_what_a_player_does_besides_answering_reaches_nothing(
    service: Service, log: EventLog, named: Callable[[str], str], capfd: pytest.CaptureFixture[str], name: str
) -> None:
    game_id = started(service, named(name), "minimum", rounds=2)
    play_out(service, game_id)
    plain = started(service, "minimum", "minimum", rounds=2)
    play_out(service, plain)

    assert [row for row in told(log, game_id) if row[0] != "GameStarted"] == [
        row for row in told(log, plain) if row[0] != "GameStarted"
    ]
    assert capfd.readouterr() == ("", "")


def test_an_answer_is_never_run(service: Service, named: Callable[[str], str]) -> None:
    kind = named("Forges")
    service.step(started(service, kind, "minimum", "minimum", rounds=1))
    assert not Path(kind.rpartition(":")[0]).with_name("forged").exists()


@pytest.mark.slow
def test_the_same_player_may_fail_and_be_asked_again(service: Service) -> None:
    game_id = started(service, bot("KillsItsGroup"), bot("Good"), "minimum", rounds=3)
    first = [types(service.play_round(game_id)) for _ in range(3)]
    assert all(round_.count("Forfeited") == 1 and "Bet" in round_ for round_ in first)


def test_nothing_lasts_from_one_choice_to_the_next(service: Service, log: EventLog) -> None:
    game_id = started(service, bot("Remembers"), "minimum", rounds=4)
    play_out(service, game_id)
    bets = [json.loads(payload)["amount"] for type_, payload, _ in told(log, game_id) if type_ == "Bet"]
    assert set(bets) == {50}


def test_chance_follows_from_the_game_wherever_a_player_takes_it_from(log: EventLog) -> None:
    games = []
    for _ in range(2):
        with Programs(walls=TRUSTED) as programs:
            service = Service(log, programs=programs)
            games.append(started(service, bot("Rolls"), bot("Rolls"), rounds=3))
            play_out(service, games[-1])
    bets = [payload for type_, payload, _ in told(log, games[0]) if type_ == "Bet"]
    assert told(log, games[0]) == told(log, games[1])
    assert len(set(bets)) == len(bets) == 3


def test_a_player_is_told_its_view_its_legal_actions_and_no_more(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, file = tmp_path / "said", tmp_path / "curious.py"
    file.write_text(
        "import os\n"
        "class Curious:\n"
        "    def choose(self, view, legal, random):\n"
        f"        with open({str(said)!r}, 'a') as said:\n"
        "            print(view.viewer, [c for s in view.seats if s.seat != 2 for c in s.cards], file=said)\n"
        "            print([n for n in os.environ if n.startswith('POKERSVC')], random.seed, file=said)\n"
    )
    monkeypatch.setenv("POKERSVC_DATABASE_URL", "postgresql://ann:secret@host/db")
    game_id = started(service, "minimum", f"{file}:Curious", rounds=1)
    play_out(service, game_id)
    lines = said.read_text().splitlines()
    assert lines[0] == "2 [None, None, None, None, None]"
    assert lines[1].startswith("[] ")


def test_what_a_player_prints_and_raises_can_be_kept(
    log: EventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POKERSVC_PLAYER_LOG", str(tmp_path / "log"))
    service = Service(log, programs=Programs(walls=TRUSTED))
    game_id = started(service, bot("Prints"), bot("Raises"), rounds=1)
    play_out(service, game_id)
    kept = (tmp_path / "log").read_text()
    assert "I hold" in kept
    assert "on my own\n" in kept
    assert "RuntimeError: bug" in kept


def test_a_log_that_cannot_be_written_is_a_sentence(
    log: EventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POKERSVC_PLAYER_LOG", str(tmp_path))
    with pytest.raises(UnusablePlayer, match="which cannot be written"):
        started(Service(log, programs=Programs(walls=TRUSTED)), bot("Prints"), "minimum")


# Loading.


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "SyntaxError"),
        pytest.param("1 / 0", "ZeroDivisionError: division by zero", marks=pytest.mark.slow),
        pytest.param("raise SystemExit(3)", "SystemExit: 3", marks=pytest.mark.slow),
        ("import os; os._exit(0)", "its process ended while it was loaded"),
        ("", "it does not define Mine"),
        pytest.param("Mine = 5", "Mine is not a class with a method choose", marks=pytest.mark.slow),
        ("class Mine: pass", "Mine is not a class with a method choose"),
    ],
)
def test_a_file_that_is_no_player_is_refused_before_the_game_starts(
    service: Service, log: EventLog, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(UnusablePlayer, match=said) as refused:
        started(service, f"{tmp_path}/mine.py:Mine", "minimum")
    assert str(refused.value).startswith(f"The player {tmp_path}/mine.py:Mine cannot be used: ")
    assert str(refused.value).endswith(".")
    assert list(log.games()) == []


@pytest.mark.slow
def test_a_file_that_takes_for_ever_to_load_is_refused(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokersvc.players.custom.LOADING", 0.3)
    (tmp_path / "mine.py").write_text("while True: pass")
    with pytest.raises(UnusablePlayer, match=r"loading it takes more than 0\.3 seconds\.$"):
        started(service, f"{tmp_path}/mine.py:Mine", "minimum")


def test_the_ranks_of_hands_are_known_before_a_choice(tmp_path: Path) -> None:
    """Each choice runs in a copy of the loaded player, so whatever it computes is computed again in the next."""
    choice = "print(ranking.by_strength.cache_info().currsize)"
    with asking(tmp_path, choice, "from pokersvc.cards import ranking", walls=TRUSTED) as player:
        assert player.choose() == "1\n"


def test_a_file_that_is_not_there_is_refused(service: Service) -> None:
    with pytest.raises(UnusablePlayer, match=r"nowhere\.py:Mine cannot be used: its file cannot be read \(No such"):
        started(service, "nowhere.py:Mine", "minimum")


def test_what_stands_beside_a_players_file_can_be_imported(service: Service, tmp_path: Path) -> None:
    (tmp_path / "strategy.py").write_text(BOTS.read_text())
    (tmp_path / "mine.py").write_text("from strategy import Good as Mine")
    game_id = started(service, f"{tmp_path}/mine.py:Mine", "minimum", rounds=1)
    assert types(service.step(game_id))[0] == "Bet"


def test_an_installed_package_offers_players_by_an_entry_point(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shark_player.py").write_text(BOTS.read_text())
    offered = tmp_path / "shark-1.0.dist-info"
    offered.mkdir()
    (offered / "METADATA").write_text("Metadata-Version: 2.1\nName: shark\nVersion: 1.0\n")
    (offered / "entry_points.txt").write_text("[pokersvc.players]\nshark = shark_player:Good\n")
    monkeypatch.syspath_prepend(tmp_path)
    game_id = started(service, "shark", "minimum", rounds=1)
    assert types(service.step(game_id))[0] == "Bet"


@pytest.mark.slow
def test_one_file_may_play_several_games(tmp_path: Path) -> None:
    (tmp_path / "both.py").write_text(
        "from pokersvc.games.draw_poker.actions import Fold\n"
        "from tests.nim.state import Take\n"
        "class Both:\n"
        "    def choose(self, view, legal, random):\n"
        "        if hasattr(view, 'piles'):\n"
        "            pile = max(range(len(view.piles)), key=lambda pile: view.piles[pile])\n"
        "            return Take(view.to_act, pile + 1, 1)\n"
        "        return Fold(view.to_act)\n"
    )
    with Programs(walls=TRUSTED) as programs:
        for game in (DRAW_POKER, NIM):
            players = (Seat(f"{tmp_path}/both.py:Both", "Ann"), Seat(f"{tmp_path}/both.py:Both", "Bob"))
            played, _ = play(plan(game, {}, players, 1), 0, programs)
            assert played.forfeits == ({}, {})


def test_a_kind_that_is_nothing_is_refused_with_what_there_is() -> None:
    with pytest.raises(InvalidValue, match=r"steady, .* or FILE\.py:CLASS for a custom player\.$"):
        DRAW_POKER.check_kinds((Seat("mybot", "Ann"),))


@pytest.mark.parametrize("kind", ["mine.py", "mine.py:", "mine.txt:Mine", "mine.py:my-class", "a\nb.py:Mine", "m.py:1"])
def test_a_text_that_names_no_class_in_a_file_is_no_player(kind: str) -> None:
    assert own_file(kind) is None


# A game that is recorded.


def test_a_game_whose_player_is_gone_is_replayed_but_not_gone_on_with(log: EventLog, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOTS.read_text())
    with Programs(walls=TRUSTED) as programs:
        service = Service(log, programs=programs)
        game_id = started(service, f"{tmp_path}/mine.py:Good", "minimum", rounds=2)
        service.play_round(game_id)
    (tmp_path / "mine.py").unlink()
    before = told(log, game_id)
    service = Service(log, programs=Programs(walls=TRUSTED))
    with pytest.raises(UnusablePlayer, match="its file cannot be read"):
        service.step(game_id)
    assert told(log, game_id) == before
    assert len(list(service.replay(game_id))) == len(before)


def test_an_entry_point_that_is_gone_is_a_sentence(
    service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as here:
        here.setattr("pokersvc.core.bots.seating.is_own", lambda _: True)
        game_id = started(service, "whale", "minimum")
    with pytest.raises(NothingToDo, match="is played by 'whale', which this pokersvc does not have"):
        service.step(game_id)


# Processes.


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts what a player leaves behind")


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


LEAVES = [
    pytest.param("", id="a child"),
    pytest.param("os.setsid()", id="in a session of its own", marks=[LINUX, pytest.mark.slow]),
    pytest.param("os.setsid(); os.fork() and os._exit(0)", id="whose parent is gone", marks=LINUX),
]


@pytest.mark.parametrize("leaves", LEAVES)
def test_what_a_player_started_ends_with_it(tmp_path: Path, log: EventLog, leaves: str) -> None:
    (tmp_path / "mine.py").write_text(
        "import os, time\n"
        "class Mine:\n"
        "    def choose(self, view, legal, random):\n"
        "        asked, told = os.pipe()\n"
        "        if not os.fork():\n"
        f"            {leaves or 'pass'}\n"
        f"            with open({str(tmp_path / 'child')!r}, 'w') as file: file.write(str(os.getpid()))\n"
        "            os.write(told, b'x')\n"
        "            time.sleep(60)\n"
        "        os.read(asked, 1)\n"
    )
    with Programs(walls=TRUSTED) as programs:
        service = Service(log, programs=programs)
        service.step(started(service, f"{tmp_path}/mine.py:Mine", "minimum"))
        child = int((tmp_path / "child").read_text())
        os.kill(child, 0)
    assert gone(child)


DEAF = "signal.signal(signal.SIGALRM, signal.SIG_IGN); say(); time.sleep(60)"


@pytest.mark.parametrize(
    ("loading", "choosing"),
    [
        pytest.param("pass", DEAF, marks=pytest.mark.slow),
        ("pass", f"os.fork() or os.setsid(); {DEAF}"),
        pytest.param(DEAF, "pass", marks=pytest.mark.slow),
    ],
    ids=["choosing", "choosing in two sessions", "loading"],
)
@LINUX
def test_players_do_not_outlive_a_program_that_is_killed(tmp_path: Path, loading: str, choosing: str) -> None:
    (tmp_path / "mine.py").write_text(
        "import os, signal, time\n"
        "def say():\n"
        f"    with open({str(tmp_path)!r} + f'/pid{{os.getpid()}}', 'w') as file: file.write('x')\n"
        f"{loading}\n"
        "class Mine:\n"
        "    def choose(self, view, legal, random):\n"
        f"        {choosing}\n"
    )
    players = f"Seat('{tmp_path}/mine.py:Mine', 'A'), Seat('minimum', 'B')"
    program = (
        "from pokersvc.games.draw_poker import DRAW_POKER\n"
        "from pokersvc.core.seats import Seat\n"
        "from pokersvc.players import Programs, Walls\n"
        "from pokersvc.tournament import plan\n"
        "from pokersvc.tournament.play import play\n"
        f"play(plan(DRAW_POKER, {{}}, ({players}), 1), 0, Programs(walls=Walls(trusted=True)))\n"
    )
    count = choosing.count("os.fork") + 1
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        start = time.monotonic()
        while len(said := list(tmp_path.glob("pid*"))) < count:
            assert process.poll() is None
            assert time.monotonic() - start < 60
            time.sleep(0.01)
        worker = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
    assert worker
    assert all(gone(int(pid)) for pid in [*worker, *(file.name[3:] for file in said)])


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_limit_that_is_none_is_refused(limit: float) -> None:
    with pytest.raises(InvalidValue, match="seconds cannot be used; it must be above 0"):
        Programs(limit)


@pytest.mark.parametrize(
    ("deaf", "loads"),
    [("", 1), pytest.param("signal.signal(signal.SIGALRM, signal.SIG_IGN)", 2, marks=pytest.mark.slow)],
    ids=["plain", "deaf"],
)
def test_a_player_out_of_time_is_stopped_alone_or_else_with_its_process(
    hasty: Service, tmp_path: Path, deaf: str, loads: int
) -> None:
    (tmp_path / "mine.py").write_text(
        "import signal, time\n"
        f"open({str(tmp_path / 'loaded')!r}, 'a').write('x')\n"
        "class Mine:\n"
        "    def choose(self, view, legal, random):\n"
        f"        {deaf or 'pass'}\n"
        "        time.sleep(60)\n"
    )
    game_id = started(hasty, f"{tmp_path}/mine.py:Mine", "minimum", "minimum", rounds=2)
    for _ in range(2):
        assert "Forfeited" in types(hasty.play_round(game_id))
    assert len((tmp_path / "loaded").read_text()) == loads
