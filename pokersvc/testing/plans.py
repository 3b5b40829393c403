"""The games played to check a game: their options, their numbers of seats, and the players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Options, Setup
from pokersvc.errors import InvalidValue
from pokersvc.text import YOU

MOST_SEATS: Final = 12
"""The greatest number of seats with which a game is tried."""
PEOPLE: Final = 0.4
"""The share of seats that people take, on average."""
SHORT: Final = 3
"""Maximum number of rounds of an ordinary game, if the game takes a number of rounds."""
LONG: Final = 5
"""One seed in this many gives a long game: with 5, the seeds 4, 9, 14 and so on."""


def chance(seed: int, *labels: str) -> Random:
    """Return the random generator that follows from a seed and from labels for its purpose."""
    return EntropySource.from_text(f"check/{seed}").program_random(0, 0, *labels)


@dataclass(frozen=True)
class Plan:
    """One game to be played: everything in it follows from its seed."""

    game: Game
    seed: int
    setup: Setup
    programs: tuple[str, ...]
    """The kinds of programs that choose, including for people."""

    @property
    def random(self) -> Random:
        """The random generator for what programs and simulated people do in the game."""
        return chance(self.seed, "choices")


@dataclass(frozen=True)
class Plans:
    """All games that may be played; successive seeds go through the options and the numbers of seats in turn."""

    game: Game
    tables: tuple[tuple[Options, int], ...]
    """The options, each with a number of seats that they allow."""
    programs: tuple[str, ...]
    rounds: int = SHORT
    """The number of rounds of a long game."""

    @classmethod
    def of(
        cls, game: Game, options: Sequence[Options] | None, programs: Sequence[str] | None, rounds: int = SHORT
    ) -> "Plans":
        """Return the plans; ``options`` default to the game's houses (or no options), ``programs`` to all kinds."""
        if options is None:
            options = [{"rules": house.name} for house in game.houses()] or [{}]
        kinds = tuple(programs or game.players)
        found = [(game.options(given), list(_seat_counts(game, given, kinds[0]))) for given in options]
        most = max(len(counts) for _, counts in found)
        turns = [(given, counts[turn]) for turn in range(most) for given, counts in found if turn < len(counts)]
        return cls(game, tuple(turns), kinds, rounds)

    def plan(self, seed: int) -> Plan:
        """Return the plan of the game that a seed gives."""
        random = chance(seed, "plan")
        options, count = self.tables[seed % len(self.tables)]
        kinds = [HUMAN if random.random() < PEOPLE else random.choice(self.programs) for _ in range(count)]
        first = kinds.index(HUMAN) + 1 if HUMAN in kinds else 0
        seats = tuple(Seat(kind, YOU if number == first else f"Player{number}") for number, kind in enumerate(kinds, 1))
        source = EntropySource.from_text(f"check/{seed}")
        rounds, hidden = random.randint(1, SHORT), random.random() < 0.5
        if seed % LONG == LONG - 1:
            rounds = self.rounds
        setup = Setup(seats, source, rounds, options, hidden)
        try:
            self.game.start(setup)
        except InvalidValue:  # a game without rounds
            setup = Setup(seats, source, None, options, hidden)
        return Plan(self.game, seed, setup, self.programs)


def _seat_counts(game: Game, given: Options, kind: str) -> Iterator[int]:
    """Yield the numbers of seats that a game takes, its default first."""
    options = game.options(given)
    usual = game.default_seats(options)
    yield usual
    for count in range(1, MOST_SEATS + 1):
        seats = tuple(Seat(kind, f"Player{number}") for number in range(1, count + 1))
        try:
            game.start(Setup(seats, EntropySource.from_text("seats"), None, options))
        except InvalidValue:
            continue
        if count != usual:
            yield count
