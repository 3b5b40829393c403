"""`pokersvc watch`: it follows a game of another process to its end, and reveals nothing hidden."""

import os
import re
import select
import time

import pytest

import pokersvc
from pokersvc.cli.server.watch import LOOKS, WatchBackend
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import CARD, Program, lines_of
from tests.postgres import text

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo", "--rounds", "1")


def begun(program: Program) -> None:
    program.ended(*PLAY, typed="bet 50\n")


def test_a_game_is_followed_from_another_terminal_until_it_ends(program: Program) -> None:
    begun(program)
    terminal = program.terminal("watch", "last")
    before = terminal.until("Bob calls 50")
    program.ended("resume", "last", typed=lines_of("", "check", "call", "quit"))
    assert terminal.end() == 0
    told = program.json("replay", "last")
    assert told[-1]["type"] == "GameEnded"
    assert "see how: pokersvc replay" in " ".join(terminal.seen.split())
    assert not CARD.search(before), "who watches sees no hand"


def test_through_a_pipe_it_prints_lines_and_ends_with_the_game(program: Program) -> None:
    begun(program)
    read, write = os.pipe()
    watching = program.start("watch", "last", streams=(read, write, write))
    os.close(write)
    out = ""
    with os.fdopen(read) as pipe:
        while "Bob calls 50" not in out:  # a game that is over is watched no more
            out += (line := pipe.readline())
            assert line, out
        program.ended("resume", "last", typed=lines_of("", "check", "call", "quit"))
        out += pipe.read()
    assert watching.wait(30) == 0
    told = [event["text"] for event in program.json("replay", "last")]
    assert [one for one in told if "\n" not in one and one not in out] == []
    assert "\x1b" not in out
    assert "The game is over" in out


def test_ctrl_c_leaves_it_and_the_game_goes_on(program: Program) -> None:
    begun(program)
    before = program.json("events", "last")
    terminal = program.terminal("watch", "last")
    terminal.until("Bob calls 50")
    time.sleep(0.3)
    terminal.press("\x03")
    assert terminal.end() == 130
    said = " ".join(terminal.seen.split())
    assert "Interrupted; the game goes on without you, watch again with: pokersvc watch" in said
    assert program.json("events", "last") == before


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("last", "--as", "Ann"), "add --force"),
        (("last", "--as", "auditor"), "add --force"),
        (("last", "--as", "Zoe"), "'Zoe' is not a point of view"),
        (("last", "--as", "auditor", "--force"), "auditor"),
        (("ffff",), "There is no game"),
        (("https://table.example/t/5f0c/seat/2/",), "This is the link of a seat: play there with `join`"),
        (("https://table.example/t/5f0c/", "--as", "1"), "--as is for games of this database"),
    ],
)
def test_who_may_not_watch_so_is_told_why(program: Program, asked: tuple[str, ...], said: str) -> None:
    begun(program)
    assert said in program.refused("watch", *asked)


def test_a_game_that_is_over_is_replayed_instead(program: Program) -> None:
    program.run("play", "--auto", "--rounds", "1")
    assert "is over; see it with `pokersvc replay" in program.refused("watch", "last")


@pytest.mark.slow
def test_at_a_terminal_the_table_is_drawn_as_others_play(program: Program) -> None:
    begun(program)
    table = DrawnTerminal(program, "watch", "last")
    shown = table.until("Waiting for Ann", "Bob calls 50")
    assert "Five-card draw" in table.lines[0]
    assert not CARD.search(shown), "who watches sees no hand"
    table.press("h")
    table.until("No round is over yet.")
    program.ended("resume", "last", typed=lines_of("", "quit"))
    table.until("final betting")
    table.press("q")
    assert table.end() == 0
    assert "The game goes on without you. Watch again any time with: pokersvc watch" in " ".join(table.left.split())

    table = DrawnTerminal(program, "watch", "last")
    table.until("final betting")
    program.ended("resume", "last", typed=lines_of("check", "call", "quit"))
    table.until("Press Enter to leave the table")
    table.type("")
    assert table.end() == 0
    assert "See how: pokersvc replay" in re.sub("\x1b\\[[0-9;]*m", "", table.left)
    assert table.settings() == table.before


def test_plain_is_line_by_line_and_ctrl_c_leaves_a_drawn_table(program: Program) -> None:
    begun(program)
    plain = program.terminal("watch", "last", "--plain", term="xterm-256color")
    plain.until("Bob calls 50")
    plain.press_ctrl_c()
    assert plain.end() == 130
    assert "\x1b" not in plain.seen
    table = DrawnTerminal(program, "watch", "last")
    table.until("Bob calls 50")
    table.press("\x03")
    assert table.end() == 130
    assert "Interrupted; the game goes on without you" in table.left


@pytest.mark.slow
@pytest.mark.parametrize("where", ["memory", "postgres"])
def test_nothing_is_drawn_again_until_the_game_goes_on(where: str, request: pytest.FixtureRequest) -> None:
    """Neither of these databases reports writes by others, so the log is polled."""
    if where == "postgres":
        with request.getfixturevalue("server").migrated() as url, pokersvc.open_database(text(url)) as database:
            told_only_of_news(database)
        return
    with pokersvc.open_database(":memory:") as database:
        told_only_of_news(database)


def told_only_of_news(database: pokersvc.Database) -> None:
    service = pokersvc.Service(pokersvc.EventLog(database))
    seats = (pokersvc.Seat("human", "Ann"), pokersvc.Seat("minimum", "Bob"))
    game, _ = service.start("draw", pokersvc.Setup(seats, pokersvc.EntropySource.from_text("watched"), 1))
    backend = WatchBackend(database, service, game, "pokersvc")
    try:
        assert select.select([backend], [], [], 3 * LOOKS)[0] == []
        turn = service.turn(game, 1)
        service.act(game, pokersvc.game_of("draw").words.read("f", turn.view, turn.legal))
        assert select.select([backend], [], [], 30)[0] == [backend]
        backend.heard()
        assert select.select([backend], [], [], 3 * LOOKS)[0] == []
    finally:
        backend.close()
