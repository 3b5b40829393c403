"""The arguments of an environment: the seats, the rules, and the encoding as numbers."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Final, cast

from typing_extensions import TypedDict

from pokersvc.core.common_events import Started
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Options, Setup
from pokersvc.errors import InvalidValue, about

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LEARNER: Final = "learner.py:Learner"
"""The kind that the log has for a seat that chooses by numbers, unless the environment names another kind."""

TRIED_STARTS: Final = 16
"""The number of starts that are compared: if they differ only in their sources, the game makes no further ones."""


class AsNumbers(TypedDict, total=False):
    """The encoding of a game as numbers."""

    actions: Options
    """Options of the list of actions (`Game.in_numbers`), such as ``{"sizes": "all"}`` in draw poker."""
    length: int
    """The length of the array with the record; by default the game's `NumberedGame.longest_record`."""


class EnvTable(AsNumbers, total=False):
    """The table of an environment; omitted settings are as in a tournament of the game."""

    bots: Mapping[int, str]
    """Seat → the built-in bot that plays it; by default every seat chooses by numbers."""
    learner: str
    """The kind of the other seats in recorded games, in the form ``FILE.py:CLASS``."""
    options: Options
    """The game's own options, such as ``{"rules": "fixed-limit"}``."""
    rounds: int
    """The number of rounds, after which an episode ends."""
    seats: int
    """The number of seats."""


def setup_for(game: Game, table: EnvTable, source: EntropySource) -> Setup:
    """Return the setup of an episode; raise `InvalidValue` for seats or bots that the game does not have."""
    options = table.get("options") or {}
    count, bots = table.get("seats"), table.get("bots") or {}
    if count is None:
        count = game.default_seats(game.options(options))
    if type(count) is not int or count < 1:
        with about("seats"):
            raise InvalidValue(f"{count!r} cannot be the number of seats; an environment has 1 or more.")
    for seat, kind in bots.items():
        if seat not in range(1, count + 1):
            with about("bots"):
                raise InvalidValue(f"A bot cannot play seat {seat!r}; seats are 1 to {count}.")
        if kind not in game.players:
            with about("bots"):
                raise InvalidValue(f"{kind!r} cannot play seat {seat}; bots are {', '.join(sorted(game.players))}.")
    if len(bots) == count:
        with about("bots"):
            raise InvalidValue("Bots cannot play every seat of an environment; leave one for the learner.")
    kinds = [bots.get(seat, table.get("learner", LEARNER)) for seat in range(1, count + 1)]
    seats = tuple([Seat(kind, f"Player{seat}") for seat, kind in enumerate(kinds, 1)])
    return Setup(seats, source, table.get("rounds", game.tournament_rounds), options)


class EpisodeStarts:
    """The starts of an environment's episodes, which differ only in the source of chance."""

    def __init__(self, game: Game, table: EnvTable) -> None:
        """Start some games; raise `InvalidValue` for a table at which they cannot be played."""
        self._game, self._table = game, table
        sources = [EntropySource.from_text(str(number)) for number in range(TRIED_STARTS)]
        self.first = self._made(sources[0])
        of_first = cast("DataclassInstance", self.first)
        self._fields = {field.name: getattr(of_first, field.name) for field in fields(of_first)}
        self._alike = all(self._made(source) == self._with(source) for source in sources)

    def start(self, source: EntropySource) -> Started:
        """Return the event that starts an episode."""
        return self._with(source) if self._alike else self._made(source)  # `_with` skips the checks of the options

    def _made(self, source: EntropySource) -> Started:
        started: Started = self._game.start(setup_for(self._game, self._table, source))
        return started

    def _with(self, source: EntropySource) -> Started:
        return self.first.__class__(**{**self._fields, "entropy": source})
