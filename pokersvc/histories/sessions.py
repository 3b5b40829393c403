"""Sessions and tables: which stored hands of draw poker belong together, as docs/histories.md defines it."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, select

from pokersvc.core.seats import HUMAN
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import STREAMED, Snapshot
from pokersvc.eventlog.tables import events as logged
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted, RoundStarted
from pokersvc.games.draw_poker.money import say_money
from pokersvc.service.readmodels import game_summaries
from pokersvc.service.sought import played_by
from pokersvc.service.tallies import MISCOUNTED
from pokersvc.text import listed

HERE: Final = "pokersvc"
"""The site of games that are played here, where each game is a table."""
GAP: Final = 30
"""After how many minutes without a hand a new session begins, unless somebody says otherwise."""
_MOST_GAP: Final = 366 * 24 * 60
_QUOTED: Final = "HandQuoted"

Money: TypeAlias = tuple[str, int]
"""A currency's code and its exponent; amounts of different ones are never added up."""


class AtTable(NamedTuple):
    """Where hands are played."""

    site: str
    table: str | None
    tournament: str | None
    """Its number at the site."""
    currency: str
    exponent: int


class HandAt(NamedTuple):
    """A hand of one player."""

    at: str
    """When it began, in UTC: ``2026-01-31T12:00:00``."""
    game_id: str
    round: int
    where: AtTable
    net: int | None
    """What it brought the player; None where nobody is asked about."""


class HandsTogether(NamedTuple):
    """The hands of one player that are a session, or all those at one table, the earliest first."""

    site: str
    player: str | None
    """None where a file does not say who saved it, and where programs play among themselves."""
    hands: tuple[HandAt, ...]

    @property
    def name(self) -> str:
        """By what it is named: the game of its first hand, and the round unless that is the first."""
        first = self.hands[0]
        return first.game_id if first.round == 1 else f"{first.game_id}:{first.round}"

    @property
    def minutes(self) -> int:
        """From the beginning of the first hand to that of the last, as no file says when a hand ended."""
        return int((_moment(self.hands[-1].at) - _moment(self.hands[0].at)).total_seconds()) // 60

    @property
    def tables(self) -> list[AtTable]:
        """Where the hands were played, in the order of the first hand there."""
        return list(dict.fromkeys(hand.where for hand in self.hands))

    @property
    def nets(self) -> dict[Money, int]:
        """What the hands brought the player, in each currency; empty where nobody is asked about."""
        nets: dict[Money, int] = {}
        for hand in self.hands:
            if hand.net is not None:
                money = (hand.where.currency, hand.where.exponent)
                nets[money] = nets.get(money, 0) + hand.net
        return nets


class PlayedHands(NamedTuple):
    """Hands by site and player; and the games that are in no session."""

    hands: dict[tuple[str, str | None], list[HandAt]]
    undated: list[str]
    """Games whose file does not say when the hand was played."""
    damaged: list[str]
    """Games whose logs cannot be read."""


def played_hands(database: Database, players: Collection[str] = (), site: str | None = None) -> PlayedHands:
    """Return the hands of some players, or of whoever saved the files and of the people who play here."""
    found = PlayedHands({}, [], [])
    here: list[str] = []
    tables: dict[AtTable, AtTable] = {}
    with database.read() as connection:
        with connection.execute(_listed(players), execution_options=STREAMED) as rows:
            for game_id, facts, seats, outcome, type_, payload in rows:
                if type_ != _QUOTED:
                    here.append(game_id)
                elif not _add_quoted(found, tables, _Row(game_id, facts, seats, outcome, payload), players, site):
                    found.undated.append(game_id)
        for game_id in here if site in (None, HERE) else ():
            try:
                _add_here(found, connection, game_id, players)
            except MISCOUNTED:
                found.damaged.append(game_id)
    return found


def sessions(played: PlayedHands, gap: int | None = None) -> list[HandsTogether]:
    """Return the sessions of hands, the one that began last first; `InvalidValue` for a gap that none can have."""
    gap = GAP if gap is None else gap
    if not 1 <= gap <= _MOST_GAP:
        raise InvalidValue(f"--gap {gap} is no gap between sessions; it must be from 1 to {_MOST_GAP:,} minutes.")
    longest = timedelta(minutes=gap)
    found: list[HandsTogether] = []
    for (site, player), hands in played.hands.items():
        hands.sort()
        begin = 0
        for place in range(1, len(hands) + 1):
            if place == len(hands) or _moment(hands[place].at) - _moment(hands[place - 1].at) > longest:
                found.append(HandsTogether(site, player, tuple(hands[begin:place])))
                begin = place
    return sorted(found, key=_began, reverse=True)


def tables(played: PlayedHands) -> list[HandsTogether]:
    """Return all hands of each player at each table, the one that began last first."""
    found: dict[tuple[AtTable, str | None], list[HandAt]] = {}
    for (_, player), hands in played.hands.items():
        for hand in sorted(hands):
            found.setdefault((hand.where, player), []).append(hand)
    return sorted(
        [HandsTogether(where.site, player, tuple(hands)) for (where, player), hands in found.items()],
        key=_began,
        reverse=True,
    )


def session_with(played: PlayedHands, game_id: str, round_: int | None = None, gap: int | None = None) -> HandsTogether:
    """Return the session that a game belongs to, or one of its rounds; else of its first hand.

    `InvalidValue` where it belongs to none, or to those of several players.
    """
    having = {key: hands for key, hands in played.hands.items() if any(hand.game_id == game_id for hand in hands)}
    if not having:
        raise InvalidValue(
            f"Game {game_id} belongs to no session: no hand in it is known to be over and when it began."
        )
    if len(having) > 1:
        names = listed([str(player) for _, player in having])
        raise InvalidValue(f"Game {game_id} belongs to sessions of {names}; name one of them with --player.")
    for session in reversed(sessions(PlayedHands(having, [], []), gap)):
        if any(hand.game_id == game_id and round_ in (None, hand.round) for hand in session.hands):
            return session
    raise InvalidValue(f"Round {round_} of game {game_id} belongs to no session.")


def stakes(database: Database, together: HandsTogether) -> list[str]:
    """Return what was played for at each table, in words, each once."""
    first = {hand.where: hand.game_id for hand in reversed(together.hands)}
    said: dict[str, None] = {}
    with database.read() as connection:
        snapshot = Snapshot(connection)
        for where in together.tables:
            with closing(snapshot.read(first[where], upto=1, verified=False)) as records:  # an audit checks logs
                record = next(records)
            started = DRAW_POKER.codec.decode(record.type, record.version, record.payload, None)
            assert isinstance(started, GameStarted)
            said[_stakes(started)] = None
    return list(said)


_LIMITS: Final = {"no_limit": "no limit", "pot_limit": "pot limit", "fixed_limit": "limit"}


def _stakes(started: GameStarted) -> str:
    rules = started.rules
    limit = _LIMITS.get(rules.betting.raises)
    if rules.blinds is None or limit is None:
        return rules.name
    low, high = rules.blinds.small, rules.blinds.big
    if limit == "limit":  # which is named by its bets
        low, high = rules.betting.minimum, rules.betting.final_minimum or rules.betting.minimum
    currency = started.table.currency if started.table is not None else None
    code, exponent = (currency.code, currency.exponent) if currency else ("", 0)
    return f"{say_money(low, code, exponent)}/{say_money(high, code, exponent)} {limit}"


class _Row(NamedTuple):
    game_id: str
    facts: str
    seats: str
    outcome: str | None
    payload: str


def _listed(players: Collection[str]) -> Any:
    of = game_summaries.c
    second = (logged.c.game_id == of.game_id) & (logged.c.seq == 2)
    asked = select(of.game_id, of.facts, of.seats, of.outcome, logged.c.type, logged.c.payload)
    asked = asked.outerjoin_from(game_summaries, logged, second).where(of.kind == DRAW_POKER.kind)
    if players:
        asked = asked.where(played_by(players))
    return asked


def _add_quoted(
    found: PlayedHands, tables: dict[AtTable, AtTable], row: _Row, players: Collection[str], site: str | None
) -> bool:
    """Add an imported hand, and tell whether it says when it was played."""
    quote: Mapping[str, Any] = json.loads(row.payload)
    if site not in (None, quote["site"]) or quote["findings"]:
        return True
    if quote["played"] is None:
        return False
    names = [seat["name"] for seat in json.loads(row.seats)]
    facts = json.loads(row.facts)
    tournament = None if quote["tournament"] is None else quote["tournament"]["number"]
    where = AtTable(quote["site"], quote["table"], tournament, facts.get("currency", ""), facts.get("exponent", 0))
    where = tables.setdefault(where, where)
    at = quote["played"]["utc"].removesuffix("Z")
    scores = None if row.outcome is None else json.loads(row.outcome)["scores"]
    hero = names[quote["hero"] - 1] if quote["hero"] else None
    for player in [name for name in names if name in players] if players else [hero]:
        net = None if player is None or scores is None else scores[names.index(player)]
        found.hands.setdefault((where.site, player), []).append(HandAt(at, row.game_id, 1, where, net))
    return True


def _add_here(found: PlayedHands, connection: Connection, game_id: str, players: Collection[str]) -> None:
    """Add the finished hands of a game that was played here."""
    decode = DRAW_POKER.codec.decode
    counter = None
    at, hands = "", []
    with closing(Snapshot(connection).read(game_id)) as records:
        for record in records:
            event = decode(record.type, record.version, record.payload, None)
            if counter is None:
                assert isinstance(event, GameStarted)
                counter, seats = DRAW_POKER.round_counter(event), event.seats
                continue
            if isinstance(event, RoundStarted):
                at = record.recorded_at[:19]
            if (counted := counter.take(event)) is not None:
                hands.append((at, counted))
    if counter is None:
        return
    people = [seat.name for seat in seats if (seat.name in players if players else seat.kind == HUMAN)]
    for at, counted in hands:
        where = AtTable(HERE, game_id, None, counted.currency, counted.exponent)
        nets = {seat.player: seat.figures.net for seat in counted.seats}
        playing: Iterable[str | None] = [name for name in people if name in nets] if people else [None]
        for player in playing:
            net = None if player is None else nets[player]
            found.hands.setdefault((HERE, player), []).append(HandAt(at, game_id, counted.round, where, net))


def games_of(together: HandsTogether) -> Iterator[tuple[str, set[int]]]:
    """Yield the games of hands, each with its rounds, in the order of their first hands."""
    rounds: dict[str, set[int]] = {}
    for hand in together.hands:
        rounds.setdefault(hand.game_id, set()).add(hand.round)
    yield from rounds.items()


def _began(together: HandsTogether) -> tuple[str, str]:
    return together.hands[0].at, together.name


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at).replace(tzinfo=UTC)
