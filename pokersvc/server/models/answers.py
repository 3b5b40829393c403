"""The JSON of answers, for the OpenAPI document; views and legal actions are the games' own."""

from typing import Annotated, Any, Final, Literal

from pydantic import WithJsonSchema

from pokersvc.server.models.fields import Answer, Hash
from pokersvc.server.models.schemas import Schema, any_of

_NONE: Final[Schema] = {"type": "null"}


class Refusal(Answer):
    """Why a request was refused."""

    code: str
    message: str


class Stale(Refusal):
    """Someone else acted first."""

    count: int | None = None
    head: Hash | None = None


class EventRecord(Answer):
    """An event as it is stored; ``payload`` and ``secret`` are texts, which hash byte for byte."""

    seq: int
    type: str
    version: int
    recorded_at: str
    command_id: str
    n: int
    payload: str
    secret: str | None = None
    salt: str | None = None
    digest: str | None = None
    hash: Hash


class RecordedAnswer(Answer):
    """What a command recorded, as the seat may know it."""

    events: list[EventRecord]


class SeatInformation(Answer):
    """Who sits at a seat."""

    seat: int
    name: str | None
    kind: str
    came: bool
    """Whether somebody has opened the link of the seat, or a bot sits there."""


class TableInformation(Answer):
    """What everybody may know of a table."""

    table: str
    kind: str
    name: str
    options: dict[str, Any]
    rounds: int | None
    settings: dict[str, Any]
    public: bool
    status: Literal["waiting", "playing", "over"]
    created_at: str
    seats: list[SeatInformation]


class Lobby(Answer):
    """Tables that one can join or watch."""

    tables: list[TableInformation]


class MadeTable(Answer):
    """A new table; the links hold tokens that nobody can read again."""

    table: str
    host: str
    seats: dict[str, str]


class TakenSeat(Answer):
    """A seat that somebody took."""

    seat: int
    link: str


class NewLink(Answer):
    """A link in the place of a lost one."""

    link: str


class OptionInformation(Answer):
    """An option of a game; its ``help`` is for a form."""

    name: str
    help: str
    type: Literal["boolean", "integer", "string"]
    metavar: str | None


class HouseInformation(Answer):
    """Rules that have a name."""

    name: str
    summary: str
    text: str


class GameInformation(Answer):
    """A kind of game, and what it can be started with."""

    kind: str
    hides: bool
    houses: list[HouseInformation]
    options: list[OptionInformation]
    programs: list[str]
    default_program: str
    default_seats: int
    seats: dict[str, int]


class OfferedGames(Answer):
    """The games there are."""

    games: list[GameInformation]


class SaidLine(Answer):
    """One event in words."""

    seq: int
    text: str


class NamedAction(Answer):
    """An action that a seat may choose, to be sent as it stands."""

    action: dict[str, object]
    label: str
    """What it is called now."""


class SharesAnswer(Answer):
    """Where the common shuffle of a table stands."""

    round: int
    """The last round that was opened."""
    head: Hash | None
    """The hash of the round that is open, which shares are signed over."""
    asked: list[int]
    """The seats whose share the round asks for that is open, or would if it were opened now."""
    waiting: list[int]
    """The seats whose share is awaited now."""
    bound: dict[str, int]
    """Seat → how many rounds its chain still reaches."""
    due: bool
    """Whether the next round waits for being opened, or for shares."""
    deadline: str | None
    """When shares that are awaited are missed."""
    seconds: int
    """How long shares are waited for."""


class SnapshotAnswer(Answer):
    """Where a game stands, as one viewer may know it."""

    count: int
    head: Hash
    kind: str
    status: Literal["waiting", "playing", "over"]
    pausing: bool
    ends_next: bool
    """Whether too few can be dealt in for a next round: the game waits until people change that."""
    closable: bool
    """Whether the host may close the game now: in draw poker and the market, between two rounds."""
    awaited: list[int]
    your_turn: bool
    legal: Annotated[Any, WithJsonSchema(any_of("legal", _NONE))]
    choices: list[NamedAction]
    """Each action that the seat may choose, where the game lists them."""
    view: Annotated[Any, WithJsonSchema(any_of("view", _NONE))]
    ask: str | None
    """The question to the seat whose turn it is, with the possible answers, also in a game unknown to a client."""
    show: list[str]
    """The view in words, line by line."""
    clock: dict[str, Any] | None
    shares: SharesAnswer | None
    """How the table shuffles together; null where the dealer shuffles alone."""
    paused: bool
    sitting_out: list[int]
    lines: list[SaidLine]
    beforehand: list[str]
    between: list[str]
    """What the seat may type between two rounds, in games that have more than to leave."""
    outcome: dict[str, Any] | None
    settings: dict[str, Any]


class ReplayStep(Answer):
    """One event of a replay, and what it made."""

    seq: int
    recorded_at: str
    type: str
    text: str
    view: Annotated[Any, WithJsonSchema(any_of("view", _NONE))]


class Replayed(Answer):
    """Part of a replay."""

    count: int
    steps: list[ReplayStep]


class HistoryEntry(Answer):
    """One line of a game's history."""

    number: int
    line: str
    details: list[str]


class History(Answer):
    """A game's history."""

    title: str
    result: str | None
    history: list[HistoryEntry]


class FindingSaid(Answer):
    """Something that is not as it should be, in words that quote nothing hidden."""

    seq: int | None
    check: str
    message: str


class AuditReport(Answer):
    """What an audit of a game found."""

    events: int
    passed: bool
    findings: list[FindingSaid]


class Advised(Answer):
    """Advice for a seat, in lines; none where the game has no advice for this choice."""

    lines: list[str]
