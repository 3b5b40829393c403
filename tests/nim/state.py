"""The state of a game of Nim, the legal actions, and the views."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.common_events import Forfeited, PlayerLeft
from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.randomness.stream import Stream
from pokersvc.core.record import Seen
from pokersvc.core.seated import SeatedState
from pokersvc.core.seats import SeatSeen
from pokersvc.core.state import Entry, Outcome, WithheldSecrets

from . import events

MOST_STONES: Final = 7
FOR_THE_LAST_STONE: Final = 2


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Take stones from one pile."""

    pile: int
    stones: int


class LegalActions(NamedTuple):
    """The maximum number of stones that may be taken from each pile; the minimum is one."""

    most: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NimView:
    """The table as a viewer sees it; a favourite that is hidden or not named yet is None."""

    favourites: tuple[int | None, ...]
    piles: tuple[int, ...]
    record: Seen[Event]
    round: int
    rounds: int
    scores: tuple[int, ...]
    seats: tuple[SeatSeen, ...]
    to_act: int | None
    viewer: Viewer


@dataclass(slots=True)
class NimState(SeatedState[NimView, LegalActions]):
    """A game of Nim in progress."""

    started: events.GameStarted = field(repr=False)
    scores: list[int] = field(init=False)
    seated: list[int] = field(init=False)
    round: int = 0
    on: bool = False
    """Whether a round is being played."""
    seed: bytes | None = None
    piles: list[int] = field(default_factory=list)
    unnamed: list[int] = field(default_factory=list)
    """Seats that have not been told their favourite pile yet."""
    favourites: dict[int, int | None] = field(default_factory=dict)
    emptied: dict[int, int] = field(default_factory=dict)
    """Pile → the seat that took its last stone."""
    line: list[int] = field(default_factory=list)
    """The seats still in the round, the one on turn first."""
    ended: bool = False

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.seats)
        self.seated = list(range(1, len(self.seats) + 1))

    @property
    def decided(self) -> bool:
        """Whether the round has a winner: no stones are left, or only one seat is left."""
        return self.on and not self.unnamed and (not sum(self.piles) or len(self.line) == 1)

    @property
    def finished(self) -> bool:
        return not self.on and (self.round == self.started.rounds or len(self.seated) < 2)

    @property
    def awaited(self) -> tuple[int, ...]:
        return (self.line[0],) if self.on and not self.unnamed and not self.decided else ()

    @property
    def pausing(self) -> bool:
        return not self.on and self.round > 0 and bool({*self.people} & {*self.seated}) and not self.finished

    def playing(self, seat: int) -> bool:
        return seat in self.seated and not self.ended

    def dealer_event(self, entropy: Entropy) -> Event | None:
        if self.ended or self.awaited:
            return None
        if self.finished:
            return events.GameEnded(tuple(self.scores))
        if not self.on:
            seed = entropy.seed(self.round + 1)
            stream = Stream(seed, "piles")
            piles = tuple(1 + stream.below(MOST_STONES) for _ in range(self.started.piles))
            return events.PilesLaid(piles, self.round + 1, seed)
        if self.unnamed:
            if self.seed is None:
                raise WithheldSecrets(events.FavouriteNamed)
            seat = self.unnamed[0]
            return events.FavouriteNamed(1 + Stream(self.seed, f"favourite/{seat}").below(self.started.piles), seat)
        return events.RoundEnded(tuple(map(self._points, range(1, len(self.seats) + 1))), self.round)

    def _points(self, seat: int) -> int:
        winner = self.line[-1]
        favourite = self.favourites.get(seat)
        if favourite is None and seat in self.favourites:
            raise WithheldSecrets(events.RoundEnded)
        emptied = favourite is not None and self.emptied.get(favourite) == seat
        return FOR_THE_LAST_STONE * (seat == winner) + emptied

    def legal(self, seat: int) -> LegalActions:
        self.check_awaited(seat)
        return LegalActions(tuple(self.piles))

    def choice(self, action: Action) -> Event:
        if not isinstance(action, Take):
            raise self.unknown(action)
        most = self.legal(action.seat).most
        if type(action.pile) is not int or not 1 <= action.pile <= len(most):
            raise IllegalAction("no_such_pile", f"There is no pile {action.pile!r}; piles are 1 to {len(most)}.")
        if type(action.stones) is not int or not 1 <= action.stones <= most[action.pile - 1]:
            raise IllegalAction("illegal_count", f"Pile {action.pile} gives 1 to {most[action.pile - 1]} stones.")
        return events.StonesTaken(action.pile, action.seat, action.stones)

    def change(self, event: Event) -> None:
        if isinstance(event, events.PilesLaid) and self.round:
            self.record.turn()
        _CHANGE[type(event)](self, event)

    def _piles_laid(self, event: events.PilesLaid) -> None:
        self.round, self.on, self.seed = event.round, True, event.seed
        self.piles = list(event.piles)
        self.unnamed = list(self.seated)
        self.favourites, self.emptied = {}, {}
        opener = (event.round - 1) % len(self.seated)
        self.line = self.seated[opener:] + self.seated[:opener]

    def _favourite_named(self, event: events.FavouriteNamed) -> None:
        self.unnamed.remove(event.seat)
        self.favourites[event.seat] = event.pile

    def _stones_taken(self, event: events.StonesTaken) -> None:
        self.piles[event.pile - 1] -= event.stones
        if not self.piles[event.pile - 1]:
            self.emptied[event.pile] = event.seat
        self.line.append(self.line.pop(0))

    def _forfeited(self, event: Forfeited) -> None:
        self.line.remove(event.seat)

    def _player_left(self, event: PlayerLeft) -> None:
        self.seated.remove(event.seat)

    def _round_ended(self, event: events.RoundEnded) -> None:
        self.on = False
        self.scores = [score + points for score, points in zip(self.scores, event.points, strict=True)]

    def _game_ended(self, _event: events.GameEnded) -> None:
        self.ended = True

    def view(self, viewer: Viewer) -> NimView:
        return NimView(
            favourites=self._favourites_seen(viewer),
            piles=tuple(self.piles),
            record=self.record.seen(viewer),
            round=self.round,
            rounds=self.started.rounds,
            scores=tuple(self.scores),
            seats=self.seats_seen(viewer),
            to_act=self.to_act,
            viewer=viewer,
        )

    def _favourites_seen(self, viewer: Viewer) -> tuple[int | None, ...]:
        seats = range(1, len(self.seats) + 1)
        return tuple(self.favourites.get(seat) if viewer in (seat, AUDITOR) else None for seat in seats)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        if not isinstance(event, events.RoundEnded):
            return None
        favourites = self._favourites_seen(viewer)
        players = [
            {"favourite": favourite, "name": seat.name, "points": points}
            for seat, points, favourite in zip(self.seats, event.points, favourites, strict=True)
        ]
        return Entry(event.round, {"players": players})

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.by_score(tuple(self.scores)) if self.ended else None


_CHANGE: Final[dict[type[Event], Callable[[NimState, Any], None]]] = {
    events.PilesLaid: NimState._piles_laid,
    events.FavouriteNamed: NimState._favourite_named,
    events.StonesTaken: NimState._stones_taken,
    Forfeited: NimState._forfeited,
    PlayerLeft: NimState._player_left,
    events.RoundEnded: NimState._round_ended,
    events.GameEnded: NimState._game_ended,
}
