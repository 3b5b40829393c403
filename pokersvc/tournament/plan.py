"""The plan of a tournament: its players, deals and seats. Everything else follows from it."""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations
from math import comb, factorial, inf
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pokersvc.core.bots.estimates import Estimate
from pokersvc.core.bots.policy import mixes
from pokersvc.core.bots.ranges import RangeTerms
from pokersvc.core.common_events import Started
from pokersvc.core.game import Game, Measure
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.core.setup import Options, Setup
from pokersvc.core.version import __version__
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import Walls, content_of
from pokersvc.players.walls import IN_BOXES
from pokersvc.text import counted, does
from pokersvc.tournament.seed import deal_text, digest_of, drawn_seed

MOST_ORDERS: Final = 24
"""By default, all seat orders are played if there are at most this many, else only the rotations."""
MOST_GAMES: Final = 1_000_000
"""Maximum number of games of a tournament, whose results fit into about a gigabyte of memory."""
MOST_NUMBERED: Final = 1 << 62
"""Seat orders are drawn from at most this many, which `Random.sample` can take; nobody plays that many."""
LBR: Final = "lbr"
"""The kind of the player that answers another by local best response."""
MOST_SIZE: Final = 1000
"""The largest bet that a local best response weighs, as a multiple of the pot."""
MOST_HANDS: Final = 100_000
"""The most hands that a range may have."""
MOST_TOLD: Final = 200
"""The maximum number of line-ups that a plan lists; further ones follow in the same order."""
OPENER: Final = "random"
"""The bot that makes the opening moves of a game."""
OPENING: Final = 4
"""Default number of opening moves in a game without a deal, which would otherwise always begin the same."""

DEALT: Final = 2
"""The version of `deal_text`, which derives deals from the seed. In version 1 the text of a deal revealed the seed."""

Orders = Literal["all", "rotations"] | int


class PlannedOtherwise(PokersvcError):
    """The tournament was planned with another version of pokersvc, or other files of players, than this process has."""

    code = "planned_otherwise"


class Sitting(NamedTuple):
    """One game of a tournament: the number of its deal (from 1), and its players by number (from 0) in seat order."""

    deal: int
    players: tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """A tournament of one game; `plan` makes it from a person's specifications."""

    game_type: type[Game]
    options: Options
    players: tuple[Seat, ...]
    deals: int
    orders: tuple[tuple[int, ...], ...]
    """The seat orders of a deal: each gives, for every seat, the player there by place in the line-up (from 0)."""
    seed: str
    """The text from which all deals and all randomness are derived: anyone who knows it can compute every card."""
    rounds: int | None = None
    opening: int = 0
    """The number of random moves at the start of a game."""
    hidden_kinds: bool = True
    """Whether the kinds of the other players are hidden: otherwise a bot could target a kind that it knows."""
    limit: float = 10.0
    """The seconds that a custom player may think about a choice: a safety limit."""
    walls: Walls = IN_BOXES
    """The isolation of custom players: what they may do besides playing."""
    folder: Path = Path()
    """The folder in which the files of custom players are looked for."""
    contents: tuple[str | None, ...] = ()
    """For each player, a text that identifies its file's version when planned; None if built in (see `check_here`)."""
    version: str = __version__
    """The version of pokersvc that planned the tournament."""
    candidates: int = 0
    """How many of the last players are candidates, which fill one seat in turn; 0 if everybody may meet everybody."""
    aivat: bool = False
    """Whether luck is taken out of the results (`pokersvc.tournament.aivat`)."""
    lbr: RangeTerms | None = None
    """How the second of two players answers the first by local best response (`pokersvc.tournament.response`)."""
    least: float | None = None
    """The least difference that the tournament must be able to find, in `least_unit`; None if none was given. At tables
    of two it is the amount that one player wins from the other, which is half the difference of their results.
    """

    @property
    def game(self) -> Game:
        """The game that is played."""
        return _game(self.game_type)

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.orders[0])

    @cached_property
    def line_ups(self) -> tuple[tuple[int, ...], ...]:
        """The line-ups: the players who sit at a table together, by their numbers from 0."""
        if self.candidates:
            return tuple((*range(self.others), one) for one in range(self.others, len(self.players)))
        return tuple(combinations(range(len(self.players)), self.seats))

    @property
    def others(self) -> int:
        """The number of players who are not candidates; also the number of the first candidate."""
        return len(self.players) - self.candidates

    @property
    def games_per_deal(self) -> int:
        """The number of games played on the same deal."""
        return len(self.line_ups) * len(self.orders)

    @property
    def games(self) -> int:
        """The number of games in all."""
        return self.deals * self.games_per_deal

    def sitting(self, index: int) -> Sitting:
        """Return a game by its number from 0: deal by deal, then line-up by line-up, then order by order."""
        deal, rest = divmod(index, self.games_per_deal)
        line_up, order = divmod(rest, len(self.orders))
        return Sitting(deal + 1, tuple(self.line_ups[line_up][place] for place in self.orders[order]))

    def setup(self, sitting: Sitting) -> Setup:
        """Return the setup of a game; its deal follows only from the seed and the deal's number."""
        seats = tuple(self.seated(self.players[player]) for player in sitting.players)
        source = EntropySource.from_text(deal_text(self.seed, sitting.deal))
        return Setup(seats, source, self.rounds, self.options, self.hidden_kinds)

    def seated(self, player: Seat) -> Seat:
        """Return a player as the game knows it; a game has no kind for a local best response."""
        return replace(player, kind=self.players[0].kind) if player.kind == LBR else player

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies this tournament, the same for any number of deals: 16 hexadecimal digits.

        It covers the rules, the version of the program and the content of players' files.
        """
        started = self.game.start(self.setup(self.sitting(0)))
        said = {
            "dealt": DEALT,
            "orders": self.orders,
            "opening": self.opening,
            "players": [
                (seat.name, seat.kind, content) for seat, content in zip(self.players, self.contents, strict=True)
            ],
            "seed": self.seed,
            "started": self.game.codec.encode(started)[:3],
            "version": self.version,
        }
        if self.aivat:
            said["aivat"] = True
        if self.lbr is not None:
            said["lbr"] = self.lbr
        if self.candidates:
            said["candidates"] = self.candidates
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def in_advance(self) -> dict[str, object]:
        """The plan as it stands before a seed is drawn, as plain JSON values; it is the same with any seed."""
        seedless = replace(self, seed="", orders=self.orders[:1])
        names = [seat.name for seat in self.players]
        return {
            "players": [
                {"name": seat.name, "kind": seat.kind, "content": content}
                for seat, content in zip(self.players, self.contents, strict=True)
            ],
            "candidates": self.candidates,
            "seats": self.seats,
            "line_ups": [[names[player] for player in line_up] for line_up in self.line_ups[:MOST_TOLD]],
            "deals": self.deals,
            "orders": len(self.orders),
            "lbr": None if self.lbr is None else self.lbr._asdict() | {"sizes": list(self.lbr.sizes)},
            "least": self.least,
            "least_unit": None if self.least is None else self.least_unit,
            "rules": seedless.fingerprint,
        }

    @property
    def least_unit(self) -> str:
        """The unit of the least difference: the game's measure if each game has one round, else its unit."""
        if self.measure is not None and self.rounds == 1:
            return self.measure.name
        return f"{self.game.unit} a game"

    def estimate(self, started: Started) -> Estimate:
        """Return the estimate that takes luck out of a game; raise `InvalidValue` if the game has none."""
        if (found := self.game.estimate(started)) is None:
            raise InvalidValue(
                f"Luck cannot be taken out of this game of {self.game.kind!r};"
                " leave --aivat out, or play draw poker with 2 seats."
            )
        return found

    @cached_property
    def measure(self) -> Measure | None:
        """The second unit for results per round, such as mbb/hand; None in a game without one."""
        return self.game.measure(self.game.start(self.setup(self.sitting(0))))

    @property
    def seed_digest(self) -> str:
        """The digest of the seed, which is shown while the seed itself is hidden."""
        return digest_of(self.seed)

    def check_here(self) -> None:
        """Raise `PlannedOtherwise` if this process has another version of pokersvc or other files of players."""
        if self.version != __version__:
            raise PlannedOtherwise(
                f"The tournament was planned by pokersvc {self.version} and cannot be played by {__version__};"
                " install the same version everywhere."
            )
        for seat, content in zip(self.players, self.contents, strict=True):
            if content_of(seat.kind, self.folder) != content:
                raise PlannedOtherwise(
                    f"The player {seat.kind} is not what it was when the tournament was planned;"
                    " use the same file everywhere, and start the tournament again."
                )


@cache
def _game(game_type: type[Game]) -> Game:
    return game_type()


def plan(
    game: Game,
    options: Options,
    players: tuple[Seat, ...],
    deals: int,
    *,
    seats: int | None = None,
    orders: Orders | None = None,
    rounds: int | None = None,
    opening: int | None = None,
    seed: str | None = None,
    hidden_kinds: bool = True,
    limit: float = 10.0,
    walls: Walls = IN_BOXES,
    candidates: int = 0,
    aivat: bool = False,
    lbr: RangeTerms | None = None,
    least: float | None = None,
) -> Tournament:
    """Return a tournament, by default with a random seed; raise `InvalidValue`, which names what is wrong.

    If there are more players than seats, every combination of them is a line-up. By default, a game begins with random
    moves if all its deals would otherwise be the same. The last ``candidates`` players fill one seat in turn. With
    ``aivat``, luck is taken out of the results. ``least`` is the least difference that the results are to find.
    With ``lbr``, the only player is answered by local best response.
    """
    if lbr is not None:
        players = answered(players, lbr, apart=bool(candidates or aivat or opening))
    if len(players) < 2:
        raise InvalidValue(f"A tournament needs two players or more, not {len(players)}; name them.")
    if deals < 1:
        raise InvalidValue(f"A tournament of {deals} deals cannot be played; deals are 1 or more.")
    if candidates and not 2 <= candidates < len(players):
        raise InvalidValue(f"Candidates for a seat are 2 or more, beside 1 other player or more, not {candidates}.")
    if candidates and seats is not None:
        raise InvalidValue("Candidates fill one seat beside all other players; leave the number of seats out.")
    if least is not None and not 0 < least < inf:
        raise InvalidValue(f"A least difference of {least:g} cannot be planned for; it is above 0.")
    count = len(players) if seats is None else seats
    if candidates:
        count = len(players) - candidates + 1
    if not 2 <= count <= len(players):
        raise InvalidValue(
            f"{counted(len(players), 'player')} cannot fill tables of {counted(count, 'seat')};"
            " name as many, or take fewer."
        )
    if person := next((seat for seat in players if seat.kind == HUMAN), None):
        raise InvalidValue(f"Only bots play a tournament, and {does(person.name, 'is')} a person.")
    if opening is None:
        opening = 0 if game.dealt or OPENER not in game.players else OPENING
    elif opening and OPENER not in game.players:
        raise InvalidValue(f"Openings are made by the bot {OPENER!r}, which the game {game.kind!r} does not have.")
    if seed is None:
        seed = drawn_seed()
    options = game.options(options)
    players = tuple(replace(seat, kind=game.tournament_kind(seat.kind)) for seat in game.seated(players, options))
    if any(seat.kind == OPEN for seat in players):
        raise InvalidValue("In a tournament nobody sits down later, so no seat stays open.")
    folder = Path.cwd()
    tournament = Tournament(
        type(game),
        options,
        players,
        deals,
        ((*range(count),),),
        seed,
        game.tournament_rounds if rounds is None else rounds,
        opening,
        hidden_kinds,
        limit,
        walls,
        folder,
        tuple(content_of(seat.kind, folder) for seat in players),
        candidates=candidates,
        aivat=aivat,
        lbr=lbr,
        least=least,
    )
    Setup(players, EntropySource.from_text(seed))  # the names are checked together
    game.check_kinds(tuple(map(tournament.seated, players)))
    started = game.start(tournament.setup(tournament.sitting(0)))
    if aivat:
        tournament.estimate(started)
    if lbr is not None:
        check_answered(tournament, started)
    chosen = seat_orders(count, orders, seed)
    if deals * (candidates or comb(len(players), count)) * len(chosen) > MOST_GAMES:
        raise InvalidValue(f"That would be more than {MOST_GAMES:,} games; take fewer deals, orders or line-ups.")
    return replace(tournament, orders=chosen)


def answered(players: tuple[Seat, ...], terms: RangeTerms, *, apart: bool) -> tuple[Seat, ...]:
    """Return a player with the player that answers it by local best response; raise `InvalidValue` if none can.

    ``apart`` says that the tournament has candidates, opening moves or results without luck, which rule such a player
    out.
    """
    if len(players) != 1 or apart:
        raise InvalidValue(
            "Local best response is played against one player, from the first move on, and with luck; name it alone,"
            " without candidates, --opening and --aivat."
        )
    if wrong := [size for size in terms.sizes if not 0 < size <= MOST_SIZE]:
        raise InvalidValue(
            f"A bet of {wrong[0]:g} times the pot cannot be considered; sizes are above 0 and at most {MOST_SIZE}."
        )
    if not 1 <= terms.samples <= MOST_HANDS:
        raise InvalidValue(f"A range cannot have {counted(terms.samples, 'hand')}; it has 1 to {MOST_HANDS:,}.")
    return (*players, Seat(LBR, "LBR"))


def check_answered(tournament: Tournament, started: Started) -> None:
    """Raise `InvalidValue` if the game has no range, or if the player is known to have no policy."""
    game, [player, _] = tournament.game, tournament.players
    assert tournament.lbr is not None
    random = tournament.setup(tournament.sitting(0)).source.program_random(0, 0, "range")
    if game.range_of(started, 1, tournament.lbr, lambda _views, _legal: [], random) is None:
        raise InvalidValue(
            f"This game of {game.kind!r} has no local best response; play draw poker for two with hidden hands."
        )
    found = game.players.get(player.kind)
    if found is not None and player.kind not in game.mixtures and not mixes(found()):
        raise no_policy(player)


def no_policy(player: Seat) -> InvalidValue:
    """Return the error for a player that has no policy, and so does not say how it mixes."""
    return InvalidValue(
        f"Local best response needs to know how {player.name} mixes, and {player.kind!r} has no policy;"
        " give it the method `policy`, or take another player."
    )


def seat_orders(seats: int, orders: Orders | None, seed: str) -> tuple[tuple[int, ...], ...]:
    """Return the seat orders in which each line-up plays a deal: for each seat, its player's place from 0.

    ``all``, the default, gives every order if there are at most 24, and otherwise the rotations. A number gives that
    many different orders: the one in which the players are named, and others drawn once for the tournament, each
    followed by its rotations as far as the number goes. If it is a multiple of the number of seats, every player sits
    at every seat equally often.

    >>> seat_orders(3, "rotations", "1")
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    first = tuple(range(seats))
    possible = factorial(seats)
    if isinstance(orders, int):
        if not 1 <= orders <= min(possible, 1_000_000):
            raise InvalidValue(f"{seats} seats have {possible:,} orders; {orders} of them cannot be played.")
        random = EntropySource.from_text(seed).program_random(0, 0, "orders")
        circles = range(1, min(factorial(seats - 1), MOST_NUMBERED))
        others = [
            _turned((0, *_numbered(number, first[1:])), random.randrange(seats))
            for number in random.sample(circles, -(-orders // seats) - 1)
        ]
        return tuple(_turned(order, turn) for order in (first, *others) for turn in range(seats))[:orders]
    if orders != "rotations" and possible <= MOST_ORDERS:
        return tuple(permutations(first))
    return tuple(_turned(first, turn) for turn in range(seats))


def _turned(order: tuple[int, ...], turn: int) -> tuple[int, ...]:
    return order[turn:] + order[:turn]


def _numbered(number: int, places: tuple[int, ...]) -> tuple[int, ...]:
    """Return the order of ``places`` with this number, if all orders are numbered from 0, the given order first.

    >>> [_numbered(number, (1, 2, 3)) for number in range(6)]
    [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    """
    found, left = [], list(places)
    while left:
        place, number = divmod(number, factorial(len(left) - 1))
        found.append(left.pop(place))
    return tuple(found)
