"""Exports of imported hands pass the audit of files: samples and unusual hands, for every kind of viewer.

Imported again, what is written of a stored hand says that it is stored before.
"""

from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.events import GameEnded
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import Became, store
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import NotShown, Won
from pokersvc.histories.viewed_hand import imported_hand
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service

from .as_audited import audited
from .goldens import SAMPLES

FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")
SAMPLED = [hand for path in FILES for hand in hands_in(path) if isinstance(hand, HandHistory)]
REFUSED_SAMPLES = {
    ("PHH", "it was cancelled"),
    ("OHH", "it was cancelled"),
    ("OHH", "it does not say when it was played"),
    ("PokerStars' text", "all discard before anybody draws"),
    ("PokerStars' text", "it does not say when it was played"),
    ("PokerStars' text", "it has dead money other than with both blinds"),
    ("PokerStars' text", "the tournament's number is 'S-77'"),
}


Imported: TypeAlias = tuple[EventLog, dict[tuple[str, str], str]]


@pytest.fixture(scope="module")
def imported() -> Imported:
    """All samples, and the ids of their games by site and number."""
    log = EventLog(Database.for_writing(":memory:"))
    ids: dict[tuple[str, str], str] = {}
    for one in store(Service(log), check(FILES)):
        assert isinstance(one.told, CheckedHand)
        assert not one.contradictions
        ids[one.told.site, one.told.number] = one.told.game_id
    return log, ids


@pytest.mark.parametrize("format_", WRITERS)
def test_a_house_that_takes_all_of_a_pot_pays_nobody(format_: str, tmp_path: Path) -> None:
    log = EventLog(Database.for_writing(":memory:"))
    setup = Setup(
        (Seat("random", "Ann"), Seat("random", "Bob"), Seat("minimum", "Cy")),
        EntropySource.from_text("e"),
        20,
        {"rules": "no-limit", "rake": "100%"},
    )
    game_id, _ = Service(log).start("draw", setup)
    while Service(log).status(game_id).outcome is None:
        Service(log).play_round(game_id)
    ended = Counter[bool]()
    for hand, after in pairwise(hands_of(Service(log).replay(game_id), EVERYONE)):
        if any(isinstance(told, Won) for told in hand.told):
            continue  # it ended before the draw, and paid no rake
        again = audited("".join(WRITERS[format_](iter([hand]))), tmp_path / "hand")
        (stacks,) = [event.stacks for event in again.events if isinstance(event, GameEnded)]
        had = {player.name: stack for player, stack in zip(hand.players, stacks, strict=True)}
        assert [had[player.name] for player in after.players] == [player.stack for player in after.players]
        ended[any(isinstance(told, NotShown) for told in hand.told)] += 1
    assert ended[True], "all but one folded"
    assert ended[False], "a showdown"


@pytest.mark.parametrize("name", ["PokerStars Hand #1:", "PokerStars #1", "PokerStars 1#: Bob"])
@pytest.mark.parametrize("format_", WRITERS)
def test_a_player_who_is_called_as_a_hand_begins(format_: str, name: str, tmp_path: Path) -> None:
    log = EventLog(Database.for_writing(":memory:"))
    seats = Seat("minimum", name), Seat("minimum", "Ann")
    game_id, _ = Service(log).start("draw", Setup(seats, EntropySource.from_text("names"), 1, {"rules": "no-limit"}))
    Service(log).play_round(game_id)
    (hand,) = hands_of(Service(log).replay(game_id), EVERYONE)
    if format_ == "pokerstars" and name != "PokerStars 1#: Bob":
        with pytest.raises(CannotBeWritten, match="a name in it begins as the first line of a hand does"):
            list(WRITERS[format_](iter([hand])))
    else:
        audited("".join(WRITERS[format_](iter([hand]))), tmp_path / "hand")


@pytest.mark.parametrize(("site", "number"), [*dict.fromkeys((hand.site, hand.number) for hand in SAMPLED)][::2])
def test_an_export_of_an_imported_hand_is_audited_clean_and_stored_before(
    imported: Imported, site: str, number: str, tmp_path: Path
) -> None:
    """Every second hand, for a viewer who is another in each: the auditor, everyone, or one of those at the table."""
    at = list(imported[1]).index((site, number))
    viewers: list[Viewer] = [AUDITOR, EVERYONE, 1 + at % dealt_in(imported, site, number)]
    export_and_audit(imported, site, number, [viewers[at % 3]], tmp_path / "hand")


@pytest.mark.slow
def test_an_export_for_any_viewer_of_an_imported_hand_is_audited_clean_and_stored_before(
    imported: Imported, tmp_path: Path
) -> None:
    for site, number in imported[1]:
        seats = range(1, dealt_in(imported, site, number) + 1)
        export_and_audit(imported, site, number, (AUDITOR, EVERYONE, *seats), tmp_path / "hand")


def dealt_in(imported: Imported, site: str, number: str) -> int:
    log, ids = imported
    told = imported_hand(log, ids[site, number], AUDITOR)
    assert told is not None
    return len(told.dealt_in())


def export_and_audit(imported: Imported, site: str, number: str, viewers: Iterable[Viewer], file: Path) -> None:
    log, ids = imported
    game_id = ids[site, number]
    refused: set[tuple[str, str]] = set()
    for viewer in viewers:
        for format_ in WRITERS:
            out = BytesIO()
            try:
                write_hands(out, log, game_id, viewer, format_=format_)
            except CannotBeWritten as error:
                refused.add((error.format, error.why))
                continue
            one = audited(out.getvalue().decode(), file)
            if format_ != "pokerstars" or site == "PokerStars":  # there every hand is one of PokerStars
                assert one.game_id == game_id
                assert [again.became for again in store(Service(log), [one])] == [Became.KNOWN]
            else:
                assert one.site == "PokerStars"
                assert one.game_id not in ids.values()
    assert refused <= REFUSED_SAMPLES


CHANGED = {
    "rake of a third pot": ("OnGame", "R5-1-1", "phh", "[0.76, 1.50]", "[0.76, 1.00, 0.50]", "a rake of $0.76"),
    "each draws at once": ("Full Tilt", "22000000001", "ohh", '"together"', '"in turn"', "is dealt cards"),
    "all discard first": ("PokerStars", "100000000003", "ohh", '"in turn"', '"together"', "is dealt cards"),
}


@pytest.mark.parametrize(("site", "number", "format_", "old", "new", "says"), CHANGED.values(), ids=CHANGED)
def test_what_we_state_beside_the_standards_is_held_to_what_follows(
    site: str, number: str, format_: str, old: str, new: str, says: str, tmp_path: Path
) -> None:
    hand = next(hand for hand in SAMPLED if (hand.site, hand.number) == (site, number))
    text = "".join(WRITERS[format_](iter([hand])))
    assert text.count(old) == 1
    audited(text, tmp_path / "hand")
    (tmp_path / "hand").write_text(text.replace(old, new), "utf-8")
    (one,) = check([tmp_path / "hand"])
    assert isinstance(one, CheckedHand)
    assert any(says in found.says for found in one.contradictions), one.contradictions


SEATED_AND_AWAY = """\
PokerStars Hand #78:  5 Card Draw No Limit ($0.05/$0.10 USD) - 2012/12/04 1:31:00 ET
Table 'Sit' 6-max Seat #2 is the button
Seat 2: Ann ($8.49 in chips)
Seat 3: Cid ($5 in chips)
Seat 4: Dora ($5 in chips)
Seat 6: Hero ($20 in chips)
Cid: sits out
Dora leaves the table
Ann: posts small blind $0.05
Hero: posts big blind $0.10
*** DEALING HANDS ***
Ann: calls $0.05
Hero: checks
Hero: discards 3 cards
Ann: stands pat
Hero: bets $0.10
Ann: folds
Uncalled bet ($0.10) returned to Hero
Hero collected $0.20 from pot
*** SUMMARY ***
Total pot $0.20 | Rake $0
"""
MOVED_TO_THE_TABLE = """\
PokerStars Hand #79: Tournament #57, $1.00+$0.10 USD 5 Card Draw No Limit - Level II (20/40) - 2013/01/05 13:00:00 ET
Table '57 12' 6-max Seat #1 is the button
Seat 1: Ann (1500 in chips) is sitting out
Seat 2: Bob (30 in chips) out of hand (moved from another table into small blind)
Seat 3: Hero (1500 in chips)
Ann: posts small blind 20
Hero: posts big blind 40
*** DEALING HANDS ***
Ann: folds
Uncalled bet (20) returned to Hero
Hero collected 40 from pot
*** SUMMARY ***
Total pot 40 | Rake 0
"""


@pytest.mark.parametrize("format_", WRITERS)
@pytest.mark.parametrize("text", [SEATED_AND_AWAY, MOVED_TO_THE_TABLE], ids=["away", "moved"])
def test_who_is_not_dealt_in_is_written_so(text: str, format_: str, tmp_path: Path) -> None:
    """Some formats tell it only after the lines of the seats; in a tournament the absent are dealt in."""
    file = tmp_path / "hand"
    audited(text, file)
    (hand,) = hands_in(file)
    assert isinstance(hand, HandHistory)
    written = "".join(WRITERS[format_]([hand]))
    audited(written, file)
    (again,) = hands_in(file)
    assert isinstance(again, HandHistory)
    assert {one.name for one in again.dealt_in()} == {one.name for one in hand.dealt_in()} == {"Ann", "Hero"}
    assert "".join(WRITERS[format_]([again])) == written


SHORT_FOR_BOTH = """\
PokerStars Hand #77:  5 Card Draw No Limit ($0.50/$1 USD) - 2011/06/26 16:35:49 ET
Table 'Table D' 6-max Seat #1 is the button
Seat 1: Ann ($20 in chips)
Seat 2: Bob ($20 in chips)
Seat 3: Cid ($20 in chips)
Seat 4: Dora ($0.80 in chips)
Bob: posts small blind $0.50
Cid: posts big blind $1
Dora: posts small & big blinds $0.80 and is all-in
*** DEALING HANDS ***
Ann: folds
Bob: folds
Uncalled bet ($0.20) returned to Cid
Cid: stands pat
Dora: stands pat
*** SHOW DOWN ***
Cid: shows [Ks Kh 2c 3c 4d] (a pair of Kings)
Dora: mucks hand
Cid collected $2.10 from pot
*** SUMMARY ***
Total pot $2.10 | Rake $0
"""
SHORT_FOR_THE_ANTE = """\
variant = "N5CD"
antes = [3, 3]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [50, 1]
actions = ["d dh p1 AsAhKc7d2s", "d dh p2 KdKh9s8s4s", "p1 sd", "p2 sd", "p1 sm AsAhKc7d2s", "p2 sm KdKh9s8s4s"]
time = 20:00:00
time_zone = "UTC"
day = 1
month = 2
year = 2026
hand = 1
finishing_stacks = [51, 0]
"""
ONE_OF_TWO_EQUAL_BLINDS = """\
variant = "N5CD"
antes = [0, 0, 0]
blinds_or_straddles = [2, 0, 0]
min_bet = 2
starting_stacks = [50, 50, 50]
actions = ["d dh p1 ??????????", "d dh p2 ??????????", "d dh p3 ??????????", "p2 cbr 6", "p3 f", "p1 f"]
time = 20:00:00
time_zone = "UTC"
day = 1
month = 2
year = 2026
hand = 2
seats = [2, 3, 5]
finishing_stacks = [48, 52, 50]
_button = 1
_blinds = [2, 2]
"""
NOBODY_ELSE_PLAYS = (
    ONE_OF_TWO_EQUAL_BLINDS.replace("hand = 2", "hand = 3")
    .replace("p2 cbr 6", "p2 f")
    .replace(', "p1 f"', "")
    .replace("[48, 52, 50]", "[50, 50, 50]")
)
LEAST_BET_OF_ITS_OWN = ONE_OF_TWO_EQUAL_BLINDS.replace("hand = 2", "hand = 4").replace("min_bet = 2", "min_bet = 4")
TOO_SHORT_TO_STRADDLE = """\
variant = "N5CD"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 4]
min_bet = 2
starting_stacks = [50, 50, 3]
actions = [
  "d dh p1 AsAhKc7d2s", "d dh p2 ??????????", "d dh p3 KdKh9s8s4s", "p1 cc", "p2 f", "p1 sd", "p3 sd",
  "p1 sm AsAhKc7d2s", "p3 sm KdKh9s8s4s",
]
time = 20:00:00
time_zone = "UTC"
day = 1
month = 2
year = 2026
hand = 5
finishing_stacks = [55, 48, 0]
"""
ODD_HANDS = {
    "all of a stack for both blinds": SHORT_FOR_BOTH,
    "all of a stack for the ante": SHORT_FOR_THE_ANTE,
    "the big blind alone where the small one is as large": ONE_OF_TWO_EQUAL_BLINDS,
    "the big blind alone, and all others fold": NOBODY_ELSE_PLAYS,
    "all of a stack for the straddle": TOO_SHORT_TO_STRADDLE,
    "a minimum bet that is not the big blind": LEAST_BET_OF_ITS_OWN,
}


@pytest.mark.parametrize("text", ODD_HANDS.values(), ids=ODD_HANDS)
def test_an_odd_hand_is_the_same_in_every_format(text: str, tmp_path: Path) -> None:
    (tmp_path / "hand").write_text(text, "utf-8")
    service = Service(EventLog(Database.for_writing(":memory:")))
    assert [one.became for one in store(service, [audited(text, tmp_path / "hand")])] == [Became.STORED]
    (hand,) = hands_in(tmp_path / "hand")
    assert isinstance(hand, HandHistory)
    for format_ in ("phh", "ohh"):
        again = audited("".join(WRITERS[format_](iter([hand]))), tmp_path / "hand")
        assert [(one.became, one.contradictions) for one in store(service, [again])] == [(Became.KNOWN, ())]


def test_a_straddle_that_a_stack_was_too_short_for_is_said_beside_ohh_and_not_by_pokerstars(tmp_path: Path) -> None:
    (tmp_path / "hand").write_text(TOO_SHORT_TO_STRADDLE, "utf-8")
    (hand,) = hands_in(tmp_path / "hand")
    assert isinstance(hand, HandHistory)
    assert hand.straddle == 4
    with pytest.raises(CannotBeWritten, match="a stack was too short for the straddle"):
        list(WRITERS["pokerstars"](iter([hand])))
    text = "".join(WRITERS["ohh"](iter([hand])))
    audited(text, tmp_path / "hand")
    (tmp_path / "hand").write_text(text.replace('"straddle": 4', '"straddle": 2'), "utf-8")
    (one,) = check([tmp_path / "hand"])
    assert isinstance(one, CheckedHand)
    assert one.contradictions[0].says == "that p3 posts 3"
