"""`pokersvc play` and `pokersvc resume`: games at a terminal; each choice is recorded before it is shown."""

from typing import Annotated
from uuid import uuid4

import typer

import pokersvc
from pokersvc import eventlog
from pokersvc import service as service_room
from pokersvc.cli.arguments import MOST
from pokersvc.cli.database import opening as databases
from pokersvc.cli.drawing.room import is_drawn
from pokersvc.cli.options import Kind, Limit, MayRead, MayUseNetwork, Plain, Rules, Trust, game_options
from pokersvc.cli.output import Interrupted
from pokersvc.cli.play import typed_shares, which_house, which_level
from pokersvc.cli.play.backend import GameStopped
from pokersvc.cli.play.client import Client
from pokersvc.cli.play.local import LocalBackend
from pokersvc.cli.play.players import has_others, has_person, kinds_of, seats_of, walls_of
from pokersvc.cli.setup.preferences import Preferences

MOST_AUTO_ROUNDS = 10_000
"""The number of rounds after which bots that play alone stop, unless --rounds is given."""


def play(
    context: typer.Context,
    kind: Kind = "draw",
    rules: Rules = None,
    players: Annotated[int | None, typer.Option("--players", min=2, metavar="N", help="Number of seats.")] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME=KIND",
            help="Who plays: human, a bot or FILE.py:CLASS. Repeatable.",
        ),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option("--opponents", metavar="KIND", help="Level or kind of the bots that are not named."),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Only bots play.")] = False,
    rounds: Annotated[
        int | None, typer.Option("--rounds", min=1, max=MOST, metavar="N", help="End after N rounds.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Seed; the same seed always gives the same game."),
    ] = None,
    dealing: Annotated[
        str,
        typer.Option("--dealing", metavar="dealer|together", help="Who shuffles: the dealer, or all people together."),
    ] = "dealer",
    hide_kinds: Annotated[bool, typer.Option("--hide-kinds", help="Hide the kinds of the other players.")] = False,
    plain: Plain = False,
    limit: Limit = 10.0,
    trust: Trust = False,
    may_read: MayRead = None,
    may_use_network: MayUseNetwork = None,
) -> None:
    """Start a game: a person against bots, unless --auto.

    A game has options of its own, which `pokersvc play --game draw --help`
    shows: --cash, --stack, --blinds, --levels, --entry and many more.

    Example: pokersvc play --players 4 --player Ann=human --player Bob=human
    """
    game = pokersvc.game_of(kind)
    mine = Preferences.of_this_person()
    given, named = game_options(context), player or []
    asks = rules is None and seed is None and has_person(named, players, auto=auto)
    if rules is None and "house" in mine.chosen:
        rules = mine.house_of(game)
    elif asks:
        rules = which_house.ask_once(game, given)
    options = game.options(given | ({} if rules is None else {"rules": rules}))
    if opponents is None and "opponents" in mine.chosen:
        opponents = mine.opponents_of(game)
    elif opponents is None and asks and has_others(game, options, players, named, auto=auto):
        opponents = which_level.ask_once(game, game.default_kind(options))
    # Plain output may have other readers, so the seat gets a name.
    own_name = mine.name or (pokersvc.text.YOU if is_drawn() else None)
    filled = seats_of(game, options, players, named, auto=auto, own_name=own_name, opponents=opponents)
    seats = game.seated(filled, options)
    source = pokersvc.EntropySource.fresh() if seed is None else pokersvc.EntropySource.from_text(seed)
    setup = pokersvc.Setup(seats, source, rounds, options, hide_kinds)
    game.start(setup)  # refuse what cannot be played before a database is created
    table = None
    if dealing != "dealer":
        table = pokersvc.TableSettings(dealing=dealing, opens_seeds=True)  # type: ignore[arg-type]  # it says what it may be
    if table is not None:
        service_room.sharing.check_dealing(game, setup, table)
        typed_shares.check_terminal()
    game_id = str(uuid4())
    walls = walls_of(kinds_of(seats), trust=trust, may_read=may_read, may_use_network=may_use_network)
    with pokersvc.Programs(limit, walls=walls) as programs:
        programs.check(game, seats)
        with databases.writing(context) as database, eventlog.claim.claim(database, game_id):
            service = pokersvc.Service(pokersvc.EventLog(database), programs=programs)
            service.start(kind, setup, game_id=game_id, table=table)
            games = _at_terminal(service, game_id)
            session = pokersvc.Session(games, game_id, most_alone=None if rounds else MOST_AUTO_ROUNDS)
            backend = LocalBackend(database, service, game_id, databases.program(context, database))
            Client.of_terminal(backend, session, mine, plain=plain, watches=False).run()


def resume(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game ID, a unique prefix of one, or `last`. [the last unfinished game]"),
    ] = None,
    plain: Plain = False,
    limit: Limit = 10.0,
    trust: Trust = False,
    may_read: MayRead = None,
    may_use_network: MayUseNetwork = None,
) -> None:
    """Resume a game that is not finished.

    Example: pokersvc resume last
    """
    with databases.reading(context, any_revision=True, warn=False) as database:
        database.refuse_losses()  # otherwise a lost game would be reported as unknown
        if game is None:
            game_id = pokersvc.service.read_models.game_search.last_open(database).game_id
        else:
            game_id = pokersvc.EventLog(database).find(game)
        if pokersvc.Service(pokersvc.EventLog(database)).status(game_id).outcome is not None:
            program = databases.program(context, database)  # so that a finished game changes no file
            raise GameStopped(f"Game {game_id} is over; see it with `{program} history {game_id[:8]}`.")
    with databases.writing(context) as database:
        log = pokersvc.EventLog(database)
        seats = pokersvc.game_summary(database, game_id).seats
        walls = walls_of(kinds_of(seats), trust=trust, may_read=may_read, may_use_network=may_use_network)
        with eventlog.claim.claim(database, game_id), pokersvc.Programs(limit, walls=walls) as programs:
            service = pokersvc.Service(log, programs=programs)
            games = _at_terminal(service, game_id)
            seen = service.status(game_id).count
            session = pokersvc.Session(games, game_id, seen=seen, most_alone=MOST_AUTO_ROUNDS)
            backend = LocalBackend(database, service, game_id, databases.program(context, database))
            mine = Preferences.of_this_person()
            Client.of_terminal(backend, session, mine, plain=plain, watches=False).run()


def _at_terminal(service: "pokersvc.Service", game_id: str) -> "pokersvc.Service | typed_shares.TypedTable":
    """Return the service for a session; if dealer and seats shuffle together, one that also opens people's shares."""
    shares = service.table(game_id).shares
    if shares is None:
        return service
    typed_shares.check_terminal()
    table = typed_shares.TypedTable(service, game_id)
    try:
        if shares.round:
            table.take_up()
        else:
            table.begin()
    except KeyboardInterrupt:
        raise Interrupted("Interrupted; the game is saved, and resume asks again.") from None
    return table
