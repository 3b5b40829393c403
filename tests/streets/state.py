"""The state of a game of poker that is a list of streets: what a seat may do, what the dealer does, what is seen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.betting import turns
from pokersvc.betting.blinds import all_posted, next_button, open_round, post_due, posted
from pokersvc.betting.choices import Choices, not_your_turn
from pokersvc.betting.pots import shares_of
from pokersvc.betting.seats import fewer_than_two, has, next_seat, seats_in
from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import Terms
from pokersvc.cards import Card, strength
from pokersvc.core.actions import Action, Forfeit, IllegalAction
from pokersvc.core.common_events import Forfeited, forfeited
from pokersvc.core.event import AUDITOR, Event, ImpossibleEvent, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.record import GameRecord, Seen
from pokersvc.core.seats import HUMAN, SeatSeen, seats_seen
from pokersvc.core.state import Entry, Outcome, State, WithheldSecrets
from pokersvc.streets import showdown, walk
from pokersvc.streets.phases import ANTES, BETWEEN, BLINDS, OVER, SHUFFLE, Phase
from pokersvc.streets.state import Cards, StreetsState, known, next_cards
from pokersvc.streets.street import CardTerms, Street

from . import events

CARD_TERMS: Final = CardTerms()


class Variant(NamedTuple):
    """A game as data: its betting, its forced bets, and its streets."""

    terms: Terms
    ante: int
    streets: tuple[Street, ...]


@cache
def best_of(cards: tuple[Card, ...]) -> int:
    """Return the strength of the best five of at least five cards."""
    return max(map(strength, combinations(cards, 5)))


def worth_of(state: StreetsState, seat: int) -> int:
    """Return the strength of a seat's hand with the board."""
    return best_of((*known(state.hands[seat]), *state.board))


@dataclass(frozen=True, slots=True)
class PokerView:
    """What a viewer may know: a card that it may not see is None."""

    board: tuple[Card, ...]
    button: int
    hands: tuple[Cards, ...]
    live: tuple[int, ...]
    pot: int
    price: int
    put: tuple[int, ...]
    record: Seen[Event]
    round: int
    rounds: int
    seats: tuple[SeatSeen, ...]
    stacks: tuple[int, ...]
    street: int
    to_act: int | None
    viewer: Viewer


class PokerState(StreetsState, State[PokerView, Choices]):
    """A game in progress."""

    __slots__ = ("ended", "record", "started", "variant")

    def __init__(self, started: events.GameStarted, variant: Variant) -> None:
        self.started, self.variant = started, variant
        self.ended = False
        self.record: GameRecord[Event] = GameRecord()
        super().__init__(
            variant.streets,
            CARD_TERMS,
            variant.terms,
            started.seats,
            [0, *[started.stack] * len(started.seats)],
            persons=sum(1 << seat for seat, who in enumerate(started.seats, 1) if who.kind == HUMAN),
            rounds=started.rounds,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PokerState):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    @property
    def awaited(self) -> tuple[int, ...]:
        return (self.actor,) if self.actor else ()

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.by_score(tuple(self.stacks[1:])) if self.ended else None

    def playing(self, seat: int) -> bool:
        return not self.ended and has(self.seated, seat)

    # Choosing

    def legal(self, seat: int) -> Choices:
        if not seat or seat != self.actor:
            raise not_your_turn(self, seat)
        return turns.choices_of(self, seat, Choices)

    def decide(self, action: Action) -> Event:
        if type(action) not in _DECIDE:
            raise IllegalAction("unknown_action", f"{type(action).__name__} is not an action of this game.")
        return _DECIDE[type(action)](self, action, self.legal(action.seat))

    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        legal = self.legal(seat)
        if legal.check:
            return events.Check(seat)
        return events.Fold(seat) if legal.fold or not legal.bet else events.Bet(seat, legal.bet[0])

    # The dealer

    def dealer_event(self, entropy: Entropy) -> Event | None:
        if self.actor:
            return None
        try:
            return _DEALER[self.phase](self, entropy)
        except WithheldSecrets:
            raise WithheldSecrets(*_HIDDEN[self.phase]) from None

    def apply(self, event: Event) -> None:
        try:
            handler = _HANDLERS[self.phase][type(event)]
        except KeyError:
            raise ImpossibleEvent(event, f"the phase is {self.phase.name}") from None
        if handler(self, event):
            walk.betting_over(self)
        self.record.events.append(event)

    # What is seen

    def seen(self, seat: int, viewer: Viewer) -> Cards:
        """Return the hand of a seat as the viewer may know it."""
        hand = self.hands[seat]
        if viewer in (AUDITOR, seat) or has(self.shown, seat):
            return hand
        return tuple([card if card in self.up[seat] else None for card in hand])

    def view(self, viewer: Viewer) -> PokerView:
        places = range(1, len(self.stacks))
        return PokerView(
            board=self.board,
            button=self.button,
            hands=tuple([self.seen(seat, viewer) for seat in places]),
            live=seats_in(self.live),
            pot=self.pot,
            price=self.price,
            put=tuple(self.put[1:]),
            record=self.record.seen(viewer),
            round=self.round,
            rounds=self.started.rounds,
            seats=seats_seen(self.seats, viewer, hidden=self.started.hidden_kinds and not self.ended),
            stacks=tuple(self.stacks[1:]),
            street=self.street,
            to_act=self.actor or None,
            viewer=viewer,
        )

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        if not isinstance(event, events.RoundEnded):
            return None
        won = {self.names[seat]: amount for seat, amount in enumerate(self.won) if amount}
        return Entry(event.round, {"board": [card.notation for card in self.board], "won": won})


_COMPARED: Final = tuple(
    name for cls in (BettingState, StreetsState, PokerState) for name in cls.__slots__ if not name.startswith("cached_")
)

# What a choice becomes

_DECIDE: Final[Mapping[type[Action], Callable[[PokerState, Any, Choices], Event]]] = {
    events.Check: lambda state, action, legal: _check(state, action, legal),
    events.Bet: lambda state, action, legal: events.BetMade(turns.decide_bet(state, legal, action.amount), action.seat),
    events.Call: lambda state, action, legal: events.Called(turns.decide_call(state, legal), action.seat),
    events.Raise: lambda state, action, legal: events.Raised(
        turns.decide_raise(state, legal, action.to), action.seat, action.to
    ),
    events.Fold: lambda state, action, legal: _fold(state, action, legal),
    Forfeit: lambda state, action, legal: _forfeit(state, action),
}


def _check(state: PokerState, action: events.Check, legal: Choices) -> Event:
    turns.decide_check(state, legal)
    return events.Checked(action.seat)


def _fold(state: PokerState, action: events.Fold, legal: Choices) -> Event:
    turns.decide_fold(state, legal)
    return events.Folded(action.seat)


def _forfeit(state: PokerState, action: Forfeit) -> Event:
    if has(state.persons, action.seat):
        raise IllegalAction("not_a_program", f"Seat {action.seat} is a person; only bots forfeit choices.")
    return forfeited(action, Forfeited)


# What the dealer does


def _between(state: PokerState, entropy: Entropy) -> Event:
    if state.ending():
        return events.GameEnded(tuple(state.stacks[1:]))
    return events.RoundStarted(next_button(state), state.round + 1)


def _deal(state: PokerState, entropy: Entropy) -> Event:
    count, where = state.deals[0]
    cards = next_cards(state, count)
    if where == "board":
        return events.BoardDealt(cards)
    seat = next_seat(state.pending, state.button)
    return events.UpCardsDealt(cards, seat) if where == "up" else events.CardsDealt(cards, count, seat)


def _return(state: PokerState, entropy: Entropy) -> Event:
    found = state.uncalled()
    assert found is not None
    return events.UncalledBetReturned(found[1], found[0])


def _show(state: PokerState, entropy: Entropy) -> Event:
    seat = showdown.shows_next(state)
    shown = showdown.shows_all(state) or showdown.unbeaten(state, seat, worth_of(state, seat), state.shown, worth_of)
    return events.HandShown(known(state.hands[seat]), seat) if shown else events.HandMucked(seat)


def _award(state: PokerState, entropy: Entropy) -> Event:
    amount, eligible = state.pots[-1]
    winners = eligible if state.only_one_left else showdown.winners_of(state, eligible, worth_of)
    shares = shares_of(amount, winners, odd_chips=True, button=state.button)
    return events.PotAwarded(len(state.pots), tuple([events.Share(share, seat) for seat, share in shares.items()]))


_DEALER: Final[Mapping[Phase, Callable[[PokerState, Entropy], Event | None]]] = {
    BETWEEN: _between,
    ANTES: lambda state, _: events.AntePosted(turns.ante_due(state)[1], turns.ante_due(state)[0]),
    BLINDS: lambda state, _: events.BlindPosted(*post_due(state)),
    SHUFFLE: lambda state, entropy: events.DeckShuffled(entropy.seed(state.round)),
    Phase.DEAL: _deal,
    Phase.RETURN: _return,
    Phase.SHOWDOWN: _show,
    Phase.AWARD: _award,
    Phase.ROUND_END: lambda state, _: events.RoundEnded(state.round),
    OVER: lambda state, _: None,
}
_HIDDEN: Final[Mapping[Phase, tuple[type[Event], ...]]] = {
    SHUFFLE: (events.DeckShuffled,),
    Phase.DEAL: (events.CardsDealt, events.UpCardsDealt, events.BoardDealt),
    Phase.SHOWDOWN: (events.HandShown, events.HandMucked),
    Phase.AWARD: (events.PotAwarded,),
}

# What an event changes


def _round_started(state: PokerState, event: events.RoundStarted) -> None:
    if fewer_than_two(state.sitting()):
        raise ImpossibleEvent(event, "fewer than two players are in the game")
    if state.round:
        state.record.turn()
        state.clear_round(state.streets[0])
    state.button, state.round, state.ante = event.button, event.round, state.variant.ante
    open_round(state)
    if state.ante:
        state.phase, state.pending = ANTES, state.live
    else:
        _antes_done(state)


def _antes_done(state: PokerState) -> None:
    state.phase = SHUFFLE if all_posted(state) else BLINDS


def _ante_posted(state: PokerState, event: events.AntePosted) -> None:
    turns.ante_posted(state, event)
    if not state.pending:
        _antes_done(state)


def _blind_posted(state: PokerState, event: events.BlindPosted) -> None:
    if posted(state, event, event.kind):
        state.phase = SHUFFLE


def _round_ended(state: PokerState, event: events.RoundEnded) -> None:
    state.phase = BETWEEN
    state.seated = sum(1 << seat for seat, stack in enumerate(state.stacks) if stack)


def _game_ended(state: PokerState, event: events.GameEnded) -> None:
    state.phase, state.ended = OVER, True


_HANDLERS: Final[Mapping[Phase, Mapping[type[Event], Callable[..., bool | None]]]] = {
    BETWEEN: {events.RoundStarted: _round_started, events.GameEnded: _game_ended},
    ANTES: {events.AntePosted: _ante_posted},
    BLINDS: {events.BlindPosted: _blind_posted},
    SHUFFLE: {events.DeckShuffled: walk.deck_shuffled},
    Phase.DEAL: {
        events.CardsDealt: walk.cards_dealt,
        events.UpCardsDealt: walk.up_cards_dealt,
        events.BoardDealt: walk.board_dealt,
    },
    Phase.BETTING: {
        events.Checked: turns.checked,
        events.BetMade: turns.opened,
        events.Called: turns.called,
        events.Raised: turns.raised,
        events.Folded: turns.folded,
        Forfeited: turns.forfeited,
    },
    Phase.RETURN: {events.UncalledBetReturned: walk.uncalled_bet_returned},
    Phase.SHOWDOWN: {events.HandShown: showdown.hand_shown, events.HandMucked: showdown.hand_mucked},
    Phase.AWARD: {events.PotAwarded: showdown.pot_awarded},
    Phase.ROUND_END: {events.RoundEnded: _round_ended},
    OVER: {},
}
