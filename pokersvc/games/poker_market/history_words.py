"""The history of the market in words.

Kept apart from the game's other words, so that a list of games does not import the game.
"""

from collections.abc import Sequence
from typing import Any, Final

from pokersvc.cards.card import Card
from pokersvc.cards.hand import Hand
from pokersvc.cards.phrases import say_hand
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Facts, Outcome
from pokersvc.core.words import HistoryWords
from pokersvc.text import YOU, cells, counted, does, listed, padded


class PokerMarketHistoryWords(HistoryWords):
    """The history of the Poker Market in words; see `pokersvc.core.words.HistoryWords`."""

    best_name = "Best markets"

    def title(self, facts: Facts) -> str:
        """Return the game and its length."""
        return f"Poker Market, {market_length(facts['rounds'], facts['markets'])}"

    def places(self, started: Facts, seats: int) -> tuple[int, ...]:
        """Return the numbers of the seats, from 1."""
        return tuple(range(1, seats + 1))

    def line(self, entry: Entry) -> str:
        """Return a round: a line for each swap, or that there was none; after a market's last round, its ranking."""
        facts = entry.facts
        lines = [f"Round {entry.number} -- {swap}" for swap in swaps(facts)]
        if facts["ranking"] is not None:
            lines.append(ranking_line(facts))
        return "\n".join(lines)

    def details(self, entry: Entry) -> list[str]:
        """Return the hands after a round, one per line; after a market's last round, in the order of its ranking."""
        hands, ranking = entry.facts["hands"], entry.facts["ranking"]
        out = [hand for hand in hands if hand.get("forgone")]
        return [detail(hand) for hand in ([*ranking, *out] if ranking else hands)]

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, with the points."""
        names = [seats[seat - 1].name for seat in outcome.winners]
        points = max(outcome.scores)
        if len(names) == 1:
            return f"{does(names[0], 'wins')} with {counted(points, 'point')}"
        return f"{listed(names)} win with {counted(points, 'point')} each"

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return the points of a market if the round was its last; else nothing."""
        return sorted((hand["seat"], hand["points"]) for hand in entry.facts["ranking"] or [])

    def worth(self, entry: Entry) -> tuple[int, tuple[str, ...]] | None:
        """Return the most points of a market and who made them; None for a round that was not its last."""
        ranking = entry.facts["ranking"] or []
        most = max((hand["points"] for hand in ranking), default=0)
        return (most, tuple(hand["name"] for hand in ranking if hand["points"] == most)) if most else None

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the points, one line per seat."""
        width = max(cells(seat.name) for seat in seats)
        most = len(str(max(scores)))
        return [f"{padded(seat.name, width)}  {score:>{most}}" for seat, score in zip(seats, scores, strict=True)]


def swaps(facts: Facts) -> list[str]:
    """Return the swaps of a round, or ``no swap`` if there was none."""
    return [_swap(swap) for swap in facts["swaps"]] or ["no swap"]


def _swap(swap: dict[str, Any]) -> str:
    taker = "you" if swap["partner_name"] == YOU else swap["partner_name"]
    return f"{swap['name']} gave {taker} {Card(swap['gives'])} for {Card(swap['gets'])}"


def ranking_line(facts: Facts) -> str:
    """Return the ranking at the end of a market, in one line."""
    several = facts["markets"] > 1
    said: list[str] = []
    for hand in facts["ranking"]:
        total = f" ({hand['total']} in all)" if several else ""
        said.append(f"{hand['name']} {counted(hand['points'], 'point') if not said else hand['points']}{total}")
    what = f"Market {facts['market']}" if several else "Ranking"
    return f"{what} -- {', '.join(said)}"


def detail(hand: dict[str, Any]) -> str:
    """Return a hand's owner, cards and description; also its points if ranked, or that it is out of the market."""
    cards = [Card(card) for card in hand["cards"]]
    points = f", {counted(hand['points'], 'point')}" if "points" in hand else ""
    out = ", out of the market as its share of the shuffle was missed" if hand.get("forgone") else ""
    return f"{hand['name']} {say_hand(cards)} {Hand(cards).describe()}{points}{out}"


def described(cards: Sequence[Card]) -> str:
    """Return cards with the description of the hand that they make."""
    return f"{say_hand(cards)} {Hand(cards).describe()}"


def market_length(rounds: int, markets: int) -> str:
    """Return the number of rounds of a market, and the number of markets if there are several."""
    length = counted(rounds, "round")
    return length if markets == 1 else f"{markets} markets of {length}"


HISTORY_WORDS: Final = PokerMarketHistoryWords()
