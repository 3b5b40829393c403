"""The betting tree of two players: the legal actions, and each seat's chips where the betting ends.

Both have the same stack: the excess of a larger stack cannot be won or lost. Amounts are in units of
`pokersvc.games.draw_poker.strategy.spots`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot

BUTTON: Final = 0
"""The seat with the button, which posts the small blind."""
BLIND: Final = 1
"""The seat with the big blind, which draws first and bets first after the draw."""
FOLD: Final = -2
STAY: Final = -1
"""A check or a call, in a list of actions that gives a raise by its price, 0 or more."""
_MOST_BETS: Final = 4
ALL_IN: Final = 1e9
"""A size of a bet, as a part of the pot, that is more than any stack."""
OfRound: TypeAlias = tuple[tuple[float, ...], ...]
"""The sizes of the first raise of a betting round, the second and so on, as fractions of the pot after a call. The last
entry applies to all later raises too.
"""


class Sizes(NamedTuple):
    """The bet sizes of a tree if the house does not fix them; see `OfRound`."""

    before: OfRound
    """The sizes before the draw."""
    after: OfRound
    """The sizes after the draw."""


_FEW: Final[OfRound] = ((0.5, 1.0, ALL_IN), (1.0, ALL_IN), (ALL_IN,))
FEW: Final = Sizes(_FEW, _FEW)
"""The sizes of the trees of edition 1."""
MORE: Final = Sizes(
    ((0.5, 1.0, 1.5, 2.5, 4.5, ALL_IN), (1.0, ALL_IN), (ALL_IN,)),
    ((0.1, 0.25, 0.5, 1.0, 2.0, ALL_IN), (1.0, ALL_IN), (ALL_IN,)),
)
"""The sizes of the trees of edition 2."""
MOST: Final = Sizes(
    (MORE.before[0], (0.5, 1.5, ALL_IN), (0.5, ALL_IN), (ALL_IN,)),
    (MORE.after[0], (0.25, 1.0, ALL_IN), (ALL_IN,)),
)
"""The sizes of the trees of edition 3."""
DEEP: Final = Sizes((MOST.before[0], (0.5, 1.5, 3.5, ALL_IN), *MOST.before[2:]), MOST.after)
"""The sizes of the trees of edition 4, which has a second raise between 1.5 pots and all in."""
SMALL: Final = Sizes(((0.25, *DEEP.before[0]), *DEEP.before[1:]), DEEP.after)
"""The sizes of the trees of edition 5, in which the first raise of a pot with antes may be as small as allowed."""
EDITIONS: Final[Mapping[int, Sizes]] = {1: FEW, 2: MORE, 3: MOST, 4: DEEP, 5: SMALL}
"""Edition → the sizes of its trees; a file says in its first line which one its strategy is for."""
LATEST: Final = max(EDITIONS)


@dataclass(frozen=True, slots=True, eq=False)
class FoldEnd:
    """The end of the betting by a fold."""

    seat: int
    """The seat that folded."""
    lost: int
    """The amount that it had put in."""


@dataclass(frozen=True, slots=True, eq=False)
class CallEnd:
    """The end of a betting round with both players in; each is a separate object, even if two look alike."""

    put: int
    """What each has put in so far."""
    final: "Node | None"
    """The betting after the draw; None in the final betting, and if both are all in."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A choice of betting."""

    seat: int
    actions: tuple[int, ...]
    """`FOLD`, `STAY` or the price to which the seat raises, in this order, ascending."""
    children: "tuple[Next, ...]"
    price: int
    """The amount that each must have put in this betting round to stay in."""
    called: int
    """All chips in the pot after a call."""
    all_in: int
    """The price at which both are all in."""


Next: TypeAlias = Node | FoldEnd | CallEnd
"""What comes after an action: a choice, or an end of the betting."""


def betting_tree(spot: Spot, sizes: Sizes = EDITIONS[LATEST]) -> Node:
    """Return the first choice of betting, the button's; in fixed limit, the sizes are not used."""
    small, big = BIG_BLIND // 2, BIG_BLIND
    put = (min(spot.ante + small, spot.stack), min(spot.ante + big, spot.stack))
    first = _Round(spot, sizes, before=spot.ante, unit=BIG_BLIND, final=False)
    return first.node(BUTTON, put, step=BIG_BLIND, bets=1, to_choose=True)


def nodes_of(root: Node) -> Iterator[Node]:
    """Yield the choices of one betting round, each before those that follow it."""
    yield root
    for child in root.children:
        if isinstance(child, Node):
            yield from nodes_of(child)


def ends_of(root: Node) -> Iterator[CallEnd]:
    """Yield the ends of one betting round with both players in, in the order of the tree."""
    for child in root.children:
        if isinstance(child, Node):
            yield from ends_of(child)
        elif isinstance(child, CallEnd):
            yield child


class _Round:
    """One betting round; ``before`` has each seat's chips put in before it, in units."""

    def __init__(self, spot: Spot, sizes: Sizes, *, before: int, unit: int, final: bool) -> None:
        self._spot = spot
        self._sizes = sizes
        self._before = before
        self._unit = unit
        self._final = final

    def node(self, seat: int, put: tuple[int, int], *, step: int, bets: int, to_choose: bool) -> Node:
        """Return a choice; ``put`` has each seat's chips in, ``to_choose`` whether the other has yet to choose."""
        most, owed = max(put), max(put) - put[seat]
        stayed = (most, put[1]) if seat == BUTTON else (put[0], most)
        actions = [STAY]
        children: list[Next] = [self._stayed(seat, stayed, step, bets, to_choose=to_choose)]
        if owed:
            actions.insert(0, FOLD)
            children.insert(0, FoldEnd(seat, put[seat]))
        for to in self._raises(put, seat, step, bets):
            raised = (to, put[1]) if seat == BUTTON else (put[0], to)
            actions.append(to - self._before)
            children.append(self.node(1 - seat, raised, step=max(step, to - most), bets=bets + 1, to_choose=False))
        return Node(
            seat, tuple(actions), tuple(children), most - self._before, 2 * most, self._spot.stack - self._before
        )

    def _stayed(self, seat: int, put: tuple[int, int], step: int, bets: int, *, to_choose: bool) -> Node | CallEnd:
        if to_choose and put[1 - seat] < self._spot.stack:
            return self.node(1 - seat, put, step=step, bets=bets, to_choose=False)
        if self._final or put[0] == self._spot.stack:
            return CallEnd(put[0], None)
        fixed = self._spot.limit == "fixed_limit"
        unit = 2 * BIG_BLIND if fixed else BIG_BLIND
        final = _Round(self._spot, self._sizes, before=put[0], unit=unit, final=True)
        return CallEnd(put[0], final.node(BLIND, put, step=unit, bets=0, to_choose=True))

    def _raises(self, put: tuple[int, int], seat: int, step: int, bets: int) -> list[int]:
        """Return the seat's chips in after each raise of the tree, ascending."""
        stack, most = self._spot.stack, max(put)
        if most >= stack:
            return []
        if self._spot.limit == "fixed_limit":
            return [min(most + self._unit, stack)] if bets < _MOST_BETS else []
        pot = 2 * most  # after a call
        least = min(most + step, stack)
        highest = stack if self._spot.limit == "no_limit" else min(stack, most + pot)
        opened = bets - (not self._final)  # the big blind is no raise
        of_round = self._sizes.after if self._final else self._sizes.before
        sizes = of_round[min(opened, len(of_round) - 1)]
        return sorted({max(least, min(highest, int(most + min(size, stack) * pot))) for size in sizes})
