"""A clock that the host changes: the service keeps to it, audit and verifiers judge by it and find what is forged."""

import json
from pathlib import Path

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import ChangeClock, TableSettings
from pokersvc.eventlog.record import Record
from tests.audit.judging import VIEWERS
from tests.audit.played import rehashed
from tests.audit.test_at_table import Played, later
from tests.service.support import play_to_the_pause
from tests.web.node import WEB, node
from tests.web.played import streamed

SEATS = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), Seat("random", "Cy"))


class Changing(Played):
    """A game between its first two rounds, whose host may change stakes and clock."""

    def __init__(self, seconds: int = 30, *, changeable: bool = True) -> None:
        super().__init__()
        setup = Setup(SEATS, EntropySource.from_text("clock"), None, {"changeable": changeable})
        self.game, _ = self.service.start("draw", setup, table=TableSettings(seconds=seconds))
        play_to_the_pause(self.service, self.game)

    def change(self, seconds: int, bank: int = 0) -> None:
        self.service.table_act(self.game, ChangeClock(seconds, bank))

    def lapse(self) -> None:
        """Begin the next round, and let the first person's time run out."""
        self.service.go_on(self.game)
        while not set(self.service.status(self.game).awaited) & {1, 2}:
            self.service.step(self.game)
        (seat,) = self.service.status(self.game).awaited
        deadline = self.service.table(self.game).deadlines[seat]
        self.turn((deadline - self.now).total_seconds())
        self.service.time_out(self.game, seat)

    @property
    def records(self) -> list[Record]:
        return list(self.log.read(self.game))


def changed(seconds: int = 20, bank: int = 15) -> Changing:
    """A game whose clock was changed, and in which somebody's time ran out after that."""
    played = Changing()
    played.change(seconds, bank)
    played.lapse()
    return played


def page_finds(records: list[Record], folder: Path) -> list[str]:
    """Return the findings of the page's verifier in records, with a matching chain; no deck is opened to it."""
    whole = rehashed(records)
    vector = {
        "name": "clock", "game": whole[0].game_id, "seat": 1, "records": streamed(whole, "draw", 1), "opened": [],
        "head": whole[-1].hash.hex(),
    }  # fmt: skip
    file = folder / "clock.jsonl"
    file.write_text(json.dumps(vector) + "\n", encoding="ascii")
    *found, _ = node(WEB / "verify_games.js", file, timeout=60).stdout.splitlines()
    problems = [json.loads(line)["problem"] for line in found]
    return [one["sentence"] for one in problems if one["code"] != "seeds"]


def forged_change(record: Record, payload: str) -> Record:
    """Return a change of the clock with the time of another event, as its own command."""
    return record._replace(
        type="ClockChanged", version=1, payload=payload, secret=None, salt=None, command_id="forged", n=1
    )


def test_the_time_of_a_choice_is_that_of_the_changed_clock(tmp_path: Path) -> None:
    played = changed()
    assert "ClockChanged" in [one.type for one in played.records]
    table = played.service.table(played.game)
    assert (table.settings.seconds, table.settings.bank) == (20, 15) if table.settings else False
    for viewer in VIEWERS:
        assert played.found(played.records, viewer) == []
    assert page_finds(played.records, tmp_path) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_time_out_by_the_clock_of_before_is_found(viewer: Viewer) -> None:
    played = changed(seconds=60, bank=0)
    records, at = played.records, played.at("TimedOut")
    early = [one._replace(recorded_at=later(one, -30)) if number >= at else one for number, one in enumerate(records)]
    assert [(one.seq, one.check) for one in played.found(early, viewer)] == [(at + 1, "clock")]


def test_a_clock_begins_and_ends_with_a_change() -> None:
    played = Changing(seconds=0)
    played.change(20, 5)
    played.lapse()
    assert played.found(played.records) == []
    play_to_the_pause(played.service, played.game)
    played.change(0)
    played.service.go_on(played.game)
    assert played.service.table(played.game).deadlines == {}
    assert played.found(played.records) == []


@pytest.mark.parametrize(
    "payload",
    [
        '{"bank":0,"by":null,"seconds":30}',
        '{"bank":5,"by":null,"seconds":0}',
        '{"bank":0,"by":3,"seconds":20}',
        '{"bank":0,"by":9,"seconds":20}',
    ],
    ids=["the same", "a bank without a clock", "by a bot", "by nobody"],
)
def test_a_change_that_cannot_be_is_found(payload: str, tmp_path: Path) -> None:
    played = Changing()
    records = played.records
    forged = [*records, forged_change(records[-1], payload)]
    for viewer in VIEWERS:
        assert [(one.seq, one.check) for one in played.found(forged, viewer)] == [(len(forged), "rules")]
    assert len(page_finds(forged, tmp_path)) == 1


def test_a_change_in_a_round_or_where_the_start_does_not_allow_it_is_found(tmp_path: Path) -> None:
    right = '{"bank":0,"by":null,"seconds":20}'
    played, fixed = changed(), Changing(changeable=False)
    in_a_round = [*played.records, forged_change(played.records[-1], right)]
    not_allowed = [*fixed.records, forged_change(fixed.records[-1], right)]
    for one, forged in ((played, in_a_round), (fixed, not_allowed)):
        for viewer in VIEWERS:
            assert [(found.seq, found.check) for found in one.found(forged, viewer)] == [(len(forged), "rules")]
        assert len(page_finds(forged, tmp_path)) == 1
    with pytest.raises(IllegalAction, match="was fixed when it started"):
        fixed.change(20)
