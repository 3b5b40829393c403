"""The rounds that a game tells for sessions."""

from typing import ClassVar

from pokersvc.core.counting import PlayedRounds
from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.testing.trial import FAILURES, PromiseCheck, Trial, broken_by

_AT = "2026-01-31T12:00:00.000000Z"


class SessionsCheck(PromiseCheck):
    """What `played_rounds` returns takes every public event, and tells each round once, where the round ends.

    The service forgives it failures, as a log may be forged: here they are found.
    """

    promise: ClassVar = Promise.SESSIONS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._told: set[int] = set()
        self._rounds = self._asked()

    def _asked(self) -> PlayedRounds | None:
        trial = self.trial
        try:
            rounds: PlayedRounds | None = trial.game.played_rounds(redact(trial.started, EVERYONE))
        except FAILURES as error:
            raise broken_by(error, Promise.SESSIONS, trial) from error
        if rounds is not None and not trial.game.round_ends:
            raise self._broken("`round_ends` is empty, so nobody ever asks which rounds were played")
        return rounds

    def happened(self, event: Event) -> None:
        """Ask which round the event completed."""
        if self._rounds is None or (told := self._rounds.take(redact(event, EVERYONE), _AT)) is None:
            return
        if type(event) not in self.trial.game.round_ends:
            raise self._broken(f"round {told.round} is told at {type(event).__name__}, which is not in `round_ends`")
        if told.round in self._told:
            raise self._broken(f"round {told.round} is told twice")
        self._told.add(told.round)

    def _broken(self, found: str) -> BrokenPromise:
        return self.trial.broken(Promise.SESSIONS, found)
