"""Steps a second of learning environments, beside those of a card game of PettingZoo."""

import warnings
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.table import markdown, verdict
from pokersvc.envs import VectorEnv, env
from pokersvc.envs.table import EnvTable
from pokersvc.games.draw_poker import DRAW_POKER

EPISODES: Final = 150
REPETITIONS: Final = 15
THEIRS: Final = "PettingZoo, texas_holdem_v4"
HEADS_UP: Final[EnvTable] = {"options": {"rules": "fixed-limit"}, "seats": 2}
TABLES: Final = 4096
"""The number of tables in one array."""
VECTOR_STEPS: Final = 100
REQUIRED_STEPS: Final = 300_000
"""The steps a second that tables in one array should make."""


class EnvSide(NamedTuple):
    """An environment that is measured."""

    name: str
    make: Callable[[], Any]
    required: float | None = None


def run(*, quick: bool) -> str:
    """Return the table: every environment plays the same number of episodes in turn, in processor time."""
    environments = [(side, side.make()) for side in _sides()]
    times: dict[str, list[float]] = {side.name: [] for side, _ in environments}
    many, vector_times = VectorEnv("draw", TABLES, **HEADS_UP), list[float]()
    for number in range(3 if quick else REPETITIONS):
        vector_times.append(_vector_microseconds(many, seed=number))
        for side, environment in environments:
            times[side.name].append(_microseconds(environment, seed=number))
    theirs = median(times[THEIRS])
    rows = []
    for side, _ in environments:
        micros = median(times[side.name])
        ratio = theirs / micros
        said = f"{ratio:.3g} ×" if side.required is None else verdict(ratio, side.required)
        rows.append((side.name, f"{1e6 / micros:,.0f}", f"{micros:.0f}", said))
    micros = median(vector_times)
    missed = "" if 1e6 / micros >= REQUIRED_STEPS else ", missed"
    said = f"{theirs / micros:.3g} × (required: {REQUIRED_STEPS:,} steps/s{missed})"
    name = f"pokersvc, fixed-limit, 2 seats, {TABLES:,} tables in one array"
    rows.append((name, f"{1e6 / micros:,.0f}", f"{micros:.2g}", said))
    title = "Learning environments beside PettingZoo's Texas hold'em"
    return markdown(title, ("environment", "steps/s", "µs per step", "ratio"), rows)


def _sides() -> list[EnvSide]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there is a newer way to make the same environment
        from pettingzoo.classic import texas_holdem_v4
    sides = [EnvSide(THEIRS, texas_holdem_v4.env)]
    sides.append(EnvSide("pokersvc, fixed-limit, 2 seats", lambda: env("draw", **HEADS_UP), 1))
    sides += [_house(house.name) for house in DRAW_POKER.houses()]
    sides.append(EnvSide("pokersvc, market, 4 seats", lambda: env("market"), 1))
    sides.append(EnvSide("pokersvc, Kalah(6, 4)", lambda: env("kalah"), 1))
    return sides


def _house(name: str) -> EnvSide:
    seats = DRAW_POKER.default_seats(DRAW_POKER.options({"rules": name}))
    return EnvSide(f"pokersvc, {name}, {seats} seats", lambda: env("draw", options={"rules": name}), 1)


def _microseconds(environment: Any, seed: int) -> float:
    """Return the processor time per choice of agents that choose at random, episodes' beginnings and ends included."""
    random, steps = Random(seed), 0
    begun = process_time()
    for episode in range(EPISODES):
        environment.reset(seed=seed if episode == 0 else None)
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            steps += 1
            environment.step(random.choice(np.flatnonzero(observation["action_mask"])))
    return (process_time() - begun) / steps * 1e6


def _vector_microseconds(many: VectorEnv, seed: int) -> float:
    """Return the processor time per choice at tables in one array, where both seats choose at random."""
    random = np.random.default_rng(seed)
    now = many.reset(seed)
    begun = process_time()
    for _ in range(VECTOR_STEPS):
        weights = random.random(now.action_mask.shape, np.float32)
        now = many.step((weights * now.action_mask).argmax(axis=1))
    return (process_time() - begun) / (VECTOR_STEPS * TABLES) * 1e6
