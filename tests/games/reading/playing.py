"""Games of draw poker between bots and rules of a test, with every choice."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.core.bots.player import Player
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Call, Check, Fold, LegalActions
from pokersvc.games.draw_poker.strategy.kinds import KINDS
from pokersvc.games.draw_poker.view import DrawPokerView

AnyPlayer = Player[DrawPokerView, LegalActions]


class Chosen(NamedTuple):
    """A choice, and what it was made by."""

    view: DrawPokerView
    legal: LegalActions
    action: Action


class NeverRaises:
    """Stands pat; calls everything or folds to every bet."""

    def __init__(self, *, folds: bool) -> None:
        self._folds = folds

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a check, a fold or a call; in the draw, what `steady` draws."""
        assert view.to_act is not None
        if legal.discard is not None:
            return KINDS["steady"]().choose(view, legal, random)
        if legal.call and not (self._folds and legal.fold):
            return Call(view.to_act)
        return Check(view.to_act) if legal.check else Fold(view.to_act)


def played(seed: str, players: Mapping[str, AnyPlayer], *, rounds: int, **options: Any) -> Iterator[Chosen]:
    """Play a game, and yield each choice as it is made."""
    source = EntropySource.from_text(seed)
    setup = Setup(tuple(Seat("random", name) for name in players), source, rounds, options, hidden_kinds=True)
    entropy, replay, number = source.entropy(), Replay(DRAW_POKER), 0
    state = replay.take(DRAW_POKER.start(setup))
    at = [*players.values()]
    while True:
        number += 1
        event = state.dealer_event(entropy)
        if event is None:
            if not state.awaited:
                return
            seat = state.awaited[0]
            view, legal = state.view(seat), state.legal(seat)
            action = at[seat - 1].choose(view, legal, Random(f"{seed}/{number}"))
            event = state.decide(action)
            yield Chosen(view, legal, action)
        replay.take(event)
