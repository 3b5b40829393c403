"""Many tables of a game in arrays: all take a step at once, without events, and give an environment's observations."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Unpack

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import Event
from pokersvc.core.registry import game_of
from pokersvc.envs.numbers import Numbers
from pokersvc.envs.table import EnvTable, EpisodeStarts
from pokersvc.errors import InvalidValue, about
from pokersvc.text import counted


class VectorStep(NamedTuple):
    """The current observations of all tables; the first dimension of each array is the table."""

    seats: NDArray[np.int64]
    """The seat whose turn it is, from 1; the next three arrays show what the seat sees."""
    action_mask: NDArray[np.int8]
    """As in `Observation`."""
    features: NDArray[np.int64]
    """As in `Observation`."""
    observation: NDArray[np.int64]
    """As in `Observation`."""
    rewards: NDArray[np.int64]
    """The gain of each seat, from seat 1, in games that this step has ended; 0 at other tables."""
    over: NDArray[np.bool_]
    """Whether this step has ended the table's game; the first four arrays then show the next game's first turn."""


class VectorEnv:
    """Many tables for two with the rules of card rooms; each table plays one game after another.

    The games are those of `pokersvc.envs.env`, with the same numbers and arrays, and are checked against it.

    >>> tables = VectorEnv("draw", 3, options={"rules": "fixed-limit"}, seats=2)
    >>> now = tables.reset(seed=7)
    >>> now = tables.step(now.action_mask.argmax(axis=1))
    >>> now.over.tolist(), now.rewards.tolist()
    ([True, True, True], [[-1, 1], [-1, 1], [-1, 1]])
    """

    def __init__(self, game: str = "draw", tables: int = 1024, **table: Unpack[EnvTable]) -> None:
        """Make ``tables`` tables; the other arguments are those of `pokersvc.envs.env`, without bots.

        Raise `NotVectorised` for a game or table without a vectorised form, `InvalidValue` for an impossible table.
        """
        if type(tables) is not int or tables < 1:
            with about("tables"):
                raise InvalidValue(f"{tables!r} cannot be the number of tables; it is 1 or more.")
        if table.get("bots"):
            with about("bots"):
                raise InvalidValue("Bots cannot play at tables in one array; every seat chooses by numbers.")
        kind = game_of(game)
        started = EpisodeStarts(kind, table).first
        self.numbers: Final = Numbers(kind, started, table)
        """How observations and actions are written as numbers."""
        self._tables: Final = kind.in_arrays(
            started, table.get("actions") or {}, self._written, tables=tables, length=self.numbers.length
        )
        self._count, self._seats = tables, len(started.seats)
        self._random = np.random.default_rng()
        self._decks: NDArray[np.int64] | None = None
        self._games: Final = np.zeros(tables, np.int64)
        """The number of games begun at each table since the last `reset`."""
        self._mask: NDArray[np.int8] | None = None

    def reset(self, seed: int | None = None, decks: ArrayLike | None = None) -> VectorStep:
        """Begin a game at every table.

        The decks follow from ``seed``; without a seed, nobody can predict them. ``decks``, if given, are card numbers,
        the top card first, in the shape (tables, cards) or (tables, games, cards): a table plays its decks in turn, and
        then from the first again. Raise `InvalidValue` for other decks.
        """
        with about("decks"):
            self._decks = None if decks is None else self._checked(decks)
        self._random = np.random.default_rng(seed)
        self._games[:] = 0
        every = np.arange(self._count)
        self._deal(every)
        return self._now(np.zeros((self._count, self._seats), np.int64), np.zeros(self._count, np.bool_))

    def step(self, numbers: ArrayLike) -> VectorStep:
        """Take the choice of the seat to act at every table; a table whose game ends begins the next game.

        Raise `IllegalAction` for a number that a mask excludes, and `InvalidValue` for another shape or before the
        first `reset`; no table takes a step then.
        """
        if self._mask is None:
            raise InvalidValue("The tables have no games yet; call `reset` first.")
        chosen = np.asarray(numbers)
        if chosen.shape != (self._count,) or chosen.dtype.kind not in "iu":
            raise InvalidValue(
                f"A step takes whole numbers in the shape ({self._count},), not {chosen.dtype} in {chosen.shape}."
            )
        chosen = chosen.astype(np.int64)
        inside = (chosen >= 0) & (chosen < self._mask.shape[1])
        legal = inside & (self._mask[np.arange(self._count), np.where(inside, chosen, 0)] == 1)
        if not legal.all():
            wrong = int(legal.argmin())
            legal_there = ", ".join(map(str, np.flatnonzero(self._mask[wrong])))
            raise IllegalAction(
                "not_legal",
                f"{chosen[wrong]} is not legal at table {wrong} of 0 to {self._count - 1}; legal are {legal_there}.",
            )
        rewards, over = self._tables.step(chosen)
        if over.any():
            self._deal(np.flatnonzero(over))
        return self._now(rewards, over)

    def _now(self, rewards: NDArray[np.int64], over: NDArray[np.bool_]) -> VectorStep:
        tables = self._tables
        mask = tables.masks()
        self._mask = mask.copy()  # a copy, so that changes by the caller have no effect
        return VectorStep(tables.seats, mask, tables.features(), tables.records(), rewards, over)

    def _deal(self, which: NDArray[np.intp]) -> None:
        if self._decks is None:
            fresh = np.tile(np.arange(self._tables.pieces), (len(which), 1))
            decks = self._random.permuted(fresh, axis=1, out=fresh)
        else:
            decks = self._decks[which, self._games[which] % self._decks.shape[1]]
        self._games[which] += 1
        self._tables.deal(which, decks)

    def _checked(self, decks: ArrayLike) -> NDArray[np.int64]:
        given, least, deck = np.asarray(decks), self._tables.dealt, self._tables.pieces
        found = given[:, None] if given.ndim == 2 else given
        if found.ndim != 3 or len(found) != self._count or not found.shape[1] or found.shape[2] < least:
            raise InvalidValue(
                f"Decks have the shape ({self._count}, cards) or ({self._count}, games, cards), with"
                f" {counted(least, 'card')} or more, not {given.shape}."
            )
        if found.dtype.kind not in "iu" or found.min() < 0 or found.max() >= deck:
            raise InvalidValue(f"Decks consist of card numbers from 0 to {deck - 1}; these contain others.")
        in_order = np.sort(found, axis=2)
        if (in_order[:, :, 1:] == in_order[:, :, :-1]).any():
            raise InvalidValue("A deck has each card once; one of these has a card twice.")
        return found.astype(np.int64)

    def _written(self, own: bool, event: Event) -> list[int]:
        form = self.numbers.tokens.forms[type(event)]
        return form.write(event) if own else form.write_hidden(event)
