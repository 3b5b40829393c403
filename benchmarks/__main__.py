"""Run the benchmarks and print a Markdown table for each: ``python -m benchmarks [--quick] [NAME …]``.

Each benchmark is imported only when it runs, because each is compared with different libraries.
"""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from benchmarks.table import markdown, verdict

if TYPE_CHECKING:
    from benchmarks.append import Row


def _append(quick: bool) -> str:
    from benchmarks import append
    from tests import postgres

    in_full = " (in full: it has one size)" if quick else ""
    tables = [_appended(f"Appending to the log in SQLite{in_full}", "sqlite3", append.run())]
    server = postgres.found()
    if isinstance(server, str):
        tables.append(f"{server}.")
    else:
        tables.append(_appended(f"Appending to the log in PostgreSQL{in_full}", "psycopg", append.run_on(server)))
    return "\n\n".join(tables)


def _appended(title: str, driver: str, rows: "list[Row]") -> str:
    return markdown(
        title,
        ("events a transaction", f"bare {driver}, events/s", "pokersvc, events/s", "ratio"),
        [
            (
                str(row.events_a_transaction),
                f"{row.bare:,.0f}",
                f"{row.pokersvc:,.0f}",
                f"{row.ratio:.3g} ×" if row.required is None else verdict(row.ratio, row.required),
            )
            for row in rows
        ],
    )


def _startup(quick: bool) -> str:
    from benchmarks import startup

    return startup.run(quick=quick)


def _hands(quick: bool) -> str:
    from benchmarks import hands

    return hands.run(quick=quick)


def _houses(quick: bool) -> str:
    from benchmarks import houses

    return houses.run(quick=quick)


def _kalah(quick: bool) -> str:
    from benchmarks import kalah

    return kalah.run(quick=quick)


def _market(quick: bool) -> str:
    from benchmarks import market

    return market.run(quick=quick)


def _trading(quick: bool) -> str:
    from benchmarks import trading

    return trading.run(quick=quick)


def _read(quick: bool) -> str:
    from benchmarks import read

    return read.run(quick=quick)


def _audit(quick: bool) -> str:
    from benchmarks import audit

    return audit.run(quick=quick)


def _memory(quick: bool) -> str:
    from benchmarks import memory

    return memory.run(quick=quick)


def _tables(quick: bool) -> str:
    from benchmarks import tables

    return tables.run(quick=quick)


def _advice(quick: bool) -> str:
    from benchmarks import advice

    return advice.run(quick=quick)


def _ranking(quick: bool) -> str:
    from benchmarks import ranking

    return ranking.run(quick=quick)


def _tournament(quick: bool) -> str:
    from benchmarks import tournament

    return tournament.run(quick=quick)


def _players(quick: bool) -> str:
    from benchmarks import players

    return players.run(quick=quick)


def _many(quick: bool) -> str:
    from benchmarks import many

    return many.run(quick=quick)


def _load(quick: bool) -> str:
    from benchmarks import load

    return load.run(quick=quick)


def _envs(quick: bool) -> str:
    from benchmarks import envs

    return envs.run(quick=quick)


def _leaks(quick: bool) -> str:
    from benchmarks import leaks

    return leaks.run(quick=quick)


def _allies(quick: bool) -> str:
    from benchmarks import allies

    return allies.run(quick=quick)


def _histories(quick: bool) -> str:
    from benchmarks import histories

    return histories.run(quick=quick)


def _million(quick: bool) -> str:
    from benchmarks import million

    return million.run(quick=quick)


def _together(quick: bool) -> str:
    from benchmarks import together

    return together.run(quick=quick)


def _server(quick: bool) -> str:
    from benchmarks.server.run import run

    return run(quick=quick)


def _slow(quick: bool) -> str:
    from benchmarks.server import slow_clients

    return slow_clients.run(quick=quick)


def _taps(quick: bool) -> str:
    from benchmarks.server import taps

    return taps.run(quick=quick)


def _levels(quick: bool) -> str:
    from benchmarks import levels

    return levels.run(quick=quick)


def _strategies(quick: bool) -> str:
    from benchmarks import strategies

    return strategies.run(quick=quick)


def _exploiting(quick: bool) -> str:
    from benchmarks import exploiting

    return exploiting.run(quick=quick)


def _answers(quick: bool) -> str:
    from benchmarks import answers

    return answers.run(quick=quick)


def _local_answers(quick: bool) -> str:
    from benchmarks import local_answers

    return local_answers.run(quick=quick)


_BENCHMARKS: Final[dict[str, Callable[[bool], str]]] = {
    "append": _append,
    "hands": _hands,
    "houses": _houses,
    "kalah": _kalah,
    "market": _market,
    "trading": _trading,
    "read": _read,
    "audit": _audit,
    "memory": _memory,
    "tables": _tables,
    "advice": _advice,
    "ranking": _ranking,
    "histories": _histories,
    "million": _million,
    "tournament": _tournament,
    "players": _players,
    "many": _many,
    "envs": _envs,
    "leaks": _leaks,
    "load": _load,
    "allies": _allies,
    "together": _together,
    "startup": _startup,
    "server": _server,
    "slow": _slow,
    "taps": _taps,
    "levels": _levels,
    "strategies": _strategies,
    "exploiting": _exploiting,
    "answers": _answers,
    "local-answers": _local_answers,
}


def main() -> None:
    """Run the named benchmarks, or all."""
    known = ", ".join(_BENCHMARKS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what must be fast.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{known}; all of them without a name")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a quick look")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(_BENCHMARKS):
        parser.error(f"there is no benchmark {min(unknown)!r}; the benchmarks are {known}")
    if arguments.quick:
        print("Smaller sizes than those of the requirements (--quick).\n")
    for name in arguments.names or _BENCHMARKS:
        print(_BENCHMARKS[name](arguments.quick), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
