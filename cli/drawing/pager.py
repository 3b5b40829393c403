"""Text that is longer than the screen, in the person's pager."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

_LESS: Final = "FRX"
"""For `less`, where the person has set nothing: end at once if all fits, show colours, and leave the text there."""
_PROMPT: Final = r"?e(END) :Space\: more, .q\: back to the table"
"""What `less` says in its last row, in its own language; by itself it says ``:``, and not how it is left."""
_PROMPTS: Final = "".join(f"P{which}{_PROMPT}$" for which in "smM")
"""For each length of a prompt that the person may have set; a prompt that they have set comes after it, and counts."""


def shown(lines: Sequence[str]) -> bool:
    """Show lines in the pager; False where there is none, or where it cannot be started."""
    command = shlex.split(os.environ.get("PAGER") or "less")
    if not command or shutil.which(command[0]) is None:
        return False
    less = f"{_PROMPTS}{os.environ.get('LESS', _LESS)}"
    text = "".join(f"{line}\n" for line in lines)
    with suppress(OSError, KeyboardInterrupt):
        # The pager is what the person has set for every program of theirs.
        done = subprocess.run(  # noqa: S603  # the pager that the person named, as every pager is run
            command, input=text.encode(), env={**os.environ, "LESS": less}, check=False
        )
        return done.returncode == 0
    return False
