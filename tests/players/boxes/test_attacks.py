"""Malicious programs in a box: each attempt fails, and the game goes on."""

import json
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.players import Programs
from pokersvc.players.process import LOG
from tests.players.boxes.support import Asked, why_no_box

ATTEMPTS = Path(__file__).with_name("attempts.py")
NAMES = re.findall(r'^    "(.+?)": ', ATTEMPTS.read_text(), re.MULTILINE)

pytestmark = pytest.mark.usefixtures("box")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Fixture: the result of each attempt."""
    if why_no_box() is not None:
        yield {}
        return
    home = tmp_path_factory.mktemp("home")
    database, log = home / "pokerdb.sqlite", home / "printed"
    log.touch()
    with Database.for_writing(str(database)), pytest.MonkeyPatch.context() as patch:
        patch.setenv(LOG, str(log))
        patch.setenv("SECRET", "x")
        patch.setenv("POKERSVC_DATABASE_URL", f"sqlite:///{database}")
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
            name = f"\0pokersvc-{os.getpid()}"
            abstract.bind(name)
            abstract.listen()
            inherited = os.open(database, os.O_RDONLY)
            os.set_inheritable(inherited, True)
            filled = (os.getpid(), str(database), server.getsockname()[1], name)
            source = ATTEMPTS.read_text()
            for unknown, value in zip(("GAME", "DATABASE", "PORT", "ABSTRACT"), filled, strict=True):
                source = source.replace(f"{unknown}: Any = None", f"{unknown}: Any = {value!r}")
            (home / "attempts.py").write_text(source)
            before = database.read_bytes()
            with Programs(60) as programs:
                printed = Asked(programs, f"{home}/attempts.py:Attacker", log).choose()
            os.close(inherited)
            yield json.loads(printed) | {"changed": before != database.read_bytes()}


def test_every_attempt_is_refused(said: dict[str, Any]) -> None:
    assert [*said["attempts"]] == NAMES
    assert {name: found for name, found in said["attempts"].items() if not found.startswith("refused")} == {}


def test_nothing_was_changed_outside(said: dict[str, Any]) -> None:
    assert not said["changed"]


def test_what_a_player_needs_is_allowed(said: dict[str, Any]) -> None:
    assert said["allowed"] == {"threads": 1, "scratch": 100_000, "random": 3}
