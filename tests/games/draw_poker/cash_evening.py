"""Cash games with rules of their own, for the tests of purchases, wishes, absence and coming back."""

from typing import Any

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events

from .scenario import Scenario
from .tables import NAMES, called


def evening(*, seats: int = 3, house: str = "no-limit", **options: Any) -> Scenario:
    """A cash game of people before its first round; everybody begins with 100 chips, and may have 200."""
    names = NAMES[:seats]
    stacks = ["200", *(f"{name}=100" for name in names)]
    given = {"rules": house, "cash": True, "stack": stacks, **options}
    people = tuple(Seat(HUMAN, name) for name in names)
    return Scenario(DRAW_POKER.start(Setup(people, EntropySource.from_text("an evening"), None, given)))


def after_a_round(**given: Any) -> Scenario:
    """A cash game after its first round."""
    return called(evening(**given))


def before_the_round(game: Scenario) -> list[Any]:
    """Let the dealer do what is due before a round, and return its events; the round itself does not begin."""
    found: list[Any] = []
    while not isinstance(event := game.dealer(), events.RoundStarted | events.GameEnded):
        assert event is not None
        found.append(event)
        game.given(event)
    return found


def another_round(game: Scenario) -> Scenario:
    """Play the next round, also if nothing has happened since the last."""
    game.deal_on()
    return called(game)
