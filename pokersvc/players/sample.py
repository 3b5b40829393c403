"""A sample question, with which a player's process warms up once, so that each choice starts faster."""

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
"""The seed text of the sample game, whose cards no real game uses."""


def sample(game: Seating) -> tuple[bytes, bytes] | None:
    """Return a sample question, as `Questions` writes it, and a pickled action, or None if the game yields none."""
    if not isinstance(game, Game):
        return None
    with suppress(Exception):  # a sample only saves time
        options = game.options({})
        kind = game.default_kind(options)
        seats = tuple(Seat(kind, f"Player{number}") for number in range(1, game.default_seats(options) + 1))
        source = EntropySource.from_text(_TEXT)
        state = game.new(game.start(Setup(game.seated(seats, options), source, None, options)))
        entropy = source.entropy()
        while (event := state.dealer_event(entropy)) is not None:
            state.apply(event)
        seat = state.awaited[0]
        random = Random(_TEXT)  # noqa: S311 - for a question that is never asked
        question = Questions().write([(state.view(seat), state.legal(seat), random.randbytes(SEED_BYTES))])
        return question, pickle.dumps(state.default_action(seat, away=False, random=random))
    return None
