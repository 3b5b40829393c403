"""Exports of cash games in which people come and go, sit out and go broke: each hand lists who was dealt in."""

from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service

from ..service.support import play_to_the_pause

NAMES = ("Dee", "Eve [x]", "Fay: folds", "{0}", "7")


@pytest.fixture
def log() -> EventLog:
    return EventLog(Database.for_writing(":memory:"))


def cash_game(service: Service, number: int, rounds: int = 8) -> str:
    """Play a cash game in which anybody but Ann may do anything between rounds; the same number gives the same game."""
    chosen = Random(number)
    seats = (Seat(HUMAN, "Ann"), Seat("random", "Bob"), *([Seat("steady", "Cid")] if number % 2 else []))
    options = {"rules": chosen.choice(("no-limit", "fixed-limit")), "cash": True, "open_seats": 3, "rake": "5%"}
    setup = Setup(seats, EntropySource.from_text(f"cash {number}"), None, options)
    game_id, _ = service.start("draw", setup, game_id=f"cash-{number}")
    play_to_the_pause(service, game_id)
    for _ in range(rounds):
        for _ in range(3):
            seat = chosen.randint(2, len(seats) + 3)
            sits = SitDown(seat, chosen.choice((1, 2, 3, 100)), chosen.choice(NAMES))
            does = chosen.choice((sits, sits, SitOut(seat), SitIn(seat), BuyChips(seat, 5), Leave(seat)))
            with suppress(IllegalAction):
                service.act(game_id, does)
        service.go_on(game_id)
        play_to_the_pause(service, game_id)
    service.close(game_id)
    return game_id


@pytest.mark.parametrize("number", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in range(1, 40))])
def test_a_cash_game_is_written_with_who_was_dealt_in_and_audited_clean(
    log: EventLog, tmp_path: Path, number: int
) -> None:
    game_id, refused = cash_game(Service(log), number), set[str]()
    for viewer in (EVERYONE, AUDITOR, 1, 4):
        for format_ in WRITERS:
            out = BytesIO()
            try:
                write_hands(out, log, game_id, viewer, format_=format_)
            except CannotBeWritten as error:
                refused.add(error.format)
                continue
            file = tmp_path / "hands"
            file.write_bytes(out.getvalue())
            for one in check([file]):
                assert isinstance(one, CheckedHand), one
                assert not one.contradictions, one.contradictions[0]
            again = [hand for hand in hands_in(file) if isinstance(hand, HandHistory)]
            assert "".join(WRITERS[format_](iter(again))) == out.getvalue().decode()
    assert refused <= {"PokerStars' text"}
