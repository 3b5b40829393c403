"""Code for another process, forked from one with all imports done."""

import sys


def run() -> None:
    """Run the code in the first argument, with the others as its arguments."""
    code = sys.argv.pop(1)
    exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})
