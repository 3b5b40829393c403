"""What a page about a game tells, as its point of view knows it."""

from collections.abc import Sequence
from heapq import nlargest
from typing import Final, NamedTuple

import pokersvc
from pokersvc import core
from pokersvc.games.draw_poker.cash_table import Currency

MOST_POTS: Final = 3


class HandShown(NamedTuple):
    """A hand of a pot."""

    name: str
    won: int
    cards: "tuple[pokersvc.Card, ...] | None"
    """None where the point of view never saw them."""


class PotShown(NamedTuple):
    """A round by what was won in it."""

    round: int
    line: str
    """The round in the game's history."""
    won: int
    hands: tuple[HandShown, ...]


class Winnings(NamedTuple):
    """What was won and lost in one currency."""

    nets: dict[str, list[int]]
    """For each player, what they have won or lost before the first round and after each; empty without chips."""
    currency: Currency | None
    """What amounts are counted in; None: in chips."""
    pots: list[PotShown]
    """The biggest, the biggest first."""
    units: str = "round"
    """What the curve's steps are."""

    def amount(self, units: int, *, signed: bool = False) -> str:
        """Return an amount as it is shown."""
        plus = "+" if signed and units > 0 else ""
        return plus + (f"{units:,}" if self.currency is None else self.currency.say(units))


class ReportFacts(NamedTuple):
    """All that a page tells of a game, apart from its check."""

    summary: "pokersvc.GameSummary"
    viewer: "pokersvc.Viewer"
    standings: list[str]
    """One line for each seat; none while the game is on."""
    winnings: Winnings
    lines: list[str]
    """The history of a game without pots."""


def of_game(
    database: "pokersvc.Database", summary: "pokersvc.GameSummary", viewer: "pokersvc.Viewer", *, force: bool
) -> ReportFacts:
    """Return what a page tells of a game to a viewer who may look."""
    words = core.registry.history_words_of(summary.kind)
    outcome = summary.outcome
    standings = [] if outcome is None else words.standings_of(summary.facts or {}, summary.seats, outcome.scores)
    found = list(pokersvc.history(database, summary.game_id, viewer, force=force))
    counts = pokersvc.game_of(summary.kind).counts_rounds
    pots = [pot_of(words.line(entry), entry) for entry in found] if counts else []
    lines = [] if counts else [words.line(entry) for entry in found]
    nets, currency = _nets(database, summary) if counts else ({}, None)
    return ReportFacts(summary, viewer, standings, Winnings(nets, currency, biggest(pots)), lines)


def biggest(pots: Sequence[PotShown]) -> list[PotShown]:
    """Return the rounds in which most was won, of equal ones the earliest."""
    return nlargest(MOST_POTS, pots, key=lambda pot: (pot.won, -pot.round))


def pot_of(line: str, entry: "pokersvc.Entry") -> PotShown:
    """Return a line of history as a pot."""
    hands = tuple(
        HandShown(
            hand["name"],
            hand["won"],
            None if hand["cards"] is None else tuple(map(pokersvc.Card, hand["cards"])),
        )
        for hand in entry.facts["hands"]
    )
    return PotShown(entry.number, line, sum(hand.won for hand in hands), hands)


def _nets(
    database: "pokersvc.Database", summary: "pokersvc.GameSummary"
) -> tuple[dict[str, list[int]], Currency | None]:
    """Return what each player had won or lost after each round, and in what, from the public events."""
    currency = None
    nets = {seat.name: [0] for seat in summary.seats}
    counter = None
    for step in pokersvc.Service(pokersvc.EventLog(database)).replay(summary.game_id):
        if counter is None:
            counter = pokersvc.game_of(summary.kind).round_counter(step.event)
        elif (counted := counter.take(step.event)) is not None:
            if counted.currency:
                currency = Currency(code=counted.currency, exponent=counted.exponent)
            brought = {seat.player: seat.figures.net for seat in counted.seats}
            for name, curve in nets.items():
                curve.append(curve[-1] + brought.get(name, 0))
    return nets, currency
