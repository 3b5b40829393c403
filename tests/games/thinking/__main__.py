"""Print the choices, or store all digests: ``python -m tests.games.thinking [NAME]``."""

import sys

from .thought import THOUGHT

if __name__ == "__main__":
    THOUGHT.main(sys.argv[1:])
