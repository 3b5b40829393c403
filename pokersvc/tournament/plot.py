"""A tournament as charts: each player's mean with its confidence interval, and ratings if games are won or lost."""

from pokersvc.plots.charts import Bar, Bars, Chart
from pokersvc.text import counted
from pokersvc.tournament.standings import Standings


def charts(standings: Standings) -> list[Chart]:
    """Return the charts, each with the best player first; the middle of the first chart is the mean of all players."""
    tournament = standings.tournament
    best_first = [standings.players[number] for number in standings.order]
    means = Bars(
        f"{counted(tournament.deals, 'deal')}, {counted(tournament.games, 'game')}",
        f"{tournament.game.unit} a game",
        [Bar(player.name, player.mean.value, player.mean.error) for player in best_first],
        sum(player.mean.value for player in best_first) / len(best_first),
        interval="with 95% confidence",
    )
    rated = [(player.name, player.rating) for player in best_first if player.rating is not None]
    if not rated:
        return [means]
    ratings = [Bar(name, rating.mu, rating.sigma) for name, rating in rated]
    return [means, Bars("Ratings", "rating", ratings, None, "with one standard deviation")]
