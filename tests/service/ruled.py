"""A cash game with rules of its own, for the tests of its commands, of forged logs and of what is booked."""

from typing import Any

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.service import Service

from .support import play_to_the_pause

SEATS = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"), Seat("minimum", "Cy"))


GAME = "ruled"


def a_game(service: Service, *, game_id: str | None = None, **options: Any) -> str:
    stacks = ["200", "Ann=100", "Bob=100", "Cy=100"]
    given = {"rules": "no-limit", "cash": True, "stack": stacks, **options}
    found, _ = service.start("draw", Setup(SEATS, EntropySource.from_text("ruled"), None, given), game_id=game_id)
    play_to_the_pause(service, found)
    return found
