"""Tournaments on the command line, for the tests of several files."""

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.cli.program import COMMAND, Program
from tests.forks import TIMEOUT

THREE = (
    "tournament",
    "--player",
    "Ann=steady",
    "--player",
    "Bob=minimum",
    "--player",
    "Cat=random",
    "--processes",
    "1",
    "--seed",
    "1",
)


FEW = (*THREE, "--deals", "3")


HIDDEN = (*THREE[:-2], "--deals", "3")
"""Without a seed, so that a random one is hidden until the end."""


def as_json(program: Program, *arguments: object) -> Any:
    return json.loads(data(program, *arguments, "--json"))


def data(program: Program, *arguments: object) -> str:
    """Return the standard output; check that standard error has at most the digest of the hidden seed."""
    ended = program.ended(*arguments)
    assert ended.code == 0, ended
    assert re.fullmatch("" if "--seed" in arguments else r"Seed digest: [0-9a-f]{64}\n", ended.err)
    return ended.out


def digest_and_seed(said: str) -> tuple[str, str]:
    lines = said.splitlines()
    assert lines[0].startswith("Seed digest: ")
    assert lines[-1].startswith("Seed: ")
    return lines[0].removeprefix("Seed digest: "), lines[-1].removeprefix("Seed: ")


def seeds(program: Program) -> list[Path]:
    return [file for file in program.home.rglob("*.seed") if file.is_file()]


def begun(program: Program, *arguments: object) -> "subprocess.Popen[bytes]":
    """Start a tournament, and wait until some of its games are played."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=program.home,
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    results = program.home / "r"
    start = time.monotonic()
    while not results.exists() or results.read_bytes().count(b"\n") < 5:
        assert process.poll() is None
        assert time.monotonic() - start < TIMEOUT
        time.sleep(0.01)
    return process
