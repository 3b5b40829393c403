"""A viewer's view of the Poker Market, an immutable value: everything but the deck's seed and hidden kinds."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.record import Seen
from pokersvc.core.seats import kind_seen
from pokersvc.core.state import Entry
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.events import FiveCards
from pokersvc.games.poker_market.market import Bargain, Hands, Market
from pokersvc.games.poker_market.phases import ANSWER, OVER, TURN, Phase
from pokersvc.games.poker_market.rules import PokerMarketRules

Stage = Literal["between markets", "turn", "answer", "over"]

_STAGES: Final[dict[Phase, Stage]] = {TURN: "turn", ANSWER: "answer", OVER: "over"}


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer sees it."""

    cards: tuple[()] | FiveCards
    """The hand; empty before the first deal."""
    kind: str | None
    """The kind of the player; None if kinds are hidden."""
    name: str
    points: int
    """The points scored in the markets that are over."""
    seat: int


@dataclass(frozen=True, slots=True)
class PokerMarketView:
    """The table, the same for every viewer."""

    bargains: Seen[Bargain]
    """The answered proposals of the rounds in ``record``, each with the hands at the time."""
    best_first: tuple[int, ...]
    """The seats that are in the market, from the best hand to the worst; empty before the first deal."""
    market: int
    order: tuple[int, ...]
    """The seats in the order of their turns in this market, without those that are out of it: see `RoundForgone`."""
    proposal: Propose | None
    """The proposal that waits for an answer."""
    record: Seen[Event]
    """The events of this round and of the rounds before it, including those of earlier markets."""
    round: int
    """The number of the round in the whole game."""
    round_in_market: int
    rules: PokerMarketRules
    seats: tuple[SeatView, ...]
    stage: Stage
    to_act: int | None
    turn: int
    """The number of seats in ``order`` that have had their turn in this round; an answer is not a turn."""
    viewer: Viewer

    def seat(self, number: int) -> SeatView:
        """Return a seat, from 1."""
        return self.seats[number - 1]

    @property
    def hands(self) -> Hands:
        """The hands of all seats, from seat 1."""
        return tuple([seat.cards for seat in self.seats if seat.cards])


def view_of(market: Market, viewer: Viewer) -> PokerMarketView:
    """Return the view of a market for a viewer."""
    hands: Any = market.hands or [()] * len(market.points)
    hidden = market.hidden_kinds and market.ended is None
    return PokerMarketView(
        bargains=Seen(market.bargains, AUDITOR),
        best_first=tuple(market.best_first()) if market.hands else (),
        market=market.number,
        order=market.order,
        proposal=market.proposal,
        record=Seen(market.record, viewer),
        round=market.round,
        round_in_market=market.round_in_market,
        rules=market.rules,
        seats=tuple(
            [
                SeatView(
                    hands[seat],
                    kind_seen(who, seat, viewer, hidden=True) if hidden else who.kind,
                    who.name,
                    market.points[seat],
                    seat,
                )
                for seat, who in enumerate(market.seats, 1)
            ]
        ),
        stage=_STAGES.get(market.phase, "between markets"),
        to_act=market.actor or None,
        turn=market.turn,
        viewer=viewer,
    )


def entry_of(market: Market) -> Entry:
    """Return the round just ended as a line of history: the swaps, the hands, and after the last round the ranking."""
    round_, swaps = market.done
    ranking = None
    if market.ranked is not None:
        ranking = [
            {
                "cards": _written(hand.cards),
                "name": market.names[hand.seat],
                "points": hand.points,
                "seat": hand.seat,
                "total": market.points[hand.seat],
            }
            for hand in market.ranked.hands
        ]
    return Entry(
        round_,
        {
            "hands": [_hand_of(market, seat) for seat in range(1, len(market.hands))],
            "market": market.number,
            "markets": market.rules.markets,
            "ranking": ranking,
            "swaps": [
                {
                    "gets": swap.gets.notation,
                    "gives": swap.gives.notation,
                    "name": market.names[swap.seat],
                    "partner": swap.partner,
                    "partner_name": market.names[swap.partner],
                    "seat": swap.seat,
                }
                for swap in swaps
            ],
        },
    )


def _hand_of(market: Market, seat: int) -> dict[str, object]:
    """Return a hand for the history; the field ``forgone`` is there only if the seat is out of the market."""
    hand = {"cards": _written(market.hands[seat]), "name": market.names[seat], "seat": seat}
    return hand if seat in market.order else {**hand, "forgone": True}


def _written(cards: FiveCards) -> list[str]:
    return [card.notation for card in cards]
