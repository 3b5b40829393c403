"""A ladder as charts: each member's gain and rating, with intervals that hold jointly."""

from pokersvc.plots.charts import Bar, Bars, Chart
from pokersvc.text import counted
from pokersvc.tournament.ladder.ranking import Ranking
from pokersvc.tournament.ladder.ratings import MIDDLE

_TOGETHER = "all together with 95% confidence"


def charts(ranking: Ranking) -> list[Chart]:
    """Return the charts, each with the best member first; the ratings come first where games are won or lost."""
    ladder, ranked = ranking.ladder, ranking.ranked
    if not ranked:
        return []
    measure = ladder.measure
    title = f"{ladder.name}: {counted(ranking.deals, 'deal')}, {counted(len(ranked), 'bot')}"
    told = [(one.member.name, one.mean if one.measured is None else one.measured) for one in ranked]
    gains = Bars(
        title,
        f"{ladder.game.unit} a game" if measure is None else measure.name,
        [Bar(name, mean.value, mean.error) for name, mean in told],
        sum(mean.value for _, mean in told) / len(told),
        _TOGETHER,
    )
    ratings = Bars(
        title,
        f"rating less {MIDDLE:,.0f}",
        [Bar(one.member.name, one.rating.value - MIDDLE, one.rating.error) for one in ranked],
        0.0,
        _TOGETHER,
    )
    return [ratings, gains] if ladder.game.rated else [gains, ratings]
