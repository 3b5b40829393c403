"""Rake: a share of each pot, rounded, capped by the number of players, main pot first, none without a draw.

PokerStars, "Rake": a percentage with a cap by the number of players dealt in, no flop (here: no draw), no drop, and the
uncalled part of a bet is not raked.
"""

from typing import Any

import pytest

from pokersvc.core.event import Event
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Fold, Raise
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.rules import DrawPokerRules, Rake

from ..card_rooms.rooms import drawn, house, on
from .scenario import Scenario, happened
from .tables import books_of, called, sitting, table

WORDS = DrawPokerWords()


def raked(name: str = "no-limit", **rake: Any) -> DrawPokerRules:
    return house(name).model_copy(update={"rake": Rake(**{"share": 500, **rake})})


def to_the_end(game: Scenario) -> list[Event]:
    """Let all check and stand pat to the end of the round; return the rake and the awards."""
    return happened(called(game).log, events.RakeTaken, events.PotAwarded)


def test_the_house_takes_its_rake_of_a_called_pot_before_it_is_awarded() -> None:
    game = sitting(table(100, 100), raked()).ready().given(Raise(1, 30), Call(2))
    rake, award = to_the_end(game)
    assert rake == events.RakeTaken(3, 1)
    assert isinstance(award, events.PotAwarded)
    assert sum(share.amount for share in award.shares) == 57
    assert sum(game.stacks) == 197
    assert WORDS.tell(rake, game.state) == "The house takes 3 of the pot"


def test_without_a_table_of_its_own_a_house_may_take_rake_too() -> None:
    setup_rules = raked("fixed-limit")
    started = DRAW_POKER.options({"rules": setup_rules})
    assert started["rules"].rake == Rake(share=500)


def test_no_draw_no_rake() -> None:
    game = sitting(table(100, 100), raked()).ready().given(Raise(1, 50), Fold(2))
    assert not happened(to_the_end(game), events.RakeTaken)


def test_a_house_may_take_rake_without_a_draw() -> None:
    game = sitting(table(100, 100), raked(no_draw_no_rake=False, share=5000)).ready().given(Raise(1, 50), Fold(2))
    assert to_the_end(game)[0] == events.RakeTaken(2, 1), "of the 4 that were called, not of the 48 that were returned"


def test_a_bet_after_the_draw_that_nobody_calls_is_not_raked() -> None:
    game = sitting(table(100, 100), raked(share=1000)).ready()
    drawn(on(game.given(Raise(1, 10), Call(2))))
    game.given(Bet(2, 50), Fold(1))
    assert to_the_end(game)[0] == events.RakeTaken(2, 1)


def test_the_main_pot_pays_first() -> None:
    rules = raked(share=1000)
    game = sitting(table(100, 100, 10), rules).ready()
    game.given(Raise(1, 100), Call(2), Call(3))
    rake, *awards = to_the_end(game)
    assert rake == events.RakeTaken(21, 1)
    won = [award for award in awards if isinstance(award, events.PotAwarded)]
    amounts = {award.pot: sum(share.amount for share in award.shares) for award in won}
    assert amounts == {1: 9, 2: 180}


def test_what_the_main_pot_cannot_pay_the_side_pot_does() -> None:
    game = sitting(table(100, 100, 3), raked(share=1000)).ready()
    game.given(Raise(1, 100), Call(2), Call(3))
    done = to_the_end(game)
    assert done[:2] == [events.RakeTaken(9, 1), events.RakeTaken(11, 2)]
    books_of(game)


def test_the_cap_counts_who_was_dealt_in() -> None:
    game = sitting(table(100, 100, 100), raked(caps=(1, 2), share=1000)).ready()
    game.given(Raise(1, 30), Call(2), Fold(3))
    assert to_the_end(game)[0] == events.RakeTaken(2, 1)


def test_rake_is_in_an_account_of_its_own() -> None:
    game = sitting(table(100, 100), raked(share=1000)).ready().given(Raise(1, 30), Call(2))
    to_the_end(game)
    books = books_of(game)
    page = books.ledger_page()
    assert page is not None
    assert ("rake", (None, None, None, 6, 6)) in page.rows
    assert page.rows[-1] == ("total", (60, 0, 60, 60, 0))
    assert books.accounts.raked == 6


def test_stated_rake_is_taken_as_it_is() -> None:
    game = sitting(table(100, 100, rake=(4,)), house("no-limit")).ready().given(Raise(1, 30), Fold(2))
    assert to_the_end(game)[0] == events.RakeTaken(4, 1)


def test_stated_rake_of_nothing_is_none() -> None:
    game = sitting(table(100, 100, rake=(0,)), raked()).ready().given(Raise(1, 30), Call(2))
    assert not happened(to_the_end(game), events.RakeTaken)


def test_the_books_find_a_rake_that_is_more_than_the_pot() -> None:
    game = sitting(table(100, 100), raked())
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    books = DrawPokerBooks(started)
    assert [str(wrong.found) for wrong in books.post(events.RakeTaken(1, 1))] == ["rake of 1"]


@pytest.mark.parametrize(
    ("given", "share", "caps"),
    [
        ({"rake": "5%"}, 500, ()),
        ({"rake": "2.5"}, 250, ()),
        ({"rake": "5 %", "rake_cap": "3"}, 500, (3,)),
        ({"rake": "5%", "rake_cap": "1, 2,3"}, 500, (1, 2, 3)),
    ],
)
def test_rake_as_an_option(given: dict[str, Any], share: int, caps: tuple[int, ...]) -> None:
    rules = DRAW_POKER.options({"rules": "no-limit", **given})["rules"]
    assert rules.rake == Rake(caps=caps, share=share)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rake": "five"}, "The rake 'five' is not a percentage"),
        ({"rake": "101%"}, "The rake '101%' is not a percentage"),
        ({"rake": "nan"}, "The rake 'nan' is not a percentage"),
        ({"rake": "0.001"}, "The rake '0.001' has too many decimals: it has at most two"),
        ({"rake": "5", "rake_cap": "1,x"}, "The rake cap '1,x' is not a number of chips"),
        ({"rake_cap": "3"}, "A rake cap needs a rake, such as 5%."),
    ],
)
def test_a_wrong_rake_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        DRAW_POKER.options({"rules": "no-limit", **given})
    assert str(refused.value).startswith(said)
