"""The handler of each event: the only place that changes the state of a Poker Market game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pokersvc.cards import Card
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.events import FiveCards
from pokersvc.games.poker_market.market import Answer, Bargain, Market, order_of
from pokersvc.games.poker_market.phases import ANSWER, DEAL, GAME_END, OVER, RANK, ROUND_END, SHUFFLE, TURN, Phase


def _deck_shuffled(market: Market, event: events.DeckShuffled) -> None:
    if event.market != market.number + 1:
        raise ImpossibleEvent(event, f"market {market.number + 1} is next, not {event.market}")
    if market.number:
        market.record.turn()
    market.number, market.seed = event.market, event.seed
    market.order = order_of(event.market, len(market.seats))
    market.hands = []  # the old hands go back into the deck
    market.ranked = None
    market.phase = DEAL


def _in_turn(market: Market, event: Any) -> None:
    """Raise `ImpossibleEvent` for a choice of a seat whose turn it is not."""
    if event.seat != market.actor:
        raise ImpossibleEvent(event, f"seat {market.actor} is to act, not seat {event.seat}")


def _all_hands(market: Market, event: events.HandsDealt | events.HandsRanked) -> None:
    """Raise `ImpossibleEvent` unless each seat in the market has one hand and no card occurs twice."""
    count, seats = len(market.order), sorted(market.order)
    if sorted(hand.seat for hand in event.hands) != seats:
        which = f"from 1 to {count}" if count == len(market.seats) else f"in {', '.join(map(str, seats))}"
        raise ImpossibleEvent(event, f"a hand of each seat {which} is due")
    if (different := len({card for hand in event.hands for card in hand.cards})) != 5 * count:
        raise ImpossibleEvent(event, f"all cards dealt are different: {5 * count}, not {different}")


def _hands_dealt(market: Market, event: events.HandsDealt) -> None:
    _all_hands(market, event)
    hands: list[Any] = [()] * (len(market.seats) + 1)
    for dealt in event.hands:
        hands[dealt.seat] = dealt.cards
    market.hands = hands
    _start_round(market, (market.number - 1) * market.rules.rounds + 1)


def _start_round(market: Market, round_: int) -> None:
    market.round, market.turn, market.swaps = round_, 0, []
    market.phase, market.actor = TURN, market.order[0]


def _proposed(market: Market, event: events.SwapProposed) -> None:
    _in_turn(market, event)
    if event.partner > len(market.seats) or event.partner == event.seat:
        raise ImpossibleEvent(event, f"seat {event.partner} is no partner of seat {event.seat}")
    if event.partner not in market.order:
        raise ImpossibleEvent(event, f"seat {event.partner} is out of this market")
    for card, seat in ((event.gives, event.seat), (event.gets, event.partner)):
        if card not in market.hands[seat]:
            raise ImpossibleEvent(event, f"seat {seat} does not hold {card}")
    market.proposal = Propose(event.seat, event.gives, event.partner, event.gets)
    market.phase, market.actor = ANSWER, event.partner


def _accepted(market: Market, event: events.SwapAccepted) -> None:
    _in_turn(market, event)
    swap = market.proposal
    assert swap is not None
    _note(market, "accepted")
    market.hands[swap.seat] = _with(market.hands[swap.seat], swap.gives, swap.gets)
    market.hands[swap.partner] = _with(market.hands[swap.partner], swap.gets, swap.gives)
    market.swaps.append(swap)
    _end_turn(market)


def _with(hand: FiveCards, out: Card, in_: Card) -> FiveCards:
    """Return a hand with one card replaced by another."""
    a, b, c, d, e = [in_ if card is out else card for card in hand]
    return (a, b, c, d, e)


def _declined(market: Market, event: events.SwapDeclined) -> None:
    _in_turn(market, event)
    _note(market, "declined")
    _end_turn(market)


def _passed(market: Market, event: events.TurnPassed) -> None:
    _in_turn(market, event)
    _end_turn(market)


def _forfeited(market: Market, event: events.Forfeited) -> None:
    _in_turn(market, event)
    if market.proposal is not None:
        _note(market, "forfeited")
    _end_turn(market)


def _forgone(market: Market, event: events.RoundForgone) -> None:
    if event.seat not in market.order:
        raise ImpossibleEvent(event, f"seat {event.seat} is not in this market")
    asked = market.proposal
    if asked is not None and event.seat == asked.partner:
        _note(market, "forfeited")
    place = market.order.index(event.seat)
    market.order = tuple([seat for seat in market.order if seat != event.seat])
    own_turn = place == market.turn
    if place < market.turn:
        market.turn -= 1
    if len(market.order) < 2:
        market.proposal = None
        _to_ranking(market)
    elif own_turn:
        _next_turn(market)
    elif asked is not None and event.seat == asked.partner:
        _end_turn(market)


def _note(market: Market, answer: Answer) -> None:
    assert market.proposal is not None
    market.bargains.events.append(Bargain(answer, tuple(market.hands[1:]), market.order, market.proposal, market.round))


def _end_turn(market: Market) -> None:
    market.turn += 1
    _next_turn(market)


def _next_turn(market: Market) -> None:
    market.proposal = None
    if market.turn < len(market.order):
        market.phase, market.actor = TURN, market.order[market.turn]
    else:
        market.phase, market.actor = ROUND_END, 0


def _round_ended(market: Market, event: events.RoundEnded) -> None:
    market.done = (market.round, tuple(market.swaps))
    if market.round_in_market < market.rules.rounds:
        _start_round(market, market.round + 1)
    else:
        market.phase = RANK


def _hands_ranked(market: Market, event: events.HandsRanked) -> None:
    _all_hands(market, event)
    for hand in event.hands:
        market.points[hand.seat] += hand.points
    market.ranked = event
    market.phase = SHUFFLE if market.number < market.rules.markets and not market.closed else GAME_END


def _game_closed(market: Market, event: events.GameClosed) -> None:
    if market.turn:
        raise ImpossibleEvent(event, f"round {market.round} is on")
    market.closed = True
    _to_ranking(market)


def _closed_before_a_deck(market: Market, event: events.GameClosed) -> None:
    market.closed, market.phase = True, GAME_END  # there are no hands to rank


def _to_ranking(market: Market) -> None:
    """Leave the round before its end, and rank the current hands."""
    market.done = (market.round, tuple(market.swaps))
    market.phase, market.actor = RANK, 0


def _game_ended(market: Market, event: events.GameEnded) -> None:
    market.ended = event
    market.phase = OVER


HANDLERS: Final[Mapping[Phase, Mapping[type[Event], Callable[[Market, Any], None]]]] = {
    SHUFFLE: {events.DeckShuffled: _deck_shuffled, events.GameClosed: _closed_before_a_deck},
    DEAL: {events.HandsDealt: _hands_dealt},
    TURN: {
        events.SwapProposed: _proposed,
        events.TurnPassed: _passed,
        events.Forfeited: _forfeited,
        events.RoundForgone: _forgone,
        events.GameClosed: _game_closed,
    },
    ANSWER: {
        events.SwapAccepted: _accepted,
        events.SwapDeclined: _declined,
        events.Forfeited: _forfeited,
        events.RoundForgone: _forgone,
    },
    ROUND_END: {events.RoundEnded: _round_ended},
    RANK: {events.HandsRanked: _hands_ranked},
    GAME_END: {events.GameEnded: _game_ended},
    OVER: {},
}
"""For each phase, the events that it can take and the functions that apply them."""
