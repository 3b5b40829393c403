"""The Poker Market as a game of the service: its options, its start, and where its parts are."""

from collections.abc import Iterator

from pydantic import ValidationError

from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.cards.dealing import wrong_dealing
from pokersvc.core.actions import Action
from pokersvc.core.books import Mismatch
from pokersvc.core.bots.learning import NumberedGame, check_no_options
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.setup import Option, Options, Setup
from pokersvc.errors import InvalidValue, about
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass, Propose
from pokersvc.games.poker_market.books import PokerMarketBooks
from pokersvc.games.poker_market.events import GameStarted
from pokersvc.games.poker_market.learning.numbered_actions import in_numbers
from pokersvc.games.poker_market.rules import DEFAULT_ROUNDS, MOST, MOST_PLAYERS, PokerMarketRules
from pokersvc.games.poker_market.state import PokerMarketState
from pokersvc.games.poker_market.trader.kinds import LEVELS, PLAYERS, SAID
from pokersvc.games.poker_market.trading import action_of
from pokersvc.games.poker_market.versions import EVENT_TYPES, UPCASTERS
from pokersvc.games.poker_market.view import PokerMarketView
from pokersvc.games.poker_market.words import PokerMarketWords
from pokersvc.text import counted


class PokerMarket(Game[GameStarted, PokerMarketState, PokerMarketView, LegalActions]):
    """The Poker Market. Its option is ``markets``, the number of markets; the setup gives the rounds of each."""

    kind = "market"
    event_types = EVENT_TYPES
    start_event = GameStarted
    upcasters = UPCASTERS
    own_options = (
        Option(
            "markets",
            "Play M markets; points are added.  [default: 1]",
            metavar="M",
            form="How many markets are played; their points are added. If empty, 1.",
            first=True,
        ),
    )
    actions = (Accept, Decline, Pass, Propose)
    players = PLAYERS
    players_said = SAID
    bot_levels = LEVELS
    words = PokerMarketWords()
    dealt = frozenset({events.DeckShuffled, events.HandsDealt})
    seeded = frozenset({events.DeckShuffled})
    dealt_together = True
    # With three players, two can gain only at the cost of the third; with two, nobody can choose a partner.
    pair_seats = 4

    def seed_shown(self, event: Event, last: int) -> int | None:
        """Return the number of the market whose dealt hands an event shows; None for any other event."""
        return event.market if isinstance(event, events.HandsDealt) else None

    def options(self, given: Options) -> Options:
        """Return the number of markets, checked."""
        if unknown := set(given) - {"markets"}:
            raise InvalidValue(f"The Poker Market has no option {min(unknown)!r}; its option is 'markets'.")
        markets = given.get("markets", 1)
        if type(markets) is not int or not 1 <= markets <= MOST:
            with about("markets"):
                raise InvalidValue(f"A game of {markets!r} markets cannot be played; markets are 1 to {MOST}.")
        return {"markets": markets}

    def default_seats(self, options: Options) -> int:
        """Return four, the fewest seats at which two players can gain at the cost of two others."""
        return 4

    def default_kind(self, options: Options) -> str:
        """Return the bot that takes seats without a named player."""
        return "rollout"

    def start(self, setup: Setup) -> GameStarted:
        """Return the event that starts a game; raise `InvalidValue`, with the reason, for an invalid setup."""
        markets: int = self.options(setup.options or {})["markets"]
        if not 2 <= len(setup.seats) <= MOST_PLAYERS:
            with about("seats"):
                raise InvalidValue(
                    f"{counted(len(setup.seats), 'player')} cannot play the Poker Market; it takes 2 to {MOST_PLAYERS}."
                )
        self.check_kinds(setup.seats)
        try:
            rules = PokerMarketRules(markets=markets, rounds=setup.rounds or DEFAULT_ROUNDS, version=1)
        except ValidationError as error:
            with about("rounds"):
                raise InvalidValue(
                    f"A market of {setup.rounds} rounds cannot be played; rounds are 1 to {MOST}."
                ) from error
        return GameStarted(
            **self.started_as(setup),
            game="market",
            rules=rules,
            shuffle=SHUFFLE_VERSION,
        )

    def begin(self, started: GameStarted) -> PokerMarketState:
        """Return the state before the first market."""
        return PokerMarketState(started)

    def facts(self, started: GameStarted) -> dict[str, object]:
        """Return the number of markets and of rounds in each."""
        return {"markets": started.rules.markets, "rounds": started.rules.rounds}

    def action_of(self, event: Event) -> Action | None:
        """Return the action that led to an event; None for an event of the dealer."""
        return action_of(event)

    def contradictions(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield what is impossible in a game's start: its engine, number of players, or source of chance."""
        yield from self.wrong_engine(started.engine)
        if not 2 <= len(started.seats) <= MOST_PLAYERS:
            yield Mismatch(counted(len(started.seats), "player"), f"2 to {MOST_PLAYERS}")
        yield from wrong_dealing(started.shuffle, started.reproducible, started.entropy)

    def books(self, started: GameStarted) -> PokerMarketBooks:
        """Return the accounts of cards and points for an audit, as they are before the first card is dealt."""
        return PokerMarketBooks(started)

    def in_numbers(self, started: GameStarted, given: Options) -> NumberedGame[PokerMarketView, LegalActions]:
        """Return the choices and figures of the game; there are no options for them."""
        check_no_options(self.kind, given)
        return in_numbers(started)


POKER_MARKET = PokerMarket()
