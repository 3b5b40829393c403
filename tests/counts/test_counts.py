"""The work per hand, event and command stays within a twentieth of the stored counts.

Times say so only on a quiet machine, and long after (`docs/benchmarks.md`); these counts are the same on every machine.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from .__main__ import STORED, VERSION, stored
from .work import Figures

ROOT: Final = Path(__file__).parent.parent.parent
FIGURES: Final = stored()
WITHIN: Final = 0.05
STORE: Final = "python -m tests.counts --store"
WASTED: Final = """
from {module} import {of}
from tests.counts.__main__ import main

done = {of}.{name}
{of}.{name} = lambda self, *given: {first}done(self, *given)
main([])
"""
"""A script that counts while a method is replaced by a wasteful one, which may call it twice."""
TWICE: Final = "done(self, *given) and "


def of_this_python() -> Figures:
    if VERSION not in FIGURES:
        pytest.skip(f"Figures are stored for Python {', '.join(FIGURES)}; `{STORE}` adds those of Python {VERSION}.")
    return FIGURES[VERSION]


@cache
def counted(*arguments: str, hashes: str = "random") -> Figures:
    """Count in a new process, without warm caches or tracing."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    environment["PYTHONHASHSEED"] = hashes
    done = subprocess.run(
        [sys.executable, *(arguments or ("-m", "tests.counts"))],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    found: Figures = json.loads(done.stdout)
    return found


def wrong(known: Figures, found: Figures) -> list[str]:
    """Return, for each count that differs by more than a twentieth, a message on what to do."""
    measures = {(what, measure) for some in (known, found) for what, figures in some.items() for measure in figures}
    said = []
    for what, measure in sorted(measures):
        before, now = known.get(what, {}).get(measure), found.get(what, {}).get(measure)
        if before is None or now is None:
            said.append(f"{measure} of {what} are {now} and stored as {before}; store the figures: {STORE}")
        elif abs(now - before) > before * WITHIN:
            why = "find what it does in vain, or where that is needed" if now > before else "so that it stays won"
            said.append(
                f"{what} takes {now:,} {measure}, {now / before - 1:+.1%} of the {before:,} in {STORED.name};"
                f" {why}, store the figures: {STORE}"
            )
    return said


def test_what_is_done_stays_within_a_twentieth_of_what_is_stored() -> None:
    known = of_this_python()
    found = wrong(known, counted())
    assert not found, "\n".join(found)


def test_a_figure_that_is_a_twentieth_more_or_less_is_told_with_how_to_store_it() -> None:
    known: Figures = {"an event read": {"calls": 20, "builtins": 20}, "a command": {"bytes": 1000}}
    assert wrong(known, {"an event read": {"calls": 21, "builtins": 19}, "a command": {"bytes": 1050}}) == []
    assert wrong(known, {"an event read": {"calls": 21.1, "builtins": 18}, "a command": {"bytes": 1000}}) == [
        "an event read takes 18 builtins, -10.0% of the 20 in figures.json;"
        " so that it stays won, store the figures: python -m tests.counts --store",
        "an event read takes 21.1 calls, +5.5% of the 20 in figures.json;"
        " find what it does in vain, or where that is needed, store the figures: python -m tests.counts --store",
    ]
    assert wrong(known, {"an event read": {"calls": 20, "builtins": 20}}) == [
        "bytes of a command are None and stored as 1000; store the figures: python -m tests.counts --store"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "method", "first", "told"),
    [
        ("pokersvc.core.codec", "EventCodec.decode", "", "an event read takes"),
        ("pokersvc.core.codec", "EventCodec.is_stored_as", TWICE, "an audited event takes"),
        ("pokersvc.games.draw_poker.state", "DrawPokerState.dealer_event", TWICE, "a hand played in memory takes"),
        ("pokersvc.eventlog.statements", "Statements.guard", TWICE, "a command takes"),
    ],
)
def test_something_needless_is_noticed(module: str, method: str, first: str, told: str) -> None:
    """The first adds one call for each event read, the last one SQL statement for each command."""
    of, _, name = method.partition(".")
    found = wrong(of_this_python(), counted("-c", WASTED.format(module=module, of=of, name=name, first=first)))
    assert any(line.startswith(told) for line in found), found


@pytest.mark.slow
def test_counts_do_not_depend_on_hashes() -> None:
    assert counted(hashes="1") == counted(hashes="2")
