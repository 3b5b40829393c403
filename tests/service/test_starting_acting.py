"""A game starts and is acted in: one accepted action is one command, and a refused one leaves no trace."""

from datetime import UTC, datetime
from typing import Any

import pytest

from pokersvc.core.actions import Action, Forfeit, IllegalAction, Leave, ServiceAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.registry import UnknownGameKind
from pokersvc.core.seats import HUMAN
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold
from pokersvc.service import Service

from .support import act, as_the_log_says, play_out, setup, started, stored, types


def test_a_game_starts_with_the_dealers_events_up_to_the_first_choice(service: Service, log: EventLog) -> None:
    game_id, recorded = service.start("draw", setup(HUMAN, "minimum"))

    assert types(recorded) == [
        *["GameStarted", "RoundStarted", "AntePosted", "AntePosted"],
        *["DeckShuffled", "HandDealt", "HandDealt"],
    ]
    whole = service.with_secrets.recorded(game_id, recorded[0].record.command_id)
    assert [record for record, _ in whole] == list(log.read(game_id))
    assert recorded == [one.to(EVERYONE) for one in whole]
    assert {record.command_id for record, _ in recorded} == {recorded[0].record.command_id}
    assert service.view(game_id, EVERYONE).to_act == 1


def test_the_caller_may_name_the_game(service: Service, log: EventLog) -> None:
    assert service.start("draw", setup(HUMAN, "minimum"), game_id="friday_1-a")[0] == "friday_1-a"
    assert log.head("friday_1-a") is not None


@pytest.mark.parametrize("game_id", ["", "last", "a b", "x" * 65, "é", "a\n"])
def test_a_games_id_is_short_and_plain(service: Service, log: EventLog, game_id: str) -> None:
    with pytest.raises(InvalidValue, match="cannot be a game ID"):
        service.start("draw", setup(HUMAN, "minimum"), game_id=game_id)
    assert not list(log.games())


def test_a_setup_that_will_not_do_starts_nothing(service: Service, log: EventLog) -> None:
    with pytest.raises(InvalidValue, match="1 player cannot play"):
        service.start("draw", setup(HUMAN))
    with pytest.raises(InvalidValue, match="cannot be played by 'nobody'"):
        service.start("draw", setup(HUMAN, "nobody"))
    with pytest.raises(UnknownGameKind):
        service.start("whist", setup(HUMAN, "minimum"))
    assert not list(log.games())


def test_an_action_is_recorded_with_the_dealers_events_after_it(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN)
    assert types(service.act(game_id, Bet(1, 50))) == ["Bet"]
    assert types(service.act(game_id, Call(2))) == ["Called"]
    for seat in (1, 2):
        assert types(service.act(game_id, Discard(seat, ()))) == ["CardsDiscarded"]
    service.act(game_id, Check(1))
    recorded = service.act(game_id, Check(2))

    assert types(recorded) == ["Checked", "HandsOpened", "PotAwarded", "RoundEnded"]
    assert [record.n for record, _ in recorded] == [1, 2, 3, 4]
    assert [record for record, _ in recorded] == list(log.read(game_id))[-4:]


def test_a_seats_view_shows_its_own_hand(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    assert None not in service.view(game_id, 1).seat(1).cards
    assert service.view(game_id, 1).seat(2).cards == (None,) * 5
    assert service.view(game_id, EVERYONE).seat(1).cards == (None,) * 5


def test_events_are_recorded_at_the_time_of_the_clock(log: EventLog) -> None:
    service = Service(log, clock=lambda: datetime(2026, 1, 2, 3, 4, 5, 6, UTC))
    _, recorded = service.start("draw", setup(HUMAN, "minimum"))
    assert {record.recorded_at for record, _ in recorded} == {"2026-01-02T03:04:05.000006Z"}


def test_a_game_that_is_not_there_is_unknown(service: Service) -> None:
    for ask in (
        lambda: service.status("nowhere"),
        lambda: service.turn("nowhere", 1),
        lambda: service.with_secrets.open_game("nowhere"),
        lambda: service.with_secrets.view("nowhere"),
        lambda: list(service.with_secrets.replay("nowhere")),
        lambda: service.view("nowhere", EVERYONE),
        lambda: service.act("nowhere", Check(1)),
        lambda: service.act("nowhere", Check(1), command_id="c"),
        lambda: service.step("nowhere"),
        lambda: service.play_round("nowhere"),
        lambda: service.go_on("nowhere"),
        lambda: list(service.replay("nowhere")),
    ):
        with pytest.raises(UnknownGame, match="There is no game"):
            ask()


SEATS: list[Any] = [True, 1.0, "1", None]
"""What is equal to a seat, or looks like one, and would be stored as it is."""


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Check(1), "cannot_check"),
        (Bet(1, 49), "illegal_amount"),
        (Bet(2, 50), "not_your_turn"),
        (Bet(9, 50), "not_your_turn"),
        (Discard(1, ()), "cannot_discard"),
        (Leave(1), "not_between_rounds"),
        (Forfeit(1, "timeout"), "service_only"),
        (ServiceAction(1), "service_only"),
        (Action(1), "unknown_action"),
        *((Fold(seat), "no_seat") for seat in SEATS),
        *((Leave(seat), "no_seat") for seat in SEATS),
    ],
)
def test_a_refused_action_leaves_no_trace(
    service: Service, log: EventLog, database: Database, action: Action, code: str
) -> None:
    game_id = started(service, HUMAN, HUMAN)
    before = stored(database, log)
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, action, command_id="refused")

    assert refused.value.code == code
    assert stored(database, log) == before
    assert as_the_log_says(service, log, game_id)
    # Nor does its id count as used.
    assert types(service.act(game_id, Bet(1, 50), command_id="refused")) == ["Bet"]


@pytest.mark.parametrize("kind", ["minimum", HUMAN])
def test_only_the_service_says_that_a_seat_forfeits(service: Service, log: EventLog, kind: str) -> None:
    game_id = started(service, kind, HUMAN)
    seat = service.status(game_id).to_act
    assert seat is not None
    count = service.status(game_id).count
    with pytest.raises(IllegalAction, match="Forfeit is not a choice: only the service sends it") as refused:
        service.act(game_id, Forfeit(seat, "raised"))
    assert (refused.value.code, service.status(game_id).count) == ("service_only", count)


def test_a_finished_game_takes_no_action(service: Service, log: EventLog, database: Database) -> None:
    game_id = started(service, "minimum", "minimum", rounds=1)
    play_out(service, game_id)
    before = stored(database, log)
    for action in (Bet(1, 50), Leave(1), Forfeit(1, "raised")):
        with pytest.raises(IllegalAction):
            service.act(game_id, action)
    assert stored(database, log) == before


# What the caller knows.


def test_an_action_names_the_count_that_it_expects(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    count = service.status(game_id).count
    assert service.act(game_id, Bet(1, 50), expected=count)[0].record.seq == count + 1


@pytest.mark.parametrize("off", [-1, 1])
def test_a_stale_expectation_is_refused_and_nothing_is_written(
    service: Service, log: EventLog, database: Database, off: int
) -> None:
    game_id = started(service, HUMAN, HUMAN)
    before, count = stored(database, log), service.status(game_id).count
    with pytest.raises(ConcurrentUpdate) as refused:
        service.act(game_id, Bet(1, 50), expected=count + off)

    assert (refused.value.expected, refused.value.found) == (count + off, count)
    assert stored(database, log) == before
    assert types(service.act(game_id, Bet(1, 50), expected=count)) == ["Bet"]


def test_what_another_service_recorded_is_known_at_once(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN)
    other = Service(log)
    other.act(game_id, Bet(1, 50))

    assert service.view(game_id, EVERYONE).to_act == 2
    assert types(service.act(game_id, Call(2))) == ["Called"]
    act(other, game_id)
    assert service.status(game_id).count == other.status(game_id).count


def test_a_command_for_which_others_are_always_first_is_given_up(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is decided again in each new state, but only a limited number of times."""
    game_id, _ = service.start("draw", setup(HUMAN, "minimum"))
    tried: list[str] = []

    def too_late(game_id: str, *_: object, **__: object) -> None:
        tried.append(game_id)
        assert len(tried) < 100
        raise ConcurrentUpdate(game_id, 1, 2)

    monkeypatch.setattr(EventLog, "append", too_late)
    with pytest.raises(ConcurrentUpdate):
        service.act(game_id, Bet(1, 50))
    assert 1 < len(tried) < 20
