"""The facet of a game that defines its events, its start, and the actions behind the events."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Generic

from pokersvc.core.actions import Action, BetweenRounds, CloseGame, Forfeit, ForgoRound, Leave, ServiceAction
from pokersvc.core.books import Mismatch
from pokersvc.core.codec import EventCodec, EventTypes, Upcasters
from pokersvc.core.common_events import Forfeited, GameClosed, PlayerLeft, RoundForgone, StartedAs
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Options, Setup
from pokersvc.core.state import StateT
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from pokersvc.core.typevars import StartT
from pokersvc.core.version import __version__
from pokersvc.errors import InvalidValue, PokersvcError


class UnknownEngine(PokersvcError):
    """A game that was dealt by an engine that this version of pokersvc does not have."""

    code = "unknown_engine"


class Rules(ABC, Generic[StartT, StateT]):
    """Everything that is needed to start a game, to read its events and to replay it."""

    kind: ClassVar[str]
    """The game's name in the log and on the command line."""
    engine: ClassVar[int] = 1
    """The version of rules and dealing that new games use; games of all versions from 1 on can be replayed.

    Any change of what the dealer does or of what is allowed gets a new number; stored games keep theirs.
    """
    event_types: ClassVar[EventTypes]
    """(stored name, version) → the dataclass of the event; old versions too."""
    upcasters: ClassVar[Upcasters] = {}
    """The dataclass of an old version → the function that converts its events to the next version."""
    start_event: type[StartT]
    """The event that starts a game, the first of its log."""
    actions: ClassVar[tuple[type[Action], ...]]
    """The types of actions that a bot may choose."""
    between_rounds: ClassVar[tuple[type[BetweenRounds], ...]] = ()
    """The actions, besides `Leave`, that a person may take between two rounds (`State.pausing`)."""

    reseating: ClassVar[frozenset[type[Event]]] = frozenset()
    """The types of events after which somebody else may sit at a seat (`State.seats_now`)."""

    dealt_together: ClassVar[bool] = False
    """Whether the dealer and the seats of a table can shuffle together.

    If so, `State.deals_to` says when the next shuffle comes, and the game takes its seeds from the `Entropy` and
    accepts `ForgoRound`."""

    @cached_property
    def codec(self) -> EventCodec:
        """The codec of the game's and the table's events; a stored name that both use means the game's event."""
        own = {name for name, _ in self.event_types}
        at_table = {key: event for key, event in TABLE_EVENT_TYPES.items() if key[0] not in own}
        return EventCodec({**at_table, **self.event_types}, self.upcasters)

    @abstractmethod
    def start(self, setup: Setup) -> StartT:
        """Return the event that starts a game; raise `InvalidValue` if something in the setup is wrong."""

    def started_as(self, setup: Setup) -> StartedAs:
        """Return the fields of the start event that every game takes from the setup; `start` adds the game's own."""
        return {
            "engine": self.engine,
            "entropy": setup.source,
            "hidden_kinds": setup.hidden_kinds,
            "program": __version__,
            "reproducible": self.reproducible(setup),
            "seats": setup.seats,
        }

    def under_name(self, action: Action, name: str | None) -> Action:
        """Fill ``name`` into an action that joins the game without a name; return any other action unchanged."""
        return action

    def name_of(self, action: Action) -> str | None:
        """Return the name with which a person joins the game by an action; None for an action without a name."""
        return None

    def change_of_stakes(self, state: StateT, given: Options, seat: int = 0) -> ServiceAction:
        """Return the action with which a host changes the stakes between two rounds, such as ``{"blinds": "5/10"}``.

        ``seat`` is the host's, 0 for a host without one. Raise `InvalidValue` for options that cannot be read, and in
        games without stakes.
        """
        raise InvalidValue(f"A game of {self.kind!r} has no stakes that could change.")

    def answer_to_purchase(self, state: StateT, seat: int, *, admits: bool, by: int = 0) -> ServiceAction:
        """Return the action with which a host admits or refuses the purchase that a seat has asked for.

        ``by`` is the host's seat, 0 for a host without one. Raise `InvalidValue` in games without purchases.
        """
        raise InvalidValue(f"Nobody buys anything in a game of {self.kind!r}.")

    def left_by(self, event: Event) -> int | None:
        """Return the seat whose person has left the game by an event; None for any other event.

        A game overrides this if people can leave it by events other than that of `Leave`.
        """
        action = self.action_of(event)
        return action.seat if isinstance(action, Leave) else None

    def reproducible(self, setup: Setup) -> bool:
        """Return whether the same setup always gives the same game."""
        return setup.source.text is not None

    def new(self, started: StartT) -> StateT:
        """Return the state after the start event of a game; raise `UnknownEngine` if its engine is unknown."""
        self.check_engine(started.engine)
        return self.begin(started)

    @abstractmethod
    def begin(self, started: StartT) -> StateT:
        """Return the state after the start event; `new` has already checked the engine."""

    def seats(self, started: StartT) -> tuple[Seat, ...]:
        """Return the seats at the start: the players' names and kinds."""
        return started.seats

    def places(self, started: StartT) -> tuple[int, ...]:
        """Return the seat numbers that people see, in seat order: from 1, unless the table numbers them otherwise."""
        return tuple(range(1, len(started.seats) + 1))

    def source(self, started: StartT) -> EntropySource | None:
        """Return the dealer's secret of a started game; None if it was withheld."""
        return started.entropy

    def action_of(self, event: Event) -> Action | None:
        """Return the action that an event came from, the inverse of `State.decide`; None for an event of the dealer.

        A game overrides this to add its own actions.
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
        """Return facts about the game, such as its house or size, as JSON values for lists; see `Words.title`."""
        return {}

    def opens_all(self, started: StartT) -> bool:
        """Return whether all secrets are shown after the game, so that all viewers then have the same history."""
        return False

    def wrong_engine(self, engine: int) -> Iterator[Mismatch]:
        """Yield a contradiction if this version of pokersvc does not have the engine."""
        if not 1 <= engine <= self.engine:
            yield Mismatch(f"engine {engine}", f"one that this pokersvc knows, 1 to {self.engine}")

    def check_engine(self, engine: int) -> None:
        """Raise `UnknownEngine` for an engine that this version of pokersvc does not have."""
        for _ in self.wrong_engine(engine):
            raise UnknownEngine(
                f"The game was started by engine {engine} of {self.kind!r}, but this pokersvc knows 1 to {self.engine};"
                " a newer one may be able to read it."
            )
