"""PHH: samples read word for word, doctored hands as PokerKit reads them, and hands written and read again."""

import json
import warnings
from dataclasses import replace
from typing import Any

import pytest
from pokerkit import HandHistory as HandOfPokerKit

from pokersvc.histories.dialect import Dialect
from pokersvc.histories.dialects.boss import Boss
from pokersvc.histories.dialects.merge import Merge
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.histories.statements import Cancelled, Discarded, Drew, Statement
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.phh import in_position, phh, phhs

from .doctor import FOLDER, doctored, played, text_of
from .goldens import SAMPLES, in_lines, read
from .pokerkit_draw import AUTOMATIC, finishing_stacks, registered

ACCEPTED_BY_POKERKIT = {
    "as_it_was",
    "card_of_another_hand",
    "check_removed",
    "cut_off",
    "loser_shows_a_winner",
    "same_card_twice",
    "showdown_never_held",
    "wrong_finishing_stacks",
}


def back(text: str) -> HandHistory:
    (block,) = Phh().blocks(text.splitlines(keepends=True))
    return Phh().read(block)


def test_a_sample_says_what_a_person_read_in_it() -> None:
    golden = (SAMPLES / "more.told").read_text("utf-8")
    assert "\n".join(map(in_lines, read(Phh(), "more.phhs"))) == golden


def test_the_doctored_hands_are_those_of_a_hand_that_pokerkit_played() -> None:
    history = played()
    made = {one.name: text_of(one) for one in doctored(history.actions, history.finishing_stacks)}
    assert {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.phh")} == made
    assert json.loads((FOLDER / "expected.json").read_text("utf-8")).keys() == made.keys() - {"as_it_was"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.phh")), ids=lambda path: path.stem)
def test_what_pokerkit_accepts_of_the_doctored_hands(path: object) -> None:
    text = (FOLDER / str(path)).read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # which is all that PokerKit says of some
        try:
            finishing_stacks(text)
            accepted = True
        except ValueError:
            accepted = False
    hand = back(text)
    assert accepted == (hand.number in ACCEPTED_BY_POKERKIT)
    assert phh(back(phh(hand))) == phh(hand)


SAMPLED: list[tuple[Dialect, str]] = [
    (Boss(), "boss.xml"),
    (Boss(), "boss-more.xml"),
    (Merge(), "merge.xml"),
    (Merge(), "merge-more.xml"),
    (Phh(), "more.phhs"),
]


@pytest.mark.parametrize(("dialect", "name"), SAMPLED, ids=[name for _, name in SAMPLED])
def test_out_in_again_and_out_is_the_same_text_and_pokerkit_has_the_same_stacks(dialect: Dialect, name: str) -> None:
    hands = [hand for hand in read(dialect, name) if not any(isinstance(told, Cancelled) for told in hand.told)]
    for hand in hands:
        text = phh(hand)
        assert phh(back(text)) == text
        if (end := outcome_of(hand)) is None:
            continue
        unit = 10**hand.currency.exponent
        replayed = [int(stack * unit) for stack in finishing_stacks(text)]
        ours = [end.stacks[player.name] for player in in_position(hand)]
        assert sum(replayed) - sum(ours) == end.rake
        differ = [more - less for more, less in zip(replayed, ours, strict=True) if more != less]
        assert not differ or (min(differ) > 0 and sum(differ) == end.rake)  # only winners pay rake


def test_many_hands_in_a_file_are_read_by_pokerkit_and_by_us() -> None:
    hands = [*read(Boss(), "boss.xml"), *read(Merge(), "merge.xml")]
    text = "".join(phhs(hands))
    assert [hand.number for hand in map(Phh().read, Phh().blocks(text.splitlines(keepends=True)))] == [
        hand.number for hand in hands
    ]
    theirs: list[HandOfPokerKit] = list(registered().loads_all(text))
    assert [str(hand.hand) for hand in theirs] == [hand.number for hand in hands]


def test_a_cancelled_hand_is_refused_with_the_reason() -> None:
    cancelled = next(hand for hand in read(Merge(), "merge-more.xml") if isinstance(hand.told[-1], Cancelled))
    with pytest.raises(CannotBeWritten, match=r"PHH cannot express this hand: it was cancelled\."):
        phh(cancelled)


def test_actions_that_are_told_in_turn_stay_so() -> None:
    text = next(phh(hand) for hand in read(Boss(), "boss-more.xml") if hand.number == "9000000002")
    first, second, drawn = '  "p1 sd 4h8sTc",\n', '  "p2 sd ??????????",\n', '  "d dh p1 2c2hTh",\n'
    assert first + second + drawn in text
    assert [str(told) for told in _draw(back(text.replace(first + second + drawn, first + drawn + second)))] == [
        str(told) for told in _draw(back(text))
    ]


def _draw(hand: HandHistory) -> list[Statement]:
    return [replace(told, line=0) for told in hand.told if isinstance(told, Discarded | Drew)]


GOOD = (FOLDER / "as_it_was.phh").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("N5CD", "NT", 1, "'NT' is not five-card draw: N5CD, P5CD, F5CD"),
        ("min_bet = 2", "min_bet = ", 4, "This is not TOML"),
        ("[200, 200, 200, 200]", "[inf, 200, 200, 200]", 5, "'Infinity' is not an amount"),
        ("[200, 200, 200, 200]", "[-1, 200, 200, 200]", 5, "starting_stacks is [-1, 200, 200, 200], not zero or more"),
        ("[200, 200, 200, 200]", "[200, 200, 200]", 2, "not one amount for each of 3 players"),
        ("[200, 200, 200, 200]", "[]", 5, "not what each player began with"),
        ("[200, 200, 200, 200]", "[9999999999999999999, 2, 2, 2]", 5, "is not an amount"),
        ("p1 cc", "p9 cc", 11, "'p9' is no player from p1 to p4"),
        ("p1 cc", "p1 sings", 11, "'p1 sings' is not an action of five-card draw"),
        ("p1 cc", "d db AsKsQs", 11, "'d db AsKsQs' is not an action of five-card draw"),
        ("KsKd9c5h2d", "KsKd9c5h2x", 7, "'2x' is not a card"),
        ("cbr 4", "cbr 4.005", 12, "'4.005' is not a whole number of the smallest unit"),
        ("antes = [1, 1, 1, 1]", "antes = [1, 1, 1, 2]\nante_trimming_status = true", 3, "not false"),
        ("min_bet = 2", 'min_bet = 2\n_draw = "at once"', 5, """_draw is 'at once', not "in turn" or "together"."""),
        ("min_bet = 2", 'min_bet = 2\nplayers = ["a", "a", "b", "c"]', 5, "'a' is listed twice"),
        ("min_bet = 2", "min_bet = 2\nseats = [1, 2, 2, 3]", 6, "Two players have seat 2"),
        ("min_bet = 2", 'min_bet = 2\nseats = [1, "2", 3, 4]', 5, "[1, '2', 3, 4], not a list of whole numbers"),
        (
            "min_bet = 2",
            "min_bet = 2\nday = 31\nmonth = 2\nyear = 2026\ntime = 20:00:00\ntime_zone = 'UTC'",
            8,
            "not a time",
        ),
        (
            "min_bet = 2",
            "min_bet = 2\nday = 1\nmonth = 2\nyear = 99999999999999999999\ntime = 20:00:00\ntime_zone = 'UTC'",
            8,
            "not a time",
        ),
        ("min_bet = 2", "min_bet = 2\nday = 32", 5, "day is 32, not a day of its month and year."),
        ("actions", "deeds", 1, "actions is None, not a list of actions"),
        ("actions = [", "actions = " + "[" * 5000, 1, "This is not TOML"),
    ],
)
def test_a_phh_that_cannot_be_read_has_a_line_and_a_sentence(old: str, new: str, line: int, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(UnreadableHand) as caught:
        back(GOOD.replace(old, new, 1))
    assert sentence in str(caught.value)
    assert caught.value.line == line or old.startswith("actions = [")


SHORT_ANTE = """\
variant = "N5CD"
antes = [3, 3, 3]
ante_trimming_status = true
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [50, 50, 2]
actions = [
  "d dh p1 2c3d5h7s9c",
  "d dh p2 KsKd4c6h8s",
  "d dh p3 AsAd4h6c8d",
  "p1 cc",
  "p2 cc",
  "p1 sd",
  "p2 sd",
  "p3 sd",
  "p1 cc",
  "p2 cc",
  "p1 sm 2c3d5h7s9c",
  "p2 sm KsKd4c6h8s",
  "p3 sm AsAd4h6c8d",
]
"""


def test_who_is_too_short_for_the_ante_plays_for_no_more_of_it_in_pokerkit_too() -> None:
    """Given an ante of 3 and a stack of 2, that player wins 2 from each, whatever an old file says."""
    line = "ante_trimming_status = true\n"
    for text in (SHORT_ANTE, SHORT_ANTE.replace(line, "")):
        assert line in phh(back(text))
        assert finishing_stacks(phh(back(text))) == [45, 51, 6]
    whole = SHORT_ANTE.replace("[50, 50, 2]", "[50, 50, 3]")
    assert line not in phh(back(whole))
    assert finishing_stacks(phh(back(whole))) == [45, 49, 9]


@pytest.mark.parametrize("blinds", [(1, 2), (2, 2)])
def test_pokerkit_writes_the_blinds_of_two_players_as_they_are(blinds: tuple[int, int]) -> None:
    """Given two players, the button has the small blind and acts first, even if the blinds are equal."""
    game: Any = registered().game_types["N5CD"]
    game = game(
        automations=AUTOMATIC, ante_trimming_status=False, raw_antes=0, raw_blinds_or_straddles=blinds, min_bet=2
    )
    state = game((50, 50), 2)
    for cards in ("2c3d5h7s9c", "KsKd4c6h8s"):
        state.deal_hole(cards)
    assert state.actor_index == 1
    assert registered().from_game_state(game, state).blinds_or_straddles == list(blinds)


def test_the_button_may_stand_at_an_empty_seat_and_the_table_has_that_seat() -> None:
    hand = replace(back(SHORT_ANTE), size=3, button=7)
    text = phh(hand)
    assert "seat_count = 7\n" in text
    assert "_button = 7\n" in text
    assert phh(back(text)) == text
