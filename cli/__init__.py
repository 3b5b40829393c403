"""The program `pokersvc`."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.cli import bars as bars
    from pokersvc.cli import drawn_screen as drawn_screen
    from pokersvc.cli import main as main
    from pokersvc.cli import report_facts as report_facts
    from pokersvc.cli import report_page as report_page
    from pokersvc.cli import report_session as report_session
    from pokersvc.cli import standings as standings
    from pokersvc.cli import stats_discards as stats_discards
    from pokersvc.cli import stats_plots as stats_plots
    from pokersvc.cli import stats_shown as stats_shown
else:
    __getattr__ = imported_when_used(__name__)
