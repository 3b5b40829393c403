"""What the showdown changes: hands shown or mucked, pots awarded, the end of a round."""

from pokersvc.betting import pots
from pokersvc.betting.seats import has
from pokersvc.betting.state import exists, not_one_of
from pokersvc.cards import Card
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.dealt import HAND, is_hand
from pokersvc.games.draw_poker.past_hands import Held, pack
from pokersvc.games.draw_poker.phases import (
    AWARD,
    BETWEEN,
    CARRY,
    ROUND_END,
)
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.streets import start_betting, to_award
from pokersvc.text import counted


def hands_opened(state: Situation, event: events.HandsOpened) -> None:
    """Show all hands at once."""
    for hand in event.hands:
        exists(state, event, hand.seat)
        _check_shown(state, event, hand.seat, hand.cards)
    for hand in event.hands:
        show(state, hand.seat, hand.cards)
    if state.street == 1:
        start_betting(state, 2)
    else:
        state.phase = to_award(state)


def hand_shown(state: Situation, event: events.HandShown) -> None:
    """Show the hand of a seat."""
    if not has(state.live & ~state.settled, event.seat):
        not_one_of(event, "to show a hand")
    _check_shown(state, event, event.seat, event.cards)
    show(state, event.seat, event.cards)
    _settled(state, event.seat)


def _check_shown(state: Situation, event: Event, seat: int, cards: tuple[Card, ...]) -> None:
    """Refuse what is no hand; another one than the seat was dealt may be shown, which auditors report.

    Where a copy knows what a seat was dealt and drew, but not what it kept, nobody else could report it.
    """
    if cards != state.hands[seat] and not is_hand(cards):
        raise ImpossibleEvent(event, f"a hand has {counted(HAND, 'card')}, all different")
    unsure = state.unsure.get(seat)
    if unsure is not None and not unsure.fits(state.hands[seat], cards):
        raise ImpossibleEvent(event, f"seat {seat} was dealt other cards")


def show(state: Situation, seat: int, cards: tuple[Card, ...]) -> None:
    """Note that everybody sees a hand."""
    state.hands[seat] = cards
    state.shown |= 1 << seat


def hand_mucked(state: Situation, event: events.HandMucked) -> None:
    """Give up the hand of a seat without showing it."""
    if not has(state.live & ~state.settled, event.seat):
        not_one_of(event, "to show a hand")
    _settled(state, event.seat)


def _settled(state: Situation, seat: int) -> None:
    state.settled |= 1 << seat
    if state.settled == state.live:
        state.phase = to_award(state)


def pot_awarded(state: Situation, event: events.PotAwarded) -> None:
    """Pay a pot out."""
    if pots.pot_awarded(state, event):
        state.phase = CARRY if state.pot else ROUND_END


def rake_taken(state: Situation, event: events.RakeTaken) -> None:
    """Take rake out of a pot; the pots are awarded once all that is due is taken."""
    pots.rake_taken(state, event)
    if not state.rake_due:
        state.phase = AWARD


def remainder_carried(state: Situation, _event: events.RemainderCarried) -> None:
    """Leave what cannot be divided in the pot, for the next round."""
    state.phase = ROUND_END


def round_ended(state: Situation, _event: events.RoundEnded) -> None:
    """End the round; keep its hands where they are shown after the game."""
    state.phase = BETWEEN
    if state.rules.history == "all" and sum(map(bool, state.hands)) > state.shown.bit_count():  # some were not shown
        state.past.append(pack(state.round, state.pot, [_kept(state, hand) for hand in state.held()]))
        state.past_names.append(state.names)
        state.past_unsure.append(state.unsure)


def _kept(state: Situation, hand: Held) -> Held:
    """Note of a folded hand whether its cards were dealt again, in the new deck that they were shuffled into."""
    return hand._replace(reused=has(state.reused, hand.seat) and not state.discarded[hand.seat])
