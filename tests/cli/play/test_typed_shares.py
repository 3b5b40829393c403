"""`pokersvc play --dealing together`: people at the dealer's own machine, each of whom types a share."""

import re
import signal
from hashlib import sha256

import pytest

from tests.cli.program import Program, Terminal, minimum

PLAY = ("play", "--rules", "rising-ante", "--dealing", "together", "--player", "Ann=human", "--player", "Bob=steady")
TEXT = "seven swans, 1987"


def typed(terminal: Terminal, name: str, text: str = TEXT) -> str:
    said = terminal.until(f"{name}, type something that nobody guesses; it is not shown: ")
    terminal.wait_until_typing_is_hidden()
    terminal.type(text)
    return said


def words(seen: str) -> str:
    return " ".join(seen.split())


def round_(terminal: Terminal) -> None:
    """Play until the next round."""
    while "Press Enter" not in (asked := terminal.question().splitlines()[-1]):
        terminal.type("" if "discard" in asked.lower() else minimum(asked))


def play_until_typed(terminal: Terminal, *texts: str) -> None:
    """Play until everybody has typed a share again, and somebody is asked for an action."""
    left = list(texts)
    for _ in range(100):
        found = terminal.first_of("can see the screen ", "it is not shown: ", " > ")
        if found == 0:
            terminal.type("")
        elif found == 1:
            terminal.wait_until_typing_is_hidden()
            terminal.type(left.pop(0))
        elif left:
            asked = terminal.seen.splitlines()[-1]
            terminal.type("" if "iscard" in asked or asked.startswith("Press Enter") else minimum(asked))
        else:
            return
    raise AssertionError(f"after 100 answers {left} is still to be typed: {terminal.seen[-500:]}")


@pytest.mark.slow
def test_a_game_is_shuffled_from_what_a_person_typed(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--rounds", "1")
    asked = words(typed(terminal, "Ann"))
    (head,) = re.findall(r"note this head before anybody types, ([0-9a-f]{64})", asked)
    while "see how" not in terminal.seen:
        if terminal.first_of(" > ", "see how") == 0:
            question = terminal.seen.splitlines()[-1]
            terminal.type("" if "iscard" in question else minimum(question))
    assert terminal.end() == 0
    assert TEXT not in terminal.seen
    said = words(terminal.seen)
    assert "this machine can compute every deck" in said
    assert "It is proof only for that person, and only if they noted the head." in said
    events = program.facts()
    stored = program.json("events", "last")
    assert head == stored[2]["hash"], "the head up to the settings, before anybody was bound"
    (bound,) = [event["payload"] for event in events if event["type"] == "SeatBound"]
    start, seat = bytes.fromhex(stored[0]["hash"]), bound["seat"]

    def field(part: bytes) -> bytes:
        return len(part).to_bytes(8, "big") + part

    link = sha256(field(b"pokersvc/typed/1") + field(start) + seat.to_bytes(8, "big") + field(TEXT.encode())).digest()
    for _ in range(bound["length"]):
        link = sha256(field(b"pokersvc/share/1") + field(start) + seat.to_bytes(8, "big") + field(link)).digest()
    assert link.hex() == bound["tip"], "nothing from the machine is in the chain"
    assert program.ended("audit").code == 0
    program.run("export", "last", "-o", "game.jsonl")
    verified = words(program.run("verify", "game.jsonl", "--head", head))
    assert "Shuffled together by Ann in round 1. No share was missed. The dealer's secret is open" in verified


def test_what_is_typed_is_gone_with_the_program_and_is_replaced_when_it_resumes(program: Program) -> None:
    terminal = program.terminal(*PLAY, "--rounds", "3")
    typed(terminal, "Ann")
    round_(terminal)
    terminal.type("quit")
    assert terminal.end() == 0
    again = program.terminal("resume", "last")
    again.question()
    again.type("")
    said = words(typed(again, "Ann"))
    assert "recorded as its replacement" in said
    assert "its shares are known" in words(typed(again, "Ann", "another text"))
    again.question()
    again.type("quit")
    assert again.end() == 0
    events = [event for event in program.facts() if event["type"] in ("SeatBound", "SharesAwaited")]
    assert [event["type"] for event in events] == ["SeatBound", "SharesAwaited"] * 2
    assert program.ended("audit").code == 0


@pytest.mark.parametrize("opened", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_program_that_is_killed_before_its_shares_is_resumed(program: Program, opened: int) -> None:
    """The shares that it did not open went with it; they are missed, and everybody is back in the next round."""
    dying = f"tests.cli.play.dies_before_share:{('before_first', 'before_second')[opened]}"
    people = ("--player", "Ann=human", "--player", "Bob=human", "--player", "Cy=steady")
    terminal = program.terminal(
        "play", "--rules", "rising-ante", "--dealing", "together", *people, "--rounds", "3", run=dying
    )
    typed(terminal, "Ann")
    typed(terminal, "Bob", "another text")
    assert terminal.end() == -signal.SIGKILL
    shares = [event["type"] for event in program.facts() if event["type"].startswith("Share")]
    assert shares == ["SharesAwaited", *["ShareOpened"] * opened]
    again = program.terminal("resume", "last")
    if not opened:
        assert again.question().endswith("Press Enter for the next round > ")
        again.type("leave")
        again.until("Nobody can leave now; press Enter for the next round.")
    play_until_typed(again, "a third text", "and a fourth")
    assert "were lost with the program that ended" in words(again.seen)
    again.type("quit")
    assert again.end() == 0
    events = program.facts()
    assert [event["type"] for event in events].count("ShareMissed") == 2 - opened
    assert [event["payload"]["seats"] for event in events if event["type"] == "SharesAwaited"] == [[1, 2], [1, 2]]
    assert [event["payload"]["seat"] for event in events if event["type"] == "RoundForgone"] == [2] * opened
    assert program.ended("audit").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--seed", "x"),
            "A seed and dealing = 'together' exclude each other: whoever knows the seed knows every deck.",
        ),
        ((), "A table that shuffles together needs a terminal, at which each person types unseen."),
        (("--auto",), "A table that shuffles together needs a person: the bots' chance is the dealer's."),
        (("--game", "kalah"), "The game 'kalah' has no deck to shuffle together; leave dealing at 'dealer'."),
        (("--dealing", "all"), "dealing = 'all' is not valid; it must be 'dealer' or 'together'."),
    ],
)
def test_what_cannot_be_is_one_sentence_and_makes_no_database(
    program: Program, options: tuple[str, ...], said: str
) -> None:
    assert program.refused("play", "--dealing", "together", *options) == said
    assert not program.database.exists()
