"""What each event changes: the only place where a game of draw poker moves on.

A handler notes what the event says and works out what comes next: whose turn it is, or which phase the dealer is in.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.button import blind_seats
from pokersvc.games.draw_poker.deck import out_of_play, out_of_play_seats
from pokersvc.games.draw_poker.past import hands_of, may_hide, pack, round_of
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.pots import Pot, next_seat, pots_of
from pokersvc.games.draw_poker.table import Table

# The round.


def _round_started(table: Table, event: events.RoundStarted) -> None:
    if table.round:
        table.record.turn()
    table.clear_round()
    table.round, table.ante, table.button = event.round, event.ante, event.button or 0
    table.live = table.seated
    if table.rules.blinds is not None:
        table.small_blind, table.big_blind = blind_seats(table)
    if table.ante and table.rules.ante.when == "before_deal":
        table.phase, table.pending = Phase.ANTES, table.live
    else:
        _antes_done(table)


def _antes_done(table: Table) -> None:
    if table.rules.ante.when == "after_deal" and table.hands[next_seat(table.live, 0)]:
        _start_betting(table, 1)
    elif table.rules.blinds is not None:
        table.phase = Phase.BLINDS
        table.pending = table.live & (1 << table.small_blind | 1 << table.big_blind)
    else:
        table.phase = Phase.SHUFFLE


def _ante_posted(table: Table, event: events.AntePosted) -> None:
    _pay(table, event.seat, event.amount)
    _ante_settled(table, event.seat)


def _ante_settled(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    table.cursor = seat
    if table.live & (table.live - 1) == 0 and table.rules.ante.when == "after_deal":
        _close_betting(table)
    elif not table.pending:
        _antes_done(table)


def _blind_posted(table: Table, event: events.BlindPosted) -> None:
    blinds = table.rules.blinds
    assert blinds is not None
    _pay(table, event.seat, event.amount)
    table.put[event.seat] = event.amount
    table.cursor = event.seat
    table.pending &= ~(1 << event.seat)
    if event.blind == "big":
        table.price = table.level = table.step = blinds.big
        table.bets = 1
        table.phase = Phase.SHUFFLE


def _deck_shuffled(table: Table, event: events.DeckShuffled) -> None:
    table.deck_seed = event.seed
    table.phase = Phase.DEAL
    table.pending = table.live


def _hidden(count: int) -> tuple[None, ...]:
    """Return that many hidden cards; a forged copy may say any number, and none is more than the deck has."""
    return (None,) * min(count, len(FRESH_DECK))


def _hand_dealt(table: Table, event: events.HandDealt) -> None:
    table.hands[event.seat] = event.cards or _hidden(event.count)
    table.deck_left -= event.count
    table.pending &= ~(1 << event.seat)
    if not table.pending:
        if table.ante and table.rules.ante.when == "after_deal":
            table.phase, table.pending, table.cursor = Phase.ANTES, table.live, 0
        else:
            _start_betting(table, 1)


# Betting.


def _start_betting(table: Table, street: int) -> None:
    table.street = street
    blinds = street == 1 and table.rules.blinds is not None
    if not blinds:
        table.clear_betting()
        table.step = table.minimum()
        table.cursor = table.button
    table.pending = table.live & ~table.all_in
    table.phase = Phase.BETTING
    if table.rules.betting.opener == "random" and not _betting_over(table):
        table.phase = Phase.OPENER
    else:
        _next_to_act(table)


def _opener_chosen(table: Table, event: events.OpenerChosen) -> None:
    table.phase = Phase.BETTING
    table.cursor = event.seat - 1
    _next_to_act(table)


def _betting_over(table: Table) -> bool:
    live = table.live
    return not table.pending or live & (live - 1) == 0 or (table.all_in != 0 and table.nobody_left())


def _next_to_act(table: Table) -> None:
    if table.all_in:
        table.settle_price()
    if _betting_over(table):
        _close_betting(table)
        return
    seat = next_seat(table.pending, table.cursor)
    table.actor = 0 if table.must_fold(seat) else seat


def _close_betting(table: Table) -> None:
    table.actor = table.pending = 0
    table.phase = Phase.RETURN if table.uncalled() else _after_betting(table)


def _after_betting(table: Table) -> Phase:
    if table.live & (table.live - 1) == 0:
        return _to_award(table)
    if table.street == 1:
        if table.rules.discards:
            table.pending, table.cursor = table.live, table.button
            table.actor = next_seat(table.live, table.cursor)
            return Phase.DRAW
        return _after_draw(table)
    if table.rules.open_hands == "in_order":
        return Phase.SHOWDOWN
    return _to_award(table) if table.shown else Phase.OPEN


def _to_award(table: Table) -> Phase:
    table.pots = pots_of(table.pot, table.staked, table.live) if table.rules.all_in else [Pot(table.pot, table.live)]
    return Phase.AWARD


def _pay(table: Table, seat: int, amount: int) -> None:
    table.stacks[seat] -= amount
    table.staked[seat] += amount
    table.pot += amount
    if not table.stacks[seat] and table.rules.betting.short == "all_in":
        table.all_in |= 1 << seat


def _acts(table: Table, seat: int) -> None:
    table.acted[seat] = table.price
    table.cursor = seat
    table.pending &= ~(1 << seat)


def _checked(table: Table, event: events.Checked) -> None:
    _acts(table, event.seat)
    if table.rules.betting.check_ends:
        table.pending = 0
    _next_to_act(table)


def _called(table: Table, event: events.Called) -> None:
    _pay(table, event.seat, event.amount)
    table.put[event.seat] += event.amount
    _acts(table, event.seat)
    _next_to_act(table)


def _bet(table: Table, event: events.Bet) -> None:
    _raise_price(table, event.seat, event.amount, event.amount)


def _raised(table: Table, event: events.Raised) -> None:
    _raise_price(table, event.seat, event.amount, event.to)


def _raise_price(table: Table, seat: int, amount: int, price: int) -> None:
    _pay(table, seat, amount)
    table.put[seat] += amount
    table.measure_raise(price)
    table.price = price
    table.aggressor = seat
    _acts(table, seat)
    table.pending = table.live & ~table.all_in & ~(1 << seat)
    _next_to_act(table)


def _folded(table: Table, event: events.Folded) -> None:
    _fold(table, event.seat)


def _fold(table: Table, seat: int) -> None:
    table.live &= ~(1 << seat)
    _acts(table, seat)
    _next_to_act(table)


def _forfeited(table: Table, event: events.Forfeited) -> None:
    if table.phase is Phase.DRAW:
        _drawn(table, event.seat)
    else:
        _fold(table, event.seat)


def _uncalled_bet_returned(table: Table, event: events.UncalledBetReturned) -> None:
    table.stacks[event.seat] += event.amount
    table.staked[event.seat] -= event.amount
    table.pot -= event.amount
    table.all_in &= ~(1 << event.seat)
    table.phase = _after_betting(table)


# The draw.


def _cards_discarded(table: Table, event: events.CardsDiscarded) -> None:
    seat = event.seat
    hand = table.hands[seat]
    if event.cards is None or not all(hand):  # hidden from this copy
        table.hands[seat], table.discarded[seat] = hand[event.count :], hand[: event.count]
    else:
        table.discarded[seat] = event.cards
        gone = set(event.cards)
        table.hands[seat] = tuple([card for card in hand if card not in gone])
    if event.count:
        table.need, table.cursor, table.actor, table.phase = event.count, seat, 0, Phase.SERVE
    else:
        _drawn(table, seat)


def _cards_drawn(table: Table, event: events.CardsDrawn) -> None:
    table.hands[event.seat] += event.cards or _hidden(event.count)
    table.deck_left -= event.count
    table.need -= event.count
    if not table.need:
        _drawn(table, event.seat)


def _drawn(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    if table.pending:
        table.phase, table.actor = Phase.DRAW, next_seat(table.pending, seat)
    else:
        table.actor = 0
        table.phase = _after_draw(table)


def _deck_reshuffled(table: Table, event: events.DeckReshuffled) -> None:
    table.deck_cards = out_of_play(table)
    table.reused |= out_of_play_seats(table)
    table.deck_label, table.deck_left, table.cached_deck = f"reshuffle/{event.number}", event.count, None
    table.reshuffles = event.number


def _after_draw(table: Table) -> Phase:
    if table.rules.open_hands == "after_draw":
        return Phase.OPEN
    _start_betting(table, 2)
    return table.phase


# Showdown and payout.


def _hands_opened(table: Table, event: events.HandsOpened) -> None:
    for hand in event.hands:
        _show(table, hand.seat, hand.cards)
    if table.street == 1:
        _start_betting(table, 2)
    else:
        table.phase = _to_award(table)


def _hand_shown(table: Table, event: events.HandShown) -> None:
    _show(table, event.seat, event.cards)
    _settled(table, event.seat)


def _show(table: Table, seat: int, cards: tuple[Card, ...]) -> None:
    table.hands[seat] = cards
    table.shown |= 1 << seat


def _hand_mucked(table: Table, event: events.HandMucked) -> None:
    _settled(table, event.seat)


def _settled(table: Table, seat: int) -> None:
    table.settled |= 1 << seat
    if table.settled == table.live:
        table.phase = _to_award(table)


def _pot_awarded(table: Table, event: events.PotAwarded) -> None:
    for share in event.shares:
        table.stacks[share.seat] += share.amount
        table.pot -= share.amount
    if event.reason == "game_end":
        return
    for share in event.shares:
        table.won[share.seat] += share.amount
    table.pots.pop()
    if not table.pots:
        table.phase = Phase.CARRY if table.pot else Phase.ROUND_END


def _remainder_carried(table: Table, _event: events.RemainderCarried) -> None:
    table.phase = Phase.ROUND_END


def _round_ended(table: Table, _event: events.RoundEnded) -> None:
    table.phase = Phase.BETWEEN
    if table.rules.history == "all" and any(
        hand and not table.shown >> seat & 1 for seat, hand in enumerate(table.hands)
    ):
        table.past.append(pack(table.round, table.pot, table.held()))


def _player_left(table: Table, event: events.PlayerLeft) -> None:
    bit = 1 << event.seat
    table.seated &= ~bit
    table.stacks[event.seat] -= event.amount
    table.pot += event.amount
    if table.phase is Phase.ANTES:
        table.live &= ~bit
        _ante_settled(table, event.seat)


def _hands_revealed(table: Table, event: events.HandsRevealed) -> None:
    kept = table.past[table.revealed]
    if may_hide(kept):  # a copy that did not know all of them
        opened = {hand.seat: hand.cards for hand in event.hands}
        hands = [hand if hand.shown else hand._replace(cards=opened[hand.seat]) for hand in hands_of(kept)]
        table.past[table.revealed] = pack(*round_of(kept), hands)
    table.revealed += 1
    if event.round == table.round:
        for hand in event.hands:
            _show(table, hand.seat, hand.cards)


def _game_ended(table: Table, event: events.GameEnded) -> None:
    table.ended = event
    table.phase = Phase.OVER


HANDLERS: Final[Mapping[type[Event], Callable[[Table, Any], None]]] = {
    events.RoundStarted: _round_started,
    events.AntePosted: _ante_posted,
    events.BlindPosted: _blind_posted,
    events.DeckShuffled: _deck_shuffled,
    events.HandDealt: _hand_dealt,
    events.OpenerChosen: _opener_chosen,
    events.Checked: _checked,
    events.Bet: _bet,
    events.Called: _called,
    events.Raised: _raised,
    events.Folded: _folded,
    events.Forfeited: _forfeited,
    events.CardsDiscarded: _cards_discarded,
    events.CardsDrawn: _cards_drawn,
    events.DeckReshuffled: _deck_reshuffled,
    events.HandsOpened: _hands_opened,
    events.HandShown: _hand_shown,
    events.HandMucked: _hand_mucked,
    events.UncalledBetReturned: _uncalled_bet_returned,
    events.PotAwarded: _pot_awarded,
    events.RemainderCarried: _remainder_carried,
    events.PlayerLeft: _player_left,
    events.RoundEnded: _round_ended,
    events.HandsRevealed: _hands_revealed,
    events.GameEnded: _game_ended,
}
