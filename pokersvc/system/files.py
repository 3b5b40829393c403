"""Create files and folders: complete or not at all, durably, and private if they hold secrets."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST, EINVAL, EISDIR
from pathlib import Path
from typing import BinaryIO, Final
from uuid import uuid4

from pokersvc.errors import PokersvcError

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700


class FileNotWritten(PokersvcError):
    """A file that cannot be written: its folder is not writable, or the disk is full."""

    code = "file_not_written"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into a `FileNotWritten` that names the file ``path``."""
    try:
        yield
    except OSError as error:
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> FileNotWritten:
    """Return a `FileNotWritten` that names the file ``path``; the system's own error may name another file, or none."""
    return FileNotWritten(f"{path} cannot be written: {error.strerror or error}.")


def opened(path: Path) -> BinaryIO:
    """Open a regular file for reading; raise OSError if it is not readable or not a regular file.

    The file is opened without blocking and its type is checked first: opening a named pipe would otherwise wait for a
    writer.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(EISDIR, "that is no file")
        raise OSError(EINVAL, "that is no file")
    return os.fdopen(descriptor, "rb")


def make(path: Path, mode: int = PRIVATE, flags: int = 0) -> int:
    """Create a file with exactly these permissions, whatever the umask, and return its descriptor.

    Wider permissions are never set, not even briefly. Raise FileExistsError if the name is taken.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | flags, mode)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        with suppress(PermissionError):  # a file system without permissions, as on a USB stick
            os.fchmod(descriptor, mode)
    return descriptor


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file with a suffix appended; symbolic links to the file are followed first."""
    return Path(os.path.realpath(path) + suffix)


def opened_beside(path: Path, suffix: str) -> int:
    """Open the file ``path`` plus a suffix for writing; if it is missing, create it with the permissions of ``path``.

    The umask is ignored. Raise OSError also if something other than a regular file has that path.
    """
    file, flags = beside(path, suffix), os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return _regular(os.open(file, flags))
    except FileNotFoundError:
        owner = path.stat()
        try:
            descriptor = make(file, stat.S_IMODE(owner.st_mode) & 0o666)
        except FileExistsError:  # another process was first
            return _regular(os.open(file, flags))
        if os.geteuid() == 0:
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        return descriptor


def _regular(descriptor: int) -> int:
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise FileExistsError(EEXIST, "something that is not a file is beside it")


def make_folders(folder: Path) -> None:
    """Create a folder and its missing parents, each private to its owner; leave existing folders unchanged."""
    missing = []
    for place in (folder, *folder.parents):
        if place.exists():
            break
        missing.append(place)
    for place in reversed(missing):
        with suppress(FileExistsError):  # created meanwhile by another process, which owns it
            place.mkdir(PRIVATE_FOLDER)
            with suppress(PermissionError):  # a file system without permissions
                place.chmod(PRIVATE_FOLDER)
    folder.mkdir(exist_ok=True)  # raises an error if something else has that name


def draft_of(path: Path) -> Path:
    """Return a hidden path in the same folder, where a file is written before `publish` gives it its name."""
    return path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}")


def publish(draft: Path, path: Path) -> bool:
    """Move a finished draft to its final path, durably; return False if a file of that name exists."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            return False
        draft.rename(path)
    sync(path.parent)
    return True


def sync(path: Path) -> None:
    """Flush a file, or the list of files in a folder, to disk, so that it survives a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
