"""The contract of a game: what a game must be, so that it can be played, stored and replayed.

A game's state changes in exactly one place, `State.apply`. At any moment exactly one of three holds: the dealer
must do something that nobody chooses (`State.dealer_event`), one seat must choose (`State.to_act`), or the game
is over (`State.outcome`). The service, the log, the program and the readers know games by this page alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from random import Random
from typing import Annotated, Any, ClassVar, Final, Protocol

from pydantic import AfterValidator, ConfigDict, Field

from pokersvc.core.books import Books, Mismatch, NoBooks
from pokersvc.core.chance import Entropy, EntropySource
from pokersvc.core.codec import EventCodec, EventTypes, Upcasters
from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.own import is_own
from pokersvc.core.record import Happened
from pokersvc.errors import InvalidValue, PokersvcError

HUMAN: Final = "human"
"""The kind of a seat whose choices come from a person; every other kind is a program's."""

MAX_NAME: Final = 20


class IllegalAction(PokersvcError):
    """An action that the rules do not allow now; the state is as it was.

    ``code`` is one of a closed list of each game's, ``str(error)`` says what would be legal.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]  # each refusal has its own


class HiddenCards(PokersvcError):
    """The dealer's next event depends on cards or a seed that this copy of the game does not hold.

    ``due`` are the types of which that event is one, as far as the game says so.
    """

    code = "hidden_cards"

    def __init__(self, *due: "type[Event]") -> None:
        super().__init__("This copy of the game lacks the dealer's secrets; it can be replayed, not gone on with.")
        self.due = due


class UnknownEngine(PokersvcError):
    """A game that was dealt by an engine that this program does not have."""

    code = "unknown_engine"


class InvalidAnswer(InvalidValue):
    """A typed answer that names no action."""

    code = "invalid_answer"


def check_name(name: str) -> str:
    """Return a player's name; raise `InvalidValue` unless it is 1 to 20 printable characters."""
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or name != name.strip():
        raise InvalidValue(
            f"The name {name!r} will not do: a name is 1 to {MAX_NAME} printable characters"
            " and neither starts nor ends with a space."
        )
    return name


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a seat: a name and a kind (`HUMAN` or the name of a program)."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid")

    kind: Annotated[str, Field(min_length=1)]
    name: Annotated[str, AfterValidator(check_name)]


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """Who sits at a seat, as a viewer may know it."""

    kind: str | None
    """None where it is hidden from the viewer."""
    name: str


def kind_seen(seat: Seat, number: int, viewer: Viewer, *, hidden: bool) -> str | None:
    """Return the kind of a seat by its number; where kinds are hidden, who is neither that seat nor an auditor: None.

    Whether they are is `Setup.hidden_kinds`, as long as the game is on.
    """
    return seat.kind if not hidden or viewer in (number, AUDITOR) else None


def seats_seen(seats: tuple[Seat, ...], viewer: Viewer, *, hidden: bool) -> tuple[SeatSeen, ...]:
    """Return who sits where, as the viewer may know it."""
    return tuple(
        [SeatSeen(kind_seen(seat, number, viewer, hidden=hidden), seat.name) for number, seat in enumerate(seats, 1)]
    )


def say_seats(seats: Iterable[Seat], *, hidden_kinds: bool) -> str:
    """Return who plays, and of which kind they are where that is no secret.

    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=False)
    'Ann (human), Bob (steady)'
    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=True)
    'Ann, Bob'
    """
    return ", ".join(seat.name if hidden_kinds else f"{seat.name} ({seat.kind})" for seat in seats)


def open_kinds(event: Event) -> Event:
    """Return an event as it is told to who may know of all kinds: an auditor, and everybody once the game is over."""
    return replace(event, hidden_kinds=False) if getattr(event, "hidden_kinds", False) else event  # type: ignore[type-var]  # every event is a dataclass


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game is started with. ``options`` are the game's own: the rules of a house, the size of a board.

    With ``hidden_kinds`` nobody who plays is told of which kind the others are while the game is on.
    """

    seats: tuple[Seat, ...]
    source: EntropySource
    rounds: int | None = None
    options: Mapping[str, Any] | None = None
    hidden_kinds: bool = False

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise InvalidValue(f"A game of {self.rounds} rounds cannot be played; rounds are 1 or more.")
        names: dict[str, str] = {}
        for seat in self.seats:
            check_name(seat.name)
            key = seat.name.casefold()
            if key in names:
                raise InvalidValue(
                    f"The names {names[key]!r} and {seat.name!r} are the same; every seat needs a name of its own."
                )
            names[key] = seat.name


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game's own on the command line: ``empty_capture`` is ``--empty-capture`` there.

    What is given reaches `Game.options` by its name, as a value of its type; a flag only where it is set. Whether the
    value will do is for the game to say.
    """

    name: str
    help: str
    of: type[int] | type[str] | type[bool] = int
    metavar: str | None = "N"


@dataclass(frozen=True, slots=True)
class Action:
    """Base of every choice a seat may make; an action carries its seat (from 1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """A person leaves for good, between rounds."""


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """A program that raised, took too long or answered illegally; only the service sends it."""

    code: str


FORFEIT_CODES: Final = ("illegal", "raised", "timeout")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: for each seat, from the first, its score and its rank (1 is best, equal scores share)."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]

    @classmethod
    def by_score(cls, scores: tuple[int, ...]) -> "Outcome":
        """Return the outcome in which more is better."""
        return cls(scores, tuple(1 + sum(other > score for other in scores) for score in scores))

    @classmethod
    def won_by(cls, winners: tuple[int, ...], scores: tuple[int, ...]) -> "Outcome":
        """Return the outcome in which these seats come first, whatever others have; among the others more is better.

        >>> Outcome.won_by((2,), (50, 40, 30)).ranks
        (2, 1, 3)
        """
        order = [(seat in winners, score) for seat, score in enumerate(scores, 1)]
        return cls(scores, tuple(1 + sum(other > own for other in order) for own in order))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's history: its number in the game and the facts it tells, plain JSON values.

    A line that is told ``again`` stands in the place of the one of its number (see `Game.opens_all`).
    """

    number: int
    facts: dict[str, Any]
    again: bool = False


@dataclass(frozen=True, slots=True)
class House:
    """Rules that have a name: a game is started with them by the option ``rules``.

    ``text`` is TOML with comments; saved in a file, whole or changed, it is rules of one's own.
    """

    name: str
    summary: str
    text: str


class State(Protocol):
    """A game in progress. Every method but `apply` leaves it as it was."""

    record: Happened[Event]
    """Its events after the first: `apply` adds each of them, and every view tells what its viewer has seen of them."""

    def dealer_event(self, entropy: Entropy) -> Event | None:
        """Return the one next event that nobody chooses, or None when a seat must choose or the game is over.

        `HiddenCards` where that depends on secrets that this copy lacks; it names the types that the event may be of.
        """
        ...

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        ...

    @property
    def pausing(self) -> bool:
        """Whether the game is between two rounds and a person may `Leave`, although the dealer is to act."""
        ...

    def playing(self, seat: int) -> bool:
        """Tell whether the seat may still have to choose, now or later in the game."""
        ...

    def legal(self, seat: int) -> Any:
        """Return what the seat may choose now (the game's own ``LegalActions``); `IllegalAction` if not its turn."""
        ...

    def decide(self, action: Any) -> Event:
        """Return the event of an action, or raise `IllegalAction`."""
        ...

    def apply(self, event: Any) -> None:
        """Change the state by an event that was recorded; the only place where state changes."""
        ...

    def view(self, viewer: Viewer) -> Any:
        """Return what the viewer may know, all of that and nothing more: an immutable value of the game's own.

        Its ``record`` is what the viewer has `Seen` of the events. So of two games that a viewer can tell apart the
        views differ, as far as the record goes back.
        """
        ...

    def entry(self, event: Any, viewer: Viewer) -> Entry | None:
        """Return the line of history that the event, the last applied, completed, as the viewer may know it."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once it is over."""
        ...


class Player(Protocol):
    """A program that fills a seat."""

    def choose(self, view: Any, legal: Any, random: Random) -> Action:
        """Return the action for a seat's view and legal actions; all chance comes from ``random``."""
        ...


class Words(Protocol):
    """How a game is told to people and understood from them: plain text, no terminal codes.

    A game's words are a subclass, so that what most games do not say has a default here.
    """

    def title(self, facts: Mapping[str, Any]) -> str:
        """Return what is played: the game, its house or its size, as `Game.facts` says it."""
        ...

    def tell(self, event: Any, state: Any) -> str:
        """Return an event, as redacted for the viewer, in a sentence; ``state`` is the one after it."""
        ...

    def show(self, view: Any) -> list[str]:
        """Return where the game stands, line by line."""
        ...

    def ask(self, view: Any, legal: Any) -> str:
        """Return the question to the person whose turn it is, with the answers that are possible."""
        ...

    def explain(self, text: str, view: Any, legal: Any) -> list[str] | None:
        """Return what a person asks to see before choosing, line by line; None where the text asks for nothing."""
        ...

    def before_round(self, view: Any, seat: int) -> list[str]:
        """Return what a person has to know before the next round, as they will not be asked: nothing in most games.

        ``view`` is everyone's, before the first round or between two.
        """
        return []

    def read(self, text: str, view: Any, legal: Any) -> Action:
        """Return the action that a typed answer names; `InvalidAnswer` says what would be understood."""
        ...

    def line(self, entry: Entry) -> str:
        """Return one line of the history, such as ``Round 1 -- Player2 won 210``."""
        ...

    def details(self, entry: Entry) -> list[str]:
        """Return what `line` leaves out: the hands, or nothing."""
        ...

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, such as ``Winner is Player2 balance $1980``."""
        ...

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the score of each seat, such as final balances, line by line."""
        ...


class Game(ABC):
    """A game that can be played: one instance of one subclass, named in the registry."""

    kind: ClassVar[str]
    """The name in the log and on the command line."""
    engine: ClassVar[int] = 1
    """The number of the rules and of the dealing by which games are started now; those from 1 on are known as well.

    A change of what the dealer does or of what is allowed is a new number: stored games keep theirs.
    """
    event_types: ClassVar[EventTypes]
    start_event: ClassVar[type[Event]]
    """The event that starts a game, the first of its log."""
    upcasters: ClassVar[Upcasters] = {}
    actions: ClassVar[tuple[type[Action], ...]]
    """What a program may choose."""
    players: ClassVar[Mapping[str, Callable[[], Player]]]
    """Kinds of programs that may fill a seat."""
    words: ClassVar[Words]
    hides: ClassVar[bool] = True
    """Whether a seat may know what another must not see; if not, people share a screen as they share a board."""
    own_options: ClassVar[tuple[Option, ...]] = ()
    """Options of the command line that this game has beside those of every game."""

    unit: ClassVar[str] = "points"
    """What a seat's gain in a tournament counts."""
    round_unit: ClassVar[str | None] = None
    """What a round is called, where gains are told for each round too, as chips per ``hand``."""
    tournament_rounds: ClassVar[int | None] = None
    """How many rounds a game of a tournament has where nobody says; None: as in any game."""
    rated: ClassVar[bool] = False
    """Whether a game is won or lost: only then tournaments tell ratings, which know ranks and no amounts."""

    def gains(self, started: Any, outcome: Outcome) -> tuple[int, ...]:
        """Return what a game brought each seat, from the first: what tournaments take the mean of."""
        return outcome.scores

    @cached_property
    def codec(self) -> EventCodec:
        """What writes and reads this game's events."""
        return EventCodec(self.event_types, self.upcasters)

    @abstractmethod
    def options(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the game's own options, checked and whole, from those given; `InvalidValue` names a wrong one."""

    def houses(self) -> tuple[House, ...]:
        """Return the houses that the game comes with, by name; none where there is one way to play it."""
        return ()

    @abstractmethod
    def default_seats(self, options: Mapping[str, Any]) -> int:
        """Return how many seats are filled where nobody says."""

    @abstractmethod
    def default_kind(self, options: Mapping[str, Any]) -> str:
        """Return the kind of program that fills a seat where nobody says."""

    def seated(self, seats: tuple[Seat, ...], options: Mapping[str, Any]) -> tuple[Seat, ...]:
        """Return the seats as the options have them: with kinds that say how much a program may think."""
        return seats

    def tournament_kind(self, kind: str) -> str:
        """Return the kind as which a program plays a tournament: bounded by work, so that a seed plays it again."""
        return kind

    @abstractmethod
    def start(self, setup: Setup) -> Event:
        """Return the event that starts a game; `InvalidValue` says what in the setup will not do."""

    @abstractmethod
    def new(self, started: Any) -> State:
        """Return the state after the event that starts a game, its first."""

    @abstractmethod
    def seats(self, started: Any) -> tuple[Seat, ...]:
        """Return who plays."""

    @abstractmethod
    def source(self, started: Any) -> EntropySource | None:
        """Return the dealer's secret of a started game, None where it was withheld."""

    def facts(self, started: Any) -> dict[str, Any]:
        """Return what is played, as plain JSON values that lists store; `Words.title` makes words of them."""
        return {}

    def opens_all(self, started: Any) -> bool:
        """Tell whether everything hidden lies open once the game is over, so that all viewers have one history."""
        return False

    # What auditors ask of a game.

    dealt: ClassVar[frozenset[type[Event]]] = frozenset()
    """The dealer's events that say what chance gave."""

    @abstractmethod
    def action_of(self, event: Any) -> Action | None:
        """Return the action whose event this is, the inverse of `State.decide`; None for an event of the dealer's."""

    @abstractmethod
    def seed_of(self, event: Any) -> bytes | None:
        """Return the seed that an event recorded, None for one that records none."""

    seeded: ClassVar[frozenset[type[Event]]] = frozenset()
    """The events whose secret is the seed of a deck and nothing else: no two have the same."""

    def fits(self, state: Any, event: Any) -> bool:
        """Tell whether an event whose content is not known to be right can be applied: its seats and counts can be.

        Where an event is of a type that is due, `State.apply` takes what fits, whatever else it says.
        """
        return True

    def contradictions(self, started: Any) -> Iterator[Mismatch]:
        """Yield what the event that starts a game says that none can say."""
        yield from ()

    def unplayable(self, started: Any) -> Iterator[Mismatch]:
        """Yield by what in the event that starts a game no game can be played today.

        An earlier version may have played by it, so this is asked only where following the game fails.
        """
        yield from ()

    def wrong_engine(self, engine: int) -> Iterator[Mismatch]:
        """Yield that the number of an engine is none that this program has."""
        if not 1 <= engine <= self.engine:
            yield Mismatch(f"engine {engine}", f"one that this program knows, 1 to {self.engine}")

    def check_engine(self, engine: int) -> None:
        """Raise `UnknownEngine` for a number that this program does not have."""
        for _ in self.wrong_engine(engine):
            raise UnknownEngine(
                f"The game was started by engine {engine} of {self.kind!r}, and this program knows 1 to {self.engine};"
                " a newer pokersvc may be able to read it."
            )

    def books(self, started: Any) -> Books:
        """Return the books before the first event after the start; empty ones where the game counts nothing."""
        return NoBooks()

    def check_kinds(self, seats: tuple[Seat, ...]) -> None:
        """Raise `InvalidValue` for a seat of a kind that this game does not know and that is no player of one's own."""
        for seat in seats:
            if seat.kind != HUMAN and seat.kind not in self.players and not is_own(seat.kind):
                known = ", ".join([HUMAN, *sorted(self.players)])
                raise InvalidValue(
                    f"{seat.name} cannot be played by {seat.kind!r}; kinds of players are {known},"
                    " and FILE.py:CLASS for one of your own."
                )


class UnknownGameKind(InvalidValue):
    """A kind of game that is not in the registry."""

    code = "unknown_game_kind"


_REGISTRY: Final[dict[str, str | Game]] = {
    "draw": "pokersvc.games.draw_poker:DRAW_POKER",
    "market": "pokersvc.games.poker_market:POKER_MARKET",
    "kalah": "pokersvc.games.kalah:KALAH",
}
"""Kind of game → where it is; a game is imported when it is first asked for."""


def register(game: Game) -> None:
    """Add a game to the registry, so that the service and the program know it."""
    _REGISTRY[game.kind] = game


def game_kinds() -> list[str]:
    """Return the kinds of the games there are."""
    return list(_REGISTRY)


def game_of(kind: str) -> Game:
    """Return the game of a kind; `UnknownGameKind` if there is none."""
    found = _REGISTRY.get(kind)
    if found is None:
        raise UnknownGameKind(f"There is no game {kind!r}; the games are {', '.join(_REGISTRY)}.")
    if isinstance(found, str):
        module, _, name = found.partition(":")
        found = _REGISTRY[kind] = getattr(import_module(module), name)
        assert isinstance(found, Game)
    return found
