"""Many comparisons at once: of candidates that fill the same seat in turn, and of all pairs of a tournament.

All candidates play the same deals in the same seats against the same others, and so do the players of a tournament, so
the difference of two results on one deal has little luck in it. With many differences, some would seem significant by
chance more often than the confidence says. So the intervals hold simultaneously (Bonferroni), and significance is
decided by S. Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979), which is more powerful.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple, TypeVar

from pokersvc.tournament.student import CONFIDENCE, ENOUGH, Spread

KeyT = TypeVar("KeyT")


class Mean(NamedTuple):
    """A mean, and half the width of its 95 % confidence interval (None if there are too few deals)."""

    value: float
    error: float | None
    thin: bool = False
    """Whether the spread depends on so few deals that the interval may be too narrow."""

    @classmethod
    def of(cls, values: Sequence[float], confidence: float = CONFIDENCE) -> "Mean":
        """Return the mean of values, one per deal, with its interval."""
        return Sample.of(values).mean(confidence)

    def times(self, factor: float) -> "Mean":
        """Return the mean in another unit; one present unit is ``factor`` new units."""
        return Mean(self.value * factor, None if self.error is None else self.error * factor, self.thin)


class Sample(NamedTuple):
    """A mean with the spread of its values, from which its interval follows with any confidence."""

    value: float
    spread: Spread

    @classmethod
    def of(cls, values: Sequence[float], enough: int = ENOUGH) -> "Sample":
        """Return the mean of values, one per deal, and their spread; fewer than ``enough`` deals count as thin."""
        mean = fsum(values) / len(values)
        return cls(mean, Spread.of([value - mean for value in values], enough))

    def times(self, factor: float) -> "Sample":
        """Return the mean in another unit; one present unit is ``factor`` (above 0) new units."""
        return Sample(self.value * factor, self.spread.times(factor))

    def mean(self, confidence: float = CONFIDENCE) -> Mean:
        """Return the mean with its interval."""
        return Mean(self.value, self.spread.half_width(confidence), self.spread.thin)


def figures_of(name: str, mean: Mean | None) -> dict[str, object]:
    """Return a mean and its interval as plain JSON values, under a name; None for both if there is no mean."""
    value, error, _ = mean or (None, None, None)
    return {name: value, f"{name}_ci95": error}


@dataclass(frozen=True)
class Comparison:
    """The first candidate's result per game minus another candidate's, in the same seats on the same deals."""

    other: int
    """The number of the other candidate among the players, from 0."""
    difference: Mean
    """The mean difference; the intervals of all comparisons hold together with 95 % confidence."""
    decided: bool
    """Whether it is decided which of the two is better."""
    measured: Mean | None = None
    """The difference per round in the game's measure; None without one, or if a game has more than one round."""
    power: float | None = None
    """The probability that the least difference would be decided; None if none was planned, or with too few deals."""

    def figures(self) -> dict[str, object]:
        """Return the figures as plain JSON values."""
        return {
            "difference": self.difference.value,
            "difference_ci95": self.difference.error,
            "difference_ci95_thin": self.difference.thin,
            "decided": self.decided,
            **figures_of("difference_measured", self.measured),
            "power": self.power,
        }


def compared(
    first: Sequence[float], others: Mapping[int, Sequence[float]], enough: int = ENOUGH
) -> tuple[Comparison, ...]:
    """Return the comparisons of the first candidate's results, one per deal, with those of each other candidate.

    With fewer than ``enough`` deals no difference is decided.
    """
    differences = {
        other: Sample.of([one - theirs for one, theirs in zip(first, results, strict=True)], enough)
        for other, results in others.items()
    }
    decided = decided_of(differences)
    together = together_of(len(differences))
    return tuple(Comparison(other, one.mean(together), other in decided) for other, one in differences.items())


def together_of(count: int) -> float:
    """Return the confidence of each of ``count`` intervals that hold jointly with 95 %."""
    return 1 - (1 - CONFIDENCE) / count


def decided_of(differences: Mapping[KeyT, Sample]) -> set[KeyT]:
    """Return which differences are significant by Holm's procedure: each step tests the clearest of those left.

    A difference from too few deals is never decided; it counts among the remaining differences.
    """
    decided: set[KeyT] = set()
    able = {key for key, one in differences.items() if not one.spread.thin}
    while able:
        together = together_of(len(differences) - len(decided))
        clear = {key: _clear(differences[key].mean(together)) for key in able}
        clearest = max(able, key=clear.__getitem__)
        if clear[clearest] <= 1:
            break
        decided.add(clearest)
        able.remove(clearest)
    return decided


def _clear(mean: Mean) -> float:
    """Return a mean's distance from 0, in half-widths of its interval."""
    return 0.0 if mean.error is None else abs(mean.value) / mean.error
