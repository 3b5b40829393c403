"""Draw poker as a game of the service: how it is started, and where its parts are."""

from collections.abc import Iterator

from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.cards.dealing import wrong_dealing
from pokersvc.core.actions import Action
from pokersvc.core.books import Mismatch
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.setup import House, Options, Setup
from pokersvc.core.state import Outcome
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advisor import OPTION, Advisor, advised_by, advisor_of
from pokersvc.games.draw_poker.betting import action_of
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.houses import house, load_rules, preset_names, rules_of
from pokersvc.games.draw_poker.playable import check_playable, first_refusal, refused_rules
from pokersvc.games.draw_poker.players import PLAYERS
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.versions import EVENT_TYPES, UPCASTERS
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.games.draw_poker.words import DrawPokerWords
from pokersvc.text import counted

DEFAULT_HOUSE = "rising-ante"


class DrawPoker(Game[GameStarted, DrawPokerState, DrawPokerView, LegalActions]):
    """Five-card draw in all its houses.

    Its options are ``rules``, a preset, the path of a TOML file, or a mapping; and ``advisor``, how programs find what
    to draw (`Advisor`).
    """

    kind = "draw"
    engine = 2
    event_types = EVENT_TYPES
    start_event = GameStarted
    own_options = (OPTION,)
    upcasters = UPCASTERS
    actions = (Bet, Call, Check, Discard, Fold, Raise)
    players = PLAYERS
    words = DrawPokerWords()
    dealt = frozenset(
        {events.DeckShuffled, events.HandDealt, events.OpenerChosen, events.CardsDrawn, events.DeckReshuffled}
    )
    seeded = frozenset({events.DeckShuffled})
    dealt_together = True
    unit = "chips"
    round_unit = "hand"
    tournament_rounds = 1

    def gains(self, started: GameStarted, outcome: Outcome) -> tuple[int, ...]:
        """Return the chips that each seat won or lost."""
        return tuple(stack - started.rules.stack for stack in outcome.scores)

    def options(self, given: Options) -> Options:
        """Return the rules, read and checked, and the advisor unless it is the exact one."""
        if unknown := set(given) - {"rules", OPTION.name}:
            raise InvalidValue(
                f"Draw poker has no option {min(unknown)!r}; its options are 'rules' and {OPTION.name!r}."
            )
        advisor = advisor_of(given.get(OPTION.name, Advisor.EXACT))
        rules = given.get("rules", DEFAULT_HOUSE)
        if isinstance(rules, str):
            rules = load_rules(rules)
        elif not isinstance(rules, DrawPokerRules):
            rules = rules_of(rules, "given")
        check_playable(rules)
        if rules.player not in self.players:
            raise refused_rules(rules, "player", f"one of {', '.join(sorted(self.players))}")
        return {"rules": rules} if advisor is Advisor.EXACT else {"rules": rules, OPTION.name: advisor}

    def houses(self) -> tuple[House, ...]:
        """Return the presets."""
        return tuple(map(house, preset_names()))

    def seated(self, seats: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
        """Return the seats with programs that are advised as the options say."""
        return advised_by(options.get(OPTION.name, Advisor.EXACT), seats)

    def default_seats(self, options: Options) -> int:
        """Return the seats that the house fills."""
        rules: DrawPokerRules = options["rules"]
        return rules.seats.default

    def default_kind(self, options: Options) -> str:
        """Return the kind of bot that the house names."""
        rules: DrawPokerRules = options["rules"]
        return rules.player

    def start(self, setup: Setup) -> GameStarted:
        """Return the event that starts a game; `InvalidValue` names what is wrong in the setup."""
        rules: DrawPokerRules = self.options(setup.options or {})["rules"]
        if not 2 <= len(setup.seats) <= rules.seats.most:
            raise InvalidValue(
                f"{counted(len(setup.seats), 'player')} cannot play {rules.name}; it takes 2 to {rules.seats.most}."
            )
        self.check_kinds(setup.seats)
        return GameStarted(
            **self.started_as(setup),
            game="draw",
            rounds=setup.rounds,
            rules=rules,
            shuffle=SHUFFLE_VERSION,
        )

    def begin(self, started: GameStarted) -> DrawPokerState:
        """Return the state before the first round."""
        return DrawPokerState(started)

    def facts(self, started: GameStarted) -> dict[str, object]:
        """Return the house."""
        return {"house": started.rules.name}

    def opens_all(self, started: GameStarted) -> bool:
        """Tell whether the house's history shows every hand of every round."""
        return started.rules.history == "all"

    def action_of(self, event: Event) -> Action | None:
        """Return the action whose event this is."""
        return action_of(event)

    def contradictions(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield contradictions: an unknown engine, too few or too many players, and a source that does not match."""
        yield from self.wrong_engine(started.engine)
        most = started.rules.seats.most
        if not 2 <= len(started.seats) <= most:
            yield Mismatch(counted(len(started.seats), "player"), f"2 to {most}")
        yield from wrong_dealing(started.shuffle, started.reproducible, started.entropy)

    def unplayable(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield the field of the rules by which no house can be played."""
        if (refused := first_refusal(started.rules)) is not None:
            yield Mismatch(f"rules that cannot be played, by their {refused.field}", refused.right)

    def books(self, started: GameStarted) -> DrawPokerBooks:
        """Return books in which every seat has the house's stack."""
        return DrawPokerBooks(started)


DRAW_POKER = DrawPoker()
