"""What each event changes: the only place where a game of the Poker Market moves on."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pokersvc.cards import Card
from pokersvc.core.event import Event
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.events import FiveCards
from pokersvc.games.poker_market.phases import Phase
from pokersvc.games.poker_market.table import Answer, Bargain, Table, order_of


def _deck_shuffled(table: Table, event: events.DeckShuffled) -> None:
    table.market, table.seed = event.market, event.seed
    table.order = order_of(event.market, len(table.seats))
    table.hands = []  # the old ones go back into the deck
    table.ranked = None
    table.phase = Phase.DEAL


def _hands_dealt(table: Table, event: events.HandsDealt) -> None:
    hands: list[Any] = [()] * (len(table.seats) + 1)
    for dealt in event.hands:
        hands[dealt.seat] = dealt.cards
    table.hands = hands
    _start_round(table, table.round + 1)


def _start_round(table: Table, round_: int) -> None:
    table.round, table.turn, table.swaps = round_, 0, []
    table.phase, table.actor = Phase.TURN, table.order[0]


def _proposed(table: Table, event: events.SwapProposed) -> None:
    table.proposal = Propose(event.seat, event.gives, event.partner, event.gets)
    table.phase, table.actor = Phase.ANSWER, event.partner


def _accepted(table: Table, event: events.SwapAccepted) -> None:
    swap = table.proposal
    assert swap is not None
    _note(table, "accepted")
    table.hands[swap.seat] = _with(table.hands[swap.seat], swap.gives, swap.gets)
    table.hands[swap.partner] = _with(table.hands[swap.partner], swap.gets, swap.gives)
    table.swaps.append(swap)
    _end_turn(table)


def _with(hand: FiveCards, out: Card, in_: Card) -> FiveCards:
    """Return a hand with one card in the place of another."""
    a, b, c, d, e = [in_ if card is out else card for card in hand]
    return (a, b, c, d, e)


def _declined(table: Table, event: events.SwapDeclined) -> None:
    _note(table, "declined")
    _end_turn(table)


def _passed(table: Table, event: events.TurnPassed) -> None:
    _end_turn(table)


def _forfeited(table: Table, event: events.Forfeited) -> None:
    if table.proposal is not None:
        _note(table, "forfeited")
    _end_turn(table)


def _note(table: Table, answer: Answer) -> None:
    assert table.proposal is not None
    table.bargains.events.append(Bargain(answer, tuple(table.hands[1:]), table.order, table.proposal, table.round))


def _end_turn(table: Table) -> None:
    table.proposal = None
    table.turn += 1
    if table.turn < len(table.order):
        table.phase, table.actor = Phase.TURN, table.order[table.turn]
    else:
        table.phase, table.actor = Phase.ROUND_END, 0


def _round_ended(table: Table, event: events.RoundEnded) -> None:
    table.done = (table.round, tuple(table.swaps))
    if table.round_in_market < table.rules.rounds:
        _start_round(table, table.round + 1)
    else:
        table.phase = Phase.RANK


def _hands_ranked(table: Table, event: events.HandsRanked) -> None:
    for hand in event.hands:
        table.points[hand.seat] += hand.points
    table.ranked = event
    table.phase = Phase.SHUFFLE if table.market < table.rules.markets else Phase.GAME_END


def _game_ended(table: Table, event: events.GameEnded) -> None:
    table.ended = event
    table.phase = Phase.OVER


HANDLERS: Final[Mapping[type[Event], Callable[[Table, Any], None]]] = {
    events.DeckShuffled: _deck_shuffled,
    events.HandsDealt: _hands_dealt,
    events.SwapProposed: _proposed,
    events.SwapAccepted: _accepted,
    events.SwapDeclined: _declined,
    events.TurnPassed: _passed,
    events.Forfeited: _forfeited,
    events.RoundEnded: _round_ended,
    events.HandsRanked: _hands_ranked,
    events.GameEnded: _game_ended,
}
