"""Hands dealt elsewhere, written as records for tests: the known cards and each player's actions."""

from collections.abc import Sequence
from typing import Any

from pokersvc.cards import Card
from pokersvc.cards.unknown import UNKNOWN, AnyCard, unknown
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency
from pokersvc.games.draw_poker.house.rules import Ante, Betting, Blinds, DrawPokerRules, SeatCount
from pokersvc.games.draw_poker.recorded_hands.recorded import RecordedHand, Recording
from pokersvc.games.draw_poker.recorded_hands.recorded_events import HandQuoted, PlayedAt, SeatCards

USD = Currency(code="USD", exponent=2)


def fixed_limit(small: int, big: int, bet: int, **changes: Any) -> DrawPokerRules:
    """The rules of a site's fixed limit: two blinds, and two bets of which the second is twice the first."""
    betting = Betting(
        minimum=big, final_minimum=bet, most_bets=4, opener="button", raises="fixed_limit", short="all_in"
    )
    return _site("fixed-limit", betting, Blinds(big=big, small=small), **changes)


def big_bet(small: int, big: int, raises: str = "no_limit", **changes: Any) -> DrawPokerRules:
    """The rules of a site's no-limit or pot-limit."""
    betting = Betting(minimum=big, opener="button", raises=raises, short="all_in")  # type: ignore[arg-type]
    return _site("big-bet", betting, Blinds(big=big, small=small), **changes)


def _site(name: str, betting: Betting, blinds: Blinds, **changes: Any) -> DrawPokerRules:
    said: dict[str, Any] = {
        "advice": "win", "ante": Ante(amount=0, short="post"), "betting": betting, "blinds": blinds, "discards": 5,
        "name": name, "open_hands": "in_order", "player": "steady", "remainder": "odd_chips",
        "seats": SeatCount(default=2), "stack": 10_000_000, "version": 1,
    }  # fmt: skip
    return DrawPokerRules(**{**said, **changes})


def cards(text: str) -> tuple[AnyCard, ...]:
    """Return cards of a text in which ``??`` is unknown."""
    return tuple([UNKNOWN if one == UNKNOWN.notation else Card(one) for one in text.split()])


def known(seat: int, dealt: str = "", drawn: str = "", held: str = "") -> SeatCards:
    """Return the recorded cards of a seat."""
    return SeatCards(cards(dealt) or unknown(5), cards(drawn), cards(held), seat)


def sitting(stacks: dict[int, int], button: int, **fields: Any) -> CashTable:
    """A table: the stack at each place, in order."""
    return CashTable(
        button=button, currency=USD, numbers=tuple(stacks), stacks=tuple(stacks.values()), recorded=True, **fields
    )


def told(hand: RecordedHand, actions: Sequence[Action]) -> Recording:
    """Play a recorded hand to its end."""
    recording = Recording(hand)
    for action in actions:
        for _ in recording.deal():
            pass
        recording.choose(action)
    for _ in recording.deal():
        pass
    return recording


def quote(number: str = "1", text: str = "a hand", **fields: Any) -> HandQuoted:
    """From where a hand comes."""
    played = PlayedAt(False, "2009/11/25 14:14:04 ET", "2009-11-25T19:14:04Z", "ET")
    said: dict[str, Any] = {
        "dialect": "pokerstars", "digest": "0" * 64, "findings": (), "first_line": 1, "hero": None, "lines": (),
        "number": number,
        "played": played, "site": "PokerStars", "size": 6, "table": "Table B II", "text": text, "tournament": None,
    }  # fmt: skip
    return HandQuoted(**{**said, **fields})


def of_type(events: Sequence[Event], *types: type[Event]) -> list[Event]:
    """Return the events of some types."""
    return [event for event in events if isinstance(event, types)]
