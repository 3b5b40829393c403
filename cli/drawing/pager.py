"""Show text that is longer than the screen in the person's pager."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

_LESS: Final = "FRX"
"""Options of `less` if LESS is not set: end at once if all fits, show colours, leave the text on the screen."""
_PROMPT: Final = r"?e(END) :Space\: more, .q\: back to the table"
"""The prompt of `less` in its own syntax; the default, ``:``, does not say how to leave."""
_PROMPTS: Final = "".join(f"P{which}{_PROMPT}$" for which in "smM")
"""Options that set the short, medium and long prompt of `less`; a prompt in the user's LESS comes later and wins."""


def shown(lines: Sequence[str]) -> bool:
    """Show lines in the pager; return False if there is no pager or it fails."""
    command = shlex.split(os.environ.get("PAGER") or "less")
    if not command or shutil.which(command[0]) is None:
        return False
    less = f"{_PROMPTS}{os.environ.get('LESS', _LESS)}"
    text = "".join(f"{line}\n" for line in lines)
    with suppress(OSError, KeyboardInterrupt):
        # The user has set this pager for all programs.
        done = subprocess.run(  # noqa: S603  # the pager that the person named, as every pager is run
            command, input=text.encode(), env={**os.environ, "LESS": less}, check=False
        )
        return done.returncode == 0
    return False
