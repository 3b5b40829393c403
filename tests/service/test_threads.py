"""Several threads use one service: nobody sees what another is still recording, and each gets its own result."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Barrier, Event, Thread, current_thread
from typing import Any

import pytest

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Fold
from pokersvc.games.draw_poker.advising.players import MinimumPlayer
from pokersvc.games.draw_poker.events import Folded
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service import NothingToDo, Recorded, Service

from .support import as_the_log_says, started, types

PATIENCE = 60.0
"""Seconds after which a thread that waits is one that waits for ever."""


@pytest.fixture
def database(shared: Database) -> Database:
    return shared


class Asked(Thread):
    """A thread that asks something, and holds the answer or the error."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._ask = ask
        self.answer: Any = None
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = self._ask()
        except BaseException as error:
            self.error = error

    def end(self) -> "Asked":
        self.join(PATIENCE)
        assert not self.is_alive()
        return self


class Gate:
    """A gate at which every thread but the first waits until it is opened for all."""

    def __init__(self) -> None:
        self._reached, self._open = Event(), Event()
        self._main = current_thread()

    def passed(self) -> None:
        if current_thread() is not self._main:
            self._reached.set()
            assert self._open.wait(PATIENCE)

    @contextmanager
    def holding(self, ask: Callable[[], Any]) -> Iterator[Asked]:
        """Let a thread ask, and wait at the gate while the context lasts."""
        asked = Asked(ask)
        try:
            assert self._reached.wait(PATIENCE)
            yield asked
        finally:
            self._open.set()
            asked.end()


class HeldLog(EventLog):
    """A log whose appends wait at a gate: the events are applied, but not yet recorded."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.gate = Gate()
        self.fails = False

    def append(self, game_id: str, events: Sequence[NewEvent], **rest: Any) -> list[Record]:
        self.gate.passed()
        if self.fails and current_thread().daemon:
            raise StorageFailed("The disk is full.")
        return super().append(game_id, events, **rest)


@pytest.fixture
def held(database: Database) -> HeldLog:
    return HeldLog(database)


def test_what_is_applied_and_not_yet_recorded_nobody_sees(held: HeldLog) -> None:
    service = Service(held)
    game_id = started(service, HUMAN, HUMAN)
    status, views = service.status(game_id), [service.view(game_id, viewer) for viewer in (EVERYONE, 1, 2)]
    with held.gate.holding(lambda: service.act(game_id, Bet(1, 50))) as betting:
        assert service.status(game_id) == status
        assert [service.view(game_id, viewer) for viewer in (EVERYONE, 1, 2)] == views
        assert service.turn(game_id, 1).count == status.count
        with pytest.raises(IllegalAction, match="it is Ann's turn"):
            service.act(game_id, Call(2))

    assert types(betting.answer) == ["Bet"]
    assert service.status(game_id).to_act == 2
    assert types(service.act(game_id, Call(2))) == ["Called"]
    assert as_the_log_says(service, held, game_id)


@pytest.mark.parametrize("action", [Bet(1, 50), Bet(1, 60), Fold(1)])
def test_who_is_overtaken_between_applying_and_appending_is_told_that_it_is_anothers_turn(
    held: HeldLog, action: Action
) -> None:
    service = Service(held)
    game_id = started(service, HUMAN, HUMAN)
    with held.gate.holding(lambda: service.act(game_id, action)) as late:
        service.act(game_id, Bet(1, 70))

    assert isinstance(late.error, IllegalAction)
    assert "it is Bob's turn" in str(late.error)
    assert [step.record.type for step in service.replay(game_id)][-2:] == ["HandDealt", "Bet"]
    assert as_the_log_says(service, held, game_id)


def test_who_is_overtaken_and_has_named_a_count_is_told_of_the_others(held: HeldLog) -> None:
    service = Service(held)
    game_id = started(service, HUMAN, HUMAN)
    count = service.status(game_id).count
    with held.gate.holding(lambda: service.act(game_id, Bet(1, 50), expected=count)) as late:
        service.act(game_id, Bet(1, 70))
    assert isinstance(late.error, ConcurrentUpdate)
    assert (late.error.expected, late.error.found) == (count, count + 1)


def test_a_command_that_two_threads_send_is_recorded_once_and_found_by_both(held: HeldLog) -> None:
    service = Service(held)
    game_id = started(service, HUMAN, HUMAN)
    with held.gate.holding(lambda: service.act(game_id, Bet(1, 50), command_id="c")) as late:
        recorded = service.act(game_id, Bet(1, 50), command_id="c")
    assert late.answer == recorded
    assert [step.record.type for step in service.replay(game_id)].count("Bet") == 1


def test_what_cannot_be_recorded_leaves_what_the_others_see(held: HeldLog) -> None:
    service = Service(held)
    game_id = started(service, HUMAN, HUMAN)
    view = service.view(game_id, EVERYONE)
    held.fails = True
    with held.gate.holding(lambda: service.act(game_id, Bet(1, 50))) as failing:
        assert service.view(game_id, EVERYONE) == view
    assert isinstance(failing.error, StorageFailed)
    assert service.view(game_id, EVERYONE) == view
    assert as_the_log_says(service, held, game_id)


def test_no_refusal_is_called_damage(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who had decided, and applied to a table that another had ended the round on, ended the round again."""
    gate, applies = Gate(), DrawPokerState.apply

    def apply(state: DrawPokerState, event: Any) -> None:
        if isinstance(event, Folded):
            gate.passed()
        applies(state, event)

    monkeypatch.setattr(DrawPokerState, "apply", apply)
    log = EventLog(database)
    service = Service(log)
    game_id = started(service, HUMAN, HUMAN)
    service.act(game_id, Bet(1, 50))
    with gate.holding(lambda: service.act(game_id, Fold(2))) as late:
        assert types(service.act(game_id, Fold(2)))[-1] == "RoundEnded"
    assert isinstance(late.error, IllegalAction)
    assert as_the_log_says(service, log, game_id)


def test_a_program_that_thinks_keeps_nobody_waiting(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()

    class Thinks(MinimumPlayer):
        def choose(self, view: Any, legal: Any, random: Random) -> Action:
            gate.passed()
            return super().choose(view, legal, random)

    monkeypatch.setattr(DRAW_POKER, "players", {**DRAW_POKER.players, "thinker": Thinks})
    service = Service(EventLog(database))
    thinking, other = (started(service, "thinker", HUMAN) for _ in range(2))
    status = service.status(thinking)
    with gate.holding(lambda: service.step(thinking)) as stepping:
        assert service.status(thinking) == status
        assert service.view(thinking, 2).to_act == 1
        assert len(list(service.replay(thinking))) == status.count
        assert types(service.step(other)) == ["Bet"]
        assert types(service.act(other, Call(2)))[0] == "Called"
        with pytest.raises(IllegalAction, match="it is Ann's turn"):
            service.act(thinking, Call(2))
    assert types(stepping.answer) == ["Bet"]


KINDS = (HUMAN, "random", HUMAN, "minimum")


def _do_something(service: Service, game_id: str, random: Random) -> list[Recorded]:
    """Do the next possible thing in a game; others may have done it already."""
    status = service.status(game_id)
    if status.pausing:
        return service.go_on(game_id, expected=random.choice([None, status.count]))
    if status.kind_to_act != HUMAN:
        return random.choice([service.step, service.play_round])(game_id)
    assert status.to_act is not None
    turn = service.turn(game_id, status.to_act)
    action = MinimumPlayer().choose(turn.view, turn.legal, random)
    return service.act(game_id, action, expected=random.choice([None, turn.count]))


@pytest.mark.no_cover
@pytest.mark.parametrize(("most", "rounds"), [(2, 2), pytest.param(8, 12, marks=pytest.mark.slow)])
def test_of_four_threads_on_each_of_some_games_each_is_told_what_came_of_its_commands(
    database: Database, most: int, rounds: int
) -> None:
    log = EventLog(database)
    service = Service(log)
    games = [started(service, *KINDS, rounds=rounds, text=str(number)) for number in range(most)]
    at_once, told, refused = Barrier(4 * most), list[list[Recorded]](), Counter[str]()

    def play(number: int) -> None:
        random, game_id = Random(number), games[number % len(games)]
        at_once.wait(PATIENCE)
        while service.status(game_id).outcome is None:
            try:
                told.append(_do_something(service, game_id, random))
            except (ConcurrentUpdate, IllegalAction, NothingToDo) as error:
                refused[error.code] += 1

    for thread in [Asked(partial(play, number)) for number in range(4 * most)]:
        assert thread.end().error is None

    assert [finding for found in audit(database) for finding in found.findings] == []
    for game_id in games:
        assert as_the_log_says(service, log, game_id)
    commands = [recorded for recorded in told if recorded]
    firsts = {(recorded[0].record.game_id, recorded[0].record.command_id) for recorded in commands}
    stored = {(game_id, record.command_id) for game_id in games for record in log.read(game_id) if record.seq > 1}
    starts = {(game_id, next(log.read(game_id)).command_id) for game_id in games}
    assert len(firsts) == len(commands), "no command was told to two"
    assert firsts == stored - starts, "and each that is stored was told to one"
    hashes = {record.hash for game_id in games for record in log.read(game_id)}
    assert {one.record.hash for recorded in commands for one in recorded} <= hashes
