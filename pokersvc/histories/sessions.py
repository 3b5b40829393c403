"""Groups stored hands of draw poker into sessions and tables, as docs/histories.md defines them."""

from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, literal, literal_column, select, tuple_

from pokersvc.betting.money import say_money
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import STREAMED, Snapshot
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.histories.sources import origin
from pokersvc.histories.statistics.prizes import PrizeGame, prize_games
from pokersvc.service.read_models.history import ReadModelsDamaged
from pokersvc.service.read_models.played_rounds import played_rounds, unmade
from pokersvc.text import counted, listed

GAP: Final = 30
"""Default number of minutes without a hand after which a new session begins."""
_MOST_GAP: Final = 366 * 24 * 60

_ROW: Final = played_rounds.c
_OWN: Final = _ROW.own == literal_column("1")  # written as in the definition of the index, so that it is used
_IN_ORDER: Final = (_ROW.at, _ROW.game_id, _ROW.round)
_HANDS: Final = select(
    _ROW.player,
    _ROW.site,
    *_IN_ORDER,
    _ROW.net,
    _ROW.table_name,
    _ROW.tournament,
    _ROW.currency,
    _ROW.exponent,
)

Money: TypeAlias = tuple[str, int]
"""A currency's code and its exponent; amounts in different currencies are never added up."""


class AtTable(NamedTuple):
    """The table at which hands are played."""

    site: str
    table: str | None
    tournament: str | None
    """The tournament's number at the site."""
    currency: str
    exponent: int


class HandAt(NamedTuple):
    """A hand of one player."""

    at: str
    """When the hand began, in UTC: ``2026-01-31T12:00:00``."""
    game_id: str
    round: int
    where: AtTable
    net: int | None
    """The player's net win; None if no player is asked about."""


class HandGroup(NamedTuple):
    """One player's hands of a session, or all of that player's hands at one table, earliest first."""

    site: str
    player: str | None
    """The player's name; None if a file does not say who saved it, or if bots played among themselves."""
    hands: tuple[HandAt, ...]
    for_prizes: frozenset[str] = frozenset()
    """The games of the hands that were played for prizes, so that their chips are no winnings."""
    prizes: int | None = None
    """Winnings in tournaments whose last hand is among the hands, less the prices paid; None without tournaments."""

    @property
    def name(self) -> str:
        """The group's name: the game ID of its first hand, and the hand's round if that is not the game's first."""
        first = self.hands[0]
        return first.game_id if first.round == 1 else f"{first.game_id}:{first.round}"

    @property
    def minutes(self) -> int:
        """Minutes from the start of the first hand to the start of the last: no file says when a hand ended."""
        return int((_moment(self.hands[-1]) - _moment(self.hands[0])).total_seconds()) // 60

    @property
    def tables(self) -> list[AtTable]:
        """The tables at which the hands were played, in the order of the first hand at each."""
        return list(dict.fromkeys(hand.where for hand in self.hands))

    @property
    def nets(self) -> dict[Money, int]:
        """The player's net win in each currency, without tournaments for prizes; empty if no player is asked about."""
        nets: dict[Money, int] = {}
        for hand in self.hands:
            if hand.net is not None and hand.game_id not in self.for_prizes:
                money = (hand.where.currency, hand.where.exponent)
                nets[money] = nets.get(money, 0) + hand.net
        return nets


class PlayedHands(NamedTuple):
    """Hands by site and player, each list in chronological order, and the games that are in no session."""

    hands: dict[tuple[str, str | None], list[HandAt]]
    undated: list[str]
    """Games whose file does not say when the hand was played."""
    unmade: list[str]
    """Games whose hands are not yet in the read models (tables derived from the log): a migration was interrupted."""
    for_prizes: dict[str, PrizeGame]
    """Game ID → each tournament for prizes."""


def played_hands(database: Database, players: Collection[str] = (), site: str | None = None) -> PlayedHands:
    """Return the hands of the given players; by default, of those who saved the files and of people who play here."""
    with database.read() as connection:
        for_prizes = {game.game_id: game for game in prize_games(connection)}
        found = PlayedHands({}, [], unmade(connection), for_prizes)
        wheres = _Wheres()
        asked = _HANDS.where(*_of(players, site)).order_by(_ROW.player, _ROW.site, *_IN_ORDER)
        with connection.execute(asked, execution_options=STREAMED) as rows:
            for row in map(_Row._make, rows):
                if row.at:
                    hands = found.hands.setdefault((row.site, row.player or None), [])
                    hands.append(wheres.hand(row))
                else:
                    found.undated.append(row.game_id)
    return found


def _of(players: Collection[str], site: str | None = None) -> Iterator[ColumnElement[bool]]:
    """Yield SQL conditions, in a form that an index can answer, for the hands of these players and this site."""
    yield _OWN if not players else _ROW.player.in_(players)
    yield _ROW.site != "" if site is None else _ROW.site == site


def players_and_sites(database: Database) -> tuple[list[str], list[str]]:
    """Return the names of all players and sites of finished hands."""
    with database.read() as connection:
        players, sites = (connection.scalars(select(column).distinct()).all() for column in (_ROW.player, _ROW.site))
    return list(players), list(sites)


class _Row(NamedTuple):
    player: str
    site: str
    at: str
    game_id: str
    round: int
    net: int | None
    table: str | None
    tournament: str | None
    currency: str
    exponent: int


class _Wheres:
    """Makes hands from rows; all hands at the same table share one `AtTable` object."""

    def __init__(self) -> None:
        self._known: dict[AtTable, AtTable] = {}

    def hand(self, row: "_Row") -> HandAt:
        where = AtTable(row.site, row.table, row.tournament, row.currency, row.exponent)
        return HandAt(row.at, row.game_id, row.round, self._known.setdefault(where, where), row.net)


def sessions(played: PlayedHands, gap: int | None = None) -> list[HandGroup]:
    """Return the sessions of hands, most recent start first; raise `InvalidValue` if ``gap`` is out of range."""
    longest = _longest(gap)
    found: list[HandGroup] = []
    for (site, player), hands in played.hands.items():
        begin, results = 0, _results(played, player, hands)
        for place in range(1, len(hands) + 1):
            if place == len(hands) or _moment(hands[place]) - _moment(hands[place - 1]) > longest:
                found.append(_group(site, player, hands[begin:place], played, results))
                begin = place
    return sorted(found, key=_began, reverse=True)


def tables(played: PlayedHands) -> list[HandGroup]:
    """Return the hands grouped by player and table, most recent start first."""
    found: dict[tuple[AtTable, str | None], list[HandAt]] = {}
    results: dict[str | None, dict[HandAt, int]] = {}
    for (_, player), hands in played.hands.items():
        results[player] = _results(played, player, hands) | results.get(player, {})
        for hand in hands:
            found.setdefault((hand.where, player), []).append(hand)
    return sorted(
        [_group(where.site, player, hands, played, results[player]) for (where, player), hands in found.items()],
        key=_began,
        reverse=True,
    )


def _results(played: PlayedHands, player: str | None, hands: list[HandAt]) -> dict[HandAt, int]:
    """Map a player's last hand in each finished tournament for prizes to the player's net result in that tournament."""
    if not played.for_prizes or player is None:
        return {}
    last = {hand.game_id: hand for hand in hands if hand.game_id in played.for_prizes}
    over = [(hand, played.for_prizes[game_id]) for game_id, hand in last.items() if played.for_prizes[game_id].nets]
    nets = {hand: dict(zip(game.players, game.nets, strict=True)) for hand, game in over}
    return {hand: net[player] for hand, net in nets.items() if player in net}


def _group(
    site: str, player: str | None, hands: list[HandAt], played: PlayedHands, results: dict[HandAt, int]
) -> HandGroup:
    for_prizes = frozenset({hand.game_id for hand in hands}.intersection(played.for_prizes))
    won = [results[hand] for hand in hands if hand in results] if for_prizes else []
    return HandGroup(site, player, tuple(hands), for_prizes, sum(won) if won else None)


def session_with(
    database: Database, game_id: str, round_: int | None = None, player: str | None = None, gap: int | None = None
) -> HandGroup:
    """Return the session that a game's round belongs to; without ``round_``, that of the game's first hand.

    It is a session of ``player`` or, by default, of the player who saved the file or played here. Raise `InvalidValue`
    if the game belongs to no session, or to sessions of several players.
    """
    longest, players = _longest(gap), () if player is None else (player,)
    with database.read() as connection:
        of_game = [_ROW.game_id == game_id, _ROW.at != "", *_of(players)]
        found = [*map(_Row._make, connection.execute(_HANDS.where(*of_game).order_by(_ROW.round)))]
        if not found:
            raise InvalidValue(_in_none(connection, game_id, player))
        first = next((row for row in found if round_ in (None, row.round)), None)
        if first is None:
            raise InvalidValue(f"Round {round_} of game {game_id} belongs to no session.")
        names = sorted({row.player for row in found if row.player})
        if first.player and len(names) > 1:
            raise InvalidValue(
                f"Game {game_id} belongs to sessions of {listed(names)}; name one of them with --player."
            )
        same = [_ROW.player == first.player, _ROW.site == first.site, _ROW.at != "", *_of(players)]
        here, where = tuple_(*_IN_ORDER), tuple_(literal(first.at), literal(first.game_id), literal(first.round))
        before = _HANDS.where(*same, here < where).order_by(*[column.desc() for column in _IN_ORDER])
        after = _HANDS.where(*same, here > where).order_by(*_IN_ORDER)
        earlier = [*_until_a_break(connection, before, first, longest)]
        rows = [*reversed(earlier), first, *_until_a_break(connection, after, first, longest)]
    wheres = _Wheres()
    return HandGroup(first.site, first.player or None, tuple(map(wheres.hand, rows)))


def _in_none(connection: Connection, game_id: str, player: str | None) -> str:
    """Return the reason why a game is in no session, or in no session of the given player."""
    asked = select(_ROW.player, _ROW.at).where(_ROW.game_id == game_id, _ROW.site != "")
    rows = connection.execute(asked.distinct()).all()
    if game_id in unmade(connection):
        return f"The sessions of game {game_id} are missing, as a migration was interrupted; run `pokersvc db upgrade`."
    if any(at for _, at in rows):
        names = listed(sorted({name for name, _ in rows if name})) or "nobody"
        return f"Game {game_id} belongs to no session of {player!r}: those who played it are {names}."
    none = f"Game {game_id} belongs to no session"
    if rows:
        return f"{none}: its file does not say when it was played."
    if (quoted := origin(connection, game_id)) is not None and quoted.findings:
        hand = f"hand {quoted.number} of {quoted.site}"
        return f"{none}: it is {hand}, which was kept with {counted(quoted.findings, 'finding')}."
    return f"{none}: no hand of draw poker in it is over."


def _until_a_break(connection: Connection, asked: Select[Any], first: _Row, longest: timedelta) -> Iterator[_Row]:
    """Yield hands, forward or backward in time, up to the first break longer than ``longest``."""
    last = _moment(first)
    with connection.execute(asked, execution_options=STREAMED) as rows:
        for row in map(_Row._make, rows):
            moment = _moment(row)
            if abs(moment - last) > longest:
                return
            yield row
            last = moment


def _longest(gap: int | None) -> timedelta:
    """Return the longest break within a session; raise `InvalidValue` if ``gap`` is out of range."""
    gap = GAP if gap is None else gap
    if not 1 <= gap <= _MOST_GAP:
        raise InvalidValue(f"--gap {gap} is not a gap between sessions; it must be from 1 to {_MOST_GAP:,} minutes.")
    return timedelta(minutes=gap)


def stakes(database: Database, together: HandGroup) -> list[str]:
    """Return the distinct stakes of the tables, in words."""
    first = {hand.where: hand.game_id for hand in reversed(together.hands)}
    said: dict[str, None] = {}
    with database.read() as connection:
        snapshot = Snapshot(connection)
        for where in together.tables:
            # Not verified: that is the task of an audit.
            with closing(snapshot.read(first[where], upto=1, verified=False)) as records:
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
    if limit == "limit":  # a fixed limit is named by its bets
        low, high = rules.betting.minimum, rules.betting.final_minimum or rules.betting.minimum
    currency = started.table.currency if started.table is not None else None
    code, exponent = (currency.code, currency.exponent) if currency else ("", 0)
    said = f"{say_money(low, code, exponent)}/{say_money(high, code, exponent)} {limit}"
    if rules.straddle:
        said += f" with a straddle of {say_money(rules.straddle, code, exponent)}"
    return said


def games_of(together: HandGroup) -> Iterator[tuple[str, set[int]]]:
    """Yield each game that has some of the hands, with its rounds among them, in the order of their first hands."""
    rounds: dict[str, set[int]] = {}
    for hand in together.hands:
        rounds.setdefault(hand.game_id, set()).add(hand.round)
    yield from rounds.items()


def _began(together: HandGroup) -> tuple[str, str]:
    return together.hands[0].at, together.name


def _moment(hand: HandAt | _Row) -> datetime:
    """Return when a hand began; raise `ReadModelsDamaged` for a value that no program of ours stored."""
    try:
        return datetime.fromisoformat(hand.at).replace(tzinfo=UTC)
    except (ValueError, TypeError) as error:
        raise ReadModelsDamaged(hand.game_id) from error
