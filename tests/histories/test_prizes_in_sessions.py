"""Sessions with tournaments for prizes: chips of those hands are no winnings, and the prize counts once."""

import pytest
from sqlalchemy import update

from pokersvc.core.actions import Leave
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.sessions import played_hands, sessions, tables
from pokersvc.service import Service
from pokersvc.service.read_models.history import ReadModelsDamaged
from pokersvc.service.read_models.projections import game_summaries
from tests.service.support import play_to_the_pause

SEATS = (Seat(HUMAN, "Ann"), Seat("random", "Bob"), Seat("random", "Cy"))


def begun(database: Database, **options: object) -> tuple[Service, str]:
    """Begin a game, and play its first round."""
    service = Service(EventLog(database))
    given = {"rules": "no-limit", "stack": "1000", **options}
    game, _ = service.start("draw", Setup(SEATS, EntropySource.from_text("prizes"), None, given))
    play_to_the_pause(service, game)
    return service, game


def test_the_prize_counts_once_it_is_won_and_the_chips_never() -> None:
    database = Database.for_writing(":memory:")
    service, game = begun(database, entry=10, prizes="100")
    begun(database)
    (one,) = sessions(played_hands(database))
    chips = sum(hand.net or 0 for hand in one.hands if hand.game_id != game)
    assert one.nets == {("", 0): chips}
    assert one.prizes is None, "nobody has a result in the units of prizes yet"
    service.act(game, Leave(1))
    while service.status(game).outcome is None:
        service.go_on(game) if service.status(game).pausing else service.step(game)
    (one,) = sessions(played_hands(database))
    assert one.nets == {("", 0): chips}
    assert one.prizes == -10
    by_game = {group.hands[0].game_id: (group.nets, group.prizes) for group in tables(played_hands(database))}
    assert by_game.pop(game) == ({}, -10)
    assert [*by_game.values()] == [({("", 0): chips}, None)]


def test_a_tournament_over_two_sessions_counts_in_the_last() -> None:
    database = Database.for_writing(":memory:")
    service, game = begun(database, entry=10, prizes="100")
    service.go_on(game)
    play_to_the_pause(service, game)
    service.act(game, Leave(1))
    while service.status(game).outcome is None:
        service.go_on(game) if service.status(game).pausing else service.step(game)
    played = played_hands(database)
    ((key, hands),) = played.hands.items()
    first, second = hands
    apart = played._replace(hands={key: [first._replace(at="2020-01-01T00:00:00"), second]})
    assert [one.prizes for one in sessions(apart)] == [-10, None]


@pytest.mark.parametrize("seats", ["[", "[]", '[{"name": 1}]'])
def test_a_damaged_list_of_games_is_said(seats: str) -> None:
    database = Database.for_writing(":memory:")
    service, game = begun(database, entry=10, prizes="100")
    service.act(game, Leave(1))
    while service.status(game).outcome is None:
        service.go_on(game) if service.status(game).pausing else service.step(game)
    with database.append() as connection:
        connection.execute(update(game_summaries).values(seats=seats))
    with pytest.raises(ReadModelsDamaged, match="rebuild"):
        played_hands(database)
