"""Levels of a tournament: blinds and antes that rise after some hands or minutes, by a schedule in the game's start.

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
from pokersvc.core.state import TimedLevel
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.house.amounts import ANTE, BLINDS, blinds_in, chips_in, with_blinds_of
from pokersvc.games.draw_poker.house.playable import Refusal
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Bet, Chips, DrawPokerRules
from pokersvc.games.draw_poker.house.stakes import Stakes, refused_stakes, stakes_of
from pokersvc.system.files import opened
from pokersvc.text import counted

LEVELS: Final = Option(
    "levels",
    "Blinds that rise: a preset (regular, turbo, evening or quick), or a file of levels.",
    str,
    "NAME|FILE",
    form="Blinds that rise: every ten hands (regular), five (turbo), 20 minutes (evening) or 8 (quick).",
    may_be_file=True,
)
MOST_LEVELS: Final = 100
MOST_HANDS: Final = 10_000
MOST_MINUTES: Final = 10_000
MOST_BYTES: Final = 20_000
"""The maximum size of a file of levels."""
_PRESETS: Final = "level_presets"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Level(_Part):
    """The forced bets of a level, and how long it lasts; the last one lasts to the end of the game."""

    ante: Chips = 0
    big: Bet
    chip: Bet | None = None
    """The smallest chip from this level on: smaller ones are raced off as the level begins; None to race off none."""
    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)] | None = None
    """The number of rounds that are played at this level; None if it lasts for some time."""
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] | None = None
    """The minutes for which this level lasts; None if it lasts for some rounds."""
    rest: Annotated[int, Field(ge=0, le=MOST_MINUTES)] = 0
    """The minutes of the break with which the level begins, not counted in ``minutes``."""
    small: Bet


class Levels(_Part):
    """A schedule of levels; level 1 begins with round 1."""

    schedule: Annotated[tuple[Level, ...], Field(min_length=1, max_length=MOST_LEVELS, strict=False)]

    @property
    def timed(self) -> bool:
        """Whether levels end by time."""
        return self.schedule[0].minutes is not None

    def at(self, round_: int) -> int:
        """Return the number of a round's level if levels end by hands; levels and rounds count from 1.

        >>> Levels(schedule=(Level(small=1, big=2, hands=2), Level(small=2, big=4, hands=1))).at(3)
        2
        """
        last = 0
        for number, level in enumerate(self.schedule, 1):
            last += level.hands or 0
            if round_ <= last:
                return number
        return len(self.schedule)

    def begins(self, number: int) -> int:
        """Return the round with which a level begins if levels end by hands."""
        return 1 + sum(level.hands or 0 for level in self.schedule[: number - 1])

    def time_of(self, number: int) -> TimedLevel | None:
        """Return the time of a level; None if levels end by hands."""
        level = self.schedule[number - 1]
        if level.minutes is None:
            return None
        lasts = None if number == len(self.schedule) else 60 * level.minutes
        return TimedLevel(number, lasts, 60 * level.rest)


def stakes_at(rules: DrawPokerRules, levels: Levels, number: int) -> Stakes:
    """Return the stakes of a level (from 1) in a house; its minimum bets stay in proportion to the big blind."""
    level = levels.schedule[number - 1]
    changed = with_blinds_of(rules, level.small, level.big)
    return stakes_of(changed, level.ante)


def refused_levels(rules: DrawPokerRules, levels: Levels, *, cash: bool, changeable: bool) -> Refusal | None:
    """Return the first part of a game's start that does not fit its levels; None if all fits."""
    return next((refused for refused in _refusals(rules, levels, cash=cash, changeable=changeable) if refused), None)


def _refusals(rules: DrawPokerRules, levels: Levels, *, cash: bool, changeable: bool) -> Iterator[Refusal | None]:
    if rules.blinds is None:
        yield Refusal("levels", "left out in a house without blinds")
        return
    for number, level in enumerate(levels.schedule, 1):
        if (with_blinds_of(rules, level.small, level.big).betting.final_minimum or 0) > MAX_CHIPS:
            yield Refusal(
                f"levels, level {number}", f"such that a bet after the draw is at most {counted(MAX_CHIPS, 'chip')}"
            )
            return
    if cash or changeable:
        yield Refusal("levels", f"left out {'in a cash game' if cash else 'where the host may change the stakes'}")
    if rules.straddle or rules.ante.increase:
        yield Refusal("levels", "left out where there is a straddle or a rising ante")
    if {(one.hands is None, one.minutes is None) for one in levels.schedule} not in ({(True, False)}, {(False, True)}):
        yield Refusal("levels", "such that all last for some rounds, or all for some minutes")
    if levels.schedule[0].rest or (not levels.timed and any(one.rest for one in levels.schedule)):
        yield Refusal("levels", "without a break before level 1 or between levels that last for some rounds")
    if levels.schedule[0].chip or any(_has_odd_chips(one, chip) for one, chip in _smallest_chips(levels)):
        right = "such that a chip divides all blinds, antes and chips from its level on, and level 1 has none"
        yield Refusal("levels", right)
    if stakes_at(rules, levels, 1) != stakes_of(rules, rules.ante.amount):
        yield Refusal("levels", "such that level 1 has the blinds and the ante of the rules")
    for number in range(1, len(levels.schedule) + 1):
        if (refused := refused_stakes(rules, stakes_at(rules, levels, number), cash=False)) is not None:
            yield Refusal(f"levels, level {number}, {refused.field}", refused.right)


def _smallest_chips(levels: Levels) -> Iterator[tuple[Level, int]]:
    """Yield each level with its smallest chip, which it or an earlier level sets; the chip is 1 if none does."""
    chip = 1
    for level in levels.schedule:
        if level.chip is not None and level.chip % chip == 0:
            chip = level.chip
        yield level, chip


def _has_odd_chips(level: Level, chip: int) -> bool:
    return any(amount % chip for amount in (level.ante, level.big, level.small, level.chip or 0))


def check_levels(rules: DrawPokerRules, levels: Levels, given: Options) -> Levels:
    """Return levels if they fit the rules and the other options; raise `InvalidValue` if not."""
    cash, changeable = bool(given.get("cash")), bool(given.get("changeable"))
    if (refused := refused_levels(rules, levels, cash=cash, changeable=changeable)) is not None:
        with about(LEVELS.name):
            raise InvalidValue(f"The levels cannot be played in {rules.name}: {refused.field} must be {refused.right}.")
    return levels


def with_first_level(given: Options, levels: Levels) -> Options:
    """Return the options with the blinds and the ante of level 1; raise `InvalidValue` if the options say otherwise."""
    first = levels.schedule[0]
    own: dict[str, object] = {BLINDS.name: f"{first.small}/{first.big}", ANTE.name: first.ante}
    for name, value in own.items():
        if given.get(name) not in (None, value):
            with about(name):
                raise InvalidValue(f"The levels begin with {name} {value}; leave out {name} {given[name]}.")
    return {**given, **own}


# How levels are written.


def levels_given(given: Options) -> Levels | None:
    """Return the levels that the options give or name; None without any. Raise `InvalidValue` for wrong ones."""
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
    _only(data, ("hands", "level", "minutes"), f"The levels {source}")
    if "hands" in data and "minutes" in data:
        raise InvalidValue(f"The levels {source} have hands and minutes; they must have one of them.")
    levels = data.get("level")
    if not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS:
        raise InvalidValue(f"The levels {source} have no [[level]]; they must have 1 to {MOST_LEVELS}.")
    return Levels(schedule=tuple(_level(level, at, data, source) for at, level in enumerate(levels, 1)))


def _level(level: object, number: int, data: Mapping[str, object], source: str) -> Level:
    where = f"Level {number} of {source}"
    if not isinstance(level, Mapping):
        raise InvalidValue(f"{where} is {level!r}; it must be a table of its own, [[level]].")
    _only(level, ("ante", "blinds", "break", "chip", "hands", "minutes"), where)
    blinds = blinds_in(level.get("blinds"))
    if blinds is None or blinds[0] > blinds[1]:
        raise InvalidValue(
            f'{where} has blinds = {level.get("blinds")!r}; they must be like "5/10", the small blind first.'
        )
    ante = level.get("ante", 0)
    lasts = "minutes" if "minutes" in {**data, **level} and "hands" not in {**data, **level} else "hands"
    if lasts == "hands" and "minutes" in level:
        raise InvalidValue(f"{where} has minutes, and other levels have hands; all must have the same.")
    if lasts not in {**data, **level}:
        raise InvalidValue(f"{where} does not say how long it lasts; give hands or minutes, there or for all levels.")
    length, rest, chip = level.get(lasts, data.get(lasts)), level.get("break", 0), level.get("chip")
    if chips_in(ante) is None or isinstance(ante, bool):
        raise InvalidValue(f"{where} has ante = {ante!r}; it must be 0 to {MAX_CHIPS:,}.")
    most = MOST_HANDS if lasts == "hands" else MOST_MINUTES
    if type(length) is not int or not 1 <= length <= most:
        raise InvalidValue(f"{where} has {lasts} = {length!r}; it must be 1 to {most:,}.")
    if type(rest) is not int or not 0 <= rest <= MOST_MINUTES:
        raise InvalidValue(f"{where} has break = {rest!r}; it must be 0 to {MOST_MINUTES:,} minutes.")
    if chip is not None and (type(chip) is not int or not 1 <= chip <= MAX_CHIPS):
        raise InvalidValue(f"{where} has chip = {chip!r}; it must be 1 to {MAX_CHIPS:,}.")
    small, big = blinds
    return Level(ante=int(ante), big=big, chip=chip, rest=rest, small=small, **{lasts: length})


def _only(data: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    if unknown := sorted(set(data).difference(known)):
        raise InvalidValue(f"{where} has an unknown field {unknown[0]!r}; the fields are {', '.join(known)}.")
