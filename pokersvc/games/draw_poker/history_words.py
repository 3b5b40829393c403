"""The history of draw poker in words.

Apart from the game's other words, so that a list of games needs no game.
"""

from typing import Final

from pokersvc.cards.card import Card
from pokersvc.cards.phrases import say_hand
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Facts, Outcome
from pokersvc.core.words import HistoryWords
from pokersvc.text import cells, listed, padded

HIDDEN: Final = "[hidden]"
NOT_KNOWN: Final = "[unknown]"
"""A hand of which nobody recorded a card."""


class DrawPokerHistoryWords(HistoryWords):
    """See `pokersvc.core.words.HistoryWords`."""

    def title(self, facts: Facts) -> str:
        """Return the game and the house."""
        return f"Five-card draw, {facts['house']}"

    def line(self, entry: Entry) -> str:
        """Return a round in one line: who won how much, and what was carried over."""
        won = [hand for hand in entry.facts["hands"] if hand["won"]]
        amounts = {hand["won"] for hand in won}
        if not won:
            said = "nobody won"
        elif len(amounts) == 1:
            each = " each" if len(won) > 1 else ""
            said = f"{listed([hand['name'] for hand in won])} won {amounts.pop()}{each}"
        else:
            said = listed([f"{hand['name']} won {hand['won']}" for hand in won])
        carried = entry.facts["carried"]
        return f"Round {entry.number} -- {said}" + (f", {carried} carried" if carried else "")

    def details(self, entry: Entry) -> list[str]:
        """Return the hands of a round, one per line, `[hidden]` for one that was never shown."""
        lines = []
        for hand in entry.facts["hands"]:
            cards = HIDDEN if hand["cards"] is None else say_hand(map(Card, hand["cards"]))
            won = f" won {hand['won']}" if hand["won"] else ""
            forgone = ", folded as its share of the shuffle was missed" if hand.get("forgone") else ""
            lines.append(f"{hand['name']} {cards}{won}{forgone}")
        return lines

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, with the balance; in a cash game, where scores are what was won or lost, with that."""
        names = [seats[seat - 1].name for seat in outcome.winners]
        balance = outcome.scores[outcome.winners[0] - 1]
        if min(outcome.scores) < 0:
            each = " each" if len(names) > 1 else ""
            return f"{listed(names)} won {_dollars(balance)}{each}"
        if len(names) == 1:
            return f"{names[0]} wins with ${balance:,}"
        return f"{listed(names)} win with ${balance:,} each"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the balances, one line per seat."""
        width = max(cells(seat.name) for seat in seats)
        return [f"{padded(seat.name, width)}  {_dollars(score)}" for seat, score in zip(seats, scores, strict=True)]


def _dollars(amount: int) -> str:
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


HISTORY_WORDS: Final = DrawPokerHistoryWords()
