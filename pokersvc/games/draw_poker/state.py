"""The state of a game of draw poker: what the events so far have made, and the one place that changes it.

Seats count from 1; lists by seat have an unused place 0. Sets of seats are bit masks: seat ``s`` is bit ``1 << s``.
"""

from collections.abc import Callable
from typing import Any, Final

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.games.draw_poker import betting, dealer, deck, events, view
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.pots import Pot, next_seat, pots_of
from pokersvc.games.entropy import Entropy
from pokersvc.games.event import Event, Viewer
from pokersvc.games.game import HUMAN, Action, Entry, Outcome


class DrawPokerState:
    """A game of draw poker in progress; see `pokersvc.games.game.State` for what its methods promise."""

    __slots__ = (
        "_deck",
        "_legal",
        "acted",
        "actor",
        "aggressor",
        "all_in",
        "ante",
        "bets",
        "button",
        "cursor",
        "deck_cards",
        "deck_label",
        "deck_left",
        "deck_seed",
        "discarded",
        "ended",
        "hands",
        "level",
        "live",
        "names",
        "need",
        "pending",
        "persons",
        "phase",
        "pot",
        "pots",
        "price",
        "put",
        "reshuffles",
        "reused",
        "round",
        "rounds",
        "rules",
        "seated",
        "seats",
        "settled",
        "shown",
        "stacks",
        "staked",
        "step",
        "street",
        "won",
    )  # fmt: skip

    def __init__(self, started: events.GameStarted) -> None:
        count = len(started.seats)
        self.rules = started.rules
        self.rounds = started.rounds
        self.seats = started.seats
        self.names = ("", *(seat.name for seat in started.seats))
        self.persons = sum(1 << seat for seat, who in enumerate(started.seats, 1) if who.kind == HUMAN)
        self.stacks = [0, *[started.rules.stack] * count]
        self.seated = (2 << count) - 2
        self.phase = Phase.BETWEEN
        self.round = self.ante = self.button = self.pot = 0
        self.ended: events.GameEnded | None = None
        self._legal: LegalActions | None = None
        self._clear_round()

    def _clear_round(self) -> None:
        places = len(self.stacks)
        self.live = self.pending = self.all_in = self.actor = self.cursor = 0
        self.staked = [0] * places
        """What each seat put in this round."""
        self.hands: list[deck.Cards] = [()] * places
        self.discarded: list[deck.Cards] = [()] * places
        self.reused = 0
        """Seats whose folded hand or discards were shuffled into a new deck."""
        self.shown = self.settled = 0
        """Seats whose hands lie open; seats that have shown or mucked in the showdown."""
        self.won = [0] * places
        self.pots: list[Pot] = []
        self.need = self.reshuffles = 0
        self.deck_seed: bytes | None = None
        self.deck_label = "deck"
        self.deck_cards: deck.Cards = FRESH_DECK
        self.deck_left = len(FRESH_DECK)
        self._deck: tuple[Card, ...] | None = None
        self.street = 0
        self._clear_betting()

    def _clear_betting(self) -> None:
        places = len(self.stacks)
        self.put = [0] * places
        """What each seat put in this betting round."""
        self.acted = [-1] * places
        """The price when each seat last acted in this betting round; -1 before it did."""
        self.price = self.level = self.bets = self.aggressor = 0
        self.step = 0

    def __eq__(self, other: object) -> bool:
        """Equal states have had equal events; what is only kept to save work does not count."""
        if not isinstance(other, DrawPokerState):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    # What the contract asks for.

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    @property
    def pausing(self) -> bool:
        """Whether a person may leave now, between two rounds."""
        return (
            self.phase == Phase.BETWEEN
            and self.round > 0
            and self.persons & self.seated != 0
            and not dealer.ending(self)
        )

    def playing(self, seat: int) -> bool:
        """Tell whether the seat is in the game."""
        return (self.seated | self.live) >> seat & 1 == 1

    def dealer_event(self, entropy: Entropy) -> Event | None:
        """Return the dealer's next event, None when a seat must choose or the game is over."""
        return None if self.actor else dealer.dealer_event(self, entropy)

    def legal(self, seat: int) -> LegalActions:
        """Return what the seat may choose now."""
        return betting.legal(self, seat)

    def decide(self, action: Action) -> Event:
        """Return the event of an action, or raise `IllegalAction`."""
        return betting.decide(self, action)

    def view(self, viewer: Viewer) -> "view.DrawPokerView":
        """Return what the viewer may know."""
        return view.view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event ended as a line of history."""
        return view.entry_of(self, viewer) if isinstance(event, events.RoundEnded) else None

    @property
    def outcome(self) -> Outcome | None:
        """Who won, once the game is over; the score is the stack."""
        return None if self.ended is None else Outcome.by_score(tuple(self.stacks[1:]))

    def apply(self, event: Any) -> None:
        """Change the state by a recorded event."""
        self._legal = None
        _APPLY[event.__class__](self, event)

    # The round.

    def _round_started(self, event: events.RoundStarted) -> None:
        self._clear_round()
        self.round, self.ante, self.button = event.round, event.ante, event.button or 0
        self.live = self.seated
        if self.ante and self.rules.ante.when == "before_deal":
            self.phase, self.pending = Phase.ANTES, self.live
        else:
            self._antes_done()

    def _antes_done(self) -> None:
        if self.rules.ante.when == "after_deal" and self.hands[next_seat(self.live, 0)]:
            self._start_betting(1)
        elif self.rules.blinds is not None:
            self.phase = Phase.BLINDS
            small = self.button if self.live.bit_count() == 2 else next_seat(self.live, self.button)
            self.pending = 1 << small | 1 << next_seat(self.live, small)
        else:
            self.phase = Phase.SHUFFLE

    def _ante_posted(self, event: events.AntePosted) -> None:
        self._pay(event.seat, event.amount)
        self._ante_settled(event.seat)

    def _ante_settled(self, seat: int) -> None:
        self.pending &= ~(1 << seat)
        self.cursor = seat
        if self.rules.ante.when == "after_deal" and self.live & (self.live - 1) == 0:
            self._close_betting()
        elif not self.pending:
            self._antes_done()

    def _blind_posted(self, event: events.BlindPosted) -> None:
        blinds = self.rules.blinds
        assert blinds is not None
        self._pay(event.seat, event.amount)
        self.put[event.seat] = event.amount
        self.cursor = event.seat
        self.pending &= ~(1 << event.seat)
        if event.blind == "big":
            self.price = self.level = self.step = blinds.big
            self.bets = 1
            self.phase = Phase.SHUFFLE

    def _deck_shuffled(self, event: events.DeckShuffled) -> None:
        self.deck_seed = event.seed
        self.phase = Phase.DEAL
        self.pending = self.live

    def _hand_dealt(self, event: events.HandDealt) -> None:
        self.hands[event.seat] = event.cards or (None,) * event.count
        self.deck_left -= event.count
        self.pending &= ~(1 << event.seat)
        if not self.pending:
            if self.ante and self.rules.ante.when == "after_deal":
                self.phase, self.pending, self.cursor = Phase.ANTES, self.live, 0
            else:
                self._start_betting(1)

    # Betting.

    def _start_betting(self, street: int) -> None:
        self.street = street
        blinds = street == 1 and self.rules.blinds is not None
        if not blinds:
            self._clear_betting()
            self.step = betting.minimum(self)
            self.cursor = self.button
        self.pending = self.live & ~self.all_in
        self.phase = Phase.BETTING
        if self.rules.betting.opener == "random":
            self.phase = Phase.OPENER
        else:
            self._next_to_act()

    def _opener_chosen(self, event: events.OpenerChosen) -> None:
        self.phase = Phase.BETTING
        self.cursor = event.seat - 1
        self._next_to_act()

    def _next_to_act(self) -> None:
        live = self.live
        if not self.pending or live & (live - 1) == 0 or (self.all_in and betting.nobody_left(self)):
            self._close_betting()
            return
        seat = next_seat(self.pending, self.cursor)
        self.actor = 0 if betting.must_fold(self, seat) else seat

    def _close_betting(self) -> None:
        self.actor = self.pending = 0
        self.phase = Phase.RETURN if betting.uncalled(self) else self._after_betting()

    def _after_betting(self) -> Phase:
        if self.live & (self.live - 1) == 0:
            return self._to_award()
        if self.street == 1:
            if self.rules.discards:
                self.pending, self.cursor = self.live, self.button
                self.actor = next_seat(self.live, self.cursor)
                return Phase.DRAW
            return self._after_draw()
        if self.rules.open_hands == "in_order":
            return Phase.SHOWDOWN
        return self._to_award() if self.shown else Phase.OPEN

    def _to_award(self) -> Phase:
        self.pots = pots_of(self.pot, self.staked, self.live) if self.rules.all_in else [Pot(self.pot, self.live)]
        return Phase.AWARD

    def _pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.staked[seat] += amount
        self.pot += amount
        if not self.stacks[seat] and self.rules.betting.short == "all_in":
            self.all_in |= 1 << seat

    def _acts(self, seat: int) -> None:
        self.acted[seat] = self.price
        self.cursor = seat
        self.pending &= ~(1 << seat)

    def _checked(self, event: events.Checked) -> None:
        self._acts(event.seat)
        if self.rules.betting.check_ends:
            self.pending = 0
        self._next_to_act()

    def _called(self, event: events.Called) -> None:
        self._pay(event.seat, event.amount)
        self.put[event.seat] += event.amount
        self._acts(event.seat)
        self._next_to_act()

    def _bet(self, event: events.Bet) -> None:
        self._raise_price(event.seat, event.amount, event.amount)

    def _raised(self, event: events.Raised) -> None:
        self._raise_price(event.seat, event.amount, event.to)

    def _raise_price(self, seat: int, amount: int, price: int) -> None:
        self._pay(seat, amount)
        self.put[seat] += amount
        betting.measure_raise(self, price)
        self.price = price
        self.aggressor = seat
        self._acts(seat)
        self.pending = self.live & ~self.all_in & ~(1 << seat)
        self._next_to_act()

    def _folded(self, event: events.Folded) -> None:
        self._fold(event.seat)

    def _fold(self, seat: int) -> None:
        self.live &= ~(1 << seat)
        self._acts(seat)
        self._next_to_act()

    def _forfeited(self, event: events.Forfeited) -> None:
        if self.phase == Phase.DRAW:
            self._drawn(event.seat)
        else:
            self._fold(event.seat)

    def _uncalled_bet_returned(self, event: events.UncalledBetReturned) -> None:
        self.stacks[event.seat] += event.amount
        self.staked[event.seat] -= event.amount
        self.pot -= event.amount
        self.all_in &= ~(1 << event.seat)
        self.phase = self._after_betting()

    # The draw.

    def _cards_discarded(self, event: events.CardsDiscarded) -> None:
        seat = event.seat
        hand = self.hands[seat]
        if event.cards is None or None in hand:
            self.hands[seat], self.discarded[seat] = hand[event.count :], hand[: event.count]
        else:
            self.discarded[seat] = event.cards
            self.hands[seat] = tuple(card for card in hand if card not in event.cards)
        if event.count:
            self.need, self.cursor, self.actor, self.phase = event.count, seat, 0, Phase.SERVE
        else:
            self._drawn(seat)

    def _cards_drawn(self, event: events.CardsDrawn) -> None:
        self.hands[event.seat] += event.cards or (None,) * event.count
        self.deck_left -= event.count
        self.need -= event.count
        if not self.need:
            self._drawn(event.seat)

    def _drawn(self, seat: int) -> None:
        self.pending &= ~(1 << seat)
        if self.pending:
            self.phase, self.actor = Phase.DRAW, next_seat(self.pending, seat)
        else:
            self.actor = 0
            self.phase = self._after_draw()

    def _deck_reshuffled(self, event: events.DeckReshuffled) -> None:
        self.deck_cards = deck.out_of_play(self)
        self.reused |= deck.out_of_play_seats(self)
        self.deck_label, self.deck_left, self._deck = f"reshuffle/{event.number}", event.count, None
        self.reshuffles = event.number

    def _after_draw(self) -> Phase:
        if self.rules.open_hands == "after_draw":
            return Phase.OPEN
        self._start_betting(2)
        return self.phase

    # Showdown and payout.

    def _hands_opened(self, event: events.HandsOpened) -> None:
        for hand in event.hands:
            self._show(hand.seat, hand.cards)
        if self.street == 1:
            self._start_betting(2)
        else:
            self.phase = self._to_award()

    def _hand_shown(self, event: events.HandShown) -> None:
        self._show(event.seat, event.cards)
        self._settled(event.seat)

    def _show(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.hands[seat] = cards
        self.shown |= 1 << seat

    def _hand_mucked(self, event: events.HandMucked) -> None:
        self._settled(event.seat)

    def _settled(self, seat: int) -> None:
        self.settled |= 1 << seat
        if self.settled == self.live:
            self.phase = self._to_award()

    def _pot_awarded(self, event: events.PotAwarded) -> None:
        for share in event.shares:
            self.stacks[share.seat] += share.amount
            self.pot -= share.amount
        if event.reason == "game_end":
            return
        for share in event.shares:
            self.won[share.seat] += share.amount
        self.pots.pop()
        if not self.pots:
            self.phase = Phase.CARRY if self.pot else Phase.ROUND_END

    def _remainder_carried(self, _event: events.RemainderCarried) -> None:
        self.phase = Phase.ROUND_END

    def _round_ended(self, _event: events.RoundEnded) -> None:
        self.phase = Phase.BETWEEN

    def _player_left(self, event: events.PlayerLeft) -> None:
        bit = 1 << event.seat
        self.seated &= ~bit
        self.stacks[event.seat] -= event.amount
        self.pot += event.amount
        if self.phase == Phase.ANTES:
            self.live &= ~bit
            self._ante_settled(event.seat)

    def _game_ended(self, event: events.GameEnded) -> None:
        self.ended = event
        self.phase = Phase.OVER


_COMPARED: Final = tuple(name for name in DrawPokerState.__slots__ if not name.startswith("_"))

_APPLY: Final[dict[type[Event], Callable[[DrawPokerState, Any], None]]] = {
    events.RoundStarted: DrawPokerState._round_started,
    events.AntePosted: DrawPokerState._ante_posted,
    events.BlindPosted: DrawPokerState._blind_posted,
    events.DeckShuffled: DrawPokerState._deck_shuffled,
    events.HandDealt: DrawPokerState._hand_dealt,
    events.OpenerChosen: DrawPokerState._opener_chosen,
    events.Checked: DrawPokerState._checked,
    events.Bet: DrawPokerState._bet,
    events.Called: DrawPokerState._called,
    events.Raised: DrawPokerState._raised,
    events.Folded: DrawPokerState._folded,
    events.Forfeited: DrawPokerState._forfeited,
    events.CardsDiscarded: DrawPokerState._cards_discarded,
    events.CardsDrawn: DrawPokerState._cards_drawn,
    events.DeckReshuffled: DrawPokerState._deck_reshuffled,
    events.HandsOpened: DrawPokerState._hands_opened,
    events.HandShown: DrawPokerState._hand_shown,
    events.HandMucked: DrawPokerState._hand_mucked,
    events.UncalledBetReturned: DrawPokerState._uncalled_bet_returned,
    events.PotAwarded: DrawPokerState._pot_awarded,
    events.RemainderCarried: DrawPokerState._remainder_carried,
    events.PlayerLeft: DrawPokerState._player_left,
    events.RoundEnded: DrawPokerState._round_ended,
    events.GameEnded: DrawPokerState._game_ended,
}
