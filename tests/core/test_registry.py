"""Games of installed packages: found by their entry point, and a broken one breaks no other."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pokersvc.cli.main import main
from pokersvc.core import registry
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import (
    GameKindTaken,
    GameShadowed,
    UnknownGameKind,
    UnusableGame,
    game_kinds,
    game_of,
    has_game,
    register,
    usable,
)
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from pokersvc.service.read_models import history
from tests.nim.game import NIM, Nim

Offer = Callable[..., None]
BUILT_IN = list(registry._REGISTRY)


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    """Install a package that offers games: the name and the value of each."""
    monkeypatch.setattr(registry, "_REGISTRY", {kind: registry._REGISTRY[kind] for kind in BUILT_IN})

    def offered(package: str, module: str = "", **games: str) -> None:
        found = tmp_path / package
        info = found / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        points = "".join(f"{name} = {value}\n" for name, value in games.items())
        (info / "entry_points.txt").write_text(f"[pokersvc.games]\n{points}")
        (found / f"{package}_game.py").write_text(module)
        monkeypatch.syspath_prepend(found)
        monkeypatch.delitem(sys.modules, f"{package}_game", raising=False)

    yield offered
    registry._offered_on.cache_clear()


def test_a_game_of_an_installed_package_is_played_listed_and_audited(offer: Offer) -> None:
    offer("stones", "from tests.nim.game import NIM\n", nim="stones_game:NIM")
    assert game_kinds() == [*BUILT_IN, "nim"]
    assert game_of("nim") is NIM
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        setup = Setup((Seat("careful", "Ann"), Seat("careless", "Bob")), EntropySource.from_text("nim"), 1)
        game_id, _ = service.start("nim", setup)
        service.play_round(game_id)
        assert history.summary(database, game_id).outcome is not None
        assert [one.findings for one in audit(database)] == [[], []]


def test_packages_are_not_looked_through_for_a_game_that_is_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_offered", lambda: pytest.fail("packages were looked through"))
    for kind in BUILT_IN:
        assert game_of(kind).kind == kind
        assert has_game(kind)


def test_a_kind_that_nobody_has_is_refused_with_those_there_are(offer: Offer) -> None:
    offer("stones", nim="stones_game:NIM")
    with pytest.raises(UnknownGameKind, match="There is no game 'chess'; the games are draw, market, kalah, nim"):
        game_of("chess")
    assert not usable("chess")


@pytest.mark.parametrize(
    ("module", "value", "wrong"),
    [
        ("1 / 0", "broken_game:GAME", "ZeroDivisionError: division by zero"),
        ("", "broken_game:GAME", "AttributeError: module 'broken_game' has no attribute 'GAME'"),
        ("", "no_such_module:GAME", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("GAME = 3", "broken_game:GAME", "it must be an instance of a subclass of pokersvc.Game"),
        (
            "from tests.nim.game import Nim as GAME",
            "broken_game:GAME",
            "it must be an instance of a subclass of pokersvc.Game",
        ),
        (
            "from tests.nim.game import NIM as GAME",
            "broken_game:GAME",
            "its kind is 'nim'; the entry point must have the same name",
        ),
        ("", "", "an entry point must name a game, as in 'kuhn:KUHN'"),
    ],
)
def test_a_broken_one_is_one_sentence(offer: Offer, module: str, value: str, wrong: str) -> None:
    offer("broken", module, chess=value)
    with pytest.raises(UnusableGame) as refused:
        game_of("chess")
    sentence = f"The game 'chess', which the package broken 1.0 offers as {value!r}, cannot be used: {wrong}"
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


def test_a_broken_one_breaks_no_other_game(offer: Offer) -> None:
    offer("broken", "1 / 0", chess="broken_game:GAME")
    offer("stones", "from tests.nim.game import NIM\n", nim="stones_game:NIM")
    assert game_kinds() == [*BUILT_IN, "chess", "nim"]
    assert [kind for kind in game_kinds() if usable(kind)] == [*BUILT_IN, "nim"]
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        setup = Setup((Seat("minimum", "Ann"), Seat("minimum", "Bob")), EntropySource.from_text("draw"), 1)
        service.play_round(service.start("draw", setup)[0])
        assert [one.findings for one in audit(database)] == [[], []]
        assert history.rebuild(database) == 1


def test_a_game_that_two_packages_offer_is_neither(offer: Offer) -> None:
    offer("one", "from tests.nim.game import NIM\n", nim="one_game:NIM")
    offer("two", "from tests.nim.game import NIM\n", nim="two_game:NIM")
    with pytest.raises(UnusableGame, match=r"two 1\.0 and the package one 1\.0 offer it; uninstall all but one"):
        game_of("nim")


def test_a_game_that_a_package_offers_twice_cannot_be_used(offer: Offer) -> None:
    offer("one", "from tests.nim.game import NIM\nAGAIN = NIM\n", nim="one_game:NIM\nnim = one_game:AGAIN")
    with pytest.raises(UnusableGame, match=r"one 1\.0 offers it more than once, as one_game:NIM and one_game:AGAIN;"):
        game_of("nim")


def test_an_audit_says_why_a_game_cannot_be_used(
    offer: Offer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "x.sqlite")
    register(NIM)
    with Database.for_writing(path) as database:
        setup = Setup((Seat("careful", "Ann"), Seat("careless", "Bob")), EntropySource.from_text("nim"), 1)
        Service(EventLog(database)).start("nim", setup)
    del registry._REGISTRY["nim"]
    offer("broken", "1 / 0", nim="broken_game:NIM")
    assert main(["--db", path, "audit"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "not checked, this pokersvc does not know 'nim'; its chain is intact The game 'nim', which" in printed
    assert "cannot be used: ZeroDivisionError: division by zero." in printed


def test_a_package_that_offers_a_kind_that_is_built_in_is_left_out_and_said_to_be(offer: Offer) -> None:
    offer("mine", "from tests.nim.game import NIM\n", draw="mine_game:NIM")
    with pytest.warns(GameShadowed, match=r"the package mine 1\.0 offers a game of kind 'draw', which is built in"):
        assert game_kinds() == BUILT_IN
    assert game_of("draw").kind == "draw"


def test_a_game_is_not_registered_in_the_place_of_another(offer: Offer) -> None:
    class Other(Nim):
        kind = "draw"

    with pytest.raises(GameKindTaken, match="There is already a game of kind 'draw'"):
        register(Other())
    register(NIM)
    register(NIM)
    with pytest.raises(GameKindTaken):
        register(Nim())


@pytest.mark.slow
def test_the_program_plays_it_with_no_line_changed(offer: Offer, tmp_path: Path) -> None:
    offer("stones", "from tests.nim.game import NIM\n", nim="stones_game:NIM")
    command = [sys.executable, "-m", "pokersvc.cli.main", "--db", str(tmp_path / "x.sqlite"), "play", "--game", "nim"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [*command, "--auto"],
        env={"PYTHONPATH": f"{tmp_path / 'stones'}:{root}", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Round 3 -- " in done.stdout
