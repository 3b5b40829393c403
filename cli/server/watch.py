"""`pokersvc watch`: shows a game of others, in this database or at a server's table, until it ends."""

import os
import select
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Annotated, Final

import typer

import pokersvc
from pokersvc import core, eventlog, remote
from pokersvc.cli.database import opening as databases
from pokersvc.cli.options import Plain
from pokersvc.cli.output import wrapped
from pokersvc.cli.play import recap
from pokersvc.cli.play.backend import Backend, GameStopped
from pokersvc.cli.play.client import Client
from pokersvc.cli.replay.viewpoint import AsOption, ForceOption, viewer_of
from pokersvc.cli.server import join
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.errors import InvalidValue, PokersvcError

LOOKS: Final = 0.2
"""The number of seconds between two reads of the log for new events."""


class WatchBackend(Backend):
    """A game that others play in other processes, in the same database."""

    kept = "goes on without you"
    again = "watch again"

    def __init__(self, database: "pokersvc.Database", service: "pokersvc.Service", game_id: str, program: str) -> None:
        self._database, self._service, self._game_id, self._program = database, service, game_id, program
        self._changes: eventlog.changes.Changes | None = None
        with pokersvc.EventLog(database).snapshot() as snapshot:
            self._head = snapshot.head(game_id)
        with suppress(PokersvcError):  # a file that cannot be written is read all the same
            self._changes = eventlog.changes.Changes(database)
        self._told, self._tell = os.pipe()
        os.set_blocking(self._told, False)
        os.set_blocking(self._tell, False)
        self._closed = Event()
        self._looking = Thread(target=self._look, name="pokersvc-watch", daemon=True)
        self._looking.start()

    @property
    def how_to_resume(self) -> str:
        """The command that watches again."""
        return f"{self._program} watch {self._game_id[:8]}"

    def over(self) -> bool:
        """Return whether the game is over."""
        with suppress(PokersvcError):
            return self._service.status(self._game_id).outcome is not None
        return False

    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield a line with the result and the command that replays the game."""
        summary = pokersvc.game_summary(self._database, self._game_id)
        yield wrapped(f"{summary.result}; see how: {self._program} replay {self._game_id[:8]}", "  ")

    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait until others have written."""
        select.select([self._told], [], [])
        self.heard()

    def fileno(self) -> int:
        """Return the file descriptor that is readable when others have written."""
        return self._told

    def heard(self) -> None:
        """Empty the pipe, which only signals news; the events are in the log."""
        with suppress(BlockingIOError):
            while os.read(self._told, 4096):
                pass

    def recap(self, session: "pokersvc.Session") -> "Iterator[core.drawing.Line]":
        """Yield the result, each player's net, and the command that replays the game."""
        yield from recap.recap(session)
        command = core.drawing.Piece(f"{self._program} replay {self._game_id[:8]}", core.drawing.Tone.KEY)
        yield core.drawing.Piece("  See how: ", core.drawing.Tone.QUIET), command

    def close(self) -> None:
        """Stop the thread that looks for new events in the log."""
        self._closed.set()
        self._looking.join()
        os.close(self._told)
        os.close(self._tell)
        if self._changes is not None:
            self._changes.close()

    def _look(self) -> None:
        while not self._closed.wait(LOOKS):
            changed = True
            with suppress(PokersvcError):  # reading the log reports the error
                changed = self._has_more()
            if changed:
                with suppress(BlockingIOError):  # the pipe is full, so the reader will wake up anyway
                    os.write(self._tell, b"!")

    def _has_more(self) -> bool:
        """Return whether the game has more events than at the last call."""
        if self._changes is not None and not self._changes.since_last():
            return False
        with pokersvc.EventLog(self._database).snapshot() as snapshot:
            head = snapshot.head(self._game_id)
        before, self._head = self._head, head
        return head != before


def watch(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME|URL", help="A game of this database, or the link of a server's table.")
    ],
    as_: AsOption = None,
    force: ForceOption = False,
    plain: Plain = False,
) -> None:
    """Follow a game that others play, until it ends.

    In this database, other processes play it. At a server's table every
    event is checked on this machine, as `join` does. At a terminal the
    table is drawn; `q` leaves.

    Example: pokersvc watch last
    """
    if "://" in game:
        _watch_table(game, as_, plain=plain)
        return
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        summary = pokersvc.game_summary(database, log.find(game))
        game_id, program = summary.game_id, databases.program(context, database)
        viewer = viewer_of(database, summary, as_, force=force)
        if summary.outcome is not None:
            raise GameStopped(f"Game {game_id} is over; see it with `{program} replay {game_id[:8]}`.")
        service = pokersvc.Service(log)
        count = service.status(game_id).count
        seen = 0 if count <= join.SEEN_AGAIN else count
        session = pokersvc.Session(service, game_id, seats=(), viewer=viewer, seen=seen, runs_programs=False)
        backend = WatchBackend(database, service, game_id, program)
        try:
            Client.of_terminal(backend, session, Preferences.of_this_person(), plain=plain).run()
        finally:
            backend.close()


def _watch_table(url: str, as_: str | None, *, plain: bool) -> None:
    link = remote.link.link_of(url)
    if as_ is not None:
        raise InvalidValue("--as is for games of this database; at a server's table, spectators see what everyone may.")
    if link.seat is not None:
        table = link._replace(seat=None)
        raise InvalidValue(f"This is the link of a seat: play there with `join`, or watch with {table}.")
    join.follow(link, None, plain=plain, verb="watch")
