"""Sealed numbers as a game of the service: its events, its state, its words and its programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Final, Literal

from pydantic import Field

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.bots.learning import ActionList, NumberedGame
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Forfeited, Number, PlayerLeft, Started
from pokersvc.core.event import AUDITOR, Audience, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.record import Seen
from pokersvc.core.seated import SeatedState
from pokersvc.core.seats import Seat, SeatSeen
from pokersvc.core.setup import Options, Setup
from pokersvc.core.state import Entry, Outcome, WithheldSecrets
from pokersvc.core.words import InvalidAnswer, Words
from pokersvc.errors import InvalidValue
from pokersvc.text import does

MOST: Final = 5
NOTHING: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    game: Literal["sealed"]
    rounds: Number


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    round: Number


@dataclass(frozen=True, slots=True)
class NumberSealed(Event):
    number: Annotated[Number | None, Audience.SEAT]
    seat: Number


@dataclass(frozen=True, slots=True)
class NumbersRevealed(Event):
    numbers: tuple[Annotated[int, Field(ge=0)], ...]
    round: Number


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    scores: tuple[Annotated[int, Field(ge=0)], ...]


EVENT_TYPES: Final[EventTypes] = {
    ("GameStarted", 1): GameStarted,
    ("RoundStarted", 1): RoundStarted,
    ("NumberSealed", 1): NumberSealed,
    ("NumbersRevealed", 1): NumbersRevealed,
    ("Forfeited", 1): Forfeited,
    ("PlayerLeft", 1): PlayerLeft,
    ("GameEnded", 1): GameEnded,
}


@dataclass(frozen=True, slots=True)
class Pick(Action):
    number: int


@dataclass(frozen=True, slots=True)
class SealedView:
    awaited: tuple[int, ...]
    numbers: tuple[int | None, ...]
    """Each seat's number in this round; None if it is hidden, or not picked yet."""
    record: Seen[Event]
    round: int
    scores: tuple[int, ...]
    seats: tuple[SeatSeen, ...]
    viewer: Viewer


@dataclass(slots=True)
class SealedState(SeatedState[SealedView, range]):
    started: GameStarted = field(repr=False)
    scores: list[int] = field(init=False)
    seated: list[int] = field(init=False)
    round: int = 0
    on: bool = False
    picked: dict[int, int | None] = field(default_factory=dict)
    ended: bool = False

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.seats)
        self.seated = list(range(1, len(self.seats) + 1))

    @property
    def awaited(self) -> tuple[int, ...]:
        return tuple([seat for seat in self.seated if seat not in self.picked]) if self.on else ()

    @property
    def finished(self) -> bool:
        return not self.on and (self.round == self.started.rounds or len(self.seated) < 2)

    @property
    def pausing(self) -> bool:
        return not self.on and self.round > 0 and not self.finished and bool({*self.people} & {*self.seated})

    def playing(self, seat: int) -> bool:
        return seat in self.seated and not self.ended

    def dealer_event(self, entropy: Entropy) -> Event | None:
        if self.ended or self.awaited:
            return None
        if self.finished:
            return GameEnded(tuple(self.scores))
        if not self.on:
            return RoundStarted(self.round + 1)
        numbers = [self.picked.get(seat, NOTHING) for seat in range(1, len(self.seats) + 1)]
        known = tuple([number for number in numbers if number is not None])
        if len(known) < len(numbers):
            raise WithheldSecrets(NumbersRevealed)
        return NumbersRevealed(known, self.round)

    def legal(self, seat: int) -> range:
        self.check_awaited(seat)
        return range(1, MOST + 1)

    def choice(self, action: Action) -> Event:
        if not isinstance(action, Pick):
            raise self.unknown(action)
        if type(action.number) is not int or action.number not in self.legal(action.seat):
            raise IllegalAction("illegal_number", f"A number is 1 to {MOST}, not {action.number!r}.")
        return NumberSealed(action.number, action.seat)

    def change(self, event: Event) -> None:
        match event:
            case RoundStarted():
                if self.round:
                    self.record.turn()
                self.round, self.on, self.picked = event.round, True, {}
            case NumberSealed():
                self.picked[event.seat] = event.number
            case Forfeited():
                self.picked[event.seat] = NOTHING
            case NumbersRevealed():
                self.on = False
                self.picked = dict(enumerate(event.numbers, 1))
                best = max((number for number in event.numbers if event.numbers.count(number) == 1), default=NOTHING)
                for seat, number in enumerate(event.numbers):
                    self.scores[seat] += best if number == best else 0
            case PlayerLeft():
                self.seated.remove(event.seat)
            case GameEnded():
                self.ended = True

    def view(self, viewer: Viewer) -> SealedView:
        seats = range(1, len(self.seats) + 1)
        numbers = [self.picked.get(seat) if not self.on or viewer in (seat, AUDITOR) else None for seat in seats]
        return SealedView(
            self.awaited,
            tuple(numbers),
            self.record.seen(viewer),
            self.round,
            tuple(self.scores),
            self.seats_seen(viewer),
            viewer,
        )

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        if not isinstance(event, NumbersRevealed):
            return None
        return Entry(event.round, {"numbers": list(event.numbers)})

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.by_score(tuple(self.scores)) if self.ended else None


class HighPlayer:
    """A bot that picks the highest number."""

    def choose(self, view: SealedView, legal: range, random: Random) -> Action:
        assert isinstance(view.viewer, int)
        return Pick(view.viewer, legal[-1])


class RandomPlayer:
    """A bot that picks a random number."""

    def choose(self, view: SealedView, legal: range, random: Random) -> Action:
        assert isinstance(view.viewer, int)
        return Pick(view.viewer, random.choice(legal))


class SealedWords(Words[GameStarted, SealedState, SealedView, range]):
    def title(self, facts: Mapping[str, object]) -> str:
        return "Sealed numbers"

    def tell(self, event: Event, state: SealedState) -> str:
        match event:
            case NumberSealed():
                picked = "a number" if event.number is None else str(event.number)
                return f"{does(state.seats[event.seat - 1].name, 'seals')} {picked}"
            case NumbersRevealed():
                return f"Revealed: {' '.join(map(str, event.numbers))}"
            case _:
                return type(event).__name__

    def show(self, view: SealedView) -> list[str]:
        return [f"Round {view.round}: {' '.join('?' if number is None else str(number) for number in view.numbers)}"]

    def ask(self, view: SealedView, legal: range) -> str:
        return f"A number, {legal[0]} to {legal[-1]}"

    def explain(self, text: str, view: SealedView, legal: range) -> list[str] | None:
        return None

    def read(self, text: str, view: SealedView, legal: range) -> Action:
        assert isinstance(view.viewer, int)
        if not text.isdecimal():
            raise InvalidAnswer(f"{text!r} is no number.")
        return Pick(view.viewer, int(text))

    def line(self, entry: Entry) -> str:
        return f"Round {entry.number} -- {' '.join(map(str, entry.facts['numbers']))}"

    def details(self, entry: Entry) -> list[str]:
        return []

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        return f"Winner: {' and '.join(seats[seat - 1].name for seat in outcome.winners)}"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        return [f"{does(seat.name, 'has')} {score}" for seat, score in zip(seats, scores, strict=True)]


class SealedNumbers(ActionList[SealedView, range]):
    """The numbers to pick, the lowest first."""

    names = tuple([f"pick {number}" for number in range(1, MOST + 1)])

    def legal(self, view: SealedView, legal: range) -> list[int]:
        return [number - 1 for number in legal]

    def action(self, number: int, view: SealedView, legal: range) -> Action:
        assert isinstance(view.viewer, int)
        return Pick(view.viewer, number + 1)


class Sealed(Game[GameStarted, SealedState, SealedView, range]):
    kind = "sealed"
    event_types = EVENT_TYPES
    start_event = GameStarted
    actions = (Pick,)
    players = {"high": HighPlayer, "random": RandomPlayer}  # noqa: RUF012 - as the contract declares it
    words = SealedWords()

    def options(self, given: Options) -> Options:
        if given:
            raise InvalidValue("Sealed numbers has no options.")
        return {}

    def default_seats(self, options: Options) -> int:
        return 2

    def default_kind(self, options: Options) -> str:
        return "random"

    def in_numbers(self, started: GameStarted, given: Options) -> NumberedGame[SealedView, range]:
        return NumberedGame(SealedNumbers())

    def start(self, setup: Setup) -> GameStarted:
        self.check_kinds(setup.seats)
        return GameStarted(**self.started_as(setup), game="sealed", rounds=setup.rounds or 3)

    def begin(self, started: GameStarted) -> SealedState:
        return SealedState(started)

    def action_of(self, event: Event) -> Action | None:
        if isinstance(event, NumberSealed):
            return Pick(event.seat, event.number)  # type: ignore[arg-type]  # withheld in the copies that others have
        return super().action_of(event)


SEALED = Sealed()
