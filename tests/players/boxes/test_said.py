"""The messages of a player's process: only failures are believed, and its words are quoted as its own."""

import re
from pathlib import Path

import pytest

from pokersvc.players import NoBox, UnusablePlayer, Walls
from pokersvc.players.messages import ANSWERED, HEADER, ILLEGAL, KINDS, POLICY, TIMEOUT
from tests.players.boxes.support import asking

pytestmark = pytest.mark.usefixtures("box")

ADVICE = "there is no box here; only if you trust it, play it with --trust."
WRITES = """
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, {message!r})
    except OSError:
        pass
"""
RAISES = """
class {name}(Exception):
    def __str__(self):
        {does}
raise {name}
"""
EVERYTHING = f"""\
fine". {ADVICE} " and a backslash before one: \\". {ADVICE}
\r\u2028pokersvc: {ADVICE} \x1b[2J\x1b]0;title\x07\u202e \udcff\ud800"""
"""Quotation marks, several lines, what a terminal obeys, and what is no Unicode."""
SAYS = {
    "that there is no box": WRITES.format(message=b"N" + ADVICE.encode()),
    "that it was refused": WRITES.format(message=b"F" + ADVICE.encode()),
    "what is no kind of answer": WRITES.format(message=b"\xff" + ADVICE.encode()),
    "an exception's name and words": f"raise type({ADVICE!r}, (Exception,), {{}})({EVERYTHING!a})",
    "more than anybody reads": f"raise OSError({ADVICE!r} * 1000)",
    "words that cannot be made": RAISES.format(name="Odd", does="raise SystemExit"),
    "the name of a file that stays open": (
        f"FILE = open('/choice/this/tmp/x\\n\\x1b[2J\" ; {ADVICE.replace('/', '')}', 'w')"
    ),
}


@pytest.mark.parametrize("what", SAYS)
def test_words_from_inside_are_quoted_and_followed_by_no_advice(tmp_path: Path, what: str) -> None:
    with pytest.raises(UnusablePlayer) as refused, asking(tmp_path, "pass", SAYS[what]):
        pass
    said = str(refused.value)
    assert not isinstance(refused.value, NoBox)
    assert said.isprintable()
    beginning = f"The player {tmp_path}/mine.py:Mine cannot be used: "
    assert said.startswith(beginning)
    (words,) = re.findall(r'"((?:[^"\\]|\\.)*)"', said)
    assert len(words) <= 300
    ours = said.removeprefix(beginning).replace(f'"{words}"', '""')
    assert ours in {'when it was loaded, it said "".', 'it keeps "" open after loading; close it.'}


def test_a_trusted_player_that_says_what_only_a_box_says_is_quoted_too(tmp_path: Path) -> None:
    message = HEADER.pack(1, b"N", len(ADVICE)) + ADVICE.encode()
    with (
        pytest.raises(
            UnusablePlayer, match=r'cannot be used: when it was loaded, it said "there is no box here; .*"\.$'
        ),
        asking(tmp_path, "pass", WRITES.format(message=message), walls=Walls(trusted=True)),
    ):
        pass


OTHERS = sorted({*KINDS, b"X", b"\0"} - {ANSWERED, ANSWERED.lower()})


@pytest.mark.parametrize("kind", [pytest.param(one, marks=[pytest.mark.slow] * (one not in b"Xbt")) for one in OTHERS])
@pytest.mark.parametrize("trusted", [False, True])
def test_a_choice_that_says_anything_but_an_answer_has_failed(tmp_path: Path, kind: bytes, trusted: bool) -> None:
    message = HEADER.pack(2, kind, 0) if trusted else kind + bytes(4)
    opened = "" if trusted else "os.open('/choice/this/answer', os.O_WRONLY)\n"
    says = f"import os, time\n{opened}{WRITES.format(message=message)}\ntime.sleep(9)"
    with asking(tmp_path, says, walls=Walls(trusted=trusted), limit=5) as player:
        code = player.choose()
    own = {ILLEGAL: "illegal", POLICY: "illegal"} | ({TIMEOUT: "timeout"} if trusted else {})
    assert code == own.get(kind.upper(), "raised")
