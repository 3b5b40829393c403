"""The facet of a game that fills its seats: its options, its bots, and its number of seats."""

from abc import ABC
from collections.abc import Callable, Mapping
from typing import ClassVar, Generic

from pokersvc.core.actions import Action
from pokersvc.core.bots.custom_players import is_own
from pokersvc.core.bots.player import Player
from pokersvc.core.bots.policy import Policy
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import House, Option, Options, ReadyTable
from pokersvc.core.typevars import LegalT, ViewT
from pokersvc.errors import InvalidValue, about


class Seating(ABC, Generic[ViewT, LegalT]):
    """The options of a game, and the bots that play it."""

    kind: ClassVar[str]
    """The game's name in the log and on the command line."""
    actions: ClassVar[tuple[type[Action], ...]]
    """The types of actions that a bot may choose."""
    players: Mapping[str, Callable[[], Player[ViewT, LegalT]]]
    """Kinds of bots that may fill a seat."""
    players_said: Mapping[str, str] = {}
    """Kind of bot → how it plays, in a few words without a full stop, for those who choose one; some may have none."""
    bot_levels: ClassVar[tuple[str, ...]] = ()
    """The kinds in `players` that differ in strength, the weakest first: a person chooses opponents among them."""
    mixtures: Mapping[str, Callable[[ViewT, LegalT], Policy]] = {}
    """Kind of bot → its mixed strategy, for code that must know it; the bots themselves are asked for single
    choices."""
    own_options: ClassVar[tuple[Option, ...]] = ()
    """Command-line options that this game has in addition to those of every game."""
    ready_tables: ClassVar[tuple[ReadyTable, ...]] = ()
    """Tables of this game that a form offers ready-made."""

    def options(self, given: Options) -> Options:
        """Check the given options and return them completed with defaults; by default a game has no options.

        Raise `InvalidValue` if an option is wrong.
        """
        if given:
            raise InvalidValue(f"The game {self.kind!r} has no option {min(given)!r}.")
        return {}

    def houses(self) -> tuple[House, ...]:
        """Return the built-in houses (named sets of rules), sorted by name; empty if there is only one way to play."""
        return ()

    def default_seats(self, options: Options) -> int:
        """Return the number of seats that are filled by default: two, unless a game says otherwise."""
        return 2

    def default_kind(self, options: Options) -> str:
        """Return the kind of bot that fills a seat by default: the first of `players`, unless a game says otherwise."""
        return next(iter(self.players))

    def seated(self, seats: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
        """Return the seats of a game with these options; kinds are adapted, for example to a limit on thinking."""
        return seats

    def carrying(self, options: Options, carried: Mapping[str, int]) -> Options:
        """Return the options of a game in which players, by name, begin with amounts carried over from another game.

        See `Game.carried_over`; a game in which nobody carries anything over keeps its options.
        """
        return options

    def takes_open_seats(self, options: Options) -> bool:
        """Return whether a game with these options may start with seats at which nobody sits yet (`OPEN`)."""
        return False

    def check_kinds(self, seats: tuple[Seat, ...]) -> None:
        """Raise `InvalidValue` for a seat whose kind is neither known to this game nor a custom player."""
        for number, seat in enumerate(seats, 1):
            if seat.kind != HUMAN and seat.kind not in self.players and not is_own(seat.kind):
                known = ", ".join([HUMAN, *sorted(self.players)])
                with about(f"seats.{number}.program"):
                    raise InvalidValue(
                        f"{seat.name} cannot be played by {seat.kind!r}; kinds of players are {known},"
                        " or FILE.py:CLASS for a custom player."
                    )
