"""What the showdown changes: hands shown or mucked, pots awarded, the end of a round."""

from pokersvc.cards import Card
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.past import pack
from pokersvc.games.draw_poker.phases import (
    BETWEEN,
    CARRY,
    ROUND_END,
)
from pokersvc.games.draw_poker.refusals import HAND, exists, is_hand, not_one_of
from pokersvc.games.draw_poker.seats import has
from pokersvc.games.draw_poker.streets import start_betting, to_award
from pokersvc.games.draw_poker.table import Cards, Table
from pokersvc.text import counted


def hands_opened(table: Table, event: events.HandsOpened) -> None:
    """Show all hands at once."""
    for hand in event.hands:
        exists(table, event, hand.seat)
        _check_shown(table, event, hand.seat, hand.cards)
    for hand in event.hands:
        show(table, hand.seat, hand.cards)
    if table.street == 1:
        start_betting(table, 2)
    else:
        table.phase = to_award(table)


def hand_shown(table: Table, event: events.HandShown) -> None:
    """Show the hand of a seat."""
    if not has(table.live & ~table.settled, event.seat):
        not_one_of(event, "to show a hand")
    _check_shown(table, event, event.seat, event.cards)
    show(table, event.seat, event.cards)
    _settled(table, event.seat)


def _check_shown(table: Table, event: Event, seat: int, cards: Cards) -> None:
    """Refuse what is no hand; another one than the seat was dealt may be shown, which auditors report."""
    if cards != table.hands[seat] and not is_hand(cards):
        raise ImpossibleEvent(event, f"a hand has {counted(HAND, 'card')}, all different")


def show(table: Table, seat: int, cards: tuple[Card, ...]) -> None:
    """Note that everybody sees a hand."""
    table.hands[seat] = cards
    table.shown |= 1 << seat


def hand_mucked(table: Table, event: events.HandMucked) -> None:
    """Give up the hand of a seat without showing it."""
    if not has(table.live & ~table.settled, event.seat):
        not_one_of(event, "to show a hand")
    _settled(table, event.seat)


def _settled(table: Table, seat: int) -> None:
    table.settled |= 1 << seat
    if table.settled == table.live:
        table.phase = to_award(table)


def pot_awarded(table: Table, event: events.PotAwarded) -> None:
    """Pay a pot out."""
    pay_out(table, event)
    for share in event.shares:
        table.won[share.seat] += share.amount
    table.pots.pop()
    if not table.pots:
        table.phase = CARRY if table.pot else ROUND_END


def pay_out(table: Table, event: events.PotAwarded) -> None:
    """Move chips from the pot to stacks; refuse more than there are."""
    paid = 0
    for share in event.shares:
        exists(table, event, share.seat)
        paid += share.amount
    if paid > table.pot:
        raise ImpossibleEvent(event, f"the pot has {counted(table.pot, 'chip')}, not {paid}")
    table.pot -= paid
    for share in event.shares:
        table.stacks[share.seat] += share.amount


def remainder_carried(table: Table, _event: events.RemainderCarried) -> None:
    """Leave what cannot be divided in the pot, for the next round."""
    table.phase = ROUND_END


def round_ended(table: Table, _event: events.RoundEnded) -> None:
    """End the round; keep its hands where they are shown after the game."""
    table.phase = BETWEEN
    if table.rules.history == "all" and sum(map(bool, table.hands)) > table.shown.bit_count():  # some were not shown
        table.past.append(pack(table.round, table.pot, table.held()))
