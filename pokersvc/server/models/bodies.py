"""The JSON of requests, for the OpenAPI document; actions are the games' own."""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from pokersvc.core.names import readable
from pokersvc.core.randomness.share_events import MOST_SHARE_SECONDS, SHARE_SECONDS
from pokersvc.core.randomness.shares import MOST_LINKS
from pokersvc.core.tables.signs import Sign
from pokersvc.server.models.fields import Body, CommandId, Hash, Name, Signature, Token
from pokersvc.server.models.schemas import any_of
from pokersvc.server.tables.information import MOST_SEATS
from pokersvc.server.tables.store import ALONE

MOST_ROUNDS: Final = 1000
MOST_SEQ: Final = 2**31 - 1


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be printable characters, without a space at either end")
    return readable(text) if text else text


class NewSeat(Body):
    """The player for a seat: a bot (``program``) or a person (``name``); with neither, the seat waits for a person."""

    name: Name | None = None
    program: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class ClockBody(Body):
    """The clock of a table."""

    seconds: Annotated[int, Field(ge=0, le=3600)] = 0
    """Seconds for a choice; 0: no clock."""
    bank: Annotated[int, Field(ge=0, le=36_000)] = 0
    """The seconds of a seat's reserve, for all its choices together."""


class SettingsBody(ClockBody):
    """The settings of a table: its clock, advice, opening of seeds, and how cards are shuffled."""

    advice: bool = True
    """Whether a person may ask for advice."""
    opens_seeds: bool = False
    """Whether everybody is shown the seeds, and so all cards, after the game."""
    dealing: Literal["dealer", "together"] = "dealer"
    """Whether the dealer shuffles alone, or together with all people at the table."""
    share_seconds: Annotated[int, Field(ge=1, le=MOST_SHARE_SECONDS)] = SHARE_SECONDS
    """The seconds for which a table that shuffles together waits for shares."""


class NewTable(Body):
    """A request to make a table."""

    kind: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(max_length=40), AfterValidator(_printable)] = ""
    options: dict[str, Any] = Field(default_factory=dict)
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    seats: Annotated[list[NewSeat | None], Field(min_length=1, max_length=MOST_SEATS)]
    settings: SettingsBody = Field(default_factory=SettingsBody)
    public: bool = False

    @property
    def weight(self) -> int:
        """The table's weight in limits on the number of tables."""
        return ALONE if all(seat is not None and seat.program for seat in self.seats) else 1


SeatNumber = Annotated[int, Field(ge=1, le=MOST_SEATS)]


class Sit(Body):
    """A person who sits down."""

    name: Name
    seat: SeatNumber | None = None
    token: Token | None = None
    """The token of the table's link to sit down; a public table needs none."""
    fresh: Token | None = None
    """A token of 128 random bits that the device wants for the seat; the token lets it repeat an unanswered request."""


class TokenBody(Body):
    """The token of a link, which is traded for a cookie.

    Without a token, a cookie for the table's address is set with the request's own token. A device that came by an
    older link has a cookie only for the address of a game.
    """

    token: Token | None = None


class SessionBody(TokenBody):
    """The token of a seat's link, which is exchanged, once, for a token of this device."""

    name: Name | None = None
    """The person's name, which can be given before the game."""
    fresh: Token | None = None
    """A token of 128 random bits that the device wants for the seat; the token lets it repeat an unanswered request."""
    bearer: bool = False
    """Whether the answer contains the device's token, for a program; a browser gets the token as a cookie."""


class CodeBody(Body):
    """The code with which a seat, or the host's rights, move to this device."""

    code: Annotated[str, Field(min_length=1, max_length=100)]
    """Six words; capitals, spaces and dashes do not count."""
    seat: Annotated[int, Field(ge=0, le=MOST_SEATS)] | None = None
    """The seat to move, 0 for the host's rights; null to move whatever the code was made for."""
    fresh: Token | None = None
    """A token of 128 random bits that the device wants; the token lets it repeat an unanswered request."""
    bearer: bool = False
    """Whether the answer contains the device's token, for a program; a browser gets the token as a cookie."""


class NameBody(Body):
    """A name for the person at a seat."""

    name: Name


class MoveBody(Body):
    """The seat to which a person moves."""

    to: SeatNumber


class ElsewhereBody(Body):
    """The free seat that a person takes in place of theirs, and the person's name there."""

    name: Name
    to: SeatNumber


class SayBody(Body):
    """What a person says at a table: a text or, without one, a sign."""

    text: Annotated[str, Field(max_length=1000)] | None = None
    sign: Sign | None = None


class AccessBody(Body):
    """The host's decisions about people; a decision that is left out stays as it is."""

    admits: Literal["all", "each"] | None = None
    """Whether everybody who sits down is let in at once, or each by the host."""
    delay: Annotated[int, Field(ge=0, le=3600)] | None = None
    """Seconds by which watchers see everything later."""
    chat: Literal["all", "folded", "off"] | None = None
    """Who may talk: all seats, only those without cards in the hand, or nobody."""
    watchers_read: bool | None = None
    """Whether watchers may read what is said."""


class HandBody(Body):
    """The hand of the game that a link will show."""

    round: Annotated[int, Field(ge=1, le=MOST_SEQ)]
    """The number of its round; 1 for a game without rounds, which is one hand."""
    cards: bool = False
    """Whether the link also shows the seat's own cards in that hand."""


class EndedHandBody(Body):
    """The shared hand whose link ends."""

    id: Hash


class StakesBody(Body):
    """The stakes that the host changes for all rounds to come; bets and a straddle stay in proportion to the blinds."""

    stakes: Annotated[dict[str, Annotated[str, Field(max_length=40)] | bool | int], Field(min_length=1, max_length=10)]
    """Name → value: `blinds` (a text such as `5/10`), `ante`, `bet`, `straddle`, `increase` and `stack` of draw poker.

    `bomb_pot`, true and alone, announces a bomb pot.
    """


class PurchaseBody(Body):
    """The host's answer to a request to buy chips."""

    admits: bool
    """Whether the host admits the purchase."""


class LineBody(Body):
    """The line of chat that is deleted."""

    number: Annotated[int, Field(ge=1)]


class ProgramBody(Body):
    """The bot that is put on a seat."""

    kind: Annotated[str, Field(min_length=1, max_length=200)]


AnyAction = Annotated[dict[str, Any], WithJsonSchema(any_of("action"))]
"""An action of any game; it must be an action of the table's own game."""


class CommandBody(Body):
    """A command of a seat: an action, or the text that a person would type for it."""

    id: CommandId
    """An ID that the caller chooses: a command that is sent again with the same ID is recorded once."""
    head: Hash | None = None
    """The last hash that the caller has verified."""
    action: AnyAction | None = None
    typed: Annotated[str, Field(max_length=200)] | None = None


class BindingBody(Body):
    """The binding of a seat to a key and to the tip of a chain of shares, at a table that shuffles together."""

    id: CommandId
    """An ID that the caller chooses: a binding that is sent again with the same ID is recorded once."""
    key: Hash
    """The public Ed25519 key, of 32 bytes, in hexadecimal."""
    tip: Hash
    """The end of the chain, against which its shares are checked."""
    length: Annotated[int, Field(ge=1, le=MOST_LINKS)]
    """The number of shares that the chain has."""
    signature: Signature
    """The binding (game, seat, key, tip and length), signed with ``key``."""
    renewal: Signature | None = None
    """The binding, signed with the key that the seat had before; null for a first binding, and for a replacement."""


class ShareBody(Body):
    """The share of a seat for the round that waits for it."""

    id: CommandId
    """An ID that the caller chooses: a share that is sent again with the same ID is recorded once."""
    share: Hash
    signature: Signature
    """The signature, which covers both the share and the round's ``head``."""
