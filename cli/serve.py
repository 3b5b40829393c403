"""`pokersvc serve`: tables in the browser."""

import logging
import sys
from typing import Annotated, Final

import typer

from pokersvc import server
from pokersvc.cli import database as databases
from pokersvc.cli.options import MayRead, MayUseNetwork, Trust
from pokersvc.cli.players import walls_of
from pokersvc.errors import PokersvcError

LONGEST_PACE: Final = 86_400.0
LONGEST_IDLE: Final = 36_500


class ExtraMissing(PokersvcError):
    """A package that the command needs is not installed."""

    code = "extra_missing"


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, metavar="N", help="Port to listen on.")] = 8000,
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="Public address, if behind a proxy.")] = None,
    program: Annotated[
        list[str] | None,
        typer.Option("--program", metavar="KIND", help="Custom player that anybody may put on a seat. Repeatable."),
    ] = None,
    trust: Trust = False,
    may_read: MayRead = None,
    may_use_network: MayUseNetwork = None,
    pace: Annotated[
        float,
        typer.Option(
            "--pace", min=0.0, max=LONGEST_PACE, metavar="SECONDS", help="How long a bot waits before each choice."
        ),
    ] = 1.0,
    pause: Annotated[
        float,
        typer.Option(
            "--pause", min=0.0, max=LONGEST_PACE, metavar="SECONDS", help="How long a table waits between two rounds."
        ),
    ] = 5.0,
    idle_days: Annotated[
        int,
        typer.Option(
            "--idle-days",
            min=0,
            max=LONGEST_IDLE,
            metavar="N",
            help="Close games without a choice in N days; 0: never.",
        ),
    ] = 30,
) -> None:
    """Serve tables to browsers and programs, on the same database as other commands.

    Example: pokersvc serve --port 8000 --url https://table.example
    """
    try:
        run = server.run.serve
    except ModuleNotFoundError as error:
        raise ExtraMissing(f"`pokersvc serve` needs {error.name}: pip install 'pokersvc[serve]'.") from error
    kinds = tuple(program or ())
    walls = walls_of(
        dict(zip(kinds, kinds, strict=True)), trust=trust, may_read=may_read, may_use_network=may_use_network
    )
    settings = server.settings.Settings(
        host=host, port=port, url=url, programs=kinds, walls=walls, pace=pace, pause=pause, idle_days=idle_days
    )
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    with databases.writing(context) as database:
        run(database, settings, lambda address: print(f"Serving on {address} (Ctrl-C ends it)", flush=True))
