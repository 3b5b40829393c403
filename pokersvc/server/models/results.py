"""The JSON of an evening's results, for the OpenAPI document."""

from pokersvc.server.models.fields import Answer


class Counted(Answer):
    """The kind of results that may be added up: a kind of game, a unit and a currency."""

    kind: str
    unit: str
    """The unit, such as ``chips``, ``points`` or ``beans``."""
    currency: str
    """The currency code; empty for chips, points and beans."""
    exponent: int
    """The number of decimal places of the currency's smallest unit."""


class NetAnswer(Answer):
    """A person's result in one game, under the name with which they played."""

    name: str
    net: int


class GameResultAnswer(Counted):
    """The result of one game; for a game in progress, of the rounds that are over."""

    game: str
    number: int
    """The number of the game among those of the table, from 1."""
    over: bool
    title: str
    result: str | None
    rounds: int
    nets: list[NetAnswer]
    """The results of those who have played, the best first."""


class PersonAnswer(Answer):
    """A person's result over several games; it is kept under the name of a person who left."""

    name: str
    seat: int | None
    """The seat with this name in the table's current game; null if no seat has the name."""
    games: int
    net: int
    rank: int
    """1 is best; equal results share a rank."""


class SumAnswer(Counted):
    """Everybody's results over the games of one kind, the best first."""

    people: list[PersonAnswer]


class BestRoundAnswer(Answer):
    """One of the biggest pots, captures or other rounds that the game's history ranks highest."""

    game: str
    number: int
    """The number of the game among those of the table, from 1."""
    round: int
    size: int
    """The amount won."""
    names: list[str]
    """Who won it."""
    line: str
    """The round in one line of history."""


class BestAnswer(Counted):
    """The biggest pots of the games of one kind, the biggest first."""

    name: str
    """The heading of these rounds, such as ``Biggest pots``."""
    rounds: list[BestRoundAnswer]


class HandsAnswer(Answer):
    """The statistics of hands, as `pokersvc stats` defines them."""

    figures: dict[str, int]
    rates: dict[str, float | list[float] | None]


class OwnAnswer(Counted):
    """The viewer's own figures over the games of one kind."""

    name: str
    games: int
    won: int
    """The number of games won, ties included."""
    highest: int
    """The best result of a game."""
    lowest: int
    hands: HandsAnswer | None
    """Null for a game that counts no hands."""


class PersonTotalsAnswer(Answer):
    """The amounts that one person has brought to the table and taken away, over all its cash games."""

    person: int
    """The number that the table gave the person when they first sat down."""
    name: str
    """The name under which they sat last."""
    seat: int | None
    """The seat that they hold or held last in the last game; null if somebody else has sat there since."""
    brought: int
    taken: int
    has: int
    """The amount that the person has on the table now."""
    net: int
    """The chips that the person took away and still has, less the chips brought."""


class EveningAnswer(Answer):
    """The results of a table's games together: of its last 200, from game number ``first`` on."""

    table: str
    first: int
    """The number of the first game that is counted; 0 if there is none."""
    games: list[GameResultAnswer]
    sums: list[SumAnswer]
    best: list[BestAnswer]
    persons: list[PersonTotalsAnswer]
    """The amounts that each person brought and took at the table, by number; empty if people have no numbers."""
    own: list[OwnAnswer]
    """The figures of the seat that asks, under its name; empty for watchers."""
