"""The results of tournaments for prizes, as lines for people, and as JSON and CSV for programs."""

import shutil
import sys
from collections.abc import Collection

import pokersvc
from pokersvc.cli.output import print_json, wrapped
from pokersvc.cli.statistics.stats_tables import columns, print_csv
from pokersvc.errors import printable
from pokersvc.histories.statistics.prizes import PrizeSums, added_up, prize_results
from pokersvc.text import counted, listed

_HEADINGS = ("tournaments", "paid", "won", "net", "first", "in prizes")


def show(
    database: "pokersvc.Database", players: Collection[str], *, top: int | None, as_json: bool, as_csv: bool
) -> None:
    """Print each player's results added up, or only those of the players named."""
    found = added_up(prize_results(database, players))
    sums = found[:top]
    if as_json:
        print_json([one._asdict() for one in sums])
    elif as_csv:
        print_csv([one._asdict() for one in sums])
    elif not sums:
        of = f" of {listed(list(map(repr, players)))}" if players else ""
        print(wrapped(f"No finished tournament for prizes{of} is in this database."))
    else:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        print(*columns(("", *_HEADINGS), [_row(one) for one in sums], width), sep="\n")
        print(
            "",
            wrapped("Paid, won and net are in the units of the entries. Shared first places count as first."),
            sep="\n",
        )
        if left_out := len(found) - len(sums):
            print("", wrapped(f"Not shown: {counted(left_out, 'player')} with fewer tournaments."), sep="\n")


def _row(one: PrizeSums) -> tuple[str, ...]:
    numbers = (f"{one.tournaments:,}", f"{one.paid:,}", f"{one.won:,}", f"{one.net:+,}", f"{one.firsts:,}")
    return printable(one.player), *numbers, f"{one.in_prizes:,}"
