"""Cash games in the service: actions between rounds are recorded once, shown to all and audited."""

import pytest

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import events
from pokersvc.service import CommandReused, Pause, Service, Session

from .support import play_to_the_pause, types


def cash_game(service: Service, **options: object) -> str:
    """Start a cash game of a person, a program and an open seat, and play its first round."""
    seats = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"), Seat(HUMAN, "Cy"))
    given = {"rules": "no-limit", "cash": True, "stack": ["Ann=100", "Cy=0"], "rake": "50%", **options}
    setup = Setup(seats, EntropySource.from_text("cash"), None, given)
    game_id, _ = service.start("draw", setup)
    play_to_the_pause(service, game_id)
    return game_id


def test_what_people_do_between_rounds_is_recorded_and_the_game_waits_on(service: Service) -> None:
    game_id = cash_game(service)
    for action, event in (
        (BuyChips(1, 30), events.ChipsBought(30, 1)),
        (SitDown(3, 80), events.SatDown(80, None, 3, 3)),
        (SitOut(3), events.SatOut(3)),
        (SitIn(3), events.SatIn(3)),
    ):
        assert [one.event for one in service.act(game_id, action)] == [event]
        assert service.status(game_id).pausing
    assert "RoundStarted" in types(service.go_on(game_id))
    assert service.view(game_id, EVERYONE).seat(3).standing == "in"


def test_a_purchase_that_is_sent_twice_is_one(service: Service) -> None:
    game_id = cash_game(service)
    first = service.act(game_id, BuyChips(1, 30), command_id="buy")
    assert service.act(game_id, BuyChips(1, 30), command_id="buy") == first
    with pytest.raises(CommandReused):
        service.act(game_id, BuyChips(1, 31), command_id="buy")
    with pytest.raises(CommandReused):
        service.go_on(game_id, command_id="buy")


def test_a_session_does_it_for_its_own_seats(service: Service) -> None:
    game_id = cash_game(service)
    session = Session(service, game_id, seats=[1])
    while not isinstance(session.next(), Pause):
        pass
    assert session.act(BuyChips(1, 30))
    while not isinstance(session.next(), Pause):
        pass
    with pytest.raises(IllegalAction):
        session.act(BuyChips(1, 300))


def test_the_audit_follows_people_who_come_and_go(database: Database, service: Service) -> None:
    game_id = cash_game(service)
    service.act(game_id, SitDown(3, 80))
    service.act(game_id, Leave(3))
    service.act(game_id, BuyChips(1, 30))
    service.go_on(game_id)
    play_to_the_pause(service, game_id)
    service.close(game_id)
    status = service.status(game_id)
    assert status.outcome is not None
    assert sum(status.outcome.scores) < 0, "the house took its rake"
    assert [finding for one in audit(database) for finding in one.findings] == []


def test_a_stack_for_nobody_at_the_table_is_refused(service: Service) -> None:
    with pytest.raises(InvalidValue, match="Nobody at the table is called 'Zoe'; the players are Ann, Bob and Cy"):
        cash_game(service, stack={"Zoe": 5})
