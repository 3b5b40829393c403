"""What each event changes: the only place where a game of draw poker moves on.

A handler notes what the event says and works out what comes next: whose turn it is, or which phase the dealer is in.
Before it changes anything it refuses what cannot be: another seat than can act, more chips or cards than there are.
Whether the rules allow the event, and whether the dealer had another one to make, is not its question.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.button import blind_seats
from pokersvc.games.draw_poker.dealt import (
    cards_discarded,
    cards_drawn,
    deck_reshuffled,
    deck_shuffled,
    hand_dealt,
    stood_pat,
)
from pokersvc.games.draw_poker.past import hands_of, may_hide, pack, round_of
from pokersvc.games.draw_poker.phases import (
    ANTES,
    AWARD,
    BETTING,
    BETWEEN,
    BLINDS,
    CARRY,
    DEAL,
    DRAW,
    OPEN,
    OPENER,
    OVER,
    RETURN,
    ROUND_END,
    SERVE,
    SHOWDOWN,
    SHUFFLE,
    Phase,
)
from pokersvc.games.draw_poker.refusals import exists, not_one_of
from pokersvc.games.draw_poker.seats import fewer_than_two, has, next_seat
from pokersvc.games.draw_poker.showdown import (
    hand_mucked,
    hand_shown,
    hands_opened,
    pay_out,
    pot_awarded,
    remainder_carried,
    round_ended,
    show,
)
from pokersvc.games.draw_poker.streets import (
    bet,
    called,
    checked,
    close_betting,
    folded,
    forfeited,
    opener_chosen,
    pay,
    raised,
    start_betting,
    uncalled_bet_returned,
)
from pokersvc.games.draw_poker.table import Table
from pokersvc.text import counted


def _round_started(table: Table, event: events.RoundStarted) -> None:
    if fewer_than_two(table.seated):
        raise ImpossibleEvent(event, "fewer than two players are in the game")
    if event.button is not None:
        exists(table, event, event.button)
    if table.round:
        table.record.turn()
    table.clear_round()
    table.round, table.ante, table.button = event.round, event.ante, event.button or 0
    table.live = table.seated
    if table.rules.blinds is not None:
        table.small_blind, table.big_blind = blind_seats(table)
    if table.ante and table.rules.ante.when == "before_deal":
        table.phase, table.pending = ANTES, table.live
    else:
        _antes_done(table)


def _antes_done(table: Table) -> None:
    if table.rules.ante.when == "after_deal" and table.hands[next_seat(table.live, 0)]:
        start_betting(table, 1)
    elif table.rules.blinds is not None:
        table.phase = BLINDS
        table.pending = table.live & (1 << table.small_blind | 1 << table.big_blind)
    else:
        table.phase = SHUFFLE


def _ante_posted(table: Table, event: events.AntePosted) -> None:
    if not has(table.live, event.seat):
        not_one_of(event, "in the round")
    pay(table, event)
    _ante_settled(table, event.seat)


def _surrendered(table: Table, event: events.PlayerLeft) -> None:
    if not has(table.live, event.seat):
        not_one_of(event, "in the round")
    _leave(table, event)
    table.live &= ~(1 << event.seat)
    if table.only_one_left and table.rules.ante.when == "after_deal":
        table.cursor = event.seat
        close_betting(table)
    else:
        _ante_settled(table, event.seat)


def _ante_settled(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    table.cursor = seat
    if not table.pending:
        _antes_done(table)


def _blind_posted(table: Table, event: events.BlindPosted) -> None:
    if not has(table.live, event.seat):
        not_one_of(event, "in the round")
    pay(table, event)
    table.put[event.seat] = event.amount
    table.cursor = event.seat
    table.pending &= ~(1 << event.seat)
    if event.blind == "big":
        blinds = table.rules.blinds
        assert blinds is not None
        table.price = table.level = table.step = blinds.big
        table.bets = 1
        table.phase = SHUFFLE


def _player_left(table: Table, event: events.PlayerLeft) -> None:
    if not has(table.seated, event.seat):
        not_one_of(event, "in the game")
    _leave(table, event)


def _leave(table: Table, event: events.PlayerLeft) -> None:
    seat, amount = event.seat, event.amount
    if amount > table.stacks[seat]:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(table.stacks[seat], 'chip')}, not {amount}")
    table.seated &= ~(1 << seat)
    table.stacks[seat] -= amount
    table.pot += amount


def _hands_revealed(table: Table, event: events.HandsRevealed) -> None:
    kept = _due_to_be_revealed(table, event)
    if may_hide(kept):  # a copy that did not know all of them
        opened = {hand.seat: hand.cards for hand in event.hands}
        hands = [hand if hand.shown else hand._replace(cards=opened[hand.seat]) for hand in hands_of(kept)]
        table.past[table.revealed] = pack(*round_of(kept), hands)
    table.revealed += 1
    if event.round == table.round:
        for hand in event.hands:
            show(table, hand.seat, hand.cards)


def _due_to_be_revealed(table: Table, event: events.HandsRevealed) -> bytes:
    """Return the round whose hands are due; refuse hands that are not all of them, as far as this copy knows them."""
    if table.revealed == len(table.past):
        raise ImpossibleEvent(event, "all hands were shown already")
    due = table.past[table.revealed]
    round_, _ = round_of(due)
    if event.round != round_:
        raise ImpossibleEvent(event, f"the hands of round {round_} are due, not of round {event.round}")
    held = [hand for hand in hands_of(due) if not hand.shown]
    if [hand.seat for hand in held] != [hand.seat for hand in event.hands]:
        raise ImpossibleEvent(event, f"the hands of the seats {', '.join(str(hand.seat) for hand in held)} are due")
    for hand, opened in zip(held, event.hands, strict=True):
        if len(hand.cards) != len(opened.cards) or any(
            card not in (None, other) for card, other in zip(hand.cards, opened.cards, strict=True)
        ):
            raise ImpossibleEvent(event, f"seat {hand.seat} held other cards")
    return due


def _left_in_the_pot(table: Table, event: events.PotAwarded) -> None:
    if event.reason != "game_end":
        raise ImpossibleEvent(event, "no round is on")
    pay_out(table, event)


def _game_ended(table: Table, event: events.GameEnded) -> None:
    if table.revealed < len(table.past):
        raise ImpossibleEvent(event, "there are hands to be revealed first")
    table.ended = event
    table.phase = OVER


Handler: TypeAlias = Callable[[Table, Any], None]

HANDLERS: Final[Mapping[Phase, Mapping[type[Event], Handler]]] = {
    BETWEEN: {
        events.RoundStarted: _round_started,
        events.PlayerLeft: _player_left,
        events.PotAwarded: _left_in_the_pot,
        events.HandsRevealed: _hands_revealed,
        events.GameEnded: _game_ended,
    },
    ANTES: {events.AntePosted: _ante_posted, events.PlayerLeft: _surrendered},
    BLINDS: {events.BlindPosted: _blind_posted},
    SHUFFLE: {events.DeckShuffled: deck_shuffled},
    DEAL: {events.HandDealt: hand_dealt},
    OPENER: {events.OpenerChosen: opener_chosen},
    BETTING: {
        events.Checked: checked,
        events.Bet: bet,
        events.Called: called,
        events.Raised: raised,
        events.Folded: folded,
        events.Forfeited: forfeited,
    },
    RETURN: {events.UncalledBetReturned: uncalled_bet_returned},
    DRAW: {events.CardsDiscarded: cards_discarded, events.Forfeited: stood_pat},
    SERVE: {events.CardsDrawn: cards_drawn, events.DeckReshuffled: deck_reshuffled},
    OPEN: {events.HandsOpened: hands_opened},
    SHOWDOWN: {events.HandShown: hand_shown, events.HandMucked: hand_mucked},
    AWARD: {events.PotAwarded: pot_awarded},
    CARRY: {events.RemainderCarried: remainder_carried},
    ROUND_END: {events.RoundEnded: round_ended},
    OVER: {},
}
"""Which events each phase can take, and what they change."""
