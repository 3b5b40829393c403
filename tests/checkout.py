"""A clean checkout: the files under version control, without build output and caches."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


def check_out(folder: Path) -> None:
    """Copy all files under version control to a folder."""
    known = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(known, cwd=ROOT, text=True).split("\0"):
        if (source := ROOT / name).is_file() or source.is_symlink():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target, follow_symlinks=False)
