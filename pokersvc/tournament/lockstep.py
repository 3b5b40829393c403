"""A group of games played in lockstep: a player that answers about many views is asked once about all that wait for it.

What a batch holds follows from the tournament's seed and the choices so far, and not from time or processes.
"""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.players import Choice, Programs, choice_of, choices_of
from pokersvc.players.custom import CustomPlayer
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import AwaitedChoice, Whole, playing

CHECKED: Final = 0.02
"""The share of the views of batches about which the player is asked again, alone."""


class AnsweredOtherwise(NamedTuple):
    """A player answered otherwise in a batch than alone, in a choice of the game with this number (from 0)."""

    kind: str
    game: int


class InLockstep:
    """The games of a group, by their numbers; ``alone`` has the kinds of players that are asked about one view each."""

    def __init__(
        self, tournament: Tournament, number: int, games: Sequence[int], programs: Programs, alone: AbstractSet[str]
    ) -> None:
        self.over: dict[int, Whole] = {}
        """Number of a game that is over → its result and its events."""
        kinds = {seat.kind for seat in tournament.players} - alone
        found = {kind: programs.of_many(tournament.game, kind) for kind in kinds}
        self._many: dict[str, CustomPlayer] = {kind: one for kind, one in found.items() if one is not None}
        source = EntropySource.from_text(tournament.seed)
        self._order, self._checks = (source.program_random(0, number, label) for label in ("batches", "checks"))
        self._games = {index: playing(tournament, index, programs) for index in games}
        self._waiting: dict[int, AwaitedChoice] = {}

    def play(self) -> AnsweredOtherwise | None:
        """Play the games to their end, or until a player answers otherwise in a batch than alone."""
        for index in self._games:
            self._go_on(index, None)
        while self._waiting:
            waiting = Counter(awaited.kind for awaited in self._waiting.values())
            kind = max(sorted(waiting), key=waiting.__getitem__)
            batch = sorted(index for index, awaited in self._waiting.items() if awaited.kind == kind)
            self._order.shuffle(batch)
            choices = choices_of(self._many[kind], [self._waiting[index].ask() for index in batch])
            if (differing := self._differing(batch, choices)) is not None:
                return AnsweredOtherwise(kind, differing)
            for index, choice in zip(batch, choices, strict=True):
                self._go_on(index, choice)
        return None

    def _go_on(self, index: int, choice: Choice | None) -> None:
        """Let a game go on to the next choice of a player that is asked about many views, or to its end."""
        game = self._games[index]
        self._waiting.pop(index, None)
        try:
            while (awaited := game.send(choice)).kind not in self._many:
                choice = choice_of(awaited.player, *awaited.ask())
        except StopIteration as over:
            self.over[index] = over.value
        else:
            self._waiting[index] = awaited

    def _differing(self, batch: list[int], choices: list[Choice]) -> int | None:
        """Ask again about some views of a batch, each alone; return the first game where the choice is another."""
        for index, choice in zip(batch, choices, strict=True):
            if self._checks.random() < CHECKED and len(batch) > 1:
                awaited = self._waiting[index]
                if choices_of(self._many[awaited.kind], [awaited.ask()]) != [choice]:
                    return index
        return None
