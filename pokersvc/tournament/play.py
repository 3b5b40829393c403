"""One game of a tournament, played through the contract of a game, in memory."""

from typing import NamedTuple

from pokersvc.errors import InvalidValue
from pokersvc.games.event import EVERYONE, Event
from pokersvc.players import Choice, Programs, choice_of
from pokersvc.tournament.plan import OPENER, Tournament


class Played(NamedTuple):
    """What came of a game, seat by seat from the first."""

    number: int
    """Of the game in its tournament, from 0."""
    gains: tuple[int, ...]
    """In the game's own unit."""
    ranks: tuple[int, ...]
    """1 is best; equals share."""
    rounds: int
    forfeits: tuple[dict[str, int], ...]
    """How many choices each seat forfeited, by their codes."""


def play(tournament: Tournament, index: int, programs: Programs) -> tuple[Played, list[Event]]:
    """Play the game of a number, and return what came of it with its events.

    The deal is the same in every order of the seats. A program's randomness depends on the seed, the deal, the order,
    its seat and the event, so that nobody's luck is tied to another game.
    """
    game, sitting = tournament.game, tournament.sitting(index)
    setup = tournament.setup(sitting)
    entropy = setup.source.entropy()
    order = ",".join(map(str, sitting.players))
    started = game.start(setup)
    state, events = game.new(started), [started]
    choices = rounds = 0
    forfeits: tuple[dict[str, int], ...] = tuple({} for _ in setup.seats)

    def chosen(seat: int) -> Choice:
        if choices <= tournament.opening:
            return choice_of(game.players[OPENER], state, seat, setup.source.program_random(0, choices, "opening"))
        kind = setup.seats[seat - 1].kind
        if (player := programs.find(game, kind)) is None:
            raise InvalidValue(f"There is no program {kind!r} here to play for {setup.seats[seat - 1].name}.")
        return choice_of(player, state, seat, setup.source.program_random(seat, len(events) + 1, order))

    while True:
        event = state.dealer_event(entropy)
        if event is None:
            seat = state.to_act
            if seat is None:
                break
            choices += 1
            event, code = chosen(seat)
            if code is not None:
                forfeits[seat - 1][code] = forfeits[seat - 1].get(code, 0) + 1
        state.apply(event)
        events.append(event)
        rounds += state.entry(event, EVERYONE) is not None
    outcome = state.outcome
    assert outcome is not None
    return Played(index, tuple(game.gains(started, outcome)), outcome.ranks, rounds, forfeits), events
