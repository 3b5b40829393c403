"""The whole tree of a small game for two, by the game's own rules and with the exact probabilities of chance."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from pokersvc.core.actions import Action
from pokersvc.core.bots.estimates import EnumeratedEstimate, after
from pokersvc.core.bots.learning import ActionList
from pokersvc.core.bots.policy import MixingPlayer, checked
from pokersvc.core.common_events import Started
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.core.typevars import AnyView
from pokersvc.envs.table import EnvTable, EpisodeStarts
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

SEATS: Final = 2
MOST_NODES: Final = 500_000
"""The default limit of a tree's nodes; each takes about a millisecond to make, and some kilobytes of memory."""
Outcomes: TypeAlias = Callable[..., Sequence[tuple[Event, float]]]
"""Returns what the dealer's next event may be in a state, with probabilities; empty if chance does not decide it."""
Strategy: TypeAlias = NDArray[np.float64]
"""The probability of every choice of a seat, in the order of its information sets and of their actions."""


@dataclass(slots=True)
class InformationSet:
    """An information set: all situations that a seat cannot tell apart, because it has seen the same events."""

    number: int
    """The set's number among the seat's information sets, from 0, in the order in which they were found."""
    seat: int
    """The seat that chooses, from 1."""
    view: AnyView
    """The seat's view in one of the situations."""
    legal: object
    """The seat's legal choices, as `State.legal` returns them."""
    actions: tuple[Action, ...]
    """The seat's choices as actions, in the order of their numbers (`pokersvc.envs.Numbers`)."""
    numbers: tuple[int, ...]
    """The numbers of the choices."""
    first: int
    """The place of the set's first choice in a `Strategy`."""
    before: tuple["InformationSet", int] | None
    """The seat's last choice before this set: the set in which it was made, and its place in that set's ``actions``."""

    @property
    def places(self) -> slice:
        """The places of the set's choices in a `Strategy`."""
        return slice(self.first, self.first + len(self.actions))


@dataclass(slots=True)
class Node:
    """A node of the tree: chance decides, a seat chooses, or the game is over."""

    children: list["Node"] = field(default_factory=list)
    """The next node for each outcome or choice; empty if the game is over."""
    chances: tuple[float, ...] = ()
    """The probability of each child, if chance decides."""
    chooses: InformationSet | None = None
    """The information set of the seat that chooses, if a seat does."""
    gains: tuple[float, ...] = ()
    """Each seat's gain, if the game is over."""

    def __deepcopy__(self, memo: object) -> Self:
        """Return the node itself, which never changes once the tree is made."""
        return self


class GameTree:
    """The tree of a small game: every deal and every choice.

    Information sets contain everything that the seat saw, so every seat has perfect recall.
    """

    def __init__(
        self, game: Game, started: Started, outcomes: Outcomes, actions: ActionList, most: int = MOST_NODES
    ) -> None:
        """Follow a started game through all outcomes and choices; raise `InvalidValue` if it cannot be solved.

        ``outcomes`` lists the outcomes of chance, as `EnumeratedEstimate.outcomes` does.
        """
        if len(started.seats) != SEATS:
            raise InvalidValue(f"A game of {counted(len(started.seats), 'seat')} cannot be solved; it needs 2 seats.")
        self._game, self._started, self._outcomes, self._actions, self._most = game, started, outcomes, actions, most
        self._entropy = EntropySource.from_text("tree").entropy()  # for seeds, from which nothing is dealt
        self._known: dict[object, InformationSet] = {}
        self.sets: tuple[list[InformationSet], ...] = ([], [])
        """The information sets of each seat, each set after those that precede it in play."""
        self.size = 0
        """The number of nodes."""
        self.root = self._node(game.new(started), (None, None))

    @classmethod
    def of(
        cls, kind: str, outcomes: Outcomes | None = None, *, most: int = MOST_NODES, **table: Unpack[EnvTable]
    ) -> Self:
        """Return the tree of a game started with the arguments of `pokersvc.envs.env`, without bots.

        By default the game's estimate lists the outcomes, if it is an `EnumeratedEstimate`. Raise `InvalidValue` for a
        game whose outcomes are not listed, or with more than ``most`` nodes.
        """
        game = game_of(kind)
        started = EpisodeStarts(game, table).first
        estimate = game.estimate(started)
        if outcomes is None and isinstance(estimate, EnumeratedEstimate):
            outcomes = estimate.outcomes
        if outcomes is None and (game.dealt or game.seeded):
            raise InvalidValue(f"The game {kind!r} does not list what chance may bring; give `outcomes`, which does.")
        actions = game.in_numbers(started, table.get("actions") or {}).actions
        return cls(game, started, outcomes or _none, actions, most)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The length of each seat's `Strategy`."""
        return tuple([sum(len(one.actions) for one in of_seat) for of_seat in self.sets])

    def nodes(self) -> Iterator[Node]:
        """Yield every node, each before its children."""
        left = [self.root]
        while left:
            yield (node := left.pop())
            left.extend(reversed(node.children))

    def found(self, seat: int, view: AnyView) -> InformationSet | None:
        """Return the information set of a view; None if the game has no such set."""
        return self._known.get(_seen(seat, view))

    def strategy(self, player: MixingPlayer, seat: int) -> Strategy:
        """Return a player's policy at a seat as a strategy; raise `InvalidValue` for a choice that is not listed."""
        found = np.zeros(self.sizes[seat - 1])
        for one in self.sets[seat - 1]:
            for action, probability in checked(player.policy(one.view, one.legal)).items():
                if action not in one.actions:
                    raise InvalidValue(f"{action!r} is not among the choices of the tree: {list(one.actions)}.")
                found[one.first + one.actions.index(action)] += probability
        return found

    def _node(self, state: State, before: tuple[tuple[InformationSet, int] | None, ...]) -> Node:
        """Return the node of a state with its subtree; ``before`` has each seat's last choice."""
        self.size += 1
        if self.size > self._most:
            raise InvalidValue(f"The game has more than {counted(self._most, 'node')}; give it fewer rounds or cards.")
        if (outcome := state.outcome) is not None:
            gains = tuple(map(float, self._game.gains(self._started, outcome)))
            if sum(gains):
                raise InvalidValue(f"A game in which the seats gain {gains} cannot be solved; gains must add up to 0.")
            return Node(gains=gains)
        if not state.awaited:
            if found := self._outcomes(state):
                children = [self._node(after(state, event), before) for event, _ in found]
                return Node(children, chances=tuple([chance for _, chance in found]))
            event = state.dealer_event(self._entropy)
            assert event is not None  # nobody chooses, and the game is not over
            self.size -= 1  # the same node
            return self._node(after(state, event), before)
        one = self._set_of(state, state.awaited[0], before)
        children = []
        for place, action in enumerate(one.actions):
            then = tuple([(one, place) if seat == one.seat else last for seat, last in enumerate(before, 1)])
            children.append(self._node(after(state, state.decide(action)), then))
        return Node(children, chooses=one)

    def _set_of(self, state: State, seat: int, before: tuple[tuple[InformationSet, int] | None, ...]) -> InformationSet:
        view = state.view(seat)
        seen = _seen(seat, view)
        if (found := self._known.get(seen)) is not None:
            return found
        legal, mine = state.legal(seat), self.sets[seat - 1]
        numbers = tuple(self._actions.legal(view, legal))
        actions = tuple([self._actions.action(number, view, legal) for number in numbers])
        first = mine[-1].places.stop if mine else 0
        found = InformationSet(len(mine), seat, view, legal, actions, numbers, first, before[seat - 1])
        self._known[seen] = found
        mine.append(found)
        return found


def _none(state: object) -> Sequence[tuple[Event, float]]:
    """Return no outcomes, for a game without chance."""
    return ()


def _seen(seat: int, view: AnyView) -> object:
    """Return what a seat has seen: all events as they were shown to it."""
    return seat, view.record.past, view.record.round
