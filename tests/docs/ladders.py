"""Play the ladders of docs/ladder.md, and write their tables into the page: ``python -m tests.docs.ladders FILE``.

The page says which ladders there are: each block with ``$ pokersvc ladder add`` and ``$ pokersvc ladder run --ladder``
is run on the database FILE, and the lines after them are replaced. Bots that are on a ladder already are not added
again, so FILE may be used again after a run was stopped, and when bots are new.
"""

import re
import shlex
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

import pokersvc
from pokersvc.cli.main import main
from pokersvc.tournament.ladder import LadderStore

PAGE: Final = Path(__file__).parents[2] / "docs" / "ladder.md"
BLOCK: Final = re.compile(
    r"^    \$ pokersvc (?P<add>ladder add (?:[^\n]*\\\n)*[^\n]*)\n"
    r"    \$ pokersvc (?P<run>ladder run --ladder (?P<name>\S+)[^\n]*)\n(?P<printed>(?:    [^\n]*\n|\n(?=    ))*)",
    re.MULTILINE,
)
"""The two commands of a ladder, and what the second one prints."""


def words_of(command: str) -> list[str]:
    """Return the words of a command, which may go on after a backslash at the end of a line."""
    return shlex.split(re.sub(r"\\\n\s+", "", command))


def still_to_add(add: list[str], members: frozenset[str]) -> list[str]:
    """Return the command without the bots that are members; empty if all are."""
    bots = add[2 : next(at for at, word in enumerate(add) if word.startswith("--"))]
    new = [bot for bot in bots if bot.partition("=")[0] not in members]
    return [*add[:2], *new, *add[2 + len(bots) :]] if new else []


def run(database: str, words: list[str]) -> str:
    """Run a command on the database, and return what it prints."""
    with redirect_stdout(StringIO()) as said:
        code = main(["--db", database, *words])
    if code:
        sys.exit(code)
    return said.getvalue()


def table_of(block: re.Match[str], database: str) -> str:
    """Run the commands of a block, and return their output as the page shows it."""
    with pokersvc.open_database(database) as opened:
        store, name = LadderStore(opened), block["name"]
        members = frozenset(store.progress(name).members) if name in store.names() else frozenset()
    if add := still_to_add(words_of(block["add"]), members):
        run(database, add)
    lines = run(database, words_of(block["run"])).strip("\n").split("\n")
    return "\n" + "".join(f"    {line}\n" if line else "\n" for line in lines)


def with_table(page: str, name: str, table: str) -> str:
    """Return the page with the table of this ladder replaced."""
    return BLOCK.sub(
        lambda block: block[0].removesuffix(block["printed"]) + table if block["name"] == name else block[0], page
    )


def write(page: Path, database: str) -> None:
    """Play the ladders of a page, and write each table as soon as it is there."""
    for block in BLOCK.finditer(page.read_text("utf-8")):
        table = table_of(block, database)
        page.write_text(with_table(page.read_text("utf-8"), block["name"], table), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.docs.ladders FILE")
    write(PAGE, sys.argv[1])
