"""Draw poker as a game of the service: how it is started, and where its parts are."""

from collections.abc import Mapping
from typing import Any

from pokersvc import __version__
from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.events import EVENT_TYPES, GameStarted
from pokersvc.games.draw_poker.houses import house, load_rules, preset_names, rules_of
from pokersvc.games.draw_poker.playable import check_playable, refused_rules
from pokersvc.games.draw_poker.players import PLAYERS
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.words import DrawPokerWords
from pokersvc.games.entropy import EntropySource
from pokersvc.games.game import Game, House, Seat, Setup

DEFAULT_HOUSE = "rising-ante"


class DrawPoker(Game):
    """Five-card draw in all its houses. Its option is ``rules``: a preset, the path of a TOML file, or a mapping."""

    kind = "draw"
    event_types = EVENT_TYPES
    players = PLAYERS
    words = DrawPokerWords()

    def options(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the rules, read and checked."""
        if unknown := set(given) - {"rules"}:
            raise InvalidValue(f"Draw poker has no option {min(unknown)!r}; its option is 'rules'.")
        rules = given.get("rules", DEFAULT_HOUSE)
        if isinstance(rules, str):
            rules = load_rules(rules)
        elif not isinstance(rules, DrawPokerRules):
            rules = rules_of(rules, "given")
        check_playable(rules)
        if rules.player not in self.players:
            raise refused_rules(rules, "player", f"one of {', '.join(sorted(self.players))}")
        return {"rules": rules}

    def houses(self) -> tuple[House, ...]:
        """Return the presets."""
        return tuple(map(house, preset_names()))

    def default_seats(self, options: Mapping[str, Any]) -> int:
        """Return the seats that the house fills."""
        rules: DrawPokerRules = options["rules"]
        return rules.seats.default

    def default_kind(self, options: Mapping[str, Any]) -> str:
        """Return the house's program."""
        rules: DrawPokerRules = options["rules"]
        return rules.player

    def start(self, setup: Setup) -> GameStarted:
        """Return the event that starts a game; `InvalidValue` says what in the setup will not do."""
        rules: DrawPokerRules = self.options(setup.options or {})["rules"]
        if not 2 <= len(setup.seats) <= rules.seats.most:
            raise InvalidValue(
                f"{len(setup.seats)} players cannot play {rules.name}; it takes 2 to {rules.seats.most}."
            )
        self.check_kinds(setup.seats)
        return GameStarted(
            entropy=setup.source,
            game="draw",
            program=__version__,
            reproducible=setup.source.text is not None,
            rounds=setup.rounds,
            rules=rules,
            seats=setup.seats,
            shuffle=SHUFFLE_VERSION,
        )

    def new(self, started: GameStarted) -> DrawPokerState:
        """Return the state before the first round."""
        return DrawPokerState(started)

    def seats(self, started: GameStarted) -> tuple[Seat, ...]:
        """Return who plays."""
        return started.seats

    def source(self, started: GameStarted) -> EntropySource | None:
        """Return the dealer's secret."""
        return started.entropy


DRAW_POKER = DrawPoker()
