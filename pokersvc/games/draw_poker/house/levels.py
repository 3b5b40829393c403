"""Levels of a tournament: blinds and antes that rise after a number of hands, by a schedule that the start records.

Fields are in alphabetical order, so that levels inside ``GameStarted`` are written as canonical JSON.
"""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.amounts import ANTE, BLINDS, blinds_in, chips_in, with_blinds_of
from pokersvc.games.draw_poker.house.playable import Refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Bet, Chips, DrawPokerRules
from pokersvc.games.draw_poker.house.stakes import Stakes, refused_stakes, stakes_of
from pokersvc.system.files import opened

LEVELS: Final = Option(
    "levels",
    "Blinds that rise: a preset, regular or turbo, or a file of levels.",
    str,
    "NAME|FILE",
    form="Blinds that rise in a tournament: regular (every ten hands) or turbo (every five).",
    may_be_file=True,
)
MOST_LEVELS: Final = 100
MOST_HANDS: Final = 10_000
MOST_BYTES: Final = 20_000
"""The maximum size of a file of levels."""
_PRESETS: Final = "level_presets"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Level(_Part):
    """The forced bets of a level, and how long it lasts."""

    ante: Chips = 0
    big: Bet
    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)]
    """The number of rounds that are played at this level; the last level lasts to the end of the game."""
    small: Bet


class Levels(_Part):
    """A schedule of levels; level 1 begins with round 1."""

    schedule: Annotated[tuple[Level, ...], Field(min_length=1, max_length=MOST_LEVELS, strict=False)]

    def at(self, round_: int) -> int:
        """Return the number of the level of a round; both count from 1.

        >>> Levels(schedule=(Level(small=1, big=2, hands=2), Level(small=2, big=4, hands=1))).at(3)
        2
        """
        last = 0
        for number, level in enumerate(self.schedule, 1):
            last += level.hands
            if round_ <= last:
                return number
        return len(self.schedule)

    def begins(self, number: int) -> int:
        """Return the round with which a level begins."""
        return 1 + sum(level.hands for level in self.schedule[: number - 1])


def stakes_at(rules: DrawPokerRules, levels: Levels, number: int) -> Stakes:
    """Return the stakes of a level (from 1) in a house; its minimum bets stay in proportion to the big blind."""
    level = levels.schedule[number - 1]
    changed = with_blinds_of(rules, level.small, level.big)
    return stakes_of(changed, level.ante)


def refused_levels(rules: DrawPokerRules, levels: Levels, *, cash: bool, changeable: bool) -> Refusal | None:
    """Return what in a game's start does not go with its levels; None if they can be played."""
    return next((refused for refused in _refusals(rules, levels, cash=cash, changeable=changeable) if refused), None)


def _refusals(rules: DrawPokerRules, levels: Levels, *, cash: bool, changeable: bool) -> Iterator[Refusal | None]:
    if rules.blinds is None:
        yield Refusal("levels", "left out in a house without blinds")
        return
    if cash or changeable:
        yield Refusal("levels", f"left out {'in a cash game' if cash else 'where the host may change the stakes'}")
    if rules.straddle or rules.ante.increase:
        yield Refusal("levels", "left out where there is a straddle or a rising ante")
    if stakes_at(rules, levels, 1) != stakes_of(rules, rules.ante.amount):
        yield Refusal("levels", "such that level 1 has the blinds and the ante of the rules")
    for number in range(1, len(levels.schedule) + 1):
        if (refused := refused_stakes(rules, stakes_at(rules, levels, number), cash=False)) is not None:
            yield Refusal(f"levels, level {number}, {refused.field}", refused.right)


def check_levels(rules: DrawPokerRules, levels: Levels, given: Options) -> Levels:
    """Return levels that go with the rules and the other options; raise `InvalidValue` for others."""
    cash, changeable = bool(given.get("cash")), bool(given.get("changeable"))
    if (refused := refused_levels(rules, levels, cash=cash, changeable=changeable)) is not None:
        with about(LEVELS.name):
            raise InvalidValue(f"The levels cannot be played in {rules.name}: {refused.field} must be {refused.right}.")
    return levels


def with_first_level(given: Options, levels: Levels) -> Options:
    """Return the options with the blinds and the ante of level 1; raise `InvalidValue` if they name others."""
    first = levels.schedule[0]
    own: dict[str, object] = {BLINDS.name: f"{first.small}/{first.big}", ANTE.name: first.ante}
    for name, value in own.items():
        if given.get(name) not in (None, value):
            with about(name):
                raise InvalidValue(f"The levels begin with {name} {value}; leave out {name} {given[name]}.")
    return {**given, **own}


# How levels are written.


def levels_given(given: Options) -> Levels | None:
    """Return the levels that the options name or have; None without levels. Raise `InvalidValue` for wrong ones."""
    said = given.get(LEVELS.name)
    if said is None or isinstance(said, Levels):
        return said
    with about(LEVELS.name):
        return _read(str(said))


def level_preset_names() -> list[str]:
    """Return the names of the built-in schedules."""
    folder = files("pokersvc.games.draw_poker").joinpath(_PRESETS)
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _read(said: str) -> Levels:
    if said.endswith(".toml"):
        return _levels_of(_toml(_text_of(said), said), said)
    if said not in level_preset_names():
        raise InvalidValue(
            f"There are no levels {said!r}; the presets are {', '.join(level_preset_names())}, or give the path of a"
            " .toml file."
        )
    text = files("pokersvc.games.draw_poker").joinpath(_PRESETS, f"{said}.toml").read_text("utf-8")
    return _levels_of(_toml(text, said), said)


def _text_of(source: str) -> str:
    try:
        with opened(Path(source)) as file:
            text = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise InvalidValue(f"The file of levels {source} cannot be read: {why}.") from error
    if len(text) > MOST_BYTES:
        raise InvalidValue(f"The file of levels {source} is too large: it has more than {MOST_BYTES // 1000} kB.")
    return text.decode("utf-8", "replace")


def _toml(text: str, source: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValue(f"The file of levels {source} is not TOML: {shorten(str(error), 100)}.") from error


def _levels_of(data: Mapping[str, object], source: str) -> Levels:
    """Return levels read from a mapping; raise `InvalidValue`, which names the first wrong level and field."""
    _only(data, ("hands", "level"), f"The levels {source}")
    levels = data.get("level")
    if not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS:
        raise InvalidValue(f"The levels {source} have no [[level]]; they must have 1 to {MOST_LEVELS}.")
    return Levels(schedule=tuple(_level(level, at, data, source) for at, level in enumerate(levels, 1)))


def _level(level: object, number: int, data: Mapping[str, object], source: str) -> Level:
    where = f"Level {number} of {source}"
    if not isinstance(level, Mapping):
        raise InvalidValue(f"{where} is {level!r}; it must be a table of its own, [[level]].")
    _only(level, ("ante", "blinds", "hands"), where)
    blinds = blinds_in(level.get("blinds"))
    if blinds is None or blinds[0] > blinds[1]:
        raise InvalidValue(f'{where} has blinds = {level.get("blinds")!r}; they must be like "5/10".')
    ante, hands = level.get("ante", 0), level.get("hands", data.get("hands"))
    if chips_in(ante) is None or isinstance(ante, bool):
        raise InvalidValue(f"{where} has ante = {ante!r}; it must be 0 to {MAX_CHIPS:,}.")
    if type(hands) is not int or not 1 <= hands <= MOST_HANDS:
        raise InvalidValue(f"{where} has hands = {hands!r}; it must be 1 to {MOST_HANDS:,}.")
    small, big = blinds
    return Level(ante=int(ante), big=big, hands=hands, small=small)


def _only(data: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    if unknown := sorted(set(data).difference(known)):
        raise InvalidValue(f"{where} has an unknown field {unknown[0]!r}; the fields are {', '.join(known)}.")
