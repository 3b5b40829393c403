"""A server's table for a `Session`: sends commands over HTTP, and shows only events that this program has checked."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn
from uuid import uuid4

from pydantic import TypeAdapter

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.core.randomness.shares import LINKS
from pokersvc.core.tables.signs import Sign
from pokersvc.core.tables.table_event import TableAction
from pokersvc.errors import printable
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.remote.arrivals import Arrivals, arrivals, went_on
from pokersvc.remote.copy import CheckedCopy
from pokersvc.remote.errors import Gone, InvalidReply, MovedAway, NotConnected, RefusedByServer, UntrueStory
from pokersvc.remote.heads import Heads
from pokersvc.remote.http import Http
from pokersvc.remote.link import ID, Link, token_in
from pokersvc.remote.messages import Message
from pokersvc.remote.part import DeviceFile, ShuffleParticipant
from pokersvc.remote.results import result_lines
from pokersvc.remote.stream import PASSING, Back, Ended, EventSource, Lost, Renewed
from pokersvc.remote.tokens import DeviceTokens
from pokersvc.service.errors import NothingToDo
from pokersvc.service.open_game import Status, Turn
from pokersvc.service.shown import Recorded
from pokersvc.text import counted

PATIENCE: Final = 600.0
"""Seconds during which a command is sent again if its answer was lost."""
SOON: Final = 10.0
"""Seconds within which a connected server must send events that it has announced or that the rules require."""
AGAIN: Final = 0.5
"""Seconds before a command is sent again."""

NOT_FOUND: Final = 404
SAID_AGAIN: Final = 10
"""The maximum number of chat lines that are shown at once, such as when somebody joins."""
MOST_TEXT: Final = 200
"""The most characters that are shown of a line of chat."""
MOST_SEAT: Final = 99
"""The highest number of a seat that a line of chat may name."""

_GONE: Final = {
    "link_replaced": "The seat's link was replaced; ask the host for the new one.",
    "table_closed": "The table was closed before its game began.",
}


class RemoteTable:
    """A table on a server, with the methods that a `Session` calls; answers come from the checked copy.

    ``token`` is that of the seat or of its link, or six words that move the seat to this device.
    ``links`` is the number of rounds for which a new chain of shares lasts.
    ``notice`` is called with messages about the connection and the lobby.

    This program knows the rules: it computes legal actions from the copy, and asks the server only for the log and to
    record commands.
    """

    def __init__(
        self,
        link: Link,
        token: str | None,
        heads: Heads,
        notice: Callable[[str], None],
        *,
        patience: float = PATIENCE,
        links: int = LINKS,
    ) -> None:
        self.link, self.game_id = link, ""
        self.viewer: Viewer = EVERYONE if link.seat is None else link.seat
        self._heads, self.notice, self._patience, self._links = heads, notice, patience, links
        self._token, self._http = token, Http(link.base, None)
        self._stream: EventSource | None = None
        self._copy: CheckedCopy | None = None
        self._part: ShuffleParticipant | None = None
        """The seat's part in a common shuffle."""
        self._lobby = ""
        self._came: Arrivals = {}
        self._host_came: object = None
        self._said = 0
        """The number of the last line of chat that was shown."""
        self.missing: frozenset[int] = frozenset()
        """The other seats in the game whose people have lost the connection, as reported by the server without
        proof."""
        self._lost_seats: frozenset[int] = frozenset()
        """The seats that the server last reported as lost."""
        self._connections = 0
        """The number of reconnections of the stream."""
        self._lost = False
        """Whether the connection is lost."""
        self._caught_up = False
        """Whether all events that the server had when it was first asked have arrived."""

    def __enter__(self) -> "RemoteTable":
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()
        if self._part is not None:
            self._part.close()

    @property
    def begun(self) -> bool:
        """Whether the game has begun: the copy has at least one event."""
        return self._copy is not None and self._copy.count > 0

    @property
    def stream(self) -> EventSource:
        """The stream of the game's events."""
        assert self._stream is not None
        return self._stream

    @property
    def copy(self) -> CheckedCopy:
        """The checked copy of the game."""
        assert self._copy is not None
        return self._copy

    def begin(self) -> None:
        """Follow the table's game until it has begun and all its events up to now were checked.

        The link of a table leads to its last game; the link of a game leads to that game.
        """
        if self._token is not None:
            self._http = Http(self.link.base, self._exchanged(self._token))
        found = self._found()
        game_id, kind = found.get("game"), found.get("kind")
        is_ours = self.link.table in (game_id, found.get("table"))
        if not (isinstance(kind, str) and isinstance(game_id, str) and ID.fullmatch(game_id) and is_ours):
            raise InvalidReply(f"{self._http.name} did not answer as a server of pokersvc does.")
        self.game_id = game_id
        self._host_came = found.get("host_came_at")
        if self.link.seat is not None:
            kept = DeviceFile(self._heads.folder.parent / "shares", game_id, self.link.seat)
            self._part = ShuffleParticipant(kept, self.link.seat, self._post_of_part, self._notice, length=self._links)
        self._copy = CheckedCopy(game_id, kind, self.viewer, self._heads)
        self._stream = EventSource(self._http, self._path("stream"))
        self.stream.start()
        while not self.copy.count:
            self.wait()
        now = self._http.get(f"{self._path('snapshot')}&after=2147483647")
        count = now.get("count")
        self.copy.told(count, now.get("head"))
        self._wait_for(int(str(count)))
        self._caught_up = True
        self.copy.settle()
        self._take_part()

    def _exchanged(self, token: str) -> str:
        """Return this device's token for the seat: the given token, or a new one in exchange for a link's token.

        A code moves the seat to this device; the device that made the code loses the seat.
        """
        wanted = DeviceTokens(self._heads.folder.parent / "tokens").wanted(token)
        path, asked = f"{self.link.door}/session", {"token": token, "fresh": wanted, "bearer": True}
        if " " in token:
            path = f"/api/tables/{self.link.table}/move"
            asked = {"code": token, "seat": self.link.seat, "fresh": wanted, "bearer": True}
        try:
            given = self._http.post(path, asked)
        except NotConnected:  # the answer may be lost; this device gets the same answer again
            given = self._http.post(path, asked)
        if not isinstance(held := given.get("token"), str):
            raise InvalidReply(f"{self._http.name} did not answer as a server of pokersvc does.")
        return token_in(held)

    def _found(self) -> Mapping[str, object]:
        """Return the table's information; a seat asks with its token, because others may learn of a new game later."""
        if self.link.seat is not None:
            try:
                return self._http.get(f"{self.link.door}/table")
            except RefusedByServer as refused:
                if refused.status != NOT_FOUND:  # an older server has no such address
                    raise
        return self._http.get(f"/api/tables/{self.link.table}")

    def results(self) -> list[str]:
        """Return everybody's results over all games of the table, in lines; none if it had only one game."""
        door = f"/api/tables/{self.link.table}" if self.link.seat is None else self.link.door
        try:
            return result_lines(self._http.get(f"{door}/results?game={self.game_id}"))
        except (NotConnected, InvalidReply, RefusedByServer):  # the game is over, and these lines can be left out
            return []

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for news and process it; return whether there was any."""
        if not self.stream.wait(seconds):
            return False
        self.drain()
        return True

    def drain(self) -> None:
        """Process the news that the server has sent; raise `UntrueStory` for an event that fails a check."""
        before = self.copy.count
        self._read()
        if not self._comes(lambda: not self.copy.partial):  # the rest of a command's events may be on its way
            raise UntrueStory(f"The server withholds the events that must follow event {self.copy.count}.")
        if self.copy.count > before:
            self._settle()
        if self.copy.count:
            self._tell_who_is_missing()
        self._take_part()

    def _notice(self, sentence: str) -> None:
        self.notice(sentence)

    def _post_of_part(self, what: str, body: Mapping[str, object]) -> object:
        return self._http.post(self._path(what), body)

    def _path(self, what: str) -> str:
        """Return the path of a request of this viewer, with the game's ID."""
        return f"{self.link.door}/{what}?game={self.game_id}"

    def _take_part(self) -> None:
        """Bind the seat or open its share, if a common shuffle requires it and all events so far have arrived."""
        if self._part is not None and self._caught_up and not self.copy.partial:
            self._part.follow(self.copy)

    def _read(self) -> None:
        for news in self.stream.news():
            match news:
                case Message():
                    self._take(news)
                case Lost(why=why):
                    self._lost = True
                    self._notice(f"The connection is lost: {why.rstrip('.')}; trying again.")
                case Back():
                    if self._part is not None:
                        self._part.again()
                    self._lost, self._connections = False, self._connections + 1
                    self._notice("The connection is back.")
                case Renewed():
                    self._connections += 1
                case Ended(error=error):
                    raise error

    def _comes(self, all_there: Callable[[], bool]) -> bool:
        """Read news until ``all_there()``; return False if that takes longer than `SOON`, even on a new connection.

        A connection can fail unnoticed. So the server is accused only if the missing events do not come over
        a new connection either. While there is no connection, wait for one.
        """
        until, renewed = time.monotonic() + SOON, False
        while not all_there():
            before, left = self._connections, until - time.monotonic()
            if left <= 0 and renewed:
                return False
            if left <= 0:
                renewed = True
                self.stream.renew()
            if self._lost or left <= 0:
                while self._connections == before and not all_there():
                    self.stream.wait()
                    self._read()
            else:
                self.stream.wait(left)
                self._read()
            if self._connections != before:
                until = time.monotonic() + SOON
        return True

    def await_seeds(self) -> bool:
        """Wait for the seeds that the table opens after the game, and return whether they came."""
        return self._comes(lambda: bool(self.copy.opened) or not self.copy.dealers)

    # What a session asks of a table.

    def status(self, game_id: str) -> Status:
        """Return the status of the game, from the copy."""
        copy, state = self.copy, self.copy.replay.state
        seats = copy.replay.seats
        to_act = state.to_act
        return Status(
            awaited=state.awaited,
            count=copy.count,
            ends_next=state.ends_next,
            head=copy.head(copy.count),
            kind=copy.kind,
            kind_to_act=None if to_act is None else seats[to_act - 1].kind,
            may_return=state.pausing and any(map(state.may_come_back, range(1, len(seats) + 1))),
            outcome=state.outcome,
            pausing=state.pausing,
            seats=seats,
            to_act=to_act,
        )

    def turn(self, game_id: str, seat: int) -> Turn:
        """Process all news, then return the legal actions and the view of this client's seat."""
        self.drain()
        state = self.copy.replay.state
        return Turn(state.awaited, self.copy.count, state.legal(seat), state.view(seat))

    def since(self, game_id: str, count: int, head: bytes, *, viewer: Viewer) -> list[Recorded]:
        """Process all news, then return the checked events after the first ``count``."""
        self.drain()
        return self.copy.recorded[count:]

    def act(
        self, game_id: str, action: Action, *, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Send a seat's action to the server; return the recorded events."""
        return self._command(_object_of(action), expected, command_id)

    def table_act(
        self, game_id: str, action: TableAction, *, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Send a table action to the server; return the recorded events."""
        return self._command(_object_of(action), expected, command_id)

    def go_on(self, game_id: str, *, viewer: Viewer, expected: int | None, command_id: str | None) -> list[Recorded]:
        """Ask the server to begin the next round; return the recorded events."""
        return self._command({"type": "GoOn"}, expected, command_id)

    def step(self, game_id: str, *, viewer: Viewer, expected: int | None) -> NoReturn:
        """Raise `NothingToDo`: the server runs its bots itself."""
        raise NothingToDo("The server lets its bots choose.")

    play_round = step

    # Commands and news.

    def _command(self, action: Mapping[str, Any], expected: int | None, command_id: str | None) -> list[Recorded]:
        count = self.copy.count if expected is None else expected
        body = {"id": command_id or str(uuid4()), "head": self.copy.head(count).hex(), "action": action}
        try:
            answer = self._sent(body)
        except RefusedByServer as refused:
            raise self._meaning(refused, count) from None
        events = answer.get("events")
        if not isinstance(events, list) or not events or not all(isinstance(one, dict) for one in events):
            raise UntrueStory(f"{self._http.name} says that it recorded a command, but names no event of it.")
        first, last = events[0].get("seq"), events[-1].get("seq")
        if type(first) is not int or type(last) is not int or first > last:
            raise UntrueStory(f"{self._http.name} says that it recorded a command, but names no event of it.")
        self._wait_for(first - 1)
        for members in events:
            self.copy.take(members)
        self._settle()
        return self.copy.recorded[first - 1 : last]

    def _sent(self, body: Mapping[str, object]) -> dict[str, Any]:
        """Send a command until there is an answer; it keeps its ID, so the server records it only once."""
        until, told = time.monotonic() + self._patience, False
        while True:
            try:
                return self._http.post(self._path("commands"), body)
            except (NotConnected, RefusedByServer) as error:
                passing = isinstance(error, NotConnected) or error.status in PASSING
                if not passing or time.monotonic() > until:
                    raise
                wait = max(AGAIN, error.wait if isinstance(error, RefusedByServer) else 0.0)
            if not told:
                told = True
                self._notice("The choice did not reach the server; it is sent again.")
            resume = time.monotonic() + wait
            while (left := resume - time.monotonic()) > 0:
                self.wait(left)

    def _meaning(self, refused: RefusedByServer, count: int) -> Exception:
        """Convert the server's refusal to the error that a local service would raise."""
        if refused.code == ConcurrentUpdate.code:
            found, head = refused.present
            self.copy.told(found, head)
            self._wait_for(int(str(found)))
            return ConcurrentUpdate(self.game_id, count, self.copy.count)
        if refused.status in (409, 422):
            return IllegalAction(refused.code, str(refused))
        return refused

    def _wait_for(self, count: int) -> None:
        """Wait until the copy has ``count`` events, as the server said; raise `UntrueStory` if it withholds events."""
        self.drain()
        if not self._comes(lambda: self.copy.count >= count):
            raise UntrueStory(
                f"The server says that game {self.game_id} has {counted(count, 'event')}, but withholds those after"
                f" event {self.copy.count}."
            )
        self.drain()  # read to the end of the command
        self._settle()

    def _settle(self) -> None:
        self.copy.keep()
        if self._caught_up:
            self.copy.settle()

    def _take(self, message: Message) -> None:
        if message.event not in ("record", "lobby", "table", "connected", "gone", "opened", "chat"):
            return
        try:
            data = json.loads(message.data)
        except (ValueError, RecursionError):
            raise UntrueStory(f"{self._http.name} sends something that is not JSON.") from None
        if message.event == "opened":
            self.copy.open_seeds(data)
            return
        if not isinstance(data, dict):
            raise UntrueStory(f"{self._http.name} sends something that is not an event.")
        match message.event:
            case "record":
                self.copy.take(data)
            case "gone" if data.get("code") == MovedAway.code:
                raise MovedAway
            case "gone":
                raise Gone(_GONE.get(str(data.get("code")), "The table is gone."))
            case "chat":
                self._tell_what_was_said(data)
            case "connected":
                self._lost_seats = _lost_seats(data)
            case "table":
                self._tell_of_the_host(data)
            case _:
                self._tell_of_the_host(data)
                self._tell_of_the_lobby(data)

    def say(self, text: str) -> None:
        """Say a line at the table; raise `RefusedByServer` with the server's sentence if it cannot be said."""
        self._http.post(self._path("say"), {"text": text})

    def sign(self, sign: Sign) -> None:
        """Give the others at the table a sign; raise `RefusedByServer` with the server's sentence if it is refused."""
        self._http.post(self._path("say"), {"sign": sign})

    def _tell_what_was_said(self, chat: Mapping[str, object]) -> None:
        lines = chat.get("lines")
        for line in (lines if isinstance(lines, list) else [])[-SAID_AGAIN:]:
            if isinstance(line, dict) and type(number := line.get("number")) is int and number > self._said:
                self._said = number
                if (told := _said(line)) is not None:
                    self._notice(told)

    def _tell_who_is_missing(self) -> None:
        """Report which other people in the game have lost the connection, or have it again."""
        state, players, before = self.copy.replay.state, self.copy.replay.seats, self.missing
        self.missing = frozenset(
            seat for seat, _ in enumerate(players, 1) if seat in self._lost_seats and state.playing(seat)
        ) - {self.viewer}
        for seat in sorted(self.missing ^ before):
            name = printable(players[seat - 1].name)[:60]
            self._notice(f"{name} {'has lost the connection' if seat in self.missing else 'is connected again'}.")

    def _tell_of_the_host(self, information: Mapping[str, object]) -> None:
        """Report a move of the host's rights to another device, for which there is no event."""
        came = information.get("host_came_at")
        if came is not None and came != self._host_came:
            self._notice("The host goes on at another device.")
        self._host_came = came

    def _tell_of_the_lobby(self, information: Mapping[str, object]) -> None:
        seats = information.get("seats")
        names = [
            printable(str(seat.get("name") or "a free seat"))[:60]
            for seat in (seats if isinstance(seats, list) else [])
            if isinstance(seat, dict)
        ]
        for name in went_on(self._came, now := arrivals(information)):
            self._notice(f"{name} goes on at another device.")
        self._came = now
        lobby = f"The game has not begun; at the table: {', '.join(names)}."
        if lobby != self._lobby:
            self._lobby = lobby
            self._notice(lobby)


def _lost_seats(told: Mapping[str, object]) -> frozenset[int]:
    """Return the seats that have lost the connection, according to a server.

    >>> _lost_seats({"seats": [{"seat": 1, "connected": True}, {"seat": 2, "connected": False}, {"seat": "x"}, 3]})
    frozenset({2})
    """
    seats = told.get("seats")
    found = [one for one in (seats if isinstance(seats, list) else []) if isinstance(one, dict)]
    return frozenset(
        seat for one in found if one.get("connected") is False and isinstance(seat := one.get("seat"), int)
    )


def _said(line: Mapping[str, object]) -> str | None:
    r"""Return a line of chat for a terminal, escaped and preceded by its seat; None if it is not a valid line.

    >>> print(_said({"seat": 2, "name": "Ann", "text": "hi\x1b[2J"}))
    Seat 2 (Ann) says: hi\x1b[2J
    >>> print(_said({"seat": 0, "name": "Host", "text": "hi"}))
    The host says: hi
    """
    seat, text = line.get("seat"), line.get("text")
    if type(seat) is not int or not 0 <= seat <= MOST_SEAT or not isinstance(text, str):
        return None
    who = "The host" if seat == 0 else f"Seat {seat} ({printable(str(line.get('name')))[:60]})"
    return f"{who} says: {printable(text[:MOST_TEXT])}"


def _object_of(action: Action | TableAction) -> dict[str, Any]:
    """Return an action as a JSON object for the server; the seat is left out, because the URL has it."""
    fields: dict[str, Any] = TypeAdapter(type(action)).dump_python(action, mode="json")
    fields.pop("seat", None)
    return {"type": type(action).__name__, **fields}
