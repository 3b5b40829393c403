"""A server that is killed at any step of a common shuffle: devices send again what had no answer, and it goes on."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from tests.ports import free_port

from .guests import Guest, Made
from .processes import process
from .sharers import Sharer, awaited, post, until
from .test_killed import dying
from .test_shares import together

pytestmark = pytest.mark.slow

STEPS = ("SeatBound", "SharesAwaited", "ShareOpened", "DeckShuffled")


class Seat(Sharer):
    """A device that sends what it sends under the same id each time, whether there was an answer or not."""

    def __init__(self, made: Made, seat: int) -> None:
        super().__init__(made, seat)
        self._binding = self.binding()
        self._share: dict[str, Any] | None = None

    def reach(self, made: Made) -> None:
        """Go on at the server that took the place of the other."""
        self.made, self.held = made, made.seat(self.device.seat)

    def send_binding(self) -> None:
        assert post(self.held, "binding", self._binding).status_code == 200

    def send_share(self) -> None:
        self._share = self._share or self.share()
        assert post(self.held, "share", self._share).status_code == 200


def take_part(made: Made, seats: list[Seat], opening: list[Seat]) -> None:
    for seat in seats:
        seat.send_binding()
    if until(made, lambda shares: shares["round"] == 1)["waiting"]:
        awaited(made, 1)
    for seat in opening:
        seat.send_share()
    until(made, lambda shares: not shares["due"])


def told(path: Path, table: str) -> list[str]:
    with Database.for_reading(str(path)) as database:
        return [record.type for record in EventLog(database).read(table)]


@pytest.mark.parametrize("moment", ["commit", "committed"])
@pytest.mark.parametrize("step", [*STEPS, "ShareMissed"])
def test_killed_at_a_step_of_a_shuffle(tmp_path: Path, step: str, moment: str) -> None:
    path, missed = tmp_path / "games.sqlite", step == "ShareMissed"
    with dying(path, tmp_path, moment) as guest:
        made = together(guest, {"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}, share_seconds=1 if missed else 600)
        seats = [Seat(made, number) for number in (1, 2, 3)]
        opening = seats[:2] if missed else seats
        (tmp_path / "armed").write_text(step)
        with suppress(httpx.HTTPError):
            take_part(made, seats, opening)
            raise AssertionError("the server lives")
    types = told(path, made.game)
    assert (step in types) == (moment == "committed")
    port = free_port()
    with process(path, port), Guest(f"http://127.0.0.1:{port}") as guest:
        again = Made(guest, made.table, made.host, made.tokens)
        for seat in seats:
            seat.reach(again)
        take_part(again, seats, opening)
        assert until(again, lambda shares: True)["round"] == 1
    types = told(path, made.game)
    shares = ["ShareOpened"] * len(opening) + ["ShareMissed"] * missed
    assert types[:7] == ["GameStarted", "TableSet", "DealingSet", *["SeatBound"] * 3, "SharesAwaited"]
    assert types[7:10] == shares
    assert types.count("DeckShuffled") == 1
    assert types.count("RoundForgone") == int(missed)
    with Database.for_reading(str(path)) as database:
        assert [finding for audited in audit(database) for finding in audited.findings] == []
