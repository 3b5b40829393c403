"""The file system of a box: what it needs to be read, a copy of the player, and scratch space."""

import os
from pathlib import Path
from typing import Final

from pokersvc.players.box import kernel
from pokersvc.players.box.limits import SCRATCH as SCRATCH_BYTES
from pokersvc.players.box.limits import SCRATCH_FILES
from pokersvc.players.box.spec import FOLDER, SCRATCH, Spec

STAGE: Final = Path("/tmp")  # noqa: S108 - covered by a file system that only this process and the box see
_DEVICES: Final = tuple((device, device) for device in ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"))


def build(spec: Spec) -> None:
    """Make the file system that `enter` enters, in a mount namespace of its own, and mount this one's processes."""
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("proc", "/proc", "proc", kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS)
    # What is shown may lie in the folder that is covered now.
    held = [(os.open(source, os.O_PATH | os.O_CLOEXEC), target) for source, target in (*spec.shown, *_DEVICES)]
    kernel.mount("tmpfs", str(STAGE), "tmpfs", kernel.NO_SETUID | kernel.NO_DEVICES, "mode=755")
    for descriptor, target in held:
        source = f"/proc/self/fd/{descriptor}"
        _make(_staged(target), folder=Path(source).is_dir())
        kernel.bind(source, str(_staged(target)), devices=target.startswith("/dev/"))
        os.close(descriptor)
    for link, target in spec.links:
        _staged(link).parent.mkdir(parents=True, exist_ok=True)
        _staged(link).symlink_to(target)
    _staged(FOLDER).mkdir()
    for name, content in spec.files:
        _staged(name).parent.mkdir(parents=True, exist_ok=True)
        _staged(name).write_bytes(content)
    _staged(SCRATCH).mkdir(parents=True)
    kernel.make_read_only(str(STAGE), recursive=False)
    kernel.mount("none", str(STAGE), None, kernel.SHARED)


def _staged(target: str) -> Path:
    return STAGE / target.lstrip("/")


def _make(path: Path, *, folder: bool) -> None:
    if folder:
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def enter() -> None:
    """Have the file system of the box as the only one; what is mounted in it outside is seen here, too."""
    kernel.unshare(kernel.NEW_NAMESPACES["mount"])
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.SLAVE)
    kernel.enter_root(str(STAGE))


class Scratch:
    """Where a choice may write: a new file system for each choice after one that wrote, so not even a number lasts."""

    def __init__(self, user: int) -> None:
        self._place = str(_staged(SCRATCH))
        self._options = f"mode=700,uid={user},gid={user},size={SCRATCH_BYTES},nr_inodes={SCRATCH_FILES}"
        self._mount()

    def empty(self) -> None:
        """Have it empty, as it was before anybody wrote."""
        if self._state() != self._unused:
            kernel.unmount(self._place)
            self._mount()

    def _mount(self) -> None:
        flags = kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS | kernel.NO_READING_TIMES
        kernel.mount("tmpfs", self._place, "tmpfs", flags, self._options)
        os.utime(self._place, (0, 0))  # so that whatever happens here is later, also if it is undone at once
        self._unused = self._state()

    def _state(self) -> os.stat_result:
        return os.stat(self._place)  # noqa: PTH116 - at each choice
