"""Sessions and tables: which hands belong together, and a session out, in again and out is the same text."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest

from pokersvc.core.chance import EntropySource
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_session
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.importing import store
from pokersvc.histories.reading import hands_in
from pokersvc.histories.sessions import PlayedHands, played_hands, session_with, sessions, stakes, tables
from pokersvc.histories.told import Dealt, Discarded, Drew
from pokersvc.histories.writers.unsayable import CannotBeWritten
from pokersvc.service import Service
from pokersvc.service.history import summary

from .goldens import SAMPLES

YEAR = 366 * 24 * 60


@pytest.fixture(scope="module")
def imported() -> Database:
    """All samples."""
    database = Database.for_writing(":memory:")
    files = [path for path in SAMPLES.iterdir() if path.suffix != ".told"]
    for one in store(Service(EventLog(database)), check(files)):
        assert not one.contradictions
    return database


@pytest.fixture(scope="module")
def played(imported: Database) -> PlayedHands:
    return played_hands(imported)


def test_hands_of_one_player_at_one_site_belong_together_until_a_break(imported: Database, played: PlayedHands) -> None:
    [evening] = [one for one in sessions(played) if one.hands[0].at.startswith("2009-11-25")]
    assert (evening.site, evening.player, len(evening.hands), evening.minutes) == ("PokerStars", "Hero", 6, 6)
    assert [where.table for where in evening.tables] == ["Table B II"]
    assert stakes(imported, evening) == ["$0.10/$0.20 limit"]
    net = sum(_score(imported, hand.game_id, "Hero") for hand in evening.hands)
    assert evening.nets == {("USD", 2): net}
    parts = [one for one in sessions(played, 1) if one.hands[0].at.startswith("2009-11-25")]
    assert sum(len(one.hands) for one in parts) == 6
    assert 1 < len(parts) < 6
    for one, later in zip(parts[1:], parts, strict=False):
        break_ = datetime.fromisoformat(later.hands[0].at) - datetime.fromisoformat(one.hands[-1].at)
        assert break_ > timedelta(minutes=1)


def _score(database: Database, game_id: str, name: str) -> int:
    found = summary(database, game_id)
    assert found.outcome is not None
    return found.outcome.scores[[seat.name for seat in found.seats].index(name)]


def test_each_hand_is_in_one_session_and_at_one_table(played: PlayedHands) -> None:
    hands = Counter(hand for found in played.hands.values() for hand in found)
    for together in (sessions(played), sessions(played, YEAR), tables(played)):
        assert Counter(hand for one in together for hand in one.hands) == hands
    assert len(played.undated) == 1
    assert all(len(one.tables) == 1 for one in tables(played))
    mixed = next(one for one in sessions(played) if len(one.nets) == 2)
    assert set(mixed.nets) == {("EUR", 2), ("USD", 2)}, "amounts of two currencies are never one"


def test_somebody_elses_session_has_the_hands_that_they_were_dealt(imported: Database) -> None:
    theirs = played_hands(imported, ("Dora",), "PokerStars")
    assert set(theirs.hands) == {("PokerStars", "Dora")}
    for hand in theirs.hands["PokerStars", "Dora"]:
        assert hand.net == _score(imported, hand.game_id, "Dora")


def test_what_names_no_session_is_refused(imported: Database, played: PlayedHands) -> None:
    with pytest.raises(InvalidValue, match="--gap 0 is no gap"):
        sessions(played, 0)
    with pytest.raises(InvalidValue, match="belongs to no session"):
        session_with(played, played.undated[0])
    both = played_hands(imported, ("Hero", "Dora"))
    game_id = next(hand.game_id for hand in both.hands["Merge", "Dora"])
    with pytest.raises(InvalidValue, match=r"sessions of (Hero and Dora|Dora and Hero); name one of them"):
        session_with(both, game_id)


REFUSED = {
    "PokerStars' text": ("all discard before", "it has dead money", "the tournament's number is"),
    "PHH": ("it was cancelled",),
    "OHH": ("it was cancelled",),
}


@pytest.mark.parametrize("viewer", [EVERYONE, AUDITOR])
@pytest.mark.parametrize("format_", WRITERS)
def test_a_session_out_in_again_and_out_is_the_same_text(
    imported: Database, played: PlayedHands, format_: str, viewer: Viewer, tmp_path: Path
) -> None:
    """Whole sessions of each dialect; one that a format cannot say is refused by the hand and the reason."""
    log, file = EventLog(imported), tmp_path / "session"
    written: Counter[str] = Counter()
    for session in sessions(played):
        out, error = BytesIO(), None
        try:
            count = write_session(out, log, session, lambda _: viewer, format_=format_)
        except CannotBeWritten as refused:
            error = refused
        if error is not None:
            assert error.why.startswith(REFUSED[error.format])
            assert f" of {session.site}: " in str(error)
            continue
        file.write_bytes(out.getvalue())
        for one in check([file]):
            assert isinstance(one, CheckedHand)
            assert not one.contradictions, one
        again = [hand for hand in hands_in(file) if isinstance(hand, ToldHand)]
        assert count == len(session.hands) == len(again)
        assert "".join(WRITERS[format_](iter(again))).encode() == out.getvalue()
        seen = [one for hand in again for one in hand.told if isinstance(one, Dealt | Drew | Discarded) and one.cards]
        assert bool(seen) == (viewer == AUDITOR and session.player is not None) or session.player is None
        written[session.site] += count
    assert {"PokerStars", "Merge"} <= set(written)
    assert format_ == "pokerstars" or set(written) == {
        "PokerStars",
        "Full Tilt",
        "OnGame",
        "Boss",
        "Merge",
        "Card room",
    }


def test_hands_played_here_belong_together_by_when_they_began() -> None:
    """A game that is resumed two hours later is two sessions, of each person; programs have none of their own."""
    database = Database.for_writing(":memory:")
    moment = datetime(2026, 1, 31, 20, tzinfo=UTC)
    service = Service(EventLog(database), lambda: moment)
    seats = (Seat("steady", "Ann"), Seat("steady", "Bob"))
    setup = Setup(seats, EntropySource.from_text("two evenings"), 6, {"rules": "no-limit"})
    service.start("draw", setup, game_id="game")
    for minutes in (10, 29, 120, 5, 0, 0):  # each ends a round and begins the next
        moment += timedelta(minutes=minutes)
        service.play_round("game")
    for player in ((), ("Ann",)):
        later, earlier = sessions(played_hands(database, player))
        assert (earlier.name, earlier.minutes, [hand.round for hand in earlier.hands]) == ("game", 39, [1, 2, 3])
        assert (later.name, later.minutes, [hand.round for hand in later.hands]) == ("game:4", 5, [4, 5, 6])
        [table] = tables(played_hands(database, player))
        assert len(table.hands) == 6
    outcome = summary(database, "game").outcome
    assert outcome is not None
    assert table.nets == {("", 0): outcome.scores[0] - sum(outcome.scores) // 2} != {("", 0): 0}
    found = played_hands(database, ("Ann",))
    assert session_with(found, "game", 5) == later
    assert session_with(found, "game") == earlier
    out = BytesIO()
    assert write_session(out, EventLog(database), later, lambda _: EVERYONE, format_="phh") == 3
    numbers = [hand.number for hand in hands_in_text(out.getvalue().decode())]
    assert numbers == ["game-4", "game-5", "game-6"]


def hands_in_text(text: str) -> list[ToldHand]:
    from pokersvc.histories.dialects.phh import Phh

    return [Phh().read(block) for block in Phh().blocks(text.splitlines(keepends=True))]
