"""`pokersvc serve`: tables in the browser."""

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from pokersvc import cli, core, players, server
from pokersvc.cli.database import opening as databases
from pokersvc.cli.drawing import room
from pokersvc.cli.options import MayRead, MayUseNetwork, Trust
from pokersvc.cli.output import wrapped
from pokersvc.cli.play.players import walls_of
from pokersvc.cli.setup import settings
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.system import network
from pokersvc.system.memory import bytes_of, half_of_this_machine

LOOPBACK: Final = "127.0.0.1"
LONGEST_PACE: Final = 86_400.0
LONGEST_IDLE: Final = 36_500
MOST_TABLE_BYTES: Final = 10**15


class NoLocalNetwork(PokersvcError):
    """This machine has no address that others in a local network could reach."""

    code = "no_local_network"


class ExtraMissing(PokersvcError):
    """A package that the command needs is not installed."""

    code = "extra_missing"


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = LOOPBACK,
    lan: Annotated[
        bool, typer.Option("--lan", help="Serve the local network; print its links and a QR code for phones.")
    ] = False,
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
    table_bytes: Annotated[
        int,
        typer.Option(
            "--table-bytes",
            min=0,
            max=MOST_TABLE_BYTES,
            metavar="N",
            help="Close a game after the round in which its log has N bytes; 0: never.",
        ),
    ] = 250_000_000,
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            metavar="BYTES",
            help="What games may take in memory, such as 2GB. [default: half of the machine's]",
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="NAME=N",
            help="A limit on tables, streams or a rate, such as open-tables=10000 or commands=20/80. Repeatable.",
        ),
    ] = None,
) -> None:
    """Serve tables to browsers and programs, on the same database as other commands.

    Examples: pokersvc serve --lan; pokersvc serve --port 8000 --url https://table.example
    """
    if lan and (url is not None or host != LOOPBACK):
        raise InvalidValue("--lan finds the addresses itself; give it alone, or --host and --url without it.")
    try:
        run, code = server.run.serve, cli.drawing.qr_code.lines if lan else None
    except ModuleNotFoundError as error:
        raise ExtraMissing(f"`pokersvc serve` needs {error.name}: pip install 'pokersvc[serve]'.") from error
    kinds, chosen = tuple(program or ()), settings.chosen()
    if kinds:
        offered = [core.registry.game_of(kind) for kind in core.registry.game_kinds() if core.registry.usable(kind)]
        players.programs.check_listed(kinds, offered)
    walls = walls_of(
        dict(zip(kinds, kinds, strict=True)), trust=trust, may_read=may_read, may_use_network=may_use_network
    )
    found = _found() if lan else []
    options = server.settings.Settings(
        host=host,
        lan=tuple(str(one.address) for one in found),
        port=port,
        url=url,
        programs=kinds,
        walls=walls,
        pace=pace,
        pause=pause,
        idle_days=idle_days,
        memory=_memory(chosen, memory),
        limits=replace(_limits(chosen, limit or []), table_bytes=table_bytes),
    )
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    with databases.writing(context) as database:
        run(database, options, lambda urls: _say(urls, [one.name for one in found], code))


def _found() -> list[network.Interface]:
    """Return this machine's addresses in its local networks; raise `NoLocalNetwork` if there is none."""
    try:
        found = network.in_local_networks()
    except OSError as error:
        raise NoLocalNetwork(f"Addresses cannot be found here ({error.strerror}); name one with --host.") from error
    if not found:
        raise NoLocalNetwork("This machine is in no local network; connect it to one, or name an address with --host.")
    return found


def _say(urls: Sequence[str], interfaces: Sequence[str], code: Callable[..., list[str]] | None) -> None:
    """Print the server's links, who can open them and who could read the traffic; also print the first as a QR code."""
    for url, interface in zip_longest(urls, interfaces):
        print(f"Serving on {url} ({interface or 'Ctrl-C ends it'})")
    parts = urlsplit(urls[0])
    if code is not None:
        if room.is_drawn() and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8":
            print(*code(urls[0], coloured=not os.environ.get("NO_COLOR")), sep="\n")
        print(wrapped("Devices in the same network can open these links; no other address works. Ctrl-C ends it."))
    if network.only_here(parts.hostname or ""):
        print(wrapped("Only this machine can open this link: `pokersvc serve --lan` serves your local network."))
    elif parts.scheme == "http":
        print(wrapped("Over plain http, others in the network could read cards: docs/operating.md shows https."))
    sys.stdout.flush()


def _memory(chosen: Mapping[str, settings.Held], option: str | None) -> int:
    """Return how many bytes of memory games may take: by the option, by the settings, or half of the machine's."""
    if option is None and "memory" in chosen:
        option = str(chosen["memory"].value)
    return half_of_this_machine() if option is None else bytes_of(option)


def _limits(chosen: Mapping[str, settings.Held], options: list[str]) -> "server.settings.Limits":
    """Return the server's limits: those of the settings, overridden by the options."""
    if "limits" not in chosen:
        return server.settings.limits_of(options)
    held = chosen["limits"]
    said = str(held.value).split()
    try:
        return server.settings.limits_of([*said, *options])
    except InvalidValue as error:
        server.settings.limits_of(options)  # if the options alone are wrong, report that
        raise settings.InvalidSetting(f"{held.origin}: {error}") from None
