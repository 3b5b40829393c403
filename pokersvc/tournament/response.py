"""Local best response: a lower bound of the losses of a player whose policy is known.

It is a player that is told how its opponent mixes. It keeps a range of what the opponent may hold, narrowed by the
policy at each choice of the opponent, and takes the action that is best if both check and call to the end
afterwards, while the opponent may give up at once. Because it sees no more than its own seat, its winnings are a
lower bound of what the opponent can be made to lose, whatever range it keeps. This is the method of V. Lisý and
M. Bowling, Equilibrium Approximation Quality of Current No-Limit Poker Bots (2017).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import fsum
from random import Random

from pokersvc.core.actions import Action
from pokersvc.core.bots.estimates import after, made
from pokersvc.core.bots.player import Player
from pokersvc.core.bots.policy import Policy
from pokersvc.core.bots.ranges import AskedPolicies, Range
from pokersvc.core.common_events import Started
from pokersvc.core.event import Event, redact
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.players import policy_of
from pokersvc.tournament.plan import no_policy


def policies_of(
    game: Game,
    opponent: Seat,
    player: Callable[[], Player],
    random: Random,
    lock: AbstractContextManager[object],
    doubts: Counter[str],
) -> AskedPolicies:
    """Return a function that asks a player for policies, holding ``lock``; if there are none, it raises `InvalidValue`.

    The player is asked with ``random``, which is not part of the game's randomness. When it forfeits, that is
    counted in ``doubts`` (`Responder.doubts`), and its policy is empty.
    """

    def asked(views: Sequence[object], legal: object) -> list[Policy]:
        found = []
        with lock:
            for view in views:
                policy = policy_of(game, opponent.kind, player, (view, legal, random))
                if policy is None:
                    raise no_policy(opponent)
                doubts["forfeited"] += not policy
                found.append(policy)
        return found

    return asked


class Responder:
    """A seat that plays its local best response; it takes every event of the game, as its seat sees it."""

    def __init__(
        self,
        game: Game,
        started: Started,
        seat: int,
        held: Range,
        asked: AskedPolicies,
        doubts: Counter[str] | None = None,
    ) -> None:
        """Begin a game for two at ``seat``; ``asked`` are the policies of the player at the other seat."""
        self.seat, self._game, self._range, self._asked = seat, game, held, asked
        self.doubts: Counter[str] = Counter() if doubts is None else doubts
        """How often the opponent's policy allowed its choice with no holding in the range (``contradicted``), and how
        often the opponent gave no valid policy when asked (``forfeited``)."""
        self._known: State = game.new(redact(started, seat))
        self._policies: dict[Event, Sequence[Policy]] = {}
        """The policies of the other after each of the actions that were weighed last."""

    def event(self, state: State) -> Event | None:
        """Return the event of the seat's choice, if it must choose now in the game itself; None otherwise."""
        return state.decide(self.choose()) if state.awaited == (self.seat,) else None

    def choose(self) -> Action:
        """Return the best action against the range."""
        actions = self._range.actions(self._known)
        if len(actions) == 1:
            return actions[0]
        self._policies = {}
        weights = self._range.weights()
        return max(actions, key=lambda action: self._value(action, weights))

    def take(self, event: Event) -> None:
        """Take the next event of the game."""
        known, seen = self._known, redact(event, self.seat)
        if self._game.action_of(seen) is not None and known.to_act not in (None, self.seat):
            policies = self._policies.get(known.record.events[-1]) if known.record.events else None
            self.doubts["contradicted"] += not self._range.narrow(known, seen, policies or self._ask(known))
        if known.to_act != self.seat:
            self._policies = {}
        known.apply(seen)
        self._range.take(known, seen)

    def _ask(self, state: State, chosen: tuple[Event, ...] = ()) -> Sequence[Policy]:
        return self._asked(self._range.views(state, chosen), state.legal(3 - self.seat))

    def _value(self, action: Action, weights: Sequence[float]) -> float:
        """Return the mean result of an action if both then check and call, unless the other folds at once."""
        event = self._known.decide(action)
        then = after(self._known, event)
        values = self._range.values(then, (event,))
        if then.to_act != 3 - self.seat:
            return _mean(weights, values)
        policies = self._policies[event] = self._ask(then, (event,))
        found = {answer for policy in policies for answer in policy if self._range.gives_up(then, answer)}
        ways = {way: gave_up for way in found if (gave_up := made(then, way)) is not None}
        given_up = [fsum(policy.get(way, 0.0) for way in ways) for policy in policies]
        if any(given_up):
            _, answer = ways.popitem()
            won = self._range.values(after(then, answer), (event, answer))
            values = [part * up + (1 - part) * on for part, up, on in zip(given_up, won, values, strict=True)]
        return _mean(weights, values)


def _mean(weights: Sequence[float], values: Sequence[float]) -> float:
    return fsum(weight * value for weight, value in zip(weights, values, strict=True)) / fsum(weights)
