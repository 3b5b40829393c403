"""Kalah as a game of the service: its options, its start, and where its parts are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pokersvc.core.actions import Action
from pokersvc.core.books import Mismatch
from pokersvc.core.bots.learning import NumberedGame, check_no_options
from pokersvc.core.bots.reviewing import ReviewTerms
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import wrong_source
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Option, Options, Setup
from pokersvc.core.state import Outcome
from pokersvc.errors import InvalidValue, about
from pokersvc.games.kalah import events
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.books import KalahBooks
from pokersvc.games.kalah.events import GameStarted
from pokersvc.games.kalah.numbered_actions import in_numbers
from pokersvc.games.kalah.perfect_play.perfect import PERFECT, check_playable
from pokersvc.games.kalah.players import KINDS, LEVELS, SAID, thinking, timed
from pokersvc.games.kalah.rules import KalahRules, check_size
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.kalah.versions import EVENT_TYPES, UPCASTERS
from pokersvc.games.kalah.view import KalahView
from pokersvc.games.kalah.words import KalahWords
from pokersvc.text import counted

if TYPE_CHECKING:
    from pokersvc.games.kalah.perfect_play.review import KalahReviewer

TOURNAMENT_DEPTH: Final = 8
"""The number of sowings that `smart` looks ahead in a tournament by default."""

_OPTIONS: Final = (
    Option("holes", "Holes per side.  [default: 6]", form="Holes per side. If empty, 6.", first=True),
    Option(
        "beans",
        "Beans in each hole at the start.  [default: 4]",
        form="Beans in each hole at the start. If empty, 4.",
        first=True,
    ),
    Option("empty_capture", "Capture a last bean in an empty hole even if the opposite hole is empty.", bool, None),
    Option(
        "think", "Seconds that a smart bot thinks about a move; 0: no limit.  [default: 5]", str, "SECONDS", open=False
    ),
)


class Kalah(Game[GameStarted, KalahState, KalahView, LegalActions]):
    """Kalah of any size. Its options are ``holes``, ``beans``, ``empty_capture`` and ``think``."""

    kind = "kalah"
    event_types = EVENT_TYPES
    start_event = GameStarted
    upcasters = UPCASTERS
    own_options = _OPTIONS
    actions = (Sow,)
    players = KINDS
    players_said = SAID
    bot_levels = tuple(LEVELS)
    words = KalahWords()
    hides = False
    unit = "beans"
    rated = True
    samples_at_tables = 400  # thousands of sowings for each move

    def gains(self, started: GameStarted, outcome: Outcome) -> tuple[int, ...]:
        """Return each seat's margin: its pot less the other's."""
        south, north = outcome.scores
        return south - north, north - south

    def options(self, given: Options) -> Options:
        """Return the size of the board and the capture rule, checked."""
        if unknown := set(given) - {option.name for option in _OPTIONS}:
            raise InvalidValue(
                f"Kalah has no option {min(unknown)!r}; its options are 'holes', 'beans', 'empty_capture' and 'think'."
            )
        holes, beans = given.get("holes", 6), given.get("beans", 4)
        check_size(holes, beans)
        empty_capture = given.get("empty_capture", False)
        if type(empty_capture) is not bool:
            raise InvalidValue(f"The option 'empty_capture' must be yes or no, not {empty_capture!r}.")
        think = given.get("think")
        if think is not None:
            thinking("smart", think)
        return {"holes": holes, "beans": beans, "empty_capture": empty_capture, "think": think}

    def seated(self, seats: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
        """Return the seats, with smart bots that think for the time that the options give."""
        think = options["think"]
        return seats if think is None else tuple(replace(seat, kind=thinking(seat.kind, think)) for seat in seats)

    def default_seats(self, options: Options) -> int:
        """Return 2: a game has a seat for South and a seat for North."""
        return 2

    def default_kind(self, options: Options) -> str:
        """Return the strongest bot."""
        return "smart"

    def tournament_kind(self, kind: str) -> str:
        """Return the kind as tournaments use it: `smart` with a depth; raise `InvalidValue` if it has a time limit."""
        if kind == "smart":
            return f"{kind}/{TOURNAMENT_DEPTH}"
        if timed(kind):
            raise InvalidValue(
                f"{kind!r} has a time limit, but a tournament must go the same on every machine; use smart/DEPTH,"
                f" such as smart/{TOURNAMENT_DEPTH}."
            )
        return kind

    def start(self, setup: Setup) -> GameStarted:
        """Return the event that starts a game; raise `InvalidValue`, with the reason, for an invalid setup."""
        options = self.options(setup.options or {})
        rules = KalahRules(beans=options["beans"], empty_capture=options["empty_capture"], holes=options["holes"])
        if len(setup.seats) != 2:
            with about("seats"):
                raise InvalidValue(
                    f"{counted(len(setup.seats), 'player')} cannot play Kalah; it takes 2, South and North."
                )
        if setup.rounds is not None:
            with about("rounds"):
                raise InvalidValue(f"Kalah has no rounds, so it cannot end after {setup.rounds}; leave out the rounds.")
        self.check_kinds(setup.seats)
        for number, seat in enumerate(setup.seats, 1):
            if seat.kind == PERFECT:
                with about(f"seats.{number}.program"):
                    check_playable(rules)
        return GameStarted(
            **self.started_as(setup),
            game="kalah",
            rules=rules,
        )

    def reproducible(self, setup: Setup) -> bool:
        """Return whether the game can be repeated exactly: it has a seed text, and no bot has a time limit."""
        return super().reproducible(setup) and not any(timed(seat.kind) for seat in setup.seats)

    def begin(self, started: GameStarted) -> KalahState:
        """Return the state before the first move."""
        return KalahState.after(started)

    def facts(self, started: GameStarted) -> dict[str, object]:
        """Return the size of the board and the capture rule."""
        rules = started.rules
        return {"beans": rules.beans, "empty_capture": rules.empty_capture, "holes": rules.holes}

    def action_of(self, event: Event) -> Action | None:
        """Return the action that led to an event; None for an event of the dealer."""
        match event:
            case events.BeansSown():
                return Sow(event.seat, event.hole)
            case _:
                return super().action_of(event)

    def contradictions(self, started: GameStarted) -> Iterator[Mismatch]:
        """Yield contradictions: an unknown engine, not two players, or a wrong claim that the game is reproducible."""
        yield from self.wrong_engine(started.engine)
        if len(started.seats) != 2:
            yield Mismatch(counted(len(started.seats), "player"), "2, South and North")
        if not any(timed(seat.kind) for seat in started.seats):
            yield from wrong_source(started.reproducible, started.entropy)
        elif started.reproducible:
            yield Mismatch("a reproducible game", "a bot with a time limit, which may choose differently")

    def review(self, started: GameStarted, seat: int, terms: ReviewTerms) -> "KalahReviewer":
        """Return a reviewer of a side, which compares each move with perfect play."""
        from pokersvc.games.kalah.perfect_play.review import KalahReviewer  # the solver, which games start without

        return KalahReviewer(started, seat, terms)

    def books(self, started: GameStarted) -> KalahBooks:
        """Return books with the beans in their holes at the start."""
        return KalahBooks(started)

    def in_numbers(self, started: GameStarted, given: Options) -> NumberedGame[KalahView, LegalActions]:
        """Return the choices and figures of the game; there are no options for them."""
        check_no_options(self.kind, given)
        return in_numbers(started)


KALAH = Kalah()
