"""The setup that a game is started with: seats, chance and options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pokersvc.core.names import apart
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import MAX_NAME, OPEN, Seat, check_name
from pokersvc.errors import InvalidValue, about

Options: TypeAlias = Mapping[str, Any]
"""Name → value of each of a game's own options, such as the rules of a house or the size of a board."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a game is started with. ``options`` are the game's own.

    With ``hidden_kinds`` no player is shown the kinds of the others while the game is in progress.
    """

    seats: tuple[Seat, ...]
    """The players, from seat 1; no two have names that look alike."""
    source: EntropySource
    """The source of all chance, the dealer's and the bots'."""
    rounds: int | None = None
    """The number of rounds, at least 1, after which the game ends; None if only its rules end it."""
    options: Options | None = None
    """Options of this kind of game, such as ``{"rules": "no-limit"}``; None for its defaults."""
    hidden_kinds: bool = False
    """Whether the kinds of players are hidden while the game is on."""

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            with about("rounds"):
                raise InvalidValue(f"A game of {self.rounds} rounds cannot be played; rounds are 1 or more.")
        check_seats(self.seats)
        apart([seat.name for seat in self.seats])  # not in `check_seats`, which also checks recorded games


def check_seats(seats: tuple[Seat, ...], longest_name: int = MAX_NAME) -> None:
    """Raise `InvalidValue` for an invalid name, or for a name that two seats share (ignoring case)."""
    called: dict[str, Seat] = {}
    for number, seat in enumerate(seats, 1):
        check_name(seat.name, longest_name)
        other = called.setdefault(seat.name.casefold(), seat)
        if other is seat:
            continue
        if seat.kind == OPEN:
            raise InvalidValue(f"The open seat {number} has the name {seat.name!r}; give {other.name!r} another name.")
        with about(f"seats.{number}.name"):
            raise InvalidValue(
                f"The names {other.name!r} and {seat.name!r} are the same; every seat needs a different name."
            )


@dataclass(frozen=True, slots=True)
class Option:
    """A command-line option of one game; the option ``empty_capture`` is typed as ``--empty-capture``.

    A given value is passed to `Game.options` under the option's name, converted to its type; a flag is passed only if
    it is set. The game checks the value.
    """

    name: str
    """The key in `Setup.options`."""
    help: str
    """A sentence for ``--help``."""
    of: type[int] | type[str] | type[bool] = int
    """The type of the option's value; a bool is a flag."""
    metavar: str | None = "N"
    """The placeholder for the value in ``--help``."""
    open: bool = True
    """Whether a server lets strangers set the option; False if it could make bots think without limit."""
    several: bool = False
    """Whether the option may be given several times; its value is then a list."""
    may_be_file: bool = False
    """Whether a value that ends in ``.toml`` is the path of a file, which a server never reads."""
    form: str | None = None
    """A sentence or two for a form, below the field; None to use ``help``.

    A form has no `metavar`, shows no default and has each option once, so say what may be written, and what applies
    while the field is empty."""
    first: bool = False
    """Whether a form shows the option at once; the others stand under "More"."""
    each: str | None = None
    """A sentence for a second field of a form, for the values of single players, such as ``Ann=500``; None for no such
    field. A form sends both fields as one text, separated by a comma."""

    @property
    def of_form(self) -> type[int] | type[str] | type[bool]:
        """The type of the value that a form sends: a plain text even where ``of`` is a choice from several texts."""
        return str if issubclass(self.of, str) else self.of

    @property
    def words_of_form(self) -> str:
        """The description of the option in a form."""
        return self.help if self.form is None else self.form


@dataclass(frozen=True, slots=True)
class House:
    """A named set of rules; the option ``rules`` with this name starts a game by them.

    ``text`` is TOML with comments; saved in a file, changed or not, it is a custom house.
    """

    name: str
    """The house's name, which is given as the option ``rules``, such as ``no-limit``."""
    summary: str
    """A one-line description of the house."""
    text: str
    """The house's rules in TOML."""
    usual: bool = False
    """Whether a form offers this house first."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Option → what applies in this house while the option is not given, such as ``{"stack": "200"}``."""


@dataclass(frozen=True, slots=True)
class ReadyTable:
    """A table that a form offers ready-made, with a title such as ``Six friends, a tournament``."""

    title: str
    seats: int
    people: int = 1
    """The number of seats, from the first, that are for people; bots take the others."""
    options: Mapping[str, object] = field(default_factory=dict)
    rounds: int | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    """Settings of the table, such as ``{"seconds": 30}`` for its clock; the others have their defaults."""
