"""What a service keeps in memory, and how often it asks the database."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.actions import Bet, Call, Discard
from pokersvc.service import OpenGame, Service
from pokersvc.service.open_games import MOST_COPIES, MOST_GAMES, OpenGames

from .support import act, as_the_log_says, play_out, setup, started, transactions, types


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the events that tables were made of, each once for each table that was."""
    found: list[int] = []
    follow = OpenGame.follow

    def noting(table: OpenGame, records: Iterable[Record]) -> None:
        def noted() -> Iterator[Record]:
            for record in records:
                found.append(record.seq)
                yield record

        follow(table, noted())

    monkeypatch.setattr(OpenGame, "follow", noting)
    return found


# Transactions.


def test_a_bet_and_its_answer_are_two_transactions(shared: Database) -> None:
    service = Service(EventLog(shared))
    game_id = started(service, HUMAN, "minimum")
    with transactions() as opened:
        service.act(game_id, Bet(1, 50))
        service.step(game_id)
    assert len(opened) == 2, "an append each: it finds out by itself whether others went on"


def test_a_person_who_is_asked_what_to_do_costs_one_more(shared: Database) -> None:
    service = Service(EventLog(shared))
    game_id = started(service, HUMAN, "minimum")
    with transactions() as opened:
        turn = service.turn(game_id, 1)
        service.act(game_id, Bet(1, 50), expected=turn.count, command_id="c")
        service.step(game_id)
    assert len(opened) == 3


def test_a_question_is_one_transaction(shared: Database) -> None:
    service = Service(EventLog(shared))
    game_id = started(service, HUMAN, "minimum")
    Service(EventLog(shared)).act(game_id, Bet(1, 50))
    for ask in (
        lambda: service.status(game_id),
        lambda: service.view(game_id, EVERYONE),
        lambda: Service(EventLog(shared)).view(game_id, 1),
    ):
        with transactions() as opened:
            ask()
        assert len(opened) == 1


def test_starting_a_game_that_is_not_named_is_one_transaction(shared: Database) -> None:
    service = Service(EventLog(shared))
    with transactions() as opened:
        started(service, HUMAN, "minimum")
    assert len(opened) == 1


# Memory.


@pytest.mark.no_cover
def test_what_a_service_keeps_in_memory_is_bounded(log: EventLog) -> None:
    service = Service(log)
    games = [started(service, HUMAN, "minimum") for _ in range(MOST_GAMES + 10)]
    for game_id in games:
        service.view(game_id, EVERYONE)
    assert len(service._open_games) == MOST_GAMES
    assert all(as_the_log_says(service, log, game_id) for game_id in (games[0], games[-1]))
    assert len(service._open_games) == MOST_GAMES


def test_the_game_that_was_unused_for_longest_is_forgotten(
    log: EventLog, monkeypatch: pytest.MonkeyPatch, followed: list[int]
) -> None:
    monkeypatch.setattr("pokersvc.service.open_games.MOST_GAMES", 2)
    service = Service(log)
    old, used, new = (started(service, HUMAN, "minimum") for _ in range(3))
    service.status(used)
    started(service, HUMAN, "minimum")
    service.status(used)
    assert followed == []
    service.status(new)
    assert followed
    del followed[:]
    service.status(old)
    assert followed


def test_of_one_game_few_tables_stay(log: EventLog) -> None:
    game_id, tables = started(Service(log), HUMAN, "minimum"), OpenGames(log)
    with ExitStack() as stack:
        held = [stack.enter_context(tables.held(game_id)) for _ in range(3 * MOST_COPIES)]
    assert len({id(table) for table in held}) == 3 * MOST_COPIES, "each is with one"
    assert len(tables) == MOST_COPIES


# What others have recorded.


def test_what_others_recorded_is_applied_to_what_is_in_memory(log: EventLog, followed: list[int]) -> None:
    service, other = Service(log), Service(log)
    game_id = started(service, HUMAN, HUMAN)
    count = service.status(game_id).count
    other.act(game_id, Bet(1, 50))
    other.act(game_id, Call(2))
    del followed[:]
    assert service.view(game_id, EVERYONE).stage == "draw"
    assert followed == [count + 1, count + 2], "and nothing before it"
    assert types(service.act(game_id, Discard(1, ()))) == ["CardsDiscarded"]
    assert as_the_log_says(service, log, game_id)


def test_a_log_that_was_replaced_is_read_anew() -> None:
    """As where a backup from before is put back, and the game goes on otherwise from there."""
    with Database.for_writing(":memory:") as one, Database.for_writing(":memory:") as other:
        first, second = EventLog(one), EventLog(other)
        service = Service(first)
        game_id = started(service, HUMAN, HUMAN, rounds=3, text="one")
        act(service, game_id)
        Service(second).start("draw", setup(HUMAN, HUMAN, rounds=3, text="two"), game_id=game_id)
        service._open_games._log = second
        assert as_the_log_says(service, second, game_id)
        play_out(Service(second), game_id)
        service._open_games._log = first
        assert as_the_log_says(service, first, game_id)
        service._open_games._log = second
        assert as_the_log_says(service, second, game_id)


def test_a_refused_action_is_judged_by_the_game_as_it_stands(log: EventLog) -> None:
    service, other = Service(log), Service(log)
    game_id = started(service, HUMAN, HUMAN)
    other.act(game_id, Bet(1, 50))
    with pytest.raises(IllegalAction, match="it is Bob's turn"):
        service.act(game_id, Bet(1, 50))
