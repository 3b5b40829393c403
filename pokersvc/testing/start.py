"""Checks of a game's declarations, and of the event that starts it."""

from typing import ClassVar

from pokersvc.core.event import EVERYONE, Audience, redact, secret_fields
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck, Trial


class StartCheck(PromiseCheck):
    """The event that starts the game states the setup, and the game's declarations are true."""

    promise: ClassVar = Promise.PLAYS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        game, started, setup = trial.game, trial.started, trial.plan.setup
        if type(started) is not game.start_event:
            raise trial.broken(Promise.PLAYS, f"`start` returns a {type(started).__name__}, not a `start_event`")
        for what, found, expected in (
            ("`seats`", game.seats(started), setup.seats),
            ("`source`", game.source(started), setup.source),
            ("the start's `game`", started.game, game.kind),
            ("the start's `hidden_kinds`", started.hidden_kinds, setup.hidden_kinds),
        ):
            if found != expected:
                raise trial.broken(Promise.PLAYS, f"{what} is {found!r} in a game that was set up with {expected!r}")
        if game.source(redact(started, EVERYONE)) is not None:
            raise trial.broken(Promise.MARKED, "the dealer's secret is shown to everyone by the start")
        for found, expected in game.contradictions(started):
            raise trial.broken(Promise.PLAYS, f"`contradictions` finds {found} where there should be {expected}")
        secret = next((one.__name__ for one in game.event_types.values() if _for_a_seat(secret_fields(one))), None)
        if secret is not None and not game.hides:
            raise trial.broken(
                Promise.VIEW_HIDES,
                f"`hides` is False, so people share a screen, and {secret} has a secret for one seat",
            )


def _for_a_seat(secrets: dict[str, Audience]) -> bool:
    return Audience.SEAT in secrets.values()
