"""One game of a tournament, played through the contract of a game, in memory."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import NamedTuple, TypeAlias

from pokersvc.core.actions import Forfeit
from pokersvc.core.bots.player import Player
from pokersvc.core.common_events import Started
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.game import Game
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import AskedChoice, Choice, Programs, choice_of
from pokersvc.tournament.aivat import Luck, PlayerAt
from pokersvc.tournament.plan import OPENER, Sitting, Tournament
from pokersvc.tournament.response import Responder, policies_of


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
    without_luck: tuple[float, ...] | None = None
    """The gain of each seat without luck (`pokersvc.tournament.aivat`); None if the tournament leaves luck in."""
    changed: tuple[int, ...] = ()
    """For each seat, how often it gave a different policy when it was asked again; empty if nobody was asked again."""
    doubts: Mapping[str, int] = {}
    """Reason to doubt a local best response → how often it occurred, if ever
    (`pokersvc.tournament.response.Responder`)."""


class PlayedOtherwise(PokersvcError):
    """The recorded events are of another game than the tournament's."""

    code = "played_otherwise"


class AwaitedChoice(NamedTuple):
    """A choice that a game waits for."""

    kind: str
    player: Callable[[], Player]
    ask: Callable[[], AskedChoice]
    """Returns the question to the player, with the same randomness each time, until the game continues."""


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
    tournament: Tournament,
    index: int,
    programs: Programs,
    recorded: Sequence[Event] = (),
    asking: AbstractContextManager[object] | None = None,
) -> Generator[AwaitedChoice, Choice | None, Whole]:
    """Play the game with this number; yield each choice that it waits for, and receive the choice as the sent value.

    The deal is the same in every order of the seats. A bot's randomness depends on the seed, the deal, the order, its
    seat and the event, so that games are independent. ``asking`` is held while a player is asked out of turn.
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
    forfeits: tuple[Counter[str], ...] = tuple(Counter() for _ in setup.seats)
    player_at = partial(_player_at, setup.seats, game, programs)

    def awaited(seat: int) -> AwaitedChoice:
        if choices < tournament.opening:
            random = partial(setup.source.program_random, 0, choices + 1, "opening")
            return AwaitedChoice(OPENER, game.players[OPENER], lambda: AskedChoice(state, seat, random()))
        random = partial(setup.source.program_random, seat, len(events) + 1, order)
        return AwaitedChoice(setup.seats[seat - 1].kind, player_at(seat), lambda: AskedChoice(state, seat, random()))

    responder = _responder(tournament, started, sitting, player_at, asking or nullcontext())
    luck = _luck(tournament, started, setup, order, player_at, asking or nullcontext())
    while True:
        choice = random = None
        answer = None if responder is None else responder.event(state)
        event = next(known, None) or state.dealer_event(entropy) or answer
        # For a recorded choice, the player is asked again, to learn its policy.
        if event is None or (luck is not None and game.action_of(event) is not None):
            if not state.awaited:
                break
            asked = awaited(state.awaited[0])
            choice = yield asked
            assert choice is not None
            random = asked.ask().random
            event = event or choice.event
        if luck is not None:
            luck.before(state, event, choice, random)
        if (action := game.action_of(event)) is not None:
            choices += 1
            if isinstance(action, Forfeit):
                forfeits[action.seat - 1][action.code] += 1
        replay.take(event)
        if responder is not None:
            responder.take(event)
        if luck is not None:
            luck.after(state)
        events.append(event)
        entry = state.entry(event, EVERYONE)
        rounds += entry is not None and not entry.again
    outcome = state.outcome
    assert outcome is not None
    played = Played(index, tuple(game.gains(started, outcome)), outcome.ranks, rounds, tuple(map(dict, forfeits)))
    return _with(played, responder, luck), events


def _with(played: Played, responder: Responder | None, luck: Luck | None) -> Played:
    """Return a result with the values that a local best response and the removal of luck add to it."""
    if responder is not None:
        played = played._replace(doubts=dict(+responder.doubts))
    if luck is not None:
        played = played._replace(without_luck=luck.taken_off(played.gains), changed=tuple(luck.changed))
    return played


def _responder(
    tournament: Tournament,
    started: Started,
    sitting: Sitting,
    player_at: PlayerAt,
    asking: AbstractContextManager[object],
) -> Responder | None:
    """Return the player that answers the other by local best response; None if the tournament has none."""
    if tournament.lbr is None:
        return None
    game, setup, seat = tournament.game, tournament.setup(sitting), sitting.players.index(1) + 1
    random, ahead = (setup.source.program_random(seat, 0, why) for why in ("range", "asked"))
    doubts: Counter[str] = Counter()
    asked = policies_of(game, setup.seats[2 - seat], player_at(3 - seat), ahead, asking, doubts)
    held = game.range_of(started, seat, tournament.lbr, asked, random)
    assert held is not None  # as planned
    return Responder(game, started, seat, held, asked, doubts)


def _luck(
    tournament: Tournament,
    started: Started,
    setup: Setup,
    order: str,
    player_at: PlayerAt,
    asking: AbstractContextManager[object],
) -> Luck | None:
    """Return the object that takes luck out of a game; None if the tournament does not do so."""
    if not tournament.aivat:
        return None
    hidden, ahead = (setup.source.program_random(0, 0, f"{why},{order}") for why in ("again", "ahead"))
    return Luck(tournament.estimate(started), len(setup.seats), player_at, hidden, ahead, asking)


def _player_at(seats: Sequence[Seat], game: Game, programs: Programs, number: int) -> Callable[[], Player]:
    """Return the function that makes a seat's bot; one that can no longer be loaded forfeits its choices."""
    seat = seats[number - 1]
    if (player := programs.find(game, seat.kind, load=False)) is None:
        raise InvalidValue(f"There is no bot {seat.kind!r} here to play for {seat.name}.")
    return player
