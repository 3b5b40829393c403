"""The standings of players: means with confidence intervals, pairwise comparisons, and ratings.

The deals are the independent units: everything played on one deal, in all line-ups and orders, is averaged first, and
the intervals are those of Student's t over the deals, widened if the deals' means are skewed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import fsum
from typing import Any, Final, NamedTuple, TypeAlias

from pokersvc.tournament.comparison import Comparison, Mean, Sample, compared, decided_of, figures_of, together_of
from pokersvc.tournament.plan import Sitting, Tournament
from pokersvc.tournament.play import Played
from pokersvc.tournament.results import Differed
from pokersvc.tournament.student import CONFIDENCE, ENOUGH, ENOUGH_WITHOUT_LUCK, Spread, power

TOLD: Final = 100
"""The number of games between two reports of progress."""


class Rating(NamedTuple):
    """A player's strength by the Plackett-Luce model, and its uncertainty: one standard deviation."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class Standing:
    """The standing of one player."""

    name: str
    kind: str
    games: int
    mean: Mean
    """The result per game, in the game's own unit."""
    per_round: Mean | None
    """The result per round; None in a game whose rounds have no name."""
    measured: Mean | None
    """The result per round in the game's measure, such as mbb/hand; None in a game without one."""
    rating: Rating | None
    """The rating; None in a game that is not won or lost, since ranks then do not show who is better."""
    forfeits: Mapping[str, int]
    """Code of a forfeit → the number of choices forfeited with it."""
    differed_in: int | None
    """The game (from 1) in which the player answered differently in a batch than alone; None if that was not found."""
    with_luck: Mean | None = None
    """The result per game with luck, if all other figures are without luck; None if they include luck."""
    changed: int = 0
    """How often the player gave a different policy when it was asked again."""

    def figures(self) -> dict[str, Any]:
        """Return the player's figures, as plain JSON values."""
        per_round, per_round_error, per_round_thin = self.per_round or (None, None, None)
        rating, rating_sigma = self.rating or (None, None)
        as_played = (
            {}
            if self.with_luck is None
            else {"with_luck": self.with_luck.value, "with_luck_ci95": self.with_luck.error, "changed": self.changed}
        )
        return {
            "kind": self.kind,
            "games": self.games,
            "mean": self.mean.value,
            "ci95": self.mean.error,
            "ci95_thin": self.mean.thin,
            "per_round": per_round,
            "per_round_ci95": per_round_error,
            "per_round_ci95_thin": per_round_thin,
            **figures_of("measured", self.measured),
            "rating": rating,
            "rating_sigma": rating_sigma,
            **as_played,
        }


@dataclass(frozen=True)
class Meeting:
    """A pairwise comparison: the results of one player in games with another."""

    games: int
    ahead: float
    """The share of games in which the player ended ahead of the other; an equal rank counts half."""
    difference: Mean
    """The player's result per game minus the other's."""
    measured: Mean | None = None
    """The difference per round in the game's measure; None in a game without one."""
    power: float | None = None
    """The power to detect the least difference; None if none was planned, or with too few deals. At a table of two it
    refers to half the difference, which is the amount that one wins from the other.
    """
    together: float | None = None
    """Half the width of the difference's simultaneous interval, which holds together with those of all other pairs."""
    measured_together: float | None = None
    """The same half-width for the difference in the game's measure."""
    decided: bool = False
    """Whether it is decided which of the two is better, by Holm's procedure among all pairs."""


@dataclass(frozen=True)
class Standings:
    """The standings at the end of a tournament, with the players in the order in which they were named."""

    tournament: Tournament
    players: tuple[Standing, ...]
    meetings: Mapping[tuple[int, int], Meeting]
    """(player, other), by their numbers from 0 → their comparison; pairs that never meet are left out."""
    comparisons: tuple[Comparison, ...] = ()
    """The comparisons of the first candidate for a seat with each other candidate."""
    doubts: Mapping[str, int] = field(default_factory=dict)
    """Reason to doubt a local best response → how often it occurred
    (`pokersvc.tournament.response.Responder.doubts`)."""

    @property
    def order(self) -> list[int]:
        """The numbers of the players, the best first."""
        return sorted(range(len(self.players)), key=lambda number: -self.players[number].mean.value)

    def document(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        tournament = self.tournament
        return {
            "game": tournament.game.kind,
            "seed": tournament.seed,
            "seed_digest": tournament.seed_digest,
            "deals": tournament.deals,
            "seats": tournament.seats,
            "line_ups": len(tournament.line_ups),
            "orders": [[place + 1 for place in order] for order in tournament.orders],
            "rounds": tournament.rounds,
            "opening": tournament.opening,
            "games": tournament.games,
            "tournament": tournament.fingerprint,
            "unit": tournament.game.unit,
            "round_unit": tournament.game.round_unit,
            "aivat": tournament.aivat,
            "lbr": self._of_lbr(),
            "least": tournament.least,
            "least_unit": None if tournament.least is None else tournament.least_unit,
            "measure": None if tournament.measure is None else tournament.measure.name,
            "players": [
                {
                    "name": player.name,
                    **player.figures(),
                    "forfeits": dict(player.forfeits),
                    "differed_in": player.differed_in,
                }
                for player in self.players
            ],
            "meetings": [
                {
                    "player": self.players[one].name,
                    "other": self.players[other].name,
                    "games": meeting.games,
                    "ahead": meeting.ahead,
                    "difference": meeting.difference.value,
                    "difference_ci95": meeting.difference.error,
                    "difference_ci95_thin": meeting.difference.thin,
                    "difference_together_ci95": meeting.together,
                    "decided": meeting.decided,
                    **figures_of("difference_measured", meeting.measured),
                    "difference_measured_together_ci95": meeting.measured_together,
                    "power": meeting.power,
                }
                for (one, other), meeting in self.meetings.items()
            ],
            **self._of_candidates(),
        }

    def _of_lbr(self) -> dict[str, object] | None:
        if (terms := self.tournament.lbr) is None:
            return None
        doubts = {doubt: self.doubts.get(doubt, 0) for doubt in ("contradicted", "forfeited")}
        return {**terms._asdict(), "sizes": list(terms.sizes), **doubts}

    def _of_candidates(self) -> dict[str, object]:
        if not self.comparisons:
            return {}
        first = self.players[self.tournament.others].name
        return {
            "comparisons": [
                {"candidate": first, "other": self.players[one.other].name, **one.figures()} for one in self.comparisons
            ]
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per player, as for a spreadsheet."""
        return [
            {
                "player": player.name,
                **player.figures(),
                **{f"forfeits_{code}": player.forfeits.get(code, 0) for code in ("raised", "timeout", "illegal")},
                **{
                    f"ahead_of_{other.name}": self.meetings[number, against].ahead
                    if (number, against) in self.meetings
                    else None
                    for against, other in enumerate(self.players)
                },
                "seed": self.tournament.seed,
                "seed_digest": self.tournament.seed_digest,
            }
            for number, player in enumerate(self.players)
        ]


def standings(
    tournament: Tournament,
    played: Mapping[int, Played],
    differed: Mapping[str, Differed] = {},
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Standings:
    """Return the standings of a tournament that was played to its end; ``played`` has every game by its number.

    ``differed`` has the kinds of players that answered differently in a batch than alone (`Results.differed`).
    ``progress`` is called with the number of games rated; rating a million takes a minute or two.
    """
    sums = _Sums(tournament, played)
    rated = tournament.game.rated
    ratings = _ratings(tournament, played, progress) if rated else [None] * len(tournament.players)
    count, measure = len(tournament.players), tournament.measure
    players = tuple(
        Standing(
            seat.name,
            seat.kind,
            sums.games[number],
            sums.mean(number),
            sums.per_round(number) if tournament.game.round_unit is not None else None,
            None if measure is None else sums.per_round(number).times(measure.per_unit),
            ratings[number],
            dict(sums.forfeits[number]),
            _differed_in(differed.get(seat.kind), tournament),
            sums.with_luck(number) if tournament.aivat else None,
            sums.changed[number],
        )
        for number, seat in enumerate(tournament.players)
    )
    met = [pair for pair in permutations(range(count), 2) if sums.met[pair]]
    differences = {pair: sums.difference(pair) for pair in met}
    pairs = {pair: one for pair, one in differences.items() if pair[0] < pair[1]}
    decided, together = decided_of(pairs), together_of(len(pairs))
    meetings = {
        pair: sums.meeting(pair, difference, together, decided=(min(pair), max(pair)) in decided)
        for pair, difference in differences.items()
    }
    comparisons: tuple[Comparison, ...] = ()
    if tournament.candidates:
        first, *others = range(tournament.others, count)
        comparisons = compared(sums.by_deal(first), {other: sums.by_deal(other) for other in others}, sums.enough)
        comparisons = tuple(_in_measure(one, tournament, len(others)) for one in comparisons)
    return Standings(tournament, players, meetings, comparisons, dict(sums.doubts))


def _in_measure(one: Comparison, tournament: Tournament, count: int) -> Comparison:
    """Return one of ``count`` comparisons with its difference in the game's measure, and its power."""
    told = one.difference
    if tournament.measure is not None and tournament.rounds == 1:
        told = told.times(tournament.measure.per_unit)
        one = replace(one, measured=told)
    return replace(one, power=_power(told, tournament, together_of(count)))


def _power(told: Mean, tournament: Tournament, confidence: float = CONFIDENCE) -> float | None:
    if tournament.least is None or told.error is None or told.thin:
        return None
    return power(tournament.least, told.error, tournament.deals, confidence)


def _differed_in(found: Differed | None, tournament: Tournament) -> int | None:
    """Return the game (from 1) in which a player answered a batch differently; None if it is not among these deals."""
    return None if found is None or found.game >= tournament.games else found.game + 1


_ByDeal: TypeAlias = defaultdict[int, dict[int, float]]
"""Player → deal → what the player gained in all games on the deal."""


class _Sums:
    """Results added up by player and deal; on every deal, each player and each pair plays equally many games."""

    def __init__(self, tournament: Tournament, played: Mapping[int, Played]) -> None:
        self.tournament, self.deals, self.measure = tournament, tournament.deals, tournament.measure
        self.enough = ENOUGH_WITHOUT_LUCK if tournament.aivat else ENOUGH
        """The number of deals from which an interval is trusted."""
        self.games: Counter[int] = Counter()
        self.gains: _ByDeal = defaultdict(lambda: defaultdict(float))
        self.played: _ByDeal = defaultdict(lambda: defaultdict(float))
        """The gains including luck."""
        self.changed: Counter[int] = Counter()
        self.doubts: Counter[str] = Counter()
        self.rounds: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.forfeits: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.rounds_met: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        """(player, other) → deal → the number of rounds that both played."""
        self.met: Counter[tuple[int, int]] = Counter()
        self.ahead: Counter[tuple[int, int]] = Counter()
        """(player, other) → twice the number of games in which the player was ahead; an equal rank adds 1."""
        self.more: defaultdict[tuple[int, int], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for index in range(tournament.games):
            self._add(tournament.sitting(index), played[index])

    def mean(self, player: int) -> Mean:
        return self._sample(self.gains[player], self.games[player], self.enough).mean()

    def with_luck(self, player: int) -> Mean:
        return self._sample(self.played[player], self.games[player], ENOUGH).mean()

    def by_deal(self, player: int) -> list[float]:
        """Return a player's mean result on each deal, in the order of the deals."""
        games = self.games[player] // self.deals
        return [self.gains[player][deal] / games for deal in range(1, self.deals + 1)]

    def per_round(self, player: int) -> Mean:
        pairs = [(gain, self.rounds[player][deal]) for deal, gain in self.gains[player].items()]
        return ratio_of(pairs, self.enough).mean()

    def difference(self, pair: tuple[int, int]) -> Sample:
        """Return how much more one player has gained than another per game in which both played."""
        return self._sample(self.more[pair], self.met[pair], self.enough)

    def meeting(self, pair: tuple[int, int], difference: Sample, together: float, *, decided: bool) -> Meeting:
        """Return a pairwise comparison; all intervals with the confidence ``together`` hold jointly."""
        count, measured = self.met[pair], None
        if self.measure is not None:
            pairs = [(gain, self.rounds_met[pair][deal]) for deal, gain in self.more[pair].items()]
            measured = ratio_of(pairs, self.enough).times(self.measure.per_unit)
        told = difference if measured is None or self.tournament.rounds != 1 else measured
        if self.tournament.seats == 2:
            told = told.times(0.5)
        return Meeting(
            count,
            self.ahead[pair] / (2 * count),
            difference.mean(),
            None if measured is None else measured.mean(),
            _power(told.mean(together), self.tournament, together),
            difference.mean(together).error,
            None if measured is None else measured.mean(together).error,
            decided,
        )

    def _sample(self, by_deal: Mapping[int, float], games: int, enough: int) -> Sample:
        return Sample.of([total / (games // self.deals) for total in by_deal.values()], enough)

    def _add(self, sitting: Sitting, one: Played) -> None:
        deal, players = sitting
        self.doubts.update(one.doubts)
        gains = one.gains if one.without_luck is None else one.without_luck
        seated = list(zip(players, gains, one.ranks, one.forfeits, strict=True))
        if one.without_luck is not None:
            for player, with_luck, changed in zip(players, one.gains, one.changed, strict=True):
                self.played[player][deal] += with_luck
                self.changed[player] += changed
        for player, gain, rank, forfeits in seated:
            self.games[player] += 1
            self.gains[player][deal] += gain
            self.rounds[player][deal] += one.rounds
            self.forfeits[player].update(forfeits)
            for other, their_gain, their_rank, _ in seated:
                if other != player:
                    self.met[player, other] += 1
                    self.ahead[player, other] += 2 * (their_rank > rank) + (their_rank == rank)
                    self.more[player, other][deal] += gain - their_gain
                    self.rounds_met[player, other][deal] += one.rounds


def ratio_of(pairs: Sequence[tuple[float, int]], enough: int) -> Sample:
    """Return the gain per round, from each deal's gain and number of rounds: sum of gains divided by sum of rounds.

    Its interval is that of the ratio estimator: from the deals' residuals divided by the mean number of rounds.
    """
    rounds = sum(count for _, count in pairs)
    if not rounds:
        return Sample(0.0, Spread.of([0.0]))
    ratio = fsum(gain for gain, _ in pairs) / rounds
    residuals = [gain - ratio * count for gain, count in pairs]
    return Sample(ratio, Spread.of(residuals, enough).times(len(pairs) / rounds))


def _ratings(tournament: Tournament, played: Mapping[int, Played], progress: Callable[[int], None]) -> list[Rating]:
    """Return the ratings after all games, rated one by one in the order of their numbers; equal ranks are draws."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in tournament.players]
    for index in range(tournament.games):
        if index and not index % TOLD:
            progress(TOLD)
        players = tournament.sitting(index).players
        teams = [[ratings[player]] for player in players]
        for player, [rated] in zip(players, model.rate(teams, ranks=[*map(float, played[index].ranks)]), strict=True):
            ratings[player] = rated
    return [Rating(rating.mu, rating.sigma) for rating in ratings]
