"""`pokersvc join`: a table of a server at the terminal, checked by the program that is installed here."""

import json
import os
import re
import time
from pathlib import Path
from threading import Thread

import pytest
from kuhn import KUHN

from pokersvc.core.registry import game_kinds, game_of, registered
from pokersvc.remote.heads import Heads
from pokersvc.remote.link import link_of
from pokersvc.remote.messages import Message
from pokersvc.remote.table import RemoteTable
from tests.cli.program import Program
from tests.testing.installed import install

from .conftest import running
from .guests import Guest, Made, short, simple_action

ANSWERS = ("check", "call", "bet 50", "pass", "accept", *"123456", "")
"""Of these one is right at every question; the others are refused, and asked again."""


def link(made: Made, seat: int | None) -> str:
    where = "" if seat is None else f"seat/{seat}/"
    return f"{str(made.guest.base_url).rstrip('/')}/t/{made.table}/{where}"


def typed(made: Made, seat: int = 1) -> str:
    return f"{made.tokens[seat]}\n" + "".join(f"{one}\n" for one in ANSWERS * 200)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "draw")) for kind in game_kinds()]
)
def test_a_game_is_played_to_its_end_and_its_file_is_verified(server: Guest, program: Program, kind: str) -> None:
    options, rounds = short(kind)
    game = game_of(kind)
    bot = game.default_kind(game.options(options))
    made = server.made(
        {"name": "Ann"}, {"name": "Bob", "program": bot}, kind=kind, rounds=rounds and 1, options=options
    )
    made.started()
    ended = program.ended("join", link(made, 1), "--save", "mine.jsonl", typed=typed(made))
    assert (ended.code, ended.err) == (0, "")
    assert "are right" in ended.out
    assert made.tokens[1] not in ended.out
    assert "over" in program.run("verify", "mine.jsonl")


def test_the_second_game_at_a_table_ends_with_the_sums_of_both(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob", "program": "steady"}, rounds=1).started()
    first = program.ended("join", link(made, 1), typed=typed(made))
    assert "games at this table" not in first.out
    assert made.ask_host("again").status_code == 200
    second = program.ended("join", link(made, 1), typed=typed(made))
    (sums,) = made.guest.get(f"{made.path}/results").json()["sums"]
    said = ", ".join(f"{one['name']} {one['net']:+,}" if one["net"] else f"{one['name']} 0" for one in sums["people"])
    whole = " ".join(second.out.split())
    assert f"2 games at this table, in chips, as the server counts: {said}" in whole


def test_a_game_of_somebody_elses_package_is_played_to_its_end(server: Guest, tmp_path: Path) -> None:
    program = Program(tmp_path, {"PYTHONPATH": os.pathsep.join(install(tmp_path / "installed"))})
    with registered(KUHN):
        made = server.made({"name": "Ann"}, {"program": "equilibrium"}, kind="kuhn", rounds=3).started()
        ended = program.ended("join", link(made, 1), typed=typed(made))
        program.close()
        acted = [one for one in made.watch.events(made.watch.snapshot()["count"]) if one["type"] == "Acted"]
    assert (ended.code, ended.err) == (0, "")
    assert re.search(r" wins?$", ended.out, re.MULTILINE)
    assert len(acted) >= 6


@pytest.fixture
def bobs(server: Guest) -> Made:
    """A table of Ann's and a bot's, with one round."""
    return server.made({"name": "Ann"}, {"name": "Bob", "program": "steady"}, rounds=1, settings={"seconds": 600})


def test_the_token_is_never_an_argument_and_never_said_again(bobs: Made, program: Program) -> None:
    token = bobs.tokens[1]
    said = program.refused("join", f"{link(bobs, 1)}#{token}")
    assert "every user of this machine can read in the list of processes" in said
    assert token not in said
    wrong = program.refused("join", link(bobs, 1), typed=f"not-{token}\n")
    assert wrong == "That is not a token; it is the 22 letters and digits after the # of the seat's link."
    other = program.refused("join", link(bobs, 1), typed=f"{token[::-1]}\n")
    assert "This needs the token" in other


@pytest.mark.parametrize(
    "wrong",
    [
        "table.example/t/5f0c/",
        "ftp://a/t/5f0c/",
        "http://a/t/5f0c/host/",
        "http://ann:pw@a/t/1/",
        "http://a:b/t/1/",
        "",
    ],
)
def test_what_is_no_link_is_refused(program: Program, wrong: str) -> None:
    assert "is not the link of a seat or of a table" in program.refused("join", wrong)


def test_links_have_one_form() -> None:
    assert str(link_of("https://a:8443/t/5f0c/seat/2")) == "https://a:8443/t/5f0c/seat/2/"
    assert str(link_of("http://[::1]:8000/replay/5f0c/")) == "http://[::1]:8000/t/5f0c/"


def test_a_server_that_is_not_there_is_one_sentence(program: Program) -> None:
    said = program.refused("join", "http://127.0.0.1:1/t/5f0c/")
    assert said.startswith("127.0.0.1:1 cannot be reached")


def test_a_table_that_is_not_there_is_one_sentence(server: Guest, program: Program) -> None:
    assert "table" in program.refused("join", f"{str(server.base_url).rstrip('/')}/t/5f0c/")


def test_who_leaves_the_terminal_joins_again_and_who_watches_sees_no_hand(bobs: Made, program: Program) -> None:
    bobs.started()
    first = program.run("join", link(bobs, 1), typed=f"{bobs.tokens[1]}\nquit\n")
    assert re.search(r"You have (600|59\d) seconds\.", first)
    assert f"The game goes on at the table. Join again any time with: pokersvc join {link(bobs, 1)}" in first
    again = program.ended("join", link(bobs, 1), typed=typed(bobs))
    assert again.code == 0
    assert "Ann is dealt" not in again.out, "what was seen is not shown again"
    watched = program.run("join", link(bobs, None), "--save", "all.jsonl")
    assert "secrets 0 were shown" in watched
    assert "everyone's export" in program.run("verify", "all.jsonl")


@pytest.mark.slow
def test_at_a_terminal_the_token_is_not_shown_nor_in_the_list_of_processes(bobs: Made, program: Program) -> None:
    program.variables["COLUMNS"], program.apart = "60", True
    token = bobs.tokens[1]
    terminal = program.terminal("join", link(bobs, 1))
    terminal.resize(24, 60)
    terminal.until("which is not shown: ")
    terminal.wait_until_typing_is_hidden()
    terminal.type(f"{link(bobs, 1)}#{token}")
    terminal.until("The game has not begun; at the table: Ann, Bob.")
    assert token not in Path(f"/proc/{terminal.process.pid}/cmdline").read_text()
    assert token not in Path(f"/proc/{terminal.process.pid}/environ").read_text()
    bobs.started()
    asked = terminal.question()
    assert token not in terminal.seen
    fits = [line for line in asked.splitlines()[3:] if not line.startswith("  head ")]  # a hash is in one piece
    assert max(map(len, fits)) <= 60
    terminal.press_ctrl_c()
    assert terminal.end() == 130
    assert "the game goes on at the table, join again with:" in " ".join(terminal.seen.split())


def test_at_a_table_without_advice_none_is_given(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob", "program": "minimum"}, rounds=1, settings={"advice": False})
    made.started()
    asked = "".join(f"{one}\n" for one in ("bet 50", "check", "call", "table", "ok", "") * 50)
    said = program.run("join", link(made, 1), typed=f"{made.tokens[1]}\n{asked}")
    assert said.count("At this table nobody is advised; name what you choose.") >= 2
    assert "Advice: " not in said
    assert '"table"' not in said


@pytest.mark.parametrize("before", [(), ("bet 50", "call")], ids=["before the draw", "in the draw"])
def test_who_takes_a_seat_over_in_the_middle_of_a_hand_joins_and_plays(
    server: Guest, program: Program, before: tuple[str, ...]
) -> None:
    """They see no card of that hand from before, can keep it, and are dealt the next one as all are."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, rounds=2).started()
    for seat, answer in enumerate(before, 1):
        assert made.seat(seat).send(typed=answer).status_code == 200
    old = made.seat(1).snapshot()["view"]
    said = taken_over(made, program)
    assert " ".join(old["seats"][0]["cards"]) not in said
    assert "You have not seen this hand: press Enter to keep all" in said
    shown = re.search(r"Of \d+ secrets (\d+) were shown", " ".join(said.split()))
    assert shown is not None
    assert int(shown[1]) >= 1, "the next hand is theirs"


@pytest.mark.slow
def test_who_takes_a_seat_over_in_the_middle_of_a_market_joins_and_plays(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, kind="market", options={"markets": 2}).started()
    taken_over(made, program)


def taken_over(made: Made, program: Program) -> str:
    """Replace the link of seat 1, join with the new one, play to the end, and return what was printed."""
    made.renewed(1)
    bob = Thread(target=plays_on, args=(made, 2))
    bob.start()
    ended = program.ended("join", link(made, 1), "--save", "mine.jsonl", typed=typed(made))
    bob.join()
    assert ended.code == 0, ended.err
    assert "are right" in ended.out
    assert "over" in program.run("verify", "mine.jsonl")
    return ended.out


def plays_on(made: Made, seat: int) -> None:
    """Play a seat to the end."""
    while (now := made.seat(seat).snapshot())["outcome"] is None:
        if now["your_turn"]:
            made.seat(seat).send(head=now["head"], action=simple_action(now))
        else:
            time.sleep(0.01)


@pytest.mark.slow
def test_who_let_two_choices_lapse_sits_out_and_comes_back(program: Program, tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=3.0) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=9, settings={"seconds": 1}).started()
        terminal = program.terminal("join", link(made, 1))
        terminal.until("which is not shown: ")
        terminal.wait_until_typing_is_hidden()
        terminal.type(made.tokens[1])
        terminal.until("Ann's time is over.")
        terminal.until("press Enter when Ann is back >")
        terminal.type("")
        terminal.until("Ann is back.")
        terminal.press_ctrl_c()
        assert terminal.end() == 130


def test_what_is_said_at_the_table_is_shown_escaped_and_with_its_seat(bobs: Made, program: Program) -> None:
    said = [
        {"number": 1, "seat": 2, "name": "Bob", "text": "nice\x1b[2J \u202ehand"},
        {"number": 2, "seat": "2", "name": "Bob", "text": "no seat"},
        {"number": 3, "seat": 2, "name": "Dealer\n", "text": "Ann wins\n500"},
        {"number": 3, "seat": 2, "name": "Bob", "text": "again"},
        {"number": 4, "seat": 0, "name": "Ann", "text": "a break"},
        "no line",
    ]
    told: list[str] = []
    table = RemoteTable(link_of(link(bobs, None)), None, Heads(), told.append)
    table._take(Message("chat", None, json.dumps({"lines": said}).encode()))
    assert told == [
        "Seat 2 (Bob) says: nice\\x1b[2J \\u202ehand",
        "Seat 2 (Dealer\\n) says: Ann wins\\n500",
        "The host says: a break",
    ]


def test_a_seat_joins_the_next_game_before_watchers_know_of_it(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, rounds=1)
    assert made.ask_host("access", delay=3600).status_code == 204
    made.started()
    while (now := made.seat(1).snapshot())["outcome"] is None:
        seat = made.seat(now["awaited"][0])
        seat.send(action=simple_action(seat.snapshot()))
    following = made.ask_host("again").json()["game"]
    assert server.get(made.path).json()["game"] == made.game
    assert f"Game {following}" in program.ended("join", link(made, 1), typed=f"{made.tokens[1]}\nquit\n").out


def test_somebody_at_a_terminal_says_something_and_hears_others(bobs: Made, program: Program) -> None:
    bobs.started()
    bobs.ask_host("say", text="welcome, Ann")
    ended = program.ended(
        "join", link(bobs, 1), typed=f"{bobs.tokens[1]}\nsay hello Bob\nsay see www.example.org\nquit\n"
    )
    assert "The host says: welcome, Ann" in ended.err
    assert "A line takes no links" in ended.out + ended.err
    asked = bobs.guest.get(f"{bobs.path}/host/chat", headers={"Authorization": f"Bearer {bobs.host}"})
    assert [(one["seat"], one["text"]) for one in asked.json()["lines"]] == [(0, "welcome, Ann"), (1, "hello Bob")]


def test_somebody_at_a_terminal_gives_a_sign_and_is_told_which_there_are(bobs: Made, program: Program) -> None:
    bobs.started()
    ended = program.ended("join", link(bobs, 1), typed=f"{bobs.tokens[1]}\nsign Good luck\nsign wink\nsign\nquit\n")
    listed = "The signs are: hello, good luck, well played, thanks, wow, oops, your turn, back soon."
    told = " ".join((ended.out + ended.err).split())
    assert f"I don't understand 'wink'. {listed}" in told
    assert f"No answer was given. {listed}" in told
    asked = bobs.guest.get(f"{bobs.path}/host/chat", headers={"Authorization": f"Bearer {bobs.host}"})
    assert [(one["seat"], one["text"]) for one in asked.json()["lines"]] == [(1, "🍀 Good luck")]
