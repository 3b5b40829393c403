"""The check of the rounds that a game reports for sessions."""

from typing import ClassVar

from pokersvc.core.counting import PlayedRounds, RoundPlayed
from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.testing.trial import FAILURES, PromiseCheck, Trial, broken_by

_AT = "2026-01-31T12:00:00.000000Z"


class SessionsCheck(PromiseCheck):
    """`played_rounds` takes every public event, and reports each round once, at the event that ends it.

    It must report a round in the same way if it has passed over the previous round.

    The service tolerates failures of `played_rounds`, since a log may be forged; this check reports them.
    """

    promise: ClassVar = Promise.SESSIONS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._told: set[int] = set()
        self._rounds = self._asked()
        self._other = self._asked()
        """A second `PlayedRounds` of the same game, which passes over every other round."""
        self._passes = False
        self._waiting: list[tuple[Event, str]] = []

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
        """Compare the round reported at the event with the one reported after passing over every other round."""
        if self._rounds is None:
            return
        public, name = redact(event, EVERYONE), type(event).__name__
        ends = type(event) in self.trial.game.round_ends
        self._waiting.append((public, _AT))
        if (told := self._rounds.take(public, _AT)) is not None:
            if not ends:
                raise self._broken(f"round {told.round} is told at {name}, which is not in `round_ends`")
            if told.round in self._told:
                raise self._broken(f"round {told.round} is told twice")
            self._told.add(told.round)
        if ends:
            self._again(told)

    def _again(self, told: RoundPlayed | None) -> None:
        assert self._other is not None
        waiting, self._waiting = self._waiting, []
        self._passes = not self._passes
        if self._passes:
            self._other.pass_over(waiting)
        elif [self._other.take(*one) for one in waiting][-1] != told:
            raise self._broken("after a round that `pass_over` was given, the next is reported differently")

    def _broken(self, found: str) -> BrokenPromise:
        return self.trial.broken(Promise.SESSIONS, found)
