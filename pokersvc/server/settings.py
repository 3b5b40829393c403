"""What the operator of a server chooses."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from pokersvc.errors import InvalidValue
from pokersvc.players import Walls
from pokersvc.server.limits import Rate

ALL_ADDRESSES: Final = ("", "0.0.0.0", "::")  # noqa: S104  # what somebody asked for is compared with them
REQUESTS: Final = Rate(100, 2000)  # a page is some fifty files, and a household or an office one address
ENTRIES: Final = Rate(1, 30)
COMMANDS: Final = Rate(10, 40)
ADVICE: Final = Rate(0.5, 5)
SLOW: Final = Rate(4, 100)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address, one seat and the server as a whole may ask for."""

    requests: Rate = REQUESTS
    """Of one address."""
    entries: Rate = ENTRIES
    """Tables made, seats taken and wrong tokens, of one address."""
    commands: Rate = COMMANDS
    """Of one seat."""
    advice: Rate = ADVICE
    """Of one seat: it takes the most time."""
    slow: Rate = SLOW
    """Replays, files, histories and audits, of one address: they take as long as the game is."""
    streams: int = 4000
    """Open at once."""
    streams_of_address: int = 300
    open_tables: int = 5000
    """Tables that are not over: a new one is refused with more."""
    tables_of_address: int = 300
    """Tables that an address has made, and that are not over."""
    unstarted: timedelta = timedelta(days=7)
    """After which a table ends that was not started."""
    connections: int = 6000
    """Open at once: the streams that a server may have, and others' requests."""
    connections_of_address: int = 500
    """Of those of one address; a proxy's count as nobody's."""
    body: int = 16_384
    """Bytes of a request."""
    patience: float = 20.0
    """Seconds in which a reader must take what it is sent."""
    heartbeat: float = 15.0
    """Seconds."""
    rest: float = 30.0
    """Seconds in which a connection must bring its next request, with all its headers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the server listens, what it is called from outside, and what it allows."""

    host: str = "127.0.0.1"
    port: int = 8000
    url: str | None = None
    """How people reach it, where a proxy stands before it."""
    programs: tuple[str, ...] = ()
    """Kinds of custom players that anybody may put on a seat; those of the games always may."""
    walls: Walls = field(default_factory=Walls)
    """What custom players may do beside playing."""
    limits: Limits = field(default_factory=Limits)
    poll: float = 0.25
    """Seconds after which another process's events are seen."""
    pace: float = 1.0
    """Seconds before a bot's choice, so that people can follow it."""
    pause: float = 5.0
    """Seconds between two rounds in which a person may leave."""
    lease: float = 3.0
    """Seconds without a sign of life after which another server runs a table's bots."""
    idle_days: int = 30
    """Days without a choice after which a game is closed; 0: never."""
    threads: int = 12
    """Requests that are worked on at once; others wait."""

    def __post_init__(self) -> None:
        if self.url is not None:
            parts = urlsplit(self.url)
            if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
                raise InvalidValue(
                    f"--url {self.url!r} is not the address of a server; it is like https://table.example."
                )

    @property
    def base(self) -> str | None:
        """The URL without a slash at its end; None where every request says by which address it came."""
        return None if self.url is None else self.url.rstrip("/")

    @property
    def secure(self) -> bool:
        """Whether people reach it by https."""
        return self.url is not None and self.url.startswith("https:")
