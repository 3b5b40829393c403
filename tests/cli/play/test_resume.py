"""An unfinished game resumes where it stopped, with the same outcome."""

import pytest

from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from tests.cli.program import TWO_MINIMUM, Program, lines_of, types

PLAY = ("play", "--players", "3", "--player", "Ann=human", "--player", "Bob=random", "--seed", "again", "--rounds", "4")
ANSWERS = ("bet 60", "call", "1,2", "check", "bet 50", "call", "", "keep", "fold", "")


def play_in_pieces(program: Program, answers: tuple[str, ...], size: int, *, politely: bool) -> None:
    """Play a game in several runs of the program, each with some of the answers, ended by ``quit`` or end of input."""
    command: tuple[str, ...] = PLAY
    for first in range(0, len(answers), size):
        typed = [*answers[first : first + size], *(["quit"] if politely else [])]
        ended = program.ended(*command, typed=lines_of(*typed))
        if " wins with $" in ended.out:
            return
        assert ended.code == (0 if politely else 1), ended
        command = ("resume", "last")
    raise AssertionError("the answers did not end the game")


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("whole"))
    program.run(*PLAY, typed=lines_of(*ANSWERS * 6))
    return program


@pytest.mark.parametrize(
    ("size", "politely", "how"),
    [
        (14, True, "inside this process"),
        pytest.param(22, False, "apart", marks=pytest.mark.slow),
        pytest.param(1, False, "forked", marks=pytest.mark.slow),
    ],
)
def test_a_resumed_game_goes_on_as_it_would_have(
    program: Program, uninterrupted: Program, size: int, politely: bool, how: str
) -> None:
    program.apart, program.forked = how == "apart", how == "forked"  # each time a process of its own
    play_in_pieces(program, ANSWERS * 6, size, politely=politely)
    assert [(e["type"], e["payload"], e.get("secret")) for e in program.facts()] == [
        (e["type"], e["payload"], e.get("secret")) for e in uninterrupted.facts()
    ]
    assert program.run("history", "last", "--hands") == uninterrupted.run("history", "last", "--hands")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "house"),
    [(("beginner", "club", "regular", "shark"), "fixed-limit"), (("equilibrium", "shark"), "no-limit")],
    ids=" ".join,
)
def test_bots_of_every_level_go_on_as_they_would_have_in_another_process(
    program: Program, kinds: tuple[str, ...], house: str
) -> None:
    """The game is stopped in the middle of its third hand; the process that resumes it has seen none of the others."""
    setup = Setup(
        tuple(Seat(kind, kind.capitalize()) for kind in kinds),
        EntropySource.from_text("levels"),
        5,
        {"rules": house, "stack": "400"},
    )
    program.database.parent.mkdir(parents=True)
    with open_database(program.database) as database:
        log = EventLog(database)
        service = Service(log)
        service.start("draw", setup, game_id="whole")
        while service.status("whole").outcome is None:
            service.play_round("whole")
        whole = [(record.type, record.payload) for record in log.read("whole")]
        service.start("draw", setup, game_id="stopped")
        while service.view("stopped", EVERYONE).round < 3:
            service.step("stopped")
        for _ in range(3):
            service.step("stopped")
        assert 20 < service.status("stopped").count < len(whole)
    program.apart = True
    program.run("resume", "stopped")
    with open_database(program.database, read_only=True) as database:
        assert [(record.type, record.payload) for record in EventLog(database).read("stopped")] == whole


def test_a_game_of_programs_goes_on_too(program: Program, played: Program) -> None:
    """Only its first command, which deals the first round, is left."""
    program.run("play", "--player", "A=human", "--player", "B=minimum", "--seed", "demo", typed="quit\n")
    asked = program.run("resume", "last", typed="fold\nleave\n").splitlines()
    assert "B wins with $1,005" in asked
    program.run(*TWO_MINIMUM, "--seed", "demo", "--rounds", "1")
    finished = program.json("games")[0]["game"]
    assert program.refused("resume", finished[:8]) == (
        f"Game {finished} is over; see it with `pokersvc history {finished[:8]}`."
    )


def test_a_resumed_game_shows_where_it_stands(program: Program) -> None:
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo", typed="bet 50\n")
    said = program.run("resume", "last", typed="quit\n").splitlines()
    assert said[2:6] == [
        "",
        "Round 1, draw: pot 110; it is Ann's turn",
        "  Ann  $945  [KD, QH, 9S, 4D, 3S] king high",
        "  Bob  $945  [hidden]",
    ]


def test_a_game_between_two_rounds_asks_again_who_leaves(program: Program) -> None:
    play = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
    program.ended(*play, typed="fold\n")
    said = program.run("resume", "last", typed="leave\n").splitlines()
    assert "Press Enter for the next round, or type `leave` to leave the game > " in said
    assert "Ann leaves the game with $995" in said
    assert types(program.facts())[-2:] == ["HandsRevealed", "GameEnded"]


@pytest.mark.parametrize("name", ["nope", "", "last"])
def test_a_game_that_is_not_there_is_not_resumed(program: Program, name: str) -> None:
    assert "There is no database" in program.refused("resume", name)
    assert list(program.home.iterdir()) == [], "and no database is made for it"


def test_the_way_to_go_on_names_the_database_of_the_command_line(program: Program) -> None:
    said = program.run("--db", "my games.sqlite", "play", typed="quit\n").splitlines()
    game = said[0].removeprefix("Game ")[:8]
    assert said[1] == f"Resume any time with: pokersvc --db 'my games.sqlite' resume {game}"
    program.variables["POKERSVC_DATABASE_URL"] = "my games.sqlite"
    said = program.run("resume", "last", typed="quit\n").splitlines()
    assert said[1] == f"Resume any time with: pokersvc resume {game}"
    assert not program.database.exists()
