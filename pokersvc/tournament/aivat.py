"""AIVAT: takes luck out of a game's results without bias, so that fewer deals are needed.

Whenever the dealer decides something by chance, or a player that states its mixed strategy acts, the estimate after
the outcome is compared with the mean estimate over all possible outcomes. The difference is luck. Its mean is 0, so it
may be subtracted from the result. This is the method of N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling,
AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information Games (2018), without its
imaginary observations, for which a player would have to be asked about every hand that it might have held.

Estimates look ahead: the players' policies say what they would do until the betting round is over.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from typing import Final, TypeAlias

from pokersvc.core.bots.estimates import Estimate, Gains, after, mixed
from pokersvc.core.bots.player import Player
from pokersvc.core.event import Event
from pokersvc.core.state import State
from pokersvc.players import Choice, choice_of, decided

LEAST_LIKELY: Final = 0.01
"""Estimates look ahead only along choices whose joint probability is at least this."""
ASKED_AGAIN: Final = 0.02
"""The share of choices at which a player with a policy is asked again, to find out whether it says the same."""
PlayerAt: TypeAlias = Callable[[int], Callable[[], Player]]
"""A function that returns for a seat the function that makes its bot."""


class Luck:
    """The luck of each seat in one game, summed up event by event."""

    def __init__(
        self,
        estimate: Estimate,
        seats: int,
        player_at: PlayerAt,
        hidden: Random,
        ahead: Random,
        asking: AbstractContextManager[object],
    ) -> None:
        """Begin a game; players never get ``hidden``, and are asked ahead with ``ahead``, under the lock ``asking``."""
        self._estimate, self._player_at, self._hidden, self._asking = estimate, player_at, hidden, asking
        self._ahead = ahead
        self._luck = [0.0] * seats
        self.changed = [0] * seats
        """For each seat, how often it gave a different policy when it was asked again."""
        self._mean: Gains | None = None
        self._found: dict[tuple[Event, ...], Gains] = {}
        """Choices since chance last decided → the estimate after them."""
        self._chosen: tuple[Event, ...] = ()
        self._choosers: set[int] = set()
        """The seats without a policy, which therefore are not asked ahead."""

    def before(self, state: State, event: Event, choice: Choice | None, random: Random | None = None) -> None:
        """Take the state before an event and, if a bot chose the event, the choice and its randomness."""
        if choice is None:
            self._mean = self._estimate.mean(state)
            self._found, self._chosen = {}, ()
            return
        seat = state.awaited[0]
        self._mean = None
        if choice.policy is None:
            self._choosers.add(seat)
        else:
            if self._hidden.random() < ASKED_AGAIN and random is not None:
                self.changed[seat - 1] += self._asked(state, seat, random).policy != choice.policy
            if len(choice.policy) > 1:
                self._mean = self._mixed(state, seat, choice, self._chosen, 1.0)
        self._chosen += (event,)
        if self._chosen not in self._found:  # the choice was recorded when the player had a different policy
            self._mean = None

    def after(self, state: State) -> None:
        """Take the state after the event."""
        if self._mean is None:
            return
        came = self._found[self._chosen] if self._chosen else self._estimate.value(state)
        for place, (value, mean) in enumerate(zip(came, self._mean, strict=True)):
            self._luck[place] += value - mean

    def taken_off(self, gains: tuple[int, ...]) -> tuple[float, ...]:
        """Return a game's gains without the luck."""
        return tuple(gain - luck for gain, luck in zip(gains, self._luck, strict=True))

    def _asked(self, state: State, seat: int, random: Random) -> Choice:
        with self._asking:
            return choice_of(self._player_at(seat), state, seat, random)

    def _mixed(self, state: State, seat: int, choice: Choice, chosen: tuple[Event, ...], likely: float) -> Gains:
        """Return the mean estimate over all actions in the policy of a seat."""
        assert choice.policy is not None
        found = []
        for action, probability in choice.policy.items():
            event = decided(state, seat, action).event
            path = (*chosen, event)
            if path not in self._found:
                self._found[path] = self._value(after(state, event), path, likely * probability)
            found.append((probability, self._found[path]))
        return mixed(found)

    def _value(self, state: State, chosen: tuple[Event, ...], likely: float) -> Gains:
        """Return the estimate in a state, averaged over the policies of the next players that have one."""
        seat = state.to_act
        if seat is None or seat in self._choosers or likely < LEAST_LIKELY or not self._estimate.looks_ahead(state):
            return self._estimate.value(state)
        choice = self._asked(state, seat, self._ahead)
        if choice.policy is None:
            self._choosers.add(seat)
            return self._estimate.value(state)
        return self._mixed(state, seat, choice, chosen, likely)
