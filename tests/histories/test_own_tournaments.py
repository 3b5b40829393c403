"""Tournaments that are played here, exported: every format says which tournament and level, and is audited clean."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from pokersvc.service import Service
from tests.games.draw_poker.test_chip_race import LEVELS, setup
from tests.games.draw_poker.test_tournament_logs import SOLD, play


@pytest.fixture(scope="module")
def log() -> Iterator[EventLog]:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log)
        play(service, "prizes", "human", "random", "human", "random", text="d", **SOLD)
        service.start("draw", setup(LEVELS), game_id="race")
        while service.status("race").outcome is None:
            service.play_round("race")
        yield log


@pytest.mark.parametrize("format_", [*WRITERS])
@pytest.mark.parametrize("game", ["prizes", "race"])
def test_every_hand_names_its_tournament_and_level(log: EventLog, tmp_path: Path, game: str, format_: str) -> None:
    for viewer in (EVERYONE, AUDITOR):
        out = BytesIO()
        write_hands(out, log, game, viewer, format_=format_)
        file = tmp_path / "hands"
        file.write_bytes(out.getvalue())
        found = list(check([file]))
        assert found
        for one in found:
            assert isinstance(one, CheckedHand), one
            assert not one.contradictions, one.contradictions[0]
        hands = [hand for hand in hands_in(file) if isinstance(hand, HandHistory)]
        assert "".join(WRITERS[format_](iter(hands))) == out.getvalue().decode()
        (number,) = {hand.tournament.number for hand in hands if hand.tournament is not None}
        assert number == game if format_ != "pokerstars" else number.isdecimal()
        levels = [hand.tournament.level for hand in hands if hand.tournament is not None]
        assert len(levels) == len(hands)
        expected = ["I", "I", "II", "II", "III"] if game == "prizes" else ["I"] * 3 + ["II"] * 2 + ["III"] * 3
        assert levels[:5] == expected[: len(levels)][:5]
