"""Exports of our own games pass the audit of files: every format, for every kind of viewer."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency, Post
from pokersvc.histories.exporting import WRITERS
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import store
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Posted
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service

from .as_audited import audited
from .checker import contradiction
from .own_games import STRADDLED, own_game

REFUSED_OF_OURS = {
    "a stack was too short for the straddle",
    "all discard before anybody draws",
    "it has dead money other than with both blinds",
    "the deck was reshuffled after a player had discarded",
}
"""Refusals of the PokerStars format; the other two formats can express these hands."""
REFUSED_ROUNDS = (
    "an ante left a player no chips for the big blind",
    "a stack was too short for an ante and a straddle",
    "was dealt a card that",
)
"""Refusals of every format; the last one is about a card that the player had discarded."""
SOME_REFUSED = list(zip((2, STRADDLED + 3, 51), REFUSED_ROUNDS, strict=True))
SOME_GAMES = (1, 6, 8, 15, 17, 23, 36, 37, 57, 88, 242, *(STRADDLED + more for more in (0, 1, 2, 4, 31)))
"""With straddles, two at a table whose button is at an empty place, both orders of the draw, a reshuffle, dead money,
and pots of which all is rake."""


POT_STRADDLED = {
    "a big blind that is all in for 1": {"stack": {"Cid": 1}, "straddle": 7},
    "nobody with the small blind": {
        "table": CashTable(
            button=4,
            numbers=(1, 2, 3, 4),
            posts=(Post(amount=2, kind="big", seat=1), Post(amount=7, kind="straddle", seat=2)),
            stacks=(100, 100, 100, 100),
        )
    },
}


@pytest.mark.parametrize("options", POT_STRADDLED.values(), ids=POT_STRADDLED)
def test_under_a_pot_limit_a_straddle_is_held_to_the_blinds_of_the_stakes_whatever_was_posted(
    options: dict[str, object], tmp_path: Path
) -> None:
    log = EventLog(Database.for_writing(":memory:"))
    seats = tuple(Seat("steady", name) for name in ("Ann", "Bob", "Cid", "Dee"))
    setup = Setup(seats, EntropySource.from_text("pot"), 1, {"rules": "pot-limit", **options})
    Service(log).start("draw", setup, game_id="pot")
    Service(log).play_round("pot")
    (hand,) = as_hands(log, "pot", EVERYONE)
    paid = {one.kind: one.amount for one in hand.told if isinstance(one, Posted)}
    assert paid.get("small", 0) + paid["big"] < 3
    assert paid["straddle"] == 7
    for write in WRITERS.values():
        audited("".join(write(iter([hand]))), tmp_path / "hand")
        (again,) = hands_in(tmp_path / "hand")
        assert isinstance(again, HandHistory)
        assert contradiction(again) is None


def test_a_currency_that_the_formats_would_read_otherwise_is_refused() -> None:
    log = EventLog(Database.for_writing(":memory:"))
    seats = (Seat("steady", "Ann"), Seat("steady", "Bob"))
    at = CashTable(currency=Currency(code="JPY", exponent=0), numbers=(1, 2), stacks=(100, 100))
    setup = Setup(seats, EntropySource.from_text("yen"), 1, {"rules": "no-limit", "table": at})
    Service(log).start("draw", setup, game_id="yen")
    Service(log).play_round("yen")
    with pytest.raises(CannotBeWritten, match="its amounts of JPY have 0 decimals, and not 2"):
        list(as_hands(log, "yen", EVERYONE))


def as_hands(log: EventLog, game_id: str, viewer: Viewer) -> Iterator[HandHistory]:
    return hands_of(Service(log).with_secrets.replay(game_id, viewer), viewer)


def audit_own_game(number: int, file: Path) -> Counter[str]:
    """Audit the exports of a game of ours for three viewers, and return how often each part was refused."""
    log = EventLog(Database.for_writing(":memory:"))
    game_id = own_game(log, number)
    seats = len(Service(log).status(game_id).seats)
    again = Service(EventLog(Database.for_writing(":memory:")))
    refused: Counter[str] = Counter()
    for viewer in (AUDITOR, EVERYONE, 1 + number % seats):
        try:
            hands = list(as_hands(log, game_id, viewer))
        except CannotBeWritten as error:
            refused[next((why for why in REFUSED_ROUNDS if why in error.why), error.why)] += 1
            continue
        for hand in hands:
            for format_, write in WRITERS.items():
                try:
                    text = "".join(write(iter([hand])))
                except CannotBeWritten as error:
                    refused[error.why if format_ == "pokerstars" else str(error)] += 1
                    continue
                one = audited(text, file)
                if format_ != "pokerstars":  # of which the number is another
                    (stored,) = store(again, [one])
                    assert not stored.contradictions, f"{stored.contradictions[0]}\n{text}"
    return refused


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.slow] * (at % 4 > 0)) for at, n in enumerate(SOME_GAMES)]
)
def test_an_export_of_a_game_of_ours_is_audited_clean_and_is_one_hand_in_every_format(
    number: int, tmp_path: Path
) -> None:
    assert set(audit_own_game(number, tmp_path / "hand")) <= REFUSED_OF_OURS


@pytest.mark.parametrize(("number", "why"), SOME_REFUSED)
def test_a_round_that_no_reader_would_understand_is_refused_with_the_reason(number: int, why: str) -> None:
    log = EventLog(Database.for_writing(":memory:"))
    with pytest.raises(CannotBeWritten, match=why):
        list(as_hands(log, own_game(log, number), AUDITOR))


@pytest.mark.slow
def test_an_export_of_many_games_of_ours_is_audited_clean(tmp_path: Path) -> None:
    for number in range(100, STRADDLED + 100, 5):
        assert set(audit_own_game(number, tmp_path / "hand")) <= {*REFUSED_OF_OURS, *REFUSED_ROUNDS}


@pytest.mark.slow
@pytest.mark.exhaustive
def test_an_export_of_any_game_of_ours_is_audited_clean(tmp_path: Path) -> None:
    refused: Counter[str] = Counter()
    for number in range(100, STRADDLED + 100):
        refused += audit_own_game(number, tmp_path / "hand")
    assert set(refused) == {*REFUSED_OF_OURS, *REFUSED_ROUNDS}
