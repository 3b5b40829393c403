"""Print the refusals, or store all digests: ``python -m tests.games.refusing [NAME]``."""

import sys

from .refused import REFUSED

if __name__ == "__main__":
    REFUSED.main(sys.argv[1:])
