"""Tables on which seats differ: unequal stacks, numbers with gaps, the button at any place, hands that are counted."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from pokersvc.core.event import EVERYONE
from pokersvc.core.state import Outcome
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Fold, Raise
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency, InvalidTable, Post
from pokersvc.games.draw_poker.versions import GameStarted1

from .scenario import seated
from .tables import setup_at, sitting, table

WORDS = DrawPokerWords()
USD = Currency(code="USD", exponent=2)


def test_each_seat_begins_with_its_own_stack() -> None:
    game = sitting(table(350, 80, 200))
    assert game.stacks == (350, 80, 200)
    assert "seat 1 $350, seat 2 $80, seat 3 $200" in WORDS.tell(game.log[0], game.state)


def test_what_a_short_stack_cannot_call_is_returned() -> None:
    game = sitting(table(350, 80)).ready().given(Raise(1, 350), Call(2))
    assert game.dealer() == events.UncalledBetReturned(270, 1)


def test_gains_are_counted_from_the_stacks_that_the_game_began_with() -> None:
    started = DRAW_POKER.start(setup_at(table(350, 80)))
    assert DRAW_POKER.gains(started, Outcome.by_score((349, 81))) == (-1, 1)


def test_the_books_begin_with_unequal_stacks_too() -> None:
    game = sitting(table(350, 80)).ready().given(Fold(1))
    game.deal_on()
    started, *happened = game.log
    assert isinstance(started, events.GameStarted)
    books = DrawPokerBooks(started)
    assert [wrong for event in happened for wrong in books.post(event)] == []
    assert list(books.compare(game.state)) == []


def test_without_a_table_a_game_is_what_it_was() -> None:
    game = seated(3)
    assert game.state.table is None
    assert [seat.number for seat in game.view().seats] == [1, 2, 3]
    assert game.view().hand == 0


@pytest.mark.parametrize(
    ("button", "small", "big"),
    [(2, 2, 3), (4, 2, 3), (5, 3, 1), (7, 1, 2), (9, 1, 2), (0, 1, 2)],
    ids=["of seat 1", "empty before seat 2", "of seat 2", "of seat 3", "empty after all", "empty before all"],
)
def test_the_button_may_be_at_any_place(button: int, small: int, big: int) -> None:
    game = sitting(table(100, 100, 100, button=button, numbers=(2, 5, 7))).ready()
    assert [(event.blind, event.seat) for event in game.log if isinstance(event, events.BlindPosted)] == [
        ("small", small),
        ("big", big),
    ]
    assert game.view().button_at == button


def test_an_empty_place_with_the_button_is_said() -> None:
    game = sitting(table(100, 100, 100, button=4, numbers=(2, 5, 7)))
    started = game.dealer()
    assert started is not None
    game.given(started)
    assert WORDS.tell(started, game.state) == "Round 1 starts, the button is at seat 4, where nobody sits"


def test_numbers_of_seats_and_hands_are_shown() -> None:
    game = sitting(table(100, 100, 100, button=0, hand=50_000_000_123, numbers=(0, 5, 7)))
    assert [seat.number for seat in game.view().seats] == [0, 5, 7]
    game.ready()
    assert game.view().hand == 50_000_000_123
    _, first, *_ = WORDS.show(game.view(EVERYONE))
    assert first.startswith("  0 Ann (D)")
    game.given(Fold(1), Fold(2))
    game.deal_on()
    second = game.dealer()
    assert second is not None
    game.given(second)
    assert game.view().hand == 50_000_000_124


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"numbers": (1, 2)}, "numbers = (1, 2); it must be 3 of them, one for each seat"),
        ({"numbers": (1, 3, 2)}, "numbers = (1, 3, 2); it must be ascending, and all different"),
        ({"numbers": (1, 2, 2)}, "ascending, and all different"),
        ({"stacks": (9, 9)}, "stacks = (9, 9); it must be 3 of them, one for each seat"),
        ({"stacks": (9, 0, 0)}, "above 0 for at least two seats that do not sit out"),
        ({"stacks": (999_999_999, 9, 9)}, "at most 1,000,000,000 chips in all"),
        ({"out": (2, 3)}, "above 0 for at least two seats that do not sit out"),
        ({"out": (4,)}, "out = (4,); it must be seats from 1 to 3, ascending"),
        ({"out": (2, 1)}, "seats from 1 to 3, ascending"),
        ({"out": (1,), "posts": (Post(amount=1, kind="small", seat=1),)}, "it must be of seats that play, 2, 3"),
        ({"posts": (Post(amount=1, kind="big", seat=1),) * 2}, "it must be at most one of a kind for each seat"),
    ],
)
def test_a_table_that_nobody_can_play_at_is_refused(wrong: dict[str, Any], said: str) -> None:
    at = CashTable(**{"numbers": (1, 2, 3), "stacks": (9, 9, 9), **wrong})
    setup = setup_at(table(9, 9, 9))
    with pytest.raises(InvalidTable) as refused:
        DRAW_POKER.start(type(setup)(setup.seats, setup.source, None, {**(setup.options or {}), "table": at}))
    assert said in str(refused.value)


def test_a_stored_table_that_lacks_stacks_is_read_and_found() -> None:
    started = DRAW_POKER.start(setup_at(table(9, 9, 9)))
    forged = type(started)(
        **{name: getattr(started, name) for name in type(started).__dataclass_fields__}
        | {"table": CashTable(numbers=(1, 2, 3), stacks=(9, 9))}
    )
    assert DRAW_POKER.new(forged).stacks == [0, 9, 9, 0]
    assert [str(found.found) for found in DRAW_POKER.contradictions(forged)] == [
        "a table that nobody can play at, by its stacks"
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"numbers": [1, 2], "stacks": [9, "9"]}, "The table has a wrong stacks.1: "),
        ({"numbers": [1, 2], "stack": [9, 9]}, "The table has a wrong stacks: "),
        ("Ann=350", "The table has a wrong the table: "),
        ({1, 2}, "A table is a mapping of its fields, not set."),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(given: object, said: str) -> None:
    with pytest.raises(InvalidTable) as refused:
        DRAW_POKER.options({"table": given})
    assert str(refused.value).startswith(said)


def test_a_table_may_be_given_as_a_mapping() -> None:
    options = DRAW_POKER.options({"rules": "no-limit", "table": {"numbers": [1, 2], "stacks": [9, 7]}})
    assert options["table"] == CashTable(numbers=(1, 2), stacks=(9, 7))


def test_a_start_of_every_version_is_read_as_that_of_today() -> None:
    started = seated(2).log[0]
    stored = DRAW_POKER.codec.encode(started)
    assert (stored.type, stored.version) == ("GameStarted", 7)
    assert DRAW_POKER.codec.decode(*stored) == started
    payload = json.loads(stored.payload)
    for gained in ("cash", "changeable", "entry", "levels", "people"):
        del payload[gained]
    fixed = json.dumps(payload, separators=(",", ":"))
    assert DRAW_POKER.codec.decode("GameStarted", 5, fixed, stored.secret) == started
    assert DRAW_POKER.codec.is_canonical("GameStarted", 5, fixed, stored.secret)
    del payload["rules"]["betting"]["uncapped"]
    as_before = json.dumps(payload, separators=(",", ":"))
    assert DRAW_POKER.codec.decode("GameStarted", 4, as_before, stored.secret) == started
    assert DRAW_POKER.codec.is_canonical("GameStarted", 4, as_before, stored.secret)
    del payload["table"]
    for gained in ("draw", "muck_all_in", "rake", "reshuffle", "shows_first"):
        del payload["rules"][gained]
    older = json.dumps(payload, separators=(",", ":"))
    assert DRAW_POKER.codec.decode("GameStarted", 2, older, stored.secret) == started
    assert DRAW_POKER.codec.is_canonical("GameStarted", 2, older, stored.secret)
    assert GameStarted1 in DRAW_POKER.upcasters


def test_an_amount_is_said_in_its_currency() -> None:
    game = sitting(table(3_500, 805, currency=USD))
    assert "seat 1 $35.00, seat 2 $8.05" in WORDS.tell(game.log[0], game.state)
    with pytest.raises(ValidationError):
        Currency(code="USD", exponent=-1)
