"""A ladder and its members: the game and deals of each pair, and a deal's results."""

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Annotated, Final, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pokersvc.core.actions import FORFEIT_CODES
from pokersvc.core.bots.custom_players import is_own, own_file
from pokersvc.core.codec import EncodedEvent
from pokersvc.core.common_events import Started
from pokersvc.core.game import Game, Measure
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, OPEN, Seat, check_name
from pokersvc.core.setup import Options
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.record import timestamp
from pokersvc.players import LIMIT, content_of
from pokersvc.players.walls import IN_BOXES, Walls
from pokersvc.text import counted
from pokersvc.tournament.plan import MOST_GAMES, Orders, Tournament, plan
from pokersvc.tournament.results import MOST_GAINED
from pokersvc.tournament.seed import digest_of, drawn_seed

DEALS: Final = 200
"""The number of deals that each pair of members plays by default."""
MOST_SEATS: Final = 6
"""The most seats: three for each of two members, in all 20 arrangements."""
MOST_MEMBERS: Final = 100
"""The most members of a ladder: their 4,950 pairs can still be compared in seconds."""
_FILE_SUFFIX: Final = ".toml"
_NOBODYS: Final = "ladder"
"""The seed of the start that is stored with a ladder, from which no deal is derived."""
_OF_ONE_GAME: Final = ("entropy", "program", "reproducible", "seats")
"""The fields of a start that do not belong to the rules."""


class UnknownLadder(InvalidValue):
    """There is no ladder, or no member, with this name."""

    code = "unknown_ladder"


class InvalidLadder(PokersvcError):
    """The stored ladder cannot be read, or has other rules than those played now."""

    code = "invalid_ladder"


class Member(NamedTuple):
    """A bot on a ladder."""

    name: str
    kind: str
    """The kind of player, such as ``steady`` or ``/bots/mine.py:Mine``."""
    content: str | None
    """What identifies the version of a custom player; None for a built-in one."""
    added_at: str


class DealPlayed(BaseModel):
    """One deal's results for two members, all seat orders together."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    gains: tuple[
        Annotated[int, Field(ge=-MOST_GAINED, le=MOST_GAINED)], Annotated[int, Field(ge=-MOST_GAINED, le=MOST_GAINED)]
    ]
    """The total gain of each of the two, over all its seats and all games, in the game's unit."""
    ahead: Annotated[int, Field(ge=0, le=2 * MOST_GAMES)]
    """How often a seat of the first finished ahead of a seat of the second, times two; each tie adds one."""
    rounds: Annotated[int, Field(ge=0, le=MOST_GAINED)]
    """The number of rounds in all games."""
    forfeits: tuple[
        dict[Annotated[str, Field(pattern=f"^({'|'.join(FORFEIT_CODES)})$")], Annotated[int, Field(ge=1)]],
        dict[Annotated[str, Field(pattern=f"^({'|'.join(FORFEIT_CODES)})$")], Annotated[int, Field(ge=1)]],
    ] = ({}, {})
    """For each of the two, the code of a forfeit → the number of choices forfeited with it."""

    @classmethod
    def read(cls, text: str) -> "DealPlayed":
        """Return the stored result; raise `InvalidLadder` if it is not valid."""
        try:
            return cls.model_validate_json(text)
        except ValidationError:
            raise InvalidLadder(
                f"A stored result of a ladder is {text[:60]!r}, not a result; remove its members, and add them again."
            ) from None

    @property
    def text(self) -> str:
        """The result as it is stored."""
        return self.model_dump_json(exclude_defaults=True)


@dataclass(frozen=True)
class Ladder:
    """A ladder: a game with its rules, and the deals on which all members play each other."""

    name: str
    kind: str
    """The kind of game."""
    options: Options
    """The game's options as they were given, with full paths of files; plain JSON values."""
    started: EncodedEvent
    """The start of a game by these rules, as the log would store it; it has nothing of the seed."""
    rounds: int | None
    opening: int
    """The number of random moves at the start of a game."""
    seats: int
    """The seats at a table; each of two members has half of them."""
    seed: str = field(repr=False)
    """The text from which all deals are derived: anyone who knows it can compute every card."""
    deals: int
    """How many deals each two members play."""
    seconds: float
    """The seconds that a custom player may think about a choice."""
    anchor: str | None
    """The name of the member whose rating is fixed; None if the mean of all ratings is fixed instead."""
    created_at: str

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self.kind)

    @property
    def seed_digest(self) -> str:
        """The digest of the seed, which is shown; the seed itself never is, because a ladder is never over."""
        return digest_of(self.seed)

    @property
    def start(self) -> Started:
        """The start of a game by these rules, read from the stored ladder; titles and measures come from it."""
        return cast("Started", self.game.codec.decode(*self.started))

    @property
    def title(self) -> str:
        """The game and its limit or house in words, such as ``Five-card draw, no-limit``."""
        return self.game.words.title(self.game.facts(self.start))

    @property
    def measure(self) -> Measure | None:
        """The unit in which results per round are stated, such as mbb/hand; None in a game without one."""
        return self.game.measure(self.start)

    @property
    def house(self) -> str | None:
        """The built-in house whose rules are played unchanged, as at a server's tables; None if the rules differ.

        In a game without houses, it is an empty text if no option was given.
        """
        usual = self.game.facts(self.start).get("house", "")
        named = self.options.get("rules", usual) if set(self.options) <= {"rules"} else None
        houses = {house.name for house in self.game.houses()} or {""}
        return str(named) if named in houses else None

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The seat orders of a deal: for each seat, the number of the player there, half of them the first member's."""
        return arrangements(self.seats)

    @property
    def games_per_deal(self) -> int:
        """The number of games that two members play on a deal."""
        return len(self.orders)

    @property
    def meetings_per_deal(self) -> int:
        """How often a seat of one member meets a seat of the other on a deal."""
        return self.games_per_deal * (self.seats // 2) ** 2

    def planned(self, one: Member, other: Member, walls: Walls = IN_BOXES) -> Tournament:
        """Return the games of two members as a tournament of their own; raise `InvalidLadder` if the rules changed.

        The names of members are never shown, so the games are the same with any names of bots, and nobody can be
        recognised by a name. All pairs play the same deals.
        """
        half = self.seats // 2
        base = _planned(self.game, self.options, self.seats, self.rounds, self.opening, self.seed, self.seconds)
        if _rules_in(self.game, base) != _rules_of(self.game, self.start):
            raise InvalidLadder(
                f"The rules of the ladder {self.name!r} have changed since it was begun; put them back, or begin"
                " another ladder by the new ones."
            )
        playing = [one] * half + [other] * half
        return replace(
            base,
            players=tuple(replace(seat, kind=by.kind) for seat, by in zip(base.players, playing, strict=True)),
            contents=tuple(by.content for by in playing),
            deals=self.deals,
            orders=self.orders,
            walls=walls,
        )


def new_ladder(
    name: str,
    kind: str,
    options: Options,
    *,
    rounds: int | None = None,
    opening: int | None = None,
    seats: int | None = None,
    seed: str | None = None,
    deals: int = DEALS,
    seconds: float = LIMIT,
) -> Ladder:
    """Return a ladder, by default with a random seed; raise `InvalidValue`, which names what is wrong."""
    game = game_of(kind)
    if not 1 <= len(name) <= 64 or not name.isprintable() or name != name.strip():
        raise InvalidValue(f"{name!r} cannot be the name of a ladder: it is 1 to 64 printable characters.")
    seats = game.pair_seats if seats is None else seats
    if seats % 2 or not 2 <= seats <= MOST_SEATS:
        raise InvalidValue(
            f"A ladder with {counted(seats, 'seat')} cannot be played: two members share 2, 4 or {MOST_SEATS}."
        )
    given = {option: _whole(value) for option, value in options.items()}
    seed = drawn_seed() if seed is None else seed
    base = _planned(game, given, seats, rounds, opening, seed, seconds)
    base = replace(base, seed=_NOBODYS)
    ladder = Ladder(
        name,
        kind,
        given,
        game.codec.encode(game.start(base.setup(base.sitting(0)))),
        base.rounds,
        base.opening,
        seats,
        seed,
        deals,
        seconds,
        None,
        timestamp(datetime.now(UTC)),
    )
    check_deals(ladder, deals)
    return ladder


def check_deals(ladder: Ladder, deals: int) -> None:
    """Raise `InvalidValue` for a number of deals that two members cannot play."""
    most = MOST_GAMES // ladder.games_per_deal
    if not 1 <= deals <= most:
        raise InvalidValue(f"Two members cannot play {counted(deals, 'deal')}; from 1 to {most:,} are possible.")


def new_member(ladder: Ladder, name: str, kind: str, folder: Path) -> Member:
    """Return a bot as a member of a ladder; raise `InvalidValue` for one that cannot play there.

    A custom player's file is looked for from ``folder``. Whether the player can be loaded is not checked.
    """
    check_name(name)
    if (file := own_file(kind)) is not None:
        kind = f"{(folder / file.file).absolute()}:{file.name}"
    game = ladder.game
    seat, *_ = game.seated((Seat(kind, name),), game.options(ladder.options))
    kind = game.tournament_kind(seat.kind)
    if kind in (HUMAN, OPEN):
        raise InvalidValue(f"Only bots are on a ladder, and {name!r} would be a person; name a bot.")
    game.check_kinds((Seat(kind, name),))
    return Member(name, kind, content_of(kind, folder) if is_own(kind) else None, timestamp(datetime.now(UTC)))


def arrangements(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return all seat orders in which two members have half of the seats each; the first has the lower numbers.

    The seats of the first member are chosen in every way, so each member sits at every seat equally often, and before
    and behind the other equally often. The players of a member are alike, so they keep their order.

    >>> arrangements(2)
    ((0, 1), (1, 0))
    >>> len(arrangements(4)), arrangements(4)[1]
    (6, (0, 2, 1, 3))
    """
    found = []
    for places in combinations(range(seats), seats // 2):
        first, second = iter(range(seats // 2)), iter(range(seats // 2, seats))
        found.append(tuple(next(first if seat in places else second) for seat in range(seats)))
    return tuple(found)


def same_terms(one: Ladder, other: Ladder) -> bool:
    """Return whether two ladders have the same game and rules; seeds and deals may differ."""
    of_both = [
        (ladder.kind, ladder.rounds, ladder.opening, ladder.seats, _rules_of(ladder.game, ladder.start))
        for ladder in (one, other)
    ]
    return of_both[0] == of_both[1]


def _planned(
    game: Game,
    options: Options,
    seats: int,
    rounds: int | None,
    opening: int | None,
    seed: str,
    seconds: float,
) -> Tournament:
    """Return a tournament by these rules; its players are placeholders: bots of the game's default kind."""
    usual = game.default_kind(game.options(options))
    players = tuple(Seat(usual, f"Player{number}") for number in range(1, seats + 1))
    orders: Orders = 1
    return plan(game, options, players, 1, orders=orders, rounds=rounds, opening=opening, seed=seed, limit=seconds)


def _whole(value: object) -> object:
    """Return the value of an option as a plain JSON value, with the full path of a file, which any folder can use."""
    if isinstance(value, list | tuple):
        return [_whole(one) for one in value]
    if isinstance(value, str) and value.endswith(_FILE_SUFFIX):
        return str(Path(value).absolute())
    return value


def _rules_in(game: Game, planned: Tournament) -> dict[str, object]:
    return _rules_of(game, game.start(planned.setup(planned.sitting(0))))


def _rules_of(game: Game, started: Started) -> dict[str, object]:
    """Return the rules that the start of a game states, in the newest version of the event."""
    said: dict[str, object] = json.loads(game.codec.encode(started).payload)
    return {name: value for name, value in said.items() if name not in _OF_ONE_GAME}
