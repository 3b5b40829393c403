"""Logs of evenings and tournaments with one event changed and all hashes recomputed: undetected changes move no chip.

Whoever knows the hash of the last event finds every change. Without it, a log can say of some things that they were
otherwise, if nothing else in it depends on them: under which name somebody sat down, which host admitted a purchase,
what was wished and never came to pass, a limit that nobody reached.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.record import Record
from tests.audit.changes import others
from tests.audit.judging import judged
from tests.audit.played import rehashed
from tests.games.draw_poker.test_chip_race import LEVELS as WITH_RACES
from tests.games.draw_poker.test_tournament_logs import SOLD, logs
from tests.web.cash_evenings import ruled_evenings
from tests.web.played import repeatable

MIGHT_HAVE_BEEN: Final[Mapping[str, Collection[str]]] = {
    "BombPotAnnounced": {"by"},
    "PurchaseAdmitted": {"by"},
    "PurchaseAsked": {"amount", "name", "person", "seat"},  # of a purchase that came to nothing
    "PurchaseRefused": {"by"},
    "SatDown": {"name", "person"},
    "SatOut": {"seat"},
    "SeatReplaced": {"seat"},
    # of stakes by which no round was played, or that nobody met:
    "StakesChanged": {"by", *(f"stakes.{name}" for name in ("final_minimum", "increase", "small", "straddle"))},
    "TableSet": {"advice", "bank", "opens_seeds", "seconds"},
    "WishesSet": {"in_with_blind", "out_at_blind", "seat", "straddles", "top_up_to"},  # that came to nothing
    "GameStarted": {
        *("cash.away_rounds", "cash.most", "cash.least", "cash.return_rounds", "program", "seats"),
        *("rules.betting.final_minimum", "rules.betting.minimum", "rules.muck_all_in", "rules.player", "rules.samples"),
        *("rules.stack", "rules.stay", "table.button", "table.hand", "table.numbers"),
        *("levels.schedule", "rules.betting.most_bets"),  # of levels and raises that nobody reached
    },
}
"""Type of event → the fields of which the rest of a log need not tell the value."""


def played(folder: Path) -> Iterator[list[Record]]:
    """Yield the logs of cash games with rules of their own, and of tournaments with levels, races and entries."""
    with repeatable(11):
        yield from (evening.records for evening in ruled_evenings(folder, Random(11), 12))
        kinds = (HUMAN, "random", HUMAN, "random")
        games = {name: (name, kinds, {"text": name, **SOLD}) for name in "abc"}
        raced = {name: (name, kinds, {"text": name, "levels": WITH_RACES, "stack": "1003"}) for name in "de"}
        yield from logs(folder / "tournaments.sqlite", *games.values(), *raced.values()).values()


def differing(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the fields that differ, such as ``table.hand`` for one of a part."""
    for name in was:
        if isinstance(was[name], dict) and isinstance(now.get(name), dict):
            yield from (f"{name}.{field}" for field in differing(was[name], now[name]))
        elif was[name] != now.get(name):
            yield name


def changes(logs: list[list[Record]], random: Random) -> Iterator[tuple[list[Record], str, frozenset[str]]]:
    """Yield logs with one event changed, each type as often as any other; also its type, and the fields changed."""
    events: dict[str, list[tuple[list[Record], int]]] = {}
    for records in logs:
        for at, record in enumerate(records):
            events.setdefault(record.type, []).append((records, at))
    types = sorted(events)
    while True:
        records, at = random.choice(events[random.choice(types)])
        was: dict[str, Any] = json.loads(records[at].payload)
        if not (variants := [other for other in others(was) if other != was]):
            continue
        other = random.choice(variants)
        fields = frozenset(differing(was, other))
        payload = json.dumps(other, separators=(",", ":"), sort_keys=True)
        changed = [*records[:at], records[at]._replace(payload=payload), *records[at + 1 :]]
        yield rehashed(changed), records[at].type, fields


@pytest.mark.slow
@pytest.mark.parametrize("number", [100, pytest.param(3000, marks=[pytest.mark.slow, pytest.mark.exhaustive])])
def test_what_is_changed_in_an_evening_is_found(tmp_path: Path, number: int, measured: Callable[[str], None]) -> None:
    logs = list(played(tmp_path))
    assert [judged("draw", records) for records in logs] == [[]] * len(logs)
    made = changes(logs, Random(number))
    heads, missed = {records[-1].hash for records in logs}, []
    for _ in range(number):
        records, type_, fields = next(made)
        assert records[-1].hash not in heads
        if not judged("draw", records):
            missed.append((type_, fields))
    measured(f"Tampering with evenings: {number:,} changes, of {len(missed):,} of which nothing in the log tells")
    assert [one for one in missed if not one[1] <= {*MIGHT_HAVE_BEEN.get(one[0], ())}] == []
    assert len(missed) < number / 10
