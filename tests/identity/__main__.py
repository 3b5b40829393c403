"""Show that a change of the code changes nothing: ``python -m tests.identity --help``.

At the commit before the change, `make` the games and `tell` them; at the commit after it, `tell` the same games again;
`compare` says what differs. `keep` tells games anew into the file that the tests compare with.
"""

import argparse
import sys
from pathlib import Path

from tests.identity.comparing import differences, digests_of, keep, read, write
from tests.identity.making import ALL, make
from tests.identity.telling import told


def main(arguments: list[str]) -> int:
    """Run one of the commands and return its exit code."""
    parser = argparse.ArgumentParser("python -m tests.identity", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    making = commands.add_parser("make", help="make the games, in a folder")
    making.add_argument("folder", type=Path)
    making.add_argument("--games", type=int, default=ALL, help="how many  [default: %(default)s]")
    telling = commands.add_parser("tell", help="write a line for each aspect of each game")
    telling.add_argument("folder", type=Path)
    telling.add_argument("out", type=Path)
    telling.add_argument("--whole", action="store_true", help="with the text itself")
    telling.add_argument("--only", metavar="GAME", help="of one game alone")
    comparing = commands.add_parser("compare", help="say what differs; then exit code 1")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    keeping = commands.add_parser("keep", help="keep the digests of all games for the tests")
    keeping.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    if asked.command == "make":
        make(asked.folder, asked.games)
    elif asked.command == "tell":
        write(asked.out, told(asked.folder, asked.only), whole=asked.whole)
    elif asked.command == "keep":
        keep(digests_of(told(asked.folder)))
    else:
        (before, texts_before), (after, texts_after) = read(asked.before), read(asked.after)
        found = list(differences(before, after, texts_before, texts_after))
        print("\n".join(found) or f"{len(before)} tellings are the same.")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
