"""The tallies: statistics are the same whether hands are in them or not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.counting import Figures, total
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.service import Service
from pokersvc.service.read_models import history, tallies
from pokersvc.service.read_models.statistics import hands, statistics, without_hands
from pokersvc.service.read_models.tallies import DIMENSIONS, Sums, tally
from tests.service.support import commands, play_out, started


@pytest.fixture
def database(shared: Database) -> Database:
    return shared


def sums(database: Database) -> dict[str, Sums]:
    return {by: statistics(database, by).sums for by in DIMENSIONS}


def stored(database: Database) -> int:
    with database.read() as connection:
        return len(connection.execute(tallies.tallies.select()).all())


def test_statistics_count_hands_that_are_in_no_tally_yet(service: Service, database: Database) -> None:
    game_id = started(service, "steady", "minimum", rounds=3)
    seen = []
    for _ in commands(service, game_id):
        found = statistics(database).sums
        seen.append({key.player: figures.dealt for key, figures in found.items()})
        assert stored(database) == 0
    assert {1, 2, 3} == {counts["Ann"] for counts in seen if counts}


def test_tallying_changes_no_number(service: Service, database: Database) -> None:
    over = started(service, "steady", "random", "minimum", rounds=2)
    play_out(service, over)
    going_on = started(service, HUMAN, "minimum", rounds=2, text="another")
    service.start("kalah", Setup((Seat("random", "Ann"), Seat("random", "Bob")), EntropySource.fresh()))
    before = sums(database)
    assert tally(database) > 0
    assert sums(database) == before
    assert tally(database) == 0, "everything is in them already"
    service.go_on(going_on) if service.status(going_on).pausing else None
    play_out(service, going_on)
    unstored = sums(database)
    tally(database)
    assert sums(database) == unstored


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(["random", "steady"]), min_size=2, max_size=5), st.lists(st.booleans(), min_size=4))
@pytest.mark.no_cover
def test_it_does_not_matter_when_hands_are_tallied(kinds: list[str], tallied: list[bool]) -> None:
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        game_id = started(service, *kinds, rounds=4)
        for tallies_now in tallied:
            if service.status(game_id).outcome is None:
                service.play_round(game_id)
            if tallies_now:
                tally(database)
        found = sums(database)
        history.rebuild(database)
        assert sums(database) == found
        assert tally(database) == 0, "everything is in them"


def test_every_dimension_adds_up_to_all_hands(service: Service, database: Database) -> None:
    play_out(service, started(service, "steady", "random", "minimum", "random", rounds=5))
    tally(database)
    found = sums(database)
    for by in set(DIMENSIONS) - {"opponent"}:
        for key, figures in found["all"].items():
            assert total(part for other, part in found[by].items() if other.player == key.player) == figures
    for key, figures in found["opponent"].items():
        assert figures.dealt <= found["all"][key._replace(dimension="all", value="")].dealt


def test_the_hands_behind_a_number_add_up_to_it(service: Service, database: Database) -> None:
    for text in ("one", "two"):
        play_out(service, started(service, "steady", "random", "minimum", rounds=3, text=text))
    tally(database)
    for by in DIMENSIONS:
        for key, figures in statistics(database, by, ("Ann",)).sums.items():
            behind = [hand for hand in hands(database, by, ("Ann",)) if hand.value == key.value]
            assert total(hand.seat.figures for hand in behind) == figures
            assert len({(hand.played.game_id, hand.played.hand.round) for hand in behind}) == len(behind)


def test_players_are_asked_for_by_name(service: Service, database: Database) -> None:
    play_out(service, started(service, "steady", "random", rounds=1))
    for _ in (0, 1):
        assert {key.player for key in statistics(database).sums} == {"Ann", "Bob"}
        assert {key.player for key in statistics(database, players=("Bob",)).sums} == {"Bob"}
        assert statistics(database, players=("Zoë",)).sums == {}
        assert {hand.seat.player for hand in hands(database, players=("Bob",))} == {"Bob"}
        tally(database)


@pytest.fixture
def first_of_two(service: Service, database: Database) -> str:
    """Fixture: the first of two games, whose rows a test changes."""
    if database.on_server:
        pytest.skip("a server refuses such changes: tests/audit changes a file")
    for text in ("one", "two"):
        play_out(service, started(service, "steady", "random", rounds=1, text=text))
    return min(game_id for game_id, _ in EventLog(database).games())


@pytest.fixture
def damaged(first_of_two: str, database: Database) -> str:
    """Fixture: two games, one of which has an unreadable event."""
    with database.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_refuse_update")
        connection.exec_driver_sql("UPDATE events SET payload = '{}' WHERE seq = 4 AND game_id = ?", (first_of_two,))
    return first_of_two


def test_a_damaged_game_is_left_out_and_named(damaged: str, database: Database) -> None:
    found = statistics(database)
    assert found.uncountable == [damaged]
    assert {figures.dealt for figures in found.sums.values()} == {1}
    assert tally(database) == 1
    assert statistics(database) == found
    assert {hand.played.game_id for hand in hands(database)}.isdisjoint({damaged})


def test_a_game_whose_number_of_rounds_is_none_is_left_out_and_named(first_of_two: str, database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE game_summaries SET rounds = 'many' WHERE game_id = ?", (first_of_two,))
    found = statistics(database)
    assert found.uncountable == [first_of_two]
    assert {figures.dealt for figures in found.sums.values()} == {1}


def test_games_without_hands_are_counted_as_such(service: Service, database: Database) -> None:
    for kind in game_kinds():
        seats = (Seat("random", "Ann"), Seat("random", "Bob"))
        service.start(kind, Setup(seats, EntropySource.fresh()))
    assert without_hands(database) == dict.fromkeys({*game_kinds()} - {"draw"}, 1)


def test_many_games_are_tallied_some_at_a_time(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        play_out(service, started(service, "minimum", "minimum", rounds=1, text=str(number)))
    before = sums(database)
    monkeypatch.setattr(tallies, "GAMES_AT_ONCE", 2)
    assert tally(database) == 5
    assert sums(database) == before
    assert total(before["all"].values()) == total(statistics(database).sums.values()) != Figures()


EVERYBODY = ["Ann", "Bob", "Cid", "Dan", "Eve"]


def test_those_with_most_hands_are_the_first_of_all(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether no hands, those of the first games, or all hands are in the tallies."""
    for number, (count, rounds) in enumerate([(5, 1), (4, 2), (3, 1), (2, 3), (2, 1)]):
        seats = tuple(Seat("minimum", name) for name in EVERYBODY[:count])
        game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text(str(number)), rounds))
        play_out(service, game_id)
    first_are_the_first_of_all(database, 3)
    with monkeypatch.context() as patch:
        whole = tallies.uncounted
        patch.setattr(tallies, "uncounted", lambda connection, *_: whole(connection, "", 3))
        patch.setattr(tallies, "GAMES_AT_ONCE", 4)
        assert tally(database) == 3
    first_are_the_first_of_all(database, 1, 3, 9)
    assert tally(database) == 2
    first_are_the_first_of_all(database, 3)


def first_are_the_first_of_all(database: Database, *numbers: int) -> None:
    every = statistics(database).sums
    assert statistics(database).players_left_out == 0
    dealt = {key.player: figures.dealt for key, figures in every.items()}
    assert sorted(EVERYBODY, key=lambda name: -dealt[name]) == EVERYBODY
    assert len(set(dealt.values())) >= 4, "Ann and Bob are in every game"
    others = statistics(database, "opponent", ("Eve", "Dan")).sums
    for most in numbers:
        found = statistics(database, most=most)
        assert found.sums == {key: every[key] for key in every if key.player in EVERYBODY[:most]}
        assert found.players_left_out == max(0, 5 - most)
        by_position = statistics(database, "position", most=most)
        assert by_position.sums == statistics(database, "position", EVERYBODY[:most]).sums
        against = statistics(database, "opponent", ("Eve", "Dan"), most=most)
        assert against.opponents_left_out == len(others) - len(against.sums) == 2 * max(0, 4 - most)
        for key, figures in against.sums.items():
            assert others[key] == figures
            left_out = [other for other in others if other.player == key.player and other not in against.sums]
            assert all(others[other].dealt <= figures.dealt for other in left_out)


def test_hands_in_the_tallies_count_for_who_is_not_among_the_first_by_those_alone(
    service: Service, database: Database
) -> None:
    """Bob has fewer hands than Ann in the tallies, but more in total."""
    for number, (names, rounds) in enumerate([(("Ann", "Cid"), 3), (("Bob", "Dan"), 2), (("Bob", "Eve"), 2)]):
        seats = tuple(Seat("minimum", name) for name in names)
        game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text(str(number)), rounds))
        play_out(service, game_id)
        if number == 1:
            tally(database)
    found = statistics(database, most=1)
    assert {key.player: figures.dealt for key, figures in found.sums.items()} == {"Bob": 4}
    assert found.players_left_out == 4


def test_one_value_is_asked_for(service: Service, database: Database) -> None:
    play_out(service, started(service, "steady", "random", "minimum", rounds=4))
    for _ in (0, 1):
        every = statistics(database, "opponents").sums
        for value in {key.value for key in every}:
            one = statistics(database, "opponents", only=value).sums
            assert one == {key: figures for key, figures in every.items() if key.value == value}
        assert statistics(database, "opponents", only="99").sums == {}
        tally(database)


def test_hands_of_a_package_s_game_are_in_no_tally_and_counted_all_the_same(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the package is not installed, no audit could tell them from forged ones."""
    play_out(service, started(service, "steady", "random", "minimum", rounds=2))
    before = sums(database)
    monkeypatch.setattr(tallies, "BUILT_IN", frozenset({"kalah"}))
    for put in (tally, history.rebuild):
        put(database)
        assert stored(database) == 0
        assert sums(database) == before
    monkeypatch.undo()
    assert tally(database) == 1
    assert sums(database) == before


def test_a_game_that_is_not_installed_waits_to_be_counted(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_out(service, started(service, "steady", "random", rounds=2))
    before = sums(database)
    monkeypatch.setattr(tallies, "BUILT_IN", frozenset())
    monkeypatch.setattr(tallies, "usable", lambda _: False)
    assert tally(database) == 0
    monkeypatch.undo()
    assert sums(database) == before
    assert tally(database) == 1
    assert sums(database) == before


def test_a_seat_with_nothing_to_count_makes_no_row(
    service: Service, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = DrawPokerCounter._figures

    def bobs_are_nothing(counter: DrawPokerCounter, part: object) -> Figures:
        return Figures() if part is counter._parts.get(2) else played(counter, part)  # type: ignore[arg-type]  # its type is private

    monkeypatch.setattr(DrawPokerCounter, "_figures", bobs_are_nothing)
    play_out(service, started(service, "steady", "random", rounds=2))
    for _ in range(2):
        assert {key.player for found in sums(database).values() for key in found} == {"Ann"}
        assert {hand.seat.player for hand in hands(database)} == {"Ann"}
        tally(database)
