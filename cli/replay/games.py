"""`pokersvc games`: lists or searches games, and shows whose turn it is. It never writes."""

import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

import typer

import pokersvc
from pokersvc import core
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import stream_json, wrapped
from pokersvc.cli.replay.newest_first import LastOption, looked_at, print_newest
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.errors import InvalidValue, PokersvcError, printable
from pokersvc.text import counted, listed

if TYPE_CHECKING:
    _Told: TypeAlias = tuple[pokersvc.GameSummary, "_Turn | None", pokersvc.histories.sources.Quoted | None]

_AT_ONCE: Final = 64
"""The number of games whose seat numbers are read at once."""


def games(
    context: typer.Context,
    kind: Annotated[str | None, typer.Option("--game", metavar="KIND", help="Only games of this kind.")] = None,
    house: Annotated[str | None, typer.Option("--house", metavar="HOUSE", help="Only games of this house.")] = None,
    player: Annotated[str | None, typer.Option("--player", metavar="NAME", help="Only games of this player.")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Only unfinished games; shows whose turn it is.")] = False,
    finished: Annotated[bool, typer.Option("--finished", help="Only finished games.")] = False,
    my_turn: Annotated[bool, typer.Option("--my-turn", help="Only games that wait for you.")] = False,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="WHEN", help="Only games started since: 2026-01-31, 7d (days) or 12h (hours)."),
    ] = None,
    last: LastOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the games, the newest first.

    Example: pokersvc games --player Ann --since 7d

    Example: pokersvc games --last 100
    """
    if finished and (open_ or my_turn):
        other = "--open" if open_ else "--my-turn"
        raise InvalidValue(f"--finished and {other} cannot be combined; leave one of them out.")
    of_finished = finished or (False if open_ or my_turn else None)
    earliest = None if since is None else moment(since)
    mine = Preferences.of_this_person()
    sought = pokersvc.service.read_models.game_search.Sought(kind, house, player, of_finished, earliest)
    with databases.reading(context) as database:
        found = pokersvc.service.read_models.game_search.games(database, sought)
        shown = (
            _waiting(database, found, mine.name, my_turn=my_turn, warns=of_finished is False)
            # Reading logs is slow, so programs must ask for it.
            if of_finished is False or (sys.stdout.isatty() and not as_json)
            else ((game, None) for game in found)
        )
        if as_json:
            told = pokersvc.histories.sources.with_origin(database, islice(shown, last))
            stream_json(_as_json(*one, places) for one, places in _with_places(database, told))
            return
        newest = pokersvc.histories.sources.with_origin(database, islice(shown, looked_at(last)))
        count = print_newest((_line(*one, coloured=mine.coloured) for one in newest), last)
        if not count and (my_turn or sought != pokersvc.service.read_models.game_search.Sought()):
            print(wrapped("No game in this database is like that; `pokersvc games` lists all."))


def _with_places(database: "pokersvc.Database", told: "Iterator[_Told]") -> "Iterator[tuple[_Told, tuple[int, ...]]]":
    """Yield games, each with the seat numbers that its table shows."""
    while some := list(islice(told, _AT_ONCE)):
        places = pokersvc.service.places.places_of(database, [game for game, _, _ in some])
        yield from ((one, places[one[0].game_id]) for one in some)


def _as_json(
    game: "pokersvc.GameSummary",
    turn: "_Turn | None",
    quoted: "pokersvc.histories.sources.Quoted | None",
    places: "Iterable[int]",
) -> dict[str, object]:
    fields = summary_json(game, places) | ({} if turn is None else turn.as_json)
    return fields if quoted is None else fields | {"hand": quoted._asdict()}


def _line(
    game: "pokersvc.GameSummary",
    turn: "_Turn | None",
    quoted: "pokersvc.histories.sources.Quoted | None",
    *,
    coloured: bool,
) -> str:
    started = game.started_at[:16].replace("T", " ")
    rounds = counted(game.rounds, "round")
    ended = printable(game.result or ("unfinished" if turn is None else turn.words))
    if coloured and turn is not None and turn.mine:
        ended = f"\x1b[1;32m{ended}\x1b[0m"  # bold and green
    if quoted is not None:
        wrong = f", {counted(quoted.findings, 'finding')}" if quoted.findings else ""
        ended += printable(f"; {quoted.site} {quoted.number}{wrong}")
    return printable(f"{game.game_id[:8]}  {started}  {printable(game.kind):<6}  {rounds:>10}  ") + ended


class _Turn(NamedTuple):
    """The seats that an unfinished game waits for."""

    seats: "tuple[pokersvc.Seat, ...]"
    mine: bool
    among_people: bool
    """Whether several people play; if so, the names of those to act are shown instead of ``your turn``."""

    @property
    def words(self) -> str:
        if self.mine and not self.among_people:
            return "your turn"
        return f"{'your turn: ' if self.mine else 'waits for '}{listed([seat.name for seat in self.seats])}"

    @property
    def as_json(self) -> dict[str, object]:
        return {"waits_for": [seat.name for seat in self.seats], "my_turn": self.mine}


def _waiting(
    database: "pokersvc.Database",
    games: "Iterator[pokersvc.GameSummary]",
    name: str | None,
    *,
    my_turn: bool,
    warns: bool,
) -> "Iterator[tuple[pokersvc.GameSummary, _Turn | None]]":
    """Yield games, those in progress with the seats that they wait for; with ``my_turn``, only games that wait for you.

    You are the person called ``name``, or any person if that is None. If ``warns``, games that cannot be read are
    reported on standard error.
    """
    service = None
    for game in games:
        turn = None
        if game.outcome is not None:
            yield game, turn
            continue
        service = service or pokersvc.Service(pokersvc.EventLog(database))  # a list of finished games needs no service
        try:
            asked = pokersvc.service.read_models.game_search.seats_asked(service, game)
        except PokersvcError as error:
            if warns:
                print(f"Warning: {printable(error)}", file=sys.stderr)
        else:
            seats = tuple(game.seats[number - 1] for number in asked)
            people = [seat for seat in game.seats if seat.kind == pokersvc.HUMAN]
            mine = [seat for seat in people if name is None or seat.name.casefold() == name.casefold()]
            turn = _Turn(seats, any(seat in mine for seat in seats), len(people) > 1)
        if not my_turn or (turn is not None and turn.mine):
            yield game, turn


_AGO: Final = re.compile(r"(\d{1,6})([dh])")


def moment(text: str) -> str:
    """Parse a date, with or without a time, or an age such as 7d, and return that time in UTC, to the second.

    >>> moment("2026-01-31"), moment("2026-01-31T12:00"), moment("2026-01-31 14:30+02:00")
    ('2026-01-31T00:00:00', '2026-01-31T12:00:00', '2026-01-31T12:30:00')
    """
    try:
        if ago := _AGO.fullmatch(text):
            number = int(ago[1])
            named = datetime.now(UTC) - (timedelta(days=number) if ago[2] == "d" else timedelta(hours=number))
        else:
            named = datetime.fromisoformat(text)
        in_utc = named.replace(tzinfo=UTC) if named.tzinfo is None else named.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidValue(
            f"--since {text!r} is not a time; write a date in UTC like 2026-01-31 or 2026-01-31T12:00, or 7d or 12h."
        ) from None
    return in_utc.isoformat()[:19]


def summary_json(summary: "pokersvc.GameSummary", places: "Iterable[int]") -> dict[str, object]:
    """Return a game of the list as a JSON object, with the seat numbers that ``--as`` takes."""
    outcome = summary.outcome
    return {
        "game": summary.game_id,
        "kind": summary.kind,
        "title": summary.title,
        "started_at": summary.started_at,
        "seats": [
            {
                "seat": place,
                "name": seat.name,
                "kind": seat.kind,
                "score": None if outcome is None or seat.kind == core.seats.OPEN else outcome.scores[number - 1],
                "rank": None if outcome is None or seat.kind == core.seats.OPEN else outcome.ranks[number - 1],
            }
            for number, (place, seat) in enumerate(zip(places, summary.seats, strict=True), 1)
        ],
        "rounds": summary.rounds,
        "finished": outcome is not None,
        "result": summary.result,
    }
