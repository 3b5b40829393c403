"""A person's settings in the form that commands use: name, house, opponents, colours and advice."""

import os
import sys
from typing import NamedTuple

import pokersvc
from pokersvc import core
from pokersvc.cli import rules
from pokersvc.cli.setup import settings


class Preferences(NamedTuple):
    """The current settings of a person."""

    chosen: dict[str, settings.Held]

    @classmethod
    def of_this_person(cls) -> "Preferences":
        """Read the settings; raise `InvalidSetting` if one is invalid."""
        return cls(settings.chosen())

    @property
    def name(self) -> str | None:
        """The person's name; None if it is not set."""
        return str(self.chosen["name"].value) if "name" in self.chosen else None

    @property
    def advice(self) -> bool:
        """Whether advice is shown without being asked for."""
        return "advice" not in self.chosen or bool(self.chosen["advice"].value)

    @property
    def colours(self) -> str:
        """The setting of colours: a word of `settings.COLOURS`."""
        return str(self.chosen["colours"].value) if "colours" in self.chosen else "auto"

    @property
    def coloured(self) -> bool:
        """Whether standard output gets colours: by default if it is a terminal that shows colours."""
        wanted = self.colours
        return wanted == "always" or (wanted != "never" and sys.stdout.isatty() and os.environ.get("TERM") != "dumb")

    def house_of(self, game: "pokersvc.Game") -> str | None:
        """Return the house set for new games; None (the game's default) if none is set or the game lacks it."""
        if "house" not in self.chosen:
            return None
        house, origin = self.chosen["house"]
        if any(one.name == house for one in game.houses()):
            return str(house)
        if all(one.name != house for _, one in rules.houses()):
            raise settings.InvalidSetting(f"{origin}: house cannot be {house!r}; `pokersvc rules` lists the houses.")
        return None

    def opponents_of(self, game: "pokersvc.Game") -> str | None:
        """Return the kind of bots set for new games; None (the house's kind) if none is set or the game lacks it."""
        if "opponents" not in self.chosen:
            return None
        kind, origin = self.chosen["opponents"]
        if kind in game.players:
            return str(kind)
        if kind not in bots():
            raise settings.InvalidSetting(f"{origin}: opponents cannot be {kind!r}: bots are {', '.join(bots())}.")
        return None


def bots() -> list[str]:
    """Return the kinds of bots of all games, each game's levels first."""
    games = [pokersvc.game_of(kind) for kind in pokersvc.game_kinds() if core.registry.usable(kind)]
    return list(dict.fromkeys(kind for game in games for kind in (*game.bot_levels, *game.players) if "/" not in kind))
