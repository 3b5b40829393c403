"""The tables of these tests: every house, every game, and custom games."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Final, NamedTuple

import pytest
from kuhn import KUHN
from leduc import LEDUC
from small_draw import SMALL_DRAW

from pokersvc.core.registry import registered
from pokersvc.envs import raw_env
from pokersvc.envs.aec import GameEnv
from pokersvc.envs.table import EnvTable
from pokersvc.games.draw_poker import DRAW_POKER
from tests.sealed.game import SEALED


class EnvCase(NamedTuple):
    """A kind of game and the arguments of its environment."""

    kind: str
    table: EnvTable


CASES: Final = {
    **{house.name: EnvCase("draw", {"options": {"rules": house.name}}) for house in DRAW_POKER.houses()},
    "all sizes": EnvCase("draw", {"options": {"rules": "no-limit"}, "seats": 2, "actions": {"sizes": "all"}}),
    "three rounds": EnvCase("draw", {"options": {"rules": "pot-limit"}, "seats": 3, "rounds": 3}),
    "market": EnvCase("market", {"seats": 3, "options": {"markets": 2}}),
    "kalah": EnvCase("kalah", {"options": {"holes": 4, "beans": 3}}),
    "kuhn": EnvCase("kuhn", {"rounds": 3}),
    "leduc": EnvCase("leduc", {"rounds": 3}),
    "small draw": EnvCase("small_draw", {"rounds": 2}),
    "sealed": EnvCase("sealed", {"rounds": 3, "seats": 3}),
}
EVERY_TABLE: Final = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


@contextmanager
def own_games() -> Iterator[None]:
    """Register the games of the tests until the context ends."""
    with ExitStack() as stack:
        for game in (KUHN, LEDUC, SMALL_DRAW, SEALED):
            stack.enter_context(registered(game))
        yield


def choosing(case: EnvCase, seed: int, random: Random) -> Iterator[GameEnv]:
    """Yield an environment before each choice of an episode, in which agents choose at random, and after the last."""
    env = raw_env(case.kind, **case.table)
    env.reset(seed=seed)
    while True:
        yield env
        if (turn := env.episode.turn) is None:
            return
        env.step(random.choice(turn.numbers))
