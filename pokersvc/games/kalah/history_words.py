"""The history of Kalah in words.

Kept apart from the game's other words, so that a list of games does not import the game.
"""

from typing import Final

from pokersvc.core.seats import Seat, SeatSeen
from pokersvc.core.state import Entry, Facts, Outcome
from pokersvc.core.words import HistoryWords
from pokersvc.games.kalah.board import STORED_SIDES, Side
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.text import cells, counted, does, padded


class KalahHistoryWords(HistoryWords):
    """The history of Kalah in words; see `pokersvc.core.words.HistoryWords`."""

    best_name = "Biggest captures"

    def title(self, facts: Facts) -> str:
        """Return the game with its size and rule."""
        return str(KalahRules(beans=facts["beans"], empty_capture=facts["empty_capture"], holes=facts["holes"]))

    def places(self, started: Facts, seats: int) -> tuple[int, ...]:
        """Return the numbers of the seats, from 1."""
        return tuple(range(1, seats + 1))

    def line(self, entry: Entry) -> str:
        """Return a move as one line: its hole, its capture, whether the player moves again, and what was swept."""
        facts = entry.facts
        if "closed" in facts:
            south, north = facts["pots"]
            return f"The game was closed; pots {south}-{north}"
        who = f"Move {entry.number} -- {facts['name']} ({_side(facts['side'])})"
        if "forfeit" in facts:
            return f"{who} forfeited ({facts['forfeit']})"
        said = f"{who} sowed {facts['beans']} from hole {facts['hole']}"
        if facts["captured"]:
            said += f", captured {facts['captured']}"
        if facts["again"]:
            said += ", moves again"
        if swept := facts["swept"]:
            said += f"; {_side(swept['side'])}'s last {swept['beans']} swept"
        south, north = facts["pots"]
        return f"{said}; pots {south}-{north}"

    def details(self, entry: Entry) -> list[str]:
        """Return an empty list: the line of a move has all its facts."""
        return []

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, with both scores."""
        if len(outcome.winners) > 1:
            return f"Tie, {outcome.scores[0]} to {outcome.scores[1]}"
        (winner,) = outcome.winners
        won, lost = outcome.scores[winner - 1], outcome.scores[2 - winner]
        return f"{who_does(seats, winner, 'wins')} {won} to {lost}"

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return the margins, each pot less the other, if the move was the last; else nothing."""
        if not entry.facts.get("swept") and "closed" not in entry.facts:
            return []
        south, north = entry.facts["pots"]
        return [(1, south - north), (2, north - south)]

    def worth(self, entry: Entry) -> tuple[int, tuple[str, ...]] | None:
        """Return the beans that a move captured, and who moved; None for a move without a capture."""
        captured = entry.facts.get("captured")
        return (captured, (entry.facts["name"],)) if captured else None

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the pots, one line per side."""
        names = [who(seats, seat) for seat in (1, 2)]
        width = max(map(cells, names))
        return [f"{padded(name, width)}  {counted(score, 'bean')}" for name, score in zip(names, scores, strict=True)]


def who(seats: tuple[Seat, ...] | tuple[SeatSeen, ...], seat: int) -> str:
    """Return a player's name with the side."""
    return f"{seats[seat - 1].name} ({Side(seat).label})"


def who_does(seats: tuple[Seat, ...] | tuple[SeatSeen, ...], seat: int, verb: str) -> str:
    """Return the beginning of a sentence: a player with the side, and the verb.

    >>> who_does((Seat("human", "You"), Seat("bad", "Bob")), 1, "wins")
    'You (South) win'
    """
    name = seats[seat - 1].name
    return does(name, verb).replace(name, who(seats, seat), 1)


def _side(stored: str) -> str:
    """Return the label of a side from its stored name."""
    return next(side.label for side, name in STORED_SIDES.items() if name == stored)


HISTORY_WORDS: Final = KalahHistoryWords()
