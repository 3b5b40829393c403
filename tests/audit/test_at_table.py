"""Forged events at a table: each is found, in the log and in a copy for everyone."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Final

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import (
    ChangeDevice,
    ComeBack,
    PauseTable,
    ReplaceSeat,
    RestartClock,
    ResumeTable,
    TableSettings,
)
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence import export
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification
from pokersvc.games.draw_poker.actions import Bet, Fold
from pokersvc.service import Service
from tests.audit.judging import VIEWERS, Found, judged
from tests.service.support import act, play_to_the_pause

START: Final = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)


class Played:
    """A game at a table with a clock, and its log."""

    def __init__(self, kind: str = "draw", settings: TableSettings | None = None, last: str = "random") -> None:
        self.now = START
        self.kind = kind
        self.database = Database.for_writing(":memory:")
        self.log = EventLog(self.database)
        self.service = Service(self.log, lambda: self.now)
        names = ("Ann", "Bob", "Cy") if kind != "kalah" else ("Ann", "Bob")
        seats = tuple(Seat(last if name == "Cy" else HUMAN, name) for name in names)
        settings = TableSettings(seconds=30) if settings is None else settings
        self.service.start(kind, Setup(seats, EntropySource.from_text("forged")), game_id="game", table=settings)

    def turn(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def lapse(self) -> None:
        (seat,) = self.service.status("game").awaited
        self.turn(30)
        self.service.time_out("game", seat)

    @property
    def records(self) -> list[Record]:
        return list(self.log.read("game"))

    def at(self, type_: str) -> int:
        """The place of the first event of a type in the list of records."""
        return next(at for at, record in enumerate(self.records) if record.type == type_)

    def found(self, records: list[Record], viewer: Viewer = AUDITOR) -> list[Found]:
        numbered = [record._replace(seq=seq) for seq, record in enumerate(records, 1)]
        return judged(self.kind, numbered, viewer)


def later(record: Record, seconds: float) -> str:
    moment = datetime.fromisoformat(record.recorded_at) + timedelta(seconds=seconds)
    return moment.isoformat(timespec="microseconds")[:-6] + "Z"


def table_event(record: Record, type_: str, payload: str = "{}") -> Record:
    """Return a table event with the time of another event, as its own command."""
    return record._replace(
        type=type_, version=1, payload=payload, secret=None, salt=None, command_id=f"forged {type_}", n=1
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_time_out_that_the_moments_do_not_bear_out(viewer: Viewer) -> None:
    played = Played()
    played.lapse()
    records, at = played.records, played.at("TimedOut")
    assert played.found(records, viewer) == []
    early = [
        record._replace(recorded_at=later(record, -0.000001)) if number >= at else record
        for number, record in enumerate(records)
    ]
    assert played.found(early, viewer) == [Found(at + 1, "clock", "a time-out once it is over")]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ('{"seat":3}', "Seat 3 is not a person's"),
        ('{"seat":2}', "Bob is not to choose now"),
    ],
)
def test_a_time_out_of_a_seat_that_has_no_clock(viewer: Viewer, payload: str, why: str) -> None:
    played = Played()
    played.lapse()
    records, at = played.records, played.at("TimedOut")
    records[at] = records[at]._replace(payload=payload)
    (first, *_) = played.found(records, viewer)
    assert (first.seq, first.check) == (at + 1, "rules")
    assert why in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_time_out_without_a_clock(viewer: Viewer) -> None:
    played = Played()
    played.lapse()
    records = [record for record in played.records if record.type != "TableSet"]
    (first, *_) = played.found(records, viewer)
    assert first.seq == played.at("TimedOut")
    assert "The table has no clock" in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_another_move_than_the_one_that_the_game_names(viewer: Viewer) -> None:
    played = Played()
    played.lapse()
    records, at = played.records, played.at("TimedOut")
    records[at + 1] = records[at + 1]._replace(type="Bet", payload='{"amount":50,"seat":1}')
    found = played.found(records[: at + 2], viewer)
    assert [(one.seq, one.check) for one in found] == [(at + 2, "rules")]
    assert "whose time is over" in found[0].expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_move_in_another_command_or_of_another_seat_or_missing(viewer: Viewer) -> None:
    played = Played()
    played.lapse()
    records, at = played.records[: played.at("TimedOut") + 2], played.at("TimedOut")
    apart = [*records[:-1], records[-1]._replace(command_id="another", n=1)]
    assert [one.seq for one in played.found(apart, viewer)] == [at + 2]
    other = [*records[:-1], records[-1]._replace(payload='{"reason":"chosen","seat":2}')]
    assert {one.seq for one in played.found(other, viewer)} == {at + 2}
    after_another = [*records[:-1], table_event(records[-1], "TablePaused")]
    assert played.found(after_another, viewer)[0].seq == at + 2
    missing = played.found(records[:-1], viewer)
    assert missing == ([] if viewer != AUDITOR else [missing[0]])
    assert viewer != AUDITOR or "Ann" in missing[0].expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_choice_while_the_table_is_paused(viewer: Viewer) -> None:
    played = Played()
    played.service.act("game", Bet(1, 50))
    records, at = played.records, played.at("Bet")
    paused = [*records[:at], table_event(records[at], "TablePaused"), *records[at:]]
    assert [(one.seq, one.check) for one in played.found(paused, viewer)] == [(at + 2, "rules")]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("type_", "payload"),
    [
        ("TableSet", '{"advice":true,"bank":0,"opens_seeds":false,"seconds":30}'),
        ("CameBack", '{"seat":1}'),
        ("TableResumed", "{}"),
        ("SeatReplaced", '{"seat":3}'),
        ("SeatRemoved", '{"seat":2}'),
        ("SeatReplaced", '{"seat":9}'),
        ("DeviceChanged", '{"seat":3}'),
        ("DeviceChanged", '{"seat":9}'),
    ],
)
def test_an_event_at_the_table_that_may_not_come(viewer: Viewer, type_: str, payload: str) -> None:
    played = Played()
    played.service.act("game", Bet(1, 50))
    records, at = played.records, played.at("Bet")
    forged = [*records[:at], table_event(records[at], type_, payload), *records[at:]]
    found = played.found(forged, viewer)
    assert found[0].seq == at + 1
    assert found[0].check == "rules"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_event_at_the_table_where_the_dealer_is_to_act_or_in_another_command(viewer: Viewer) -> None:
    played = Played()
    records, at = played.records, played.at("HandDealt")
    forged = [*records[:at], table_event(records[at], "TablePaused"), *records[at:]]
    assert "The dealer is to act" in played.found(forged, viewer)[0].expected
    behind = [*records, table_event(records[-1], "TablePaused")._replace(n=2)]
    assert played.found(behind, viewer) == [
        Found(len(behind), "rules", "an event at the table as the first of its command")
    ]


def test_what_is_not_canonical_or_cannot_be_read() -> None:
    played = Played()
    records = played.records
    for payload in ('{"advice": true,"bank":0,"opens_seeds":false,"seconds":30}', '{"seconds":-1}'):
        records[1] = records[1]._replace(payload=payload)
        assert [(one.seq, one.check) for one in played.found(records)] == [(2, "schema")]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_round_that_begins_while_all_people_sit_out_or_the_table_is_paused(viewer: Viewer) -> None:
    played = Played(last="table")
    service = played.service
    while not service.status("game").pausing:
        status = service.status("game")
        match status.to_act:
            case 1 | 2:
                service.act("game", Fold(status.to_act))
            case _:
                service.step("game")
    service.go_on("game")
    records, at = played.records, [r.seq for r in played.records if r.type == "RoundStarted"][1] - 1
    paused = [*records[:at], table_event(records[at], "TablePaused"), *records[at:]]
    assert [one.seq for one in played.found(paused, viewer)] == [at + 2]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_in_kalah_any_legal_move_is_the_one_that_was_drawn(viewer: Viewer) -> None:
    played = Played("kalah")
    played.lapse()
    records, at = played.records, played.at("TimedOut")
    other = [*records[: at + 1], _sown(records[at + 1], 1)], [*records[: at + 1], _sown(records[at + 1], 2)]
    assert [played.found(one, viewer) for one in other] == [[], []]
    wrong = [*records[: at + 1], records[at + 1]._replace(payload=records[at + 1].payload.replace("4", "5", 1))]
    assert {one.seq for one in played.found(wrong, viewer)} == {at + 2}


def _sown(record: Record, hole: int) -> Record:
    return record._replace(
        payload=f'{{"beans":4,"hole":{hole},"last_hole":{hole + 4},"last_side":1,"seat":1}}', type="BeansSown"
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_game_that_is_closed_where_it_cannot_be(viewer: Viewer) -> None:
    played = Played()
    played.service.act("game", Bet(1, 50))
    records, at = played.records, played.at("Bet")
    forged = [*records[:at], table_event(records[at], "GameClosed"), *records[at:]]
    found = played.found(forged, viewer)
    assert found[0].seq == at + 1
    assert found[0].check == "rules"


def play_on(played: Played, commands: int) -> None:
    """Let every person run out of time at each choice; in between, record all other kinds of table events."""
    service = played.service
    service.table_act("game", ReplaceSeat(1))
    service.table_act("game", ChangeDevice(1))
    for number in range(commands):
        status = service.status("game")
        if status.outcome is not None:
            return
        if number % 7 == 3:
            service.table_act("game", PauseTable())
            played.turn(500)
            service.table_act("game", ResumeTable())
        if number % 7 == 5:
            played.turn(500)
            service.table_act("game", RestartClock())
        if out := service.table("game").sitting_out:
            service.table_act("game", ComeBack(out[0]))
        if status.pausing:
            service.go_on("game")
        elif status.kind_to_act == HUMAN:
            played.lapse()
        else:
            service.step("game")


def verify_copies(played: Played) -> None:
    viewers: tuple[Viewer, ...] = (EVERYONE, 1, 2, AUDITOR)
    for viewer in viewers:
        assert played.found(played.records, viewer) == []
        file = BytesIO()
        export.write(file, played.log, "game", viewer, force=True)
        verification = Verification(lines_in(BytesIO(file.getvalue()), "export"), "export")
        assert list(verification.findings()) == []
        assert verification.checked


@pytest.mark.parametrize("kind", game_kinds())
def test_copies_of_a_game_with_events_at_its_table_verify(kind: str) -> None:
    played = Played(kind)
    play_on(played, 40)
    status = played.service.status("game")
    if kind == "draw":
        if not status.pausing:
            play_to_the_pause(played.service, "game")
        played.service.remove("game", 2)
    verify_copies(played)


@pytest.mark.parametrize("kind", game_kinds())
def test_copies_of_a_game_that_was_closed_verify(kind: str) -> None:
    played = Played(kind)
    while kind == "draw" and not played.service.status("game").pausing:
        act(played.service, "game")
    played.service.close("game")
    assert played.service.status("game").outcome is not None
    verify_copies(played)
