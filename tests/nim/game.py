"""Nim as a game of the service, and the programs that play it."""

from functools import reduce
from operator import xor
from random import Random

from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.setup import Option, Options, Setup
from pokersvc.errors import InvalidValue

from . import events
from .books import NimBooks
from .events import EVENT_TYPES, UPCASTERS, GameStarted
from .state import LegalActions, NimState, NimView, Take
from .words import NimWords


class CarelessPlayer:
    """A bot that takes random numbers of stones from random piles."""

    def choose(self, view: NimView, legal: LegalActions, random: Random) -> Action:
        assert view.to_act is not None
        pile = random.choice([pile for pile, most in enumerate(legal.most, 1) if most])
        return Take(view.to_act, pile, random.randint(1, legal.most[pile - 1]))


class CarefulPlayer(CarelessPlayer):
    """A bot that leaves a nim-sum of zero whenever possible."""

    def choose(self, view: NimView, legal: LegalActions, random: Random) -> Action:
        assert view.to_act is not None
        total = reduce(xor, view.piles)
        for pile, stones in enumerate(view.piles, 1):
            if stones ^ total < stones:
                return Take(view.to_act, pile, stones - (stones ^ total))
        return super().choose(view, legal, random)


class Nim(Game[GameStarted, NimState, NimView, LegalActions]):
    kind = "nim"
    event_types = EVENT_TYPES
    start_event = GameStarted
    upcasters = UPCASTERS
    own_options = (Option("piles", "Piles of stones.  [default: 3]", form="How many piles of stones. If empty, 3."),)
    actions = (Take,)
    players = {"careful": CarefulPlayer, "careless": CarelessPlayer}  # noqa: RUF012 - as the contract declares it
    words = NimWords()
    rated = True
    dealt = frozenset({events.PilesLaid, events.FavouriteNamed})
    seeded = frozenset({events.PilesLaid})

    def options(self, given: Options) -> Options:
        if unknown := set(given) - {"piles"}:
            raise InvalidValue(f"Nim has no option {min(unknown)!r}; its option is 'piles'.")
        return {"piles": given.get("piles", 3)}

    def default_seats(self, options: Options) -> int:
        return 2

    def default_kind(self, options: Options) -> str:
        return "careful"

    def start(self, setup: Setup) -> GameStarted:
        if not 2 <= len(setup.seats) <= 3:
            raise InvalidValue(f"{len(setup.seats)} players cannot play Nim; it takes 2 or 3.")
        self.check_kinds(setup.seats)
        return GameStarted(
            **self.started_as(setup),
            game="nim",
            piles=self.options(setup.options or {})["piles"],
            rounds=setup.rounds or 3,
        )

    def begin(self, started: GameStarted) -> NimState:
        return NimState(started)

    def facts(self, started: GameStarted) -> dict[str, object]:
        return {"piles": started.piles}

    def action_of(self, event: Event) -> Action | None:
        if isinstance(event, events.StonesTaken):
            return Take(event.seat, event.pile, event.stones)
        return super().action_of(event)

    def books(self, started: GameStarted) -> NimBooks:
        return NimBooks(tuple(seat.name for seat in started.seats))


NIM = Nim()
