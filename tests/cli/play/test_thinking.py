"""A bot thinks for long: people at the terminal see who, until it has chosen; nobody else sees anything of it."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from pokersvc.cli.drawing import screen, slow
from pokersvc.cli.drawing.layout import Asking
from pokersvc.cli.drawing.screen import Screen
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.emulated import Seen
from tests.cli.program import Program, lines_of

SLOW = """
class Slow:
    def choose(self, view, legal, random):
        from pokersvc.games.draw_poker.actions import Fold
        open({pipe!r}).read()  # waits until somebody has opened the other end, and closed it
        return Fold(view.to_act)
"""
PLAYERS = ("--player", "Ann=human", "--player", "Bob=slow.py:Slow", "--trust", "--limit", "60", "--seed", "demo")
THINKING = "Bob is thinking …"
SUITS = {*"♣♦♥♠"}


@pytest.fixture
def let_choose(program: Program) -> Iterator[Callable[[], None]]:
    """Fixture: lets the bot `slow.py:Slow`, which folds, end a choice; it can only be called while the bot thinks."""
    pipe = program.home / "go"
    os.mkfifo(pipe)
    (program.home / "slow.py").write_text(SLOW.format(pipe=str(pipe)))

    def let() -> None:
        os.close(os.open(pipe, os.O_WRONLY))

    yield let
    with suppress(OSError):  # no bot waits
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_line_by_line_the_word_goes_away_without_a_trace(
    program: Program, let_choose: Callable[[], None], term: str
) -> None:
    seen = Seen(program.terminal("play", *PLAYERS, "--plain", term=term), rows=40)
    seen.until("or fold >")
    seen.press("bet 50\r")
    *before, last = [line for line in seen.until(THINKING).splitlines() if line]
    assert last == f"  {THINKING}"
    assert before[-1] == "Ann bets 50, the pot is 60"
    let_choose()
    after = [line for line in seen.until("Press Enter for the next round").splitlines() if line]
    assert after[: len(before)] == before
    assert after[len(before)] == "Bob folds"
    assert THINKING not in seen.text
    assert b"\x1b" not in seen.raw


def test_on_a_drawn_table_the_word_stands_below_what_has_happened(
    program: Program, let_choose: Callable[[], None]
) -> None:
    table = thinking(program)
    *_, news, _rule, word = [line for line in table.lines if line]
    assert (news, word) == ("Ann bets 50, the pot is 60", THINKING)
    let_choose()
    assert "Bob folds" in table.until("next round", without=THINKING)
    table.type("q")
    assert table.end() == 0
    assert THINKING not in table.left


def test_on_a_shared_screen_nobodys_cards_are_shown_while_a_bot_thinks(
    program: Program, let_choose: Callable[[], None]
) -> None:
    table = DrawnTerminal(program, "play", "--player", "Cid=human", *PLAYERS)
    table.until("Cid, it is your turn")
    assert SUITS & {*table.type("", "or fold")}
    table.type("bet 50", "Ann, it is your turn")
    assert SUITS & {*table.type("", "or fold")}
    table.type("fold")
    while THINKING not in table.shown:
        table.look()
    assert not SUITS & {*table.shown}
    let_choose()
    table.until("Bob folds", without=THINKING)


def test_a_program_that_was_stopped_while_a_bot_thinks_says_so_again(
    program: Program, let_choose: Callable[[], None]
) -> None:
    table = thinking(program)
    table.program.process.send_signal(signal.SIGTSTP)  # which stops nothing where no shell could continue it
    while table.raw.count(THINKING) < 2:
        table.look()
    let_choose()
    table.until("next round", without=THINKING)
    table.type("q")
    assert table.end() == 0


@pytest.mark.usefixtures("let_choose")
def test_ctrl_c_stops_a_game_at_once_while_a_bot_thinks(program: Program) -> None:
    table = thinking(program)
    table.press("\x03")
    assert table.end() == 130
    assert table.left.startswith("pokersvc: Interrupted; the game is saved")
    assert table.settings() == table.before

    seen = Seen(program.terminal("resume", "--trust", "--limit", "60", "--plain"))
    seen.until(THINKING)
    seen.press("\x03")
    assert seen.terminal.end() == 130
    left = seen.raw.decode() + seen.terminal.seen
    assert left.rpartition(THINKING)[2].replace("^C", "").lstrip("\r ").startswith("pokersvc: Interrupted; ")


class Clock:
    """In place of timers: they are over as soon as they start."""

    def __init__(self) -> None:
        self.started = 0

    def timer(self, _seconds: float, due: Callable[[], None]) -> "Clock":
        """Return a timer, which calls ``due``."""
        self._due = due
        return self

    def start(self) -> None:
        """Let the time pass."""
        self.started += 1
        self._due()

    def cancel(self) -> None:
        """Do nothing: it is over."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Fixture: every bot in this process thinks for long."""
    clock = Clock()
    monkeypatch.setattr(slow, "Timer", clock.timer)
    return clock


def test_in_a_pipe_nothing_is_printed_however_long_a_bot_thinks(program: Program, clock: Clock) -> None:
    play = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--rounds", "1", "--seed", "demo")
    said = program.run(*play, typed=lines_of("bet 50", "", "check", "call"))
    assert "Bob calls 50" in said
    assert "thinking" not in said
    assert not clock.started


def test_where_only_bots_play_nothing_is_printed_at_a_terminal(
    program: Program, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "columns", lambda: 80)
    play = ("play", "--player", "Bob=minimum", "--rounds", "1")
    assert "thinking" not in program.run(*play, "--player", "Ann=minimum")
    assert not clock.started
    assert "Bob is thinking …" in program.run(*play, "--player", "Ann=human", typed=lines_of("fold"))


def test_who_does_not_think_for_long_is_not_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    due: list[Callable[[], None]] = []

    class Pending(Clock):
        def start(self) -> None:
            due.append(self._due)

    monkeypatch.setattr(slow, "Timer", Pending().timer)
    monkeypatch.setattr(screen, "columns", lambda: 80)
    with Screen(shared=False).thinking(THINKING, Asking):
        pass
    due[0]()  # a timer that came too late to be stopped
    assert not capsys.readouterr().out


@pytest.mark.usefixtures("clock")
def test_a_bot_that_fails_leaves_nothing_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen, "columns", lambda: 15)
    with pytest.raises(ZeroDivisionError), Screen(shared=False).thinking(THINKING, Asking):
        raise ZeroDivisionError
    assert capsys.readouterr().out == "  Bob is thin…\r              \r"


@pytest.mark.usefixtures("clock")
def test_what_cannot_be_shown_stops_no_bot() -> None:
    said: list[str] = []

    def fails() -> None:
        raise OSError

    with slow.shown_if_slow(fails, lambda: said.append("cleared")):
        said.append("chosen")
    assert said == ["chosen", "cleared"]


def thinking(program: Program) -> DrawnTerminal:
    """Return a drawn table at which Ann has bet, and Bob thinks."""
    table = DrawnTerminal(program, "play", *PLAYERS)
    table.until("Bob is dealt")
    table.type("bet 50")
    while THINKING not in table.shown:
        table.look()
    return table
