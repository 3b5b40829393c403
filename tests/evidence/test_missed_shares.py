"""Sentences of an audit about a common shuffle: who took part, and whose shares were missed."""

from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from tests.shuffling import Table, Turned


def test_an_audit_reports_missed_shares_by_seat(log: EventLog, database: Database) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, people=3, bots=0, rounds=1)
    table.bind()
    table.open_round()
    table.share(1, 3)
    table.miss()
    (audited,) = audit(database, [table.game_id])
    assert audited.passed
    assert audited.missed_shares == {2: 1}
    assert audited.shuffled is not None
    assert audited.shuffled.startswith("Shuffled together by Ann in round 1; Cy in round 1. Missed: 1 share of Bob.")


def test_an_audit_says_nothing_of_a_shuffle_where_the_dealer_shuffles(log: EventLog, database: Database) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, settings=TableSettings())
    (audited,) = audit(database, [table.game_id])
    assert (audited.shuffled, audited.missed_shares) == (None, {})
