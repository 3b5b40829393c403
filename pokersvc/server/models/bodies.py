"""The JSON of requests, for the OpenAPI document; actions are the games' own."""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from pokersvc.core.names import readable
from pokersvc.core.randomness.share_events import MOST_SHARE_SECONDS, SHARE_SECONDS
from pokersvc.core.randomness.shares import MOST_LINKS
from pokersvc.server.models.fields import Body, CommandId, Hash, Name, Signature, Token
from pokersvc.server.models.schemas import any_of
from pokersvc.server.tables.information import MOST_SEATS
from pokersvc.server.tables.store import ALONE

MOST_ROUNDS: Final = 1000


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be printable characters, without a space at either end")
    return readable(text) if text else text


class NewSeat(Body):
    """Who shall sit at a seat: a bot, or a person; an empty object waits for one."""

    name: Name | None = None
    program: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class SettingsBody(Body):
    """What a table gives besides its game."""

    seconds: Annotated[int, Field(ge=0, le=3600)] = 0
    """For a choice; 0: no clock."""
    bank: Annotated[int, Field(ge=0, le=36_000)] = 0
    """Seconds in reserve per seat."""
    advice: bool = True
    """Whether a person may ask for advice."""
    opens_seeds: bool = False
    """Whether everybody is shown the seeds, and so all cards, after the game."""
    dealing: Literal["dealer", "together"] = "dealer"
    """Who shuffles: the dealer alone, or all people at the table with it."""
    share_seconds: Annotated[int, Field(ge=1, le=MOST_SHARE_SECONDS)] = SHARE_SECONDS
    """How long a table that shuffles together waits for shares."""


class NewTable(Body):
    """A table to be made."""

    kind: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(max_length=40), AfterValidator(_printable)] = ""
    options: dict[str, Any] = Field(default_factory=dict)
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    seats: Annotated[list[NewSeat | None], Field(min_length=1, max_length=MOST_SEATS)]
    settings: SettingsBody = Field(default_factory=SettingsBody)
    public: bool = False

    @property
    def weight(self) -> int:
        """Its weight in limits."""
        return ALONE if all(seat is not None and seat.program for seat in self.seats) else 1


class Sit(Body):
    """A person who sits down."""

    name: Name
    seat: Annotated[int, Field(ge=1, le=MOST_SEATS)] | None = None


class TokenBody(Body):
    """The token of a link, to be traded for a cookie."""

    token: Token
    name: Name | None = None


class ProgramBody(Body):
    """A bot to be put on a seat."""

    kind: Annotated[str, Field(min_length=1, max_length=200)]


AnyAction = Annotated[dict[str, Any], WithJsonSchema(any_of("action"))]
"""An action of any game; the table decides which game's it must be."""


class CommandBody(Body):
    """What a seat wants to do: an action, or what a person would type."""

    id: CommandId
    """The caller's own: sent again, the command is recorded once."""
    head: Hash | None = None
    """The last hash that the caller has verified."""
    action: AnyAction | None = None
    typed: Annotated[str, Field(max_length=200)] | None = None


class BindingBody(Body):
    """What a seat binds itself to, at a table that shuffles together: a key, and the tip of a chain of shares."""

    id: CommandId
    """The caller's own: sent again, the binding is recorded once."""
    key: Hash
    """Of Ed25519, 32 bytes."""
    tip: Hash
    """The end of the chain."""
    length: Annotated[int, Field(ge=1, le=MOST_LINKS)]
    """How many shares the chain has."""
    signature: Signature
    """By the key."""
    renewal: Signature | None = None
    """By the key that the seat had before; null for the first binding, and for a replacement."""


class ShareBody(Body):
    """The share of a seat for the round that awaits it."""

    id: CommandId
    """The caller's own: sent again, the share is recorded once."""
    share: Hash
    signature: Signature
    """Over the share and the head of the round."""
