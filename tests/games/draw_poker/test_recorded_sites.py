"""A real hand of each of five sites: the final stacks are exact to the smallest unit."""

from typing import NamedTuple

import pytest

from pokersvc.cards import parse_cards
from pokersvc.cards.unknown import unknown
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, DiscardUnknown, Fold, Raise
from pokersvc.games.draw_poker.house.cash_table import Post
from pokersvc.games.draw_poker.recorded_hands.recorded import RecordedHand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDiscarded, RecordedCardsDrawn

from .told import big_bet, fixed_limit, known, of_type, sitting, told


class Site(NamedTuple):
    """A hand of a site, and the stacks after it."""

    hand: RecordedHand
    actions: tuple[Action, ...]
    stacks: tuple[int, ...]
    unchecked: dict[str, int]


def some(seat: int, count: int) -> DiscardUnknown:
    return DiscardUnknown(seat, unknown(count))


POKERSTARS = Site(
    RecordedHand(
        seats=("Cid", "Dora", "Hero"),
        rules=big_bet(50, 100, "pot_limit"),
        table=sitting({1: 10680, 3: 3495, 4: 4000}, button=3, rake=(90,)),
        cards=(known(2, held="4d Ad Ks Kd 3h"), known(3, "6s Jh 7d 2h 3s", "Qs", held="6s Qs 7d 2h 3s")),
    ),
    (
        *(Raise(2, 300), Call(3), Call(1), Discard(3, parse_cards("Jh")), some(1, 1), some(2, 3)),
        *(Bet(3, 500), Fold(1), Call(2)),
    ),
    (10680 - 300, 3495 - 800 + 1810, 4000 - 800),
    {"unknown hand": 2, "unknown discard": 2, "unknown draw": 2, "stated rake": 1},
)
"""#15504835000: the hero shows first, and is beaten."""
FULL_TILT = Site(
    RecordedHand(
        seats=("Ann", "Bob B", "Cid", "Dora", "Hero", "Eve"),
        rules=big_bet(25, 50, draw="together"),
        table=sitting({1: 5880, 2: 6010, 3: 1860, 4: 3450, 5: 5000, 6: 1815}, button=1, rake=(60,)),
        cards=(known(1, held="Kc Qc 5c 4c 3c"), known(2, held="Js Jc 9d 9s 5s"), known(5, "8h 7h 7c Qs Jh")),
        mucked=(2,),
    ),
    (
        *(Fold(4), Fold(5), Call(6), Raise(1, 100), Call(2), Call(3), Call(6)),
        *(some(2, 1), some(3, 2), some(6, 2), some(1, 1)),
        *(Check(2), Check(3), Check(6), Bet(1, 400), Call(2), Fold(3), Fold(6)),
    ),
    (5880 - 500 + 1140, 6010 - 500, 1860 - 100, 3450, 5000, 1815 - 100),
    {"unknown hand": 5, "unknown discard": 4, "unknown draw": 4, "stated rake": 1},
)
"""#12327327470: all discard, then all are dealt; a called loser mucks, and the summary tells the hand."""
ONGAME = Site(
    RecordedHand(
        seats=("Fay_7", "Eve", "Dora", "Ann", "Hero"),
        rules=fixed_limit(2, 5, 10),
        table=sitting(
            {1: 1134, 3: 51, 4: 940, 8: 5, 10: 90},
            button=8,
            rake=(1,),
            posts=(
                Post(amount=2, kind="small", seat=5),
                Post(amount=5, kind="big", seat=1),
                Post(amount=5, kind="extra", seat=3),
                Post(amount=2, kind="dead", seat=3),
            ),
        ),
        cards=(known(2, held="As 9s 6s 6c 9h"), known(4, held="Jh 2c Kh Td 6h"), known(5, "Jd 5s 8h 4h 7d", "Ah")),
    ),
    (
        *(Call(2), Check(3), Call(4), Call(5), Check(1)),
        *(Discard(5, parse_cards("Jd")), some(1, 4), some(2, 2), some(3, 3), some(4, 2)),
        *(Check(5), Check(1), Bet(2, 10), Fold(3), Fold(5), Fold(1)),
    ),
    (1129, 72, 933, 0, 85),
    {"unknown hand": 4, "unknown discard": 4, "unknown draw": 4, "stated rake": 1},
)
"""R5-46987275-233: a newcomer's live and dead blind, an all-in, and a discard that follows from the new hand."""
BOSS = Site(
    RecordedHand(
        seats=("Ann", "Bob B", "Hero"),
        rules=fixed_limit(100, 200, 400),
        table=sitting({2: 9875, 3: 1875, 5: 7150}, button=2, rake=(50,)),
        cards=(known(2, held="Ks Kh Qh 5h 2c"), known(3, "8s Js 9c Ah Qd")),
        mucked=(1,),
    ),
    (Raise(1, 400), Raise(2, 600), Fold(3), Call(1), some(2, 2), some(1, 3), Check(2), Check(1)),
    (9875 - 600, 1875 - 600 + 1350, 7150 - 200),
    {"unknown hand": 2, "unknown discard": 2, "unknown draw": 2, "stated rake": 1},
)
"""6649814790: a called loser mucks a hand that nobody is told."""
MERGE = Site(
    RecordedHand(
        seats=("Cid", "Hero", "Bob B", "Ann", "Dora"),
        rules=big_bet(5, 10, "pot_limit"),
        table=sitting(
            {0: 400, 1: 1000, 2: 1070, 3: 576, 4: 564},
            button=2,
            rake=(2,),
            posts=(
                Post(amount=5, kind="small", seat=4),
                Post(amount=10, kind="big", seat=5),
                Post(amount=10, kind="extra", seat=2),
            ),
        ),
        cards=(known(2, "4h 7h Ac 7c 6s", "8d 9c 2s"),),
    ),
    (
        *(Call(1), Check(2), Call(3), Call(4), Check(5)),
        *(some(4, 3), some(5, 3), some(1, 3), Discard(2, parse_cards("4h Ac 6s")), some(3, 2)),
        *(Check(4), Check(5), Bet(1, 50), Fold(2), Fold(3), Fold(4), Fold(5)),
    ),
    (400 - 10 + 48, 990, 1060, 566, 554),
    {"unknown hand": 4, "unknown discard": 4, "unknown draw": 4, "stated rake": 1},
)
"""51234567-19: seats from 0, and the winner of an uncalled bet does not show the hand."""
SITTING_OUT = Site(
    RecordedHand(
        seats=("Ann", "Bob B", "Hero"),
        rules=fixed_limit(100, 200, 400),
        table=sitting(
            {2: 9275, 3: 2725, 5: 6850},
            button=2,
            out=(1,),
            posts=(Post(amount=100, kind="small", seat=2), Post(amount=200, kind="big", seat=3)),
        ),
        cards=(known(3, "9s Jd 6s 8d 9c"),),
    ),
    (Fold(2),),
    (9275, 2725 - 100, 6850 + 100),
    {"unknown hand": 1},
)
"""Boss 2195925149: the button is at a seat that sits out, and is dealt nothing."""
SITES = {
    "pokerstars": POKERSTARS,
    "full-tilt": FULL_TILT,
    "ongame": ONGAME,
    "boss": BOSS,
    "merge": MERGE,
    "out": SITTING_OUT,
}


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_a_hand_of_a_site_comes_out_as_its_file_says(site: Site) -> None:
    game = told(site.hand, site.actions)
    assert tuple(game.state.stacks[1:]) == site.stacks
    assert game.state.outcome is not None
    assert game.state.outcome.scores == tuple(game.state.net()[1:])
    assert game.wrong == []
    assert game.unchecked == site.unchecked


def test_where_all_discard_together_all_are_dealt_after_that() -> None:
    game = told(FULL_TILT.hand, FULL_TILT.actions)
    draws = of_type(game.events, RecordedCardsDiscarded, RecordedCardsDrawn)
    assert [type(event) for event in draws] == [RecordedCardsDiscarded] * 4 + [RecordedCardsDrawn] * 4


def test_a_hand_that_nobody_is_told_stays_unknown() -> None:
    game = told(BOSS.hand, BOSS.actions)
    assert events.HandMucked(1) in game.events
    assert game.state.hands[1] == unknown(5)
    assert not of_type(game.events, events.HandsRevealed)


def test_a_stated_rake_that_the_pot_does_not_have_is_found() -> None:
    table = BOSS.hand.table.model_copy(update={"rake": (2000,)})
    game = told(RecordedHand(seats=BOSS.hand.seats, rules=BOSS.hand.rules, table=table), BOSS.actions)
    assert [wrong.found for _, wrong in game.wrong if "rake" in wrong.found] == ["a rake of 2000 that was stated"]
