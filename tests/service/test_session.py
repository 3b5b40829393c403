"""A session: one client's way through a game, driven here by scripts instead of people."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR
from pokersvc.core.seats import HUMAN
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.service import (
    Choose,
    NotForAuditors,
    NothingShown,
    NotYourSeat,
    Over,
    Pause,
    Service,
    Session,
    Shown,
    Stopped,
    Waiting,
    questions,
)

from .driven import answer, drive, is_choice, is_pause, seqs, shown
from .support import act, play_out, started

# One person.


def test_a_game_is_played_to_its_end_and_every_event_comes_once(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=3)
    said = drive(Session(service, game_id))

    over = said[-1]
    assert isinstance(over, Over)
    assert over.outcome == service.status(game_id).outcome
    assert seqs(said) == [record.seq for record in log.read(game_id)]
    assert sum(map(is_pause, said)) == 2, "between three rounds"
    assert {one.seat for one in said if isinstance(one, Choose)} == {1}


def test_each_event_comes_with_the_state_that_it_made(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id)
    replayed = [(step.record, step.event, step.state.view(1)) for step in service.replay(game_id, 1)]
    for expected in replayed:
        one = session.next()
        assert isinstance(one, Shown)
        assert (one.record, one.event, one.state.view(1)) == expected
        assert one.state is session.state


def test_a_client_is_told_before_and_after_a_bot_chooses(service: Service) -> None:
    told: list[tuple[str, int]] = []

    def followed(session: Session) -> Session:
        @contextmanager
        def choosing(seat: int) -> Iterator[None]:
            told.append(("begins", seat))
            assert service.status(session.game_id).awaited == (seat,)
            yield
            told.append(("has chosen", seat))
            assert service.status(session.game_id).count > session.count

        session.while_choosing = choosing
        return session

    drive(followed(Session(service, started(service, HUMAN, "minimum", "minimum", rounds=1))))
    assert {seat for _, seat in told} == {2, 3}
    begun, ended = told[::2], told[1::2]
    assert [("has chosen", seat) for _, seat in begun] == ended
    told.clear()
    drive(followed(Session(service, started(service, "minimum", "minimum", rounds=1))))
    assert not told, "whole rounds are played in one command"


def test_a_choice_says_what_the_seat_is_asked(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id)
    asked = drive(session, is_choice)[-1]

    turn = service.turn(game_id, 1)
    assert asked == Choose(turn.count, turn.legal, 1, turn.view)
    assert session.awaited == (1,)
    assert session.next() == asked, "asked again, it is the same"


def test_a_refused_action_leaves_no_trace_and_the_choice_as_it_was(service: Service) -> None:
    session = Session(service, started(service, HUMAN, "minimum"))
    asked = drive(session, is_choice)[-1]
    with pytest.raises(IllegalAction):
        session.act(Bet(1, 1))
    assert session.next() == asked


def test_between_two_rounds_it_says_who_may_leave(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", "minimum", rounds=3)
    session = Session(service, game_id)
    pause = drive(session, is_pause)[-1]

    assert isinstance(pause, Pause)
    assert (pause.count, pause.leaving) == (session.count, (1,))
    assert "Ann has $895" in pause.beforehand[1][0]
    assert session.leave(1)
    said = drive(session)
    assert [one.record.type for one in shown(said)][:2] == ["PlayerLeft", "RoundStarted"]
    assert isinstance(said[-1], Over), "the programs play it out"


def test_people_know_beforehand_what_they_will_not_be_asked(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def warned(_words: DrawPokerWords, view: DrawPokerView, seat: int) -> list[str]:
        return [f"{seat} is short before round {view.round + 1}"] if seat != 2 else []

    monkeypatch.setattr(DrawPokerWords, "before_round", warned)
    game_id = started(service, HUMAN, HUMAN, HUMAN, "minimum")
    session = Session(service, game_id, seats=[1, 2])
    session.next()
    assert session.beforehand() == {1: ("1 is short before round 1",)}
    while not service.status(game_id).pausing:
        act(service, game_id)
    pause = drive(session, is_pause)[-1]
    assert pause == Pause({1: ("1 is short before round 2",)}, session.count, (1, 2))
    session.leave(1)
    pause = drive(session, is_pause)[-1]
    assert pause == Pause({}, session.count, (2,)), "who left needs to know nothing"


# Programs.


def test_programs_play_alone_until_their_game_is_over(service: Service) -> None:
    session = Session(service, started(service, "minimum", "minimum", rounds=2))
    said = drive(session)
    assert isinstance(said[-1], Over)
    assert all(one.alone for one in shown(said))
    assert session.rounds_alone == 2


def test_it_stops_after_so_many_rounds_of_programs_alone(service: Service) -> None:
    game_id = started(service, "minimum", "minimum")
    session = Session(service, game_id, most_alone=3)
    stopped = drive(session)[-1]
    assert stopped == Stopped(session.count, 3) == session.next()
    again = drive(Session(service, game_id, most_alone=2))
    assert isinstance(again[-1], Stopped)
    assert again[-1].rounds == 2, "rounds that were played before do not count"


def test_rounds_with_a_person_in_them_are_not_alone(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", "minimum", rounds=4)
    session = Session(service, game_id, most_alone=2)
    said = drive(session, is_pause)
    assert not any(one.alone for one in shown(said))
    session.leave(1)
    said = drive(session)
    assert said[-1] == Stopped(session.count, 2)
    assert not shown(said)[0].alone, "who leaves is still there when they say so"


def test_without_programs_of_its_own_it_waits_for_them(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id, runs_programs=False)
    drive(session, is_choice)
    session.act(Bet(1, 50))
    assert drive(session)[-1] == Waiting(session.count, (2,))
    service.step(game_id)
    assert shown(drive(session, is_choice))[0].record.type == "Called"


def test_where_another_lets_a_program_choose_first_that_is_shown(
    service: Service, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id)
    drive(session, is_choice)
    session.act(Bet(1, 50))
    step = Service.step
    first: list[Any] = []

    def slow(self: Service, *arguments: Any, **options: Any) -> Any:
        if not first:
            first.append(step(Service(log), game_id))
        return step(self, *arguments, **options)

    monkeypatch.setattr(Service, "step", slow)
    said = drive(session, is_choice)
    assert seqs(said) == list(range(shown(said)[0].record.seq, session.count + 1))
    assert sum(record.type == "Called" for record in log.read(game_id)) == 1


# Coming later, and coming back.


@pytest.mark.parametrize("part", [1, 3, 1000])
def test_who_comes_late_is_shown_all_of_it(
    service: Service, log: EventLog, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(questions, "PART", part)
    game_id = started(service, HUMAN, "minimum", rounds=2)
    play_out(service, game_id)
    said = drive(Session(service, game_id, seats=[]))
    assert seqs(said) == [record.seq for record in log.read(game_id)]
    assert isinstance(said[-1], Over)


def test_who_comes_back_is_shown_what_they_have_not_seen(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=2)
    play_out(service, game_id)
    every = [record.seq for record in log.read(game_id)]
    whole = Session(service, game_id)
    drive(whole)
    for seen in every:  # also within a command
        session = Session(service, game_id, seen=seen)
        assert session.count == seen
        assert seqs(drive(session)) == every[seen:]
        assert session.state.view(1) == whole.state.view(1)


def test_a_game_goes_on_in_another_session_as_it_would_have(service: Service, log: EventLog) -> None:
    game_id, other = (started(service, HUMAN, "minimum", "random", rounds=3) for _ in range(2))
    drive(Session(service, game_id))
    while True:
        session = Session(Service(log), other, seen=service.status(other).count)
        found = drive(session, lambda found: not isinstance(found, Shown))[-1]
        if isinstance(found, Over):
            break
        answer(session, found)
    assert [(r.type, r.payload) for r in log.read(other)] == [(r.type, r.payload) for r in log.read(game_id)]


def test_a_spectator_is_asked_nothing(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id, seats=[])
    assert drive(session)[-1] == Waiting(session.count, (1,))
    while not service.status(game_id).pausing:
        act(service, game_id)
    assert drive(session)[-1] == Waiting(session.count, (1,))
    with pytest.raises(NotYourSeat):
        session.go_on()


@pytest.mark.parametrize(
    "options",
    [
        {"seats": [2]},  # a program's
        {"seats": [4]},
        {"seats": [True]},
        {"seats": [1], "viewer": 3},  # another person's cards
        {"viewer": 5},
        {"seen": 1000},
        {"seen": -1},
    ],
    ids=str,
)
def test_a_client_that_cannot_be_is_refused(service: Service, options: dict[str, Any]) -> None:
    game_id = started(service, HUMAN, "minimum", HUMAN)
    with pytest.raises(InvalidValue):
        Session(service, game_id, **options)


def test_nobody_plays_as_an_auditor(service: Service) -> None:
    with pytest.raises(NotForAuditors):
        Session(service, started(service, HUMAN, "minimum"), viewer=AUDITOR)


def test_before_the_first_event_there_is_nothing_to_know(service: Service) -> None:
    session = Session(service, started(service, HUMAN, "minimum"))
    assert session.awaited == ()
    with pytest.raises(NothingShown):
        _ = session.state


def test_nothing_begins_before_the_game_was_seen(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    while not service.status(game_id).pausing:
        act(service, game_id)
    assert not Session(service, game_id).go_on()
    assert service.status(game_id).pausing
