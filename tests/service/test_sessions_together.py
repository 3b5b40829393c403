"""Sessions of several clients at one game, in one thread and in several."""

from threading import Thread

import pytest

from pokersvc.core.actions import Forfeit, IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, may_see, redact
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.service import (
    Choose,
    Next,
    NotYourSeat,
    Over,
    Service,
    Session,
    Shown,
    Waiting,
)

from .driven import drive, is_choice, is_pause, seqs, shown
from .support import act, started

# Several people.


def test_people_who_share_a_client_are_asked_in_turn(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN, rounds=2)
    session = Session(service, game_id)
    said = drive(session)

    assert session.viewer == EVERYONE
    assert {one.seat for one in said if isinstance(one, Choose)} == {1, 2}
    assert isinstance(said[-1], Over)


def take_turns(*sessions: Session) -> list[list[Next]]:
    """Let clients continue in turn, each as far as it can, until the game is over for all of them."""
    said: list[list[Next]] = [[] for _ in sessions]
    while True:
        for session, so_far in zip(sessions, said, strict=True):
            so_far += drive(session)
        if all(isinstance(so_far[-1], Over) for so_far in said):
            return said


def test_two_people_play_each_on_their_own_screen(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN, "minimum", rounds=3)
    said = take_turns(Session(service, game_id, seats=[1]), Session(service, game_id, seats=[2]))

    every = [record.seq for record in log.read(game_id)]
    for seat, so_far in enumerate(said, 1):
        assert seqs(so_far) == every
        assert {one.seat for one in so_far if isinstance(one, Choose)} == {seat}
        assert any(isinstance(one, Waiting) and one.seats == (3 - seat,) for one in so_far)


def test_what_a_viewer_is_shown_never_holds_anothers_secret(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN, "minimum", rounds=3)
    sessions = [Session(service, game_id, seats=[1]), Session(service, game_id, seats=[2])]
    said = take_turns(*sessions, Session(service, game_id, seats=[]))

    whole = list(service.with_secrets.replay(game_id, AUDITOR))
    viewers: tuple[Viewer, ...] = (1, 2, EVERYONE)
    for viewer, so_far in zip(viewers, said, strict=True):
        for one, step in zip(shown(so_far), whole, strict=True):
            assert one.event == redact(step.event, viewer)
            if not may_see(step.event, viewer):
                assert step.record.secret is not None
                assert one.record.secret != step.record.secret
                assert one.record.salt is None


def test_what_a_viewer_is_shown_does_not_depend_on_what_they_may_not_know(service: Service) -> None:
    """The same events with other secrets look the same: the state is built from what the viewer knows."""
    game_id = started(service, HUMAN, HUMAN, text="table")
    for viewer in (1, 2, EVERYONE):
        session = Session(service, game_id, seats=[], viewer=viewer)
        while isinstance(session.next(), Shown):
            pass
        assert session.state.view(viewer) == service.view(game_id, viewer)
        hidden = session.state.view(AUDITOR)
        for seat in {1, 2} - {viewer}:
            assert set(hidden.seat(seat).cards) == {None}


def test_the_last_to_act_is_the_one_who_was_first(service: Service) -> None:
    """One person at two screens: what was chosen at one is not chosen again at the other."""
    game_id = started(service, HUMAN, "minimum")
    here, there = Session(service, game_id), Session(service, game_id)
    drive(here, is_choice)
    asked = drive(there, is_choice)[-1]
    assert isinstance(asked, Choose)

    assert here.act(Bet(1, 50))
    assert not there.act(Bet(1, 60)), "it came too late"
    said = drive(there, is_choice)
    assert shown(said)[0].record.type == "Bet"
    assert shown(said)[0].event.amount == 50  # type: ignore[attr-defined]
    assert said[-1] != asked


def test_an_answer_to_what_was_asked_before_is_not_taken(service: Service) -> None:
    session = Session(service, started(service, HUMAN, "minimum"))
    asked = drive(session, is_choice)[-1]
    assert isinstance(asked, Choose)
    assert not session.act(Bet(1, 50), expected=asked.count - 1)
    assert session.next() == asked


def test_an_answer_sent_again_is_taken_once(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum")
    session = Session(service, game_id)
    asked = drive(session, is_choice)[-1]
    assert isinstance(asked, Choose)
    assert session.act(Bet(1, 50), command_id="once")
    said = drive(session, is_choice)
    assert session.act(Bet(1, 50), expected=asked.count, command_id="once")
    assert session.next() == said[-1], "nothing is shown again"
    assert sum(record.type == "Bet" for record in log.read(game_id)) == 1


def test_only_one_of_two_begins_the_next_round(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    here, there = Session(service, game_id, seats=[1]), Session(service, game_id, seats=[2])
    while not service.status(game_id).pausing:
        act(service, game_id)
    drive(here, is_pause)
    drive(there, is_pause)
    assert there.go_on()
    assert not here.go_on()
    assert shown(drive(here, is_choice))[0].record.type == "RoundStarted"


def test_a_person_on_their_own_screen_answers_for_nobody_else(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    first, second = Session(service, game_id, seats=[1]), Session(service, game_id, seats=[2])
    drive(first, is_choice)
    drive(second)
    with pytest.raises(NotYourSeat):
        second.act(Bet(1, 50))
    with pytest.raises(NotYourSeat):
        second.leave(1)


def test_what_only_the_service_sends_no_client_does(service: Service) -> None:
    session = Session(service, started(service, HUMAN, "minimum"))
    drive(session, is_choice)
    with pytest.raises(IllegalAction) as refused:
        session.act(Forfeit(1, "timeout"))
    assert refused.value.code == "unknown_action"


def test_who_is_out_does_not_begin_a_round_for_others(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN, HUMAN)
    session = Session(service, game_id, seats=[1])
    while not service.status(game_id).pausing:
        act(service, game_id)
    drive(session, is_pause)
    assert session.leave(1)
    said = drive(session)
    assert said[-1] == Waiting(session.count, (2, 3))
    with pytest.raises(NotYourSeat):
        session.go_on()


# Others at the same game: threads and processes.


def test_what_another_recorded_comes_next(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN)
    session = Session(service, game_id, seats=[2])
    waiting = drive(session)[-1]
    assert waiting == session.next() == Waiting(session.count, (1,))

    another = Service(log)  # as in another process: it shares the log and nothing else
    another.act(game_id, Bet(1, 50))
    found = session.next()
    assert isinstance(found, Shown)
    assert found.record.type == "Bet"
    assert is_choice(drive(session, is_choice)[-1])


def test_people_play_from_threads_of_their_own(shared: Database) -> None:
    log = EventLog(shared)
    game_id = started(Service(log), HUMAN, HUMAN, "minimum", rounds=2)
    said: list[list[Next]] = [[], []]

    def play(seat: int, so_far: list[Next]) -> None:
        session = Session(Service(log), game_id, seats=[seat])
        while not so_far or not isinstance(so_far[-1], Over):
            so_far += drive(session)

    threads = [Thread(target=play, args=(seat, so_far)) for seat, so_far in enumerate(said, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = [record.seq for record in log.read(game_id)]
    assert [seqs(so_far) for so_far in said] == [every, every]
