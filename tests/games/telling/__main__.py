"""Print the lines of one part of a game, or write all digests: ``python -m tests.games.telling [NAME]``."""

import sys

from .told import TOLD

if __name__ == "__main__":
    TOLD.main(sys.argv[1:])
