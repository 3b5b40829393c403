"""One game of a tournament, played through the contract of a game, in memory."""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from pokersvc.core.actions import Forfeit
from pokersvc.core.bots.player import Player
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.replay import Replay
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import AskedChoice, Choice, Programs, choice_of
from pokersvc.tournament.plan import OPENER, Tournament


class Played(NamedTuple):
    """The result of a game; each tuple has one item per seat, in seat order."""

    number: int
    """The number of the game in its tournament, from 0."""
    gains: tuple[int, ...]
    """The gain of each seat, in the game's own unit."""
    ranks: tuple[int, ...]
    """The rank of each seat: 1 is the best; equal scores share a rank."""
    rounds: int
    forfeits: tuple[dict[str, int], ...]
    """For each seat, the code of a forfeit → the number of choices forfeited with it."""


class PlayedOtherwise(PokersvcError):
    """The recorded events are of another game than the tournament's."""

    code = "played_otherwise"


class AwaitedChoice(NamedTuple):
    """A choice that a game waits for."""

    kind: str
    player: Callable[[], Player]
    ask: Callable[[], AskedChoice]
    """Returns what the player is asked, with the same randomness each time, until the game goes on."""


Whole: TypeAlias = tuple[Played, list[Event]]
"""A game's result and its events."""


def play(tournament: Tournament, index: int, programs: Programs, recorded: Sequence[Event] = ()) -> Whole:
    """Play the game with this number, and return its result and its events.

    The ``recorded`` events are replayed, and the game continues from there.
    """
    game, choice = playing(tournament, index, programs, recorded), None
    while True:
        try:
            awaited = game.send(choice)
        except StopIteration as over:
            whole: Whole = over.value
            return whole
        choice = choice_of(awaited.player, *awaited.ask())


def playing(
    tournament: Tournament, index: int, programs: Programs, recorded: Sequence[Event] = ()
) -> Generator[AwaitedChoice, Choice | None, Whole]:
    """Play the game with this number; yield each choice that it waits for, and get the choice sent.

    The deal is the same in every order of the seats. A bot's randomness depends on the seed, the deal, the order, its
    seat and the event, so that games are independent.
    """
    game, sitting = tournament.game, tournament.sitting(index)
    setup = tournament.setup(sitting)
    entropy = setup.source.entropy()
    order = ",".join(map(str, sitting.players))
    started = game.start(setup)
    if recorded and recorded[0] != started:
        raise PlayedOtherwise(
            f"What is recorded as game {index + 1} of the tournament {tournament.fingerprint} was started differently;"
            " use another database."
        )
    replay, events, known = Replay(game), [started], iter(recorded[1:])
    state = replay.take(started)
    choices = rounds = 0
    forfeits: tuple[dict[str, int], ...] = tuple({} for _ in setup.seats)

    def awaited(seat: int) -> AwaitedChoice:
        if choices < tournament.opening:
            random = partial(setup.source.program_random, 0, choices + 1, "opening")
            return AwaitedChoice(OPENER, game.players[OPENER], lambda: AskedChoice(state, seat, random()))
        kind = setup.seats[seat - 1].kind
        # A player that was loaded before the tournament and can no longer be loaded forfeits its choices.
        if (player := programs.find(game, kind, load=False)) is None:
            raise InvalidValue(f"There is no bot {kind!r} here to play for {setup.seats[seat - 1].name}.")
        random = partial(setup.source.program_random, seat, len(events) + 1, order)
        return AwaitedChoice(kind, player, lambda: AskedChoice(state, seat, random()))

    while True:
        event = next(known, None) or state.dealer_event(entropy)
        if event is None:
            if not state.awaited:
                break
            choice = yield awaited(state.awaited[0])
            assert choice is not None
            event = choice.event
        if (action := game.action_of(event)) is not None:
            choices += 1
            if isinstance(action, Forfeit):
                codes = forfeits[action.seat - 1]
                codes[action.code] = codes.get(action.code, 0) + 1
        replay.take(event)
        events.append(event)
        entry = state.entry(event, EVERYONE)
        rounds += entry is not None and not entry.again
    outcome = state.outcome
    assert outcome is not None
    return Played(index, tuple(game.gains(started, outcome)), outcome.ranks, rounds, forfeits), events
