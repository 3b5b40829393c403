"""Code that a test runs in a process of its own, forked from one that is warm."""

import sys


def run() -> None:
    """Run the code that is the first argument, with the others as its own."""
    code = sys.argv.pop(1)
    exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})
