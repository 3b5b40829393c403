"""Formats of PokerStars that the samples lack: lines of tournaments, shown cards, points."""

import pytest

from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.hand import Currency, HistoryTournament, UnreadableHand
from pokersvc.histories.statements import Folded, NotShown
from pokersvc.histories.writers.ohh import ohh
from pokersvc.histories.writers.phh import phh
from pokersvc.histories.writers.pokerstars import pokerstars

from .as_written import STARS, changed, one_of, right, wrong_at


@pytest.mark.parametrize(
    "line",
    [
        "Betting is capped",
        "Zed re-buys and receives 1500 chips for $1.00",
        "Zed re-buys and receives 600 chips for 2 FPPs",
        "Zed takes the add-on and receives 2000 chips for 250 StarsCoin",
        "Zed adds 1500 chips (1 stack(s) of 1500 chips). Zed has 2 stack(s) remaining.",
        "Zed finished the tournament in 2nd place and received 1,200 FPP.",
        "Zed wins the tournament - congratulations!",
        "Zed wins an entry to tournament #12345",
        "Zed split the $0.50 bounty for eliminating Yan",
        "Zed wins $0.50 for eliminating Yan and their own bounty increases by $0.50 to $1.50",
        "Zed wins $0.23 for splitting the elimination of Yan and their own bounty increases by $0.22 to $1.12",
        "All players have agreed to skip the break. Game resuming.",
    ],
)
def test_pokerstars_writes_of_tournaments_and_caps_and_it_changes_nothing(line: str) -> None:
    hand = changed("pokerstars", ("Hero: folds", f"{line}\nHero: folds"))
    assert [type(one) for one in hand.told] == [type(one) for one in changed("pokerstars").told]
    right(hand)


def test_chips_that_are_bought_stand_above_the_seats_too() -> None:
    bought = "Zed re-buys and receives 1500 chips for $1.00\n"
    hand = changed("pokerstars-more", ("is the button\n", f"is the button\n{bought}{bought}"), number=5)
    assert [player.name for player in hand.players] == ["Ann", "Bob", "Hero", "Cid"]
    right(hand)


@pytest.mark.parametrize(
    ("named", "tournament"),
    [
        ("300FPP ", HistoryTournament(number="700001", level="IV", buy_in=300, fee=0, currency=Currency("FPP", 0))),
        ("1,250 SC ", HistoryTournament(number="700001", level="IV", buy_in=1250, fee=0, currency=Currency("SC", 0))),
        ("", HistoryTournament(number="700001", level="IV")),
    ],
)
def test_a_tournament_is_paid_with_points_or_names_no_price(named: str, tournament: HistoryTournament) -> None:
    pairs = [(f"{start}#700001, $1.00+$0.10 USD ", f"{to}#700001, {named}") for start, to in [("Tournament ",) * 2]]
    hand = changed("pokerstars-more", *pairs, number=5)
    assert (hand.tournament, hand.limit) == (tournament, "no-limit")
    assert changed("pokerstars-more", ("Tournament", "Zoom Tournament"), number=5).tournament is not None


@pytest.mark.parametrize("points", ["300FPP", "1250SC"])
def test_points_are_whole_in_every_format(points: str) -> None:
    hand = changed(
        "pokerstars-more", ("Tournament #700001, $1.00+$0.10 USD", f"Tournament #700001, {points}"), number=5
    )
    for write, dialect in ((phh, Phh()), (ohh, Ohh()), (pokerstars, STARS)):
        text = write(hand)
        again = one_of(dialect, text)
        assert (again.tournament, write(again)) == (hand.tournament, text)


def test_who_was_moved_to_the_big_blind_is_not_dealt_in() -> None:
    moved = "Seat 5: Zed ($5 in chips) out of hand (moved from another table into big blind)"
    hand = changed("pokerstars", ("Fay_7 joins", "Zed joins"), ("Dora: posts", f"{moved}\nDora: posts"))
    assert [player.name for player in hand.players if player.sitting_out] == ["Zed"]
    right(hand)


def test_who_folds_may_show_the_hand() -> None:
    hand = changed("pokerstars", ("Cid: folds", "Cid: folds [Ah Ad 2c 2d 3h]"))
    assert [len(one.cards) for one in hand.told if isinstance(one, Folded) and one.cards] == [5]
    right(hand)
    right(changed("pokerstars", ("Hero: folds", "Hero: folds [Kh Jh]")))
    # Hero was dealt kings, so neither Cid nor Hero shows others.
    assert wrong_at(changed("pokerstars", ("Cid: folds", "Cid: folds [Kh Ad 2c 2d 3h]"))) == 14
    assert wrong_at(changed("pokerstars", ("Hero: folds", "Hero: folds [Kh Js]"))) == 13
    assert wrong_at(changed("pokerstars", ("Cid: folds", "Cid: folds [Ah Ah]"))) == 14


def test_who_wins_uncalled_may_show_a_part_of_the_hand() -> None:
    hand = changed("pokerstars", ("Dora: doesn't show hand", "Dora: shows [As]"))
    assert [len(one.part) for one in hand.told if isinstance(one, NotShown)] == [1]
    right(hand)
    assert wrong_at(changed("pokerstars", ("Dora: doesn't show hand", "Dora: shows [Kh]"))) == 19
    # In a showdown a hand is shown whole.
    shown = "Kai: shows [Qd 5c Qs Ac 4d] (a pair of Queens)"
    assert wrong_at(changed("pokerstars", (shown, "Kai: shows [Qd 5c]"), number=4)) == 24


def test_italian_hands_have_an_id_of_the_state() -> None:
    for said in ("AAMS", "ADM"):
        right(changed("pokerstars", (" USD) - ", f" USD) [{said} ID: M58B8C3F2A] - ")))


def test_full_tilt_writes_as_pokerstars_does_since_2016() -> None:
    pairs = ("PokerStars Game", "Full Tilt Hand")
    hand = changed("pokerstars", pairs)
    assert (hand.dialect, hand.site, hand.number) == ("pokerstars", "Full Tilt", "57273888010")
    right(hand)


def test_a_limit_that_is_not_read_is_told_as_that() -> None:
    with pytest.raises(UnreadableHand, match="only no limit, pot limit and fixed limit are read"):
        changed("full-tilt", ("No Limit 5 Card Draw", "CAP NL 5 Card Draw"))
