"""Print a walk, or write all digests: ``python -m tests.service.walking [NAME]``."""

import sys

from .walked import WALKED

if __name__ == "__main__":
    WALKED.main(sys.argv[1:])
