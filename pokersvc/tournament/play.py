"""One game of a tournament, played through the contract of a game, in memory."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import NamedTuple, TypeAlias

from pokersvc.core.actions import Forfeit
from pokersvc.core.bots.player import Player
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.game import Game
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import AskedChoice, Choice, Programs, choice_of
from pokersvc.tournament.aivat import Luck
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
    without_luck: tuple[float, ...] | None = None
    """The gain of each seat without luck (`pokersvc.tournament.aivat`); None if the tournament leaves luck in."""
    changed: tuple[int, ...] = ()
    """For each seat, how often it gave another policy when it was asked again; empty if nobody was asked again."""


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
    tournament: Tournament,
    index: int,
    programs: Programs,
    recorded: Sequence[Event] = (),
    asking: AbstractContextManager[object] | None = None,
) -> Generator[AwaitedChoice, Choice | None, Whole]:
    """Play the game with this number; yield each choice that it waits for, and get the choice sent.

    The deal is the same in every order of the seats. A bot's randomness depends on the seed, the deal, the order, its
    seat and the event, so that games are independent. ``asking`` is held while a player is asked besides.
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

    def player_at(seat: int) -> Callable[[], Player]:
        return _player(setup.seats[seat - 1], game, programs)

    def awaited(seat: int) -> AwaitedChoice:
        if choices < tournament.opening:
            random = partial(setup.source.program_random, 0, choices + 1, "opening")
            return AwaitedChoice(OPENER, game.players[OPENER], lambda: AskedChoice(state, seat, random()))
        random = partial(setup.source.program_random, seat, len(events) + 1, order)
        return AwaitedChoice(setup.seats[seat - 1].kind, player_at(seat), lambda: AskedChoice(state, seat, random()))

    hidden, ahead = (setup.source.program_random(0, 0, f"{why},{order}") for why in ("again", "ahead"))
    luck = None
    if tournament.aivat:
        luck = Luck(tournament.estimate(started), len(setup.seats), player_at, hidden, ahead, asking or nullcontext())
    while True:
        choice = random = None
        event = next(known, None) or state.dealer_event(entropy)
        if event is None or (luck is not None and game.action_of(event) is not None):  # recorded: for its policy
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
                codes = forfeits[action.seat - 1]
                codes[action.code] = codes.get(action.code, 0) + 1
        replay.take(event)
        if luck is not None:
            luck.after(state)
        events.append(event)
        entry = state.entry(event, EVERYONE)
        rounds += entry is not None and not entry.again
    outcome = state.outcome
    assert outcome is not None
    played = Played(index, tuple(game.gains(started, outcome)), outcome.ranks, rounds, forfeits)
    if luck is not None:
        played = played._replace(without_luck=luck.taken_off(played.gains), changed=tuple(luck.changed))
    return played, events


def _player(seat: Seat, game: Game, programs: Programs) -> Callable[[], Player]:
    """Return the function that makes a seat's bot; one that can no longer be loaded forfeits its choices."""
    if (player := programs.find(game, seat.kind, load=False)) is None:
        raise InvalidValue(f"There is no bot {seat.kind!r} here to play for {seat.name}.")
    return player
