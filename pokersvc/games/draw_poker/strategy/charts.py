"""Charts of a strategy: its opens, calls, raises and draws by position, as tables of frequencies."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from pokersvc.cards.hand import FACE_PLURALS
from pokersvc.cards.ranking import Category
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy_file import Stored
from pokersvc.games.draw_poker.strategy.tree import FOLD, STAY, CallEnd, Next, Node

_FACE: Final = 15
_FLUSH, _OPEN = 2, 1
_EIGHT: Final = 6
_SELDOM: Final = 1e-4
"""A row is left out if its share of all hands is below this."""


class ChartRow(NamedTuple):
    """A kind of hand, with the frequency of each action, in the order of the chart's columns."""

    hands: str
    share: float
    """How often the player holds such a hand at this choice."""
    chances: tuple[float, ...]


class StrategyChart(NamedTuple):
    """One choice of a strategy."""

    choice: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


def charts(stored: Stored) -> Iterator[StrategyChart]:
    """Yield the charts of a strategy: the choices before the draw, and the draws after a single raise was called."""
    root, first = stored.strategy.root, stored.strategy.first
    reach = _shares(stored)
    chances = first[root]
    yield _betting(stored, "The button, first to act", root, reach)
    called = root.children[root.actions.index(STAY)]
    if isinstance(called, Node):
        yield _betting(stored, "The big blind, after a call", called, reach)
    raises = [at for at, action in enumerate(root.actions) if action >= 0]
    if not raises:
        return
    usual = max(raises, key=lambda at: float(reach @ chances[at]))
    raised = root.children[usual]
    if not isinstance(raised, Node):
        return
    to = _to(root.actions[usual])
    yield _betting(stored, f"The big blind, after a raise to {to} big blinds", raised, reach)
    stay = raised.actions.index(STAY)
    end: Next = raised.children[stay]
    if isinstance(end, CallEnd):
        after = stored.strategy.after[end]
        drawn = tuple(_draws(count) for count in range(DRAWS))
        blind = reach * first[raised][stay]
        yield _chart(stored, "The draw of the big blind, after it called that raise", drawn, after.blind, blind)
        theirs = [float(blind @ part) for part in after.blind]
        usually = int(np.argmax(theirs))
        title = f"The draw of the button then, when the big blind drew {usually}"
        yield _chart(stored, title, drawn, after.button[:, usually], reach * chances[usual])


def _shares(stored: Stored) -> Floats:
    """Return the share of each group of the strategy in all deals."""
    cards = groups()
    places = np.maximum(np.searchsorted(stored.keys, cards.keys, side="right") - 1, 0)
    found: Floats = np.bincount(places, cards.shares, len(stored.keys)).astype(np.float64)
    return found


def _betting(stored: Stored, choice: str, node: Node, reach: Floats) -> StrategyChart:
    columns = tuple(_action(action, node) for action in node.actions)
    return _chart(stored, choice, columns, stored.strategy.first[node], reach)


def _action(action: int, node: Node) -> str:
    if action == FOLD:
        return "fold"
    if action == STAY:
        return "call" if FOLD in node.actions else "check"
    return "all in" if action == node.all_in else f"to {_to(action)}"


def _to(price: int) -> str:
    return f"{price / BIG_BLIND:g}"


def _draws(count: int) -> str:
    return f"draw {count}" if count else "pat"


def _chart(stored: Stored, choice: str, columns: tuple[str, ...], chances: Floats, reach: Floats) -> StrategyChart:
    names = [_name(int(key)) for key in stored.keys]
    rows, whole = [], float(reach.sum())
    for name in dict.fromkeys(reversed(names)):
        of = np.array([one == name for one in names])
        held = float(reach[of].sum())
        if held / whole >= _SELDOM:
            rows.append(ChartRow(name, held / whole, tuple((chances[:, of] @ reach[of] / held).tolist())))
    return StrategyChart(choice, columns, tuple(rows))


def _name(key: int) -> str:
    """Return the kind of hand that a group of deals belongs to, from its key (`groups.group_of`)."""
    category, rest = Category(key >> 16), key & 0xFFFF
    if category >= Category.STRAIGHT:
        return "straight or better"
    face = rest >> 4 & _FACE
    if category is Category.THREE_OF_A_KIND:
        return "three of a kind"
    if category is Category.TWO_PAIR:
        return "two pair"
    if category is Category.ONE_PAIR:
        return f"pair of {FACE_PLURALS[max(face, _EIGHT)]}{' or lower' if face <= _EIGHT else ''}"
    draw = rest >> 8 & 3
    if draw == _FLUSH:
        return "four to a flush"
    if draw == _OPEN:
        return "four to an open straight"
    return {12: "ace high", 11: "king high"}.get(face, "queen high or lower")
