"""Games played in lockstep: a player that answers about many views is asked once about all games that wait for it.

What a batch holds follows from the tournament's seed and the choices so far; timing and processes do not matter.
"""

from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, NamedTuple, TypeAlias

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Drawn
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.players import Choice, ChoiceForfeited, Programs, choice_of
from pokersvc.players.custom import Answer, Ask, CustomPlayer, PutQuestion
from pokersvc.system.garbage import searched_less_often
from pokersvc.tournament.groups import HALVES
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import AwaitedChoice, Whole, playing

CHECKED: Final = 0.02
"""The share of the views in batches about which the player is asked a second time, one view at a time."""


class AnsweredOtherwise(NamedTuple):
    """A player answered differently in a batch than alone, in a choice of the game with this number (from 0)."""

    kind: str
    game: int


class Wanted(NamedTuple):
    """The request of one half of a group to ask a player about these views."""

    player: CustomPlayer
    asks: list[Ask]


class Beside:
    """Asks one custom player at a time; meanwhile this thread plays other games and checks for the answer.

    Used as a context, it first waits until no player is being asked: two players that are asked at the same moment
    could tell each other something.
    """

    def __init__(self) -> None:
        self._asked: PutQuestion | None = None

    @property
    def busy(self) -> bool:
        """Whether a player was still being asked when this thread last checked."""
        return self._asked is not None and not self._asked.done

    def begin(self, wanted: Wanted) -> PutQuestion:
        """Begin to ask a player; return the question, which says when it is done."""
        self._asked = question = wanted.player.question(wanted.asks)
        question.begin()
        return question

    def look(self, *, wait: bool = False) -> None:
        """Take an answer if it has come; with ``wait``, wait until no player is being asked."""
        if self._asked is not None and not self._asked.done:
            self._asked.look(wait=wait)

    def __enter__(self) -> None:
        self.look(wait=True)

    def __exit__(self, *_: object) -> None:
        pass


class Again(NamedTuple):
    """A view of a batch about which the player is asked a second time, alone."""

    wanted: Wanted
    answer: Answer
    """The answer in the batch."""
    otherwise: AnsweredOtherwise
    """The finding if the answer alone differs."""

    def found(self, alone: Sequence[Answer]) -> AnsweredOtherwise | None:
        """Return the difference that the answer alone shows; None if it is the same as in the batch."""
        [answer] = alone
        return None if _said(answer) == _said(self.answer) else self.otherwise


def _said(answer: Answer) -> Action | Drawn | str:
    return answer.code if isinstance(answer, ChoiceForfeited) else answer


Playing: TypeAlias = Generator[Wanted | None, list[Answer], None]
"""Half a group in play: it yields the questions to ask and is sent the answers. Between games, and before they
continue, it yields None."""


class InLockstep:
    """Games of different deals, by their numbers; ``number`` determines the order of batches and their checks.

    ``alone`` has the kinds of players that are asked about one view each, and ``asking`` is held while such a custom
    player is asked.
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
        self.again: deque[Again] = deque()
        """The views about which a player must still be asked again; the games continue before that."""
        self._own = {
            seat.kind
            for seat, content in zip(tournament.players, tournament.contents, strict=True)
            if content is not None
        }
        found = {kind: programs.of_many(tournament.game, kind) for kind in self._own - alone}
        self._many: dict[str, CustomPlayer] = {kind: one for kind, one in found.items() if one is not None}
        source = EntropySource.from_text(tournament.seed)
        self._order, self._checks = (source.program_random(0, number, label) for label in ("batches", "checks"))
        self._asking = asking
        self._games = {index: playing(tournament, index, programs, asking=asking) for index in games}
        self._waiting: dict[int, AwaitedChoice] = {}

    def play(self) -> Playing:
        """Play the games to their end; each batch adds views to `again`."""
        for index in self._games:
            self._go_on(index, None)
            yield None
        while self._waiting:
            waiting = Counter(awaited.kind for awaited in self._waiting.values())
            kind = max(sorted(waiting), key=waiting.__getitem__)
            batch = sorted(index for index, awaited in self._waiting.items() if awaited.kind == kind)
            self._order.shuffle(batch)
            choices = [self._waiting[index].ask() for index in batch]
            asks = [choice.ask() for choice in choices]
            answers = yield Wanted(self._many[kind], asks)
            self.again.extend(self._asked_again(kind, batch, asks, answers))
            yield None
            for index, choice, answer in zip(batch, choices, answers, strict=True):
                self._go_on(index, choice.choice(answer))
                yield None

    def _go_on(self, index: int, choice: Choice | None) -> None:
        """Play a game on to its end, or to the next choice of a player that is asked about many views."""
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

    def _asked_again(self, kind: str, batch: list[int], asks: list[Ask], answers: list[Answer]) -> Iterator[Again]:
        """Yield some views of a batch; each has the same randomness as before the player was asked."""
        for index, (view, legal, _), answer in zip(batch, asks, answers, strict=True):
            if self._checks.random() < CHECKED and len(batch) > 1:
                alone = view, legal, self._waiting[index].ask().random
                yield Again(Wanted(self._many[kind], [alone]), answer, AnsweredOtherwise(kind, index))


def play_in_halves(
    tournament: Tournament, number: int, games: Sequence[int], programs: Programs, alone: AbstractSet[str]
) -> dict[int, Whole] | AnsweredOtherwise:
    """Play the games of the group with this number; return them by their numbers.

    Each of two halves is played in lockstep: while a player is asked about one half, the games of the other continue.
    With `Walls.strict` they do not, because a player could infer from its own speed how others fare.
    """
    beside = Beside()
    halves = [
        InLockstep(tournament, HALVES * number + half, games[half::HALVES], programs, alone, beside)
        for half in range(HALVES)
    ]
    if tournament.walls.strict:
        found = [one_after_the_other(half) for half in halves]
    else:
        with searched_less_often():
            found = _in_turn(halves, beside)
    return next(filter(None, found), None) or {index: whole for half in halves for index, whole in half.over.items()}


def one_after_the_other(half: InLockstep) -> AnsweredOtherwise | None:
    """Play half a group, and do nothing else while a player is asked; end at the first difference."""
    playing = half.play()
    with suppress(StopIteration):
        wanted = next(playing)
        while True:
            wanted = next(playing) if wanted is None else playing.send(wanted.player.choose_many(wanted.asks))
            while half.again:
                again = half.again.popleft()
                if (found := again.found(again.wanted.player.choose_many(again.wanted.asks))) is not None:
                    return found
    return None


def _in_turn(halves: list[InLockstep], beside: Beside) -> list[AnsweredOtherwise | None]:
    """Play halves of a group: while a player is asked about one half, or is asked again, all other games continue."""
    turns = [_HalfInTurn(half, beside) for half in halves]
    while playing := [turn for turn in turns if not turn.over]:
        beside.look()
        went_on = [turn.go_on() for turn in playing]
        if not any(went_on):
            beside.look(wait=True)
    beside.look(wait=True)  # a half that ended with a difference may have unanswered questions
    return [turn.found for turn in turns]


class _HalfInTurn:
    """Half a group that is played in turn with the other; it ends at the first difference."""

    def __init__(self, half: InLockstep, beside: Beside) -> None:
        self._playing, self._beside, self._again = half.play(), beside, half.again
        self._wanted: Wanted | None = None
        self._batch: PutQuestion | None = None
        self._alone: tuple[Again, PutQuestion] | None = None
        """A player is being asked about this batch, or a second time about this single view of an earlier batch."""
        self._played = False
        self.found: AnsweredOtherwise | None = None

    @property
    def over(self) -> bool:
        """Whether nothing is left to do, or a difference was found."""
        return self.found is not None or (self._played and self._alone is None and not self._again)

    def go_on(self) -> bool:
        """Take one step; return False if nothing can be done before a player has answered."""
        return any([self._compare(), self._play(), self._ask_again()])

    def _play(self) -> bool:
        """Continue a game, or begin to ask about all waiting games; return whether either was possible."""
        try:
            if self._batch is not None:
                if not (question := self._batch).done:
                    return False
                self._batch = None
                self._wanted = self._playing.send(question.answers())
            elif self._wanted is None and not self._played:
                self._wanted = next(self._playing)
            elif self._wanted is None or self._beside.busy:
                return False
        except StopIteration:
            self._played = True
        if self._wanted is not None and not self._beside.busy:
            self._batch, self._wanted = self._beside.begin(self._wanted), None
        return True

    def _ask_again(self) -> bool:
        """Begin to ask again about a view, if a player is free; return whether one is."""
        if self._beside.busy or self._alone is not None or not self._again:
            return False
        again = self._again.popleft()
        self._alone = again, self._beside.begin(again.wanted)
        return True

    def _compare(self) -> bool:
        """If the answer about a view alone has come, compare it with its batch's answer; return whether one came."""
        if self._alone is None:
            return False
        again, question = self._alone
        if not question.done:
            return False
        self._alone = None
        self.found = again.found(question.answers())
        return True
