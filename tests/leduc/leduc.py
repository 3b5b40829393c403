"""Leduc hold'em: six cards, one card each and one shared; two rounds with bets of 2 and 4, and one raise in each."""

from dataclasses import dataclass, field
from random import Random
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import pokersvc as svc
from pokersvc.betting import choices, pots, state, terms, turns

Card: TypeAlias = Literal["JS", "JH", "QS", "QH", "KS", "KH"]
Legal: TypeAlias = tuple[svc.Action, ...]
DECK: Final[tuple[Card, ...]] = ("JS", "JH", "QS", "QH", "KS", "KH")
TERMS: Final = terms.Terms(raises="fixed_limit", all_in=True)
STREETS: Final = terms.StreetTerms(least=2, most_bets=2), terms.StreetTerms(least=4, most_bets=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(svc.Started):
    game: Literal["leduc"]
    rounds: svc.Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(svc.Event):  # and both paid a chip
    round: svc.Number
    seed: Annotated[svc.Seed | None, svc.Audience.DEALER]


@dataclass(frozen=True, slots=True)
class CardDealt(svc.Event):
    card: Annotated[Card | None, svc.Audience.SEAT]
    seat: svc.Number


@dataclass(frozen=True, slots=True)
class CardTurned(svc.Event):  # which is for both
    card: Card


@dataclass(frozen=True, slots=True)
class Acted(svc.Event):  # put in an amount: to call it, or to raise the price ``to`` this
    amount: int
    choice: Literal["Fold", "Call", "Raise"]
    seat: svc.Number
    to: int


@dataclass(frozen=True, slots=True)
class RoundEnded(svc.Event):  # with what each seat gets of the pot, and the cards if nobody folded
    cards: tuple[Card, Card] | None
    gets: tuple[int, int]
    round: svc.Number


class Fold(svc.Action): ...


class Call(svc.Action): ...  # or check


class Raise(svc.Action): ...  # or bet


@dataclass(frozen=True, slots=True)
class LeducView:
    cards: tuple[Card | None, ...]
    public: Card | None
    record: svc.Seen[svc.Event]
    scores: tuple[int, ...]
    seats: tuple[svc.SeatSeen, ...]
    to_act: int | None
    viewer: svc.Viewer


@dataclass(slots=True)
class LeducState(svc.SeatedState[LeducView, Legal]):
    started: GameStarted = field(repr=False)
    bets: state.BettingState = field(init=False)
    cards: dict[int, Card | None] = field(default_factory=dict)
    on: bool = False
    public: Card | None = None
    seed: bytes | None = None

    def __post_init__(self) -> None:
        stack = 13 * self.started.rounds + 1  # more than one can lose, so nobody is ever all in
        self.bets = state.BettingState(TERMS, STREETS[0], self.seats, [0, stack, stack])

    @property
    def awaited(self) -> tuple[int, ...]:
        return (self.bets.actor,) if self.bets.actor else ()

    @property
    def outcome(self) -> svc.Outcome | None:
        over = self.bets.round == self.started.rounds and not self.on
        return svc.Outcome.by_score(tuple(self.bets.net()[1:])) if over else None

    def dealer_event(self, entropy: svc.Entropy) -> svc.Event | None:
        bets, seat = self.bets, len(self.cards) + 1
        if bets.actor or self.outcome:
            return None
        if not self.on:
            return DeckShuffled(bets.round + 1, entropy.seed(bets.round + 1))
        if seat < 3:
            return CardDealt(self._next_card(), seat)
        if not bets.only_one_left and self.public is None:
            return CardTurned(self._next_card())
        winners, cards = bets.live, None
        if not bets.only_one_left:
            if (one := self.cards[1]) is None or (two := self.cards[2]) is None:
                raise svc.WithheldSecrets(RoundEnded)
            ranks = [(card[0] == str(self.public)[0], DECK.index(card) // 2) for card in (one, two)]
            winners, cards = sum(2 << place for place in (0, 1) if ranks[place] == max(ranks)), (one, two)
        gets = pots.shares_of(bets.pot, winners, odd_chips=False, button=bets.button)
        return RoundEnded(cards, (gets.get(1, 0), gets.get(2, 0)), bets.round)

    def _next_card(self) -> Card:
        left = [card for card in DECK if card not in self.cards.values()]
        if self.seed is None:
            raise svc.WithheldSecrets(CardDealt, CardTurned)
        return left[svc.Stream(self.seed, f"card/{len(left)}").below(len(left))]

    def legal(self, seat: int) -> Legal:
        self.check_awaited(seat)
        may = turns.choices_of(self.bets, seat, choices.Choices)
        return (Fold(seat),) * may.fold + (Call(seat),) + (Raise(seat),) * bool(may.bet or may.raise_to)

    def choice(self, action: svc.Action) -> Acted:
        if action not in self.legal(action.seat):
            raise svc.IllegalAction("cannot_choose", f"Seat {action.seat} cannot choose {action} now.")
        may = turns.choices_of(self.bets, action.seat, choices.Choices)
        if isinstance(action, Raise):
            to, _ = may.bet or may.raise_to or (0, 0)
            return Acted(to - self.bets.put[action.seat], "Raise", action.seat, to)
        return Acted(may.call, "Call", action.seat, 0) if isinstance(action, Call) else Acted(0, "Fold", action.seat, 0)

    def change(self, event: svc.Event) -> None:
        bets = self.bets
        match event:
            case DeckShuffled():
                if bets.round:
                    self.record.turn()
                bets.clear_round(STREETS[0])
                bets.round, bets.button, bets.live = event.round, 1 + event.round % 2, bets.seated
                for seat in (1, 2):
                    turns.pay(bets, Acted(1, "Call", seat, 1))
                self.cards, self.public, self.seed, self.on = {}, None, event.seed, True
            case CardDealt():
                self.cards[event.seat] = event.card
                if len(self.cards) == 2:
                    turns.start_betting(bets, STREETS[0], dealt_in=2)
            case CardTurned():
                self.public = event.card
                turns.start_betting(bets, STREETS[1], dealt_in=2)
            case Acted():
                {"Fold": turns.folded, "Call": turns.called, "Raise": turns.raised}[event.choice](bets, event)
            case svc.Forfeited():
                turns.forfeited(bets, event)
            case RoundEnded():
                for seat, amount in enumerate(event.gets, 1):
                    bets.stacks[seat] += amount
                bets.pot, self.on = 0, False
                self.cards = dict(enumerate(event.cards or (), 1))  # whose are not shown are gone

    def view(self, viewer: svc.Viewer) -> LeducView:
        cards = [self.cards.get(seat) if not self.on or viewer in (seat, svc.AUDITOR) else None for seat in (1, 2)]
        scores, seats = tuple(self.bets.net()[1:]), self.seats_seen(viewer)
        return LeducView(tuple(cards), self.public, self.record.seen(viewer), scores, seats, self.to_act, viewer)

    def entry(self, event: svc.Event, viewer: svc.Viewer) -> svc.Entry | None:
        return svc.Entry(event.round, {"gets": list(event.gets)}) if isinstance(event, RoundEnded) else None


class LeducWords(svc.Words[GameStarted, LeducState, LeducView, Legal]):
    def title(self, facts: object) -> str:
        return "Leduc hold'em"

    def tell(self, event: svc.Event, state: LeducState) -> str:
        name = state.seats[getattr(event, "seat", 1) - 1].name
        match event:
            case GameStarted():
                return f"Leduc hold'em: {svc.say_seats(event.seats, hidden_kinds=event.hidden_kinds)}."
            case DeckShuffled():
                return f"Round {event.round}: both pay a chip."
            case CardDealt():
                return f"{svc.does(name, 'is')} dealt {event.card or 'a card'}."
            case CardTurned():
                return f"The card of both is {event.card}."
            case Acted():
                verbs = {"Fold": "folds", "Call": "calls" if event.amount else "checks", "Raise": "puts in"}
                return f"{svc.does(name, verbs[event.choice])}{f' {event.amount}' if event.amount else ''}."
            case RoundEnded():
                gets = [f"{svc.does(seat.name, 'gets')} {n}" for seat, n in zip(state.seats, event.gets, strict=True)]
                return f"{' against '.join(event.cards or ('All but one folded',))}: {' and '.join(gets)}."
        return f"{svc.does(name, 'folds')} after a failure."

    def show(self, view: LeducView) -> list[str]:
        shown = zip(view.seats, view.cards, view.scores, strict=True)
        lines = [f"{svc.does(seat.name, 'has')} {card or 'a hidden card'}, {score:+}" for seat, card, score in shown]
        return [*lines, f"The card of both: {view.public or 'hidden'}"]

    def ask(self, view: LeducView, legal: Legal) -> str:
        return " or ".join(type(action).__name__ for action in legal)

    def read(self, text: str, view: LeducView, legal: Legal) -> svc.Action:
        for action in legal:
            if text.strip().lower() == type(action).__name__.lower():
                return action
        raise svc.InvalidAnswer(f"{text!r} is not a choice. You can: {self.ask(view, legal).lower()}.")

    def line(self, entry: svc.Entry) -> str:
        return f"Round {entry.number} -- {' and '.join(map(str, entry.facts['gets']))} of the pot"


class AnyChoice:
    def choose(self, view: LeducView, legal: Legal, random: Random) -> svc.Action:
        return random.choice(legal)


class Leduc(svc.Game[GameStarted, LeducState, LeducView, Legal]):
    kind = "leduc"
    event_types: ClassVar = {
        (event.__name__, 1): event
        for event in (GameStarted, DeckShuffled, CardDealt, CardTurned, Acted, svc.Forfeited, RoundEnded)
    }
    start_event = GameStarted
    actions = (Fold, Call, Raise)
    players = {"random": AnyChoice}  # noqa: RUF012
    words = LeducWords()
    dealt = frozenset({DeckShuffled, CardDealt, CardTurned})
    seeded = frozenset({DeckShuffled})

    def start(self, setup: svc.Setup) -> GameStarted:
        self.options(setup.options or {})
        if len(setup.seats) != 2:
            raise svc.InvalidValue(f"{len(setup.seats)} players cannot play Leduc hold'em; it takes 2.")
        self.check_kinds(setup.seats)
        return GameStarted(**self.started_as(setup), game="leduc", rounds=setup.rounds or 10)

    def begin(self, started: GameStarted) -> LeducState:
        return LeducState(started)

    def action_of(self, event: svc.Event) -> svc.Action | None:
        kinds = {"Fold": Fold, "Call": Call, "Raise": Raise}
        return kinds[event.choice](event.seat) if isinstance(event, Acted) else super().action_of(event)


LEDUC = Leduc()
