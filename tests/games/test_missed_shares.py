"""Missed shares in every house: the audit of the log has no findings, nor has any viewer's export."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.tables.table_events import ComeBack
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import export
from pokersvc.evidence.audit import audit
from pokersvc.evidence.verified import verify_export
from pokersvc.service import Service
from tests.shuffling import Table, Turned

MOST: Final = 5
"""The maximum number of rounds; then no seat renews its chain, and the game ends."""


def tables() -> Iterator[Any]:
    """Every house of every game whose seats can shuffle together."""
    for kind in filter(lambda kind: game_of(kind).dealt_together, game_kinds()):
        houses: list[dict[str, object]] = [{"rules": house.name} for house in game_of(kind).houses()]
        every: list[dict[str, object]] = houses or [{"markets": 5}]
        for at, options in enumerate(every):
            marks = [pytest.mark.slow] * (at % 3 > 0)
            yield pytest.param(kind, options, id="-".join([kind, *map(str, options.values())]), marks=marks)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    with Database.for_writing(str(tmp_path / "games.sqlite")) as database:
        yield EventLog(database)
        assert [finding for audited in audit(database) for finding in audited.findings] == []


def evening(table: Table, random: Random) -> None:
    """Play rounds in which some shares are late, and seats that sit out come back now and then."""
    service, game_id = table.service, table.game_id
    table.bind()
    for _ in range(MOST):
        if service.status(game_id).outcome is not None:
            return
        for seat in table.replay.table.sitting_out:
            if random.random() < 0.6:
                with suppress(IllegalAction):
                    service.table_act(game_id, ComeBack(seat))
        table.follow()
        try:
            table.open_round()
        except IllegalAction as refused:
            if refused.code not in ("nobody_sits_in", "nobody_bound"):
                raise
            continue
        waiting = table.dealing.waiting
        late = [seat for seat in waiting if random.random() < 0.4][: len(waiting) - 1]
        table.share(*[seat for seat in waiting if seat not in late])
        if late:
            table.miss()
        table.play_round()


@pytest.mark.parametrize(("kind", "options"), list(tables()))
def test_a_log_with_missed_shares_is_whole_and_so_is_what_each_viewer_takes_home(
    kind: str, options: dict[str, object], log: EventLog, tmp_path: Path
) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, kind=kind, people=3, bots=1, options=options)
    evening(table, Random(str(options)))
    with log.snapshot() as snapshot:
        types = [record.type for record in snapshot.read(table.game_id)]
    assert types.count("ShareMissed") > 0
    assert types.count("RoundForgone") > 0
    viewers: list[Viewer] = [EVERYONE, 1, 3]
    for viewer in (*viewers, AUDITOR):
        file = tmp_path / f"{viewer}.jsonl"
        with file.open("wb") as opened:
            export.write(opened, log, table.game_id, viewer, force=True)
        verified = verify_export(file)
        assert verified.passed, (viewer, verified.findings)
