"""The facts on a page about a game, limited to those that the page's point of view may see."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

import pokersvc
from pokersvc import core, histories
from pokersvc.games.draw_poker.house.cash_table import Currency
from pokersvc.text import counted

MOST_POTS: Final = 3


class HandShown(NamedTuple):
    """A hand at the end of a round, with the amount it won."""

    name: str
    won: int
    cards: "tuple[pokersvc.Card, ...] | None"
    """The cards of the hand; None if the point of view never saw them."""
    net: int | None = None
    """The amount won, less what the player put in; None if that is unknown."""


class PotShown(NamedTuple):
    """A round, with the hands and the amount won in it."""

    round: int
    line: str
    """The line of the game's history for the round."""
    won: int
    hands: tuple[HandShown, ...]


class Winnings(NamedTuple):
    """What was won and lost in one currency."""

    nets: dict[str, list[int]]
    """Each player's running net: before the first round and after each round; empty without chips."""
    currency: Currency | None
    """The currency of amounts; None for chips."""
    pots: list[PotShown]
    """The biggest pots, biggest first."""
    units: str = "round"
    """The word for one step of the curve, such as "round" or "hand"."""

    def amount(self, units: int, *, signed: bool = False) -> str:
        """Return an amount as text."""
        plus = "+" if signed and units > 0 else ""
        return plus + (f"{units:,}" if self.currency is None else self.currency.say(units))


class ReportFacts(NamedTuple):
    """The facts on a page about a game, except the result of its check."""

    summary: "pokersvc.GameSummary"
    viewer: "pokersvc.Viewer"
    standings: list[str]
    """The final standings, a line for each seat; empty until the game is over."""
    winnings: Winnings
    lines: list[str]
    """The history of a game without pots."""
    origin: str
    """The site of an imported hand, and whether it was kept with findings; else empty."""


def of_game(
    database: "pokersvc.Database", summary: "pokersvc.GameSummary", viewer: "pokersvc.Viewer", *, force: bool
) -> ReportFacts:
    """Return the facts of a game as a viewer may know them."""
    words = core.registry.history_words_of(summary.kind)
    outcome = summary.outcome
    standings = [] if outcome is None else words.standings_of(summary.facts or {}, summary.seats, outcome.scores)
    found = list(pokersvc.history(database, summary.game_id, viewer, force=force))
    counts = pokersvc.game_of(summary.kind).counts_rounds
    pots = [pot_of(words.line(entry), entry) for entry in found] if counts else []
    lines = [] if counts else [line for entry in found for line in words.line(entry).split("\n")]
    rounds = list(counted_rounds(database, summary)) if counts else []
    brought = {played.round: nets_of(played) for played in rounds}  # a hand kept with findings is not counted
    pots = [with_nets(pot, brought.get(pot.round, {})) for pot in biggest(pots)]
    nets, currency = _curves(summary, rounds) if counts else ({}, None)
    return ReportFacts(
        summary, viewer, standings, Winnings(nets, currency, pots), lines, _origin(database, summary.game_id)
    )


def _origin(database: "pokersvc.Database", game_id: str) -> str:
    with database.read() as connection:
        quoted = histories.sources.origin(connection, game_id)
    if quoted is None:
        return ""
    kept = f", which was kept with {counted(quoted.findings, 'finding')}" if quoted.findings else ""
    return f"hand {quoted.number} of {quoted.site}{kept}"


def biggest(pots: Sequence[PotShown]) -> list[PotShown]:
    """Return the rounds with the biggest winnings, biggest first; of equal rounds, the earliest first."""
    return nlargest(MOST_POTS, pots, key=lambda pot: (pot.won, -pot.round))


def pot_of(line: str, entry: "pokersvc.Entry") -> PotShown:
    """Return an entry of the history as a pot."""
    hands = tuple(
        HandShown(
            hand["name"],
            hand["won"],
            None if hand["cards"] is None else tuple(map(pokersvc.Card, hand["cards"])),
        )
        for hand in entry.facts["hands"]
    )
    return PotShown(entry.number, line, sum(hand.won for hand in hands), hands)


def with_nets(pot: PotShown, nets: Mapping[str, int]) -> PotShown:
    """Return a pot with each player's net in its round."""
    return pot._replace(hands=tuple(hand._replace(net=nets.get(hand.name)) for hand in pot.hands))


def counted_rounds(
    database: "pokersvc.Database", summary: "pokersvc.GameSummary"
) -> "Iterator[core.counting.RoundCount]":
    """Yield the counted figures of each round of a game, such as each player's net, from the public events."""
    counter = None
    for step in pokersvc.Service(pokersvc.EventLog(database)).replay(summary.game_id):
        if counter is None:
            counter = pokersvc.game_of(summary.kind).round_counter(step.event)
        elif (played := counter.take(step.event)) is not None:
            yield played


def nets_of(played: "core.counting.RoundCount") -> dict[str, int]:
    """Map each player who was dealt in to their net in a round."""
    return {seat.player: seat.figures.net for seat in played.seats}


def _curves(
    summary: "pokersvc.GameSummary", rounds: "Sequence[core.counting.RoundCount]"
) -> tuple[dict[str, list[int]], Currency | None]:
    """Return each player's running net after each round, and the currency."""
    facts = summary.facts or {}
    code = facts.get("currency")
    currency = Currency(code=code, exponent=facts["exponent"]) if code else None
    later = (seat.player for played in rounds for seat in played.seats)
    nets = {name: [0] for name in (*(seat.name for seat in core.seats.taken(summary.seats)), *later)}
    for played in rounds:
        brought = nets_of(played)
        for name, curve in nets.items():
            curve.append(curve[-1] + brought.get(name, 0))
    return nets, currency
