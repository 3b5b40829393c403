"""Several seats are awaited at once: by the service, programs, people, the log, readers, auditors and tournaments."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.actions import Forfeit, IllegalAction, Leave
from pokersvc.core.common_events import Forfeited
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.evidence.audit import audit
from pokersvc.players import Programs
from pokersvc.service import Choose, NothingToDo, Service, Session, Shown
from pokersvc.service.read_models import history
from pokersvc.tournament.play import play
from tests.cli.program import Program
from tests.evidence.support import exported, verification
from tests.sending import send
from tests.tournament.support import planned

from .game import SEALED, NumberSealed, NumbersRevealed, Pick, RoundStarted, SealedState

NAMES = ("Ann", "Bob", "Cy", "Dee")


def setup(*kinds: str, rounds: int = 2) -> Setup:
    return Setup(tuple(map(Seat, kinds, NAMES)), EntropySource.from_text("sealed"), rounds)


def started(service: Service, *kinds: str, rounds: int = 2) -> str:
    return service.start("sealed", setup(*kinds, rounds=rounds), game_id="game")[0]


def types(recorded: list[Any]) -> list[type[Event]]:
    return [type(one.event) for one in recorded]


# Who is awaited.


def test_all_seats_are_awaited_and_none_is_the_one_to_act(service: Service) -> None:
    status = service.status(started(service, HUMAN, HUMAN, "high"))
    assert (status.awaited, status.to_act, status.kind_to_act) == ((1, 2, 3), None, None)
    assert service.turn("game", 2).awaited == (1, 2, 3)


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_an_action_of_any_awaited_seat_is_taken_in_any_order(service: Service, order: tuple[int, int]) -> None:
    started(service, HUMAN, HUMAN)
    first, last = order
    assert types(service.act("game", Pick(first, 3))) == [NumberSealed]
    status = service.status("game")
    assert (status.awaited, status.to_act, status.kind_to_act) == ((last,), last, HUMAN)
    assert types(service.act("game", Pick(last, 4))) == [NumberSealed, NumbersRevealed]
    assert service.status("game").awaited == ()


def test_a_seat_that_has_chosen_is_not_awaited(service: Service) -> None:
    started(service, HUMAN, HUMAN)
    service.act("game", Pick(1, 3))
    for ask in (lambda: service.act("game", Pick(1, 4)), lambda: service.turn("game", 1)):
        with pytest.raises(IllegalAction) as refused:
            ask()
        assert refused.value.code == "not_your_turn"


def test_two_people_choose_at_the_same_time(service: Service) -> None:
    started(service, HUMAN, HUMAN, HUMAN, HUMAN)
    with ThreadPoolExecutor(4) as people:
        list(people.map(lambda seat: service.act("game", Pick(seat, seat)), (4, 3, 2, 1)))
    assert service.view("game", EVERYONE).numbers == (1, 2, 3, 4)


def test_who_names_the_count_is_told_that_another_was_first(service: Service) -> None:
    started(service, HUMAN, HUMAN)
    count = service.turn("game", 1).count
    service.act("game", Pick(2, 1), expected=count)
    with pytest.raises(ConcurrentUpdate):
        service.act("game", Pick(1, 1), expected=count)


@pytest.mark.parametrize("named", [False, True])
def test_a_client_s_choice_counts_although_another_seat_was_first(service: Service, named: bool) -> None:
    """Seats may choose in any order, so a client is not asked again because another seat was first."""
    started(service, HUMAN, HUMAN, HUMAN)
    session = Session(service, "game", seats=[1])
    while isinstance(found := session.next(), Shown):
        pass
    assert isinstance(found, Choose)
    service.act("game", Pick(2, 1))
    assert session.next() != found
    service.act("game", Pick(3, 1))
    assert session.act(Pick(1, 4), expected=found.count if named else None)
    while isinstance(session.next(), Shown):
        pass
    assert service.view("game", EVERYONE).numbers == (4, 1, 1)


def test_the_last_of_those_awaited_may_answer_what_they_were_asked_before_another_s_choice_was_shown(
    service: Service,
) -> None:
    started(service, HUMAN, HUMAN)
    session = Session(service, "game", seats=[1])
    while isinstance(found := session.next(), Shown):
        pass
    assert isinstance(found, Choose)
    service.act("game", Pick(2, 1))
    assert isinstance(session.next(), Shown)
    assert session.act(Pick(1, 4), expected=found.count)
    assert service.view("game", EVERYONE).numbers == (4, 1)


def test_one_person_at_two_clients_chooses_once(service: Service) -> None:
    started(service, HUMAN, HUMAN, HUMAN)
    here, there = Session(service, "game", seats=[1]), Session(service, "game", seats=[1])
    for session in (here, there):
        while isinstance(session.next(), Shown):
            pass
    service.act("game", Pick(2, 5))
    assert there.act(Pick(1, 3))
    assert not here.act(Pick(1, 4)), "it came too late, and is no mistake of theirs"
    assert service.view("game", 1).numbers == (3, None, None)
    assert service.status("game").awaited == (3,)


def test_a_client_s_choice_does_not_count_in_another_round(service: Service) -> None:
    started(service, HUMAN, "high")
    session = Session(service, "game", seats=[1])
    while isinstance(found := session.next(), Shown):
        pass
    assert isinstance(found, Choose)
    service.act("game", Pick(1, 3))
    service.go_on("game")
    assert not session.act(Pick(1, 4), expected=found.count)
    while isinstance(found := session.next(), Shown):
        pass
    assert isinstance(found, Choose)
    assert service.view("game", 1).numbers[0] is None
    assert not session.act(Pick(1, 4), expected=found.count + 1), "so many events there are not"


# The choices stay secret until all are made.


@pytest.mark.parametrize("viewer", [EVERYONE, 1])
def test_a_choice_is_hidden_from_others_until_all_have_chosen(service: Service, viewer: Viewer) -> None:
    started(service, HUMAN, HUMAN)
    (recorded,) = service.act("game", Pick(2, 4), viewer=viewer)
    assert recorded.event == NumberSealed(None, 2)
    assert service.view("game", viewer).numbers == (None, None)
    assert service.view("game", 2).numbers == (None, 4)
    *_, last = service.replay("game", viewer)
    assert last.event == NumberSealed(None, 2)
    assert last.state.awaited == (1,)
    service.act("game", Pick(1, 3))
    assert service.view("game", viewer).numbers == (3, 4)


@given(numbers=st.tuples(*[st.integers(1, 5)] * 3))
def test_a_view_does_not_depend_on_what_another_sealed(numbers: tuple[int, int, int]) -> None:
    views = []
    for hidden in numbers[1:]:
        state = SEALED.new(SEALED.start(setup(HUMAN, HUMAN)))
        for event in (RoundStarted(1), NumberSealed(hidden, 2)):
            state.apply(event)
        views.append((state.view(1), state.view(EVERYONE)))
    assert views[0] == views[1]


# Programs.


def test_programs_that_are_awaited_choose_in_any_order(service: Service) -> None:
    started(service, "high", HUMAN, "high")
    assert types(service.step("game", seat=3)) == [NumberSealed]
    assert service.status("game").awaited == (1, 2)
    for seat in (2, 3, 4):
        with pytest.raises(NothingToDo):
            service.step("game", seat=seat)
    assert types(service.step("game")) == [NumberSealed]
    assert service.status("game").to_act == 2
    with pytest.raises(NothingToDo):
        service.step("game")


def test_a_person_need_not_wait_for_a_program(service: Service) -> None:
    started(service, "high", HUMAN, rounds=1)
    assert types(service.act("game", Pick(2, 4))) == [NumberSealed]
    assert types(service.play_round("game"))[:2] == [NumberSealed, NumbersRevealed]


def test_a_round_is_played_up_to_the_people_in_it(service: Service) -> None:
    started(service, "high", HUMAN, "random")
    assert types(service.play_round("game")) == [NumberSealed, NumberSealed]
    assert service.play_round("game") == []
    assert service.status("game").awaited == (2,)


def test_a_program_that_fails_forfeits_its_own_choice_alone(service: Service) -> None:
    started(service, "high", "high", rounds=1)
    assert types(send(service, "game", Forfeit(2, "timeout"))) == [Forfeited]
    assert service.status("game").awaited == (1,)
    service.step("game")
    assert service.view("game", EVERYONE).scores == (5, 0)


# What is stored.


def played(service: Service, *kinds: str) -> None:
    """A game to its end: people choose from the last to the first, and programs between them."""
    started(service, *kinds)
    while (status := service.status("game")).outcome is None:
        people = [seat for seat in status.awaited if status.seats[seat - 1].kind == HUMAN]
        if status.pausing:
            service.go_on("game")
        elif people:
            service.act("game", Pick(people[-1], people[-1]))
        else:
            service.step("game", seat=status.awaited[-1])


TABLES = pytest.mark.parametrize("kinds", [(HUMAN, HUMAN, "high"), ("high", "random", "random"), (HUMAN, HUMAN)])


@TABLES
def test_a_stored_game_replays_to_the_state_that_playing_made(
    service: Service, database: Database, kinds: tuple[str, ...]
) -> None:
    played(service, *kinds)
    *_, last = Service(EventLog(database)).with_secrets.replay("game")
    assert isinstance(last.state, SealedState)
    assert last.state.view(AUDITOR) == service.with_secrets.view("game")
    assert last.state.outcome == service.status("game").outcome
    before = history.summary(database, "game"), list(history.entries(database, "game"))
    history.rebuild(database)
    assert (history.summary(database, "game"), list(history.entries(database, "game"))) == before


@TABLES
def test_it_is_audited_and_every_copy_verifies(service: Service, database: Database, kinds: tuple[str, ...]) -> None:
    played(service, *kinds)
    assert [one.findings for one in audit(database)] == [[], []]
    for viewer in (EVERYONE, *range(1, len(kinds) + 1), AUDITOR):
        verified = verification(exported(EventLog(database), "game", viewer))
        assert (list(verified.findings()), verified.over) == ([], True)


def forged(database: Database, type_: str, payload: str, secret: str | None = None) -> list[tuple[str, str]]:
    """Append an event that no seat caused, and return the audit's finding on the rules, with the expected event."""
    log = EventLog(database)
    count = Service(log).status("game").count
    log.append("game", [NewEvent(type_, 1, payload, secret)], expected=count, command_id="forged")
    (audited,) = audit(database, ["game"])
    return [(one.found, one.expected) for one in audited.findings if one.check == "rules"]


def test_an_audit_names_all_who_are_awaited(service: Service, database: Database) -> None:
    started(service, HUMAN, HUMAN)
    ((found, expected), *_) = forged(database, "NumbersRevealed", '{"numbers":[1,2],"round":1}')
    assert found.startswith("NumbersRevealed")
    assert expected == "a choice of Ann or Bob"


def test_an_audit_finds_a_second_choice_of_one_seat(service: Service, database: Database) -> None:
    started(service, HUMAN, HUMAN)
    service.act("game", Pick(2, 4))
    ((_, expected), *_) = forged(database, "NumberSealed", '{"seat":2}', '{"number":4}')
    assert expected == "a choice of Ann: It is not the turn of seat 2"


def test_an_audit_finds_a_forfeit_of_a_person(service: Service, database: Database) -> None:
    started(service, HUMAN, HUMAN)
    ((_, expected), *_) = forged(database, "Forfeited", '{"code":"timeout","seat":2}')
    assert expected == "a choice of Ann or Bob: Seat 2 is a person; only bots forfeit choices"


def test_a_copy_in_which_one_chose_twice_is_found_out(service: Service, database: Database) -> None:
    started(service, HUMAN, HUMAN)
    service.act("game", Pick(2, 4))
    forged(database, "NumberSealed", '{"seat":2}', '{"number":4}')
    (finding,) = [
        one for one in verification(exported(EventLog(database), "game", EVERYONE)).findings() if one.check == "rules"
    ]
    assert (finding.found, finding.expected) == ("an event of a seat that is not to act", "a choice of seat 1")


def test_a_person_leaves_between_its_rounds(service: Service, database: Database) -> None:
    started(service, HUMAN, HUMAN, HUMAN)
    for seat in (3, 1, 2):
        service.act("game", Pick(seat, seat))
    service.act("game", Leave(2))
    service.go_on("game")
    assert service.status("game").awaited == (1, 3)
    assert [one.findings for one in audit(database)] == [[], []]


# Tournaments and the terminal.


def test_it_is_played_in_a_tournament() -> None:
    tournament = planned("high", "random", game=SEALED, deals=2)
    with Programs() as programs:
        results = [play(tournament, index, programs) for index in range(tournament.games)]
        assert [play(tournament, index, programs) for index in range(tournament.games)] == results
    assert all(result.forfeits == ({}, {}) and result.rounds == 3 for result, _ in results)


def test_two_people_play_it_at_one_terminal_and_go_on_with_it(tmp_path: Path) -> None:
    program = Program(tmp_path)
    people = ["--player", "Ann=human", "--player", "Bob=human", "--rounds", "1"]
    begun = program.ended("play", "--game", "sealed", *people, typed="3\n")
    assert begun.code == 1
    assert "Ann seals a number" in begun.out
    assert "Bob seals" not in begun.out
    ended = program.ended("resume", "last", typed="5\n")
    assert ended.code == 0
    assert "Revealed: 3 5" in ended.out
    assert "Winner: Bob" in ended.out


def test_a_person_plays_it_against_a_program_at_a_terminal(tmp_path: Path) -> None:
    program = Program(tmp_path)
    done = program.ended(
        "play", "--game", "sealed", "--player", "Ann=human", "--player", "Bob=high", "--rounds", "1", typed="4\n"
    )
    assert done.code == 0
    assert done.out.index("Bob seals a number") < done.out.index("Ann seals 4") < done.out.index("Revealed: 4 5")
