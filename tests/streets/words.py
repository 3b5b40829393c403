"""Poker in words: its output for people, and the parsing of their input."""

from collections.abc import Mapping
from typing import Any

from pokersvc.betting.choices import Choices
from pokersvc.core.actions import Action
from pokersvc.core.common_events import Forfeited
from pokersvc.core.event import Event
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.streets.state import Cards
from pokersvc.text import does

from . import events
from .state import PokerState, PokerView


def said(cards: Cards | None) -> str:
    """Return cards in a row."""
    return " ".join("??" if card is None else str(card) for card in cards or ())


class PokerWords(Words[events.GameStarted, PokerState, PokerView, Choices]):
    """The words of a game of streets."""

    def title(self, facts: Mapping[str, Any]) -> str:
        return "Poker"

    def tell(self, event: Event, state: PokerState) -> str:
        name = state.names[getattr(event, "seat", 0)]
        match event:
            case events.GameStarted():
                return f"Poker: {', '.join(seat.name for seat in event.seats)}"
            case events.RoundStarted():
                return f"Round {event.round} starts"
            case events.DeckShuffled():
                return "The deck is shuffled"
            case events.CardsDealt():
                return f"{does(name, 'is')} dealt {event.count} cards {said(event.cards)}".rstrip()
            case events.UpCardsDealt():
                return f"{does(name, 'is')} dealt {said(event.cards)} face up"
            case events.BoardDealt():
                return f"The board is dealt {said(event.cards)}"
            case events.Checked():
                return f"{does(name, 'checks')}"
            case events.Raised():
                return f"{does(name, 'raises')} to {event.to}"
            case events.AntePosted() | events.BlindPosted() | events.BetMade() | events.Called():
                return f"{does(name, 'puts')} in {event.amount}"
            case events.Folded() | Forfeited():
                return f"{does(name, 'folds')}"
            case events.UncalledBetReturned():
                return f"{does(name, 'takes')} back {event.amount}"
            case events.HandShown():
                return f"{does(name, 'shows')} {said(event.cards)}"
            case events.HandMucked():
                return f"{does(name, 'mucks')}"
            case events.PotAwarded():
                return ", ".join(f"{does(state.names[share.seat], 'wins')} {share.amount}" for share in event.shares)
            case events.RoundEnded():
                return f"Round {event.round} is over"
        return "The game is over"

    def show(self, view: PokerView) -> list[str]:
        table = zip(view.seats, view.stacks, view.put, view.hands, strict=True)
        return [
            f"Round {view.round}, street {view.street}: pot {view.pot}, board {said(view.board)}",
            *[f"  {seat.name}: {stack}, {put} in, {said(hand)}" for seat, stack, put, hand in table],
        ]

    def ask(self, view: PokerView, legal: Choices) -> str:
        return legal.in_words()

    def explain(self, text: str, view: PokerView, legal: Choices) -> list[str] | None:
        return None

    def read(self, text: str, view: PokerView, legal: Choices) -> Action:
        assert view.to_act is not None
        word, _, amount = text.strip().lower().partition(" ")
        if word in _PLAIN and not amount:
            return _PLAIN[word](view.to_act)
        if word in _TO and amount.isdecimal() and len(amount) < 10:
            return _TO[word](view.to_act, int(amount))
        raise InvalidAnswer(f"{not_understood(text)} You can: {legal.in_words()}.")

    def line(self, entry: Entry) -> str:
        won = [f"{name} won {amount}" for name, amount in entry.facts["won"].items()]
        return f"Round {entry.number} -- {', '.join(won)}"

    def details(self, entry: Entry) -> list[str]:
        return [f"The board was {' '.join(entry.facts['board'])}"] if entry.facts["board"] else []

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        return f"Most chips: {' and '.join(seats[seat - 1].name for seat in outcome.winners)}"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        return [f"{does(seat.name, 'has')} {score}" for seat, score in zip(seats, scores, strict=True)]


_PLAIN = {"check": events.Check, "call": events.Call, "fold": events.Fold}
_TO = {"bet": events.Bet, "raise": events.Raise}
