"""Newcomers in a running cash game are recorded, listed, counted, audited and replayed under their own names."""

import json
import threading
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.betting.cash import SitDown
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_words import event_words
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.histories.exporting import WRITERS
from pokersvc.histories.of_game import hands_of
from pokersvc.service import NotYourSeat, Pause, Service, Session
from pokersvc.service.cursor import Cursor
from pokersvc.service.read_models import history
from pokersvc.service.read_models.game_search import Sought, games, seats_asked
from pokersvc.service.read_models.statistics import statistics
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering

from .support import play_to_the_pause, rows


def cash_game(service: Service, game_id: str | None = None, **options: object) -> str:
    """Start a cash game of a person and a program with two open seats, and play its first round."""
    given = {"rules": "no-limit", "cash": True, "open_seats": 2, **options}
    setup = Setup((Seat(HUMAN, "Ann"), Seat("minimum", "Bob")), EntropySource.from_text("cash"), None, given)
    game_id, _ = service.start("draw", setup, game_id=game_id)
    play_to_the_pause(service, game_id)
    return game_id


def another_round(service: Service, game_id: str) -> None:
    service.go_on(game_id)
    play_to_the_pause(service, game_id)


def carl_and_dee(service: Service) -> None:
    """Carl sits down, waits for a round, plays one and gets up; Dee takes the seat and does the same."""
    game_id = cash_game(service, "coming")
    service.act(game_id, SitDown(3, 80, "Carl"))
    another_round(service, game_id)
    another_round(service, game_id)
    service.act(game_id, Leave(3))
    service.act(game_id, SitDown(3, 90, "Dee"))
    another_round(service, game_id)
    another_round(service, game_id)
    service.close(game_id)


def listed(database: Database, player: str) -> int:
    return len(list(games(database, Sought(player=player))))


def test_open_seats_are_no_players_in_lists_and_nobody_is_awaited_there(database: Database, service: Service) -> None:
    game_id = cash_game(service)
    summary = history.summary(database, game_id)
    assert [seat.kind for seat in summary.seats] == [HUMAN, "minimum", OPEN, OPEN]
    assert listed(database, "Seat3") == 0
    assert seats_asked(service, summary) == (1,)
    assert {key.player for key in statistics(database).sums} == {"Ann", "Bob"}


def test_a_newcomer_is_listed_counted_and_told_of_by_their_name(database: Database, service: Service) -> None:
    carl_and_dee(service)
    assert [seat.name for seat in history.summary(database, "coming").seats] == ["Ann", "Bob", "Dee", "Seat4"]
    assert (listed(database, "carl"), listed(database, "Dee"), listed(database, "Ann")) == (1, 1, 1)
    counted = {key.player: figures.dealt for key, figures in statistics(database).sums.items()}
    assert counted == {"Ann": 5, "Bob": 5, "Carl": 1, "Dee": 1}
    entries = list(history.entries(database, "coming"))
    names = [{hand["name"] for hand in entry.facts["hands"]} for entry in entries]
    two = {"Ann", "Bob"}
    assert names == [two, two, {*two, "Carl"}, two, {*two, "Dee"}]


def test_what_is_rebuilt_is_what_was_stored_live_and_the_audit_is_whole(database: Database, service: Service) -> None:
    carl_and_dee(service)
    live = rows(database)
    history.rebuild(database)
    assert rows(database) == live
    assert [finding for one in audit(database) for finding in one.findings] == []


def test_a_replay_says_who_sat_where_then(database: Database, service: Service) -> None:
    carl_and_dee(service)
    records = list(EventLog(database).read("coming"))
    cursor = Cursor(DRAW_POKER, records, EVERYONE)
    seen = {cursor.at(seq).seats[2].name for seq in range(1, cursor.count + 1)}
    assert seen == {"Seat3", "Carl", "Dee"}
    texts = [cursor.at(seq).text for seq in range(1, cursor.count + 1)]
    assert "Carl gets up with" in "".join(texts)
    steps = list(service.replay("coming"))
    start = steps[0].event
    assert isinstance(start, GameStarted)
    seats = DRAW_POKER.seats(start)
    assert not any("Seat3" in event_words(DRAW_POKER, step.event, step.state, seats) for step in steps[1:])


@pytest.mark.parametrize("format_", sorted(WRITERS))
def test_hands_are_written_with_the_names_of_their_hand(service: Service, format_: str) -> None:
    carl_and_dee(service)
    hands = list(hands_of(service.replay("coming"), EVERYONE))
    assert [[player.name for player in hand.players] for hand in hands] == [
        ["Ann", "Bob"],
        ["Ann", "Bob", "Carl"],  # who waits sits there, and is not dealt in
        ["Ann", "Bob", "Carl"],
        ["Ann", "Bob", "Dee"],
        ["Ann", "Bob", "Dee"],
    ]
    third = "".join(WRITERS[format_](hands[2:3]))
    assert "Carl" in third
    assert "Dee" not in third


def test_a_session_of_all_people_lets_somebody_sit_down_and_asks_them_from_then_on(service: Service) -> None:
    session = Session(service, cash_game(service))
    while not isinstance(session.next(), Pause):
        pass
    assert (session.seats, session.viewer, session.free_seats) == ((1,), 1, (3, 4))
    session.act(SitDown(3, 80, "Carl"))
    pause = session.next()
    while not isinstance(pause, Pause):
        pause = session.next()
    assert (session.seats, session.viewer, session.free_seats) == ((1, 3), EVERYONE, (4,))
    assert session.all_seats[2] == Seat(HUMAN, "Carl")
    assert pause.leaving == (1, 3)


def test_a_session_of_some_people_seats_nobody_else(service: Service) -> None:
    session = Session(service, cash_game(service), seats=[1])
    while not isinstance(session.next(), Pause):
        pass
    assert session.free_seats == ()
    with pytest.raises(NotYourSeat):
        session.act(SitDown(3, 80, "Carl"))


def test_of_two_who_take_one_seat_at_once_one_sits_down(service: Service) -> None:
    game_id = cash_game(service)
    refused: list[str] = []
    together = threading.Barrier(2)

    def sit(name: str) -> None:
        together.wait()
        try:
            service.act(game_id, SitDown(3, 80, name))
        except IllegalAction as error:
            refused.append(error.code)

    threads = [threading.Thread(target=sit, args=(name,)) for name in ("Carl", "Dee")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["already_seated"]
    assert service.status(game_id).seats[2].name in ("Carl", "Dee")


def test_nobody_sits_down_in_the_middle_of_a_round(service: Service) -> None:
    game_id = cash_game(service)
    service.go_on(game_id)
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, SitDown(3, 80, "Carl"))
    assert refused.value.code == "not_between_rounds"


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"name": "Dan"}, "read_models"),
        ({"name": "ann"}, "rules"),
        ({"name": None}, "rules"),
        ({"name": " Carl"}, "schema"),
        ({"seat": 2}, "rules"),
        ({"seat": 4}, "rules"),
        ({"amount": 300}, "rules"),
        ({"amount": 81}, "rules"),
    ],
)
def test_a_forged_newcomer_is_found(change: dict[str, object], check: str) -> None:
    with tampering(in_one_file(carl_and_dee)) as tampered:
        tampered.restore()
        seq = forged(tampered, "coming", "SatDown", public(**change))
        findings = tampered.audit("coming")
    found = only(findings, check)
    assert found
    if check in ("rules", "schema"):
        assert (found[0].seq or 0) >= seq


def cy(service: Service) -> None:
    """Cy, who has no chips at first, sits down at the seat that is called so from the start."""
    setup = Setup(
        (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"), Seat("minimum", "Dee"), Seat(HUMAN, "Cy")),
        EntropySource.from_text("cash"),
        None,
        {"rules": "no-limit", "cash": True, "stack": {"Cy": 0}},
    )
    service.start("draw", setup, game_id="late")
    play_to_the_pause(service, "late")
    service.act("late", SitDown(4, 80))
    another_round(service, "late")
    service.close("late")


def as_version_3(record: Record) -> Record:
    """Return the start as programs wrote it before there were open seats, with a person who is called as one."""
    said = (
        record.payload.replace('"name":"Cy"', '"name":"Seat4"')
        .replace(',"straddle":0', "")
        .replace(',"uncapped":"never"', "")
        .replace('"changeable":false,', "")
        .replace('"entry":null,', "")
        .replace('"levels":null,', "")
        .replace('"cash":null,', "")
        .replace('"people":null,', "")
    )
    return record._replace(version=3, payload=said.replace('"engine":4', '"engine":3'))


def test_before_there_were_open_seats_a_person_could_be_called_as_one_is() -> None:
    with patch.object(type(DRAW_POKER), "engine", 4):  # whose deals are as they were by engine 3
        content = in_one_file(cy)
    with tampering(content) as tampered:
        tampered.restore()
        forged(tampered, "late", "GameStarted", as_version_3)
        forged(tampered, "late", "SatDown", lambda one: one._replace(version=1, payload='{"amount":80,"seat":4}'))
        history.rebuild(tampered.database)
        assert tampered.audit("late") == []
        assert history.summary(tampered.database, "late").seats[3] == Seat(HUMAN, "Seat4")


@pytest.mark.parametrize("forge", [("SatDown", {"name": "Ann"}), ("GameStarted", None)])
def test_two_seats_of_one_name_are_found_and_keep_nothing_from_being_rebuilt(
    forge: tuple[str, dict[str, object] | None],
) -> None:
    with tampering(in_one_file(carl_and_dee)) as tampered:
        tampered.restore()
        type_, change = forge
        if change is None:
            seats = json.loads(tampered.records("coming")[0].payload)["seats"]
            change = {"seats": [{**seat, "name": "Ann"} if seat["name"] == "Bob" else seat for seat in seats]}
        forged(tampered, "coming", type_, public(**change))
        assert history.rebuild(tampered.database) == 1
        findings = tampered.audit("coming")
    assert only(findings, "rules")


def test_another_name_whose_hashes_are_right_is_found_where_somebody_kept_a_head(
    database: Database, service: Service
) -> None:
    """A whole log rewritten under another name is another log, and a noted hash tells them apart."""
    carl_and_dee(service)
    head = service.status("coming").head
    with tampering(in_one_file(carl_and_dee)) as tampered:
        tampered.restore()
        forged(tampered, "coming", "SatDown", public(name="Dan"))
        assert tampered.records("coming")[-1].hash != head


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(["sit", "up", "round"]), st.integers(3, 4)), max_size=8))
def test_whoever_comes_and_goes_read_models_audit_and_replay_agree(moves: list[tuple[str, int]]) -> None:
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        game_id = cash_game(service)
        for number, (what, seat) in enumerate(moves):
            state_of = service.view(game_id, EVERYONE).seat(seat)
            if what == "round":
                another_round(service, game_id)
            elif what == "sit" and state_of.standing == "out":
                service.act(game_id, SitDown(seat, 50, f"New{number}"))
            elif what == "up" and state_of.standing != "out":
                service.act(game_id, Leave(seat))
        live = rows(database)
        history.rebuild(database)
        assert rows(database) == live
        assert [finding for one in audit(database) for finding in one.findings] == []
        fresh = Service(EventLog(database))
        for viewer in (EVERYONE, 1, 3):
            assert fresh.view(game_id, viewer) == service.view(game_id, viewer)
        assert fresh.status(game_id) == service.status(game_id)
