"""Statistics of players, and tournaments of bots."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.cli.statistics import ladder_table as ladder_table
    from pokersvc.cli.statistics import standings as standings
    from pokersvc.cli.statistics import stats_discards as stats_discards
    from pokersvc.cli.statistics import stats_plots as stats_plots
    from pokersvc.cli.statistics import stats_prizes as stats_prizes
    from pokersvc.cli.statistics import stats_tables as stats_tables
else:
    __getattr__ = imported_when_used(__name__)
