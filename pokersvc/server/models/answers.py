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
    """The refusal of a command because someone else acted first; ``count`` and ``head`` are the game's current ones."""

    count: int | None = None
    head: Hash | None = None


class EventRecord(Answer):
    """An event as it is stored; ``payload`` and ``secret`` are the texts that are hashed, byte for byte."""

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
    """The events that a command recorded, as the seat may know them."""

    events: list[EventRecord]


class SeatInformation(Answer):
    """A seat, and who sits there."""

    seat: int
    name: str | None
    kind: str
    came: bool
    """Whether somebody has opened the link of the seat, or a bot sits there."""


class TableInformation(Answer):
    """The public information on a table."""

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
    """A new table, and the links of its host and its seats, which the server cannot show again."""

    table: str
    host: str
    seats: dict[str, str]


class TakenSeat(Answer):
    """A seat that somebody took."""

    seat: int
    link: str


class NewLink(Answer):
    """A new link for a seat, which replaces the old one."""

    link: str


class OptionInformation(Answer):
    """An option of a game; ``help`` describes it in a form."""

    name: str
    help: str
    type: Literal["boolean", "integer", "string"]
    metavar: str | None


class HouseInformation(Answer):
    """A house: a set of rules that has a name."""

    name: str
    summary: str
    text: str


class GameInformation(Answer):
    """A kind of game, with the houses, options, bots and numbers of seats that it can be started with."""

    kind: str
    hides: bool
    houses: list[HouseInformation]
    options: list[OptionInformation]
    programs: list[str]
    default_program: str
    default_seats: int
    seats: dict[str, int]


class OfferedGames(Answer):
    """The kinds of games that the server offers."""

    games: list[GameInformation]


class SaidLine(Answer):
    """One event in words."""

    seq: int
    text: str


class NamedAction(Answer):
    """An action that a seat may choose, to be sent as it stands."""

    action: dict[str, object]
    label: str
    """The action's current name, in words."""


class SharesAnswer(Answer):
    """The state of a table's common shuffle."""

    round: int
    """The number of the last round that was opened."""
    head: Hash | None
    """The hash of the open round, over which shares are signed."""
    asked: list[int]
    """The seats whose shares the open round needs; if none is open, those that a round opened now would need."""
    waiting: list[int]
    """The seats whose share is awaited now."""
    bound: dict[str, int]
    """Seat → the number of rounds for which its chain still has shares."""
    due: bool
    """Whether the next round waits to be opened, or waits for shares."""
    deadline: str | None
    """The time at which awaited shares are counted as missed."""
    seconds: int
    """Seconds that a round waits for shares."""


class SnapshotAnswer(Answer):
    """The current state of a game, as one viewer may know it."""

    count: int
    head: Hash
    kind: str
    status: Literal["waiting", "playing", "over"]
    pausing: bool
    ends_next: bool
    """Whether too few players can be dealt in for a next round; the game then waits until that changes."""
    closable: bool
    """Whether the host may close the game now: in draw poker and the market, between two rounds."""
    awaited: list[int]
    your_turn: bool
    legal: Annotated[Any, WithJsonSchema(any_of("legal", _NONE))]
    choices: list[NamedAction]
    """The actions that the seat may choose; empty if the game does not list its actions."""
    view: Annotated[Any, WithJsonSchema(any_of("view", _NONE))]
    ask: str | None
    """The question to the seat whose turn it is, with the possible answers, for clients that do not know the game."""
    show: list[str]
    """The view in words, line by line."""
    clock: dict[str, Any] | None
    shares: SharesAnswer | None
    """The state of the common shuffle; null if the dealer shuffles alone."""
    paused: bool
    sitting_out: list[int]
    lines: list[SaidLine]
    beforehand: list[str]
    between: list[str]
    """What the seat may type between two rounds besides ``leave``, in games that have such commands."""
    outcome: dict[str, Any] | None
    settings: dict[str, Any]


class ReplayStep(Answer):
    """One event of a replay, in words, and the view after it."""

    seq: int
    recorded_at: str
    type: str
    text: str
    view: Annotated[Any, WithJsonSchema(any_of("view", _NONE))]


class Replayed(Answer):
    """Some steps of a replay; ``count`` is the number of events in the whole game."""

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
    """A finding of an audit, in words that quote nothing hidden."""

    seq: int | None
    check: str
    message: str


class AuditReport(Answer):
    """The result of an audit of a game."""

    events: int
    passed: bool
    findings: list[FindingSaid]


class Advised(Answer):
    """Advice for a seat, in lines; none where the game has no advice for this choice."""

    lines: list[str]
