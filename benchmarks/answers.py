"""The losses of the package's strategies to players who know them: with all their cards, or with odd bet sizes."""

from collections.abc import Sequence
from typing import Final

from benchmarks.all_cards import answer, won
from benchmarks.best_answers import lost_by
from benchmarks.strategies import WAYS, in_tree
from benchmarks.table import markdown
from pokersvc.games.draw_poker.strategy.groups import groups
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy_file import Stored, shipped
from pokersvc.games.draw_poker.strategy.tree import ALL_IN, BLIND, BUTTON, EDITIONS, Node, Sizes, betting_tree

MANY: Final = (0.1, 0.2, 0.25, 0.33, 0.37, 0.4, 0.5, 0.6, 0.67, 0.75, 0.8, 0.9, 1, 1.25, 1.5, 2, 3, 4, 6, ALL_IN)
"""Twenty sizes of the first raise of a betting round, as parts of the pot."""
SEED: Final = 33
_DEALS: Final = {"fixed_limit": 40_000, "pot_limit": 20_000, "no_limit": 20_000}
_PLAYED: Final = (
    Spot("fixed_limit", 0, 12),
    Spot("fixed_limit", 10, 13),
    Spot("fixed_limit", 40, 13),
    Spot("pot_limit", 0, 100),
    Spot("no_limit", 0, 20),
    Spot("no_limit", 0, 100),
)
_WITH_SIZES: Final = (Spot("no_limit", 0, 9), Spot("no_limit", 0, 20), Spot("no_limit", 0, 100))


def run(*, quick: bool = False) -> str:
    """Return two tables: the winnings of players who see all their cards, and the winnings from many bet sizes."""
    rows = []
    for spot in _PLAYED[: 1 if quick else None]:
        stored = _stored(spot)
        answers = answer(stored, BUTTON), answer(stored, BLIND)
        real = won(stored, answers, 20_000 if quick else _DEALS[spot.limit], SEED)
        exact = (answers[BUTTON].value + answers[BLIND].value) / 2
        said, with_cards = f"{stored.description.exploitability:.1f}", f"{real.mean:.0f} ± {real.within:.0f}"
        rows.append((spot.name, said, f"{exact:.1f}", with_cards))
    cards = markdown(
        "What a best response wins, in thousandths of a big blind a hand, the mean of both seats",
        ("spot", "in the abstraction", "seeing all its cards", "the same with one deck"),
        rows,
        f"Deals are of the seed {SEED}, each with the hands in both orders.",
    )
    sizes = markdown(
        "What a best response of the abstraction wins with other sizes of the first raise of a betting round",
        ("spot", "sizes of the tree", "20 more before the draw", "20 more after it"),
        [_sizes(spot) for spot in _WITH_SIZES[: 1 if quick else None]],
        f"The opponent plays in one of {WAYS} ways, which say what counts as which size of the tree.",
    )
    return f"{cards}\n\n{sizes}"


def _sizes(spot: Spot) -> Sequence[str]:
    stored = _stored(spot)
    found = [lost_with(stored, MANY, before=before) for before in (True, False)]
    return spot.name, f"{stored.description.exploitability:.1f}", *(f"{one:.0f}" for one in found)


def lost_with(stored: Stored, more: Sequence[float], *, before: bool) -> float:
    """Return a best response's winnings if its first raise before or after the draw may also have these sizes."""
    spot = stored.strategy.spot
    return lost_by(in_tree(stored.strategy, tree_with(stored, more, before=before), spot, groups().hands))


def tree_with(stored: Stored, more: Sequence[float], *, before: bool) -> Node:
    """Return the tree of a strategy with more sizes for the first raise, before or after the draw."""
    sizes = EDITIONS[stored.edition]
    first = tuple({*(sizes.before if before else sizes.after)[0], *more})
    if before:
        return betting_tree(stored.strategy.spot, Sizes((first, *sizes.before[1:]), sizes.after))
    return betting_tree(stored.strategy.spot, Sizes(sizes.before, (first, *sizes.after[1:])))


def _stored(spot: Spot) -> Stored:
    stored = shipped(spot)
    assert stored is not None
    return stored
