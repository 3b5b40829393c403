"""A file of lines: one process at a time writes it, and lines are on the disk when a write returns."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from pokersvc.errors import PokersvcError
from pokersvc.system.files import make, make_folders, sync


class InvalidResults(PokersvcError):
    """The results file cannot be used: it belongs to another tournament, is in use, or is not a results file."""

    code = "invalid_results"


def another_tournament(path: Path) -> InvalidResults:
    """Return the error for results of another tournament."""
    return InvalidResults(
        f"The results in {path} are of another tournament: other rules, players, orders or another"
        " seed. Name another file, or start it again with --again."
    )


class LinesFile:
    """A file of lines, made if it does not exist; until it is closed, no other process can open it as a `LinesFile`."""

    def __init__(self, path: Path) -> None:
        """Open a file; raise `InvalidResults` if it cannot be written, or if another process has it open."""
        self._path = path
        self.lines = self._opened()
        """The file, to be read from its beginning."""
        try:
            self._claim()
        except BaseException:
            self.lines.close()
            raise
        self.lines.seek(0)

    def write(self, lines: bytes) -> None:
        """Add lines at the end of the file; when this returns, they are on the disk."""
        try:
            # Bypass the file's buffer: it would keep the lines that did not fit on the disk, and try again when the
            # file is closed.
            while lines:
                lines = lines[os.write(self.lines.fileno(), lines) :]
            os.fsync(self.lines.fileno())
        except OSError as error:
            raise self._unwritable(error) from error

    def truncate(self, size: int) -> None:
        """Cut the file off after this many bytes."""
        self.lines.truncate(size)

    def sync_folder(self) -> None:
        """Flush the file's directory entry to the disk."""
        try:
            sync(self._path.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def move(self, path: Path) -> None:
        """Rename the file in its folder."""
        try:
            self._path.replace(path)
            sync(path.parent)
        except OSError as error:
            raise self._unwritable(error) from error
        self._path = path

    def close(self) -> None:
        """Close the file, so that others can open it."""
        self.lines.close()

    def _opened(self) -> BinaryIO:
        try:
            if self._path.exists() and not self._path.is_file():
                raise InvalidResults(f"The results cannot be kept in {self._path}: it is not a file; name another one.")
            make_folders(self._path.parent)
            return self._made_or_there()
        except OSError as error:
            raise self._unwritable(error) from error

    def _made_or_there(self) -> BinaryIO:
        with suppress(FileExistsError):  # the file exists; leave its permissions unchanged
            os.close(make(self._path))
        return self._path.open("a+b")

    def _claim(self) -> None:
        try:
            fcntl.flock(self.lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InvalidResults(
                f"The results in {self._path} are being written by another process; wait for it."
            ) from error

    def _unwritable(self, error: OSError) -> InvalidResults:
        return InvalidResults(f"The results cannot be kept in {self._path}: {error.strerror}.")
