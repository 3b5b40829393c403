"""The JSON of ladders."""

from pokersvc.server.models.fields import Answer


class LadderMemberAnswer(Answer):
    """A bot on a ladder."""

    name: str
    program: str | None
    """The kind by which it can be given a seat at a table of this server; null for others."""
    rating: float
    rating_within: float | None
    """Half the width of the rating's interval; all members' intervals hold at the same time. Null if there is none."""
    gain: float
    """Its gain from all others, in the ladder's unit."""
    gain_within: float | None
    points: float
    """The share of points that it won, from 0 to 1."""
    better_from: int | None
    """The first place such that the member is decidedly better than everybody at it or below; null if there is none."""
    forfeits: int


class LadderAnswer(Answer):
    """A ladder, its members the best first."""

    name: str
    kind: str
    title: str
    house: str | None
    """The built-in house whose rules apply, "" in a game without houses; null for other rules."""
    deals: int
    """The number of deals that count."""
    seats: int
    missing_games: int
    unit: str
    by_rating: bool
    """Whether the members are in the order of ratings; if not, they are in the order of gains."""
    members: list[LadderMemberAnswer]
    unranked: list[str]
    """The names of members that have games to play before they are ranked."""


class LaddersAnswer(Answer):
    """All ladders of the database."""

    ladders: list[LadderAnswer]
