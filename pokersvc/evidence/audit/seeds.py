"""The check that no seed is used twice: a repeated seed was chosen, not drawn at random.

Seeds are compared as stored texts. These are canonical, or the check of the schema reports that they are not.
"""

from collections.abc import Collection, Iterator
from hashlib import sha256
from typing import Final

from sqlalchemy import ColumnElement, Connection, case, func, select

from pokersvc.core.auditable import Auditable
from pokersvc.core.registry import game_kinds, game_of, usable
from pokersvc.eventlog.tables import events, games
from pokersvc.evidence.findings import Finding

_DIGEST_BYTES: Final = 16
_STREAMED: Final = {"yield_per": 100}


class Seeds:
    """The seeds of a game that is read without a database, as digests of 16 bytes, each with the event that used it."""

    def __init__(self, game: Auditable) -> None:
        self._names = game.codec.names_of(game.seeded)
        self._met: dict[bytes, int] = {}

    def check(self, type_: str, seq: int, secret: str, game_id: str) -> Finding | None:
        """Return a finding if an event has the same seed as an earlier event, or None."""
        if type_ not in self._names:
            return None
        first = self._met.setdefault(sha256(secret.encode()).digest()[:_DIGEST_BYTES], seq)
        return None if first == seq else _again(game_id, seq, type_, f"event {first}")


def repeated_in(connection: Connection, game: Auditable, game_id: str) -> Iterator[Finding]:
    """Yield a finding for each event of a game whose seed occurred earlier in the game."""
    if not (names := game.codec.names_of(game.seeded)):
        return
    first = func.min(events.c.seq).over(partition_by=events.c.secret).label("first")
    of_game = select(events.c.seq, events.c.type, first).where(events.c.game_id == game_id, *_seeds(names)).subquery()
    again = select(of_game).where(of_game.c.seq > of_game.c.first).order_by(of_game.c.seq)
    with connection.execute(again, execution_options=_STREAMED) as rows:
        for seq, type_, earlier in rows:
            yield _again(game_id, seq, type_, f"event {earlier}")


def seeded(connection: Connection) -> frozenset[str]:
    """Return the names of the event types whose secret is a seed, in all kinds of games.

    A package's game that cannot be used is left out if the database has no game of its kind.
    """
    here = set(connection.scalars(select(games.c.kind).distinct()))
    known = [game_of(kind) for kind in game_kinds() if kind in here or usable(kind)]
    return frozenset[str]().union(*(game.codec.names_of(game.seeded) for game in known))


def repeated_between(connection: Connection, names: Collection[str]) -> Iterator[Finding]:
    """Yield a finding for each seed that two games share, by one query over all events of the types ``names``.

    Games whose seeds follow from the same text may share seeds; each game's audit checks the seeds against the text.
    """
    started = events.alias("started")
    reproducible = started.c.secret.contains(_TEXT, autoescape=True)
    dealt = (
        select(events.c.game_id, events.c.seq, events.c.type, events.c.secret)
        .add_columns(case((reproducible, 0), else_=1).label("fresh"))
        .join(started, (started.c.game_id == events.c.game_id) & (started.c.seq == 1))
        .where(*_seeds(names))
        .subquery()
    )
    places = (dealt.c.fresh.desc(), dealt.c.game_id, dealt.c.seq)
    first = {
        name: func.first_value(dealt.c[name]).over(partition_by=dealt.c.secret, order_by=places).label(f"first_{name}")
        for name in ("fresh", "game_id", "seq")
    }
    met = select(dealt.c.game_id, dealt.c.seq, dealt.c.type, *first.values()).subquery()
    again = (
        select(met.c.game_id, met.c.seq, met.c.type, met.c.first_game_id, met.c.first_seq)
        .where(met.c.game_id != met.c.first_game_id, met.c.first_fresh == 1)
        .order_by(met.c.game_id, met.c.seq)
    )
    with connection.execute(again, execution_options=_STREAMED) as rows:
        for game_id, seq, type_, first_game, first_seq in rows:
            yield _again(game_id, seq, type_, f"event {first_seq} of game {first_game}")


_TEXT: Final = '"text":"'
"""The start event's secret contains this text only in a reproducible game: inside other texts, quotes are escaped."""


def _seeds(names: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    return events.c.type.in_(sorted(names)), events.c.secret.is_not(None)


def _again(game_id: str, seq: int, type_: str, earlier: str) -> Finding:
    return Finding(game_id, seq, type_, "deal", f"the seed of {earlier} again", "a seed of its own")
