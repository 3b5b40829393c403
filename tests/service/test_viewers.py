"""Everything that a service returns is for one viewer; unrestricted data needs `with_secrets`."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact, secret_fields
from pokersvc.core.seats import HUMAN
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import SharedRecord, Withheld, digest_of, verify
from pokersvc.games.draw_poker.actions import Bet, Discard, Fold
from pokersvc.service import CommandReused, NotForAuditors, Recorded, Service

from .support import act, play_out, play_to_the_pause, setup, started, stored

Command = Callable[[Service, Viewer], list[Recorded]]


def _start(service: Service, viewer: Viewer) -> list[Recorded]:
    return service.start("draw", setup(HUMAN, "minimum"), viewer=viewer)[1]


def _start_again(service: Service, viewer: Viewer) -> list[Recorded]:
    service.start("draw", setup(HUMAN, "minimum"), game_id="friday")
    return service.start("draw", setup(HUMAN, "minimum"), game_id="friday", viewer=viewer)[1]


def _draw(service: Service, viewer: Viewer, command_id: str | None = None) -> list[Recorded]:
    game_id = started(service, HUMAN, "minimum")
    act(service, game_id)
    service.step(game_id)
    thrown = service.view(game_id, 1).seat(1).cards[:2]
    found = service.act(game_id, Discard(1, thrown), viewer=viewer, command_id=command_id)
    if command_id is None:
        return found
    return service.act(game_id, Discard(1, thrown), viewer=viewer, command_id=command_id)


def _draw_again(service: Service, viewer: Viewer) -> list[Recorded]:
    return _draw(service, viewer, "c")


def _step(service: Service, viewer: Viewer) -> list[Recorded]:
    game_id = started(service, HUMAN, "steady", text="draws two")
    while service.status(game_id).to_act != 2 or service.view(game_id, EVERYONE).stage != "draw":
        act(service, game_id)
    return service.step(game_id, viewer=viewer)


def _play_round(service: Service, viewer: Viewer) -> list[Recorded]:
    return service.play_round(started(service, "steady", "steady"), viewer=viewer)


def _go_on(service: Service, viewer: Viewer) -> list[Recorded]:
    game_id = started(service, HUMAN, "minimum")
    play_to_the_pause(service, game_id)
    return service.go_on(game_id, viewer=viewer)


COMMANDS: list[Command] = [_start, _start_again, _draw, _draw_again, _step, _play_round, _go_on]


@pytest.fixture(params=COMMANDS, ids=lambda command: command.__name__[1:])
def command(request: pytest.FixtureRequest) -> Command:
    found: Command = request.param
    return found


def _secrets(recorded: list[Recorded]) -> Iterator[tuple[Recorded, Any]]:
    """Yield the events that have a secret, each with the secret."""
    for one in recorded:
        if names := secret_fields(type(one.event)):
            yield one, [getattr(one.event, name) for name in names]


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2])
def test_a_command_returns_what_its_viewer_may_know(
    service: Service, log: EventLog, command: Command, viewer: Viewer
) -> None:
    recorded = command(service, viewer)
    record = recorded[0].record
    whole = service.with_secrets.recorded(record.game_id, record.command_id)

    assert [one.event for one in recorded] == [redact(event, viewer) for _, event in whole]
    assert any(_secrets(recorded)), "or nothing is shown here"
    for one, values in _secrets(recorded):
        own = viewer == getattr(one.event, "seat", None)
        assert (None in values) is not own
        assert isinstance(one.record.secret, Withheld) is not own
        assert (one.record.salt is None) is not own


def test_where_nobody_says_a_command_answers_everyone(service: Service) -> None:
    _, first = service.start("draw", setup(HUMAN, "minimum"))
    assert all(set(values) == {None} for _, values in _secrets(first))
    assert all(isinstance(one.record.secret, Withheld) for one, _ in _secrets(first))


@pytest.mark.parametrize("viewer", [EVERYONE, 1])
def test_a_viewers_records_are_a_copy_of_the_log_whose_chain_is_whole(
    service: Service, log: EventLog, viewer: Viewer
) -> None:
    game_id = started(service, HUMAN, "steady", rounds=1)
    play_out(service, game_id)
    shared = [SharedRecord._make(step.record) for step in service.replay(game_id, viewer)]

    assert list(verify(iter(shared), game_id=game_id)) == shared
    assert [digest_of(one) for one in shared] == [digest_of(record) for record in log.read(game_id)]


@pytest.mark.parametrize(
    ("viewer", "error"), [(AUDITOR, NotForAuditors), (0, InvalidValue), (3, InvalidValue), (True, InvalidValue)]
)
def test_who_is_no_player_is_refused_before_anything_is_recorded(
    service: Service, log: EventLog, database: Database, viewer: Viewer, error: type[InvalidValue]
) -> None:
    acting, stepping, pausing = (started(service, kind, "minimum") for kind in (HUMAN, "minimum", HUMAN))
    play_to_the_pause(service, pausing)
    before = stored(database, log)
    for ask in (
        lambda: service.start("draw", setup(HUMAN, "minimum"), viewer=viewer),
        lambda: service.act(acting, Bet(1, 50), viewer=viewer),
        lambda: service.step(stepping, viewer=viewer),
        lambda: service.play_round(stepping, viewer=viewer),
        lambda: service.go_on(pausing, viewer=viewer),
        lambda: service.view(acting, viewer),
        lambda: service.turn(acting, viewer),  # type: ignore[arg-type]  # which is the point
        lambda: list(service.replay(acting, viewer)),
    ):
        with pytest.raises(error):
            ask()
    assert stored(database, log) == before


def test_an_auditor_is_shown_the_door(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    with pytest.raises(NotForAuditors, match="with_secrets"):
        service.view(game_id, AUDITOR)
    hands = [seat.cards for seat in service.with_secrets.view(game_id).seats]
    assert all(None not in cards for cards in hands)


def test_behind_the_door_is_the_whole(service: Service, log: EventLog) -> None:
    game_id, first = service.start("draw", setup(HUMAN, "minimum"))
    decode = service.with_secrets.open_game(game_id).game.codec.decode
    events: list[Event] = [decode(r.type, r.version, r.payload, r.secret) for r in log.read(game_id)]

    assert service.with_secrets.kept(game_id) == events
    assert service.with_secrets.kept("nowhere") == []
    whole = service.with_secrets.recorded(game_id, first[0].record.command_id)
    assert whole == list(zip(log.read(game_id), events, strict=True))
    assert service.with_secrets.recorded(game_id, "nothing") == []
    assert service.with_secrets.recorded("nowhere", "nothing") == []
    assert [step.event for step in service.with_secrets.replay(game_id, force=True)] == events


def test_a_table_from_behind_the_door_is_the_callers_own(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    table = service.with_secrets.open_game(game_id)
    table.state.apply(table.state.decide(Bet(1, 50)))
    assert service.status(game_id).to_act == 1
    assert service.with_secrets.open_game(game_id).state != table.state


# What is asked of a seat, and what everyone may know.


def test_a_seat_is_asked_as_of_one_moment(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    turn = service.turn(game_id, 1)
    assert turn.count == service.status(game_id).count
    assert turn.view == service.view(game_id, 1)
    assert turn.legal.bet is not None
    assert service.act(game_id, Bet(1, turn.legal.bet[0]), expected=turn.count)


def test_who_is_not_on_turn_is_asked_nothing(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    with pytest.raises(IllegalAction, match="it is Ann's turn"):
        service.turn(game_id, 2)


def test_the_status_is_what_everyone_may_know(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=1)
    head, status = log.head(game_id), service.status(game_id)
    assert head is not None
    assert (status.kind, status.count, status.head) == (head.kind, head.count, head.hash)
    assert (status.to_act, status.kind_to_act, status.pausing, status.outcome) == (1, HUMAN, False, None)
    assert [seat.name for seat in status.seats] == ["Ann", "Bob"]
    play_out(service, game_id)
    assert service.status(game_id).outcome == service.with_secrets.open_game(game_id).state.outcome


# What a refusal carries.


def test_a_refused_command_carries_no_records_of_the_log(service: Service) -> None:
    game_id, _ = service.start("draw", setup(HUMAN, "minimum"), game_id="friday", command_id="deal")
    refused: list[Callable[[], object]] = [
        lambda: service.act(game_id, Fold(1), viewer=2, command_id="deal"),
        lambda: service.go_on(game_id, command_id="deal"),
        lambda: service.start("draw", setup(HUMAN, "random"), game_id="friday"),
        lambda: service.start("draw", setup(HUMAN, "random"), game_id="friday", command_id="deal"),
    ]
    for command in refused:
        with pytest.raises(CommandReused) as reused:
            command()
        found: BaseException | None = reused.value
        while found is not None:
            assert not hasattr(found, "records"), found
            found = found.__context__
