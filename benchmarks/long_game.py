"""A game of draw poker of any length, in memory or in a log.

It is played through the contract of a game, as the service does it. Nobody goes broke and nobody folds: the first
seat must bet in ``rising-ante``, so it makes the minimum bet, and the others call.
"""

from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Final

from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, LegalActions
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.houses import load_rules
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS
from pokersvc.games.draw_poker.state import DrawPokerState

SEATS: Final = 4
_BATCH: Final = 10_000


@cache
def random_draws(count: int) -> list[tuple[int, ...]]:
    """Return positions to discard: 0 to 4 of the five, each number equally likely; the same in every run."""
    random = Random("draws")
    return [tuple(random.sample(range(5), random.randrange(5))) for _ in range(count)]


def started(source: EntropySource, rounds: int | None = None) -> GameStarted:
    """Return the start of a game in ``rising-ante``, but with stacks that last."""
    rules = load_rules("rising-ante").model_copy(update={"stack": MAX_CHIPS})
    players = tuple(Seat("minimum", f"Player{seat}") for seat in range(1, SEATS + 1))
    return DRAW_POKER.start(Setup(players, source, rounds=rounds, options={"rules": rules}))


def choose(state: DrawPokerState, seat: int, legal: LegalActions, draws: Iterator[tuple[int, ...]]) -> Action:
    """Return a call if it is legal, else the minimum bet, else a check; in the draw, discard the next positions."""
    if legal.call:
        return Call(seat)
    if legal.bet is not None:
        return Bet(seat, legal.bet[0])
    if legal.check:
        return Check(seat)
    hand = known_among(state.hands[seat])
    return Discard(seat, tuple([hand[position] for position in next(draws)]))


def events(source: EntropySource | None = None) -> Iterator[Event]:
    """Yield the events of a game without an end, each after it was applied; the same source gives the same events."""
    source = source or EntropySource.fresh()
    entropy = source.entropy()
    draws = cycle(random_draws(10_007))
    yield (start := started(source))
    state = DRAW_POKER.new(start)
    while True:
        event = state.dealer_event(entropy)
        if event is None:
            seat = state.to_act
            assert seat is not None, "the game is not to end"
            event = state.decide(choose(state, seat, state.legal(seat), draws))
        state.apply(event)
        yield event


def store(log: EventLog, game_id: str, count: int, source: EntropySource | None = None) -> None:
    """Write the first ``count`` events of a game to the log, many at a time."""
    playing = islice(events(source), count)
    written = 0
    while batch := [NewEvent(*DRAW_POKER.codec.encode(event)) for event in islice(playing, _BATCH)]:
        log.append(game_id, batch, expected=written, command_id=f"command-{written}", kind=DRAW_POKER.kind)
        written += len(batch)
