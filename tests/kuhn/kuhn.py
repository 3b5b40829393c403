"""Kuhn poker: two players, three cards, one bet. Its value is known: the first player loses 1/18 of a chip a round."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pokersvc import (
    AUDITOR,
    Action,
    Audience,
    Entropy,
    Entry,
    Event,
    EventTypes,
    Forfeited,
    Game,
    IllegalAction,
    InvalidAnswer,
    InvalidValue,
    Line,
    Mismatch,
    NoBooks,
    Number,
    Outcome,
    Piece,
    Player,
    Room,
    SeatedState,
    SeatSeen,
    Seed,
    Seen,
    Setup,
    Shortcut,
    Started,
    Stream,
    Tone,
    Viewer,
    WithheldSecrets,
    Words,
    does,
    say_seats,
)
from pokersvc.betting import turns
from pokersvc.betting.seats import clockwise, seats_in
from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import StreetTerms, Terms

Card: TypeAlias = Literal["J", "Q", "K"]
DECK: Final[tuple[Card, ...]] = ("J", "Q", "K")
ONE_BET: Final = StreetTerms(least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    """A game began with the given number of rounds."""

    game: Literal["kuhn"]
    rounds: Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """A round began: both players paid a chip, and the deck follows from the seed."""

    round: Number
    seed: Annotated[Seed | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A seat was dealt its card, which it alone may see."""

    card: Annotated[Card | None, Audience.SEAT]
    seat: Number


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """A seat paid a chip (a bet or a call), or did not (a check or a fold)."""

    bet: bool
    seat: Number

    @property
    def amount(self) -> int:
        return int(self.bet)


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """A seat won chips from the other. Both cards (of seats 1 and 2) are shown, unless one folded."""

    cards: tuple[Card, Card] | None
    chips: Number
    round: Number
    winner: Number


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """All rounds were played."""

    scores: tuple[int, int]


EVENT_TYPES: Final[EventTypes] = {
    (event.__name__, 1): event
    for event in (GameStarted, DeckShuffled, CardDealt, Acted, Forfeited, RoundEnded, GameEnded)
}


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Check, or fold after a bet."""


@dataclass(frozen=True, slots=True)
class Bet(Action):
    """Bet, or call after a bet."""


Legal: TypeAlias = tuple[Pass, Bet]


@dataclass(frozen=True, slots=True)
class KuhnView:
    """What a viewer may know: a card that it may not see is None."""

    bets: str
    cards: tuple[Card | None, ...]
    record: Seen[Event]
    round: int
    scores: tuple[int, int]
    seats: tuple[SeatSeen, ...]
    to_act: int | None
    viewer: Viewer


@dataclass(slots=True)
class KuhnState(SeatedState[KuhnView, Legal]):
    """A game of Kuhn poker in progress."""

    started: GameStarted = field(repr=False)
    bets: str = ""
    """The actions of the round in order: ``b`` for a paid chip, ``p`` for none."""
    cards: dict[int, Card | None] = field(default_factory=dict)
    chips: BettingState = field(init=False)
    ended: bool = False
    seed: bytes | None = None
    shown: bool = False

    def __post_init__(self) -> None:
        most = 2 * self.started.rounds  # that one can lose
        self.chips = BettingState(Terms(), ONE_BET, self.seats, [0, most, most])

    @property
    def scores(self) -> tuple[int, int]:
        """The amount that each seat has won or lost, without the current round."""
        _, one, two = map(sum, zip(self.chips.net(), self.chips.staked, strict=True))
        return one, two

    @property
    def awaited(self) -> tuple[int, ...]:
        return (self.chips.actor,) if self.chips.actor else ()

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.by_score(self.scores) if self.ended else None

    def dealer_event(self, entropy: Entropy) -> Event | None:
        if self.ended or self.awaited:
            return None
        if self.chips.live:
            return self._showdown() if len(self.cards) == 2 else self._deal()
        if self.chips.round == self.started.rounds:
            return GameEnded(self.scores)
        return DeckShuffled(self.chips.round + 1, entropy.seed(self.chips.round + 1))

    def _deal(self) -> CardDealt:
        if self.seed is None:
            raise WithheldSecrets(CardDealt)
        left = [card for card in DECK if card not in self.cards.values()]
        place = Stream(self.seed, f"card/{len(left)}").below(len(left))
        return CardDealt(left[place], clockwise(self.chips.live, self.chips.button)[len(self.cards)])

    def _showdown(self) -> RoundEnded:
        lost = min(self.chips.staked[1:])
        if self.chips.only_one_left:
            return RoundEnded(None, lost, self.chips.round, *seats_in(self.chips.live))
        one, two = self.cards[1], self.cards[2]
        if one is None or two is None:
            raise WithheldSecrets(RoundEnded)
        winner = 1 if DECK.index(one) > DECK.index(two) else 2
        return RoundEnded((one, two), lost, self.chips.round, winner)

    def legal(self, seat: int) -> Legal:
        self.check_awaited(seat)
        return Pass(seat), Bet(seat)

    def choice(self, action: Action) -> Event:
        if not isinstance(action, Pass | Bet):
            raise self.unknown(action)
        if action not in self.legal(action.seat):
            raise IllegalAction("no_seat", f"{action.seat!r} is not a seat; seats are 1 and 2.")
        return Acted(isinstance(action, Bet), action.seat)

    def change(self, event: Event) -> None:
        chips = self.chips
        match event:
            case DeckShuffled():
                if chips.round:
                    self.record.turn()
                chips.round, chips.button, chips.live = event.round, 1 + event.round % 2, chips.seated
                for seat in (1, 2):
                    turns.pay(chips, Acted(True, seat))
                self.bets, self.cards, self.seed, self.shown = "", {}, event.seed, False
            case CardDealt():
                self.cards[event.seat] = event.card
                if len(self.cards) == 2:
                    turns.start_betting(chips, ONE_BET, dealt_in=2)
            case Acted(bet=True):
                self.bets += "b"
                (turns.called if chips.price else turns.opened)(chips, event)
            case Acted() | Forfeited():
                self.bets += "p"
                (turns.folded if chips.price else turns.checked)(chips, event)
            case RoundEnded():
                chips.stacks[event.winner] += chips.pot
                chips.pot = 0
                chips.clear_round(ONE_BET)
                if event.cards is not None:
                    self.cards, self.shown = dict(enumerate(event.cards, 1)), True
            case GameEnded():
                self.ended = True

    def view(self, viewer: Viewer) -> KuhnView:
        return KuhnView(
            bets=self.bets,
            cards=tuple(self.cards.get(seat) if self.shown or viewer in (seat, AUDITOR) else None for seat in (1, 2)),
            record=self.record.seen(viewer),
            round=self.chips.round,
            scores=self.scores,
            seats=self.seats_seen(viewer),
            to_act=self.to_act,
            viewer=viewer,
        )

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        if not isinstance(event, RoundEnded):
            return None
        winner = self.seats[event.winner - 1].name
        return Entry(event.round, {"cards": list(event.cards or ()), "chips": event.chips, "winner": winner})


class KuhnWords(Words[GameStarted, KuhnState, KuhnView, Legal]):
    """Kuhn poker in words: its output for people, and the parsing of their input."""

    def title(self, facts: Mapping[str, object]) -> str:
        return "Kuhn poker"

    def tell(self, event: Event, state: KuhnState) -> str:
        seat = getattr(event, "winner", getattr(event, "seat", 1))
        name, called = state.seats[seat - 1].name, "b" in state.bets[:-1]
        match event:
            case GameStarted():
                return f"Kuhn poker: {say_seats(event.seats, hidden_kinds=event.hidden_kinds)}."
            case DeckShuffled():
                return f"Round {event.round}: both pay a chip."
            case CardDealt():
                return f"{does(name, 'is')} dealt {event.card or 'a card'}."
            case Acted():
                bet, passed = ("calls", "folds") if called else ("bets", "checks")
                return f"{does(name, bet if event.bet else passed)}."
            case Forfeited():
                return f"{does(name, 'folds' if called else 'checks')} after a failure ({event.code})."
            case RoundEnded():
                cards = f" with {event.cards[0]} against {event.cards[1]}" if event.cards else ""
                return f"{does(name, 'wins')} {event.chips}{cards}."
        return "The game is over."

    def show(self, view: KuhnView) -> list[str]:
        shown = zip(view.seats, view.cards, view.scores, strict=True)
        return [f"{does(seat.name, 'has')} {card or 'a hidden card'}, {score:+}" for seat, card, score in shown]

    def ask(self, view: KuhnView, legal: Legal) -> str:
        return "Pass (fold) or bet (call)" if "b" in view.bets else "Pass (check) or bet"

    def read(self, text: str, view: KuhnView, legal: Legal) -> Action:
        for action in legal:
            name = type(action).__name__.lower()
            if text.strip().lower() in (name, name[0]):
                return action
        raise InvalidAnswer(f"{text!r} is not a choice. You can: pass or bet.")

    def shortcuts(self, view: KuhnView, legal: Legal) -> list[Shortcut]:
        called = "b" in view.bets
        return [Shortcut("p", "fold" if called else "check"), Shortcut("b", "call" if called else "bet")]

    def draw(self, view: KuhnView, room: Room) -> list[Line]:
        lines: list[Line] = []
        for number, (seat, card, score) in enumerate(zip(view.seats, view.cards, view.scores, strict=True), 1):
            turn = Piece("> " if view.to_act == number else "  ", Tone.TURN)
            shown = Piece(card, Tone.STRONG) if card else Piece("?", Tone.HIDDEN)
            lines.append((turn, shown, Piece(f" {seat.name} {score:+}")))
        return lines

    def line(self, entry: Entry) -> str:
        return f"Round {entry.number} -- {entry.facts['winner']} won {entry.facts['chips']}"

    def details(self, entry: Entry) -> list[str]:
        return [" against ".join(entry.facts["cards"])] if entry.facts["cards"] else []


class KuhnBooks(NoBooks):
    """Chips won and lost, counted from the events alone."""

    def __init__(self) -> None:
        self.scores = [0, 0]

    def post(self, event: Event) -> Iterable[Mismatch]:
        if isinstance(event, RoundEnded):
            self.scores[event.winner - 1] += event.chips
            self.scores[2 - event.winner] -= event.chips
        return ()

    def compare(self, state: object) -> Iterable[Mismatch]:
        if isinstance(state, KuhnState) and list(state.scores) != self.scores:
            yield Mismatch(f"scores {state.scores}", f"{self.scores}")


class Equilibrium:
    """Plays the equilibrium in which a jack bluffs 1 time in 3, so that nobody gains by deviating."""

    bets: ClassVar = {"": (1 / 3, 0, 1), "p": (1 / 3, 0, 1), "b": (0, 1 / 3, 1), "pb": (0, 2 / 3, 1)}
    """The round's actions so far → the probability of betting or calling with a jack, a queen and a king."""

    def choose(self, view: KuhnView, legal: Legal, random: Random) -> Action:
        card = view.cards[legal[0].seat - 1]
        assert card is not None  # its own
        return legal[random.random() < self.bets[view.bets][DECK.index(card)]]


class AnyAction:
    """Passes or bets, whatever its card is."""

    def choose(self, view: KuhnView, legal: Legal, random: Random) -> Action:
        return random.choice(legal)


PLAYERS: Final[Mapping[str, Callable[[], Player[KuhnView, Legal]]]] = {"equilibrium": Equilibrium, "random": AnyAction}


class Kuhn(Game[GameStarted, KuhnState, KuhnView, Legal]):
    """Kuhn poker, as the service knows it."""

    kind = "kuhn"
    event_types = EVENT_TYPES
    start_event = GameStarted
    actions = (Pass, Bet)
    players = PLAYERS
    words = KuhnWords()
    dealt = frozenset({DeckShuffled, CardDealt})
    seeded = frozenset({DeckShuffled})
    unit = "chips"
    tournament_rounds = 1

    def start(self, setup: Setup) -> GameStarted:
        self.options(setup.options or {})
        if len(setup.seats) != 2:
            raise InvalidValue(f"{len(setup.seats)} players cannot play Kuhn poker; it takes 2.")
        self.check_kinds(setup.seats)
        return GameStarted(**self.started_as(setup), game="kuhn", rounds=setup.rounds or 10)

    def begin(self, started: GameStarted) -> KuhnState:
        return KuhnState(started)

    def action_of(self, event: Event) -> Action | None:
        if isinstance(event, Acted):
            return Bet(event.seat) if event.bet else Pass(event.seat)
        return super().action_of(event)

    def books(self, started: GameStarted) -> KuhnBooks:
        return KuhnBooks()


KUHN = Kuhn()
