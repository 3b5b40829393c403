"""A draw of two-card hands: six cards, a bet of 1, one card changed, a bet of 2. A pair beats two single cards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import pokersvc as svc
from pokersvc.betting import choices, pots, state, terms, turns
from pokersvc.core.bots.estimates import EnumeratedEstimate

Card: TypeAlias = Literal["J", "Q", "K"]
Hand: TypeAlias = tuple[Card, Card]
Legal: TypeAlias = tuple[svc.Action, ...]
DECK: Final[tuple[Card, ...]] = ("J", "J", "Q", "Q", "K", "K")
TERMS: Final = terms.Terms(raises="fixed_limit", all_in=True)
STREETS: Final = terms.StreetTerms(least=1, most_bets=1), terms.StreetTerms(least=2, most_bets=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(svc.Started):
    game: Literal["small_draw"]
    rounds: svc.Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(svc.Event):  # and both paid a chip
    round: svc.Number
    seed: Annotated[svc.Seed | None, svc.Audience.DEALER]


@dataclass(frozen=True, slots=True)
class HandDealt(svc.Event):
    cards: Annotated[Hand | None, svc.Audience.SEAT]
    seat: svc.Number


@dataclass(frozen=True, slots=True)
class Changed(svc.Event):  # a card or none, face down
    choice: Annotated[Literal["Keep", "Lower", "Higher"] | None, svc.Audience.SEAT]
    count: int
    seat: svc.Number


@dataclass(frozen=True, slots=True)
class CardDrawn(svc.Event):
    card: Annotated[Card | None, svc.Audience.SEAT]
    seat: svc.Number


@dataclass(frozen=True, slots=True)
class Acted(svc.Event):
    amount: int
    choice: Literal["Fold", "Call", "Raise"]
    seat: svc.Number
    to: int


@dataclass(frozen=True, slots=True)
class RoundEnded(svc.Event):  # with what each seat gets of the pot, and the hands if nobody folded
    gets: tuple[int, int]
    hands: tuple[Hand, Hand] | None
    round: svc.Number


class Fold(svc.Action): ...


class Call(svc.Action): ...  # or check


class Raise(svc.Action): ...  # or bet


class Keep(svc.Action): ...


class Lower(svc.Action): ...  # change the lower card


class Higher(svc.Action): ...


BETS: Final = {"Fold": Fold, "Call": Call, "Raise": Raise}
CHANGES: Final = {"Keep": Keep, "Lower": Lower, "Higher": Higher}


def in_order(one: Card, two: Card) -> Hand:
    """Return a hand, the lower card first."""
    return (one, two) if DECK.index(one) <= DECK.index(two) else (two, one)


def worth(hand: Hand) -> tuple[bool, int, int]:
    """Return the key by which hands are compared."""
    low, high = (DECK.index(card) for card in hand)
    return low == high, high, low


@dataclass(frozen=True, slots=True)
class SmallDrawView:
    hands: tuple[Hand | None, ...]
    record: svc.Seen[svc.Event]
    scores: tuple[int, ...]
    seats: tuple[svc.SeatSeen, ...]
    to_act: int | None
    viewer: svc.Viewer


@dataclass(slots=True)
class SmallDrawState(svc.SeatedState[SmallDrawView, Legal]):
    started: GameStarted = field(repr=False)
    bets: state.BettingState = field(init=False)
    hands: dict[int, Hand | None] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    """The number of cards that each seat has changed."""
    drawn: int = 0
    kept: dict[int, Card | None] = field(default_factory=dict)
    """The card that a seat keeps until it has drawn another."""
    on: bool = False
    out: list[Card | None] = field(default_factory=list)
    """The cards that were thrown away."""
    seed: bytes | None = None

    def __post_init__(self) -> None:
        stack = 4 * self.started.rounds + 1  # more than one can lose, so nobody is ever all in
        self.bets = state.BettingState(TERMS, STREETS[0], self.seats, [0, stack, stack])

    @property
    def changing(self) -> int | None:
        """The seat that must say what it changes, if one must."""
        waits = self.on and not self.bets.actor and len(self.hands) == 2 and not self.bets.only_one_left
        return len(self.counts) + 1 if waits and len(self.counts) < 2 and not self.kept else None

    @property
    def awaited(self) -> tuple[int, ...]:
        seat = self.bets.actor or self.changing
        return (seat,) if seat else ()

    @property
    def outcome(self) -> svc.Outcome | None:
        over = self.bets.round == self.started.rounds and not self.on
        return svc.Outcome.by_score(tuple(self.bets.net()[1:])) if over else None

    def left(self) -> list[Card]:
        """Return the cards that may still be dealt; raise `WithheldSecrets` where some that are out are hidden."""
        left = list(DECK)
        for card in (card for hand in self.hands.values() for card in hand or (None, None)):
            self._out(left, card)
        for card in (*self.out, *self.kept.values()):
            self._out(left, card)
        return left

    def _out(self, left: list[Card], card: Card | None) -> None:
        if card is None:
            raise svc.WithheldSecrets(HandDealt, CardDrawn)
        left.remove(card)

    def dealer_event(self, entropy: svc.Entropy) -> svc.Event | None:
        bets, seat = self.bets, len(self.hands) + 1
        if self.awaited or self.outcome:
            return None
        if not self.on:
            return DeckShuffled(bets.round + 1, entropy.seed(bets.round + 1))
        if self.kept:
            return CardDrawn(self._next_cards(1)[0], *self.kept)
        if seat < 3:
            one, two = self._next_cards(2)
            return HandDealt(in_order(one, two), seat)
        winners, hands = bets.live, None
        if not bets.only_one_left:
            if (one_hand := self.hands[1]) is None or (other := self.hands[2]) is None:
                raise svc.WithheldSecrets(RoundEnded)
            hands = one_hand, other
            worths = [worth(hand) for hand in hands]
            winners = sum(2 << place for place in (0, 1) if worths[place] == max(worths))
        gets = pots.shares_of(bets.pot, winners, odd_chips=False, button=bets.button)
        return RoundEnded((gets.get(1, 0), gets.get(2, 0)), hands, bets.round)

    def _next_cards(self, count: int) -> list[Card]:
        left, found = self.left(), []
        if self.seed is None:
            raise svc.WithheldSecrets(HandDealt, CardDrawn)
        for _ in range(count):
            place = svc.Stream(self.seed, f"card/{self.drawn}/{len(left)}").below(len(left))
            found.append(left.pop(place))
        return found

    def legal(self, seat: int) -> Legal:
        self.check_awaited(seat)
        if seat == self.changing:
            hand = self.hands[seat]
            pair = hand is not None and hand[0] == hand[1]
            return (Keep(seat), Lower(seat)) if pair else (Keep(seat), Lower(seat), Higher(seat))
        may = turns.choices_of(self.bets, seat, choices.Choices)
        return (Fold(seat),) * may.fold + (Call(seat),) + (Raise(seat),) * bool(may.bet or may.raise_to)

    def choice(self, action: svc.Action) -> svc.Event:
        seat = action.seat
        if action not in self.legal(seat):
            raise svc.IllegalAction("cannot_choose", f"Seat {seat} cannot choose {action} now.")
        if isinstance(action, Keep):
            return Changed("Keep", 0, seat)
        if isinstance(action, Lower | Higher):
            return Changed("Lower" if isinstance(action, Lower) else "Higher", 1, seat)
        may = turns.choices_of(self.bets, seat, choices.Choices)
        if isinstance(action, Raise):
            to, _ = may.bet or may.raise_to or (0, 0)
            return Acted(to - self.bets.put[seat], "Raise", seat, to)
        return Acted(may.call, "Call", seat, 0) if isinstance(action, Call) else Acted(0, "Fold", seat, 0)

    def change(self, event: svc.Event) -> None:
        bets = self.bets
        match event:
            case DeckShuffled():
                if bets.round:
                    self.record.turn()
                bets.clear_round(STREETS[0])
                bets.round, bets.button, bets.live = event.round, 2, bets.seated
                for seat in (1, 2):
                    turns.pay(bets, Acted(1, "Call", seat, 1))
                self.hands, self.counts, self.kept, self.out = {}, {}, {}, []
                self.drawn, self.seed, self.on = 0, event.seed, True
            case HandDealt():
                self.hands[event.seat] = event.cards
                if len(self.hands) == 2:
                    turns.start_betting(bets, STREETS[0], dealt_in=2)
            case Changed():
                self._change_card(event)
            case CardDrawn():
                card = self.kept.pop(event.seat)
                self.hands[event.seat] = in_order(card, event.card) if card and event.card else None
                self.drawn += 1
                self._go_on()
            case Acted():
                {"Fold": turns.folded, "Call": turns.called, "Raise": turns.raised}[event.choice](bets, event)
            case svc.Forfeited() if event.seat == self.changing:
                self.counts[event.seat] = 0
                self._go_on()
            case svc.Forfeited():
                turns.forfeited(bets, event)
            case RoundEnded():
                for seat, amount in enumerate(event.gets, 1):
                    bets.stacks[seat] += amount
                bets.pot, self.on = 0, False
                self.hands = dict(enumerate(event.hands or (), 1))  # hands that are not shown are gone

    def _change_card(self, event: Changed) -> None:
        self.counts[event.seat] = event.count
        if not event.count:
            self._go_on()
            return
        hand = self.hands.pop(event.seat)
        low, high = hand or (None, None)
        kept, out = {"Lower": (high, low), "Higher": (low, high)}.get(event.choice or "", (None, None))
        self.kept[event.seat] = kept
        self.out.append(out)

    def _go_on(self) -> None:
        if len(self.counts) == 2:
            turns.start_betting(self.bets, STREETS[1], dealt_in=2)

    def view(self, viewer: svc.Viewer) -> SmallDrawView:
        hands = [self.hands.get(seat) if not self.on or viewer in (seat, svc.AUDITOR) else None for seat in (1, 2)]
        scores, seats = tuple(self.bets.net()[1:]), self.seats_seen(viewer)
        return SmallDrawView(tuple(hands), self.record.seen(viewer), scores, seats, self.to_act, viewer)

    def entry(self, event: svc.Event, viewer: svc.Viewer) -> svc.Entry | None:
        return svc.Entry(event.round, {"gets": list(event.gets)}) if isinstance(event, RoundEnded) else None


class SmallDrawWords(svc.Words[GameStarted, SmallDrawState, SmallDrawView, Legal]):
    def title(self, facts: object) -> str:
        return "A draw of two cards"

    def tell(self, event: svc.Event, state: SmallDrawState) -> str:
        name = state.seats[getattr(event, "seat", 1) - 1].name
        match event:
            case GameStarted():
                return f"A draw of two cards: {svc.say_seats(event.seats, hidden_kinds=event.hidden_kinds)}."
            case DeckShuffled():
                return f"Round {event.round}: both pay a chip."
            case HandDealt():
                return f"{svc.does(name, 'is')} dealt {' '.join(event.cards or ('two', 'cards'))}."
            case Changed():
                which = {"Lower": "the lower card", "Higher": "the higher card"}.get(event.choice or "", "a card")
                return f"{svc.does(name, 'changes')} {which if event.count else 'nothing'}."
            case CardDrawn():
                return f"{svc.does(name, 'draws')} {event.card or 'a card'}."
            case Acted():
                verbs = {"Fold": "folds", "Call": "calls" if event.amount else "checks", "Raise": "bets"}
                return f"{svc.does(name, verbs[event.choice])}{f' {event.amount}' if event.amount else ''}."
            case RoundEnded():
                gets = [f"{svc.does(seat.name, 'gets')} {n}" for seat, n in zip(state.seats, event.gets, strict=True)]
                hands = " against ".join(" ".join(hand) for hand in event.hands or ())
                return f"{hands or 'All but one folded'}: {' and '.join(gets)}."
        return f"{svc.does(name, 'passes')} after a failure."

    def show(self, view: SmallDrawView) -> list[str]:
        shown = zip(view.seats, view.hands, view.scores, strict=True)
        return [f"{svc.does(seat.name, 'has')} {' '.join(hand or ('?', '?'))}, {won:+}" for seat, hand, won in shown]

    def ask(self, view: SmallDrawView, legal: Legal) -> str:
        return " or ".join(type(action).__name__ for action in legal)

    def read(self, text: str, view: SmallDrawView, legal: Legal) -> svc.Action:
        for action in legal:
            if text.strip().lower() == type(action).__name__.lower():
                return action
        raise svc.InvalidAnswer(f"{text!r} is not a choice. You can: {self.ask(view, legal).lower()}.")

    def line(self, entry: svc.Entry) -> str:
        return f"Round {entry.number} -- {' and '.join(map(str, entry.facts['gets']))} of the pot"


class Careful:
    """Mixes: the better its hand, the more often it bets and calls; it keeps a pair, else changes its lower card."""

    def policy(self, view: SmallDrawView, legal: Legal) -> Mapping[svc.Action, float]:
        seat = legal[0].seat
        hand = view.hands[seat - 1]
        assert hand is not None  # its own
        pair, high, low = worth(hand)
        if isinstance(legal[0], Keep):
            return {Keep(seat): 1.0} if pair else {Lower(seat): 0.9, Keep(seat): 0.1}
        goes_on = min(0.95, 0.1 + 0.6 * pair + 0.15 * high + 0.05 * low)
        found: dict[svc.Action, float] = {legal[-1]: goes_on}
        return found | ({legal[0]: 1 - goes_on} if len(legal) > 1 else {})


class AnyChoice:
    def choose(self, view: SmallDrawView, legal: Legal, random: Random) -> svc.Action:
        return random.choice(legal)


PLAYERS: Final[Mapping[str, Callable[[], svc.Player[SmallDrawView, Legal]]]] = {"random": AnyChoice}


class SmallDrawEstimate(EnumeratedEstimate[SmallDrawState]):
    """The result if nobody folds or draws from here on."""

    def outcomes(self, state: SmallDrawState) -> Sequence[tuple[svc.Event, float]]:
        seat = len(state.hands) + 1
        if state.kept:
            left = state.left()
            return [(CardDrawn(card, *state.kept), left.count(card) / len(left)) for card in sorted({*left})]
        if not state.on or state.awaited or state.bets.only_one_left or seat > 2:
            return []
        left = state.left()
        ways = [in_order(one, two) for place, one in enumerate(left) for two in left[place + 1 :]]
        return [(HandDealt(hand, seat), ways.count(hand) / len(ways)) for hand in sorted({*ways})]

    def value(self, state: SmallDrawState) -> tuple[float, float]:
        bets = state.bets
        if bets.only_one_left:
            won = float(min(bets.staked[1:]))
            return (won, -won) if bets.live == 0b10 else (-won, won)
        one, two = (state.hands.get(seat) for seat in (1, 2))
        if one is None or two is None:
            return 0.0, 0.0
        won = float(max(bets.staked) * ((worth(one) > worth(two)) - (worth(one) < worth(two))))
        return won, -won


class SmallDraw(svc.Game[GameStarted, SmallDrawState, SmallDrawView, Legal]):
    kind = "small_draw"
    event_types: ClassVar = {
        (event.__name__, 1): event
        for event in (
            GameStarted, DeckShuffled, HandDealt, Changed, CardDrawn, Acted, svc.Forfeited, RoundEnded,
        )
    }  # fmt: skip
    start_event = GameStarted
    actions = (Fold, Call, Raise, Keep, Lower, Higher)
    players = PLAYERS
    words = SmallDrawWords()
    dealt = frozenset({DeckShuffled, HandDealt, CardDrawn})
    seeded = frozenset({DeckShuffled})
    tournament_rounds = 1

    def start(self, setup: svc.Setup) -> GameStarted:
        self.options(setup.options or {})
        if len(setup.seats) != 2:
            raise svc.InvalidValue(f"{len(setup.seats)} players cannot play this draw; it takes 2.")
        self.check_kinds(setup.seats)
        return GameStarted(**self.started_as(setup), game="small_draw", rounds=setup.rounds or 10)

    def begin(self, started: GameStarted) -> SmallDrawState:
        return SmallDrawState(started)

    def action_of(self, event: svc.Event) -> svc.Action | None:
        if isinstance(event, Acted):
            return BETS[event.choice](event.seat)
        if isinstance(event, Changed):
            return CHANGES[event.choice or ("Keep", "Lower")[event.count]](event.seat)
        return super().action_of(event)

    def estimate(self, started: GameStarted) -> SmallDrawEstimate:
        return SmallDrawEstimate()


SMALL_DRAW: Final = SmallDraw()
