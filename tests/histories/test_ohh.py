"""OHH: a sample read word for word, written and read again, and objects that are not valid hands."""

import json

import pytest

from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.full_tilt import FullTilt
from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Cancelled, Mucked, NotShown, StatedPot, Totals
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohh, ohhs
from pokersvc.histories.writers.outcome import outcome_of

from .goldens import SAMPLES, in_lines, read

GOOD = (SAMPLES / "more.ohh").read_text("utf-8").strip()


def back(text: str) -> HandHistory:
    (block,) = Ohh().blocks(text.splitlines(keepends=True))
    return Ohh().read(block)


def samples() -> list[HandHistory]:
    """Return all sample hands that were played to their end at a known time."""
    paths = [path for path in SAMPLES.iterdir() if path.suffix != ".told"]
    found = [hand for path in sorted(paths) for hand in hands_in(path)]
    assert all(isinstance(hand, HandHistory) for hand in found)
    hands = [hand for hand in found if isinstance(hand, HandHistory)]
    return [hand for hand in hands if hand.played and not any(isinstance(told, Cancelled) for told in hand.told)]


def test_a_sample_says_what_a_person_read_in_it() -> None:
    assert "\n".join(map(in_lines, read(Ohh(), "more.ohh"))) == (SAMPLES / "more-ohh.told").read_text("utf-8")


@pytest.mark.parametrize("hand", samples(), ids=lambda hand: f"{hand.site} {hand.number}")
def test_out_in_again_and_out_is_the_same_text_and_the_same_end(hand: HandHistory) -> None:
    text = ohh(hand)
    assert ohh(back(text)) == text
    assert outcome_of(back(text)) == outcome_of(hand)


@pytest.mark.parametrize("hand", samples(), ids=lambda hand: f"{hand.site} {hand.number}")
def test_pots_are_gross_of_rake_and_exclude_what_was_not_called(hand: HandHistory) -> None:
    pots = json.loads(ohh(hand))["ohh"]["pots"]
    assert pots
    totals = next((told for told in back(ohh(hand)).told if isinstance(told, Totals)), None)
    end = outcome_of(hand)
    assert totals is not None
    assert end is not None
    assert (totals.pot, totals.rake) == (end.pot, end.rake)
    for pot in pots:
        paid = sum(win["win_amount"] for win in pot["player_wins"])
        assert round(pot["amount"] - pot["rake"], 2) == round(paid, 2)


def test_an_amount_is_what_the_action_puts_in() -> None:
    """The specification's example: a raise to 20 adds 18 for a player who has posted 2."""
    hand = back(GOOD)
    raises = [json.loads(ohh(hand))["ohh"]["rounds"][0]["actions"][number]["amount"] for number in (6, 7, 8)]
    assert raises == [6, 19, 98]


def test_a_blank_line_stands_between_two_hands() -> None:
    text = "".join(ohhs([back(GOOD)] * 3))
    assert text.count("\n\n") == 2
    blocks = list(Ohh().blocks(text.splitlines(keepends=True)))
    assert [Ohh().read(block).number for block in blocks] == ["70001"] * 3


def test_a_cancelled_hand_is_refused_with_the_reason() -> None:
    hands = list(hands_in(SAMPLES / "merge-more.xml"))
    cancelled = [hand for hand in hands if isinstance(hand, HandHistory) and isinstance(hand.told[-1], Cancelled)]
    with pytest.raises(CannotBeWritten, match=r"OHH cannot express this hand: it was cancelled\."):
        ohh(cancelled[0])


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ('"Draw"', '"Holdem"', 1, "'Holdem' is not five-card draw"),
        ('"x_pokersvc": {"draw": "five-card"}, ', "", 1, '"Draw" names no game unless'),
        ('"NL"', '"XL"', 1, "bet_limit.bet_type: Input should be 'NL', 'PL' or 'FL'"),
        ('"starting_stack": 100.25', '"starting_stack": "100"', 8, "players.1.starting_stack"),
        ('"starting_stack": 100.25', '"starting_stack": 100.255', 8, "not a whole number of the smallest unit"),
        ('"starting_stack": 100.25', '"starting_stack": NaN', 1, "NaN is not an amount of money"),
        ('"name": "Hero"', '"name": "Ann"', 8, "'Ann' is listed twice"),
        ('"id": 2,', '"id": 1,', 1, "Two players have the same id"),
        ('"name": "Hero"', '"name": "\\ud800"', 8, "is not text: it has half of a surrogate pair"),
        ('"player_id": 2, "action": "Post BB"', '"player_id": 3, "action": "Post BB"', 18, "No player has the id 3"),
        ('"Post BB", "amount": 2', '"Post BB"', 18, "Post BB has no amount"),
        ('"Post BB"', '"Add to Pot"', 18, "'Add to Pot' is not an action of five-card draw"),
        ('"Flop"', '"River"', 26, "The street 'River' is not Preflop"),
        (', "x_pokersvc": {"draws": 2}', "", 31, "does not say whether these cards are discarded or drawn"),
        ('"7h", "2d"]}', '"7h", "2x"]}', 19, "'2x' is not a card"),
        ("2026-11-01T20:35:49Z", "yesterday", 1, "not a moment like 2026-01-31T20:00:00Z"),
        ('"players": [', '"players": [[', 12, "This is not JSON"),
        ('"table_size": 6', '"table_size": 6, "table_size": 5', 1, "An object has a member twice"),
        ('"player_wins": [{"player_id": 2', '"player_wins": [{"player_id": 7', 41, "No player has the id 7"),
        ('"action_number": 8,', '"action_number": 7,', 21, "action_number is 7, but that of the action before is 7."),
        ('"Post BB", "amount": 2', '"Post BB", "amount": 2, "cards": ["As"]', 18, "Post BB has cards, but shows none."),
        ('"cards": ["As", "Ad"', '"amount": 1, "cards": ["As", "Ad"', 19, "Dealt Cards has an amount, but puts"),
        ('"cards": ["As", "Ad"', '"is_allin": true, "cards": ["As", "Ad"', 19, "but a Dealt Cards puts nothing in."),
        ('{"discards": 1}', '{"discards": 1, "draws": 1}', 26, "takes one discard, draw or reshuffle"),
        (
            '"amount": 6}',
            '"amount": 6, "x_pokersvc": {"discards": 0}}',
            20,
            "draw or reshuffle, and only in Dealt Cards.",
        ),
        ('15, "action"', '15, "player_id": 1, "action"', 30, "A reshuffle belongs to no player and shows no cards."),
        (
            '{"reshuffled": true}',
            '{"reshuffled": true}, "cards": ["4s"]',
            30,
            "belongs to no player and shows no cards.",
        ),
        ('"2d"]}', '"2d"], "x_pokersvc": {"draws": 5}}', 19, "A draw is in the street Preflop, not in Flop."),
        ('"street": "Preflop"', '"street": "Flop"', 14, "Post Ante is in the street Flop, not in Preflop."),
        ('"Shows Cards", "cards": ["As", "Ad", "Kc", "Kd", "3s"]', '"Check"', 34, "is in the street Showdown"),
    ],
)
def test_an_object_that_cannot_be_read_has_a_line_and_a_sentence(old: str, new: str, line: int, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(UnreadableHand) as caught:
        back(GOOD.replace(old, new, 1))
    assert sentence in str(caught.value)
    assert caught.value.line == line


LAST_IN = """\
PokerStars Hand #79:  5 Card Draw No Limit ($1/$2 USD) - 2012/12/04 1:31:00 ET
Table 'Alone' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Zed ($5 in chips) is sitting out
Ann: posts small blind $1
Bob: posts big blind $2
*** DEALING HANDS ***
Ann: folds
Uncalled bet ($1) returned to Bob
Bob collected $2 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot $2 | Rake $0
"""

DEAD_ALONE = """\
Full Tilt Poker Game #22000000079:  Table Rose B (6 max) - $1/$2 - No Limit 5 Card Draw - 23:58:00 ET - 2010/11/06
Seat 1: Ann ($100)
Seat 2: Bob ($100)
Seat 3: Cid ($100)
Seat 4: Hero ($1)
Bob posts the small blind of $1
Cid posts the big blind of $2
Hero posts a dead small blind of $1, and is all in
The button is in seat #1
*** HOLE CARDS ***
Ann calls $2
Bob calls $1
Cid checks
*** DRAW *** (Pot: $7)
Bob stands pat
Cid stands pat
Hero stands pat
Ann stands pat
Bob checks
Cid checks
Ann bets $5
Bob folds
Cid folds
Uncalled bet of $5 returned to Ann
*** SHOW DOWN ***
Ann shows [2c 2d 3h 5c 8d] a pair of Twos
Ann wins the side pot ($6) with a pair of Twos
Hero shows [9d Td Jd Qs Ks] a straight, King high
Hero wins the main pot ($1) with a straight, King high
*** SUMMARY ***
Total pot $7 Main pot $1. Side pot $6. | Rake $0
"""


def test_a_last_player_whose_hand_nobody_sees_has_not_mucked_it_where_somebody_sits_out() -> None:
    again = back(ohh(PokerStars().read(Block(1, LAST_IN))))
    assert [told.name for told in again.told if isinstance(told, NotShown)] == ["Bob"]
    assert not any(isinstance(told, Mucked) for told in again.told)


def test_a_stack_that_had_a_dead_blind_alone_has_a_main_pot() -> None:
    hand = FullTilt().read(Block(1, DEAD_ALONE))
    again = back(ohh(hand))
    assert [told.amount for told in again.told if isinstance(told, StatedPot)] == [100, 600]
    assert follow(hand, "0" * 64).contradictions == follow(again, "0" * 64).contradictions == ()
