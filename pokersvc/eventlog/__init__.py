"""The append-only, hash-chained event log, in SQLite or PostgreSQL; it knows no game."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.eventlog import address as address
    from pokersvc.eventlog import backup as backup
    from pokersvc.eventlog import changes as changes
    from pokersvc.eventlog import check as check
    from pokersvc.eventlog import claim as claim
    from pokersvc.eventlog import high_water_mark as high_water_mark
    from pokersvc.eventlog import merkle as merkle
    from pokersvc.eventlog import record as record
    from pokersvc.eventlog import roles as roles
    from pokersvc.eventlog import schema as schema
else:
    __getattr__ = imported_when_used(__name__)
