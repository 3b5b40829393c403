"""Several clients act simultaneously: one succeeds, the others get an error, and the log is consistent."""

import pytest

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.games.draw_poker.actions import Bet, Call, Fold
from pokersvc.service import NothingToDo, Service

from .at_once import said_at_once
from .support import act, as_the_log_says, play_out, setup, started, told, types

PROCESSES = 2


@pytest.fixture
def database(shared: Database) -> Database:
    return shared


def stale(log: EventLog, game_id: str) -> Service:
    """Fixture: a service that has read a game before another client acts in it."""
    service = Service(log)
    service.status(game_id)
    return service


@pytest.mark.parametrize("action", [Bet(1, 50), Bet(1, 60), Fold(1)])
def test_of_two_services_that_act_at_once_one_wins(service: Service, log: EventLog, action: Action) -> None:
    game_id = started(service, HUMAN, HUMAN)
    other, knowing = stale(log, game_id), stale(log, game_id)
    count = service.status(game_id).count
    service.act(game_id, Bet(1, 50))
    before = list(log.read(game_id))
    with pytest.raises(ConcurrentUpdate) as refused:
        knowing.act(game_id, action, expected=count)
    assert (refused.value.expected, refused.value.found) == (count, count + 1)

    with pytest.raises(IllegalAction, match="it is Bob's turn"):
        other.act(game_id, action)
    assert list(log.read(game_id)) == before
    assert types(other.act(game_id, Call(2))) == ["Called"]
    assert as_the_log_says(service, log, game_id)
    assert as_the_log_says(other, log, game_id)
    assert as_the_log_says(knowing, log, game_id)


def test_who_names_no_count_decides_on_the_game_as_others_left_it(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, HUMAN)
    other = stale(log, game_id)
    service.act(game_id, Bet(1, 50))
    assert types(other.act(game_id, Call(2))) == ["Called"], "which it refuses on the game as it knew it"
    assert as_the_log_says(other, log, game_id)


def test_of_two_services_that_let_programs_play_each_plays_the_one_on_turn(service: Service, log: EventLog) -> None:
    game_id = started(service, "minimum", "minimum", rounds=1)
    count = service.status(game_id).count
    stepping, playing, knowing = (stale(log, game_id) for _ in range(3))
    assert types(service.step(game_id)) == ["Bet"]
    for command in (knowing.step, knowing.play_round):
        with pytest.raises(ConcurrentUpdate):
            command(game_id, expected=count)
    assert types(stepping.step(game_id)) == ["Called"]
    assert types(playing.play_round(game_id))[-1] == "GameEnded"
    with pytest.raises(NothingToDo):
        stepping.step(game_id)
    assert knowing.play_round(game_id) == []


@pytest.mark.no_cover
def test_of_processes_that_do_the_same_at_once_one_does_it(service: Service, log: EventLog, shared_url: str) -> None:
    """The same two processes start a game, send the same command, send two, and play: a process takes long to begin."""
    kinds = "random", "steady", "minimum"
    repeated, acted = (started(service, HUMAN, "minimum") for _ in range(2))
    alone, together = (started(service, *kinds, rounds=3, text="at once") for _ in range(2))
    play_out(service, alone)
    count = service.status(acted).count
    asked = ("friday=start", f"{repeated}=repeat", f"{acted}=act", f"{together}=play")
    starts, repeats, acts, plays = said_at_once("tests.service.player:main", [(shared_url, *asked)] * PROCESSES, 4)

    assert {record.command_id for record in log.read("friday")} == set(starts), "all find the game that one started"
    assert as_the_log_says(service, log, "friday")

    assert repeats == ["c"] * PROCESSES, "all find the command that one sent"
    assert [record.type for record in log.read(repeated)].count("Bet") == 1

    assert sorted(said == "concurrent_update" for said in acts) == [False] + [True] * (PROCESSES - 1), "one wins"
    bets = [record for record in log.read(acted) if record.seq > count]
    assert [record.type for record in bets] == ["Bet"]
    assert bets[0].command_id in acts
    assert types(service.step(acted)) == ["Called"]

    assert told(log, together) == told(log, alone), "the game that one would have played"
    commands = len({record.command_id for record in log.read(together)})
    assert sum(won for won, _ in plays) == commands - 1
    assert as_the_log_says(service, log, together)


def test_a_person_may_act_in_turn_from_two_services(service: Service, log: EventLog) -> None:
    other = Service(log)
    game_id = other.start("draw", setup(HUMAN, HUMAN, rounds=1))[0]
    services = [service, other]
    while service.status(game_id).outcome is None:
        act(services[0], game_id)
        services.reverse()
    assert as_the_log_says(service, log, game_id)
    assert as_the_log_says(other, log, game_id)
