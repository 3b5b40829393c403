"""What a game is by its rules: its events, how it starts, and the actions that its events came from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Generic

from pokersvc.core.actions import Action, BetweenRounds, CloseGame, Forfeit, ForgoRound, Leave
from pokersvc.core.books import Mismatch
from pokersvc.core.codec import EventCodec, EventTypes, Upcasters
from pokersvc.core.common_events import Forfeited, GameClosed, PlayerLeft, RoundForgone, StartedAs
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import StateT
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from pokersvc.core.typevars import StartT
from pokersvc.core.version import __version__
from pokersvc.errors import PokersvcError


class UnknownEngine(PokersvcError):
    """A game that was dealt by an engine that this version of pokersvc does not have."""

    code = "unknown_engine"


class Rules(ABC, Generic[StartT, StateT]):
    """What is needed to start a game, to read its events and to replay it."""

    kind: ClassVar[str]
    """The name in the log and on the command line."""
    engine: ClassVar[int] = 1
    """The number of the rules and of the dealing by which games are started now; those from 1 on are known as well.

    A change of what the dealer does or of what is allowed is a new number: stored games keep theirs.
    """
    event_types: ClassVar[EventTypes]
    """The name and the version of a type, as they are stored → its dataclass; old versions too."""
    upcasters: ClassVar[Upcasters] = {}
    """The dataclass of an old version → what makes the next version's event of it."""
    start_event: type[StartT]
    """The event that starts a game, the first of its log."""
    actions: ClassVar[tuple[type[Action], ...]]
    """What a bot may choose."""
    between_rounds: ClassVar[tuple[type[BetweenRounds], ...]] = ()
    """What a person may do between two rounds beside to `Leave`, while the game is `State.pausing`."""

    reseating: ClassVar[frozenset[type[Event]]] = frozenset()
    """The types of events after which somebody else may sit at a seat (`State.seats_now`)."""

    dealt_together: ClassVar[bool] = False
    """Whether the seats of a table can shuffle together: `State.deals_to` says when the next shuffle comes, the game
    takes its seed from the `Entropy`, and lets a seat `ForgoRound`."""

    @cached_property
    def codec(self) -> EventCodec:
        """What writes and reads this game's events, and those at its table where the game has none of that name."""
        own = {name for name, _ in self.event_types}
        at_table = {key: event for key, event in TABLE_EVENT_TYPES.items() if key[0] not in own}
        return EventCodec({**at_table, **self.event_types}, self.upcasters)

    @abstractmethod
    def start(self, setup: Setup) -> StartT:
        """Return the event that starts a game; `InvalidValue` names what is wrong in the setup."""

    def started_as(self, setup: Setup) -> StartedAs:
        """Return the fields of the start that follow from the setup; a game's own `start` adds the others."""
        return {
            "engine": self.engine,
            "entropy": setup.source,
            "hidden_kinds": setup.hidden_kinds,
            "program": __version__,
            "reproducible": self.reproducible(setup),
            "seats": setup.seats,
        }

    def under_name(self, action: Action, name: str | None) -> Action:
        """Return how a person comes into the game who said their name elsewhere; any other action as it is."""
        return action

    def name_of(self, action: Action) -> str | None:
        """Return the name under which an action lets somebody come into the game; None where it names nobody."""
        return None

    def reproducible(self, setup: Setup) -> bool:
        """Tell whether the same setup gives the same game again."""
        return setup.source.text is not None

    def new(self, started: StartT) -> StateT:
        """Return the state after the event that starts a game, its first; `UnknownEngine` says that it cannot."""
        self.check_engine(started.engine)
        return self.begin(started)

    @abstractmethod
    def begin(self, started: StartT) -> StateT:
        """Return the state after the event that starts a game by an engine that is known."""

    def seats(self, started: StartT) -> tuple[Seat, ...]:
        """Return who plays."""
        return started.seats

    def places(self, started: StartT) -> tuple[int, ...]:
        """Return the numbers by which people know the seats, from seat 1, where a table does not count them from 1."""
        return tuple(range(1, len(started.seats) + 1))

    def source(self, started: StartT) -> EntropySource | None:
        """Return the dealer's secret of a started game, None where it was withheld."""
        return started.entropy

    def action_of(self, event: Event) -> Action | None:
        """Return the action whose event this is, the inverse of `State.decide`; None for an event of the dealer's.

        A game adds its own actions to these.
        """
        match event:
            case Forfeited():
                return Forfeit(event.seat, event.code)
            case PlayerLeft():
                return Leave(event.seat)
            case RoundForgone():
                return ForgoRound(event.seat)
            case GameClosed():
                return CloseGame()
            case _:
                return None

    def facts(self, started: StartT) -> dict[str, object]:
        """Return what is played, as plain JSON values that lists store; `Words.title` makes words of them."""
        return {}

    def opens_all(self, started: StartT) -> bool:
        """Tell whether everything hidden is shown once the game is over, so that all viewers have one history."""
        return False

    def wrong_engine(self, engine: int) -> Iterator[Mismatch]:
        """Yield a contradiction if this version of pokersvc does not have the engine."""
        if not 1 <= engine <= self.engine:
            yield Mismatch(f"engine {engine}", f"one that this pokersvc knows, 1 to {self.engine}")

    def check_engine(self, engine: int) -> None:
        """Raise `UnknownEngine` for an engine that this version of pokersvc does not have."""
        for _ in self.wrong_engine(engine):
            raise UnknownEngine(
                f"The game was started by engine {engine} of {self.kind!r}, and this pokersvc knows 1 to {self.engine};"
                " a newer one may be able to read it."
            )
