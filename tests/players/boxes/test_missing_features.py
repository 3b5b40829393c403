"""If the kernel lacks or forbids a required feature, there is no box, and one sentence names the feature.

A filter of system calls stands for such a kernel: it answers one call with an error, and allows all others.
"""

import json
import os
import subprocess
import sys
from errno import ENOSYS, EPERM
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Ended, Program, the_sentence
from tests.players.boxes.support import CHECKS, player_file, why_no_box

pytestmark = pytest.mark.usefixtures("box")

FEATURES = {
    "landlock_create_ruleset": (444, "Landlock"),
    "landlock_add_rule": (445, "Landlock"),
    "landlock_restrict_self": (446, "Landlock"),
    "mount_setattr": (442, "mount_setattr"),
    "unshare": (272, "namespaces"),
    "pidfd_open": (434, "pidfd_open"),
    "seccomp": (317, "seccomp"),
    "ptrace": (101, "ptrace"),
}
"""A system call, its number, and the name of the feature in the message."""
ERRORS = {"ENOSYS": ENOSYS, "EPERM": EPERM}
"""The errors of a kernel that lacks the call, and of one that forbids it."""

KIND = "mine.py:Mine"
PLAY = ["play", "--auto", "--player", f"Bot={KIND}", "--player", "B=minimum", "--rounds", "1"]
BEGINS = f"The player {KIND} cannot be kept in a box here: "
ENDS = "; only if you trust it, play it with --trust."
ROOT = Path(__file__).parents[3]

FILTER = """
from pokersvc.players.box.seccomp import install

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x50000
NUMBER, PROCESSOR, X86_64 = 0, 4, 0xC000003E


def answer(call, error):
    install([
        (LOAD, 0, 0, PROCESSOR), (EQUAL, 0, 3, X86_64),
        (LOAD, 0, 0, NUMBER), (EQUAL, 0, 1, call), (RETURN, 0, 0, ERROR | error),
        (RETURN, 0, 0, ALLOW),
    ])
"""

# Each case is a process forked from one that has imported everything. It adopts, and so sees, what a box leaves behind.
ASK = f"""{FILTER}
import ctypes, json, os, sys, time, traceback
from pathlib import Path
from pokersvc.core.registry import game_of
from pokersvc.errors import PokersvcError
from pokersvc.players import Programs

ADOPT = 36


def left_running():
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.01)
        except ChildProcessError:
            return []
    return Path(f"/proc/self/task/{{os.getpid()}}/children").read_text().split()


def case(call, error):
    log = Path(f"{{call}}-{{error}}")
    os.environ["POKERSVC_PLAYER_LOG"] = str(log)
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    answer(call, error)
    kind = sentence = None
    try:
        with Programs() as programs:
            programs.find(game_of("draw"), "{KIND}")
    except PokersvcError as refused:
        kind, sentence = type(refused).__name__, str(refused)
    return {{"kind": kind, "sentence": sentence, "printed": log.read_text(), "left": left_running()}}


for call, error in json.load(sys.stdin):
    if not os.fork():
        try:
            print(json.dumps(case(call, error)), flush=True)
        except BaseException:
            print(json.dumps({{"kind": "a traceback", "sentence": traceback.format_exc()}}), flush=True)
        os._exit(0)
    os.wait()
"""

RUN = f"""{FILTER}
import os, sys
answer(int(sys.argv[1]), int(sys.argv[2]))
os.execv(sys.executable, [sys.executable, "-W", "error", "-m", "pokersvc", *sys.argv[3:]])
"""


def run(home: Path, source: str, *arguments: object, typed: str = "") -> Ended:
    """Run a program in a folder with a player's file."""
    (home / "mine.py").write_text(player_file("pass", answers=CHECKS))
    environment = Program(home, {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}).environment
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source, *map(str, arguments)],
        input=typed, capture_output=True, text=True, cwd=home, env=environment, timeout=240,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """The messages in each case, and what was left of the box."""
    if why_no_box() is not None:
        return {}
    cases = {(name, error): (FEATURES[name][0], ERRORS[error]) for name in FEATURES for error in ERRORS}
    ended = run(tmp_path_factory.mktemp("home"), ASK, typed=json.dumps([*cases.values()]))
    assert (ended.code, ended.err) == (0, "")
    return dict(zip(cases, map(json.loads, ended.out.splitlines()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", FEATURES)
def test_where_a_feature_is_missing_one_sentence_names_it(
    said: dict[tuple[str, str], dict[str, Any]], name: str, error: str
) -> None:
    found = said[name, error]
    assert found["kind"] == "NoBox", found
    assert found["sentence"].startswith(BEGINS)
    assert found["sentence"].endswith(ENDS)
    assert FEATURES[name][1] in found["sentence"]
    assert "[Errno" not in found["sentence"], "the words of the system, not its number"
    assert found["printed"] == "", "no traceback, nor anything else"
    assert found["left"] == [], "nothing that was started still runs"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "error"), [("landlock_create_ruleset", "ENOSYS"), ("unshare", "EPERM")])
def test_where_a_feature_is_missing_the_program_ends_with_that_sentence(tmp_path: Path, name: str, error: str) -> None:
    """One that the system lacks and one that it forbids: the program ends alike with each sentence from above."""
    number, feature = FEATURES[name]
    ended = run(tmp_path, RUN, number, ERRORS[error], *PLAY)
    sentence = the_sentence(ended, 1)
    assert ended.out == ""
    assert sentence.startswith(BEGINS)
    assert sentence.endswith(ENDS)
    assert feature in sentence


@pytest.mark.slow
def test_the_filter_answers_one_call_alone(tmp_path: Path) -> None:
    """If it answers a call that no box needs, a box can be made."""
    never_made = 169  # reboot
    assert run(tmp_path, RUN, never_made, EPERM, *PLAY).code == 0
