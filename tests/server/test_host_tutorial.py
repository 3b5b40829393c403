"""The tutorial on hosting a table: what it tells to type, typed on one machine, with a server on loopback."""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from pokersvc.server.settings import Settings
from tests.cli.program import Program
from tests.docs.test_commands import ROOT, commands
from tests.ports import free_port

from .guests import Guest, Made
from .processes import process

PAGE: Final = "docs/tutorials/host.md"
LINK: Final = "https://table.example/t/TABLE/seat/2/"
ANSWERS: Final = "".join(f"{one}\n" for one in ("check", "call", "bet 2", "") * 100)
"""Of these one is right at every question; the others are refused, and asked again."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.close()


def told() -> list[list[str]]:
    """Return the words of each command of the tutorial that is one of pokersvc's, without its name."""
    lines = [shlex.split(one.line, comments=True) for one in commands(PAGE)]
    return [words[1:] for words in lines if words[0] == "pokersvc"]


@contextmanager
def served(host: Program, command: list[str]) -> Iterator[Guest]:
    """Serve as the tutorial does, in a process of its own, on a port that is free."""
    assert command[0] == "serve"
    port = free_port()
    with process(host.database, port, *command[1:]), Guest(f"http://127.0.0.1:{port}") as guest:
        yield guest


def made_as_told(guest: Guest) -> Made:
    """Make the tutorial's table: a house, a bot on the seat that stays empty, shuffled by those who play."""
    text = (ROOT / PAGE).read_text("utf-8")
    house = re.search(r"a house, such as `([a-z-]+)`", text)
    assert house is not None
    settings: dict[str, Any] = {"dealing": "together", "opens_seeds": True}
    seats = ({"name": "Computer", "program": "steady"}, {"name": "Bob"})
    return guest.made(*seats, options={"rules": house[1]}, rounds=1, settings=settings)


@pytest.mark.slow
def test_a_table_is_hosted_and_joined_as_the_tutorial_says(host: Program, tmp_path: Path) -> None:
    serve, join, *after = told()
    host.database.parent.mkdir(parents=True)
    friend = Program(tmp_path / "friend")
    friend.home.mkdir()
    with served(host, serve) as guest:
        made = made_as_told(guest)
        assert join == ["join", LINK]
        link = f"{str(guest.base_url).rstrip('/')}/t/{made.table}/seat/2/"
        made.started()
        ended = friend.ended("join", link, typed=f"{made.tokens[2]}\n{ANSWERS}")
        friend.close()
        assert ended.code == 0, ended.err
        assert "Shuffled together by Bob in round 1." in " ".join(ended.out.split())
    printed = {words[0]: host.run(*words) for words in after}
    assert list(printed) == ["history", "audit", "export", "verify", "report"]
    assert printed["history"].startswith("Round 1 -- ")
    assert "passed" in printed["audit"]
    page = (tmp_path / "evening.html").read_text("utf-8")
    assert "Bob" in page
    assert "<script" not in page


def test_the_address_that_the_tutorial_names_is_the_one_that_is_served() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    assert f"`http://{Settings().host}:{Settings().port}`" in text
