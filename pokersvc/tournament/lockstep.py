"""Games played in lockstep: a player that answers about many views is asked once about all that wait for it.

What a batch holds follows from the tournament's seed and the choices so far, and not from time or processes.
"""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from threading import Lock, Thread
from typing import Final, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Drawn
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.players import Choice, ChoiceForfeited, Programs, choice_of
from pokersvc.players.custom import Answer, Ask, CustomPlayer
from pokersvc.tournament.groups import HALVES
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import AwaitedChoice, Whole, playing

CHECKED: Final = 0.02
"""The share of the views of batches about which the player is asked again, alone."""


class AnsweredOtherwise(NamedTuple):
    """A player answered otherwise in a batch than alone, in a choice of the game with this number (from 0)."""

    kind: str
    game: int


class InLockstep:
    """Games of which no two are of one deal, by their numbers; from ``number`` follow the batches' order and checks.

    ``alone`` has the kinds of players that are asked about one view each, and ``asking`` is held while a custom player
    is asked: two that are asked at the same moment could tell each other something.
    """

    def __init__(
        self,
        tournament: Tournament,
        number: int,
        games: Sequence[int],
        programs: Programs,
        alone: AbstractSet[str],
        asking: AbstractContextManager[object],
    ) -> None:
        self.over: dict[int, Whole] = {}
        """Number of a game that is over → its result and its events."""
        self._own = {
            seat.kind
            for seat, content in zip(tournament.players, tournament.contents, strict=True)
            if content is not None
        }
        found = {kind: programs.of_many(tournament.game, kind) for kind in self._own - alone}
        self._many: dict[str, CustomPlayer] = {kind: one for kind, one in found.items() if one is not None}
        source = EntropySource.from_text(tournament.seed)
        self._order, self._checks = (source.program_random(0, number, label) for label in ("batches", "checks"))
        self._asking, self._stopped = asking, False
        self._games = {index: playing(tournament, index, programs, asking=asking) for index in games}
        self._waiting: dict[int, AwaitedChoice] = {}

    def stop(self) -> None:
        """Have no more batches asked."""
        self._stopped = True

    def play(self) -> AnsweredOtherwise | None:
        """Play the games to their end, or until a player answers otherwise in a batch than alone."""
        for index in self._games:
            self._go_on(index, None)
        while self._waiting and not self._stopped:
            waiting = Counter(awaited.kind for awaited in self._waiting.values())
            kind = max(sorted(waiting), key=waiting.__getitem__)
            batch = sorted(index for index, awaited in self._waiting.items() if awaited.kind == kind)
            self._order.shuffle(batch)
            choices = [self._waiting[index].ask() for index in batch]
            asks = [choice.ask() for choice in choices]
            with self._asking:
                answers = self._many[kind].choose_many(asks)
                differing = self._differing(kind, batch, asks, answers)
            if differing is not None:
                return AnsweredOtherwise(kind, differing)
            for index, choice, answer in zip(batch, choices, answers, strict=True):
                self._go_on(index, choice.choice(answer))
        return None

    def _go_on(self, index: int, choice: Choice | None) -> None:
        """Let a game go on to the next choice of a player that is asked about many views, or to its end."""
        game = self._games[index]
        self._waiting.pop(index, None)
        try:
            while (awaited := game.send(choice)).kind not in self._many:
                with self._asking if awaited.kind in self._own else nullcontext():
                    choice = choice_of(awaited.player, *awaited.ask())
        except StopIteration as over:
            self.over[index] = over.value
        else:
            self._waiting[index] = awaited

    def _differing(self, kind: str, batch: list[int], asks: list[Ask], answers: list[Answer]) -> int | None:
        """Ask about some views of a batch again, each alone; return the first game in which the answer is another."""
        for index, (view, legal, _), answer in zip(batch, asks, answers, strict=True):
            if self._checks.random() < CHECKED and len(batch) > 1:
                [alone] = self._many[kind].choose_many([(view, legal, self._waiting[index].ask().random)])
                if _said(alone) != _said(answer):
                    return index
        return None


def _said(answer: Answer) -> Action | Drawn | str:
    return answer.code if isinstance(answer, ChoiceForfeited) else answer


def play_in_halves(
    tournament: Tournament, number: int, games: Sequence[int], programs: Programs, alone: AbstractSet[str]
) -> dict[int, Whole] | AnsweredOtherwise:
    """Play the games of the group with this number; return them by their numbers.

    Two halves are in lockstep, each for itself: while a player is asked about one, the games of the other go on. With
    `Walls.strict` they do not, since a player could tell by its own speed how others fare.
    """
    asking = Lock()
    halves = [
        InLockstep(tournament, HALVES * number + half, games[half::HALVES], programs, alone, asking)
        for half in range(HALVES)
    ]
    beside: Future[AnsweredOtherwise | None] = Future()

    def play_beside() -> None:
        try:
            beside.set_result(halves[1].play())
        except BaseException as error:  # raised again where the result is asked for
            beside.set_exception(error)

    try:
        if tournament.walls.strict:
            play_beside()
        else:
            Thread(target=play_beside, daemon=True).start()  # which nobody waits for after a Ctrl-C
        found = halves[0].play(), beside.result()
    except BaseException:
        halves[1].stop()
        raise
    return found[0] or found[1] or {index: whole for half in halves for index, whole in half.over.items()}
