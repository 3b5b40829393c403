"""A repeated command is recognised: nothing is recorded twice, and no ID belongs to two commands."""

from collections.abc import Callable

import pytest

from pokersvc.core.actions import Action, Leave
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.eventlog.snapshot import Head
from pokersvc.games.draw_poker.actions import Bet, Call, Discard, Fold
from pokersvc.service import CommandReused, Recorded, Service

from .support import act, play_out, play_to_the_pause, setup, started, stored, types


@pytest.fixture
def database(shared: Database) -> Database:
    return shared


@pytest.fixture(params=["the same service", "another service"])
def again(request: pytest.FixtureRequest, service: Service, log: EventLog) -> Service:
    """The client to which the command is sent the second time."""
    return service if request.param == "the same service" else Service(log)


class LateLog(EventLog):
    """A log in which another event is recorded just after the first query, before its answer is used."""

    def __init__(self, database: Database, meanwhile: Callable[[], object]) -> None:
        super().__init__(database)
        self._meanwhile: list[Callable[[], object]] = [meanwhile]

    def head(self, game_id: str) -> Head | None:
        answer = super().head(game_id)
        if answer is None:
            self._somebody_writes()
        return answer

    def command(self, game_id: str, command_id: str) -> list[Record]:
        answer = super().command(game_id, command_id)
        self._somebody_writes()
        return answer

    def _somebody_writes(self) -> None:
        if self._meanwhile:
            self._meanwhile.pop()()


def test_the_same_action_again_returns_what_was_recorded(service: Service, again: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN)
    recorded = service.act(game_id, Bet(1, 50), command_id="c")
    count = service.status(game_id).count

    assert again.act(game_id, Bet(1, 50), command_id="c") == recorded
    assert again.status(game_id).count == count


def test_it_is_found_after_the_game_has_moved_on(service: Service, again: Service) -> None:
    game_id = started(service, HUMAN, HUMAN, rounds=2)
    expected = service.status(game_id).count
    recorded = service.act(game_id, Bet(1, 50), expected=expected, command_id="c")
    play_out(service, game_id)

    assert again.act(game_id, Bet(1, 50), expected=expected, command_id="c") == recorded


def test_what_was_discarded_is_part_of_the_action(service: Service, again: Service) -> None:
    game_id = started(service, HUMAN, HUMAN)
    service.act(game_id, Bet(1, 50))
    service.act(game_id, Call(2))
    one, other = service.view(game_id, 1).seat(1).cards[:2]
    recorded = service.act(game_id, Discard(1, (one,)), command_id="c")

    assert again.act(game_id, Discard(1, (one,)), command_id="c") == recorded
    with pytest.raises(CommandReused):
        again.act(game_id, Discard(1, (other,)), command_id="c")


def test_another_action_may_not_have_its_id(
    service: Service, again: Service, log: EventLog, database: Database
) -> None:
    game_id = started(service, HUMAN, HUMAN)
    service.act(game_id, Bet(1, 50), command_id="c")
    before = stored(database, log)
    others: list[Action] = [Bet(1, 51), Fold(1), Call(2), Bet(1, 5_000), Leave(1)]
    for other in others:
        with pytest.raises(CommandReused, match="The command c "):
            again.act(game_id, other, command_id="c")
        assert stored(database, log) == before, other


def test_the_same_id_may_name_commands_of_two_games(service: Service) -> None:
    one, other = started(service, HUMAN, HUMAN), started(service, HUMAN, HUMAN)
    service.act(one, Bet(1, 50), command_id="c")
    assert types(service.act(other, Fold(1), command_id="c"))[0] == "Folded"


def test_an_action_that_another_process_has_just_recorded_is_found(service: Service, database: Database) -> None:
    game_id = started(service, HUMAN, HUMAN, rounds=1)
    late = Service(LateLog(database, lambda: service.act(game_id, Bet(1, 50), command_id="c")))

    found = late.act(game_id, Bet(1, 50), command_id="c")
    assert found == service.act(game_id, Bet(1, 50), command_id="c")
    assert late.status(game_id).count == found[-1].record.seq


# Starting.


def test_starting_again_by_the_same_name_finds_the_game(service: Service, again: Service, log: EventLog) -> None:
    first = service.start("draw", setup(HUMAN, "minimum"), game_id="friday", command_id="c")
    act(service, "friday")
    count = service.status("friday").count

    assert again.start("draw", setup(HUMAN, "minimum"), game_id="friday", command_id="c") == first
    assert again.start("draw", setup(HUMAN, "minimum"), game_id="friday") == first
    assert again.status("friday").count == count


def test_a_game_that_chance_deals_is_found_too(service: Service, again: Service) -> None:
    first = service.start("draw", setup(HUMAN, "minimum", text=None), game_id="friday")
    assert again.start("draw", setup(HUMAN, "minimum", text=None), game_id="friday") == first


OTHERS = (
    setup(HUMAN, "steady"),
    setup(HUMAN, "minimum", "minimum"),
    setup(HUMAN, "minimum", rounds=3),
    setup(HUMAN, "minimum", text="another"),
    setup(HUMAN, "minimum", text=None),
)


def test_another_game_may_not_have_its_name(
    service: Service, again: Service, log: EventLog, database: Database
) -> None:
    service.start("draw", setup(HUMAN, "minimum"), game_id="friday")
    before = stored(database, log)
    for other in OTHERS:
        with pytest.raises(CommandReused, match="The game friday already exists"):
            again.start("draw", other, game_id="friday")
        assert stored(database, log) == before, other


@pytest.mark.parametrize("command_id", ["c", "d"])
def test_a_game_that_another_process_has_just_started_is_found(
    service: Service, database: Database, command_id: str
) -> None:
    friday = setup(HUMAN, "minimum")
    late = Service(LateLog(database, lambda: service.start("draw", friday, game_id="friday", command_id="c")))

    found = late.start("draw", friday, game_id="friday", command_id=command_id)
    assert found == service.start("draw", friday, game_id="friday")
    assert found[1][0].record.command_id == "c"


def test_the_command_that_started_a_game_is_no_action(service: Service, again: Service) -> None:
    service.start("draw", setup(HUMAN, "minimum"), game_id="friday", command_id="c")
    with pytest.raises(CommandReused):
        again.act("friday", Bet(1, 50), command_id="c")
    with pytest.raises(CommandReused):
        again.go_on("friday", command_id="c")


# Going on between rounds.


@pytest.fixture
def pausing(service: Service) -> str:
    game_id = started(service, HUMAN, HUMAN)
    play_to_the_pause(service, game_id)
    return game_id


def test_going_on_again_returns_what_was_recorded(service: Service, again: Service, pausing: str) -> None:
    recorded = service.go_on(pausing, command_id="c")
    assert again.go_on(pausing, command_id="c") == recorded
    play_to_the_pause(service, pausing)
    assert again.go_on(pausing, command_id="c") == recorded


def test_going_on_is_found_where_another_process_has_just_done_it(
    service: Service, database: Database, pausing: str
) -> None:
    late = Service(LateLog(database, lambda: service.go_on(pausing, command_id="c")))
    assert late.go_on(pausing, command_id="c") == service.go_on(pausing, command_id="c")


def test_going_on_and_leaving_are_two_commands(service: Service, again: Service, pausing: str) -> None:
    service.go_on(pausing, command_id="c")
    with pytest.raises(CommandReused):
        again.act(pausing, Leave(1), command_id="c")
    play_to_the_pause(service, pausing)
    recorded: list[Recorded] = service.act(pausing, Leave(1), command_id="d")
    with pytest.raises(CommandReused):
        again.go_on(pausing, command_id="d")
    assert again.act(pausing, Leave(1), command_id="d") == recorded
