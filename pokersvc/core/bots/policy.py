"""Policies: how a player mixes its actions. pokersvc itself draws each action, so the stated policy is played."""

from collections.abc import Mapping
from math import fsum, isfinite
from numbers import Real
from random import Random
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeGuard

from pokersvc.core.actions import Action
from pokersvc.core.typevars import LegalT_contra, ViewT_contra
from pokersvc.errors import PokersvcError

SLACK: Final = 1e-6
"""The largest allowed difference between the sum of a policy's probabilities and 1."""

Policy: TypeAlias = Mapping[Action, float]
"""Action → its probability; actions that are left out have the probability 0."""


class WrongPolicy(PokersvcError):
    """A player's policy is invalid."""

    code = "wrong_policy"


class MixingPlayer(Protocol[ViewT_contra, LegalT_contra]):
    """A bot that says how it mixes its actions, and leaves the draw to pokersvc."""

    def policy(self, view: ViewT_contra, legal: LegalT_contra) -> Policy:
        """Return the probability of each action for a seat's view and legal actions."""
        ...


def mixes(player: object) -> TypeGuard[MixingPlayer[object, object]]:
    """Return whether a player's class has a method `policy`; an attribute of the object alone does not count."""
    return callable(getattr(type(player), "policy", None))


def checked(policy: object) -> dict[Action, float]:
    """Return the actions with a probability above 0, in the policy's order; raise `WrongPolicy` for an invalid one."""
    if not isinstance(policy, Mapping) or not policy:
        raise WrongPolicy("A policy must be a mapping of actions to probabilities.")
    for action, probability in policy.items():
        if not isinstance(action, Action):
            raise WrongPolicy(f"A policy has {action!r}, which is not an action.")
        if isinstance(probability, bool) or not isinstance(probability, Real):
            raise WrongPolicy(f"A policy has {probability!r} for {action!r}; it must be a number from 0 to 1.")
        if not isfinite(probability) or probability < 0:
            raise WrongPolicy(f"A policy has {probability!r} for {action!r}; it must be from 0 to 1.")
    if abs((total := fsum(policy.values())) - 1) > SLACK:
        raise WrongPolicy(f"The probabilities of a policy add up to {total:g}; they must add up to 1.")
    return {action: float(probability) for action, probability in policy.items() if probability > 0}


class Drawn(NamedTuple):
    """An action that was drawn from a policy."""

    action: Action
    policy: Policy


def drawn(policy: object, random: Random) -> Drawn:
    """Return an action drawn from a policy with one random number; raise `WrongPolicy` for an invalid policy."""
    actions = checked(policy)
    left = random.random() * fsum(actions.values())
    for action, probability in actions.items():
        left -= probability
        if left < 0:
            return Drawn(action, actions)
    return Drawn(action, actions)  # the sum was rounded, so a small rest remained
