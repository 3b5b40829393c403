"""The ranking of a ladder: each member's mean win from all others on the same deals, and its rating, with intervals.

Every figure counts the same deals for each two members, so all members are measured equally well, whoever came first;
and every sum is taken in the order of names, so the figures are the same to the last digit in whatever order the
members came.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pokersvc.tournament.comparison import Mean, Sample, decided_of, figures_of, together_of
from pokersvc.tournament.ladder.ladders import DealPlayed, Ladder, Member
from pokersvc.tournament.ladder.ratings import common_deals, fitted
from pokersvc.tournament.ladder.store import LadderStore, Pair, Progress
from pokersvc.tournament.standings import ratio_of
from pokersvc.tournament.student import ENOUGH, Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Ranked:
    """A member of a ladder with its figures; each column's intervals hold jointly for all members with 95 %."""

    member: Member
    games: int
    rating: Mean
    """Its rating on the scale of Elo, by the share of points that it won from each other member."""
    points: float
    """The share of points that it won from all others, from 0 to 1."""
    mean: Mean
    """The gain of one of its seats in a game, in the game's unit, on average over all others."""
    measured: Mean | None
    """The seat's gain per round, in the game's measure, such as mbb/hand; None in a game without one."""
    better_from: int | None
    """The first place from which on all members are decidedly worse than this one; None if there is none."""
    forfeits: Mapping[str, int]
    """Code of a forfeit → the number of choices forfeited with it, on the deals that count."""


@dataclass(frozen=True)
class Ranking:
    """The ranking of a ladder, as far as it has been played."""

    ladder: Ladder
    deals: int
    """The number of deals that count: all members that are ranked have played them against each other."""
    ranked: tuple[Ranked, ...]
    """The members that are ranked, the best first."""
    unranked: tuple[Member, ...]
    """The members that have not yet played all others on these deals, by name."""
    missing_games: int
    """The number of games that are still to be played."""

    def document(self, *, kinds: bool = True) -> dict[str, object]:
        """Return everything but the seed as plain JSON values; without ``kinds``, no file of a player is named."""
        ladder = self.ladder
        return {
            "ladder": ladder.name,
            "game": ladder.kind,
            "title": ladder.title,
            "house": ladder.house,
            "seats": ladder.seats,
            "rounds": ladder.rounds,
            "opening": ladder.opening,
            "seed_digest": ladder.seed_digest,
            "deals": ladder.deals,
            "deals_counted": self.deals,
            "games_per_deal": ladder.games_per_deal,
            "missing_games": self.missing_games,
            "anchor": ladder.anchor,
            "unit": ladder.game.unit,
            "measure": None if ladder.measure is None else ladder.measure.name,
            "ordered_by": "rating" if ladder.game.rated else "mean",
            "members": [
                {
                    "place": place,
                    "name": one.member.name,
                    "kind": self._kind(one.member, named=kinds),
                    "games": one.games,
                    **figures_of("rating", one.rating),
                    "points": one.points,
                    **figures_of("mean", one.mean),
                    "thin": one.mean.thin or one.rating.thin,
                    **figures_of("measured", one.measured),
                    "better_from": one.better_from,
                    "forfeits": dict(one.forfeits),
                }
                for place, one in enumerate(self.ranked, 1)
            ],
            "unranked": [{"name": one.name, "kind": self._kind(one, named=kinds)} for one in self.unranked],
        }

    def _kind(self, member: Member, *, named: bool) -> str | None:
        return member.kind if named or member.kind in self.ladder.game.players else None


def ranking_of(store: LadderStore, name: str) -> Ranking:
    """Return the ranking of a ladder of this name; raise `UnknownLadder` if there is none."""
    return ranked(store.progress(name), store.results(name))


def ranked(progress: Progress, results: Mapping[Pair, Mapping[int, DealPlayed]]) -> Ranking:
    """Return the ranking by these results."""
    ladder, names = progress.ladder, sorted(progress.members)
    numbers = {name: number for number, name in enumerate(names)}
    whole = [(numbers[pair.one], numbers[pair.other], _without_gap(deals, ladder)) for pair, deals in results.items()]
    chosen, deals = common_deals(whole, len(names))
    members = [progress.members[names[number]] for number in chosen]
    others = tuple(progress.members[name] for number, name in enumerate(names) if number not in chosen)
    found = _Figures(ladder, members, deals, results).ranked() if members else ()
    return Ranking(ladder, deals, found, others, progress.missing_games)


def _without_gap(deals: Mapping[int, DealPlayed], ladder: Ladder) -> int:
    """Return the number of deals, counted from the first, on which every pair has played."""
    return next((deal - 1 for deal in range(1, ladder.deals + 1) if deal not in deals), ladder.deals)


class _Figures:
    """The figures of members on deals that all of them have played; members are numbered in the order of names."""

    def __init__(
        self, ladder: Ladder, members: Sequence[Member], deals: int, results: Mapping[Pair, Mapping[int, DealPlayed]]
    ) -> None:
        count = len(members)
        self.ladder, self.members, self.deals = ladder, members, deals
        self.forfeits: list[Counter[str]] = [Counter() for _ in members]
        self.gains = np.zeros((count, deals))
        """[member, deal]: what a seat gained in a game, on average over all others."""
        self.rounds = np.zeros((count, deals))
        """[member, deal]: how many rounds its seats have played."""
        self.shares = np.zeros((count, count, deals))
        half, games = ladder.seats // 2, ladder.games_per_deal
        for one, other in combinations(range(count), 2):
            played = results[Pair(members[one].name, members[other].name)]
            for deal in range(deals):
                result = played[deal + 1]
                share = _share(ladder, result)
                self.shares[one, other, deal], self.shares[other, one, deal] = share, 1 - share
                for member, gain, codes in zip((one, other), result.gains, result.forfeits, strict=True):
                    self.gains[member, deal] += gain / (half * games * (count - 1))
                    self.rounds[member, deal] += result.rounds * half
                    self.forfeits[member].update(codes)

    def ranked(self) -> tuple[Ranked, ...]:
        """Return the members with their figures, the best first."""
        count, game = len(self.members), self.ladder.game
        names = [member.name for member in self.members]
        anchor = names.index(self.ladder.anchor) if self.ladder.anchor in names else None
        ratings, moves = fitted(self.shares, anchor)
        together = together_of(count)
        order_of = ratings if game.rated else self.gains.mean(axis=1)
        order = sorted(range(count), key=lambda number: (-order_of[number], names[number]))
        decided = self._decided(order, moves if game.rated else self.gains, order_of)
        found = []
        for number in order:
            mean = Sample.of(self.gains[number].tolist())
            rating = Sample(float(ratings[number]), Spread.of(moves[number].tolist()))
            found.append(
                Ranked(
                    self.members[number],
                    self.deals * self.ladder.games_per_deal * (count - 1),
                    rating.mean(together),
                    float(self.shares[number].sum()) / ((count - 1) * self.deals),
                    mean.mean(together),
                    self._measured(number, together),
                    _better_from(order, number, decided),
                    dict(self.forfeits[number]),
                )
            )
        return tuple(found)

    def _measured(self, number: int, together: float) -> Mean | None:
        if (measure := self.ladder.measure) is None:
            return None
        each = self.ladder.games_per_deal * (len(self.members) - 1) * (self.ladder.seats // 2)
        pairs = [
            (gain * each, rounds)
            for gain, rounds in zip(self.gains[number].tolist(), self.rounds[number].tolist(), strict=True)
        ]
        return ratio_of(pairs, ENOUGH).times(measure.per_unit).mean(together)

    def _decided(
        self, order: Sequence[int], by_deal: "NDArray[np.float64]", means: "NDArray[np.float64]"
    ) -> set[tuple[int, int]]:
        """Return the pairs (better, worse) that are significant by Holm's procedure among all pairs."""
        differences = {}
        for better, worse in combinations(order, 2):
            apart = (by_deal[better] - by_deal[worse]).tolist()
            spread = Sample.of(apart).spread
            differences[better, worse] = Sample(float(means[better] - means[worse]), spread)
        return decided_of(differences)


def _share(ladder: Ladder, result: DealPlayed) -> float:
    """Return the share of a deal's points that the first of two members won.

    In a game that is won or lost, they are the points of its games. In other games, the member who gained more in all
    seat orders together wins the whole deal, as in bridge: both have played the better cards.
    """
    if ladder.game.rated:
        return result.ahead / (2 * ladder.meetings_per_deal)
    mine, theirs = result.gains
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def _better_from(order: Sequence[int], number: int, decided: set[tuple[int, int]]) -> int | None:
    place = len(order)
    while (other := order[place - 1]) != number and (number, other) in decided:
        place -= 1
    return None if place == len(order) else place + 1
