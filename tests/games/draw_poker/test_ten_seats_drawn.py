"""A drawn cash table of ten with long names and millions of chips: all seats in columns, also in small terminals."""

import re

import pytest

from pokersvc.betting.cash import BuyChips
from pokersvc.core.drawing import Room, fits, plain
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Call, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords

from .scenario import Scenario

NAMES = (
    "Alexandrina-Victoria", "Bartholomew-Augustus", "Christabel-Philippa1", "Maximilian-Leopold-X",
    "Wilhelmina-Josephine", "Featherstonehaugh-II", "Anastasia-Nikolaevna", "Constantinopolitan-Z",
    "Rumpelstiltskin-Rose", "Zoroaster-of-Persia9",
)  # fmt: skip
ROOMS = (Room(60, 15), Room(80, 16))
"""The room for a table in terminals of 60 x 24 and 80 x 24 at the longest questions."""
WORDS = DrawPokerWords()


def before_the_draw() -> Scenario:
    """Return a game in which the first four and the fifth made four pots, and seat 1 is about to draw."""
    stacks = {1: 9_000_000, 2: 1_000_000, 3: 2_000_000, 4: 4_000_000, 5: 9_000_000}
    options = {
        "rules": "no-limit", "cash": True, "blinds": "5000/10000",
        "stack": ["9000000", *(f"{NAMES[seat - 1]}={chips}" for seat, chips in stacks.items())],
    }  # fmt: skip
    seats = tuple(Seat(HUMAN, name) for name in NAMES)
    game = Scenario(DRAW_POKER.start(Setup(seats, EntropySource.from_text("ten"), None, DRAW_POKER.options(options))))
    game.ready()
    while game.view().stage == "first betting":
        seat = game.to_act
        assert seat is not None
        if seat > 5:
            game.given(Fold(seat))
        elif game.legal.raise_to is not None and seat in (2, 3, 4, 5):
            game.given(Raise(seat, game.legal.raise_to[1]))
        else:
            game.given(Call(seat))
        game.ready()
    return game


def rows(lines: list[str]) -> list[str]:
    """Return the lines of seats."""
    return [line for line in lines if re.match(r"(▶ |  ) ?\d+ [A-Z]", line)]


def in_columns(lines: list[str], *amounts: str) -> bool:
    """Return whether every stack ends, and every amount of a kind does, in the same column."""
    for amount in (r"\$[\d,]+", *amounts):
        ends = {match.end() for line in lines if (match := re.search(amount, line)) is not None}
        if len(ends) != 1:
            return False
    return True


@pytest.mark.parametrize("room", ROOMS)
def test_all_ten_stay_in_their_columns_with_four_pots_in_the_draw(room: Room) -> None:
    game = before_the_draw()
    view = game.view(game.to_act or 0)
    assert len(view.pots) >= 4
    lines = WORDS.draw(view, room)
    assert fits(lines, room)
    seats = rows(plain(lines))
    assert len(seats) == 10
    assert in_columns(seats)
    assert all(re.search("all in|folded", line) for line in seats if not line.startswith("▶"))
    said = " ".join(plain(lines))
    assert all(f"{pot:,}" in said for pot in view.pots), "every pot has its amount"
    assert re.search(r"[♣♦♥♠]", said), "one's own hand is there"
    assert re.search(r"\b1 +2 +3 +4 +5\b", said), "and the numbers to type"


@pytest.mark.parametrize("room", ROOMS)
def test_what_was_put_in_stands_in_a_column_and_beside_it_who_has_folded(room: Room) -> None:
    game = before_the_draw()
    while game.view().stage == "draw":
        game.given(Discard(game.to_act or 0, ())).ready()
    lines = WORDS.draw(game.view(EVERYONE), room)
    assert len(rows(plain(lines))) == 10
    assert in_columns(rows(plain(lines)), r"[+-][\d,]+")


def test_who_has_no_chips_is_offered_amounts_to_buy_and_seen_without_chips() -> None:
    game = before_the_draw()
    while game.view().stage == "draw":
        game.given(Discard(game.to_act or 0, ())).ready()
    view = game.view()
    assert view.stage == "between rounds"
    broke = [one for one in view.seats if one.stack == 0]
    assert broke
    for one in view.seats:
        needs = WORDS.needs_between(view, one.seat)
        if one not in broke:
            assert needs is None
            continue
        assert needs is not None
        why, ways = needs
        assert why == f"{one.name} has no chips"
        assert [way.typed for way in ways] == ["buy 9000000", "buy 4500000", "buy 2250000"]
        assert [WORDS.read_between(way.typed, view, one.seat) for way in ways] == [
            BuyChips(one.seat, amount) for amount in (9_000_000, 4_500_000, 2_250_000)
        ]
    seats = rows(plain(WORDS.draw(view, ROOMS[0])))
    assert sum("no chips" in line for line in seats) == len(broke)
