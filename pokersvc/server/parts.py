"""The parts of a server, which its routes share."""

from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.server.authentication import GAME, Authentication
from pokersvc.server.commands import Commands
from pokersvc.server.connections.rate_limits import Meter
from pokersvc.server.connections.slow_answers import Slow
from pokersvc.server.connections.turns import Turns
from pokersvc.server.errors import TooMany
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.stream import Streams
from pokersvc.server.following.viewer_copies import ViewerCopies
from pokersvc.server.metrics import Metrics
from pokersvc.server.rankings import Rankings
from pokersvc.server.running.presence import Presence
from pokersvc.server.settings import Settings
from pokersvc.server.tables.chat import Chat
from pokersvc.server.tables.chat_lines import ChatStore
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.makers import Makers
from pokersvc.server.tables.moves import Moves
from pokersvc.server.tables.opening import Opening
from pokersvc.server.tables.people import People
from pokersvc.server.tables.results import EveningResults
from pokersvc.server.tables.reviews import Reviews
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.shared_hands import SharedHands
from pokersvc.server.tables.store import TableStore
from pokersvc.server.threads import Threads
from pokersvc.service import Service


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that is needed to answer requests."""

    database: Database
    log: EventLog
    settings: Settings
    metrics: Metrics
    service: Service
    tables: TableStore
    hub: Hub
    commands: Commands
    opening: Opening
    authentication: Authentication
    chat: Chat
    chat_lines: ChatStore
    delay: Delay
    makers: Makers
    making: Turns
    """Lets tables be made one at a time; addresses take turns."""
    viewer_copies: ViewerCopies
    streams: Streams
    presence: Presence
    results: EveningResults
    reviews: Reviews
    rankings: Rankings
    command_rate: Meter
    advice_rate: Meter
    sitting_rate: Meter
    """People who sit down, by table: a link to sit down may be in many hands."""
    people: People
    moves: Moves
    shared_hands: SharedHands
    slow: Slow
    reviewing: Slow
    """Makes one review at a time, and leaves the threads of ``slow`` to replays and files."""
    threads: Threads
    """Threads for the commands of people who play."""
    threads_of_others: Threads
    """Threads for commands on connections that have not yet carried a command of somebody who plays."""

    def within(self, rate: Meter, id_: str, who: int | Literal["host", "guests"]) -> None:
        """Count a request of a seat, of the host, or of guests; raise `TooMany` if there were too many."""
        if wait := rate.wait((id_, who)):
            whom = "Too many people sit down at this table" if who == "guests" else "This seat asks too often"
            raise TooMany(f"{whom}: wait {int(wait) + 1} seconds.", wait)

    def watched(self, request: Request, address: str) -> TableRow:
        """Return the game that a request from a viewer without a seat concerns, if such viewers may know of it."""
        row = self.authentication.table(request, address)
        named = request.query_params.get(GAME) is not None or address != row.table_id
        return row if named else self.delay.last(row)

    def link(self, request: Request, path: str) -> str:
        """Return a link that the sender of the request can pass on."""
        base = self.settings.base or f"{request.url.scheme}://{request.headers['host']}"
        return f"{base}{path}"
