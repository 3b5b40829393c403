"""The comparison of the tallies with the hands in the logs, in constant memory.

There are too many tallies to add them up again during an audit. As in Freivalds' check of a product of matrices, both
sides are multiplied by random numbers instead: there is one for each key and one for each figure, and the random sum of
a hand or a row is the sum of figure × number of its key × number of the figure. This is linear, so hands and rows have
equal sums if the tallies are right; if they are wrong, the sums are equal with a chance of 2 in 2⁸⁹. That holds as long
as no two figures are the same number modulo the prime, so each must be a whole number of 64 bits, as the columns hold
them.

Errors that do not change the sums are found row by row: a row of only zeros, and a second row of a key, which readers
would show instead of the first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from operator import mul
from secrets import token_bytes
from typing import Final

from sqlalchemy import Connection, Executable, select

from pokersvc.core.counting import Figures, RoundCounter
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.report import UNCOUNTED, UNKNOWN, Audited
from pokersvc.evidence.findings import Finding
from pokersvc.service.read_models.projections import game_summaries
from pokersvc.service.read_models.tallies import DIMENSIONS, CountedHand, Key, tallies, values_of

_PRIME: Final = 2**89 - 1
"""The sums' modulus, a prime above any difference of figures; as fast as 2⁶¹ − 1: Python stores both in 3 digits."""
_LARGEST: Final = 2**63 - 1
_OF_KEY: Final = (str, str, str, str, str, int)
_OF_FIGURES: Final = {int}
_KEYED: Final = len(Key._fields)
KEYS_KEPT: Final = 100_000
"""The number of keys whose random numbers are cached, because the same keys come again and again."""
_STREAMED: Final = {"yield_per": 1000}


class RandomSums:
    """Sums weighted by random numbers, which all processes of an audit share and which no forger can know."""

    def __init__(self, secret: bytes | None = None) -> None:
        self.secret = token_bytes(32) if secret is None else secret
        self._of_figures = [self._number(name) for name in Figures._fields]
        self._of_key: Callable[..., int] = lru_cache(KEYS_KEPT)(self._number)

    def _number(self, *of: object) -> int:
        return int.from_bytes(blake2b(repr(of).encode(), key=self.secret, digest_size=16).digest()) % _PRIME

    def row(self, key: Iterable[object], figures: Iterable[int]) -> int:
        """Return the random sum of a row of the tallies."""
        number = self._of_key(*key)
        return int(number * sum(map(mul, figures, self._of_figures)) % _PRIME)

    def hand(self, played: CountedHand) -> int:
        """Return the random sum of a hand over all rows that count it."""
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
    """Adds up in one random sum an audited game's hands that should be in the tallies."""

    def __init__(self, game: Game, game_id: str, rounds: int, sums: RandomSums) -> None:
        self._game, self._game_id, self._rounds, self._sums = game, game_id, rounds, sums
        self._counter: RoundCounter | None = None
        self._left = game.counts_rounds and rounds > 0
        """Whether hands that must be counted may still follow."""
        self.found: int | None = 0
        """The random sum of the hands; None if they cannot be counted."""

    def take(self, record: AnyRecord, event: Event) -> None:
        """Take the next event that could be read, and count the hand that the event completes, if any."""
        if not self._left or self.found is None:
            return
        try:
            if self._counter is None:
                self._counter = self._game.round_counter(event)
            elif (hand := self._counter.take(event)) is not None:
                self._left = hand.round < self._rounds
                if hand.round <= self._rounds:
                    played = CountedHand.of(self._game_id, hand, record.recorded_at)
                    self.found = (self.found + self._sums.hand(played)) % _PRIME
        except (LookupError, AttributeError, TypeError):  # no such game can be played, which the audit reports
            self.found = None


class TalliedGames:
    """Adds up the random sums of the hands of all games, and compares the result with the tallies."""

    def __init__(self, connection: Connection, sums: RandomSums) -> None:
        self._connection, self._sums = connection, sums
        self._total = 0
        self.unchecked: Counter[str] = Counter()
        """Reason why hands could not be counted → the number of games."""

    def through(self, games: Iterable[Audited]) -> Iterator[Audited]:
        """Yield the results of games unchanged, and add up their random sums."""
        for audited in games:
            if audited.tallied is not None:
                self._total = (self._total + audited.tallied) % _PRIME
            else:
                self.unchecked[UNCOUNTED if audited.known else UNKNOWN] += 1
            yield audited

    def rounds_of(self, game_ids: Iterable[object]) -> dict[object, int]:
        """Map each game to the number of its rounds in the tallies, according to the list of games.

        Other processes took their snapshots at other times, with other hands in the tallies; but the events of these
        rounds are the same in all snapshots.
        """
        of = game_summaries.c
        named = [game_id for game_id in game_ids if isinstance(game_id, str)]
        rows = self._connection.execute(select(of.game_id, of.counted).where(of.game_id.in_(named)))
        return {game_id: counted for game_id, counted in rows if type(counted) is int}

    def check(self) -> Iterator[Finding]:
        """Yield a finding if the tallies differ from the sums of the hands.

        The tallies have no hands from games of kinds that are not installed (`pokersvc.service.read_models.tallies`).
        If the hands of another game could not be counted, only rows that no hands can make are a finding.
        """
        found, wrong = self._added_up()
        if wrong is None and found != self._total and UNCOUNTED not in self.unchecked:
            wrong = "other figures in the tallies"
        if wrong is not None:
            expected = "what the hands add up to; `pokersvc db rebuild` makes them"
            yield Finding(None, None, None, "read_models", wrong, expected)

    def _added_up(self) -> tuple[int, str | None]:
        """Return the random sum of all rows, and a description of the first impossible row (or None)."""
        found = 0
        before: tuple[object, ...] | None = None
        with self._connection.execute(_in_order(self._connection), execution_options=_STREAMED) as rows:
            for row in rows:
                key, figures = row[:_KEYED], row[_KEYED:]
                if (wrong := _impossible(key, figures, before)) is not None:
                    return 0, f"{wrong} in the tallies"
                found, before = (found + self._sums.row(key, figures)) % _PRIME, key
        return found, None


def _in_order(connection: Connection) -> Executable:
    """Return the query for all rows, sorted so that rows of the same key are adjacent.

    The order is that of the table's primary key; it is stated explicitly because a forged table may have no key.
    """
    collation = "BINARY" if connection.dialect.name == "sqlite" else "C"
    *texts, exponent = [tallies.c[name] for name in Key._fields]
    return select(tallies).order_by(*[text.collate(collation) for text in texts], exponent)


def _impossible(key: tuple[object, ...], figures: tuple[int, ...], before: tuple[object, ...] | None) -> str | None:
    """Describe why a row is impossible, or return None; SQLite stores any type in any column."""
    if tuple(map(type, key)) != _OF_KEY:
        return "a key of another type"
    if set(map(type, figures)) != _OF_FIGURES or max(figures) > _LARGEST or min(figures) < ~_LARGEST:
        return "a figure that is not a whole number of 64 bits"
    if not any(figures):
        return "a row of only zeros"
    if key == before:
        return "two rows of one key"
    return None
