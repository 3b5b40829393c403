"""How files and folders are created: complete or not at all, durably, and private if they hold secrets."""

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
    """A file that cannot be written: its folder may not be written, or the disk is full."""

    code = "file_not_written"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise FileNotWritten, which names the requested file, if the operating system raises an error."""
    try:
        yield
    except OSError as error:
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> FileNotWritten:
    """Return an error that names the requested file: the operating system may name a draft of it, or nothing."""
    return FileNotWritten(f"{path} cannot be written: {error.strerror or error}.")


def opened(path: Path) -> BinaryIO:
    """Open a file to read it; OSError if it may not be read or is not a file.

    What is there is asked before anything is read: opening a named pipe would wait for a writer.
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
    """Make a file with exactly these permissions, whatever the umask, and return its descriptor.

    At no time are wider permissions set. FileExistsError where something has that name.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | flags, mode)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        with suppress(PermissionError):  # a file system that knows no permissions, as on a stick
            os.fchmod(descriptor, mode)
    return descriptor


def beside(path: Path, suffix: str) -> Path:
    """Return what lies beside a file under its name and a suffix; where a link leads to the file, beside the file."""
    return Path(os.path.realpath(path) + suffix)


def opened_beside(path: Path, suffix: str) -> int:
    """Open a file beside another to write it, or make it for those who may use the other, whatever the umask.

    Raises OSError, also for what is no file.
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
    """Make a folder and those that it lies in, where they are missing, each for its owner alone; leave others alone."""
    missing = []
    for place in (folder, *folder.parents):
        if place.exists():
            break
        missing.append(place)
    for place in reversed(missing):
        with suppress(FileExistsError):  # made meanwhile, by somebody whose it then is
            place.mkdir(PRIVATE_FOLDER)
            with suppress(PermissionError):  # as above
                place.chmod(PRIVATE_FOLDER)
    folder.mkdir(exist_ok=True)  # raises what is wrong where something else has that name


def draft_of(path: Path) -> Path:
    """Return a hidden name beside a file, under which it is made before it gets its own."""
    return path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}")


def publish(draft: Path, path: Path) -> bool:
    """Give a finished file its name, durably; return False where the name is taken."""
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
    """Put a file on the disk, or which files are in a folder, so that they are there after a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
