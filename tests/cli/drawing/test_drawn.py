"""The drawn table at a real terminal: games played by hand, and the terminal given back in every case."""

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from itertools import pairwise

import pexpect
import pytest

from pokersvc.cli.drawing.alternate_screen import ENTER, LEAVE
from tests.cli.drawn_terminal import ASIDE, DrawnTerminal
from tests.cli.program import CARD, Program, lines_of
from tests.forks import TIMEOUT

RANK = re.compile(r"│\s*(10|[2-9JQKA])\s+│")
MARKED = re.compile(r"×(\d)")
SUIT = re.compile(r"[♣♦♥♠]\s*([CDHS])")

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
COLOUR = re.compile(r"\x1b\[[0-9;]*\b(?:[349][0-7]|10[0-7]|[34]8;[25])[0-9;]*m")


def cards(shown: str) -> set[str]:
    """Return the cards on a screen, both those in text and the drawn ones."""
    found = set(CARD.findall(shown))
    lines = shown.splitlines()
    for ranks, suits in pairwise(lines):
        found |= {f"{one}{other}" for one, other in zip(RANK.findall(ranks), SUIT.findall(suits), strict=False)}
    return found


def shown_odds(shown: str) -> list[str]:
    """Return the notes with the odds, which end above the question."""
    lines = shown.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("discard "))
    end = next(number for number, line in enumerate(lines) if line.startswith("Best: "))
    return lines[start:end]


def test_on_a_small_terminal_each_row_of_the_odds_is_a_line_below_their_heading(program: Program) -> None:
    program.variables |= {"LINES": "50", "COLUMNS": "120"}  # of a window that has become smaller since
    table = DrawnTerminal(program, *PLAY, "--rounds", "1", size=(20, 60))
    table.until("Bob is dealt")
    table.type("bet 50", "Best: ")
    head, more, *rows = shown_odds(table.type("o", "o again shows all of them"))
    assert int(more.split()[1]) + len(rows) == 31, "at most four are thrown"
    assert head.split()[-1].endswith("+"), "the rarest hands share the last column"
    assert rows
    assert {len(row.split()) - len(re.findall(r"\b(?:10|[2-9TJQKA])[CDHS]\b", row)) for row in rows} == {
        len(head.split()) - 1
    }
    table.type("q")
    assert table.end() == 0


def test_a_game_is_played_quit_and_resumed_to_its_end(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY, "--rounds", "2")
    assert "Five-card draw" in table.until("Bob is dealt").splitlines()[0]
    assert "o odds" not in table.shown, "there are none before the draw"
    assert "nonsense" in table.type("nonsense", "I don't understand")
    assert "explain this moment" in table.type("?", ASIDE)
    table.type("bet 50", "'bet 50' was typed on the page before and not used: type it here.")
    assert "Ann bets 50" not in table.shown
    table.type("?", ASIDE)
    table.type("", "Bob is dealt", without="not used")
    table.type("h", "No round is over yet")
    table.type("u", "Nothing is picked")
    assert table.type("bet 50", "Bob calls 50").count("Ann bets 50") == 1
    assert "o odds" in table.shown
    head, more, *rows = shown_odds(table.type("o", "o again shows all of them"))
    assert head.startswith("discard ")
    assert rows
    assert int(more.split()[1]) + len(rows) == 31, "at most four are thrown; what is left out are the worst"
    table.press("1 3")
    while "Enter discards 2 cards" not in table.shown:
        table.look()
    assert sorted(MARKED.findall(table.shown)) == ["1", "3"]
    assert table.prompt == "> 1 3"
    table.press("u")
    assert not MARKED.search(table.until("type the numbers below"))
    table.press("\t")
    table.type("q")
    assert table.end() == 0
    assert "\n".join(table.left.split()).startswith("The\ngame\nis\nsaved.")
    assert table.settings() == table.before

    table = DrawnTerminal(program, "resume")
    table.until("Best: ")
    table.type("", "final betting")
    assert "Bob bets 50" in table.type("check", "Call 50")
    shown = table.type("call", "next round")
    assert re.search(r"Round 1 -- \w+ won \d+", shown), "what the round brought stands above the question"
    table.type("", "Round 2")
    table.type("fold", "Press Enter to leave the table")
    shown = table.type("h", "  Net: Ann")
    assert "Round 2 -- Bob won" in shown
    assert len(re.findall(r"(?m)^  Net: Ann [+-]\d+   Bob [+-]\d+$", shown)) == 2
    table.type("")
    assert table.end() == 0
    assert "Ann antes" not in table.left
    assert len(table.left.splitlines()) < 10, "a recap, not the history"
    assert "pokersvc review" in table.left
    recap = re.sub(r"\x1b\[[0-9;]*m", "", table.left)
    assert re.findall(r"(?m)^  (\w+) +\S+ +[+-]\d+$", recap) == ["Ann", "Bob"], "what all rounds brought"
    assert table.settings() == table.before


def test_what_is_picked_is_marked_on_the_table_without_colour_too(program: Program) -> None:
    program.variables["NO_COLOR"] = "1"
    table = DrawnTerminal(program, *PLAY, size=(24, 80))
    table.question()
    before = table.type("c", "type the numbers below") if "Check" in table.shown else table.type("bet 50", "below")
    table.press("2 5")
    while "Enter discards 2 cards" not in table.shown:
        table.look()
    number = next(line for line in table.lines if "×" in line)
    frames = [line.count("╭") for line in table.lines if "╭" in line]
    assert sorted(MARKED.findall(number)) == ["2", "5"]
    assert frames == [3, 2], "two cards lie a row lower"
    table.press("u")
    assert table.until("type the numbers below") == before
    table.type("q")
    assert table.end() == 0
    market = DrawnTerminal(program, "play", "--game=market", "--seed=demo", "--player=Ann=human")
    market.question()
    market.press("1 2.3")
    while "Enter offers" not in market.shown:
        market.look()
    assert len(re.findall(r"\[\S+\]", market.shown)) == 2
    market.press("u")
    market.until("u clear", without="Enter offers")
    market.type("q")
    assert market.end() == 0


def test_it_follows_the_size_of_its_window(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY, size=(40, 120))
    table.until("Bob is dealt")
    table.press("bet 5")
    table.resize(20, 60)
    table.press("0")
    table.press("\x7f\x7f\x7f\x7f\x7f\x7f")
    shown = table.until("q quit", "Bob is dealt")
    assert len(shown.splitlines()) <= 20
    assert table.lines[-1] == ">"
    table.type("fold", "next round")
    table.type("q")
    assert table.end() == 0


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        (lambda table: table.press("\x03"), 130, "pokersvc: Interrupted; the game is saved, resume with: "),
        (lambda table: table.press("\x04"), 1, "pokersvc: The input ended before the game did; resume with: "),
        (lambda table: table.program.process.send_signal(signal.SIGTERM), -signal.SIGTERM, ""),
    ],
    ids=["Ctrl-C", "end of input", "SIGTERM"],
)
def test_the_terminal_is_left_as_it_was_found(
    program: Program, how: Callable[[DrawnTerminal], None], code: int, said: str
) -> None:
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    how(table)
    assert table.end() == code
    assert " ".join(table.left.split()).startswith(said.strip())
    assert all(len(line) <= 80 for line in table.left.splitlines()), "no word is broken at the edge"
    assert table.settings() == table.before
    assert not cards(table.raw.partition(ENTER)[0] + table.left)


def test_a_program_that_was_stopped_draws_the_table_again(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    table.program.process.send_signal(signal.SIGTSTP)  # which stops nothing where no shell could continue it
    table.until("Bob is dealt")
    while f"{LEAVE}{ENTER}" not in table.raw:
        table.type("nonsense", "I don't understand")
    table.type("fold", "next round")
    table.type("q")
    assert table.end() == 0


def test_two_people_never_see_each_others_cards(program: Program) -> None:
    table = DrawnTerminal(program, "play", "--player", "Ann=human", "--player", "Bob=human", "--seed", "demo")
    assert not cards(table.until("Ann, it is your turn"))
    anns = cards(table.type("", "or fold"))
    assert len(anns) == 5
    called = table.type("bet 50", "Bob, it is your turn")
    assert not cards(called)
    assert "Ann bets 50" in called
    bobs = cards(table.type("", "all"))
    assert len(bobs) == 5
    assert not anns & bobs
    table.press("\x1b[A")
    assert "bet 50" not in table.prompt, "what others typed is not in one's history"
    table.press("\x03")
    assert table.end() == 130
    assert not cards(table.left)
    table = DrawnTerminal(program, "resume")
    assert not cards(table.until("Bob, it is your turn"))
    table.type("q")
    assert table.end() == 0


@pytest.mark.slow
def test_colours_are_there_unless_they_are_not_wanted_and_plain_has_no_code_at_all(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    table.type("q")
    assert table.end() == 0
    assert COLOUR.search(table.raw)
    program.variables["NO_COLOR"] = "1"
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    table.type("q")
    assert table.end() == 0
    assert not COLOUR.search(table.raw)
    assert "\x1b[0;1m" in table.raw, "what is bold stays bold"
    plain = program.terminal(*PLAY, "--plain", term="xterm-256color")
    for answer in ("?", "h", "l", "u", "bet 50", "o", "", "check", "q"):
        plain.question()
        plain.type(answer)
    assert plain.end() == 0
    assert "\x1b" not in plain.seen
    for said in ("explain this moment", "No round is over yet.", "Nothing is picked.", "Ann is dealt"):
        assert said in plain.seen
    piped = program.run(*PLAY, typed=lines_of("?", "l", "fold", "h", "q"))
    assert "\x1b" not in piped
    assert "Round 1 -- Bob won" in piped


def test_what_does_not_fit_goes_through_the_pager(program: Program) -> None:
    paged = program.home / "paged"
    program.variables["PAGER"] = f"tee {paged}"
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    log = table.type("l", "\n  head ")
    assert "Ann is dealt" in log
    assert not re.search("[0-9a-f]{32}", log), "a head in short, as people compare it"
    assert not paged.exists(), "what fits stands beside the question"
    table.type("bet 50", "Best: ")
    table.type("o", "o again shows all of them")
    table.type("o")
    while "Press Enter to go back to the table" not in table.raw:
        table.look()
    assert len(paged.read_text().splitlines()) > 24
    table.press("1 3 5\r")
    table.until("Best: ", "Bob calls 50")
    table.type("q")
    assert table.end() == 0
    assert "discards" not in program.read("replay", "last"), "what was typed beside the table was no discard"


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("less") is None and "POKERSVC_TEST_SHELLS" not in os.environ,
    reason="this machine has no less; .ci/shells installs it, and then it must be there",
)
@pytest.mark.parametrize("theirs", [None, "-R -M"])
def test_less_says_how_to_come_back_and_what_is_typed_there_is_no_choice(program: Program, theirs: str | None) -> None:
    program.variables |= {"PAGER": "less"} | ({} if theirs is None else {"LESS": theirs})
    table = DrawnTerminal(program, *PLAY)
    table.until("Bob is dealt")
    table.type("bet 50", "Best: ")
    table.type("o", "o again shows all of them")
    table.type("o")
    while not table.prompt.endswith("q: back to the table"):
        table.look()
    time.sleep(0.6)  # a pager that waits for a person takes longer than one that ends by itself
    table.press("q\r\r")
    table.until("Best: ", "Bob calls 50")
    table.type("1", "final betting")
    table.type("q")
    assert table.end() == 0
    assert "Ann discards 1 card" in program.read("replay", "last")


def test_an_enter_typed_ahead_never_shows_the_next_persons_cards(program: Program) -> None:
    table = DrawnTerminal(program, "play", "--player", "Ann=human", "--player", "Bob=human", "--seed", "demo")
    table.until("Ann, it is your turn")
    table.type("", "or fold")
    table.press("bet 50\r\r\r")
    assert not cards(table.until("Bob, it is your turn"))
    assert not cards(table.until("Bob, it is your turn"))
    table.press("\x03")
    assert table.end() == 130


def test_an_error_in_a_games_drawing_gives_the_terminal_back(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY, run="tests.cli.odd_runs:draws_wrong")
    assert table.end() == 1
    assert "ZeroDivisionError" in table.left
    assert table.settings() == table.before


@pytest.mark.slow
def test_news_of_others_draw_the_table_again_and_keep_what_is_typed(program: Program) -> None:
    table = DrawnTerminal(program, *PLAY, run="tests.cli.odd_runs:gets_news")
    table.question()
    table.press("bet 5")
    table.question()
    assert table.prompt == "> bet 5"
    table.type("0", "Bob calls 50")
    table.type("q")
    assert table.end() == 0


def test_the_line_is_completed_and_remembered(program: Program) -> None:
    table = DrawnTerminal(program, "play", "--game", "kalah", "--seed", "demo")
    table.question()
    table.press("\t")
    table.press("\t\x15")
    table.type("nonsense", "nonsense'")
    table.press("\x1b[A\x7f\x7f\x7f")
    table.type("", "nonse'")
    table.type("q")
    assert table.end() == 0


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (("--game", "kalah", "--holes", "2", "--beans", "2"), ("1", "2")),
        (("--game", "market", "--players", "3", "--rounds", "2"), ("pass", "no", "")),
        pytest.param(
            ("--rules", "no-limit", "--players", "3", "--rounds", "3"), ("call", "check", ""), marks=pytest.mark.slow
        ),
    ],
    ids=["a board", "open cards", "hidden cards"],
)
def test_a_game_of_each_kind_is_played_whole(
    program: Program, arguments: tuple[str, ...], answers: tuple[str, ...]
) -> None:
    table = DrawnTerminal(program, "play", *arguments, "--seed", "demo")
    shown, tried = table.question(), 0
    while "Press Enter to leave the table" not in shown:
        table.type(answers[tried % len(answers)])
        after = table.question()
        tried, shown = (0 if after != shown and "You can" not in after else tried + 1), after
        assert max(map(len, table.lines)) <= 80
        assert tried < 9
    table.type("")
    assert table.end() == 0
    assert "\x1b[1mYou" in table.left or "Player2" in table.left
    assert program.run("games", "--finished").count("\n") == 1


@pytest.mark.slow
def test_who_is_out_watches_skips_or_stops(program: Program) -> None:
    others = ("--player", "Bob=steady", "--player", "Cy=steady", "--seed", "demo", "--rounds", "4")
    table = DrawnTerminal(program, "play", "--player", "Ann=human", *others)
    table.until("Ann")
    table.type("fold", "next round")
    table.type("leave", "Ann is out of this game", "skip to the end")
    table.type("w")
    table.until("Watching", "Round 2 starts")
    table.press("q")
    assert table.end() == 0
    assert "The game is saved" in table.left
    table = DrawnTerminal(program, "resume")
    table.until("skip to the end")
    table.type("s", "Press Enter to leave the table")
    table.type("")
    assert table.end() == 0


@pytest.mark.slow
def test_only_a_drawn_table_imports_what_draws(program: Program) -> None:
    script = (
        "import atexit, sys; from pokersvc.cli.main import run;"
        " atexit.register(lambda: print('drawn by it:', 'prompt_toolkit' in sys.modules, flush=True)); run()"
    )
    place = {"env": {**program.environment, "TERM": "xterm-256color"}, "cwd": str(program.home), "timeout": TIMEOUT}
    for options, imported in ((("--plain",), "False"), ((), "True")):
        table = pexpect.spawn(sys.executable, ["-c", script, *PLAY, *options], encoding="utf-8", **place)
        table.expect("or fold")
        table.send("q\r")
        table.expect(r"drawn by it: (\w+)")
        assert table.match.group(1) == imported
        table.close()


def test_a_table_that_shuffles_together_is_drawn_and_opens_its_hands_at_the_end(program: Program) -> None:
    table = DrawnTerminal(
        program,
        "play",
        "--rules=rising-ante",
        "--dealing=together",
        "--player=Ann=human",
        "--player=Bob=steady",
        "--rounds=1",
    )  # fmt: skip
    while "it is not shown:" not in table.raw:
        table.look()
    table.program.wait_until_typing_is_hidden()
    table.press("seven swans, 1987\r")
    shown = table.until("or fold", "Bob is dealt 5 cards")
    assert len(cards(shown)) == 5
    table.type("f", "Press Enter to leave the table", "Bob wins with")
    bob = next(line for line in table.lines if line.startswith("  Bob"))
    assert len(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠][CDHS]", bob)) == 5, "what was hidden is opened"
    assert "seven swans" not in table.raw
    table.type("")
    assert table.end() == 0


def test_at_the_end_of_a_cash_game_each_net_is_told_once(program: Program) -> None:
    table = DrawnTerminal(
        program, "play", "--cash", "--rules=no-limit", "--player=Ann=human", "--player=Bob=steady", "--rounds=1"
    )
    table.until("f fold")
    table.press("f\r")
    table.until("Bob won")
    table.press("\r")
    assert table.end() == 0
    found = re.search(r"^  Ann +(\S+)\n  Bob +(\S+)$", table.left, re.MULTILINE)
    assert found, table.left
    assert found[1] == f"-{found[2]}"


def test_people_come_and_go_at_the_drawn_table_of_a_cash_game(program: Program) -> None:
    cash = ("--rules=no-limit", "--cash", "--rake=25%", "--rake-cap=1", "--stack=Ann=50", "--seed=cash")
    table = DrawnTerminal(program, "play", *cash, "--player=Ann=human", "--player=Bob=minimum", "--player=Cy=minimum")
    table.until("SB", "BB")
    shown = table.type("fold", "Press Enter for the next round", "buy 150 (1 to 150)")
    assert "may type" not in shown, "what may be typed stands below the question"
    table.type("buy 500", "Ann cannot bring 500")
    assert "$110" in table.type("buy 60", "Ann buys 60")
    assert "sits out" in table.type("sit out", "Ann sits out")
    table.type("sit in", "Ann plays again")
    table.type("leave", "Ann gets up with 110", "press Enter to watch the next round")
    table.type("", "Watching", "skip to the end of the round")
    table.type("q")
    assert table.end() == 0
