"""The books of the Poker Market: every dealt card in one hand, every point with one seat, moved by the events alone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pokersvc.cards import Card
from pokersvc.core.books import LedgerPage, Mismatch
from pokersvc.core.event import Event
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.market import Market
from pokersvc.text import counted

NOTHING: Final[tuple[Mismatch, ...]] = ()
COLUMNS: Final = ("swaps", "points", "in all")


class PokerMarketBooks:
    """The holder of each card, and the points of each seat, with an unused place 0."""

    def __init__(self, started: events.GameStarted) -> None:
        self.names = ("", *(seat.name for seat in started.seats))
        self.holder: dict[Card, int] = {}
        self.points = [0] * len(self.names)
        self.swaps = [0] * len(self.names)
        """The number of swaps in this market in which each seat took part."""
        self.forgone: set[int] = set()
        """The seats that are out of this market and score nothing in it."""
        self.proposed: events.SwapProposed | None = None
        self.done: LedgerPage | None = None

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Enter an event in the books; return the mismatches between the event and the books."""
        posting = _POST.get(event.__class__)
        return NOTHING if posting is None else posting(self, event)

    def compare(self, state: Market) -> Iterable[Mismatch]:
        """Yield a mismatch if points or hands of the state differ from those of the books."""
        if state.points != self.points:
            yield Mismatch(f"points {state.points[1:]}", f"{self.points[1:]}")
        held = {card: seat for seat, hand in enumerate(state.hands) for card in hand}
        if held != self.holder:
            wrong = min(card for card in {*held, *self.holder} if held.get(card) != self.holder.get(card))
            yield Mismatch(f"{wrong} {self._with(held.get(wrong))}", self._with(self.holder.get(wrong)))

    def _with(self, seat: int | None) -> str:
        return "with nobody" if seat is None else f"with {self.names[seat]}"

    def ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the market that has just been ranked, once; None at any other time."""
        done, self.done = self.done, None
        return done

    def open_ledger_page(self) -> LedgerPage | None:
        """Return None: a market has a page only once it is ranked."""
        return None

    def _shuffled(self, event: events.DeckShuffled) -> Iterable[Mismatch]:
        self.holder = {}
        return NOTHING

    def _dealt(self, event: events.HandsDealt) -> Iterable[Mismatch]:
        self.holder = {}
        self.swaps = [0] * len(self.names)
        self.forgone = set()
        for hand in event.hands:
            for card in hand.cards:
                if card in self.holder:
                    yield Mismatch(f"{card} dealt twice", "every card once")
                self.holder[card] = hand.seat

    def _proposed(self, event: events.SwapProposed) -> Iterable[Mismatch]:
        self.proposed = event
        return NOTHING

    def _accepted(self, event: events.SwapAccepted) -> Iterable[Mismatch]:
        swap = self.proposed
        if swap is None:
            return (Mismatch("an accepted swap", "a proposal before it"),)
        self.proposed = None
        moves = ((swap.gives, swap.seat, swap.partner), (swap.gets, swap.partner, swap.seat))
        wrong = [
            Mismatch(f"{card} given away by {self.names[giver]}", f"a card that {self.names[giver]} holds")
            for card, giver, _ in moves
            if self.holder.get(card) != giver
        ]
        for card, _, taker in moves:
            self.holder[card] = taker
        self.swaps[swap.seat] += 1
        self.swaps[swap.partner] += 1
        return wrong

    def _refused(self, event: Event) -> Iterable[Mismatch]:
        self.proposed = None
        return NOTHING

    def _forwent(self, event: events.RoundForgone) -> Iterable[Mismatch]:
        self.forgone.add(event.seat)
        if self.proposed is not None and event.seat in (self.proposed.seat, self.proposed.partner):
            self.proposed = None
        return NOTHING

    def _ranked(self, event: events.HandsRanked) -> Iterable[Mismatch]:
        ranked = [seat for seat in range(1, len(self.names)) if seat not in self.forgone]
        won = [0] * len(self.names)
        for hand in event.hands:
            won[hand.seat] += hand.points
            self.points[hand.seat] += hand.points
            if any(self.holder.get(card) != hand.seat for card in hand.cards):
                yield Mismatch(f"a hand of {self.names[hand.seat]} that is ranked", "the one held")
        if sorted([won[seat] for seat in ranked]) != list(range(1, len(ranked) + 1)):
            yield Mismatch(f"points {won[1:]}", f"each of 1 to {len(ranked)} once")
        for seat in sorted(self.forgone):
            if won[seat]:
                yield Mismatch(
                    f"{counted(won[seat], 'point')} for {self.names[seat]}", "none, as it is out of this market"
                )
        rows = [
            (self.names[seat], (self.swaps[seat], won[seat], self.points[seat])) for seat in range(1, len(self.names))
        ]
        total = (sum(self.swaps), sum(won), sum(self.points))
        self.done = LedgerPage(f"Market {event.market}", COLUMNS, (*rows, ("total", total)))

    def _ended(self, event: events.GameEnded) -> Iterable[Mismatch]:
        if list(event.scores) != self.points[1:]:
            yield Mismatch(f"final scores {list(event.scores)}", f"{self.points[1:]}")


_POST: Final[Mapping[type[Event], Callable[[PokerMarketBooks, Any], Iterable[Mismatch]]]] = {
    events.DeckShuffled: PokerMarketBooks._shuffled,
    events.HandsDealt: PokerMarketBooks._dealt,
    events.SwapProposed: PokerMarketBooks._proposed,
    events.SwapAccepted: PokerMarketBooks._accepted,
    events.SwapDeclined: PokerMarketBooks._refused,
    events.Forfeited: PokerMarketBooks._refused,
    events.RoundForgone: PokerMarketBooks._forwent,
    events.HandsRanked: PokerMarketBooks._ranked,
    events.GameEnded: PokerMarketBooks._ended,
}
