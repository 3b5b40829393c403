"""The settings that a server's operator chooses."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from pokersvc.errors import InvalidValue
from pokersvc.players import Walls
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.system.memory import half_of_this_machine

ALL_ADDRESSES: Final = ("", "0.0.0.0", "::")  # noqa: S104  # requested hosts are compared with them
# A page takes some fifty files, and a whole household or office may share one address.
REQUESTS: Final = Rate(100, 2000)
ENTRIES: Final = Rate(1, 30)
COMMANDS: Final = Rate(10, 40)
ADVICE: Final = Rate(0.5, 5)
SITTING: Final = Rate(0.2, 20)
SLOW: Final = Rate(4, 100)
REFUSED: Final = Rate(0.5, 50)
CHAT: Final = Rate(0.5, 5)
CHAT_OF_ADDRESS: Final = Rate(2, 30)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the requests of one address, of one seat, and of all clients of the server."""

    requests: Rate = REQUESTS
    """Requests of one address."""
    entries: Rate = ENTRIES
    """Tables made, seats taken and wrong tokens sent from one address."""
    commands: Rate = COMMANDS
    """Commands of one seat."""
    advice: Rate = ADVICE
    """Requests for advice for one seat: of all requests, they take the most time."""
    sitting: Rate = SITTING
    """Seats taken at one table, by all people together."""
    slow: Rate = SLOW
    """Replays, files, histories and audits for one address; longer games take longer."""
    chat: Rate = CHAT
    """Lines of chat of one seat."""
    chat_of_address: Rate = CHAT_OF_ADDRESS
    """Lines of chat of one address, at all tables."""
    refused: Rate = REFUSED
    """Refusals that one address gets without delay; further refusals are delayed, so that nobody asks without end."""
    refusal_seconds: float = 30.0
    """The longest delay of a refusal, in seconds."""
    streams: int = 4000
    """Streams open at once."""
    streams_of_address: int = 300
    open_tables: int = 5000
    """Tables that are not over; a new one beyond this number is refused."""
    tables_of_address: int = 300
    """Tables that one address has made and that are not over."""
    making: float = 0.1
    """The largest share of time for making tables; addresses take turns."""
    unstarted: timedelta = timedelta(days=7)
    """Time after which a table that was not started ends."""
    connections: int = 6000
    """The maximum number of connections open at once: enough for all streams, and some for other requests."""
    connections_of_address: int = 500
    """The maximum number of connections from one address, and of its requests at once; a proxy's connections are not
    counted."""
    unread_of_address: int = 67_108_864
    """The most bytes that wait for the readers of one address; a single answer may be longer."""
    table_bytes: int = 250_000_000
    """Bytes of a table's log in the database; when reached, its game is closed after the current round; 0: no limit."""
    body: int = 16_384
    """Bytes of a request's body."""
    body_seconds: float = 10.0
    """Seconds within which the body of a request must arrive."""
    patience: float = 20.0
    """Seconds within which a reader must take the data of a stream, and 4 KiB per second of any other answer."""
    stream_seconds: float = 86_400.0
    """Seconds after which a stream ends, with its next message or heartbeat; its reader may connect again."""
    heartbeat: float = 15.0
    """Seconds between two heartbeats."""
    rest: float = 30.0
    """Seconds within which a connection must send its next request, with all headers."""


NAMES: Final = (
    "requests", "entries", "commands", "advice", "slow",
    "streams", "streams-of-address", "open-tables", "tables-of-address", "connections", "connections-of-address",
)  # fmt: skip
"""The limits that an operator may set, as they are typed: fields of `Limits`."""
MOST: Final = 1_000_000
"""The highest value of any limit, and of a rate's requests per second."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)
_RATE: Final = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)/([1-9][0-9]{0,6})", re.ASCII)


def limits_of(said: Iterable[str]) -> Limits:
    """Return the default limits, changed by texts such as "commands=20/80"; the last text for a limit counts.

    >>> limits = limits_of(["open-tables=10000", "commands=20/80"])
    >>> limits.open_tables, limits.commands
    (10000, Rate(a_second=20.0, at_once=80))
    """
    found = Limits()
    for text in said:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidValue(f"{text!r} is not a limit; it is like open-tables=10000, or commands=20/80 for a rate.")
        if name not in NAMES:
            raise InvalidValue(f"There is no limit {name!r}; the limits are {', '.join(NAMES)}.")
        key = name.replace("-", "_")
        read = _rate if isinstance(getattr(found, key), Rate) else _number
        found = replace(found, **{key: read(name, value)})  # type: ignore[arg-type]  # of the kind that its field has
    if found.connections <= found.streams:
        raise InvalidValue(
            f"{found.streams} streams need more connections than {found.connections}: each takes one; set both limits."
        )
    if found.connections_of_address <= min(found.streams, found.streams_of_address):
        raise InvalidValue(
            f"{found.streams_of_address} streams of an address need more connections of it than"
            f" {found.connections_of_address}: each takes one; set both limits."
        )
    return found


def _number(name: str, value: str) -> int:
    if not _NUMBER.fullmatch(value) or int(value) > MOST:
        raise InvalidValue(f"The limit {name} cannot be {value!r}; it is a whole number from 1 to {MOST:,}.")
    return int(value)


def _rate(name: str, value: str) -> Rate:
    read = _RATE.fullmatch(value)
    if read is None or not 0 < float(read[1]) <= MOST or int(read[2]) > MOST:
        raise InvalidValue(
            f"The limit {name} cannot be {value!r}; it is like 10/40: 10 a second, and 40 at once after a rest."
        )
    return Rate(float(read[1]), int(read[2]))


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the server listens, its address from outside, and what it allows."""

    host: str = "127.0.0.1"
    port: int = 8000
    lan: tuple[str, ...] = ()
    """Addresses in the local network, each to listen on, instead of on ``host``; no other host is accepted."""
    url: str | None = None
    """The URL by which people reach the server, if it is behind a proxy."""
    programs: tuple[str, ...] = ()
    """Kinds of custom players that anybody may put on a seat; the games' own bots are always allowed."""
    walls: Walls = field(default_factory=Walls)
    """What custom players may do besides playing, such as read files or use the network."""
    limits: Limits = field(default_factory=Limits)
    poll: float = 0.25
    """Seconds between two polls for the events of other processes."""
    pace: float = 1.0
    """Seconds before a bot's choice, so that people can follow it."""
    pause: float = 5.0
    """Seconds between two rounds in which a person may leave."""
    lease: float = 3.0
    """Seconds without a sign of life after which another server runs a table's bots."""
    idle_days: int = 30
    """Days without a choice after which a game is closed; 0: never."""
    threads: int = 12
    """The number of requests processed at once; others wait."""
    memory: int = field(default_factory=half_of_this_machine)
    """Bytes of memory that games, and viewers' copies of them, may take."""

    def __post_init__(self) -> None:
        if self.url is not None:
            try:
                parts = urlsplit(self.url)
                wrong = not parts.hostname or parts.port == 0 or parts.path.strip("/") or parts.query
            except ValueError:  # brackets that are no address, or a port that is no number
                wrong = True
            if wrong or parts.scheme not in ("http", "https"):
                raise InvalidValue(
                    f"--url {self.url!r} is not the address of a server; it is like https://table.example."
                )

    @property
    def base(self) -> str | None:
        """The URL without a trailing slash; None if the address is taken from each request instead."""
        return None if self.url is None else self.url.rstrip("/")

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to listen on."""
        return self.lan or (self.host,)

    @property
    def secure(self) -> bool:
        """Whether people reach the server over HTTPS."""
        return self.url is not None and self.url.startswith("https:")
