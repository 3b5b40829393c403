"""The games that a service keeps in memory, and the number of its database queries."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.actions import Bet, Call, Discard
from pokersvc.service import OpenGame, Service
from pokersvc.service.open_game import SIZE, SIZE_OF_AN_EVENT
from pokersvc.service.open_games import MOST_COPIES, OpenGames
from pokersvc.system.eviction import NEWCOMERS

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


def size_of_one(log: EventLog) -> int:
    """Return the size in bytes of a game of two that has just started."""
    with OpenGames(log).held(started(Service(log), HUMAN, "minimum")) as open_game:
        return open_game.size


def test_games_stay_in_memory_by_bytes(log: EventLog) -> None:
    memory = 10 * size_of_one(log)
    service = Service(log, memory=memory)
    games = [started(service, HUMAN, "minimum") for _ in range(30)]
    for game_id in games:
        service.view(game_id, EVERYONE)
    assert len(service._open_games) == 10
    assert service._open_games.bytes <= memory
    assert all(as_the_log_says(service, log, game_id) for game_id in games)
    assert service._open_games.bytes <= memory


def test_games_used_in_turn_are_not_all_replayed_where_one_does_not_fit(log: EventLog, followed: list[int]) -> None:
    service = Service(log, memory=40 * size_of_one(log))
    games = [started(service, HUMAN, "minimum") for _ in range(41)]
    for game_id in games * 2:
        service.status(game_id)
    del followed[:]
    for game_id in games:
        service.status(game_id)
    assert 0 < followed.count(2) <= NEWCOMERS + 1, "those that came last, and not each just before it is asked for"


def test_a_game_that_comes_back_is_replayed_once_for_all_commands_of_a_burst(
    log: EventLog, followed: list[int]
) -> None:
    service = Service(log, memory=20 * size_of_one(log))
    games = [started(service, HUMAN, HUMAN) for _ in range(2 * NEWCOMERS + 20)]
    del followed[:]
    for number in (0, NEWCOMERS):
        burst = games[number : number + NEWCOMERS]
        for game_id in burst:
            service.act(game_id, Bet(1, 50))
        for game_id in burst:
            service.act(game_id, Call(2))
    assert followed.count(2) <= 2 * NEWCOMERS, "each from its first event at most once"


def test_a_game_is_counted_with_all_that_it_keeps(log: EventLog) -> None:
    service = Service(log)
    game_id = started(service, HUMAN, HUMAN, rounds=3)
    with service._open_games.held(game_id) as open_game:
        assert open_game.size == SIZE + SIZE_OF_AN_EVENT * len(list(open_game.state.view(AUDITOR).record))
        before = open_game.size
    play_out(service, game_id)
    with service._open_games.held(game_id) as open_game:
        told = list(open_game.state.view(AUDITOR).record)
        assert open_game.size == SIZE + SIZE_OF_AN_EVENT * len(told) > before
        past = sum(map(len, open_game.state.view(1).record.past))
        assert past > 0
        assert open_game.size == SIZE + SIZE_OF_AN_EVENT * (len(told) + past), "and what seat 1 has looked back at"


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
    """As when an earlier backup is restored, and the game continues differently."""
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
