"""Starts `pokersvc.players.box.maker`; arguments: the file descriptors QUESTIONS, ANSWERS and LOG (-1: no log)."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[3]))

from pokersvc.players.box import memory


def main(questions: int, answers: int, log: int) -> None:
    """Make the requested box, and serve it until its end."""
    memory.keep_objects_together()
    from pokersvc.players.box import maker  # imported here, so that its objects are allocated together too

    maker.make(questions, answers, log)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # Python's own exit would free memory in ways that do not match its allocation


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
