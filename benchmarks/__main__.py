"""Run the benchmarks and print a Markdown table for each: ``python -m benchmarks [--quick] [NAME …]``.

Each benchmark is imported when it runs: what they are compared with are different libraries.
"""

import argparse
from collections.abc import Callable
from typing import Final

from benchmarks.table import markdown, verdict


def _append(quick: bool) -> str:
    from benchmarks import append

    return markdown(
        "Appending to the log in SQLite" + (" (in full: it has one size)" if quick else ""),
        ("events a transaction", "bare sqlite3, events/s", "pokersvc, events/s", "ratio"),
        [
            (
                str(row.events_a_transaction),
                f"{row.bare:,.0f}",
                f"{row.pokersvc:,.0f}",
                verdict(row.ratio, row.required),
            )
            for row in append.run()
        ],
    )


def _hands(quick: bool) -> str:
    from benchmarks import hands

    return hands.run(quick=quick)


def _houses(quick: bool) -> str:
    from benchmarks import houses

    return houses.run(quick=quick)


def _read(quick: bool) -> str:
    from benchmarks import read

    return read.run(quick=quick)


def _memory(quick: bool) -> str:
    from benchmarks import memory

    return memory.run(quick=quick)


_BENCHMARKS: Final[dict[str, Callable[[bool], str]]] = {
    "append": _append,
    "hands": _hands,
    "houses": _houses,
    "read": _read,
    "memory": _memory,
}


def main() -> None:
    """Run the benchmarks that are named, or all."""
    known = ", ".join(_BENCHMARKS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what has to be fast.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{known}; all of them without a name")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a look; not what is promised")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(_BENCHMARKS):
        parser.error(f"there is no benchmark {min(unknown)!r}; the benchmarks are {known}")
    if arguments.quick:
        print("Smaller sizes than those of the requirements (--quick).\n")
    for name in arguments.names or _BENCHMARKS:
        print(_BENCHMARKS[name](arguments.quick), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
