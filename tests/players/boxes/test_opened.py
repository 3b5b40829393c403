"""Opening a box for a player, and the message where no box can be made."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pokersvc.cli.play.players import walls_of
from pokersvc.errors import InvalidValue
from pokersvc.players import NoBox, Walls
from pokersvc.players.box.spec import Bait
from tests.cli.program import Program
from tests.players.boxes.support import CHECKS, asking, player_file

CONNECT = """
with socket.create_connection(("127.0.0.1", PORT), 5) as one:
    print(one.recv(5).decode())
try:
    socket.socket(socket.AF_UNIX)
except OSError as error:
    print(error)
"""


def greet(server: socket.socket) -> None:
    with server.accept()[0] as one:
        one.sendall(b"hello")


@pytest.mark.usefixtures("box")
def test_a_player_that_may_use_the_network_connects(tmp_path: Path) -> None:
    kind = f"{tmp_path}/mine.py:Mine"
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=greet, args=(server,), daemon=True).start()
        before = f"import socket\nPORT = {server.getsockname()[1]}"
        with asking(tmp_path, CONNECT, before, walls=Walls(may_use_network=frozenset([kind]))) as player:
            said = player.choose()
    assert said.startswith("hello")
    assert "not permitted" in said, "sockets of this machine stay closed"


@pytest.mark.usefixtures("box")
def test_a_player_that_may_use_the_network_leaves_no_note_without_it(tmp_path: Path) -> None:
    kind = f"{tmp_path}/mine.py:Mine"
    notes = (
        "print([fcntl.fcntl(one, fcntl.F_GETFL) & os.O_NONBLOCK for one in (0, 1, 2)])\n"
        "[os.set_blocking(one, False) for one in (0, 1, 2)]"
    )
    with asking(tmp_path, notes, "import fcntl, os", walls=Walls(may_use_network=frozenset([kind]))) as player:
        assert [player.choose() for _ in range(3)] == ["[0, 0, 0]\n"] * 3


@pytest.mark.usefixtures("box")
def test_a_player_that_may_use_the_network_sees_nothing_of_this_machines(tmp_path: Path) -> None:
    kind = f"{tmp_path}/mine.py:Mine"
    tries = (
        "for family, type_, protocol in ((socket.AF_UNIX, 1, 0), (16, 3, 4), (16, 3, 0), (2, 1, 0)):\n"
        "    try: socket.socket(family, type_, protocol).close()\n"
        "    except OSError as error: print(error.errno, end=' ')\n"
        "    else: print('made', end=' ')\n"
        "try: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "except OSError as error: print(error.errno)"
    )
    with asking(tmp_path, tries, "import socket", walls=Walls(may_use_network=frozenset([kind]))) as player:
        assert player.choose() == "1 1 made made 1\n"


@pytest.mark.usefixtures("box")
def test_a_player_may_read_what_is_opened_for_it_and_write_nothing_there(tmp_path: Path) -> None:
    (shown := tmp_path / "shown").mkdir()
    (shown / "model").write_text("weights")
    (shown / "model").chmod(0o666)
    (tmp_path / "hidden").write_text("secret")
    (home := tmp_path / "home").mkdir()
    choice = (
        f"print(open({str(shown / 'model')!r}).read(), os.path.exists({str(tmp_path / 'hidden')!r}))\n"
        f"open({str(shown / 'model')!r}, 'a')"
    )
    walls = Walls(may_read={f"{home}/mine.py:Mine": (shown,)})
    with asking(home, choice, "import os", walls=walls) as player:
        assert player.choose() == "raised"
    assert "weights False" in (home / "printed").read_text()
    assert "Read-only file system" in (home / "printed").read_text()


KINDS = {"Bot": "bot.py:Bot", "Cat": "cat.py:Cat", "Dan": "cat.py:Cat", "Eve": "steady"}


def test_what_is_opened_is_told_by_names(tmp_path: Path) -> None:
    walls = walls_of(KINDS, trust=False, may_read=[f"Bot={tmp_path}"], may_use_network=["Bot"])
    assert walls == Walls(False, {"bot.py:Bot": (tmp_path,)}, frozenset(["bot.py:Bot"]))
    assert walls_of(KINDS, trust=True, may_read=None, may_use_network=None) == Walls(trusted=True)


@pytest.mark.parametrize(
    ("read", "network", "trust", "said"),
    [
        ([], ["Ann"], False, "names 'Ann', which is not a custom player; custom players are Bot, Cat, Dan"),
        ([], ["Eve"], False, "names 'Eve', which is not a custom player"),
        ([], ["Cat"], False, "Dan is played by cat.py:Cat too"),
        (["Bot=/nowhere"], [], False, "is not NAME=PATH with a file or a folder that is there"),
        (["Bot"], [], False, "is not NAME=PATH"),
        ([], ["Bot"], True, "With --trust custom players may do everything"),
    ],
)
def test_what_cannot_be_opened_is_refused(read: list[str], network: list[str], trust: bool, said: str) -> None:
    with pytest.raises(InvalidValue, match=said):
        walls_of(KINDS, trust=trust, may_read=read, may_use_network=network)


@pytest.mark.parametrize("opened", [{"trust": True}, {"may_read": ["Bot=/usr"]}, {"may_use_network": ["Bot"]}])
def test_strict_opens_nothing(opened: dict[str, Any]) -> None:
    closed: dict[str, Any] = {"trust": False, "may_read": None, "may_use_network": None}
    with pytest.raises(InvalidValue, match="--strict gives custom players no access; leave out"):
        walls_of(KINDS, strict=True, **(closed | opened))


# Where there is no box.


@pytest.mark.usefixtures("box")
@pytest.mark.parametrize(
    ("bait", "said"),
    [
        ({"files": (os.__file__,)}, f"from inside, a program could read {os.__file__};"),
        ({"files": (os.__file__, "/usr/lib")}, f"could read {os.__file__}, read /usr/lib;"),
    ],
)
def test_a_box_that_lets_a_program_out_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bait: dict[str, tuple[str, ...]], said: str
) -> None:
    @contextmanager
    def baited() -> Iterator[Bait]:
        yield Bait(files=bait["files"], pid=os.getpid(), port=1)

    monkeypatch.setattr("pokersvc.players.boxed._bait", baited)
    with pytest.raises(NoBox, match=said), asking(tmp_path, "pass"):
        pass


@pytest.mark.slow
@pytest.mark.usefixtures("box")
def test_where_the_system_makes_no_box_the_program_says_so_and_needs_trust(tmp_path: Path) -> None:
    """As in a user namespace that allows no nested ones, which many containers use."""
    home = Program(tmp_path, {"PYTHONPATH": os.pathsep.join(sys.path)})  # where pokersvc is not installed
    (tmp_path / "mine.py").write_text(player_file("pass", answers=CHECKS))
    play = ["play", "--auto", "--player", "Bot=mine.py:Mine", "--player", "B=minimum", "--rounds", "1"]
    forbidding = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    program = ["unshare", "--user", "--map-root-user", "sh", "-c", forbidding, "-", sys.executable, "-m", "pokersvc"]
    if subprocess.run([*program[:6], "true"], capture_output=True).returncode:
        pytest.skip("namespaces cannot be forbidden here")
    variables = home.environment
    said = subprocess.run([*program, *play], cwd=home.home, env=variables, capture_output=True, text=True)
    assert said.returncode == 1
    assert " ".join(said.stderr.split()) == (
        "pokersvc: The player mine.py:Mine cannot be kept in a box here: this system allows no namespaces for a box"
        " (user.max_user_namespaces is 0); only if you trust it, play it with --trust."
    )
    trusted = subprocess.run([*program, *play, "--trust"], cwd=home.home, env=variables, capture_output=True, text=True)
    assert trusted.returncode == 0, trusted.stderr


@pytest.mark.parametrize(("system", "processor"), [("darwin", "x86_64"), ("linux", "riscv64")])
def test_there_is_none_on_other_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, processor: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.machine", lambda: processor)
    said = f"and this is {system if system != 'linux' else processor}; only if you trust it"
    with pytest.raises(NoBox, match=said), asking(tmp_path, "pass"):
        pass
