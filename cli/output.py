"""What commands print: JSON documents, and plain lines; and the codes that they exit with."""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from pokersvc import evidence
from pokersvc.errors import PokersvcError

EXIT_FINDINGS = 3
EXIT_INTERRUPTED = 130
EXIT_CLOSED = 141
"""As a shell tells of a program that SIGPIPE ended: 0 would say of an audit that it found nothing."""


class NotChecked(PokersvcError):
    """Something was not checked, and nothing found: a game of an unknown kind, or after a bug in pokersvc."""

    code = "not_checked"


class Interrupted(PokersvcError):
    """A person pressed Ctrl-C: the sentence says what is saved, and how to continue."""

    code = "interrupted"
    exit_code = EXIT_INTERRUPTED


def print_json(value: object) -> None:
    """Print one JSON document."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def finding_json(found: evidence.findings.Finding | evidence.findings.Fault) -> dict[str, object]:
    """Return a finding, or the bug that ended a check, as a JSON object."""
    return {"game" if name == "game_id" else name: value for name, value in found._asdict().items()}


def stream_json(values: Iterable[object]) -> None:
    """Print a JSON array, one element a line, without holding it in memory."""
    opening = "["
    for value in values:
        print(f"{opening}\n{json.dumps(value, ensure_ascii=False)}", end="")
        opening = ","
    print("[]" if opening == "[" else "\n]")
    sys.stdout.flush()


@contextmanager
def output(path: Path | None, *, private: bool = False) -> Iterator[BinaryIO]:
    """Give the file to write, which appears when it is complete and is never overwritten; by default standard output.

    A file that is ``private`` is for its owner alone.
    """
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with evidence.jsonl.written(path, private=private) as file:
        yield file


def columns(stream: TextIO | None = None) -> int | None:
    """Return how wide the terminal of a stream is, by default of the output; None if it is not a terminal."""
    if not (stream or sys.stdout).isatty():
        return None
    with suppress(OSError):
        if stream is not None and (width := os.get_terminal_size(stream.fileno()).columns):
            return width
    return shutil.get_terminal_size().columns


def wrapped(text: str, indent: str = "", stream: TextIO | None = None) -> str:
    """Return a sentence in lines that fit the terminal of a stream, by default of the output; else unchanged."""
    if (width := columns(stream)) is None:
        return text
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or line
        for line in text.split("\n")
    )


def close_output() -> None:
    """Drop an output that nobody reads: its buffer would raise an error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
