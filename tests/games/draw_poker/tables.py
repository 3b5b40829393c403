"""Games at tables with stacks, seat numbers and currency of their own, built with `scenario`."""

from typing import Any

from pokersvc.core.actions import CloseGame
from pokersvc.core.books import LedgerPage
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Check, Discard
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..card_rooms.rooms import house
from .scenario import Scenario

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")


def table(*stacks: int, **fields: Any) -> CashTable:
    """Return a table with these stacks, at the places 1, 2, 3 … by default."""
    return CashTable(**{"numbers": tuple(range(1, len(stacks) + 1)), "stacks": stacks, **fields})


def setup_at(at: CashTable, rules: DrawPokerRules | None = None, *, people: bool = True) -> Setup:
    """Return the setup of a game at a table, with people at all seats."""
    kind = HUMAN if people else "random"
    seats = tuple(Seat(kind, name) for name in NAMES[: len(at.stacks)])
    options = {"rules": rules or house("no-limit"), "table": at}
    return Setup(seats, EntropySource.from_text("a table"), None, options)


def sitting(at: CashTable, rules: DrawPokerRules | None = None) -> Scenario:
    """A game at a table before its first round."""
    return Scenario(DRAW_POKER.start(setup_at(at, rules)))


def called(game: Scenario) -> Scenario:
    """Let the dealer act, and all seats call, check and stand pat, to the end of the round."""
    while not isinstance(game.log[-1], events.RoundEnded):
        game.deal_on()
        if (seat := game.to_act) is None:
            continue
        if game.legal.discard is not None:
            game.given(Discard(seat, ()))
        else:
            game.given(Call(seat) if game.legal.call else Check(seat))
    return game


def books_of(game: Scenario) -> DrawPokerBooks:
    """Return the books of a game, in which nothing was wrong."""
    started, *happened = game.log
    assert isinstance(started, events.GameStarted)
    books = DrawPokerBooks(started)
    assert [wrong for event in happened for wrong in books.post(event)] == []
    assert list(books.compare(game.state)) == []
    return books


def ledger_at_end(game: Scenario) -> LedgerPage:
    """Close a game between two rounds, and return the page of its ledger; nothing in its books is wrong."""
    game.given(game.event_of(CloseGame()))
    game.deal_on()
    page = books_of(game).ledger_page()
    assert page is not None
    return page
