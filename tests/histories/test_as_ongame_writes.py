"""Formats of OnGame that the samples lack: play money, equal blinds, zones."""

import pytest

from pokersvc.histories.hand import Currency, HistoryTournament
from pokersvc.histories.statements import Posted

from .as_written import ONGAME, changed, one_of, right, wrong_at


def test_play_money_is_no_dollars() -> None:
    hand = changed("ongame", ("Real money", "Play money"))
    assert (hand.currency, hand.big_blind) == (Currency("play", 2), 5)
    right(hand)


@pytest.mark.parametrize("sign", ["$", "€"])
def test_a_tournament_of_ongame_may_have_no_number_and_a_sign_before_no_rake(sign: str) -> None:
    pairs = [
        ("Rake taken: 0", f"Rake taken: {sign}0"),
        ('TOURNAMENT: "Daily (Draw)", S-77, buy-in: $5', "TOURNAMENT: "),
    ]
    hand = changed("ongame-more", *pairs, number=1)
    assert hand.tournament == HistoryTournament(number="3")
    right(hand)
    assert wrong_at(changed("ongame-more", ("Rake taken: 0", "Rake taken: $1"), number=1)) == 26


EQUAL_BLINDS = """\
***** History for hand R5-192626403-203 *****
Start hand: Fri Nov 18 12:48:10 CET 2011
Table: Cove [192626403] (POT_LIMIT FIVE_CARD_DRAW $1/$1, Real money)
User: Hero
Button: seat 1
Players in round: 4
Seat 1: Hero ($98)
Seat 3: Ann ($22.40)
Seat 6: Bob ($34.74)
Seat 9: Cid ($72.27)
Ann posts big blind ($1)
Bob posts big blind ($1)
---
Dealing pocket cards
Dealing to Hero: [Qs, 8c, 5h, Th, 5s]
Cid raises $3 to $3
Hero folds
Ann raises $4 to $5
Bob folds
Cid calls $2
Ann changed 2 cards
Cid changed 3 cards
Ann bets $5
Cid folds
---
Summary:
Main pot: $11 won by Ann ($10.45)
Rake taken: $0.55
Seat 1: Hero ($98)
Seat 3: Ann ($27.85), net: +$5.45
Seat 6: Bob ($33.74), net: -$1
Seat 9: Cid ($67.27), net: -$5
***** End of hand R5-192626403-203 *****
"""


def test_of_two_blinds_that_are_the_same_the_first_is_the_small_one() -> None:
    hand = one_of(ONGAME, EQUAL_BLINDS)
    assert [one.kind for one in hand.told if isinstance(one, Posted)] == ["small", "big"]
    right(hand)


@pytest.mark.parametrize(("zone", "hour"), [("MSD", 20), ("BRST", 2), ("SGT", 16), ("NZDT", 11)])
def test_zones_that_name_one_offset_are_known(zone: str, hour: int) -> None:
    hand = changed("ongame", ("GMT+0100", zone))
    assert hand.played is not None
    assert hand.played.utc.hour == hour
