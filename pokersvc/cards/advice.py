"""Advice before the draw: every discard of a hand with its value and possible outcomes, the best first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, get_args

from pokersvc.cards import discards
from pokersvc.cards.card import Card
from pokersvc.cards.discards import BY_PREFERENCE, SIZES, Values, category_counts, checked_cards
from pokersvc.cards.hand import InvalidHand
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cards.playing import DiscardResult, Draw, play
from pokersvc.cards.ranking import Category
from pokersvc.cards.sampling import Sampling, sampled
from pokersvc.cards.worth import ABBREVIATED, choice_in_words, comes_to, in_short, in_words, of_100
from pokersvc.errors import InvalidValue

Aim = Literal["win", "rank", "linear", "code"]
AIMS: Final[tuple[Aim, ...]] = get_args(Aim)


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective by which a discard is judged: the chance to win against opponents, or the mean of a scale of hands.

    Raises `InvalidValue` for an unknown aim, and for opponents and draws that `win_values` rejects.
    """

    aim: Aim = "win"
    """``win``: the chance to win; ``rank``, ``linear`` or ``code``: the mean of that scale."""
    opponents: int = 1
    """The number of opponents, 1 to 9."""
    drew: tuple[int, ...] = ()
    """The numbers of cards that the first opponents are known to have drawn, in the order of their draws."""
    earlier: int = 0
    """The number of other opponents who draw before the player, with an unknown number of cards."""
    folded: int = 0
    """The number of players who folded the hand that they were dealt."""

    def __post_init__(self) -> None:
        if self.aim not in AIMS:
            raise InvalidValue(f"There is no objective {self.aim!r}; the objectives are {', '.join(AIMS)}.")
        _ = self.values, self.draw

    @property
    def draw(self) -> Draw:
        """The order in which players draw, with the numbers of cards that are known."""
        return Draw(self.opponents, len(self.drew) + self.earlier, self.drew, self.folded)

    def is_played(self, dead: int = 0) -> bool:
        """Return whether the draw must be simulated, because the deck may run out or draws are known.

        The simulation is in `pokersvc.cards.playing`.
        """
        return self.aim == "win" and (bool(self.drew) or self.draw.may_run_out(dead))

    @property
    def values(self) -> Values:
        """The value of every final hand if opponents may hold any cards."""
        return self.knowing(())

    def knowing(self, seen: Iterable[Card]) -> Values:
        """Return the value of every final hand if opponents hold none of the seen cards.

        The chance to win is then more accurate, but takes some milliseconds per hand.
        """
        match self.aim:
            case "win":
                return win_values(self.opponents, self.drew, seen)
            case "rank":
                return discards.rank_values()
            case "linear":
                return discards.linear_values()
            case "code":
                return discards.code_values()

    @property
    def unit(self) -> int:
        """The factor by which `values` are scaled: `WIN_UNITS` for chances to win, 1 for the other aims."""
        return WIN_UNITS if self.aim == "win" else 1


class RankedDiscard(NamedTuple):
    """One discard of a hand, and its value."""

    thrown: tuple[Card, ...]
    """The cards that are discarded, 0 to 5."""
    kept: tuple[Card, ...]
    """The cards that are kept, in the order of the hand."""
    value: float
    """The mean over all draws: a chance to win (0 to 1) or a value on the scale; an estimate if draws are simulated."""
    exact: Fraction | None
    """The value as an exact fraction; None if it is an estimate."""
    error: float
    """The standard error of the value; 0 if all draws were counted."""
    counts: tuple[int, ...]
    """For each category, the number of draws that make it, out of all possible or all simulated draws."""

    @property
    def outcomes(self) -> int:
        """The number of all possible draws, or of the simulated ones."""
        return sum(self.counts)

    def chance(self, category: Category) -> float:
        """Return the chance of a category: exact except for rounding, or its frequency in a simulation."""
        return self.counts[category] / self.outcomes


def advise(
    hand: Sequence[Card],
    objective: Objective,
    *,
    most: int = 5,
    dead: Sequence[Card] = (),
    sampling: Sampling | None = None,
) -> list[RankedDiscard]:
    """Return all discards of at most ``most`` cards, the best first; among equally good ones, fewer cards first.

    Without ``sampling`` all draws are counted, unless the deck may run out or draws are known (`is_played`).

    Raises `InvalidHand` for cards that are not a hand and for a dead card in the hand, and `InvalidValue` for a limit
    outside 0 to 5 and if there are not enough cards for all hands.
    """
    if len(hand) != 5:
        raise InvalidHand(f"A hand has five cards, not {len(hand)}.")
    if not 0 <= most <= 5:
        raise InvalidValue(f"The limit of discards cannot be {most}; it is 0 to 5.")
    checked_cards(hand, dead)
    if objective.is_played(len(dead)):
        numbers = [[card.number for card in cards] for cards in (hand, dead)]
        played = play(numbers[0], objective.draw, most, numbers[1], sampling)
        best_first = sorted(BY_PREFERENCE, key=lambda mask: played[mask].value if mask in played else -1, reverse=True)
        return [_played(hand, mask, played[mask]) for mask in best_first if mask in played]
    counts = category_counts(hand, dead).tolist()
    values = objective.knowing([*hand, *dead])
    masks = [mask for mask in BY_PREFERENCE if SIZES[mask] <= most and sum(counts[mask])]
    if sampling is None:
        exact = [
            Fraction(total, max(1, sum(of)) * objective.unit)
            for total, of in zip(discards.totals(hand, values, dead), counts, strict=True)
        ]
        masks.sort(key=exact.__getitem__, reverse=True)
        return [_discard(hand, mask, counts[mask], float(exact[mask]), exact[mask], 0.0) for mask in masks]
    means, errors = sampled(hand, values, sampling.samples, sampling.random, dead)
    masks.sort(key=means.__getitem__, reverse=True)
    unit = objective.unit
    return [_discard(hand, mask, counts[mask], means[mask] / unit, None, errors[mask] / unit) for mask in masks]


def _discard(
    hand: Sequence[Card], mask: int, counts: list[int], value: float, exact: Fraction | None, error: float
) -> RankedDiscard:
    thrown = tuple(card for bit, card in enumerate(hand) if mask >> bit & 1)
    kept = tuple(card for bit, card in enumerate(hand) if not mask >> bit & 1)
    return RankedDiscard(thrown, kept, value, exact, error, tuple(counts))


def _played(hand: Sequence[Card], mask: int, of: DiscardResult) -> RankedDiscard:
    return _discard(hand, mask, list(of.counts), of.value, None, of.error)


def best_discard(hand: Sequence[Card], objective: Objective, most: int = 5) -> tuple[Card, ...]:
    """Return the best cards to discard, in a hundredth of the time of `advise`.

    Opponents are assumed to hold the player's cards as often as any others, so no table is computed for each hand.

    >>> from pokersvc.cards.card import parse_cards
    >>> best_discard(parse_cards("AC AD JH 3S 2D"), Objective("win", opponents=3))
    (Card('Jh'), Card('3s'), Card('2d'))
    """
    mask = discards.best(hand, objective.values, most)
    return tuple(card for bit, card in enumerate(hand) if mask >> bit & 1)


def sampled_discard(hand: Sequence[Card], objective: Objective, sampling: Sampling, most: int = 5) -> tuple[Card, ...]:
    """Return the cards to discard by Monte Carlo, as in the founding documents."""
    mask = sampled(hand, objective.values, sampling.samples, sampling.random).best(most)
    return tuple(card for bit, card in enumerate(hand) if mask >> bit & 1)


WITHIN: Final = {1: 0.006, 2: 0.008, 3: 0.010, 4: 0.010}
"""The largest measured error of a calculated chance to win, by number of opponents.

The errors in `tests/cards/late_draws.json`, rounded up; a test checks this.
"""

SURE: Final = 3
"""The margin of error that is stated for an estimate, in standard errors."""


def within(row: RankedDiscard, objective: Objective) -> float:
    """Return the margin of error of a discard's value: 0 for a mean over all draws.

    For a counted chance to win it is the largest measured error; an estimate lies within `SURE` standard errors, with
    hardly an exception.
    """
    counted = objective.aim == "win" and not objective.is_played()
    return (WITHIN[objective.opponents] if counted else 0.0) + SURE * row.error


def say_chance(row: RankedDiscard, objective: Objective) -> str:
    """Return a chance to win in percent with its margin of error, such as ``36.0 ± 0.3 %``."""
    return f"{100 * row.value:.1f} ± {max(0.1, 100 * within(row, objective)):.1f} %"


def say_choice(row: RankedDiscard) -> str:
    """Return a discard in words, such as ``keep the aces, draw three``."""
    return choice_in_words(row.thrown, row.kept)


def say_worth(row: RankedDiscard, objective: Objective) -> str:
    """Return the value of a discard in words and chances.

    >>> say_worth(RankedDiscard((), (), 0.53125, None, 0.0041, (1,) * 10), Objective("win"))
    'wins 53 of 100'
    >>> say_worth(RankedDiscard((), (), 43.91, None, 0.0, (1,) * 10), Objective("linear"))
    'about two pair, sixes'
    """
    if objective.aim == "win":
        return f"wins {of_100(row.value)}"
    return f"about {in_words(comes_to(row.value, objective.aim))}"


WIDTH: Final = 80
"""The default width of a table, in columns."""
_COLUMN: Final = 5


def table_of(advice: Sequence[RankedDiscard], objective: Objective, width: int = WIDTH) -> list[str]:
    """Return advice as lines of at most ``width`` columns: the value, and the chance of each category in percent.

    If there is no room for all categories, the last column has the chance of the rarest together, such as ``4k+``.
    """
    values = [say_value(row, objective) for row in advice]
    head = "about" if objective.aim == "code" else objective.aim
    wide = max(map(len, [*values, head]))
    thrown = [" ".join(map(str, row.thrown)) or "none" for row in advice]
    first = max(map(len, [*thrown, "discard"]))
    if first + 1 + wide + _COLUMN * len(ABBREVIATED) > width:
        thrown = [text.replace("10", "T") for text in thrown]
        first = max(map(len, [*thrown, "discard"]))
    last = _last_column(width - first - 1 - wide)
    names = [*ABBREVIATED[:last], ABBREVIATED[last] + "+" * (last < Category.ROYAL_FLUSH)]
    widths = [max(_COLUMN, len(name) + 1) for name in names]
    lines = [f"{'discard':<{first}} {head:>{wide}}" + _in_columns(names, widths)]
    for row, cards, value in zip(advice, thrown, values, strict=True):
        counts = [*row.counts[:last], sum(row.counts[last:])]
        chances = _in_columns([_percent(count, row.outcomes) for count in counts], widths)
        lines.append(f"{cards:<{first}} {value:>{wide}}{chances}")
    return lines


def _last_column(room: int) -> int:
    """Return the category of the last column that fits; that column also counts all better hands."""
    for last in range(Category.ROYAL_FLUSH, 1, -1):
        plus = last < Category.ROYAL_FLUSH
        if _COLUMN * last + max(_COLUMN, len(ABBREVIATED[last]) + plus + 1) <= room:
            return last
    return 1


def _in_columns(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def say_value(row: RankedDiscard, objective: Objective) -> str:
    """Return a value as text: a chance in percent, or a mean; an estimate with its standard error.

    The mean of codes is shown as the hand to which it comes, since codes are not readable.

    >>> say_value(RankedDiscard((), (), 0.53125, None, 0.0041, (1,) * 10), Objective("win"))
    '53.12±0.41'
    """
    if objective.aim == "code":
        return in_short(comes_to(row.value, "code"))
    scale = 100 if objective.aim == "win" else 1
    said = f"{row.value * scale:.2f}"
    if not row.error:
        return said
    return f"{said}±{max(row.error * scale, 0.01):.2f}"  # an error is shown even if it is very small


def _percent(count: int, outcomes: int) -> str:
    if not count:
        return "-"
    percent = 100 * count / outcomes
    if count == outcomes:
        return "100"
    return "<.1" if percent < 0.05 else f"{min(percent, 99.9):.1f}"
