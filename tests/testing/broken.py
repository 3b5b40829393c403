"""Kuhn poker broken on purpose, each time in one place, with the promise that it breaks by that."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random, SystemRandom
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

import kuhn
from kuhn import (
    Acted,
    Bet,
    Card,
    CardDealt,
    DeckShuffled,
    GameEnded,
    Kuhn,
    KuhnBooks,
    KuhnState,
    KuhnView,
    KuhnWords,
    Pass,
    RoundEnded,
)
from pydantic import Field

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.books import Mismatch
from pokersvc.core.counting import RoundPlayed, SeatPlayed
from pokersvc.core.event import Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import Entropy, EntropySource
from pokersvc.core.seats import SeatSeen
from pokersvc.core.state import Entry, Outcome
from pokersvc.testing import Promise
from tests.nim.checked import CHECKED
from tests.nim.events import GameStarted as NimStarted
from tests.nim.game import Nim
from tests.nim.state import NimState

CHANCE: Final = SystemRandom()


class Broken(NamedTuple):
    """A game, and the promise that it breaks."""

    promise: Promise
    game: Game
    how: Mapping[str, Any] = MappingProxyType({})
    """How it is checked."""


BROKEN: Final[dict[str, Broken]] = {}
"""What is broken → the game in which it is."""


def made(
    into: dict[str, Broken], what: str, promise: Promise, state: type[KuhnState] = KuhnState, **changed: Any
) -> None:
    """Note a game with another state, or with other members."""
    members = {"begin": lambda _, started: state(started), **changed}
    into[what] = Broken(promise, type("BrokenKuhn", (Kuhn,), members)())


broken: Final = partial(made, BROKEN)


@dataclass(frozen=True, slots=True)
class OpenCard(Event):
    card: Card
    seat: int


class ShowsCards(KuhnState):
    def dealer_event(self, entropy: Entropy) -> Event | None:
        event = super().dealer_event(entropy)
        return OpenCard(event.card, event.seat) if isinstance(event, CardDealt) and event.card else event

    def apply(self, event: Event) -> None:
        if isinstance(event, OpenCard):
            self.cards[event.seat] = event.card
        super().apply(event)


broken(
    "a card without its mark", Promise.MARKED, ShowsCards,
    event_types={**Kuhn.event_types, ("CardDealt", 1): OpenCard}, dealt=frozenset({DeckShuffled, OpenCard}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenSeed(Event):
    round: int
    seed: bytes


class ShowsSeeds(KuhnState):
    def dealer_event(self, entropy: Entropy) -> Event | None:
        event = super().dealer_event(entropy)
        return OpenSeed(event.round, event.seed) if isinstance(event, DeckShuffled) and event.seed else event

    def apply(self, event: Event) -> None:
        if not isinstance(event, OpenSeed):
            return super().apply(event)
        super().apply(DeckShuffled(event.round, event.seed))
        self.record.events[-1] = event
        return None


broken(
    "a seed without its mark", Promise.MARKED, ShowsSeeds,
    event_types={**Kuhn.event_types, ("DeckShuffled", 1): OpenSeed}, dealt=frozenset({OpenSeed, CardDealt}),
    seeded=frozenset({OpenSeed}), seed_of=lambda _, event: event.seed if isinstance(event, OpenSeed) else None,
)  # fmt: skip


class LooksAtCards(KuhnState):
    def apply(self, event: Event) -> None:
        if isinstance(event, CardDealt):
            assert event.card in ("J", "Q", "K")
        super().apply(event)


broken("`apply` fails without a secret", Promise.WITHHELD, LooksAtCards)


class NeverTurns(NimState):
    def change(self, event: Event) -> None:
        rounds, self.round = self.round, 0
        super().change(event)
        self.round = self.round or rounds


class OneLongRound(Nim):
    def begin(self, started: NimStarted) -> NimState:
        return NeverTurns(started)


BROKEN["no round begins in the record"] = Broken(Promise.ROUNDS, OneLongRound(), CHECKED)  # Kuhn poker has no pauses


class TellsRounds:
    """Returns the rounds of a correct game."""

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        if not isinstance(event, RoundEnded):
            return None
        return RoundPlayed(event.round, at[:19], "", None, None, "", 0, (SeatPlayed("Ann", own=True, net=1),))

    def pass_over(self, events: Sequence[tuple[Event, str]]) -> None:
        for event, at in events:
            self.take(event, at)


class TellsEarly(TellsRounds):
    def take(self, event: Event, at: str) -> RoundPlayed | None:
        if not isinstance(event, DeckShuffled):
            return None
        return RoundPlayed(event.round, at[:19], "", None, None, "", 0, ())


class TellsTheFirst(TellsRounds):
    def take(self, event: Event, at: str) -> RoundPlayed | None:
        told = super().take(event, at)
        return told and told._replace(round=1)


class CountsRounds(TellsRounds):
    rounds = 0

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        told = super().take(event, at)
        self.rounds += told is not None
        return told and told._replace(exponent=self.rounds)

    def pass_over(self, events: Sequence[tuple[Event, str]]) -> None:
        pass


class NeedsCards(TellsRounds):
    def take(self, event: Event, at: str) -> RoundPlayed | None:
        if isinstance(event, CardDealt):
            {"J": 1, "Q": 2, "K": 3}[str(event.card)]
        return super().take(event, at)


def tells(what: str, rounds: Callable[[Any], object], ends: frozenset[type[Event]] = frozenset({RoundEnded})) -> None:
    """Note a game that tells its rounds so."""
    broken(what, Promise.SESSIONS, round_ends=ends, played_rounds=lambda _, started: rounds(started))


TELLS_RIGHT: Final = type(
    "TellingKuhn", (Kuhn,), {"round_ends": frozenset({RoundEnded}), "played_rounds": lambda *_: TellsRounds()}
)()

tells("nothing ends a round that is told", lambda _: TellsRounds(), frozenset())
tells("a round is told before it ends", lambda _: TellsEarly())
tells("all rounds are told as the first", lambda _: TellsTheFirst())
tells("a round that is passed over is not counted", lambda _: CountsRounds())
tells("rounds are told by what is secret", lambda _: NeedsCards())
tells("what tells rounds cannot be made", lambda started: started.nothing)


class KingFirst(KuhnState):
    def change(self, event: Event) -> None:
        super().change(event)
        if self.awaited and self.bets == "" and self.cards[2] == "K":
            self.chips.actor = 2


broken("whose turn it is depends on a secret", Promise.VIEW_HIDES, KingFirst)


class ForgetsSeed(KuhnState):
    def decide(self, action: Action) -> Event:
        event = super().decide(action)
        self.seed = None
        return event


broken("`decide` changes the state", Promise.DECIDING, ForgetsSeed)


class NotesRefusals(KuhnState):
    def decide(self, action: Action) -> Event:
        try:
            return super().decide(action)
        except IllegalAction:
            self.bets += ""
            self.cards = dict(reversed(self.cards.items()))
            self.chips.stacks[1] += 1
            raise


broken("a refused action leaves a trace", Promise.DECIDING, NotesRefusals)


class FailsOnStrangers(KuhnState):
    def decide(self, action: Action) -> Event:
        return {1: super().decide, 2: super().decide}[action.seat](action)


broken("an action of no seat is a KeyError", Promise.REFUSING, FailsOnStrangers)


class TakesAnyBet(KuhnState):
    def legal(self, seat: int) -> kuhn.Legal:
        return Pass(seat), Bet(seat)


broken("a seat may act out of turn", Promise.REFUSING, TakesAnyBet)


class LeaksCards(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, cards=tuple(self.cards.get(seat) for seat in (1, 2)))


class ForgetsCards(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, cards=super().view("everyone").cards)


class ShowsKinds(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, seats=tuple(SeatSeen(seat.kind, seat.name) for seat in self.started.seats))


class WholeRecord(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, record=self.record.seen("everyone"))


class CountsViews(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        self.chips.stacks[1] += 1
        return super().view(viewer)


class LambdaInView(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, bets=_Unsendable(self.bets))


class _Unsendable(str):
    def __reduce__(self) -> Any:
        raise TypeError("this cannot be sent")


def seen_otherwise(state: KuhnState, viewer: Viewer, **changed: Any) -> KuhnView:
    seen = KuhnState.view(state, viewer)
    return KuhnView(**{name: changed.get(name, getattr(seen, name)) for name in KuhnView.__slots__})


broken("a view shows another's card", Promise.VIEW_HIDES, LeaksCards)
broken("a view forgets one's own card", Promise.VIEW_SHOWS, ForgetsCards)
broken("a view shows hidden kinds", Promise.VIEW_HIDES, ShowsKinds)
broken("a view's record is everybody's", Promise.VIEW_SHOWS, WholeRecord)
broken("a view changes the state", Promise.ASKING, CountsViews)
broken("a view cannot be sent to a process", Promise.PROCESS, LambdaInView)


class OpenHistory(KuhnState):
    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        found = super().entry(event, viewer)
        return found and Entry(found.number, {**found.facts, "cards": [self.cards[1], self.cards[2]]})


broken("the history shows cards that were folded", Promise.VIEW_HIDES, OpenHistory)


class DealsByItself(KuhnState):
    def dealer_event(self, entropy: Entropy) -> Event | None:
        event = super().dealer_event(entropy)
        if not isinstance(event, CardDealt) or event.card is None:
            return event
        return CardDealt(
            CHANCE.choice([card for card in ("J", "Q", "K") if card not in self.cards.values()]), event.seat
        )


broken("the dealer has chance of its own", Promise.DEALER, DealsByItself)
broken("no event records its seed", Promise.DEALER, seed_of=lambda *_: None)
broken("an event of chance is not in `dealt`", Promise.DEALT, dealt=frozenset({DeckShuffled}))


class AppliesChance(KuhnState):
    def apply(self, event: Event) -> None:
        super().apply(event)
        if isinstance(event, RoundEnded):
            self.chips.stacks[1] += CHANCE.randrange(10**9)


broken("`apply` has chance of its own", Promise.REPLAY, AppliesChance)


@dataclass(frozen=True, slots=True)
class Listed(Event):
    scores: Any


class ListsScores(KuhnState):
    def dealer_event(self, entropy: Entropy) -> Event | None:
        event = super().dealer_event(entropy)
        return Listed(event.scores) if isinstance(event, GameEnded) else event

    def apply(self, event: Event) -> None:
        if isinstance(event, Listed):
            self.ended = True
        super().apply(event)


broken(
    "an event is read back as another", Promise.CODEC, ListsScores,
    event_types={**Kuhn.event_types, ("GameEnded", 1): Listed},
)  # fmt: skip


def _swapped(self: Kuhn, event: Event) -> Action | None:
    if isinstance(event, Acted):
        return Pass(event.seat) if event.bet else Bet(event.seat)
    return Kuhn.action_of(self, event)


broken("`action_of` takes a bet for a pass", Promise.ACTION_OF, action_of=_swapped)
broken(
    "`action_of` has an action for the dealer", Promise.ACTION_OF,
    action_of=lambda self, event: Pass(1) if isinstance(event, RoundEnded) else Kuhn.action_of(self, event),
)  # fmt: skip


class LosesChip(KuhnBooks):
    def post(self, event: Event) -> Iterable[Mismatch]:
        if isinstance(event, RoundEnded) and event.chips == 2:
            self.scores[0] -= 1
        return super().post(event)


broken("the books lose a chip", Promise.BOOKS, books=lambda *_: LosesChip())


class Speechless(KuhnWords):
    def tell(self, event: Event, state: KuhnState) -> str:
        return "" if isinstance(event, RoundEnded) else super().tell(event, state)


class AsksOtherwise(KuhnWords):
    def ask(self, view: KuhnView, legal: kuhn.Legal) -> str:
        return "Check or raise"


class Mishears(KuhnWords):
    def read(self, text: str, view: KuhnView, legal: kuhn.Legal) -> Action:
        return legal[0]


class FailsOnNonsense(KuhnWords):
    def read(self, text: str, view: KuhnView, legal: kuhn.Legal) -> Action:
        return legal[{"pass": 0, "bet": 1}[text]]


broken("no words for an event", Promise.WORDS, words=Speechless())
broken("a question for answers that are not read", Promise.TYPED, words=AsksOtherwise())
broken("an answer is read as another", Promise.TYPED, words=Mishears())
broken("nonsense is a KeyError", Promise.TYPED, words=FailsOnNonsense())


@dataclass(frozen=True, slots=True)
class NumberedEnd(Event):
    scores: tuple[Annotated[int, Field(ge=-100)], int]


broken(
    "a stored form is changed without a new version", Promise.SCHEMAS,
    event_types={**Kuhn.event_types, ("GameEnded", 1): NumberedEnd},
)  # fmt: skip


broken("a game of secrets says that it has none", Promise.VIEW_HIDES, hides=False)
broken("the start has other seats", Promise.PLAYS, seats=lambda _, started: started.seats[::-1])
broken("the dealer's secret is lost", Promise.PLAYS, source=lambda *_: EntropySource.from_text("another"))


class Endless(KuhnState):
    @property
    def awaited(self) -> tuple[int, ...]:
        return (1,) if self.bets == "pp" else super().awaited


broken("a seat is awaited for ever", Promise.PLAYS, Endless)


class BetsWhenAway(KuhnState):
    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        return Bet(3 - seat)


broken("a seat whose time is over acts for another", Promise.LAPSING, BetsWhenAway)


class LooksAtBothCards(KuhnState):
    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        return Bet(seat) if self.cards[3 - seat] == "J" else Pass(seat)


broken("a seat whose time is over bets by the card of another", Promise.LAPSING, LooksAtBothCards)


class Moody:
    """A bot with a random number generator of its own."""

    def choose(self, view: KuhnView, legal: kuhn.Legal, random: Random) -> Action:
        return legal[CHANCE.randrange(2)]


broken("a program has chance of its own", Promise.SERVICE, players={"equilibrium": Moody})
BROKEN["a program has chance of its own"] = BROKEN["a program has chance of its own"]._replace(how={"seeds": range(2)})
broken("gains of a seat too many", Promise.TOURNAMENT, gains=lambda *_: (1, 0, -1))


class WrongRanks(KuhnState):
    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.scores, (1,)) if self.ended else None


broken("an outcome without ranks", Promise.PLAYS, WrongRanks)


class SpeaksOfYou(KuhnWords):
    """Has one verb for everybody."""

    def tell(self, event: Event, state: KuhnState) -> str:
        return super().tell(event, state).replace("You are dealt", "You is dealt")


broken("who is spoken to is told of as of others", Promise.WORDS, words=SpeaksOfYou())


class HasYous(KuhnWords):
    """Says whose turn it is of everybody in one way."""

    def show(self, view: KuhnView) -> list[str]:
        return [*super().show(view), f"It is {view.seats[0].name}'s turn."]


broken("something of who is spoken to is told of as of others", Promise.WORDS, words=HasYous())
