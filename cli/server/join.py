"""`pokersvc join`: play at a server's table in this terminal; this program checks the server's events."""

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from getpass import getpass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

import pokersvc
from pokersvc import core, evidence, remote
from pokersvc.cli.database.opening import called
from pokersvc.cli.drawing import room, wrapping
from pokersvc.cli.drawing.screen import PipedLines
from pokersvc.cli.options import Plain
from pokersvc.cli.output import EXIT_FINDINGS, Interrupted, wrapped
from pokersvc.cli.play import recap
from pokersvc.cli.play.backend import Backend, GameStopped
from pokersvc.cli.play.client import Client
from pokersvc.cli.play.keys import total_lines
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.errors import PokersvcError
from pokersvc.text import counted

SEEN_AGAIN = 40
"""At most this many missed events are shown to a person who joins a game in progress; if there are more, none is."""


class CaughtOut(PokersvcError):
    """The server made an untrue statement; the message says which."""

    code = "untrue_story"
    exit_code: ClassVar[int] = EXIT_FINDINGS


class WentOn(GameStopped):
    """The person moved to another device; this is not a failure."""

    exit_code: ClassVar[int] = 0


class RemoteBackend(Backend):
    """A game that a server's table keeps, and that continues there."""

    kept = "goes on at the table"

    def __init__(self, table: "remote.table.RemoteTable", verb: str) -> None:
        self._table, self._verb = table, verb
        self.again = f"{verb} again"
        self._said: list[str] = []
        """The sentences of the verdict; empty until it was first asked for."""
        self._sums: list[str] | None = None

    @property
    def how_to_resume(self) -> str:
        """The command that joins again."""
        return f"{called()} {self._verb} {self._table.link}"

    def over(self) -> bool:
        """Return whether the game is over, according to the server's events so far."""
        return self._table.begun and self._table.copy.replay.state.outcome is not None

    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield who won, the history of the checked events, the sums of the table's games, and the verdict."""
        game, copy = session.game, self._table.copy
        outcome = session.state.outcome
        assert outcome is not None
        result = game.words.result_of(session.facts, session.all_seats, outcome)
        yield wrapped(result, "  ")
        for entry in _entries(game, copy):
            for line in (game.words.line(entry), *game.words.details(entry)):
                yield wrapped(line, "  ")
        yield ""
        yield from total_lines(session)
        for sentence in (*self._results(), *self._verdict(session)):
            yield wrapped(sentence)

    def recap(self, session: "pokersvc.Session") -> "Iterator[core.drawing.Line]":
        """Yield the result, each player's net, the sums of the table's games, and the verdict."""
        yield from recap.recap(session)
        yield from wrapping.said([*self._results(), *self._verdict(session)], room.room().columns)

    def _results(self) -> list[str]:
        """Return everybody's results over the table's games; only the first call asks the server."""
        if self._sums is None:
            self._sums = self._table.results()
        return self._sums

    def _verdict(self, session: "pokersvc.Session") -> list[str]:
        """Return the verdict on all events; the first call waits for seeds if the table opens them after the game."""
        settings = session.table.settings
        if not self._said:
            if settings is not None and settings.opens_seeds and not self._table.await_seeds():
                self._said.append("The table opens its seeds after the game, but the server has not sent them.")
            self._said.append(self._table.copy.verdict())
        return self._said

    def missing(self) -> Collection[int]:
        """Return the seats of people who have lost the connection, according to the server."""
        return self._table.missing

    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait for the server's next message."""
        self._table.wait()

    def clock(self, seat: int) -> list[str]:
        """Return a line with the time that a seat has left for its choice, by a clock that this program checks."""
        left = self.left(seat)
        return [] if left is None else [f"You have {counted(int(left), 'second')}."]

    def left(self, seat: int) -> float | None:
        """Return the seconds that a seat has left for its choice, by a clock that this program checks."""
        clock = self._table.copy.replay.clock
        left = None if clock is None else clock.left(seat, core.tables.clock.microseconds(datetime.now(UTC)))
        return None if left is None else left / core.tables.clock.SECOND

    def stopped(self, error: PokersvcError) -> PokersvcError:
        """Return the error to report when an error ends the game here: `CaughtOut` if the server lied."""
        if isinstance(error, remote.errors.UntrueStory):
            return CaughtOut(f"The server does not tell the truth. {error}")
        if isinstance(error, remote.errors.MovedAway):
            return WentOn(str(error))
        if isinstance(error, remote.errors.Gone):
            return GameStopped(str(error))
        return super().stopped(error)

    def fileno(self) -> int:
        """Return the file descriptor that is readable when the server has sent something."""
        return self._table.stream.fileno()

    def say(self, text: str) -> None:
        """Say a line at the table."""
        self._require_seat()
        self._table.say(text)

    def sign(self, name: str) -> None:
        """Give the others at the table a sign, such as ``thanks``."""
        self._require_seat()
        self._table.sign(core.tables.signs.sign_of(name))

    def _require_seat(self) -> None:
        if self._table.link.seat is None:
            raise GameStopped("Only players with a seat can talk at this table; you are watching.")

    def heard(self) -> None:
        """Read everything that the server has sent, even after the game is over."""
        self._table.drain()

    def speak_by(self, notice: Callable[[str], None]) -> None:
        """From now on, call ``notice`` to report events of the connection and the lobby."""
        self._table.notice = notice


def join(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Link of a seat (without # and what follows) or of a table.")
    ],
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the checked game to a new file, for `pokersvc verify`."),
    ] = None,
    plain: Plain = False,
) -> None:
    """Play at or watch a server's table, and check every event on this machine.

    At a table that shuffles together, it takes part in the shuffle. At a
    terminal the table is drawn.
    While others choose, `ahead` and a choice such as `ahead call any` choose
    in advance with --plain; a drawn table offers keys for that.
    To talk to the others, type `say` and a line, or `sign` and one of: hello,
    good luck, well played, thanks, wow, oops, your turn, back soon.
    Asks for the seat's token, or reads it from the first line of standard
    input. Exit code 3: the server sent something untrue.

    Example: pokersvc join https://table.example/t/5f0c/seat/2/
    """
    follow(remote.link.link_of(url), save, plain=plain)


def follow(link: "remote.link.Link", save: Path | None, *, plain: bool, verb: str = "join") -> None:
    """Play at a seat of a server's table, or watch the table; ``verb`` is the command with which to return."""
    if save is not None:
        evidence.jsonl.refuse_taken(save)
    token = None if link.seat is None else remote.link.token_or_code_in(_typed())
    with remote.table.RemoteTable(link, token, remote.heads.Heads(), _notice) as table:
        try:
            _follow(table, verb, plain=plain)
        finally:
            if save is not None and table.begun:
                table.copy.save(save)


def _follow(table: "remote.table.RemoteTable", verb: str, *, plain: bool) -> None:
    backend = RemoteBackend(table, verb)
    try:
        table.begin()
        copy, seat = table.copy, table.link.seat
        first = copy.seen_before
        seen = first if copy.count - first <= SEEN_AGAIN else copy.count
        seats = () if seat is None else (seat,)
        session = pokersvc.Session(
            table, table.game_id, seats=seats, viewer=copy.viewer, seen=seen, runs_programs=False
        )
    except KeyboardInterrupt:
        raise Interrupted(f"Interrupted; {verb} again with: {backend.how_to_resume}") from None
    except (remote.errors.UntrueStory, remote.errors.Gone) as error:
        raise backend.stopped(error) from None
    Client.of_terminal(backend, session, Preferences.of_this_person(), plain=plain).run()


def _entries(game: "pokersvc.Game", copy: "remote.copy.CheckedCopy") -> "Iterator[pokersvc.Entry]":
    """Yield the history entries that follow from the checked events, as the viewer may know them."""
    replay = core.replay.Replay(game, copy.viewer, keeps_record=False)
    entries: dict[int, pokersvc.Entry] = {}
    for record, event in copy.recorded:
        state = replay.take(event, record.recorded_at, record.hash)
        if event.__class__ not in core.tables.table_events.TABLE_EVENTS:
            entry = state.entry(event, copy.viewer)
            if entry is not None:
                entries[entry.number] = entry  # an entry shown again replaces the earlier one with its number
    yield from entries.values()


def _typed() -> str:
    """Return the seat's token or a code, typed without echo at a terminal or read from the first line of the input."""
    if sys.stdin.isatty():
        with suppress(EOFError):
            return getpass("The seat's token (or its whole link, or six words to move here), which is not shown: ")
        return ""
    with suppress(EOFError):
        return PipedLines().read()  # only this line: the answers are read elsewhere
    return ""


def _notice(sentence: str) -> None:
    print(wrapped(sentence, stream=sys.stderr), file=sys.stderr, flush=True)
