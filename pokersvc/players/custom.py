"""A custom player in processes of its own; the game continues no matter what happens in them.

A process loads the player once and forks for every choice, so nothing that the player does to itself lasts.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from threading import Lock
from typing import Final, TypeAlias

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Drawn, WrongPolicy, drawn
from pokersvc.errors import PokersvcError
from pokersvc.players import messages, worker
from pokersvc.players.answering import parts_of
from pokersvc.players.answers import Answers
from pokersvc.players.process import (
    Code,
    Loading,
    NoAnswerError,
    PendingAnswer,
    Process,
    TrustedProcess,
    UnusablePlayer,
    unusable,
)
from pokersvc.players.walls import Walls, no_box

LOADING: Final = 60.0
"""Seconds that a player's file may take to load; its libraries may be large."""
_SPARE: Final = 5.0
"""A later load may take this many seconds plus this many times the first load's time; no choice's time includes it."""
MOST_IDLE: Final = 4
"""Idle processes kept per player; more exist while more threads ask at the same time."""


Ask: TypeAlias = tuple[object, object, Random]
"""A view, the legal actions, and the randomness."""


class ChoiceForfeited(PokersvcError):
    """A custom player gave no answer; ``code`` says why, as the log does."""

    def __init__(self, code: Code) -> None:
        super().__init__(f"The player gave no answer ({code}).")
        self.code = code  # type: ignore[misc]  # each has its own


Answer: TypeAlias = Action | Drawn | ChoiceForfeited
"""A player's answer: an action, an action drawn from its policy, or the reason why there is none."""


@dataclass
class Spent:
    """The number of choices that a player made, and the time that preparing them took."""

    choices: int = 0
    preparing: int = 0
    """The number of choices most of whose time went into imports and making the player."""
    seconds: float = 0.0
    """The seconds of those choices."""

    def add(self, other: "Spent") -> None:
        """Add the numbers and times of other choices."""
        self.choices += other.choices
        self.preparing += other.preparing
        self.seconds += other.seconds


class CustomPlayer:
    """A custom player, loaded as `Loading` says, in a box unless it is trusted.

    Threads that ask it at the same time each use a process of their own, so none waits for another's choice.
    """

    def __init__(self, loading: Loading, walls: Walls) -> None:
        self._what, self._walls = loading, walls
        self._answers = Answers(loading.game.actions)
        self._loading, self._lock = Lock(), Lock()
        self._idle: list[Process] = []
        self._loaded = self._closed = self._takes_many = False
        self._longest = LOADING
        self._spent = Spent()

    def load(self) -> None:
        """Start a process unless one was started before; raise `UnusablePlayer` if the player cannot be loaded."""
        with self._loading:
            if not self._loaded:
                began = time.monotonic()
                self._keep(self._started())
                self._longest = min(LOADING, _SPARE * (1 + time.monotonic() - began))
                self._loaded = True

    @property
    def takes_many(self) -> bool:
        """Whether the loaded player answers about many views at once; `load` it first."""
        return self._takes_many

    def choose(self, view: object, legal: object, random: Random) -> Action:
        """Return the player's action; raise `ChoiceForfeited` if it gives none."""
        answer = self.answer(view, legal, random)
        if isinstance(answer, ChoiceForfeited):
            raise answer
        return answer.action if isinstance(answer, Drawn) else answer

    def answer(self, view: object, legal: object, random: Random) -> Answer:
        """Return the player's action, alone or with the policy that it was drawn from; or why there is none."""
        [answer] = self.choose_many([(view, legal, random)])
        return answer

    def choose_many(self, asks: Sequence[Ask]) -> list[Answer]:
        """Ask the player once about views with their legal actions; return its action for each, or why there is none.

        Only a player that `takes_many` may be asked about more than one view, at most `messages.MOST_TOGETHER`.
        """
        began = time.monotonic()
        question = self.question(asks)
        try:
            question.ask()
            return question.answers()
        finally:
            if self._walls.strict:  # wait until the whole limit is over, or twice the limit if the choice was too late
                time.sleep(-(time.monotonic() - began) % (self._what.limit * len(asks)))

    def question(self, asks: Sequence[Ask]) -> "PutQuestion":
        """Return a question for `choose_many`, written for a process; the caller takes the further steps."""
        return PutQuestion(self, asks)

    def take(self) -> Process:
        """Return a process that is idle, or a new one; raise `UnusablePlayer` if the player cannot be loaded."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        return process or self._started()  # no process is idle: all have ended or are busy

    def keep(self, process: Process, preparing: float | None) -> None:
        """Keep a process that has answered; ``preparing`` is the choice's seconds if most were spent on preparing."""
        self._keep(process)
        with self._lock:
            self._spent.add(Spent(1, preparing is not None, preparing or 0.0))

    def read(self, kind: bytes, answer: bytes, asks: Sequence[Ask]) -> list[Answer]:
        """Return the actions that an answer of this kind gives, or why it gives none."""
        if kind == messages.BATCH and (parts := parts_of(answer, len(asks))) is not None:
            return [self._action(*part, random) for part, (_, _, random) in zip(parts, asks, strict=True)]
        if len(asks) > 1 and kind not in _CODES:
            kind = messages.RAISED
        return [self._action(kind, answer, random) for _, _, random in asks]

    def _action(self, kind: bytes, answer: bytes, random: Random) -> Answer:
        """Return the action that an answer of this kind gives, or why it gives none."""
        if kind == messages.POLICY:
            with suppress(WrongPolicy):
                return drawn(self._answers.read_policy(answer), random)
            return ChoiceForfeited("illegal")
        if kind != messages.ANSWERED:
            return ChoiceForfeited(_CODES.get(kind, "raised"))
        return self._answers.read(answer) or ChoiceForfeited("illegal")

    def spent(self) -> Spent:
        """Return the number and the preparation time of the choices since the last call."""
        with self._lock:
            spent, self._spent = self._spent, Spent()
        return spent

    def close(self) -> None:
        """End the processes and all that they started; a process that is choosing ends after its answer."""
        with self._lock:
            self._closed, idle, self._idle = True, self._idle, []
        for process in idle:
            process.end()

    def _keep(self, process: Process) -> None:
        """Keep a process for the next question, or end it if enough are idle."""
        with self._lock:
            if wanted := not self._closed and len(self._idle) < MOST_IDLE:
                self._idle.append(process)
        if not wanted:
            process.end()

    def _started(self) -> Process:
        worker.close_memory()  # this process holds every card of the deal, which the player must not read
        process = _process_of(self._what, self._walls)
        try:
            process.load(self._longest)
        except NoAnswerError as error:
            process.end()
            took = f"loading it takes more than {self._longest:g} seconds"
            raise unusable(
                self._what.kind, took if error.code == "timeout" else "its process ended while it was loaded"
            ) from None
        except BaseException:
            process.end()
            raise
        self._takes_many = process.takes_many
        return process


class PutQuestion:
    """A question to a custom player that has been written: `begin` to ask it, and take the `answers` when it is done.

    Meanwhile the caller may do other work and `look` from time to time. No thread waits for the answer: such a
    thread would have to wait for Python's lock, 5 ms each time.
    """

    def __init__(self, player: CustomPlayer, asks: Sequence[Ask]) -> None:
        self._player, self._asks = player, asks
        self._said: tuple[bytes, bytes] | ChoiceForfeited = ChoiceForfeited("raised")
        self._process: Process | None = None
        self._asking: PendingAnswer | None = None
        try:
            self._process = process = player.take()
        except UnusablePlayer:
            return
        self._began = time.monotonic()
        try:
            keys = [(view, legal, random.randbytes(32)) for view, legal, random in asks]
            self._written = process.questions.write(keys, len(asks))
        except BaseException:
            process.end()
            raise

    @property
    def done(self) -> bool:
        """Whether the player has answered, or can no longer answer, as of the last `look` or `wait`."""
        return self._asking is None

    def begin(self) -> None:
        """Begin to ask the player."""
        if self._process is not None:
            with self._ended_by_errors(self._process):
                self._asking = self._process.choose(self._written, len(self._asks))

    def look(self, *, wait: bool = False) -> None:
        """Take the player's answer if it has come, or, with ``wait``, wait as long as it may take."""
        if self._process is None or self._asking is None:
            return
        with self._ended_by_errors(self._process):
            if (said := self._asking.answer(wait=wait)) is None:
                return
            self._asking, self._said = None, said
            kind, _ = said
            late = kind in messages.OF_CHOICES and kind.islower()
            self._player.keep(self._process, time.monotonic() - self._began if late else None)

    def ask(self) -> None:
        """Ask the player, and wait for its answer as long as it may take."""
        self.begin()
        self.look(wait=True)

    @contextmanager
    def _ended_by_errors(self, process: Process) -> Iterator[None]:
        """End the process if it cannot be used again; its choices are then forfeited."""
        try:
            yield
        except NoAnswerError as error:
            process.end()
            self._asking, self._said = None, ChoiceForfeited(error.code)
        except BaseException:
            process.end()
            self._asking = None
            raise

    def answers(self) -> list[Answer]:
        """Return the player's action for each view, or why there is none."""
        if isinstance(self._said, ChoiceForfeited):
            return [self._said] * len(self._asks)
        kind, answer = self._said
        return self._player.read(kind.upper(), answer, self._asks)


def _process_of(loading: Loading, walls: Walls) -> Process:
    """Start the process in which a player is loaded."""
    if walls.trusted:
        return TrustedProcess(loading)
    if sys.platform != "linux":
        raise no_box(loading.kind, f"a box needs Linux, and this is {sys.platform}")
    from pokersvc.players.boxed import Boxed

    return Boxed(loading, walls)


_CODES: Final[dict[bytes, Code]] = {messages.TIMEOUT: "timeout", messages.ILLEGAL: "illegal"}
"""Kind of answer → the forfeit's code; a kind that is not listed counts as "raised"."""
