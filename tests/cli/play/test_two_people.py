"""Two people at one terminal: neither sees the other's hidden cards on the screen or by scrolling back."""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from pokersvc.cards import Card
from tests.cli.program import CARD, CLEAR, Program, Terminal, minimum

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=human")
CALL_UP = re.compile(r"(\w+), it is your turn: press Enter when only you can see the screen")
OPENED = re.compile(r"^((?:Showdown|All hands are shown):(?:\n  [^$\n]*$)*|\w+ shows .*|\w+ \[.*)$", re.MULTILINE)
"""Lines with hands that everybody may see: at the showdown, and in the history at the end."""


def play(terminal: Terminal, rounds: int) -> None:
    """Play rounds of minimum bets, drawing cards, and quit."""
    left = rounds
    while left:
        if terminal.first_of("can see the screen ", " > ") == 0:
            terminal.type("")
            continue
        asked = terminal.seen.splitlines()[-1]
        left -= asked.startswith("Press Enter")
        terminal.type("1,2" if "Discard" in asked and left else minimum(asked) if left else "quit")
    assert terminal.end() == 0


def screens(seen: str) -> Iterator[tuple[list[str], int, set[str]]]:
    """Yield each screen between two wipes: whom it is for, the round, and the cards that are not public."""
    round_ = 0
    for screen in seen.replace("\r\n", "\n").split(CLEAR):
        if numbers := re.findall(r"^Round (\d+)[, ]", screen, re.MULTILINE):
            round_ = int(numbers[-1])
        yield CALL_UP.findall(screen), round_, set(CARD.findall(OPENED.sub("", screen)))


def hands(program: Program, names: tuple[str, ...]) -> dict[tuple[str, int], set[str]]:
    """Return every card that each player got in each round."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    round_ = 0
    for event in program.facts():
        if event["type"] == "RoundStarted":
            round_ = event["payload"]["round"]
        elif event["type"] in ("HandDealt", "CardsDrawn"):
            owner = names[event["payload"]["seat"] - 1]
            found[owner, round_] |= {str(Card(card)) for card in event["secret"]["cards"]}
    return found


def check_screens(program: Program, seen: str, names: tuple[str, ...]) -> int:
    """Check that each screen holds one person's cards at most, and return how many held some."""
    got, private = hands(program, names), 0
    for called, round_, cards in screens(seen):
        assert len(called) <= 1, "the screen is wiped before the next person is called up"
        if called:
            assert cards, "who is called up sees their hand"
            assert cards <= got[called[0], round_]
            private += 1
        else:
            assert not cards
    return private


@pytest.mark.parametrize("seed", ["demo", pytest.param("split-25131", marks=pytest.mark.slow)])
def test_no_card_of_another_is_ever_on_the_screen(program: Program, seed: str) -> None:
    terminal = program.terminal(*PLAY, "--seed", seed)
    play(terminal, 2)
    assert check_screens(program, terminal.seen, ("Ann", "Bob")) >= 12


def test_the_next_player_is_asked_for_before_anything_of_theirs_is_shown(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--seed", "demo")
    before = terminal.until("can see the screen ")
    assert not CARD.findall(before)
    terminal.type("")
    terminal.question()
    terminal.type("no such bet")
    asked_again = terminal.question()
    assert CLEAR not in asked_again, "a wrong answer keeps the hand in view"
    terminal.type("bet 50")
    wiped = terminal.until("Bob, it is your turn")
    shown = wiped.partition(CLEAR)[2].splitlines()
    assert "Ann antes 5" in shown, "what everybody may see stands there again"
    assert "Ann bets 50, the pot is 60" in shown
    assert not CARD.findall("\n".join(shown))


@pytest.mark.parametrize("way", ["quit", "interrupt", "end of input"])
def test_nothing_private_stays_on_the_screen_when_the_game_stops(program: Program, way: str) -> None:
    terminal = program.terminal(*PLAY, "--seed", "demo")
    terminal.until("can see the screen ")
    terminal.type("")
    assert CARD.findall(terminal.question())
    if way == "quit":
        terminal.type("quit")
    elif way == "interrupt":
        terminal.press_ctrl_c()
    else:
        terminal.press("\x04")
    assert terminal.end() == {"quit": 0, "interrupt": 130, "end of input": 1}[way]
    assert not CARD.findall(terminal.seen.rpartition(CLEAR)[2])


def test_one_may_quit_when_called_up(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--seed", "demo")
    terminal.until("can see the screen ")
    terminal.type("quit")
    assert terminal.end() == 0
    assert "The game is saved" in terminal.last_line


@pytest.mark.slow
def test_a_resumed_game_shows_nothing_before_a_player_is_called_up(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--seed", "demo")
    terminal.until("can see the screen ")
    terminal.type("quit")
    assert terminal.end() == 0
    again = program.terminal("resume", "last")
    assert not CARD.findall(again.until("Ann, it is your turn"))
    play(again, 1)
    assert check_screens(program, again.seen, ("Ann", "Bob")) >= 6


def test_people_and_programs_share_a_table(program: Program) -> None:
    terminal = program.terminal("play", "--players", "4", "--player", "Ann=human", "--player", "Cy=minimum",
                                "--player", "Bob=human", "--player", "Di=minimum", "--seed", "demo")  # fmt: skip
    play(terminal, 1)
    assert check_screens(program, terminal.seen, ("Ann", "Cy", "Bob", "Di")) >= 6


def test_who_leaves_is_named(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--seed", "demo")
    terminal.until("can see the screen ")
    terminal.type("")
    terminal.question()
    terminal.type("fold")
    for answer, said in (
        ("leave", "Say who leaves, such as `leave Ann`."),
        ("leave Zed", "Nobody in the game is called 'Zed' here; you can type leave Ann or leave Bob."),
        ("go away", "I don't understand 'go away'. You can: press Enter, or type leave Ann"),
    ):
        terminal.question()
        terminal.type(answer)
        terminal.until(said)
    terminal.question()
    terminal.type("leave ann")
    assert terminal.end() == 0
    assert "Ann leaves the game with $995" in terminal.seen
    assert "Bob wins with $1,005" in terminal.last_line
