"""The history of draw poker in words.

It is apart from the game's other words, so that a list of games imports no game.
"""

from functools import partial
from typing import Final

from pokersvc.betting.money import say_money
from pokersvc.cards.card import Card
from pokersvc.cards.phrases import say_hand
from pokersvc.cards.unknown import UNKNOWN, known_among
from pokersvc.core.seats import OPEN, Seat, taken
from pokersvc.core.state import Entry, Facts, Outcome
from pokersvc.core.words import HistoryWords, who_stayed
from pokersvc.text import cells, does, listed, padded

HIDDEN: Final = "[hidden]"
NOT_KNOWN: Final = "[unknown]"
"""The text for a hand of which no card was recorded."""


class DrawPokerHistoryWords(HistoryWords):
    """The history of draw poker in words; see `pokersvc.core.words.HistoryWords`."""

    best_name = "Biggest pots"

    def title(self, facts: Facts) -> str:
        """Return the game and the house."""
        return f"Five-card draw, {facts['house']}"

    def places(self, started: Facts, seats: int) -> tuple[int, ...]:
        """Return the numbers of the places at the table, which may have gaps at another site's table."""
        table = started.get("table")
        return tuple(table["numbers"]) if table else tuple(range(1, seats + 1))

    def line(self, entry: Entry) -> str:
        """Return a round in one line: who won how much, and the chips carried over."""
        won = [hand for hand in entry.facts["hands"] if hand["won"]]
        amounts = {_chips(entry.facts, hand["won"]) for hand in won}
        if not won:
            said = "nobody won"
        elif len(amounts) == 1:
            each = " each" if len(won) > 1 else ""
            said = f"{listed([hand['name'] for hand in won])} won {amounts.pop()}{each}"
        else:
            said = listed([f"{hand['name']} won {_chips(entry.facts, hand['won'])}" for hand in won])
        carried = entry.facts["carried"]
        return f"Round {entry.number} -- {said}" + (f", {_chips(entry.facts, carried)} carried" if carried else "")

    def details(self, entry: Entry) -> list[str]:
        """Return the hands of a round, one per line: `[hidden]` was never shown, `[unknown]` never recorded."""
        lines = []
        for hand in entry.facts["hands"]:
            cards = HIDDEN if hand["cards"] is None else _hand(hand["cards"])
            won = f" won {_chips(entry.facts, hand['won'])}" if hand["won"] else ""
            forgone = ", folded as its share of the shuffle was missed" if hand.get("forgone") else ""
            lines.append(f"{hand['name']} {cards}{won}{forgone}")
        return lines

    def worth(self, entry: Entry) -> tuple[int, tuple[str, ...]] | None:
        """Return the amount that all pots of a round paid, without the rake, and the names of its winners."""
        won = [hand for hand in entry.facts["hands"] if hand["won"]]
        return (sum(hand["won"] for hand in won), tuple(hand["name"] for hand in won)) if won else None

    def left_over(self, entry: Entry) -> int:
        """Return the chips that a round carried over."""
        carried: int = entry.facts["carried"]
        return carried

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return the winners with their balance or, in a cash game, with their gain."""
        return self.result_of({}, seats, outcome)

    def result_of(self, facts: Facts, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return the winners, in the table's currency, or the best who stayed and those who left with as much."""
        if (unit := facts.get("unit")) is not None:
            return _result_in(unit, seats, outcome)
        names = [seats[seat - 1].name for seat in outcome.winners]
        balances = [outcome.scores[seat - 1] for seat in outcome.winners]
        said = [_amount(facts, balance) for balance in balances]
        if max(outcome.scores) <= 0:
            return "nobody gained"
        if stayed := who_stayed(seats, outcome, partial(_amount, facts)):
            return stayed
        won = min(outcome.scores) < 0
        if len({*said}) > 1:
            return listed([f"{name} won {amount}" for name, amount in zip(names, said, strict=True)])
        each = " each" if len(names) > 1 else ""
        if won:
            return f"{listed(names)} won {said[0]}{each}"
        return f"{f'{listed(names)} win' if each else does(names[0], 'wins')} with {said[0]}{each}"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the balances, one line per seat."""
        return self.standings_of({}, seats, scores)

    def standings_of(self, facts: Facts, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the balances in the currency of the table, one line per seat."""
        width = max(cells(seat.name) for seat in taken(seats))
        say = _amount if facts.get("unit") is None else _net
        return [
            f"{padded(seat.name, width)}  {say(facts, score)}"
            for seat, score in zip(seats, scores, strict=True)
            if seat.kind != OPEN
        ]


def _result_in(unit: str, seats: tuple[Seat, ...], outcome: Outcome) -> str:
    """Return the winners, and their results in a unit that is not chips."""
    names = listed([seats[seat - 1].name for seat in outcome.winners])
    brought = {f"{outcome.scores[seat - 1]:+,}" for seat in outcome.winners}
    verb = "is" if len(outcome.winners) == 1 else "are"
    return f"{names} {verb} first, with {listed(sorted(brought), 'or')} {unit}"


def _net(_facts: Facts, amount: int) -> str:
    return f"{amount:+,}" if amount else "0"


def _hand(notations: list[str]) -> str:
    cards = [UNKNOWN if notation == UNKNOWN.notation else Card(notation) for notation in notations]
    return say_hand(cards) if known_among(cards) else NOT_KNOWN


def _chips(facts: Facts, amount: int) -> str:
    """Return an amount of a round: chips as a plain number, other money in its currency."""
    return say_money(amount, facts.get("currency", ""), facts.get("exponent", 0))


def _amount(facts: Facts, amount: int) -> str:
    if facts.get("currency"):
        return say_money(amount, facts["currency"], facts["exponent"])
    sign = "" if "currency" in facts else "$"  # a house's chips are shown as dollars, a site's as chips
    return f"-{sign}{-amount:,}" if amount < 0 else f"{sign}{amount:,}"


HISTORY_WORDS: Final = DrawPokerHistoryWords()
