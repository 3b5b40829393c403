"""Between two rounds of a game with a person in it, a command stops: the person may leave."""

import pytest

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import events
from pokersvc.service import Service

from .support import act, play_out, play_to_the_pause, started, types


def test_the_command_that_ends_a_round_stops_there(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    while not service.status(game_id).pausing:
        recorded = act(service, game_id)

    assert types(recorded)[-1] == "RoundEnded"
    assert service.status(game_id).to_act is None
    assert service.status(game_id).kind_to_act is None


def test_the_next_round_is_a_command_of_its_own(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    play_to_the_pause(service, game_id)
    recorded = service.go_on(game_id)

    assert types(recorded) == [*["RoundStarted", "AntePosted", "AntePosted", "DeckShuffled", "HandDealt", "HandDealt"]]
    assert [record.n for record, _ in recorded] == [1, 2, 3, 4, 5, 6]


def test_a_person_leaves_for_good(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", "minimum", rounds=3)
    play_to_the_pause(service, game_id)
    recorded = service.act(game_id, Leave(1))

    assert recorded[0].event == events.PlayerLeft(0, "withdrew", 1)
    # Only programs are left: the next round begins at once.
    assert types(recorded)[1] == "RoundStarted"
    play_out(service, game_id)
    assert service.view(game_id, EVERYONE).seat(1).standing == "out"


def test_where_other_people_stay_the_game_waits_on(service: Service) -> None:
    game_id = started(service, HUMAN, HUMAN, "minimum")
    play_to_the_pause(service, game_id)

    assert types(service.act(game_id, Leave(1))) == ["PlayerLeft"]
    assert service.status(game_id).pausing
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, Leave(1))
    assert refused.value.code == "already_out"
    assert types(service.go_on(game_id))[0] == "RoundStarted"


def test_the_last_but_one_to_leave_ends_the_game(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    play_to_the_pause(service, game_id)
    assert types(service.act(game_id, Leave(1))) == ["PlayerLeft", "GameEnded"]


def test_a_program_does_not_leave(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", "minimum")
    play_to_the_pause(service, game_id)
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, Leave(2))
    assert refused.value.code == "not_a_person"


def test_the_last_round_goes_on_to_the_end_of_the_game(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=1)
    while service.status(game_id).outcome is None:
        recorded = act(service, game_id)
    assert types(recorded)[-2:] == ["RoundEnded", "GameEnded"]


def test_a_game_of_programs_does_not_pause(service: Service) -> None:
    game_id = started(service, "minimum", "minimum", rounds=2)
    play_out_types = types(service.play_round(game_id))
    assert play_out_types[play_out_types.index("RoundEnded") + 1] == "RoundStarted"
