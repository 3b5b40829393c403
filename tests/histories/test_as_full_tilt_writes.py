"""Formats of Full Tilt that the samples lack: omissions in its summary, and older wordings."""

from pathlib import Path

import pytest

from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import NotShown, Summed

from .as_written import TILT, one_of, right, wrong_at

HEADS_UP = """\
Full Tilt Poker Game #31331051218: $10 Heads-Up Sit & Go (243560420), Table 1 - 30/60 - Limit 5 Card Draw \
- 10:31:26 ET - 2012/11/07
Seat 1: Hero (1,500)
Seat 2: Ann (1,500)
Ann posts the small blind of 15
Hero posts the big blind of 30
The button is in seat #2
*** HOLE CARDS ***
Dealt to Hero [2c 6s 4h 8c Qh]
Ann folds
Uncalled bet of 15 returned to Hero
Hero mucks
Hero wins the pot (30)
*** SUMMARY ***
Total pot 30 | Rake 0
Seat 1: Hero (big blind) collected (30), mucked
Seat 2: Ann (small blind) folded before the Draw
"""


def test_full_tilt_says_that_who_is_not_called_mucks_and_not_who_of_two_has_the_button() -> None:
    hand = one_of(TILT, HEADS_UP)
    assert [one.position for one in hand.told if isinstance(one, Summed)] == [("big",), ("button", "small")]
    assert [type(one) for one in hand.told if one.line == 11] == [NotShown]
    right(hand)
    assert wrong_at(one_of(TILT, HEADS_UP.replace("Hero mucks", "Ann mucks"))) == 11
    assert wrong_at(one_of(TILT, HEADS_UP.replace("Hero (big blind)", "Hero (button) (big blind)"))) == 15


ANTES = """\
Full Tilt Poker Game #29178537030: Table Cove (6 max) - $0.10/$0.20 Ante $0.05 - No Limit 5 Card Draw \
- 01:27:48 ET - 2011/03/20
Seat 1: Ann ($20.28)
Seat 3: Hero ($9.95)
Seat 4: Cid ($17.75), is sitting out
Seat 5: Bob ($24.81)
Seat 6: Dora ($47.65)
Bob antes $0.05
Ann antes $0.05
Hero antes $0.05
Dora antes $0.05
Bob posts the small blind of $0.10
Dora posts the big blind of $0.20
The button is in seat #4
*** HOLE CARDS ***
Dealt to Hero [4s Ah Ts 8h 5c]
Ann folds
Hero raises to $0.60
Bob calls $0.50
Dora folds
*** DRAW *** (Pot: $1.60)
Bob discards 1 card
Hero discards 2 cards [Ah Ts]
Bob is dealt 1 card
Dealt to Hero [4s 8h 5c] [Qc 5s]
Bob checks
Hero checks
*** SHOW DOWN ***
Bob shows [9s 8s 6c 4h 3d] Nine high
Hero shows [4s 8h 5c Qc 5s] a pair of Fives
Hero wins the pot ($1.52) with a pair of Fives
Zed is sitting out
*** SUMMARY ***
Total pot $1.60 | Rake $0.08
Seat 1: Ann folded before the Draw
Seat 3: Hero showed [4s 8h 5c Qc 5s] and won ($1.52) with a pair of Fives
Seat 4: Cid (button) is sitting out
Seat 5: Bob (small blind) showed [9s 8s 6c 4h 3d] and lost with Nine high
Seat 6: Dora (big blind) folded before the Draw
"""


def test_full_tilt_need_not_say_who_did_not_bet_beside_an_ante() -> None:
    hand = one_of(TILT, ANTES)
    assert hand.tournament is None
    right(hand)
    for unbet in ("folded before the Draw (didn't bet)", "didn't bet (folded)"):
        right(one_of(TILT, ANTES.replace("Ann folded before the Draw", f"Ann {unbet}")))
    wrong = ANTES.replace("(big blind) folded before the Draw", "(big blind) didn't bet (folded)")
    assert wrong_at(one_of(TILT, wrong)) == 38


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- $0.10/$0.20 Ante $0.05 - No Limit 5 Card Draw -", "- NL 5 Card Draw - $0.10/$0.20 Ante $0.05 -"),
        ("(Pot: $1.60)", "(Total Pot: $1.60, 2 Players)"),
        ("(Pot: $1.60)", "(Total Pot: $1.60, 2 Players, 1 All-In)"),
        (" (Pot: $1.60)", ""),
        ("folded before the Draw", "folded before the draw"),
        ("*** SUMMARY ***\n", "*** SUMMARY ***\nDuration 106s\n"),
        ("Ann folds\n", "The blinds are now $0.25/$0.50\nAnn folds\n"),
        ("Total pot $1.60", "The blinds are now $0.25/$0.50\nTotal pot $1.60"),
        ("01:27:48 ET - 2011/03/20", "01:27 ET - Sun, March 20, 2011"),
    ],
)
def test_full_tilt_has_changed_its_words(old: str, new: str) -> None:
    assert old in ANTES
    hand = one_of(TILT, ANTES.replace(old, new))
    plain = one_of(TILT, ANTES)
    assert (hand.limit, hand.big_blind, hand.ante, hand.table) == ("no-limit", 20, 5, plain.table)
    assert hand.played is not None
    assert plain.played is not None
    assert (hand.played.utc.date(), hand.played.contradicts) == (plain.played.utc.date(), None)
    right(hand)


def test_the_stakes_of_a_late_tournament_are_in_thousands() -> None:
    late = HEADS_UP.replace("30/60 - Limit", "2.5K/5K Ante 1K - No Limit").replace("1,500", "1,500,000")
    late = late.replace("of 15", "of 2,500").replace("of 30", "of 5,000").replace("Ann posts", "{}Ann posts")
    late = late.format("Hero antes 1,000\nAnn antes 1,000\n").replace("(30)", "(7,000)").replace("pot 30", "pot 7,000")
    hand = one_of(TILT, late)
    assert (hand.small_blind, hand.big_blind, hand.ante) == (2_500, 5_000, 1_000)
    right(hand)


def test_a_day_of_the_week_that_the_date_does_not_have_is_told_of_full_tilt_too() -> None:
    hand = one_of(TILT, ANTES.replace("01:27:48 ET - 2011/03/20", "01:27 ET - Mon, March 20, 2011"))
    assert hand.played is not None
    assert hand.played.contradicts == "Mon"
    with pytest.raises(UnreadableHand, match="'Foo' is not a month"):
        one_of(TILT, ANTES.replace("01:27:48 ET - 2011/03/20", "01:27 ET - Sun, Foo 20, 2011"))


def test_what_stands_between_the_hands_of_an_archive_is_no_hand(tmp_path: Path) -> None:
    one = ANTES.replace("Full Tilt Poker", "FullTiltPoker").replace("03/20\n", "03/20\n\n")
    mail = "".join(f"******************** # {number} *************************\n\n{one}\n" for number in (1, 2))
    (tmp_path / "a.txt").write_text(f"BEGIN\n{mail}\nThe blinds are now 30/60\n", "utf-8")
    hands = list(hands_in(tmp_path / "a.txt"))
    assert [type(hand) for hand in hands] == [HandHistory, HandHistory]
