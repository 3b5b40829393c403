"""One game of a tournament, played through the contract of a game, in memory."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pokersvc.core.actions import Forfeit
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.replay import Replay
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import Choice, Programs, choice_of
from pokersvc.tournament.aivat import Luck
from pokersvc.tournament.plan import OPENER, Tournament

ASKED_AGAIN: Final = 0.02
"""The share of choices at which a player with a policy is asked again, to find out whether it says the same."""


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


def play(
    tournament: Tournament, index: int, programs: Programs, recorded: Sequence[Event] = ()
) -> tuple[Played, list[Event]]:
    """Play the game with this number, and return its result and its events.

    The deal is the same in every order of the seats. A bot's randomness depends on the seed, the deal, the order, its
    seat and the event, so that games are independent. The ``recorded`` events are replayed, and the game continues from
    there.
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
    replay, events = Replay(game), [started]
    state = replay.take(started)
    choices = rounds = 0
    forfeits: tuple[dict[str, int], ...] = tuple({} for _ in setup.seats)
    luck = Luck(tournament.estimate(started), len(setup.seats)) if tournament.aivat else None
    changed = [0] * len(setup.seats)

    def chosen(seat: int) -> Choice:
        if choices < tournament.opening:
            return choice_of(game.players[OPENER], state, seat, setup.source.program_random(0, choices + 1, "opening"))
        kind = setup.seats[seat - 1].kind
        # A player that was loaded before the tournament and can no longer be loaded forfeits its choices.
        if (player := programs.find(game, kind, load=False)) is None:
            raise InvalidValue(f"There is no bot {kind!r} here to play for {setup.seats[seat - 1].name}.")
        number = len(events) + 1
        choice = choice_of(player, state, seat, setup.source.program_random(seat, number, order))
        if luck is not None and choice.policy is not None:
            hidden = setup.source.program_random(0, number, f"again,{order}")
            if hidden.random() < ASKED_AGAIN:
                again = choice_of(player, state, seat, setup.source.program_random(seat, number, order))
                changed[seat - 1] += again.policy != choice.policy
        return choice

    def happened() -> Iterator[tuple[Event, Choice | None]]:
        for event in recorded[1:]:
            action = game.action_of(event)
            yield event, None if luck is None or action is None else chosen(action.seat)
        while True:
            if (dealt := state.dealer_event(entropy)) is not None:
                yield dealt, None
            elif awaited := state.awaited:
                choice = chosen(awaited[0])
                yield choice.event, choice
            else:
                return

    for event, choice in happened():
        if (action := game.action_of(event)) is not None:
            choices += 1
            if isinstance(action, Forfeit):
                codes = forfeits[action.seat - 1]
                codes[action.code] = codes.get(action.code, 0) + 1
        if luck is not None:
            luck.before(state, choice)
        replay.take(event)
        if luck is not None:
            luck.after(state)
        events.append(event)
        entry = state.entry(event, EVERYONE)
        rounds += entry is not None and not entry.again
    outcome = state.outcome
    assert outcome is not None
    gains = tuple(game.gains(started, outcome))
    played = Played(index, gains, outcome.ranks, rounds, forfeits)
    if luck is not None:
        played = played._replace(without_luck=luck.taken_off(gains), changed=tuple(changed))
    return played, events
