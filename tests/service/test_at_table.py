"""A service at a table: settings, clock, pauses, sitting out, removing and closing, and seeds that open."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

import pytest

from pokersvc.core.actions import Action, IllegalAction, Leave
from pokersvc.core.registry import game_kinds
from pokersvc.core.tables.table_events import (
    ComeBack,
    PauseTable,
    ReplaceSeat,
    RestartClock,
    ResumeTable,
    TableSettings,
)
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import Record, SharedRecord, secret_digest
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Fold
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service import (
    Choose,
    CommandReused,
    NothingToDo,
    NotYourSeat,
    Pause,
    Recorded,
    Service,
    Session,
    Shown,
    Waiting,
)
from pokersvc.service.read_models.history import rebuild
from tests.service.support import as_the_log_says, play_out, play_to_the_pause, rows, setup, types

START = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)
CLOCK = TableSettings(seconds=30, bank=60)
CHOICES: Final = (events.Folded, events.Bet, events.Called, events.Checked, events.CardsDiscarded)


class Hands:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def turn(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def service(log: EventLog, hands: Hands) -> Service:
    return Service(log, hands)


@pytest.fixture(autouse=True)
def _audits(database: Database) -> Iterator[None]:
    """An audit finds nothing wrong in whatever a service records."""
    yield
    assert [finding for audited in audit(database) for finding in audited.findings] == []


def started(service: Service, *kinds: str, table: TableSettings | None = CLOCK, rounds: int | None = None) -> str:
    return service.start("draw", setup(*kinds, rounds=rounds), table=table)[0]


def choices_in(recorded: list[Recorded]) -> list[tuple[Record | SharedRecord, int]]:
    """Return the seats' choices among the recorded events, each with its seat."""
    return [(record, event.seat) for record, event in recorded if isinstance(event, CHOICES)]


def refusal(service: Service, game_id: str, action: Action) -> str:
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, action)
    return refused.value.code


def lapse(service: Service, game_id: str, hands: Hands) -> list[str]:
    """The time of who must choose is over."""
    (seat,) = service.status(game_id).awaited
    hands.turn(1000)
    return types(service.time_out(game_id, seat))


def test_the_settings_are_the_second_event_of_the_game(service: Service, log: EventLog) -> None:
    game_id, recorded = service.start("draw", setup("human", "human"), table=CLOCK)
    assert types(recorded)[:3] == ["GameStarted", "TableSet", "RoundStarted"]
    assert recorded[1].record.payload == '{"advice":true,"bank":60,"opens_seeds":false,"seconds":30}'
    status = service.table(game_id)
    assert (status.settings, status.paused, status.sitting_out) == (CLOCK, False, ())
    assert status.deadlines == {1: START + timedelta(seconds=90)}
    assert status.bank == {1: timedelta(seconds=60), 2: timedelta(seconds=60)}
    assert as_the_log_says(service, log, game_id)


def test_a_game_without_settings_has_a_table_without_them(service: Service) -> None:
    game_id = started(service, "human", "human", table=None)
    assert service.table(game_id).settings is None
    assert service.table(game_id).deadlines == {}
    service.table_act(game_id, PauseTable())
    assert service.table(game_id).paused


def test_the_same_start_again_finds_the_game_and_one_with_other_settings_is_another(service: Service) -> None:
    first = service.start("draw", setup("human", "human"), game_id="mine", table=CLOCK)
    assert service.start("draw", setup("human", "human"), game_id="mine", table=CLOCK) == first
    for other in (None, TableSettings(seconds=10)):
        with pytest.raises(CommandReused):
            service.start("draw", setup("human", "human"), game_id="mine", table=other)


def test_whose_time_is_over_has_the_move_that_the_game_names(service: Service, hands: Hands, log: EventLog) -> None:
    game_id = started(service, "human", "human")
    hands.turn(89.999999)
    with pytest.raises(IllegalAction) as refused:
        service.time_out(game_id, 1)
    assert refused.value.code == "not_over"
    hands.turn(0.000001)
    recorded = service.time_out(game_id, 1, command_id="over")
    assert types(recorded)[:2] == ["TimedOut", "Folded"]
    assert {one.record.command_id for one in recorded} == {"over"}
    assert {one.record.recorded_at for one in recorded} == {"2026-11-22T14:01:30.000000Z"}
    assert service.time_out(game_id, 1, command_id="over") == recorded
    assert service.table(game_id).bank[1] == timedelta(0)
    assert as_the_log_says(service, log, game_id)


def test_another_service_knows_the_clock_from_the_log(service: Service, log: EventLog, hands: Hands) -> None:
    game_id = started(service, "human", "human")
    hands.turn(40)
    service.act(game_id, Bet(1, 50))
    assert Service(log, hands).table(game_id) == service.table(game_id)
    assert service.table(game_id).bank[1] == timedelta(seconds=50)
    other = Service(log, hands)
    other.table_act(game_id, PauseTable())  # which the first service reads from the log
    assert service.table(game_id) == other.table(game_id)


def test_of_a_choice_and_a_time_out_the_one_that_is_recorded_first_counts(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "human")
    count = service.status(game_id).count
    hands.turn(100)
    service.act(game_id, Bet(1, 50))
    with pytest.raises(ConcurrentUpdate):
        service.time_out(game_id, 1, expected=count)
    with pytest.raises(IllegalAction, match="is not to choose now"):
        service.time_out(game_id, 1)


def test_a_pause_is_for_all_and_stops_the_clock(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "random")
    hands.turn(10)
    assert types(service.table_act(game_id, PauseTable(), command_id="p")) == ["TablePaused"]
    assert types(service.table_act(game_id, PauseTable(), command_id="p")) == ["TablePaused"]
    with pytest.raises(CommandReused):
        service.table_act(game_id, ReplaceSeat(1), command_id="p")
    assert refusal(service, game_id, Bet(1, 50)) == "paused"
    with pytest.raises(IllegalAction):
        service.time_out(game_id, 1)
    assert service.table(game_id).deadlines == {}
    hands.turn(10_000)
    service.table_act(game_id, ResumeTable())
    assert service.table(game_id).deadlines == {1: hands.now + timedelta(seconds=80)}
    service.act(game_id, Bet(1, 50))
    service.table_act(game_id, PauseTable())
    with pytest.raises(NothingToDo, match="paused"):
        service.step(game_id)
    service.table_act(game_id, ResumeTable())
    service.step(game_id)


def test_after_an_outage_the_clock_begins_anew(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "human")
    hands.turn(5000)
    assert types(service.table_act(game_id, RestartClock())) == ["ClockRestarted"]
    with pytest.raises(IllegalAction, match=r"90\.0 seconds left"):
        service.time_out(game_id, 1)


def until_ann_is_asked(service: Service, game_id: str) -> None:
    while service.status(game_id).awaited != (1,):
        match service.status(game_id).to_act:
            case None:
                service.go_on(game_id)
            case 2:
                service.act(game_id, Fold(2))
            case _:
                service.step(game_id)


def test_who_sits_out_is_timed_out_at_once_until_they_are_back(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "human", "table")
    for _ in range(2):
        until_ann_is_asked(service, game_id)
        assert service.table(game_id).sitting_out == ()
        lapse(service, game_id, hands)
    until_ann_is_asked(service, game_id)
    assert service.table(game_id).sitting_out == (1,)
    assert service.table(game_id).deadlines == {1: hands.now}
    assert types(service.time_out(game_id, 1))[:2] == ["TimedOut", "Folded"]
    assert types(service.table_act(game_id, ComeBack(1))) == ["CameBack"]
    assert service.table(game_id).sitting_out == ()


def test_no_round_starts_while_all_people_sit_out(service: Service, hands: Hands) -> None:
    heads_up = replace(setup("human", "human"), options={"rules": "no-limit"})
    game_id = service.start("draw", heads_up, table=CLOCK)[0]
    for rounds in range(4):  # in turn each has the button, is asked first, and folds when the time is over
        assert service.table(game_id).sitting_out == (1,) * (rounds == 3)
        lapse(service, game_id, hands)
        if rounds < 3:
            service.go_on(game_id)
    assert service.table(game_id).sitting_out == (1, 2)
    with pytest.raises(IllegalAction) as refused:
        service.go_on(game_id)
    assert refused.value.code == "nobody_sits_in"
    service.table_act(game_id, ComeBack(2))
    assert "RoundStarted" in types(service.go_on(game_id))


def test_in_a_pause_no_round_starts_and_people_may_leave(service: Service) -> None:
    game_id = started(service, "human", "human", "human")
    play_to_the_pause(service, game_id)
    service.table_act(game_id, PauseTable())
    with pytest.raises(IllegalAction, match="no round begins"):
        service.go_on(game_id)
    assert types(service.act(game_id, Leave(1))) == ["PlayerLeft"]


def test_the_host_removes_a_person_between_two_rounds(service: Service) -> None:
    game_id = started(service, "human", "human", "human")
    with pytest.raises(IllegalAction):
        service.remove(game_id, 2)
    play_to_the_pause(service, game_id)
    recorded = service.remove(game_id, 2, command_id="out")
    assert types(recorded) == ["SeatRemoved", "PlayerLeft"]
    assert service.remove(game_id, 2, command_id="out") == recorded
    with pytest.raises(IllegalAction):
        service.remove(game_id, 2)


def test_a_game_is_closed_between_two_rounds(service: Service, database: Database) -> None:
    game_id = started(service, "human", "human")
    with pytest.raises(IllegalAction) as refused:
        service.close(game_id)
    assert refused.value.code == "not_between_rounds"
    play_to_the_pause(service, game_id)
    recorded = service.close(game_id, command_id="close")
    assert types(recorded)[0] == "GameClosed"
    assert types(recorded)[-1] == "GameEnded"
    assert service.status(game_id).outcome is not None
    assert service.close(game_id, command_id="close") == recorded
    before = rows(database)
    rebuild(database)
    assert rows(database) == before
    with pytest.raises(IllegalAction):
        service.close(game_id)


def test_programs_play_their_round_to_its_end_before_their_game_is_closed(service: Service) -> None:
    game_id = started(service, "table", "table", "table", table=None)
    recorded = types(service.close(game_id))
    assert recorded.index("RoundEnded") < recorded.index("GameClosed")
    assert recorded[-1] == "GameEnded"


def test_programs_that_a_person_has_left_alone_play_their_round_to_its_end_before_it_is_closed(
    service: Service,
) -> None:
    game_id = started(service, "human", "minimum", "minimum", table=None)
    play_to_the_pause(service, game_id)
    assert types(service.act(game_id, Leave(1)))[:2] == ["PlayerLeft", "RoundStarted"]
    recorded = types(service.close(game_id))
    assert recorded.index("RoundEnded") < recorded.index("GameClosed")


@pytest.mark.parametrize("kinds", [("human", "minimum", "minimum"), ("minimum", "minimum", "human")])
def test_no_program_plays_on_where_a_person_is_still_in_the_game(service: Service, kinds: tuple[str, ...]) -> None:
    game_id = started(service, *kinds, table=None)
    before = service.status(game_id)
    with pytest.raises(IllegalAction) as refused:
        service.close(game_id)
    assert refused.value.code == "not_between_rounds"
    assert service.status(game_id) == before


@pytest.mark.parametrize("kind", game_kinds())
def test_every_game_can_be_closed(service: Service, kind: str) -> None:
    game_id, _ = service.start(kind, setup("human", "human"))
    while kind == "draw" and not service.status(game_id).pausing:
        service.act(game_id, Fold(1))
    assert types(service.close(game_id))[0] == "GameClosed"
    assert service.status(game_id).outcome is not None


@pytest.mark.parametrize("end", ["close", "abandon"])
def test_of_two_commands_with_one_id_only_one_that_closed_a_game_is_found_again(service: Service, end: str) -> None:
    game_id = started(service, "human", "human")
    choice = service.act(game_id, Bet(1, 50), command_id="choice")
    with pytest.raises(CommandReused):
        getattr(service, end)(game_id, command_id="choice")
    assert service.status(game_id).outcome is None
    recorded = service.abandon(game_id, command_id="end")
    assert "GameClosed" in types(recorded)[1:-1], "the end is not all that it recorded"
    assert getattr(service, end)(game_id, command_id="end") == recorded
    assert service.act(game_id, Bet(1, 50), command_id="choice") == choice


def test_in_an_abandoned_game_people_do_what_is_named_for_who_is_away_and_bots_choose(service: Service) -> None:
    game_id = started(service, "human", "minimum", "human", table=None)
    for action in (Bet(1, 50), Call(2), Call(3)):
        service.act(game_id, action) if action.seat != 2 else service.step(game_id)
    recorded = service.abandon(game_id)
    chosen = [(record.type, seat) for record, seat in choices_in(recorded)]
    assert chosen[:3] == [("CardsDiscarded", 1), ("CardsDiscarded", 2), ("CardsDiscarded", 3)]
    assert chosen[3:] == [("Folded", 1), ("Bet", 2), ("Folded", 3)]
    assert types(recorded)[-1] == "GameEnded"


@pytest.mark.parametrize("paused", [False, True])
def test_an_abandoned_game_draws_each_move_from_its_secret_the_seat_and_the_number_of_its_event(
    service: Service, monkeypatch: pytest.MonkeyPatch, paused: bool
) -> None:
    game_id = started(service, "human", "human", "human")
    if paused:
        service.table_act(game_id, PauseTable())
    drawn: list[tuple[int, int]] = []
    named = DrawPokerState.default_action

    def noted(state: DrawPokerState, seat: int, *, away: bool, random: Random) -> Action:
        drawn.append((seat, random.getrandbits(64)))
        return named(state, seat, away=away, random=random)

    monkeypatch.setattr(DrawPokerState, "default_action", noted)
    moves = [(seat, record.seq) for record, seat in choices_in(service.abandon(game_id))]
    source = setup("human", "human", "human").source
    assert len(moves) == 2, "the last one in wins"
    assert drawn == [(seat, source.program_random(seat, seq).getrandbits(64)) for seat, seq in moves]


def test_an_abandoned_game_may_end_by_itself_before_it_can_be_closed(service: Service) -> None:
    game_id = started(service, "human", "human", rounds=1)
    recorded = types(service.abandon(game_id))
    assert recorded[-1] == "GameEnded"
    assert "GameClosed" not in recorded
    assert service.abandon(game_id, command_id="again") == [], "it is over"


def test_a_paused_table_is_resumed_before_it_is_closed_for_good(service: Service) -> None:
    game_id = started(service, "human", "human")
    service.table_act(game_id, PauseTable())
    assert types(service.abandon(game_id))[0] == "TableResumed"
    assert service.status(game_id).outcome is not None


@pytest.mark.parametrize(
    ("left", "seconds"),
    [(90.0, "90.0"), (0.5, "0.5"), (0.000001, "0.0")],
)
def test_until_the_time_is_over_to_the_microsecond_the_refusal_says_how_much_is_left(
    service: Service, hands: Hands, left: float, seconds: str
) -> None:
    game_id = started(service, "human", "human")
    hands.turn(90 - left)
    with pytest.raises(IllegalAction, match=f"^Ann has {seconds} seconds left for this choice") as refused:
        service.time_out(game_id, 1)
    assert refused.value.code == "not_over"
    hands.turn(left)
    assert types(service.time_out(game_id, 1))[0] == "TimedOut"


def test_seeds_open_after_the_game_where_that_was_agreed(service: Service, log: EventLog) -> None:
    opens, closed = (
        started(service, "table", "table", rounds=2, table=TableSettings(opens_seeds=opens)) for opens in (True, False)
    )
    assert service.opened(opens) == ()
    for game_id in (opens, closed):
        play_out(service, game_id)
    assert service.opened(closed) == ()
    records = {record.seq: record for record in log.read(opens)}
    assert [records[one.seq].type for one in service.opened(opens)] == ["GameStarted", "DeckShuffled", "DeckShuffled"]
    shared = {one.record.seq: one.record for one in service.since(opens)}
    for one in service.opened(opens):
        assert secret_digest(one.salt, one.secret) == shared[one.seq].secret  # as everybody was told the digest


def test_a_session_shows_what_happens_at_the_table(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "human")
    ann = Session(service, game_id, seats=[1])
    shown = []
    while isinstance(found := ann.next(), Shown):
        shown.append(type(found.event).__name__)
    assert shown[:2] == ["GameStarted", "TableSet"]
    assert isinstance(found, Choose)
    hands.turn(90)
    service.time_out(game_id, 1)  # while Ann is asked
    assert not ann.act(Bet(1, 50))
    lapsed = ann.next()
    assert isinstance(lapsed, Shown)
    assert (type(lapsed.event).__name__, lapsed.entry) == ("TimedOut", None)
    assert ann.table.timeouts == {1: 1}
    while isinstance(found := ann.next(), Shown):
        pass
    assert isinstance(found, Pause | Waiting)


def test_a_session_waits_while_the_table_is_paused(service: Service) -> None:
    game_id = started(service, "human", "random")
    ann = Session(service, game_id, seats=[1])
    while not isinstance(ann.next(), Choose):
        pass
    service.table_act(game_id, PauseTable())
    with pytest.raises(IllegalAction, match="paused"):
        ann.act(Bet(1, 50), expected=service.status(game_id).count)
    while isinstance(found := ann.next(), Shown):
        pass
    assert found == Waiting(ann.count, (1,))
    service.table_act(game_id, ResumeTable())
    assert isinstance(ann.next(), Shown)
    assert isinstance(ann.next(), Choose)


def test_a_session_brings_its_seat_back(service: Service, hands: Hands) -> None:
    game_id = started(service, "human", "human", "table")
    for _ in range(2):
        until_ann_is_asked(service, game_id)
        lapse(service, game_id, hands)
    ann = Session(service, game_id, seats=[1], seen=service.status(game_id).count)
    assert ann.table.sitting_out == (1,)
    assert ann.come_back(1)
    assert isinstance(ann.next(), Shown)
    assert ann.table.sitting_out == service.table(game_id).sitting_out == ()
    with pytest.raises(NotYourSeat):
        ann.come_back(2)
