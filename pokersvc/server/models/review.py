"""The JSON of a review, for the OpenAPI document."""

from pokersvc.server.models.fields import Answer


class ActionOfProgram(Answer):
    """An action that a program would have taken, with its probability."""

    action: str
    chance: float


class ReviewedChoiceAnswer(Answer):
    """One choice of the seat."""

    round: int
    number: int
    """The number of the choice in its round, from 1."""
    when: str
    """The part of the round, such as ``before the draw``."""
    had: str
    situation: str
    chose: str
    by: str
    """The kind of the program with which the choice is compared; in Kalah ``perfect`` if the cost is exact."""
    would: list[ActionOfProgram]
    improvised: bool
    """Whether the program would hardly ever get into this situation; ``would`` is then the action that wins most."""
    doubted: bool
    """Whether another seat had done what the program hardly ever does; from then on, the program plays like
    ``steady``."""
    points: float | None
    """How much less often the choice wins than the best one, in percent points; null for a bet."""
    cost: str
    """How much less the choice brings, with half the width of the 95 % interval: ``3.2 ± 0.3``."""


class ReviewedRoundAnswer(Answer):
    """One round in which the seat chose something."""

    round: int
    had: str
    choices: int
    net: str
    """The amount that the seat won or lost in the round."""
    cost: str


class ReviewAnswer(Answer):
    """The costs of a seat's choices in the last 20 rounds of a game in which the seat chose something."""

    game: str
    programs: list[str]
    """A sentence on each program that the choices were compared with."""
    choices: int
    cost: str
    unit: str
    """The unit of amounts; empty if they name their currency."""
    called: str | None
    """What a round is called; null if a game is one round, as in Kalah."""
    dearest: list[ReviewedChoiceAnswer]
    """The choices that cost most, at most five, the dearest first."""
    judged: list[ReviewedChoiceAnswer]
    """All choices, in the order of play."""
    rounds: list[ReviewedRoundAnswer]
