"""Folds without a bet, and hands written in the formats of sites."""

from collections.abc import Callable

import pytest

from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohh
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.phh import phh
from pokersvc.histories.writers.pokerstars import pokerstars

from .as_written import MERGE, ONGAME, STARS, TILT, changed, one_of, right, wrong_at
from .test_as_boss_writes import boss
from .test_as_full_tilt_writes import ANTES, HEADS_UP
from .test_as_merge_writes import MERGE_HAND, SHORT_BLIND, VERSION
from .test_as_ongame_writes import EQUAL_BLINDS

JON_WINS = [
    (
        "Kai: checks\nJon: discards 3 cards\nKai: discards 3 cards\nJon: checks\nKai: checks\n*** SHOW DOWN ***\n"
        "Jon: shows [Th Qc 7c 5h Ah] (high card Ace)\nKai: mucks hand\n",
        "Kai has timed out\nKai: folds\n",
    ),
    ("Kai (big blind) mucked [4h Ks 3s Jc 7h]", "Kai (big blind) folded before the Draw"),
    (" showed [Th Qc 7c 5h Ah] and won ($0.19) with high card Ace", " collected ($0.19)"),
]


def test_who_faces_no_bet_may_fold_as_who_sits_out_does() -> None:
    hand = changed("pokerstars", *JON_WINS, number=6)
    right(hand)
    unbet = changed("pokerstars", *JON_WINS, ("Kai: folds", "Kai: folds\nKai: folds"), number=6)
    assert wrong_at(unbet) == 18


RAISES = "Ann raises to 60\nHero raises to 90\nAnn raises to 120\nHero raises to 150\nAnn folds\n"
FIVE_BETS = (
    HEADS_UP.replace("Ann folds\nUncalled bet of 15 returned", f"{RAISES}Uncalled bet of 30 returned")
    .replace("(30)", "(240)")
    .replace("pot 30", "pot 240")
)
"""Two raise more often than a fixed limit allows where three can bet."""


def test_two_may_raise_without_end_where_a_text_shows_it_and_its_house_says_so() -> None:
    for text, uncapped in ((HEADS_UP, "never"), (FIVE_BETS, "two_dealt_in")):
        started = right(one_of(TILT, text)).events[0]
        assert isinstance(started, GameStarted)
        assert started.rules.betting.uncapped == uncapped


def test_of_three_dealt_in_nobody_raises_above_the_cap_before_the_draw_and_the_cap_stays() -> None:
    seats = ("Seat 2: Ann (1,500)\n", "Seat 2: Ann (1,500)\nSeat 3: Bob (1,500)\n")
    button = ("in seat #2", "in seat #3")
    blinds = ("Ann posts the small blind of 15\nHero posts", "Hero posts the small blind of 15\nAnn posts")
    fewer = "Bob folds\nHero raises to 60\nAnn raises to 90\nHero raises to 120\nAnn raises to 150\nHero folds\n"
    three = FIVE_BETS
    for old, new in (seats, button, blinds, (RAISES, fewer)):
        assert old in three
        three = three.replace(old, new)
    hand = one_of(TILT, three)
    assert wrong_at(hand) == 14
    started = follow(hand, "0" * 64).events[0]
    assert isinstance(started, GameStarted)
    assert started.rules.betting.uncapped == "never"


def folded_free() -> HandHistory:
    return changed("pokerstars", *JON_WINS, number=6)


ALL: dict[str, Callable[[], HandHistory]] = {
    "a free fold": folded_free,
    "a fold with cards": lambda: changed("pokerstars", ("Cid: folds", "Cid: folds [Ah Ad 2c 2d 3h]")),
    "a part is shown": lambda: changed("pokerstars", ("Dora: doesn't show hand", "Dora: shows [As]")),
    "Full Tilt, two players": lambda: one_of(TILT, HEADS_UP),
    "Full Tilt, five bets of two": lambda: one_of(TILT, FIVE_BETS),
    "Full Tilt, antes": lambda: one_of(TILT, ANTES),
    "OnGame, equal blinds": lambda: one_of(ONGAME, EQUAL_BLINDS),
    "OnGame, play money": lambda: changed("ongame", ("Real money", "Play money")),
    "Boss": boss,
    "Merge": lambda: one_of(MERGE, MERGE_HAND),
    "Merge, versions": lambda: one_of(MERGE, VERSION),
    "Merge, a blind of nothing": lambda: one_of(MERGE, SHORT_BLIND.format(main=100, side=600)),
}


@pytest.mark.parametrize("what", ALL)
def test_what_is_written_of_them_is_read_and_followed(what: str) -> None:
    hand = ALL[what]()
    assert right(hand).events
    said = 0
    for write, dialect in ((phh, Phh()), (ohh, Ohh()), (pokerstars, STARS)):
        try:
            text = write(hand)
        except CannotBeWritten:
            continue
        again = one_of(dialect, text)
        ends = [outcome_of(one) for one in (hand, again)]
        assert [end and end.stacks for end in ends[:1]] == [end and end.stacks for end in ends[1:]]
        right(again)
        said += 1
    assert said
