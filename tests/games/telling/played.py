"""Short games of every house and option, the same in every process."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import FORFEIT_CODES, Action, Forfeit, ForgoRound, IllegalAction, Leave
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.games.draw_poker.state import DrawPokerState

from ..draw_poker import test_recorded, test_recorded_sites, told

MOST_EVENTS: Final = 150
_BETWEEN: Final[Any] = game_of("draw").between_rounds
SitDown, BuyChips, SitOut, SitIn, Show, *_ = _BETWEEN
"""The actions between rounds, wherever the code defines them."""
_PEOPLE: Final = 2
"""The seats of people, the first ones; bots have the others."""


class Told(NamedTuple):
    """An event, the state after it, and the next event."""

    event: Event
    state: State
    bare: State
    """The state without its record of events, so that copying it is fast."""
    next: Event | None


class Played(NamedTuple):
    """A game to play: its options, its players, and the number of rounds."""

    kind: str
    names: tuple[str, ...]
    options: dict[str, Any]
    rounds: int | None = 2

    @property
    def source(self) -> EntropySource:
        """All that chance gives follows from it."""
        return EntropySource.from_text(repr(self.names))

    def started(self) -> Event:
        """Return the start event of the game."""
        seats = tuple(Seat(HUMAN if number < _PEOPLE else "random", name) for number, name in enumerate(self.names))
        started: Event = game_of(self.kind).start(Setup(seats, self.source, self.rounds, self.options))
        return started

    def steps(self) -> Iterator[Told]:
        """Play the game with random choices, at both ends of the legal amounts."""
        game, random, source = game_of(self.kind), Random(repr(self)), self.source
        yield from _followed(game, self.started(), (_next(game, source, random) for _ in range(MOST_EVENTS)))


class Recorded(NamedTuple):
    """A hand that was dealt elsewhere."""

    events: tuple[Event, ...]

    def steps(self) -> Iterator[Told]:
        """Yield the steps of the recorded game."""
        started, *events = self.events
        yield from _followed(game_of("draw"), started, (lambda _, event=event: event for event in events))


def _followed(game: Game, started: Event, coming: Iterator[Any]) -> Iterator[Told]:
    state, bare, event = game.new(started), game.new(started), started
    bare.record.stop()
    for come in coming:
        following = come(state)
        yield Told(event, state, bare, following)
        if following is None:
            return
        state.apply(event := following)
        bare.apply(event)
    yield Told(event, state, bare, None)


def _next(game: Game, source: EntropySource, random: Random) -> Any:
    def come(state: State) -> Event | None:
        if state.pausing and random.random() < 0.6:
            for action in random.sample(_between(state), 6):
                try:
                    return state.decide(action)
                except IllegalAction:
                    continue
        if (seat := state.to_act) is None:
            return state.dealer_event(source.entropy())
        if random.random() < 0.1 and len(state.view(EVERYONE).seats) > 2 and seat > _PEOPLE:
            return state.decide(Forfeit(seat, random.choice(FORFEIT_CODES)))
        if random.random() < 0.03 and game.dealt_together:
            return state.decide(ForgoRound(seat))
        return state.decide(_chosen(game, state, seat, random))

    return come


def _between(state: State) -> list[Action]:
    """Return the actions of people between two rounds, most of them for cash games only."""
    found: list[Action] = []
    for seat in range(1, len(state.view(EVERYONE).seats) + 1):
        found += [Leave(seat), SitOut(seat), SitIn(seat), SitIn(seat), BuyChips(seat, 7 * seat), SitDown(seat, 40)]
    return found


def _chosen(game: Game, state: State, seat: int, random: Random) -> Action:
    if not isinstance(state, DrawPokerState):
        return game.players["random"]().choose(state.view(seat), state.legal(seat), random)
    legal, hand = state.legal(seat), known_among(state.view(seat).seat(seat).cards)
    if legal.discard is not None:
        return Discard(seat, hand[: random.randint(0, min(legal.discard, len(hand)))])
    possible: list[Action] = [*[Check(seat)] * (2 * legal.check), *[Call(seat)] * (4 * bool(legal.call))]
    possible += [Bet(seat, amount) for amount in legal.bet or ()] + [Raise(seat, to) for to in legal.raise_to or ()]
    return random.choice(possible or [Fold(seat)]) if random.random() < 0.9 or not legal.fold else Fold(seat)


_THREE: Final = ("You", "Bob", "Lord of The Cards")
_FIVE: Final = (*_THREE, "安娜", "Eve")
_USD: Final = Currency(code="USD", exponent=2)
_TABLE: Final = CashTable(
    button=2, cash=True, currency=_USD, hand=512, numbers=(1, 3, 4, 6, 9), stacks=(200, 35, 120, 80, 199)
)

GAMES: Final[dict[str, Played | Recorded]] = {
    **{f"{house}-3": Played("draw", _THREE, {"rules": house}) for house in preset_names()},
    **{f"{house}-2": Played("draw", ("Ann", "You"), {"rules": house}, None) for house in preset_names()},
    "six": Played("draw", (*_FIVE, "Fay"), {"rules": "pot-limit"}, 1),
    "stacks": Played("draw", _FIVE, {"rules": "no-limit", "stack": ["You=35", "Bob=80", "Eve=9"], "straddle": 4}),
    "uncapped": Played("draw", _THREE, {"rules": "fixed-limit", "uncapped": "two_left", "stack": ["Bob=50"]}),
    "rake": Played("draw", _THREE, {"rules": "no-limit", "rake": "5%", "rake_cap": "1,2,3"}, 3),
    "cash": Played("draw", _FIVE, {"rules": "fixed-limit", "cash": True, "open_seats": 1}, 3),
    "money": Played("draw", _FIVE, {"rules": "no-limit", "table": _TABLE, "rake": "2.5"}, 3),
    "market-2": Played("market", ("You", "Bob"), {}, 1),
    "market-3": Played("market", _THREE, {"markets": 2}, 1),
    "market-5": Played("market", _FIVE, {}, 1),
    "kalah-6": Played("kalah", ("You", "Bob"), {}, None),
    "kalah-3": Played("kalah", ("Ann", "You"), {"holes": 3, "beans": 2, "empty_capture": True}, None),
    "kalah-12": Played("kalah", ("安娜", "Bob"), {"holes": 12, "beans": 1}, None),
    "mucked": Recorded(tuple(told.told(test_recorded.MUCKED, test_recorded.MUCKED_ACTIONS).events)),
    "drawn": Recorded(tuple(told.told(test_recorded.DRAWN, test_recorded.DRAWN_ACTIONS).events)),
    **{
        name: Recorded(tuple(told.told(site.hand, site.actions).events))
        for name, site in test_recorded_sites.SITES.items()
    },
}


def kind_of(told: Played | Recorded) -> str:
    """Return the kind of a game."""
    return told.kind if isinstance(told, Played) else "draw"
