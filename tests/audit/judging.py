"""The findings of an audit, or of verifying a copy, for a list of records."""

from typing import Final, NamedTuple

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, may_see
from pokersvc.core.registry import game_of
from pokersvc.eventlog.record import Record, shared
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.walk import Walk

VIEWERS: Final[tuple[Viewer, ...]] = (AUDITOR, EVERYONE, 1)


class Found(NamedTuple):
    seq: int | None
    check: str
    expected: str


def judged(kind: str, records: list[Record], viewer: Viewer = AUDITOR) -> list[Found]:
    """Return the findings of an audit, or of verifying a copy."""
    game, found = game_of(kind), []

    def report(check: str, record: AnyRecord | None, _found: str, expected: str) -> None:
        found.append(Found(record.seq if record else None, check, expected))

    def failed(record: AnyRecord | None, error: Exception) -> None:
        raise error

    walk = Walk(game, report, failed, over=True, viewer=viewer)
    for record in records:
        opened = viewer == AUDITOR or may_see(game.codec.decode(*record[2:4], *record[7:9]), viewer)
        walk.follow(shared(record, opened=opened))
    walk.end()
    return found
