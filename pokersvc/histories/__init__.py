"""Hand histories of other sites: reading them, checking them against the rules, writing them, and statistics."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.histories import archive as archive
    from pokersvc.histories import checking as checking
    from pokersvc.histories import dry_run as dry_run
    from pokersvc.histories import exporting as exporting
    from pokersvc.histories import following as following
    from pokersvc.histories import importing as importing
    from pokersvc.histories import reading as reading
    from pokersvc.histories import sessions as sessions
    from pokersvc.histories import sources as sources
    from pokersvc.histories import writers as writers
else:
    __getattr__ = imported_when_used(__name__)
