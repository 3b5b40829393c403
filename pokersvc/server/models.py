"""What requests and answers look like, for the OpenAPI document; those of actions and views are the games' own."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from pokersvc.core.registry import game_kinds, usable
from pokersvc.core.seats import MAX_NAME, check_name
from pokersvc.core.share_events import MOST_SHARE_SECONDS, SHARE_SECONDS
from pokersvc.core.shares import MOST_LINKS
from pokersvc.server.information import MOST_SEATS
from pokersvc.server.shapes import shape_of
from pokersvc.server.tokens import TOKEN

MOST_ROUNDS = 1000

Schema: TypeAlias = dict[str, Any]
"""A JSON schema."""


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be printable characters, without a space at either end")
    return text


Name = Annotated[
    str, Field(min_length=1, max_length=MAX_NAME, pattern=r"^\S(?:[^\x00-\x1f]*\S)?$"), AfterValidator(check_name)
]
Token = Annotated[str, Field(pattern=TOKEN)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Signature = Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]
CommandId = Annotated[
    str, Field(pattern=r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$")
]


class Body(BaseModel):
    """Base of what is sent: what is unknown is refused, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """Base of what is answered."""


class Refusal(Answer):
    """Why a request was refused."""

    code: str
    message: str


class Stale(Refusal):
    """Someone else acted first."""

    count: int | None = None
    head: Hash | None = None


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


def _actions() -> list[Schema]:
    return [shape_of(kind).schemas()["action"] for kind in game_kinds() if usable(kind)]


def _flat(schemas: list[Schema]) -> Schema:
    """Return one schema for any of several; what they define stands inside, so that none clashes with another's."""
    return {"anyOf": [_resolved(schema, schema.get("$defs", {})) for schema in schemas]}


def _resolved(value: Any, definitions: Schema) -> Any:
    if isinstance(value, dict):
        if "$ref" in value:
            return _resolved(definitions[value["$ref"].rpartition("/")[2]], definitions)
        return {
            name: _resolved(inner, definitions)
            for name, inner in value.items()
            if name not in ("$defs", "discriminator")
        }
    return [_resolved(inner, definitions) for inner in value] if isinstance(value, list) else value


AnyAction = Annotated[dict[str, Any], WithJsonSchema(_flat(_actions()))]
"""An action of any game; which game it must be of, the table says."""


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
    """An option of a game."""

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


def _any_of(what: str) -> Schema:
    schemas = [shape_of(kind).schemas()[what] for kind in game_kinds() if usable(kind)]
    return _flat([*schemas, {"type": "null"}])


class SaidLine(Answer):
    """One event in words."""

    seq: int
    text: str


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
    closable: bool
    """Whether the host may close the game now: in draw poker and the market, between two rounds."""
    awaited: list[int]
    your_turn: bool
    legal: Annotated[Any, WithJsonSchema(_any_of("legal"))]
    view: Annotated[Any, WithJsonSchema(_any_of("view"))]
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
    outcome: dict[str, Any] | None
    settings: dict[str, Any]


class ReplayStep(Answer):
    """One event of a replay, and what it made."""

    seq: int
    recorded_at: str
    type: str
    text: str
    view: Annotated[Any, WithJsonSchema(_any_of("view"))]


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
