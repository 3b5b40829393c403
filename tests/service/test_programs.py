"""Bots choose by themselves; one that fails forfeits its choice, and the game continues."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import Forfeit, Leave, ServiceAction
from pokersvc.core.event import EVERYONE, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER, DrawPoker, events
from pokersvc.games.draw_poker.actions import Bet, Check, Discard, LegalActions
from pokersvc.games.draw_poker.advising.players import PLAYERS
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.service import NothingToDo, Service

from .support import NAMES, act, as_the_log_says, commands, play_out, setup, started, told, types

Choose = Callable[[DrawPokerView, LegalActions, Random], Any]


@pytest.fixture
def sit_down(monkeypatch: pytest.MonkeyPatch) -> Callable[[Choose], None]:
    """Make a way to choose a kind of program, ``guest``."""

    def sits(choose: Choose) -> None:
        class Guest:
            def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
                return choose(view, legal, random)

        monkeypatch.setattr(DrawPoker, "players", {**DRAW_POKER.players, "guest": Guest})

    return sits


def _raises(*_: object) -> Any:
    raise RuntimeError("bug")


def _looks_for_what_is_not_there(*_: object) -> Any:
    empty: dict[str, Any] = {}
    return empty["bet"]


class Unhelpful:
    """No action, and an error for who looks at it."""

    @property
    def seat(self) -> int:
        raise RuntimeError("bug")


AMOUNTS: list[Any] = [49, 5_000, 50.0, True, "50", None]


@pytest.mark.parametrize(
    ("choose", "code"),
    [
        (_raises, "raised"),
        (_looks_for_what_is_not_there, "raised"),
        (lambda *_: None, "illegal"),
        (lambda *_: "bet 50", "illegal"),
        (lambda *_: Bet, "illegal"),
        (lambda *_: Unhelpful(), "illegal"),
        (lambda *_: Check(1), "illegal"),
        (lambda *_: Discard(1, ()), "illegal"),
        (lambda *_: Bet(2, 50), "illegal"),
        (lambda *_: Bet(True, 50), "illegal"),
        (lambda *_: Leave(1), "illegal"),
        (lambda *_: Forfeit(1, "timeout"), "illegal"),
        (lambda *_: ServiceAction(1), "illegal"),
        *((lambda *_, amount=amount: Bet(1, amount), "illegal") for amount in AMOUNTS),
    ],
)
def test_a_program_without_a_legal_answer_forfeits_and_the_game_goes_on(
    service: Service, log: EventLog, sit_down: Callable[[Choose], None], choose: Choose, code: str
) -> None:
    sit_down(choose)
    game_id = started(service, "guest", "minimum", "minimum", rounds=2)
    first = service.step(game_id)

    assert first[0].event == events.Forfeited(code, 1)  # type: ignore[arg-type]  # one of its codes
    play_out(service, game_id)
    assert service.status(game_id).outcome is not None
    assert as_the_log_says(service, log, game_id)


def test_a_program_that_forfeits_in_the_draw_stands_pat(service: Service, sit_down: Callable[[Choose], None]) -> None:
    sit_down(lambda _, legal, __: Bet(1, 50) if legal.bet else Discard(1, "no cards"))  # type: ignore[arg-type]  # wrong
    game_id = started(service, "guest", "minimum", rounds=1)
    recorded = [types(command)[0] for command in commands(service, game_id)]

    assert recorded[:4] == ["Bet", "Called", "Forfeited", "CardsDiscarded"]


def test_what_a_program_says_when_it_fails_is_not_recorded(
    service: Service, log: EventLog, sit_down: Callable[[Choose], None]
) -> None:
    sit_down(_raises)
    game_id = started(service, "guest", "minimum", rounds=1)
    play_out(service, game_id)
    assert not any("bug" in payload for _, payload, _ in told(log, game_id))


def test_a_program_may_be_interrupted(service: Service, log: EventLog, sit_down: Callable[[Choose], None]) -> None:
    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    sit_down(interrupted)
    game_id = started(service, "guest", "minimum", rounds=1)
    before = list(log.read(game_id))
    with pytest.raises(KeyboardInterrupt):
        service.step(game_id)
    assert list(log.read(game_id)) == before
    assert as_the_log_says(service, log, game_id)


def test_a_program_sees_no_more_than_its_seat(service: Service, sit_down: Callable[[Choose], None]) -> None:
    seen: list[DrawPokerView] = []

    def looks(view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        seen.append(view)
        return PLAYERS["minimum"]().choose(view, legal, random)

    sit_down(looks)
    game_id = started(service, "minimum", "guest", rounds=1)
    play_out(service, game_id)

    assert seen
    assert all(view.viewer == 2 and set(view.seat(1).cards) == {None} for view in seen)


# Its randomness.


def test_a_programs_randomness_follows_from_the_game_the_seat_and_the_event(
    service: Service, log: EventLog, sit_down: Callable[[Choose], None]
) -> None:
    numbers = []

    def rolls(view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        numbers.append(random.getrandbits(64))
        return PLAYERS["minimum"]().choose(view, legal, random)

    sit_down(rolls)
    game_id = started(service, "guest", "guest", rounds=1, text=None)
    play_out(service, game_id)
    source = DRAW_POKER.source(next(service.with_secrets.replay(game_id)).event)  # type: ignore[arg-type]  # it is
    choices = [
        (step.event.seat, step.record.seq)  # type: ignore[attr-defined]  # a choice has its seat
        for step in service.replay(game_id)
        if step.record.type in ("Bet", "Called", "Checked", "CardsDiscarded")
    ]

    assert source is not None
    assert numbers == [source.program_random(seat, seq).getrandbits(64) for seat, seq in choices]
    assert len(set(numbers)) == len(numbers)


def test_a_choice_that_was_not_recorded_is_made_again_the_same(
    service: Service, log: EventLog, sit_down: Callable[[Choose], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = []

    def rolls(view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        numbers.append(random.getrandbits(64))
        return PLAYERS["minimum"]().choose(view, legal, random)

    def fails(*_: object, **__: object) -> Any:
        raise StorageFailed("The disk is full.")

    sit_down(rolls)
    game_id = started(service, "guest", "minimum", text=None)
    with monkeypatch.context() as broken:
        broken.setattr(EventLog, "append", fails)
        with pytest.raises(StorageFailed):
            service.step(game_id)
    Service(log).step(game_id)

    assert len(numbers) == 2
    assert numbers[0] == numbers[1]


KINDS = st.lists(st.sampled_from(["random", "steady", "minimum"]), min_size=2, max_size=5)


@settings(max_examples=15, deadline=None)
@given(kinds=KINDS, text=st.text("abc", min_size=1, max_size=3), rounds=st.integers(1, 3), data=st.data())
def test_a_resumed_game_goes_on_as_it_would_have(kinds: list[str], text: str, rounds: int, data: st.DataObject) -> None:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log)
        whole = started(service, *kinds, rounds=rounds, text=text)
        play_out(service, whole)
        resumed = started(service, *kinds, rounds=rounds, text=text)
        while service.status(resumed).outcome is None:
            service = data.draw(st.sampled_from([service, Service(log)]))
            (service.step if data.draw(st.booleans()) else service.play_round)(resumed)

        assert told(log, resumed) == told(log, whole)


# Who has nothing to do.


def test_no_program_steps_where_a_person_must_choose(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    with pytest.raises(NothingToDo):
        service.step(game_id)
    assert service.play_round(game_id) == []


def test_no_program_steps_once_the_game_is_over(service: Service) -> None:
    game_id = started(service, "minimum", "minimum", rounds=1)
    play_out(service, game_id)
    with pytest.raises(NothingToDo):
        service.step(game_id)
    with pytest.raises(NothingToDo):
        service.go_on(game_id)
    assert service.play_round(game_id) == []


def test_no_round_is_gone_on_to_in_the_middle_of_one(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    with pytest.raises(NothingToDo, match="is not waiting between two rounds"):
        service.go_on(game_id)


def test_a_kind_of_program_that_is_not_here_does_not_forfeit(
    service: Service, log: EventLog, sit_down: Callable[[Choose], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_down(_raises)
    game_id = started(service, "guest", "minimum")
    before = told(log, game_id)
    monkeypatch.undo()
    for go in (service.step, service.play_round):
        with pytest.raises(NothingToDo, match=r"Ann in game .* is played by 'guest'"):
            go(game_id)
    assert told(log, game_id) == before


def test_a_copy_without_the_dealers_secrets_can_only_be_replayed(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum")
    public = [NewEvent(record.type, record.version, record.payload, None) for record in log.read(game_id)]
    log.append("copy", public, expected=0, command_id="c", kind="draw")

    with pytest.raises(NothingToDo, match="lacks the dealer's secrets"):
        service.act("copy", Bet(1, 50))
    *_, last = service.replay("copy")
    assert last.state.view(EVERYONE) == service.view(game_id, EVERYONE)
    assert [step.event for step in service.replay("copy")] == [
        redact(step.event, EVERYONE) for step in service.replay(game_id)
    ]


# A round at a time.


def test_a_round_of_programs_is_one_transaction(service: Service, log: EventLog) -> None:
    game_id = started(service, "random", "random", "random", rounds=3, text="one transaction")
    rounds = []
    while service.status(game_id).outcome is None:
        rounds.append(service.play_round(game_id))
    commanded = dict.fromkeys(record.command_id for record in log.read(game_id))

    assert len(rounds) == 3
    assert len(commanded) == 1 + len(rounds)
    for recorded in rounds:
        assert types(recorded).count("RoundEnded") == 1
        assert {record.command_id for record, _ in recorded} == {recorded[0].record.command_id}
        assert [record.n for record, _ in recorded] == list(range(1, len(recorded) + 1))
    assert types(rounds[-1])[-1] == "GameEnded"


def test_a_round_stops_where_a_person_must_choose(service: Service) -> None:
    game_id = started(service, "minimum", HUMAN, "minimum")
    assert types(service.play_round(game_id)) == ["Bet"]
    act(service, game_id)
    assert types(service.play_round(game_id)) == ["Called", "CardsDiscarded"]


def test_a_seat_may_be_of_any_kind_that_the_game_knows() -> None:
    seats = tuple(map(Seat, [HUMAN, *PLAYERS], NAMES))
    assert DRAW_POKER.start(Setup(seats, EntropySource.from_text("all"))).seats == seats
    assert setup(HUMAN).seats == seats[:1]
