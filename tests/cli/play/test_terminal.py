"""A person plays at a real terminal: everything shown is in the log, however the terminal ends."""

import re
import signal
import time

import pytest

from tests.cli.program import Program, Terminal, lines_of, minimum

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")


def started(program: Program, *arguments: object) -> tuple[Terminal, str]:
    """Start a program at a terminal, wait for its first question, and return it with the game's id."""
    terminal = program.terminal(*arguments)
    found = re.search(r"Game ([0-9a-f-]{36})", terminal.question())
    assert found is not None
    return terminal, found[1]


def told(program: Program, game: str) -> list[str]:
    """Return the events of a game in the words shown to Ann."""
    return [event["text"] for event in program.json("replay", game, "--as", "Ann", "--force")]


def test_a_round_is_played_and_the_game_quit(program: Program) -> None:
    terminal, game = started(program, *PLAY)
    terminal.type("bet 50")
    terminal.answer_all(lambda asked: None if asked.startswith("Press Enter") else minimum(asked))
    terminal.type("quit")
    assert terminal.end() == 0
    assert terminal.last_line == f"The game is saved. Resume any time with: pokersvc resume {game[:8]}"
    assert "\x1b" not in terminal.seen
    assert program.run("history", game) == "Unfinished after round 1\nRound 1 -- Ann won 210\n"


def test_a_game_to_its_end_shows_the_history_with_ones_own_hands(program: Program) -> None:
    terminal, game = started(program, *PLAY, "--rounds", "2")
    terminal.type("fold")
    terminal.answer_all(lambda asked: None if "Bet 50" in asked else minimum(asked))
    terminal.type("fold")
    assert terminal.end() == 0
    shown = terminal.seen.replace("\r\n", "\n")
    assert "The game is over: all rounds are played\n\nBob wins with $1,011\n" in shown
    assert program.run("history", game, "--hands", "--as", "Ann") in shown


def test_ctrl_c_is_a_sentence_and_exit_code_130(program: Program) -> None:
    terminal, game = started(program, *PLAY)
    terminal.type("bet 50")
    terminal.question()
    terminal.press_ctrl_c()
    assert terminal.end() == 130
    sentence = f"pokersvc: Interrupted; the game is saved, resume with: pokersvc resume {game[:8]}"
    assert sentence in " ".join(terminal.seen.split())
    assert program.json("replay", game)[-1]["text"] == "Bob calls 50, the pot is 110"


def test_an_end_of_input_at_the_terminal_says_how_to_go_on(program: Program) -> None:
    terminal, game = started(program, *PLAY)
    terminal.press("\x04")
    assert terminal.end() == 1
    assert f"did; resume with: pokersvc resume {game[:8]}" in " ".join(terminal.seen.split())


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
    ],
    ids=lambda end: end.name,
)
def test_what_was_shown_as_done_is_in_the_log_when_the_program_is_killed(program: Program, end: signal.Signals) -> None:
    terminal, game = started(program, *PLAY)
    terminal.type("bet 50")
    terminal.question()
    terminal.type("4 5")
    terminal.question()
    terminal.process.send_signal(end)
    assert terminal.end() == -end
    recorded = told(program, game)
    shown = [line.strip() for line in terminal.seen.splitlines()]
    for line in ("Ann bets 50, the pot is 60", "Ann discards 4D 3S"):
        assert line in shown
    for line in recorded[:1] + recorded[2:]:
        assert line in shown or len(line) > 80, line
    again, same = started(program, "resume", "last")
    assert same == game
    assert "Round 1, final betting" in again.seen
    assert again.seen.count("Ann  $945") == 1, "the table is shown once"


def test_a_terminal_that_goes_away_loses_nothing(program: Program) -> None:
    terminal, game = started(program, *PLAY)
    terminal.type("bet 50")
    terminal.question()
    terminal.hang_up()
    deadline = time.monotonic() + 20
    while terminal.process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert told(program, game)[-2:] == ["Ann bets 50, the pot is 60", "Bob calls 50, the pot is 110"]


@pytest.mark.slow
def test_killed_at_any_moment_a_game_is_never_half_written(program: Program) -> None:
    game = ""
    for number in range(25):
        terminal = program.terminal("resume", game) if game else program.terminal(*PLAY)
        asked = terminal.question()
        game = game or re.findall(r"Game ([0-9a-f-]{36})", asked)[0]
        terminal.type(minimum(asked.splitlines()[-1]))
        time.sleep(0.004 * number)
        terminal.process.kill()
        terminal.end()
        recorded = program.json("events", game)
        commands = [event["command_id"] for event in recorded]
        assert len(dict.fromkeys(commands)) == sum(event["n"] == 1 for event in recorded)
        shown = [line for line in terminal.seen.splitlines() if re.match(r"(Ann|Bob) (bets|calls|checks|stands)", line)]
        texts = told(program, game)
        assert all(line.strip() in texts for line in shown)


def test_a_game_that_is_played_is_not_resumed_by_another_process(program: Program) -> None:
    terminal, game = started(program, *PLAY)
    sentence = program.refused("resume", game[:8])
    assert sentence == f"Game {game} is being played by another process: wait until it ends."
    assert program.run("history", game) == "Unfinished after round 0\n"
    program.run("play", "--auto", "--rounds", "1")
    terminal.type("quit")
    assert terminal.end() == 0
    program.run("resume", game, typed=lines_of("quit"))
