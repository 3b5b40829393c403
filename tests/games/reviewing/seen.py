"""Games as one seat saw them: played by bots, or made by hand."""

from collections.abc import Sequence

from pokersvc.cards import Card, parse_cards
from pokersvc.cards.unknown import all_known
from pokersvc.core.actions import Action
from pokersvc.core.event import Event, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Discard
from pokersvc.streets.phases import Phase

NOTHING = EntropySource.from_text("nothing is drawn from it").entropy()


def played(kinds: Sequence[str], rounds: int, seed: str, **options: object) -> list[Event]:
    """Return all events of a game between bots."""
    source = EntropySource.from_text(seed)
    seats = tuple(Seat(kind, f"P{number}") for number, kind in enumerate(kinds, 1))
    started = DRAW_POKER.start(Setup(seats, source, rounds=rounds, options=options))
    state = DRAW_POKER.new(started)
    found: list[Event] = [started]
    while state.outcome is None:
        event: Event | None
        if (seat := state.to_act) is not None:
            bot, random = DRAW_POKER.players[kinds[seat - 1]](), source.program_random(seat, len(found))
            event = state.decide(bot.choose(state.view(seat), state.legal(seat), random))
        else:
            event = state.dealer_event(source.entropy())
        assert event is not None
        state.apply(event)
        found.append(event)
    return found


class Hand:
    """One hand of two bots as the second seat, with the button's small blind, sees it."""

    def __init__(self, cards: str, **options: object) -> None:
        source = EntropySource.from_text("by hand")
        seats = (Seat("steady", "Ann"), Seat("steady", "Bob"))
        started = redact(DRAW_POKER.start(Setup(seats, source, rounds=1, options=options)), 2)
        self.state = DRAW_POKER.new(started)
        self.events: list[Event] = [started]
        self._cards = list(parse_cards(cards))
        self._dealt()

    def act(self, *actions: Action) -> None:
        """Take choices of either seat; Ann's discards are hidden."""
        for action in actions:
            hidden = isinstance(action, Discard) and action.seat == 1
            count = len(action.cards) if isinstance(action, Discard) else 0
            self._take(events.CardsDiscarded(None, count, 1) if hidden else self.state.decide(action))
            self._dealt()

    def shows(self, cards: str) -> None:
        """Have Ann show a hand, and end the hand."""
        while self.state.phase is not Phase.OVER:
            self._take(self._next(cards))

    def _next(self, cards: str) -> Event:
        state = self.state
        if state.phase is Phase.SHOWDOWN:
            seat = 1 if not state.shown >> 1 & 1 else 2
            hand = state.hands[seat]
            shown = tuple(parse_cards(cards)) if seat == 1 else hand
            assert all_known(shown)
            return events.HandShown(shown, seat)
        event = state.dealer_event(NOTHING)
        assert event is not None
        return event

    def _dealt(self) -> None:
        state = self.state
        while state.to_act is None and state.phase not in (Phase.SHOWDOWN, Phase.OVER):
            if state.phase is Phase.DEAL:
                seat = next(one for one in (2, 1) if state.pending >> one & 1)
                seat = 1 if state.button == 2 and state.pending & 2 else seat
                self._take(earlier_events.HandDealt(self._mine(5) if seat == 2 else None, 5, seat))
            elif state.phase is Phase.SERVE:
                count = state.need
                self._take(
                    earlier_events.CardsDrawn(self._mine(count) if state.cursor == 2 else None, count, state.cursor)
                )
            elif state.phase is Phase.SHUFFLE:
                self._take(events.DeckShuffled(None))
            else:
                event = state.dealer_event(NOTHING)
                assert event is not None
                self._take(event)

    def _mine(self, count: int) -> tuple[Card, ...]:
        taken, self._cards = self._cards[:count], self._cards[count:]
        return tuple(taken)

    def _take(self, event: Event) -> None:
        self.state.apply(event)
        self.events.append(event)
