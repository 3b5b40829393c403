"""A question that nobody is asked: with it, a player's process does once what each of its choices would do first."""

import pickle
from contextlib import suppress
from random import Random

from pokersvc.core.bots.seating import Seating
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import SEED_BYTES, EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.players.questions import Questions

_TEXT = "sample"
"""Of which all cards follow: they are nobody's."""


def sample(game: Seating) -> tuple[bytes, bytes] | None:
    """Return a question of a game, as `Questions` writes it, and an action, pickled; None where none is found."""
    if not isinstance(game, Game):
        return None
    with suppress(Exception):  # it only saves time
        options = game.options({})
        kind = game.default_kind(options)
        seats = tuple(Seat(kind, f"Player{number}") for number in range(1, game.default_seats(options) + 1))
        source = EntropySource.from_text(_TEXT)
        state = game.new(game.start(Setup(game.seated(seats, options), source, None, options)))
        entropy = source.entropy()
        while (event := state.dealer_event(entropy)) is not None:
            state.apply(event)
        seat = state.awaited[0]
        random = Random(_TEXT)  # noqa: S311 - for a question that nobody is asked
        question = Questions().write((state.view(seat), state.legal(seat), random.randbytes(SEED_BYTES)))
        return question, pickle.dumps(state.default_action(seat, away=False, random=random))
    return None
