"""The results file: a line of JSON for each game as soon as it is played, so that a tournament can be gone on with.

The first line says which tournament it is. A line that was being written when the power went is written again.
"""

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pokersvc.errors import PokersvcError
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import Played


class InvalidResults(PokersvcError):
    """A results file that cannot be used: of another tournament, in use, or no results file at all."""

    code = "invalid_results"


class Results:
    """The results of a tournament, as far as it has been played; opened by one process at a time."""

    def __init__(self, path: Path, tournament: Tournament, *, label: str = "", again: bool = False) -> None:
        """Open a results file; ``label`` tells apart what else matters, ``again`` forgets what is in it."""
        self.path = path
        self.played: dict[int, Played] = {}
        self._header = {"tournament": tournament.fingerprint, "label": label}
        self._seats, self._games = tournament.seats, tournament.games
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise InvalidResults(f"The results cannot be kept in {path}: {error.strerror}.") from error
        try:
            self._claim()
            if again:
                self._file.truncate(0)
            self._read()
        except BaseException:
            self._file.close()
            raise

    @property
    def missing(self) -> list[int]:
        """The numbers of the games that are not played yet."""
        return [index for index in range(self._games) if index not in self.played]

    def add(self, played: Iterable[Played]) -> None:
        """Keep the results of games."""
        for one in played:
            self.played[one.number] = one
            self._file.write(_line(one))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, for others to open."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _claim(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InvalidResults(
                f"The results in {self.path} are being written by another process; wait for it."
            ) from error

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            if number == 1:
                self._check_header(line)
            else:
                one = self._parsed(line, number)
                if one.number < self._games:
                    self.played[one.number] = one
            whole += len(line)
        size = self._file.seek(0, os.SEEK_END)
        if not whole and size and not json.dumps(self._header).encode().startswith(self._begun()):
            raise self._foreign()
        self._file.truncate(whole)
        if not whole:
            self._file.write(json.dumps(self._header).encode() + b"\n")
            self._file.flush()

    def _begun(self) -> bytes:
        self._file.seek(0)
        return self._file.read(4096)

    def _check_header(self, line: bytes) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            raise self._foreign() from None
        if not isinstance(found, dict) or "tournament" not in found:
            raise self._foreign()
        if found != self._header:
            raise InvalidResults(
                f"The results in {self.path} are of another tournament: other rules, players, orders or another seed."
                " Name another file, or begin it anew with --again."
            )

    def _foreign(self) -> InvalidResults:
        return InvalidResults(f"{self.path} is no file of results; name another one.")

    def _parsed(self, line: bytes, number: int) -> Played:
        try:
            found: dict[str, Any] = json.loads(line)
            codes: dict[str, dict[str, int]] = found.get("forfeits", {})
            one = Played(
                int(found["game"]),
                tuple(found["gains"]),
                tuple(found["ranks"]),
                int(found["rounds"]),
                tuple(dict(codes.get(str(seat), {})) for seat in range(1, self._seats + 1)),
            )
            if not one.number >= 0 or {len(one.gains), len(one.ranks)} != {self._seats}:
                raise ValueError(line)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InvalidResults(
                f"Line {number} of {self.path} is no result of a game; begin the file anew with --again."
            ) from None
        return one


def _line(one: Played) -> bytes:
    said: dict[str, Any] = {"game": one.number, "gains": one.gains, "ranks": one.ranks, "rounds": one.rounds}
    if forfeits := {seat: codes for seat, codes in enumerate(one.forfeits, 1) if codes}:
        said["forfeits"] = forfeits
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
