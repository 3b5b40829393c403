"""A game is played by one at a time, and a killed player leaves no claim."""

import os
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from pokersvc.eventlog.claim import GameBeingPlayed, claim
from pokersvc.eventlog.database import Database

from .support import Place, command_line, names, run, written

HOLD = """
import sys
from pokersvc.eventlog.claim import claim
from pokersvc.eventlog.database import Database
with Database.for_writing(sys.argv[1]) as database, claim(database, sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""
TRY = """
import sys
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.claim import claim
from pokersvc.eventlog.database import Database
for game_id in sys.argv[2:]:
    try:
        with Database.for_reading(sys.argv[1]) as database, claim(database, game_id):
            print("held")
    except PokersvcError as error:
        print(error.code, error)
"""


class Holder:
    """Another process that holds a game's claim until told to end, or killed."""

    def __init__(self, url: str, game_id: str) -> None:
        self.process = subprocess.Popen(
            command_line(HOLD, url, game_id), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> subprocess.Popen[str]:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "held\n"
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=30)


def test_a_game_is_claimed_once_within_a_process(database: Database, place: Place) -> None:
    with claim(database, "game"):
        for way in (Database.for_writing, Database.for_reading):
            with way(place.url) as again, pytest.raises(GameBeingPlayed, match="game"), claim(again, "game"):
                pass
        with claim(database, "other"):
            pass
        said: list[object] = []

        def another_thread() -> None:
            try:
                with claim(database, "game"):
                    said.append("held")
            except GameBeingPlayed as error:
                said.append(error.code)

        thread = Thread(target=another_thread)
        thread.start()
        thread.join()
        assert said == ["game_being_played"]
    with claim(database, "game"):
        pass


def test_a_claim_keeps_other_processes_out_until_it_ends(database: Database, place: Place) -> None:
    with claim(database, "game"):
        refused, other = run(TRY, place.url, "game", "other").splitlines()
        assert refused.startswith("game_being_played Game game is being played by another process")
        assert other == "held"
    assert run(TRY, place.url, "game") == "held"


def test_a_refused_or_ended_claim_leaves_the_others_in_place(database: Database, place: Place) -> None:
    with claim(database, "a"):
        with claim(database, "b"):
            pass
        with pytest.raises(GameBeingPlayed), claim(database, "a"):
            pass
        with Database.for_reading(place.url):
            pass
        refused, ended = run(TRY, place.url, "a", "b").splitlines()
        assert refused.startswith("game_being_played")
        assert ended == "held"


def test_one_process_claims_many_games(database: Database, place: Place) -> None:
    with ExitStack() as holding:
        for number in range(40):
            holding.enter_context(claim(database, f"game{number}"))
        assert run(TRY, place.url, "game39").startswith("game_being_played")
        with pytest.raises(GameBeingPlayed), claim(database, "game0"):
            pass
    with claim(database, "game0"):
        pass


def test_another_process_keeps_us_out(database: Database, place: Place) -> None:
    with Holder(place.url, "game"):
        with pytest.raises(GameBeingPlayed, match="another process"), claim(database, "game"):
            pass
        with claim(database, "other"), pytest.raises(GameBeingPlayed), claim(database, "game"):
            pass
    with claim(database, "game"):
        pass


def test_a_killed_holder_leaves_no_claim(database: Database, place: Place) -> None:
    with Holder(place.url, "game") as process:
        process.kill()
        process.wait()
        for tries in range(50, -1, -1):  # a server of a database learns of it in a moment
            try:
                with claim(database, "game"):
                    break
            except GameBeingPlayed:
                assert tries
                sleep(0.1)


def test_a_link_to_the_database_is_the_same_database(database: Database, path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    with claim(database, "game"):
        assert run(TRY, link, "game").startswith("game_being_played")


def test_an_error_in_the_game_ends_the_claim(database: Database) -> None:
    with pytest.raises(RuntimeError), claim(database, "game"):
        raise RuntimeError
    with claim(database, "game"):
        pass


def test_one_empty_file_lies_beside_the_database(path: Path) -> None:
    written(path)
    with Database.for_writing(str(path)) as database, claim(database, "a"), claim(database, "b"):
        pass
    assert names(path.parent) == ["games.sqlite", "games.sqlite.lock"]
    assert path.with_name("games.sqlite.lock").stat().st_size == 0


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o644])
@pytest.mark.parametrize("umask", [0, 0o077])
def test_who_may_use_the_database_may_claim_its_games_whatever_the_umask(path: Path, mode: int, umask: int) -> None:
    written(path).chmod(mode)
    before = os.umask(umask)
    try:
        with Database.for_writing(str(path)) as database, claim(database, "game"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.with_name("games.sqlite.lock").stat().st_mode) == mode


def test_databases_in_memory_are_claimed_within_the_process() -> None:
    with Database.for_writing(":memory:") as one, Database.for_writing(":memory:") as two:
        with claim(one, "game"), claim(two, "game"), pytest.raises(GameBeingPlayed), claim(one, "game"):
            pass
        with claim(one, "game"):
            pass


def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    path = written(folder / "games.sqlite")
    folder.chmod(0o555)
    try:
        assert run(TRY, path, "game", unprivileged=True).startswith(f"database_read_only {path}")
    finally:
        folder.chmod(0o755)
