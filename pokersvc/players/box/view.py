"""The file system of a box: read-only system files, a copy of the player, and a mount point for each choice's own."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pokersvc.players.box import kernel
from pokersvc.players.box.spec import EXCHANGE, FOLDER, Spec

STAGE: Final = Path("/tmp")  # noqa: S108 - covered by a file system that only this process and the box see
_DEVICES: Final = tuple((device, device) for device in ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"))


def build(spec: Spec) -> None:
    """Make the file system that `enter` enters, in a mount namespace of its own, and mount /proc for this namespace."""
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("proc", "/proc", "proc", kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS)
    # Open these first: they may be in the folder that is covered next.
    held = [(os.open(source, os.O_PATH | os.O_CLOEXEC), target) for source, target in (*spec.shown, *_DEVICES)]
    kernel.mount("tmpfs", str(STAGE), "tmpfs", kernel.NO_SETUID | kernel.NO_DEVICES, "mode=755")
    for descriptor, target in held:
        source = f"/proc/self/fd/{descriptor}"
        _make(staged(target), folder=Path(source).is_dir())
        kernel.bind(source, str(staged(target)), devices=target.startswith("/dev/"))
        os.close(descriptor)
    for link, target in spec.links:
        staged(link).parent.mkdir(parents=True, exist_ok=True)
        staged(link).symlink_to(target)
    staged(FOLDER).mkdir()
    for name, content in spec.files:
        staged(name).parent.mkdir(parents=True, exist_ok=True)
        staged(name).write_bytes(content)
    staged(EXCHANGE).mkdir(parents=True)
    kernel.make_read_only(str(STAGE), recursive=False)
    kernel.mount("none", str(STAGE), None, kernel.SHARED)


def take_away(targets: Iterable[str], pid: int) -> str | None:
    """Read completely all files that the process has mapped, then unmount these paths from the box.

    Otherwise the process would see which parts another box has read. Return a mapped file that is not found, or None.
    """
    own = Path("/proc/self/exe")
    for device, inode, place in _mapped(pid):
        for found in (staged(place), own):
            with suppress(OSError), found.open("rb", buffering=0) as file:
                seen = os.fstat(file.fileno())
                if (os.major(seen.st_dev), os.minor(seen.st_dev), seen.st_ino) == (*device, inode):
                    while file.read(1 << 20):
                        pass
                    break
        else:
            return place
    for target in targets:
        kernel.unmount(str(staged(target)))
    return None


def _mapped(pid: int) -> set[tuple[tuple[int, int], int, str]]:
    """Return the device, the inode and the path of each file that a process has mapped."""
    found = set()
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        _, _, _, device, inode, *place = line.split(None, 5)
        if int(inode):
            major, minor = (int(part, 16) for part in device.split(":"))
            found.add(((major, minor), int(inode), place[0] if place else ""))
    return found


def staged(target: str) -> Path:
    """Return the path outside the box that leads to this path in the box."""
    return STAGE / target.lstrip("/")


def _make(path: Path, *, folder: bool) -> None:
    if folder:
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def enter() -> None:
    """Make the box's file system the only one of this process; later mounts in it from outside appear here too."""
    kernel.unshare(kernel.NEW_NAMESPACES["mount"])
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.SLAVE)
    kernel.enter_root(str(STAGE))
