"""A game read from its log returns the same next rounds as one that was played without interruption."""

from collections.abc import Callable, Iterable

import pytest

from pokersvc.betting.cash import SitDown
from pokersvc.core.actions import Leave
from pokersvc.core.counting import RoundPlayed
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.service import Service
from pokersvc.service.open_games import OpenGames
from pokersvc.service.read_models import history
from pokersvc.service.read_models.projections import Projector

from .support import act, play_out, play_to_the_pause, rows, started
from .test_importing import mucked, record


def of_bots(service: Service) -> str:
    game_id = started(service, "random", "steady", "minimum", rounds=4)
    play_out(service, game_id)
    return game_id


def of_people(service: Service) -> str:
    game_id = started(service, HUMAN, "random", HUMAN, rounds=4)
    play_out(service, game_id)
    return game_id


def with_newcomers(service: Service) -> str:
    """Bots play until Carl sits down, and after he has left; then Dee takes his seat."""
    seats = (Seat("minimum", "Bob"), Seat("minimum", "Cy"), Seat("minimum", "Eve"))
    options = {"rules": "no-limit", "cash": True, "open_seats": 1}
    game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text("coming"), None, options))
    play_to_the_pause(service, game_id)
    for coming in (SitDown(4, 80, "Carl"), None, None, Leave(4), SitDown(4, 90, "Dee"), None, None):
        if coming is not None:
            service.act(game_id, coming)
        service.go_on(game_id)
        play_to_the_pause(service, game_id)
    service.close(game_id)
    return game_id


def elsewhere(service: Service) -> str:
    record(service, mucked())
    return mucked().game_id


def events_of(log: EventLog, game_id: str) -> list[tuple[int, Event, str]]:
    """The events of a game, each with its number and when it was recorded."""
    decode = DRAW_POKER.codec.decode
    return [
        (stored.seq, decode(stored.type, stored.version, stored.payload, stored.secret), stored.recorded_at)
        for stored in log.read(game_id)
    ]


def told(events: Iterable[tuple[int, Event, str]], projector: Projector) -> list[tuple[int, RoundPlayed]]:
    """The rounds that a projector tells of events that follow those it knows; each with its event's number."""
    found = ((seq, projector.take(event, recorded_at)) for seq, event, recorded_at in events)
    return [(seq, one) for seq, one in found if one is not None]


@pytest.mark.parametrize("played", [of_bots, of_people, with_newcomers, elsewhere])
def test_a_game_read_up_to_any_event_tells_its_other_rounds(
    played: Callable[[Service], str], service: Service, log: EventLog
) -> None:
    game_id = played(service)
    events = events_of(log, game_id)
    rounds = told(events, Projector(DRAW_POKER))
    assert rounds
    for after in range(1, service.status(game_id).count + 1):
        projector = OpenGames(log).load(game_id, upto=after).projector
        assert told(events[after:], projector) == [one for one in rounds if one[0] > after], after


def test_a_service_that_reads_the_game_for_each_command_stores_the_same_rows(database: Database, log: EventLog) -> None:
    game_id = started(Service(log), HUMAN, HUMAN, "minimum", rounds=3)
    while (status := Service(log).status(game_id)).outcome is None:
        if status.pausing:
            Service(log).go_on(game_id)
        elif status.kind_to_act == HUMAN:
            act(Service(log), game_id)
        else:
            Service(log).step(game_id)
    stored = rows(database)
    assert history.rebuild(database) == 1
    assert rows(database) == stored


@pytest.mark.parametrize(("played", "hands"), [(of_bots, 0), (of_people, 1)])
def test_reading_counts_no_hand_again_once_a_person_has_played(
    played: Callable[[Service], str],
    hands: int,
    service: Service,
    log: EventLog,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rows of hands are stored; counting hands again took a third of the time for reading a game."""
    game_id = played(service)
    asked: list[None] = []
    take_nets = DrawPokerCounter.take_nets

    def noted(self: DrawPokerCounter) -> list[tuple[int, str, int]]:
        asked.append(None)
        return take_nets(self)

    monkeypatch.setattr(DrawPokerCounter, "take_nets", noted)
    OpenGames(log).load(game_id)
    assert len(asked) == hands
