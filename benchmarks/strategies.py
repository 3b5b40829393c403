"""The button's winnings with real cards when both play a strategy, compared with those in the abstraction."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.best_answers import lost_by
from benchmarks.table import markdown
from pokersvc.cards.arrays import ranked
from pokersvc.games.draw_poker.strategy.equilibrium_player import nearest
from pokersvc.games.draw_poker.strategy.following import Place, part_of_pot, picked, raised, stayed
from pokersvc.games.draw_poker.strategy.groups import (
    DRAWS,
    Floats,
    Hands,
    bucket_of,
    group_of,
    groups,
    kept_alike,
)
from pokersvc.games.draw_poker.strategy.spots import ANTES, BIG_BLIND, Limit, Spot
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy, even, filled
from pokersvc.games.draw_poker.strategy.strategy_file import Stored, shipped, shipped_spots
from pokersvc.games.draw_poker.strategy.tree import (
    BLIND,
    BUTTON,
    EDITIONS,
    FOLD,
    STAY,
    CallEnd,
    FoldEnd,
    Next,
    Node,
    betting_tree,
)

CHUNK: Final = 20_000
WAYS: Final = 10
"""The number of ways in which a strategy is played in another tree."""
_BETWEEN: Final = (2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 9, 11, 11.5)
_DEEP: Final = (2.5, 3.5, 5, 7.5, 11, 16, 25, 37, 55, 75, 90, 120, 150)
HAND: Final = 5

Numbers = NDArray[np.intp]


class Value(NamedTuple):
    """The button's winnings, in thousandths of a big blind per hand."""

    mean: float
    within: float
    """Half the width of the interval with 95 % confidence."""


def real_value(stored: Stored, deals: int, seed: int) -> Value:
    """Return the button's winnings with cards of one deck; each deal is played with the hands in both orders.

    No action is drawn: each counts with its probability. So only the luck of the cards is left.
    """
    random = np.random.default_rng(seed)
    found = []
    for decks, swapped in shuffled(deals, random):
        found.append((PlayedDeals(stored, decks).value() + PlayedDeals(stored, swapped).value()) / 2)
    return value_of(np.concatenate(found))


def shuffled(deals: int, random: np.random.Generator) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield many decks at once, and the same with the hands of both seats exchanged; at least ``deals`` decks."""
    for _ in range(0, deals, CHUNK):
        decks = random.permuted(np.tile(np.arange(52), (CHUNK, 1)), axis=1)[:, : 4 * HAND]
        yield decks, decks[:, [*range(HAND, 2 * HAND), *range(HAND), *range(2 * HAND, 4 * HAND)]]


def value_of(results: Floats) -> Value:
    """Return the mean of results in units."""
    values = results * 1000 / BIG_BLIND
    return Value(float(values.mean()), float(1.96 * values.std() / np.sqrt(len(values))))


class PlayedDeals:
    """Many deals at once: the first five cards are the button's, the next five the big blind's, the rest are drawn."""

    def __init__(self, stored: Stored, decks: Numbers) -> None:
        self.strategy = stored.strategy
        button, blind = decks[:, :HAND], decks[:, HAND : 2 * HAND]
        self._groups = [group_of(hands, stored.keys) for hands in (button, blind)]
        masks = [kept_alike(hands) for hands in (button, blind)]
        new = decks[:, 2 * HAND :]
        self._blind = [_ends(blind, masks[1][:, drew], drew, new) for drew in range(DRAWS)]
        self._button = [
            [_ends(button, masks[0][:, drew], drew, new[:, theirs:]) for drew in range(DRAWS)]
            for theirs in range(DRAWS)
        ]

    def value(self) -> Floats:
        """Return the button's winnings on each deal, in units."""
        return self._first(self.strategy.root)

    def first(self, node: Node) -> Floats:
        """Return the chances of each action of a choice in the first betting, by action first."""
        return self.strategy.first[node][:, self._groups[node.seat]]

    def draws(self, after: AfterDraw, seat: int, theirs: int) -> Floats:
        """Return the chances of each number of cards drawn; ``theirs`` is what the big blind drew, for the button."""
        chances = after.blind if seat == BLIND else after.button[:, theirs]
        return chances[:, self._groups[seat]]

    def final(self, after: AfterDraw, node: Node, drew: tuple[int, int], strength: Numbers) -> Floats:
        """Return the chances of each action of a choice after the draw; ``drew`` begins with the big blind."""
        return after.nodes[node][:, drew[0], drew[1], bucket_of()[strength]]

    def _first(self, node: Next) -> Floats:
        if isinstance(node, FoldEnd):
            return self._folded(node)
        if isinstance(node, CallEnd):
            return self._drawn(self.strategy.after[node])
        parts = [chance * self._first(child) for child, chance in zip(node.children, self.first(node), strict=True)]
        return np.asarray(sum(parts))

    def _drawn(self, after: AfterDraw) -> Floats:
        found = np.zeros(len(self._groups[0]))
        blind = self.draws(after, BLIND, 0)
        for theirs in range(DRAWS):
            button = self.draws(after, BUTTON, theirs)
            for drew in range(DRAWS):
                chance = blind[theirs] * button[drew]
                found += chance * self._final(after, after.end.final or after.end, theirs, drew)
        return found

    def _final(self, after: AfterDraw, node: Next, theirs: int, drew: int) -> Floats:
        if isinstance(node, FoldEnd):
            return self._folded(node)
        hands = self._button[theirs][drew], self._blind[theirs]
        if isinstance(node, CallEnd):
            return np.asarray(node.put * np.sign(hands[0] - hands[1]))
        chances = self.final(after, node, (theirs, drew), hands[node.seat])
        parts = [
            chance * self._final(after, child, theirs, drew)
            for child, chance in zip(node.children, chances, strict=True)
        ]
        return np.asarray(sum(parts))

    def _folded(self, end: FoldEnd) -> Floats:
        return np.full(len(self._groups[0]), float(-end.lost if end.seat == BUTTON else end.lost))


def _ends(hands: Numbers, masks: NDArray[np.uint8], drew: int, new: Numbers) -> Numbers:
    """Return the strengths after a draw of so many cards, the first of ``new``."""
    thrown = masks[:, None] >> np.arange(HAND) & 1 == 1
    cards = hands.copy()
    cards[thrown] = new[:, :drew].ravel()
    return np.asarray(ranked(*cards.T), np.intp)


def at_depth(stored: Stored, depth: float, hands: Hands) -> list[Strategy]:
    """Return how a strategy is played where stacks have another depth, in `WAYS` equally likely ways."""
    spot = stored.strategy.spot._replace(depth=depth)
    return in_tree(stored.strategy, betting_tree(spot, EDITIONS[stored.edition]), spot, hands)


def in_tree(strategy: Strategy, root: Node, spot: Spot, hands: Hands, ways: int = WAYS) -> list[Strategy]:
    """Return the play of a strategy in another tree, that of a spot, as `following` maps it, in equally likely ways.

    If a bet is between two sizes, the way says as which of them it counts; a hand keeps to its way.
    """
    return [_in_way(strategy, filled(spot, hands, even, root), (way + 0.5) / ways) for way in range(ways)]


def _in_way(strategy: Strategy, found: Strategy, part: float) -> Strategy:
    for node, places in _met(found.root, [Place(strategy.root, 1.0)]):
        place = picked(places, part)
        if isinstance(node, Node):
            _choose(found.first[node], node, place, strategy.first)
        elif isinstance(node, CallEnd):
            _after(found.after[node], [(strategy.after[checked_through(one.node)], one.weight) for one in places], part)
    return found


def _after(found: AfterDraw, made: list[tuple[AfterDraw, float]], part: float) -> None:
    begun = [Place(after.end.final or after.end, weight, after.end) for after, weight in made]
    end = picked(begun, part).end
    (one,) = {id(after): after for after, _ in made if after.end is end}.values()
    found.blind[:], found.button[:] = one.blind, one.button
    if found.end.final is not None:
        known = {node: chances for after, _ in made for node, chances in after.nodes.items()}
        for node, places in _met(found.end.final, begun):
            if isinstance(node, Node):
                _choose(found.nodes[node], node, picked(places, part), known)


def _met(node: Next, places: list[Place]) -> Iterator[tuple[Next, list[Place]]]:
    """Yield each choice and end of a betting round with the corresponding positions in the strategy's own tree."""
    yield node, places
    if isinstance(node, Node):
        for action, child in zip(node.actions, node.children, strict=True):
            if action == STAY:
                yield from _met(child, [stayed(place) for place in places])
            elif action != FOLD:
                yield from _met(child, [one for place in places for one in raised(place, part_of_pot(node, action))])


def _choose(chances: Floats, node: Node, place: Place, known: dict[Node, Floats]) -> None:
    """Set the chances of a choice to those that are known of a place; raises that are not there are calls."""
    chances[:] = 0
    if isinstance(place.node, Node):
        for action, chance in zip(place.node.actions, known[place.node], strict=True):
            chances[_as_here(action, place.node, node)] += chance
    else:
        chances[node.actions.index(STAY)] = 1


def _as_here(action: int, made: Node, node: Node) -> int:
    """Return an action's number in another tree; for a raise, that of about the same share of the pot."""
    if action < 0 or node.actions[-1] < 0:
        return node.actions.index(action if action in node.actions else STAY)
    price = node.price + (action - made.price) / made.called * node.called
    wanted = node.all_in if action == made.all_in else price
    raises = range(node.actions.index(STAY) + 1, len(node.actions))
    return min(raises, key=lambda number: abs(node.actions[number] - wanted))


def checked_through(of: Next) -> CallEnd:
    """Return where a betting round ends if both check and call."""
    while isinstance(of, Node):
        of = of.children[of.actions.index(STAY)]
    assert isinstance(of, CallEnd)
    return of


def run(*, quick: bool = False) -> str:
    """Measure every strategy of the package, and how they are played between their depths; return tables."""
    deals = CHUNK if quick else 10 * CHUNK
    rows = []
    for spot in shipped_spots():
        stored = shipped(spot)
        assert stored is not None
        said, real = stored.description, real_value(stored, deals, 1)
        with_real_cards = f"{real.mean:+.1f} ± {real.within:.1f}"
        rows.append((spot.name, f"{said.exploitability:.2f}", f"{said.button:+.1f}", with_real_cards))
    made = markdown(
        "Strategies of the package, in thousandths of a big blind a hand",
        ("spot", "exploitability in the abstraction", "the button wins there", "with real cards"),
        rows,
        f"{deals:,} deals, each in both orders, and every action with its probability.",
    )
    fixed = _between("fixed_limit", _BETWEEN, ANTES, quick=quick)
    pot = _between("pot_limit", _DEEP, ANTES[:1], quick=quick)
    return "\n\n".join((made, fixed, pot, _between("no_limit", _DEEP, ANTES, quick=quick)))


def _between(limit: Limit, depths: Sequence[float], antes: Sequence[int], *, quick: bool) -> str:
    """Return a table of the winnings of best responses at depths without a strategy of their own."""
    rows = []
    for depth in depths[: 1 if quick else None]:
        row = [f"{depth:g}"]
        for ante in antes:
            spot = nearest(limit, ante, depth)
            assert spot is not None
            stored = shipped(spot)
            assert stored is not None
            found = lost_by(at_depth(stored, depth, groups().hands))
            row.append(f"{found:.0f} ({spot.depth})")
        rows.append(row)
    return markdown(
        f"Exploitability at other depths of {limit}, in the abstraction, in thousandths of a big blind a hand",
        ("depth", *(f"ante {ante / BIG_BLIND:g}" for ante in antes)),
        rows,
        "In brackets: the depth whose strategy is played.",
    )
