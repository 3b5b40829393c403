"""Draw poker as a game of the service: its start, and references to its parts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final

from pokersvc.betting.cash import CASH_ACTIONS, SitDown
from pokersvc.betting.wishes import Wish
from pokersvc.cards import SHUFFLE_VERSION
from pokersvc.cards.dealing import wrong_dealing
from pokersvc.core.actions import Action
from pokersvc.core.books import Mismatch
from pokersvc.core.bots.learning import NumberedGame
from pokersvc.core.bots.many_tables import ManyTables, WriteEvent
from pokersvc.core.bots.ranges import AskedPolicies, RangeTerms
from pokersvc.core.bots.reviewing import ReviewTerms
from pokersvc.core.event import Event
from pokersvc.core.game import Game, Measure
from pokersvc.core.persons import Persons
from pokersvc.core.randomness.chance import NO_CHANCE
from pokersvc.core.seats import LONGEST_NAME, Seat
from pokersvc.core.setup import House, Options, ReadyTable, Setup
from pokersvc.core.state import Outcome
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker import cash_events, earlier_events, events
from pokersvc.games.draw_poker.actions import (
    AnnounceBombPot,
    AnswerPurchase,
    Bet,
    Call,
    ChangeStakes,
    Check,
    Discard,
    Fold,
    LegalActions,
    Raise,
)
from pokersvc.games.draw_poker.advising.advisor import OPTION, Advisor, advised_by, advised_kind, advisor_of
from pokersvc.games.draw_poker.advising.estimate import HeadsUpEstimate
from pokersvc.games.draw_poker.advising.mixtures import MIXTURES
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.counting import DrawPokerCounter, DrawPokerRounds
from pokersvc.games.draw_poker.decisions import action_of
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.entries import ENTRY_ACTIONS
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.amounts import STACK, carried_stacks, with_amounts
from pokersvc.games.draw_poker.house.cash_options import (
    CASH,
    CASH_OPTIONS,
    CHANGEABLE,
    RAKE,
    STRADDLE,
    UNCAPPED,
    is_set,
    of_a_table,
    table_for,
    with_rake,
    with_straddle,
    with_uncapped,
)
from pokersvc.games.draw_poker.house.cash_rules import (
    BOMB_POT,
    OPTIONS_OF_CASH,
    WITH_CASH_RULES,
    cash_rules_given,
    wrong_cash_rules,
)
from pokersvc.games.draw_poker.house.cash_table import first_refusal as first_table_refusal
from pokersvc.games.draw_poker.house.cash_table import seats_at_start, stacks_of
from pokersvc.games.draw_poker.house.entry import (
    ENTRY,
    ENTRY_OPTIONS,
    PRIZE_UNIT,
    check_entry,
    entry_given,
    refused_entry,
)
from pokersvc.games.draw_poker.house.houses import USUAL_HOUSE, house, load_rules, preset_names, rules_of
from pokersvc.games.draw_poker.house.levels import LEVELS, check_levels, levels_given, refused_levels, with_first_level
from pokersvc.games.draw_poker.house.open_seats import OPEN_SEATS, as_stored, check_persons, how_many, with_open_seats
from pokersvc.games.draw_poker.house.playable import check_playable, first_refusal, refused_as_recorded, refused_rules
from pokersvc.games.draw_poker.house.rules import MOST_SEATS, DrawPokerRules
from pokersvc.games.draw_poker.house.stakes import stakes_given
from pokersvc.games.draw_poker.learning.in_numbers import in_numbers
from pokersvc.games.draw_poker.persons import PEOPLE, numbered, people_at, persons_of
from pokersvc.games.draw_poker.recorded_hands import recorded_events
from pokersvc.games.draw_poker.recorded_hands.card_books import CardBooks
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.strategy.kinds import KINDS, SAID
from pokersvc.games.draw_poker.strategy.kinds import LEVELS as BOT_LEVELS
from pokersvc.games.draw_poker.versions import EVENT_TYPES, UPCASTERS
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.streets.showing import Show
from pokersvc.text import counted, listed

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.advising.ranges import HeadsUpRange
    from pokersvc.games.draw_poker.reviewing.review import DrawPokerReviewer

DEFAULT_HOUSE = "rising-ante"
READY_TABLES: Final = (
    ReadyTable(
        "Cash, blinds 1/2",
        seats=6,
        options={"rules": USUAL_HOUSE, "cash": True, "stack": "200", "blinds": "1/2"},
        settings={"seconds": 30, "bank": 120},
    ),
    ReadyTable(
        "Six friends, a tournament",
        seats=6,
        people=6,
        options={"rules": USUAL_HOUSE, "stack": "1000", "blinds": "5/10"},
        settings={"seconds": 30, "bank": 120},
    ),
    ReadyTable("As the founding papers", seats=2, options={"rules": DEFAULT_HOUSE}),
)
_CHANGES: Final = {STRADDLE.name: with_straddle, UNCAPPED.name: with_uncapped, RAKE.name: with_rake}
"""Option → the function that changes the rules by it."""


class DrawPoker(Game[GameStarted, DrawPokerState, DrawPokerView, LegalActions]):
    """Five-card draw in all its houses.

    Its options are ``rules`` (a preset, the path of a TOML file, or a mapping); ``advisor`` (how bots find their
    discards: `Advisor`); ``stack``, ``blinds``, ``ante``, ``straddle``, ``uncapped``, ``rake`` and ``rake_cap``, which
    change the rules; and options that set up a table: ``cash`` and stacks of single players in ``stack``, or ``table``
    (a `CashTable` or a mapping of its fields).
    """

    kind = "draw"
    engine = 5
    event_types = EVENT_TYPES
    start_event = GameStarted
    own_options = (OPTION, *CASH_OPTIONS, OPEN_SEATS, LEVELS, *ENTRY_OPTIONS)
    ready_tables = READY_TABLES
    upcasters = UPCASTERS
    actions = (Bet, Call, Check, Discard, Fold, Raise)
    between_rounds = (*CASH_ACTIONS, Wish, Show, *ENTRY_ACTIONS)
    players = KINDS
    players_said = SAID
    bot_levels = tuple(BOT_LEVELS)
    mixtures = MIXTURES
    words = DrawPokerWords()
    dealt = frozenset(
        {
            *(events.DeckShuffled, events.HandDealt, events.OpenerChosen, events.CardsDrawn, events.DeckReshuffled),
            *(earlier_events.HandDealt, earlier_events.CardsDrawn),
            *(recorded_events.DealRecorded, recorded_events.RecordedHandDealt, recorded_events.RecordedCardsDrawn),
        }
    )
    seeded = frozenset({events.DeckShuffled})
    dealt_together = True
    reseating = frozenset({events.SatDown})
    unit = "chips"
    round_unit = "hand"
    tournament_rounds = 1
    counts_rounds = True
    round_ends = frozenset({events.RoundEnded, events.GameEnded})

    def seed_shown(self, event: Event, last: int) -> int | None:
        """Return the number of the round whose cards an event shows; None if the event shows no card."""
        match event:
            case events.HandShown() | events.HandsOpened() | events.CardsShown():
                return last
            case events.HandDealt() | events.CardsDiscarded() | events.CardsDrawn() if event.cards:
                return last
            case earlier_events.HandDealt() | earlier_events.CardsDrawn() if event.cards:
                return last
            case events.HandsRevealed():
                return event.round
            case _:
                return None

    def gains(self, started: GameStarted, outcome: Outcome) -> tuple[int, ...]:
        """Return each seat's chips won or lost; in a tournament for prizes, its prize less its payments."""
        of_rounds = started.table is not None and (started.table.cash or started.table.recorded)
        if of_rounds or started.entry is not None:
            return outcome.scores
        _, *began = stacks_of(started.table, len(started.seats), started.rules.stack)
        return tuple(map(int.__sub__, outcome.scores, began))

    def measure(self, started: GameStarted) -> Measure | None:
        """Return thousandths of a big blind per hand (10 mbb/hand = 1 bb/100), if the big blind never changes."""
        blinds = started.rules.blinds
        if blinds is None or started.levels is not None or started.changeable or started.entry is not None:
            return None
        return Measure("mbb/hand", 1000 / blinds.big)

    def estimate(self, started: GameStarted) -> HeadsUpEstimate | None:
        """Return the estimate for two seats that play for chips with cards dealt here; None for other games."""
        special = started.entry is not None or started.table is not None or started.cash is not None
        if len(started.seats) != 2 or special:
            return None
        return HeadsUpEstimate()

    def range_of(
        self, started: GameStarted, seat: int, terms: RangeTerms, asked: AskedPolicies, random: Random
    ) -> "HeadsUpRange | None":
        """Return the opponent's range at a table for two; None in cash games, and in houses that show hands early."""
        if self.estimate(started) is None or started.rules.open_hands == "after_draw":
            return None
        from pokersvc.games.draw_poker.advising.ranges import HeadsUpRange  # numpy, which games start without

        return HeadsUpRange(seat, terms, asked, random)

    def options(self, given: Options) -> Options:
        """Return the given options, validated: the rules, those of the table, and the advisor unless it is exact."""
        known = ["rules", "table", *(option.name for option in self.own_options)]
        if unknown := set(given).difference(known, [PEOPLE]):
            raise InvalidValue(
                f"Draw poker has no option {min(unknown)!r}; its options are {listed(list(map(repr, known)))}."
            )
        advisor = advisor_of(given.get(OPTION.name, Advisor.EXACT))
        rules = given.get("rules", DEFAULT_HOUSE)
        if isinstance(rules, str):
            rules = load_rules(rules)
        elif not isinstance(rules, DrawPokerRules):
            rules = rules_of(rules, "given")
        levels = levels_given(given)
        rules = with_amounts(check_playable(rules), given if levels is None else with_first_level(given, levels))
        for name, changed in _CHANGES.items():
            with about(name):
                rules = changed(rules, given)
        if rules.player not in self.players:
            raise refused_rules(rules, "player", f"one of {', '.join(sorted(self.players))}")
        options: dict[str, object] = {"rules": rules}
        if advisor is not Advisor.EXACT:
            options[OPTION.name] = advisor
        if (entry := entry_given(given)) is not None:
            options[ENTRY.name] = check_entry(entry, MOST_SEATS, levels, cash=bool(given.get(CASH.name)))
        if levels is not None:
            options[LEVELS.name] = check_levels(rules, levels, given)
        if asked := how_many(given, rules.seats.most):
            options[OPEN_SEATS.name] = asked
        if is_set(given, CHANGEABLE.name):
            options[CHANGEABLE.name] = True
        cash_rules_given(given, rules)
        options |= {one.name: given[one.name] for one in OPTIONS_OF_CASH if given.get(one.name)}
        if PEOPLE in given:
            options[PEOPLE] = given[PEOPLE]
        return {**options, **of_a_table(given)}

    def houses(self) -> tuple[House, ...]:
        """Return the presets."""
        return tuple(map(house, preset_names()))

    def seated(self, seats: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
        """Return the seats, with bots advised as the options say, followed by the open seats."""
        return with_open_seats(advised_by(options.get(OPTION.name, Advisor.EXACT), seats), options)

    def carried_over(self, state: DrawPokerState) -> tuple[int, ...] | None:
        """Return the stacks with which the next game at a cash game's table begins; None for a freeze-out."""
        return tuple(state.stacks[1:]) if state.cash else None

    def carrying(self, options: Options, carried: Mapping[str, int]) -> Options:
        """Return the options with these stacks, by name; all others begin with the house's stack."""
        return {**options, STACK.name: carried_stacks(options.get(STACK.name), carried)} if carried else options

    def persons(self, state: DrawPokerState) -> Persons | None:
        """Return a cash game's persons, and what each brought in all games of the table; None for other games."""
        return persons_of(state)

    def person_seated(self, event: Event) -> tuple[int, int] | None:
        """Return the seat and the person of a `SatDown`; None for any other event."""
        return (event.seat, event.person) if isinstance(event, events.SatDown) and event.person else None

    def as_person(self, action: Action, person: int) -> Action:
        """Return a `SitDown` with its person's number, 0 for somebody new; other actions unchanged."""
        return replace(action, person=person) if isinstance(action, SitDown) else action

    def numbering(self, options: Options, persons: Persons, numbers: Mapping[str, int]) -> Options:
        """Return the options of the table's next cash game, in which people keep their numbers."""
        return numbered(options, persons, numbers) if options.get(CASH.name) else options

    def takes_open_seats(self, options: Options) -> bool:
        """Return whether the options set up a cash game, the only kind of game with open seats."""
        return bool(options.get(CASH.name))

    def under_name(self, action: Action, name: str | None) -> Action:
        """Return a `SitDown` with the name of the person if the action itself has none; other actions unchanged."""
        return replace(action, name=action.name or name) if isinstance(action, SitDown) else action

    def name_of(self, action: Action) -> str | None:
        """Return the name that the action of sitting down gives; None for any other action."""
        return action.name if isinstance(action, SitDown) else None

    def default_seats(self, options: Options) -> int:
        """Return the number of seats that the house fills by default."""
        rules: DrawPokerRules = options["rules"]
        return rules.seats.default

    def default_kind(self, options: Options) -> str:
        """Return the kind of bot that the house names, or `steady` if the advisor cannot advise that kind."""
        rules: DrawPokerRules = options["rules"]
        return advised_kind(options.get(OPTION.name, Advisor.EXACT), rules.player)

    def start(self, setup: Setup) -> GameStarted:
        """Return the event that starts a game; raise `InvalidValue`, with the reason, for an invalid setup."""
        options = self.options(setup.options or {})
        rules: DrawPokerRules = options["rules"]
        seats = with_open_seats(setup.seats, options)
        if not 2 <= len(seats) <= rules.seats.most:
            with about("seats"):
                raise InvalidValue(
                    f"{counted(len(seats), 'player')} cannot play {rules.name}; it takes 2 to {rules.seats.most}."
                )
        if (table := options.get("table")) is not None and table.recorded:
            raise InvalidValue("A table that is recorded has no deck to deal from; such a hand is made by a Recording.")
        stored, levels = as_stored(seats), options.get(LEVELS.name)
        self.check_kinds(stored if options.get(CASH.name) else seats)
        table = table_for(seats, rules, options)
        check_persons(seats, table)
        return GameStarted(
            **self.started_as(replace(setup, seats=stored)),
            cash=cash_rules_given(options, rules),
            changeable=bool(options.get(CHANGEABLE.name)),
            entry=check_entry(options.get(ENTRY.name), len(seats), levels, cash=bool(options.get(CASH.name))),
            game="draw",
            levels=levels,
            people=people_at(seats, options),
            rounds=setup.rounds,
            rules=rules,
            shuffle=SHUFFLE_VERSION,
            table=table,
        )

    def seats(self, started: GameStarted) -> tuple[Seat, ...]:
        """Return the seats at the start of the game, with their players and the open ones."""
        return seats_at_start(started.seats, started.table)

    def places(self, started: GameStarted) -> tuple[int, ...]:
        """Return the seat numbers at the table, which may have gaps at another site's table."""
        return super().places(started) if started.table is None else started.table.numbers

    def begin(self, started: GameStarted) -> DrawPokerState:
        """Return the state before the first round."""
        return DrawPokerState(started)

    def facts(self, started: GameStarted) -> dict[str, object]:
        """Return the name of the house; also the currency, if the table names one or the hand was dealt elsewhere.

        In a game for prizes, also the unit of results, which are not in chips.
        """
        facts: dict[str, object] = {"house": started.rules.name}
        table = started.table
        if table is not None and (table.recorded or table.currency.code):
            facts |= {"currency": table.currency.code, "exponent": table.currency.exponent}
        if started.entry is not None:
            facts["unit"] = PRIZE_UNIT
        return facts

    def opens_all(self, started: GameStarted) -> bool:
        """Return whether the house's history shows every hand of every round."""
        return started.rules.history == "all"

    def action_of(self, event: Event) -> Action | None:
        """Return the action that made an event; None for an event of the dealer."""
        return action_of(event)

    def change_of_stakes(self, state: DrawPokerState, given: Options, seat: int = 0) -> ChangeStakes | AnnounceBombPot:
        """Return the action that sets the given stakes; the other amounts stay in proportion, or unchanged.

        ``{"bomb_pot": True}`` announces a bomb pot, and cannot be combined with anything else.
        """
        if BOMB_POT.name in given:
            if given[BOMB_POT.name] is not True or len(given) > 1:
                raise InvalidValue(f"A bomb pot is announced alone, as {BOMB_POT.name} = true.")
            return AnnounceBombPot(seat)
        return ChangeStakes(seat, stakes_given(state.rules, state.next_ante, given))

    def answer_to_purchase(self, state: DrawPokerState, seat: int, *, admits: bool, by: int = 0) -> AnswerPurchase:
        """Return the action with which the host, at seat ``by`` or at none (0), admits or refuses a purchase."""
        return AnswerPurchase(seat, admits, by)

    def left_by(self, event: Event) -> int | None:
        """Return the seat whose person left with an event, even if they lost the seat by sitting out too long."""
        return event.seat if isinstance(event, cash_events.SeatFreed) else super().left_by(event)

    def contradictions(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield what is impossible in a game's start: its engine, number of players, table, or source of chance."""
        yield from self.wrong_engine(started.engine)
        most = started.rules.seats.most
        if not 2 <= len(started.seats) <= most:
            yield Mismatch(counted(len(started.seats), "player"), f"2 to {most}")
        if started.table is not None and started.engine < _WITH_TABLES:
            yield Mismatch(f"a table in a game of engine {started.engine}", f"engine {_WITH_TABLES} or a later one")
        if started.rules.straddle and started.engine < _WITH_TABLES:
            yield Mismatch(f"a straddle in a game of engine {started.engine}", f"engine {_WITH_TABLES} or a later one")
        yield from _wrong_stakes(started)
        if started.cash is not None or started.people is not None:
            yield from _wrong_cash_game(started)
        yield from _wrong_entry(started)
        if _recorded(started):
            yield from _wrong_recording(started)
        if started.table is not None and (refused := first_table_refusal(started.table, len(started.seats))):
            yield Mismatch(f"a table that nobody can play at, by its {refused.field}", refused.right)
        yield from wrong_dealing(started.shuffle, started.reproducible, started.entropy)

    def unplayable(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield the first field of the rules that makes the house unplayable, if any."""
        if (refused := first_refusal(started.rules)) is not None:
            yield Mismatch(f"rules that cannot be played, by their {refused.field}", refused.right)

    def longest_name(self, started: GameStarted) -> int:
        """Return the maximum length of a name, which is larger in a hand that was dealt elsewhere."""
        return LONGEST_NAME if _recorded(started) else super().longest_name(started)

    def record_check(self, started: GameStarted) -> CardBooks | None:
        """Return the books of cards that check a hand dealt elsewhere for contradictions; None for any other game."""
        return CardBooks(started) if _recorded(started) else None

    def books(self, started: GameStarted) -> DrawPokerBooks:
        """Return the books of the game before its first round, with the stack of each seat."""
        return DrawPokerBooks(started)

    def round_counter(self, started: GameStarted) -> DrawPokerCounter:
        """Return a counter of the game's hands."""
        return DrawPokerCounter(started)

    def began_at(self, event: Event) -> str | None:
        """Return when a hand was played, from the quote right after its start; None if this is not known."""
        played = event.played if isinstance(event, recorded_events.HandQuoted) else None
        return None if played is None else played.in_full

    def played_rounds(self, started: GameStarted) -> DrawPokerRounds:
        """Return a follower of the game that finds where and when its hands were played."""
        return DrawPokerRounds(started)

    def review(self, started: GameStarted, seat: int, terms: ReviewTerms) -> "DrawPokerReviewer":
        """Return a reviewer of a seat; raise `InvalidValue` in a house where hands are open before the last betting."""
        if started.rules.open_hands == "after_draw":
            raise InvalidValue(
                f"There is no review of the house {started.rules.name}, where hands are open before the last betting."
            )
        from pokersvc.games.draw_poker.reviewing.review import DrawPokerReviewer  # numpy, which games start without

        return DrawPokerReviewer(started, seat, terms)

    def in_numbers(self, started: GameStarted, given: Options) -> NumberedGame[DrawPokerView, LegalActions]:
        """Return the choices and figures of a house; the option ``sizes`` has the sizes of bets and raises."""
        return in_numbers(started, given)

    def in_arrays(
        self, started: GameStarted, given: Options, write: WriteEvent, *, tables: int, length: int
    ) -> ManyTables:
        """Return tables for two in a house of card rooms; raise `NotVectorised` for others."""
        from pokersvc.games.draw_poker.learning.many_tables import HeadsUpTables  # numpy, which games start without

        return HeadsUpTables(self, started, given, write, tables=tables, length=length)


def _recorded(started: GameStarted) -> bool:
    """Return whether the hand was dealt elsewhere, so that there is no deck."""
    return started.table is not None and started.table.recorded


_WITH_TABLES: Final = 3
"""The first engine version whose games may have a `CashTable` or a straddle."""

_WITH_STAKES: Final = 5
"""The first engine version whose games may have other stakes in later rounds, and prizes."""


def _wrong_stakes(started: GameStarted) -> Iterator[Mismatch]:
    """Yield what is impossible in a start with changing stakes."""
    levels, changeable = started.levels, started.changeable
    if levels is None and not changeable:
        return
    if started.engine < _WITH_STAKES or _recorded(started):
        where = "a hand that was dealt elsewhere" if _recorded(started) else f"a game of engine {started.engine}"
        yield Mismatch(f"stakes that may change in {where}", f"a game of engine {_WITH_STAKES} or a later one")
    if levels is not None:
        cash = started.table is not None and started.table.cash
        if (refused := refused_levels(started.rules, levels, cash=cash, changeable=changeable)) is not None:
            yield Mismatch(f"levels that cannot be played, by their {refused.field}", refused.right)


def _wrong_cash_game(started: GameStarted) -> Iterator[Mismatch]:
    """Yield what is impossible in a start with the rules of a cash game, or with people from earlier games."""
    if started.table is None or not started.table.cash or started.engine < WITH_CASH_RULES or _recorded(started):
        yield Mismatch(
            "rules of a cash game in another game", f"a cash game of engine {WITH_CASH_RULES} or a later one"
        )
    yield from wrong_cash_rules(started.cash, started.people, started.rules, len(started.seats))


def _wrong_entry(started: GameStarted) -> Iterator[Mismatch]:
    """Yield what is impossible in the entry to a tournament."""
    if (entry := started.entry) is None:
        return
    if started.engine < _WITH_STAKES or _recorded(started):
        where = "a hand that was dealt elsewhere" if _recorded(started) else f"a game of engine {started.engine}"
        yield Mismatch(f"prizes in {where}", f"a game of engine {_WITH_STAKES} or a later one")
    cash = started.table is not None and started.table.cash
    if (refused := refused_entry(entry, len(started.seats), started.levels, cash=cash)) is not None:
        yield Mismatch(f"an entry that cannot be, by its {refused.field}", refused.right)


def _wrong_recording(started: GameStarted) -> Iterator[Mismatch]:
    """Yield what is impossible in the start of a hand that was dealt elsewhere."""
    if started.rounds != 1:
        rounds = started.rounds or "any number"
        yield Mismatch(f"{rounds} as the rounds of a hand that was dealt elsewhere", "one, as each hand is a game")
    if (refused := refused_as_recorded(started.rules)) is not None:
        yield Mismatch(f"rules by which no hand is recorded, by their {refused.field}", refused.right)
    if started.entropy is not None and started.entropy != NO_CHANCE:
        yield Mismatch("a secret of a hand that was dealt elsewhere", "none, all zeros")


DRAW_POKER = DrawPoker()
