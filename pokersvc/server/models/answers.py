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
    field: str | None = None
    """The wrong field of a new table, such as ``stack`` or ``seats.2.name``; left out if no field is concerned."""


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
    """Whether a person has taken the seat, in any way, or a bot sits there."""
    came_at: str | None
    """When its player came to their present device; if this changes, they use another device. None for watchers of a
    table with a delay, for bots, and if it is unknown."""
    admitted: bool
    """Whether the host has let the player in."""
    removed: bool
    """Whether the player is removed after the round."""


class AccessInformation(Answer):
    """The host's decisions on who is let in, what watchers see, and who may talk."""

    admits: Literal["all", "each"]
    delay: int
    chat: Literal["all", "folded", "off"]
    watchers_read: bool


class TableInformation(Answer):
    """The public information on a table with one of its games."""

    table: str
    """The ID of the table."""
    game: str
    """The ID of the game, with which its events are hashed."""
    number: int
    """The number of the game among those of the table, from 1."""
    next: str | None
    """The ID of the table's next game; null for its last one."""
    closed: bool
    """Whether no other game begins at the table."""
    kind: str
    name: str
    title: str
    """The name or, for a table without one, a short title such as ``Draw poker 5/10``."""
    terms: list[str]
    """The terms of the game in words, such as ``blinds 5/10``."""
    options: dict[str, Any]
    rounds: int | None
    settings: dict[str, Any]
    public: bool
    access: AccessInformation
    status: Literal["waiting", "playing", "over"]
    created_at: str
    host_came_at: str | None
    """When the host's rights came to the device that has them, by a move; null if they never moved."""
    seats: list[SeatInformation]


class Lobby(Answer):
    """Tables that one can join or watch."""

    tables: list[TableInformation]


class MadeTable(Answer):
    """A new table, and the links of its host and its seats, which the server cannot show again."""

    table: str
    game: str
    """The ID of its first game."""
    host: str
    invitation: str
    """The link by which people sit down, at any free seat."""
    seats: dict[str, str]
    """Seat → its own link, for people who are named; each works for the first device that opens it."""


class NextGame(Answer):
    """The table's next game."""

    table: str
    game: str


class TakenSeat(Answer):
    """A seat that a person took; ``link`` has the token of this device, which a page also gets as a cookie."""

    seat: int
    link: str


class DeviceToken(Answer):
    """The token of a device for its seat."""

    token: str


class FollowedSeat(Answer):
    """The seat that a person has now."""

    seat: int


class MoveCode(Answer):
    """A code to move to another device."""

    code: str
    """Six words."""
    expires_at: str


class MovedHere(Answer):
    """The seat or the host's rights that have moved to this device."""

    table: str
    """The ID in the address of the seat or the rights: that of the table, or of an earlier game of the table."""
    seat: int
    """The seat; 0 for the host's rights."""
    token: str | None = None
    """The token of this device, if it was asked for."""


class SaidAnswer(Answer):
    """A line of chat."""

    number: int
    """The number among the lines of the table, from 1."""
    seat: int
    """The seat that said it; 0 for a host without a seat."""
    name: str
    """The name at that seat when the line was said."""
    said_at: str
    text: str


class ChatAnswer(Answer):
    """The last lines of chat at a table, oldest first."""

    lines: list[SaidAnswer]


class NewLink(Answer):
    """A new link, which replaces the old one."""

    link: str


class OptionInformation(Answer):
    """An option of a game; ``help`` describes it in a form."""

    name: str
    help: str
    type: Literal["boolean", "integer", "string"]
    metavar: str | None
    first: bool
    """Whether a form shows the option at once."""
    each: str | None
    """A sentence for a second field, for the values of single players; null if the option has no such values."""


class HouseInformation(Answer):
    """A house: a set of rules that has a name."""

    name: str
    summary: str
    text: str
    usual: bool
    """Whether a form offers this house first."""
    values: dict[str, str]
    """Option → what applies in this house while the option is not given."""


class ReadyTableInformation(Answer):
    """A table that a form offers ready-made."""

    title: str
    seats: int
    people: int
    """The number of seats for people, which are the first ones; bots take the others."""
    options: dict[str, object]
    rounds: int | None
    settings: dict[str, object]


class GameInformation(Answer):
    """A kind of game, with the houses, options, bots and numbers of seats that it can be started with."""

    kind: str
    hides: bool
    houses: list[HouseInformation]
    options: list[OptionInformation]
    programs: list[str]
    programs_said: dict[str, str]
    """Kind of bot → how it plays, in a few words; some kinds have no entry."""
    program_levels: list[str]
    """The kinds of bots that differ in strength, the weakest first; empty if the game has no such levels."""
    default_program: str
    default_seats: int
    seats: dict[str, int]
    rounds: bool
    """Whether the number of rounds can be chosen."""
    advises: bool
    """Whether the game has advice for players."""
    shuffles: bool
    """Whether players and dealer can shuffle together."""
    ready_tables: list[ReadyTableInformation]


class OfferedGames(Answer):
    """The kinds of games that the server offers."""

    games: list[GameInformation]


class SaidLine(Answer):
    """One event in words."""

    seq: int
    text: str


class NamedAction(Answer):
    """An action that a seat may choose, which can be sent unchanged."""

    action: dict[str, object]
    label: str
    """The action's current name, in words."""


class LevelAnswer(Answer):
    """When the next level of a tournament is due."""

    ends: str | None
    """Null in a pause of the table, and after the last level."""
    rests_until: str | None
    """The end of the break; null outside a break, and in a pause of the table."""
    now: str


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
    level: LevelAnswer | None
    """The time of levels that end by time; null if there are none."""
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


class OwnSharedHand(Answer):
    """A hand that a seat shares by a link."""

    id: Hash
    """The ID with which the link's maker can end the link; the ID gives no access."""
    game: str
    """The ID of its game."""
    number: int
    """The number of the game among those of the table."""
    round: int
    """The number of its round; 1 for a game without rounds."""
    cards: bool
    """Whether the seat's own cards are shown with the hand."""
    created_at: str
    shown: bool
    """Whether the link shows the hand now; at a table with a delay, it does once watchers have seen the hand."""


class OwnSharedHands(Answer):
    """The hands that a seat shares, the newest first."""

    hands: list[OwnSharedHand]
    last: int
    """The number of the last hand of the game that is over; 0 if none is."""
    rounds: bool
    """Whether a hand is a round; False for a game without rounds, which is one hand."""


class NewSharedHand(OwnSharedHand):
    """A hand that was just shared, with its link, which the server cannot show again."""

    link: str


class HandStep(Answer):
    """One event of a shared hand, in words, and the view after it."""

    record: EventRecord
    text: str
    view: Annotated[object, WithJsonSchema(any_of("view", _NONE))]


class SharedHandAnswer(Answer):
    """A shared hand: its events, at most 200 at once, and the hashes right before the hand and at its end."""

    table: str
    game: str
    """The ID of the game, with which its events are hashed."""
    number: int
    """The number of the game among those of the table."""
    kind: str
    title: str
    terms: list[str]
    options: dict[str, object]
    round: int | None
    """The number of the round; null for a game without rounds, which is one hand."""
    seat: int
    """The seat that shares it."""
    cards: bool
    """Whether that seat's own cards are shown."""
    names: list[str]
    """The names at the seats when the hand ended, from seat 1."""
    first: int
    """The number of the hand's first event."""
    last: int
    """The number of its last event."""
    before: Hash
    """The hash of the event before the hand; zeros if there is none."""
    head: Hash
    """The hash of the hand's last event."""
    steps: list[HandStep]


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
    """Advice for a seat, in lines; there are none if the game has no advice for this choice."""

    lines: list[str]
