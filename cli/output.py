"""The output of commands: JSON documents and plain lines; and exit codes."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self, TextIO

from pokersvc import evidence
from pokersvc.errors import PokersvcError
from pokersvc.text import cells

EXIT_FINDINGS = 3
EXIT_INTERRUPTED = 130
EXIT_CLOSED = 141
"""The exit code if the output's reader closed it, as if SIGPIPE ended the program; 0 would mean "nothing found"."""


LEAST_COLUMNS, USUAL_COLUMNS = 60, 80
"""The least width of tables, and their width in a pipe, in columns."""


class NotChecked(PokersvcError):
    """There are no findings, but something was not checked: a kind of game is unknown, or a bug ended the check."""

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


STOPS: Final = (KeyboardInterrupt, PokersvcError)
"""Exceptions that may interrupt a JSON list: the list is then still closed, so that it is valid."""


class JsonArray:
    """A JSON array, printed one element per line as elements come, and closed even after Ctrl-C or an error."""

    def __init__(self) -> None:
        self._separator = ""

    def __enter__(self) -> Self:
        print("[", end="")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None or isinstance(error, STOPS):
            print("\n]" if self._separator else "]")
            sys.stdout.flush()

    def add(self, value: object) -> None:
        """Print an element."""
        self.begin(json.dumps(value, ensure_ascii=False))

    def begin(self, text: str) -> None:
        """Print the beginning of an element, or the whole element."""
        print(f"{self._separator}\n{text}", end="")
        self._separator = ","


def stream_json(values: Iterable[object]) -> None:
    """Print values as a JSON array, one per line as they come; print nothing if an error precedes the first value."""
    rest = iter(values)
    first = [*islice(rest, 1)]
    with JsonArray() as array:
        for value in chain(first, rest):
            array.add(value)


@contextmanager
def output(path: Path | None, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a new file to write, which appears once it is complete; without a path, yield standard output.

    No file is overwritten. Only its owner may read a ``private`` file.
    """
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with evidence.jsonl.written(path, private=private) as file:
        yield file


def columns(stream: TextIO | None = None) -> int | None:
    """Return the width of a stream's terminal (by default standard output's); None if the stream is not a terminal."""
    if not (stream or sys.stdout).isatty():
        return None
    with suppress(OSError):
        if stream is not None and (width := os.get_terminal_size(stream.fileno()).columns):
            return width
    return shutil.get_terminal_size().columns


def wrapped(text: str, indent: str = "", stream: TextIO | None = None) -> str:
    """Wrap a text to the width of a stream's terminal (by default standard output's); without a terminal, leave it."""
    if (width := columns(stream)) is None:
        return text
    return "\n".join(folded for line in text.split("\n") for folded in _folded(line, width, indent))


_WORD: Final = re.compile(r" *[^ ]+")
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")


def _folded(line: str, width: int, indent: str) -> Iterator[str]:
    """Yield the parts of a line, wrapped between words; colour codes have no width, and too wide a word stays whole."""
    so_far, room = "", width
    for word in _WORD.findall(line):
        wide = cells(_COLOUR.sub("", word))
        if so_far and wide > room:
            yield so_far
            so_far = indent + word.lstrip(" ")
            room = width - cells(_COLOUR.sub("", so_far))
        else:
            so_far += word
            room -= wide
    yield so_far or line


def close_output() -> None:
    """Redirect a closed standard output to nowhere: flushing its buffer at exit would raise the error again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
