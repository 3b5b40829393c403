"""Reading games: lists, histories, replays and reports."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.cli.replay import report_facts as report_facts
    from pokersvc.cli.replay import report_page as report_page
    from pokersvc.cli.replay import report_session as report_session
else:
    __getattr__ = imported_when_used(__name__)
