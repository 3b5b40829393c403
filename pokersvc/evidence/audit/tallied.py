"""The tallies compared with the hands that the events make, in constant memory.

The tallies are too many to be added up again beside an audit. As in Freivalds' check of a product of matrices, both
sides are multiplied by random numbers instead: each key has one and each figure has one, and what a hand or a row comes
to is the sum of figure × number of its key × number of the figure. That is linear, so hands and rows come to the same
where the tallies are right; where they are wrong, they do with a chance of 2 in 2⁶¹.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from operator import mul
from secrets import token_bytes
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, select

from pokersvc.core.counting import Figures, RoundCounter
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.report import Audited
from pokersvc.evidence.findings import Finding
from pokersvc.service.readmodels import game_summaries
from pokersvc.service.tallies import DIMENSIONS, CountedHand, Key, tallies, values_of

_PRIME: Final = 2**61 - 1
KEYS_KEPT: Final = 100_000
"""Keys whose numbers are kept, as the same come again and again."""
_STREAMED: Final = {"yield_per": 1000}


class Tallied(NamedTuple):
    """What hands that are in the tallies come to."""

    rounds: int = 0
    """How many rounds of games are said to be in them."""
    sum: int = 0

    def __add__(self, other: object) -> "Tallied":
        """Return what the hands of both come to."""
        assert isinstance(other, Tallied)
        return Tallied(self.rounds + other.rounds, (self.sum + other.sum) % _PRIME)


class RandomSums:
    """Random numbers of an audit, the same in all its processes; nobody who writes tallies can know them before."""

    def __init__(self, secret: bytes | None = None) -> None:
        self.secret = token_bytes(32) if secret is None else secret
        self._of_figures = [self._number(name) for name in Figures._fields]
        self._of_key: Callable[..., int] = lru_cache(KEYS_KEPT)(self._number)

    def _number(self, *of: object) -> int:
        return int.from_bytes(blake2b(repr(of).encode(), key=self.secret, digest_size=16).digest()) % _PRIME

    def row(self, key: Key, figures: Iterable[int]) -> int:
        """Return what a row of the tallies comes to."""
        number = self._of_key(*key)
        return int(number * sum(map(mul, figures, self._of_figures)) % _PRIME)

    def hand(self, played: CountedHand) -> int:
        """Return what a hand comes to in all the rows that it is in."""
        found, hand = 0, played.hand
        for seat in hand.seats:
            keys = sum(
                self._of_key(dimension, seat.player, hand.site, value, hand.currency, hand.exponent)
                for dimension in DIMENSIONS
                for value in values_of(dimension, played, seat)
            )
            found += keys * sum(map(mul, seat.figures, self._of_figures))
        return found % _PRIME


class TalliedGame:
    """Counts the hands of a game along with its audit, those that are said to be in the tallies."""

    def __init__(self, game: Game, game_id: str, rounds: int, sums: RandomSums) -> None:
        self._game, self._game_id, self._rounds, self._sums = game, game_id, rounds, sums
        self._counter: RoundCounter | None = None
        self.found: Tallied | None = Tallied(rounds)
        """None where they cannot be counted."""

    def take(self, record: AnyRecord, event: Event) -> None:
        """Take an event that could be read."""
        if self.found is None:
            return
        try:
            if self._counter is None:
                self._counter = self._game.round_counter(event)
            elif (hand := self._counter.take(event)) is not None and hand.round <= self._rounds:
                self.found += Tallied(0, self._sums.hand(CountedHand.of(self._game_id, hand, record.recorded_at)))
        except (LookupError, AttributeError, TypeError):  # no such game can be played, as the audit says
            self.found = None


class TalliedGames:
    """Adds up what the hands of all games come to, and compares it with the tallies."""

    def __init__(self) -> None:
        self._total: Tallied | None = Tallied()

    def through(self, games: Iterable[Audited]) -> Iterator[Audited]:
        """Hand games on as they are audited."""
        for audited in games:
            if self._total is not None:
                self._total = None if audited.tallied is None else self._total + audited.tallied
            yield audited

    def check(self, connection: Connection, sums: RandomSums) -> Iterator[Finding]:
        """Yield a finding if the tallies are not what the events make.

        Nothing is said where a game cannot be counted, and so has findings of its own; nor where hands were put into
        the tallies meanwhile, as other processes of the audit have seen other moments.
        """
        rounds = connection.scalar(select(func.coalesce(func.sum(game_summaries.c.counted), 0)))
        if self._total is None or rounds != self._total.rounds:
            return
        found = 0
        with connection.execute(select(tallies), execution_options=_STREAMED) as rows:
            for row in rows:
                key, figures = Key(*row[: len(Key._fields)]), row[len(Key._fields) :]
                if not all(type(figure) is int for figure in figures):  # SQLite keeps anything in any column
                    found = -1
                    break
                found = (found + sums.row(key, figures)) % _PRIME
        if found != self._total.sum:
            expected = "what the hands add up to; `pokersvc db rebuild` makes them"
            yield Finding(None, None, None, "read_models", "other figures in the tallies", expected)
