"""What each event changes: the only place where a game of draw poker moves on.

A handler notes what the event says and works out what comes next: whose turn it is, or which phase the dealer is in.
Before it changes anything it refuses what cannot be: another seat than can act, more chips or cards than there are.
Whether the rules allow the event, and whether the dealer had another one to make, is not its question.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeAlias

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.button import blind_seats
from pokersvc.games.draw_poker.deck import out_of_play, out_of_play_seats
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
from pokersvc.games.draw_poker.pots import Pot, pots_of
from pokersvc.games.draw_poker.seats import fewer_than_two, has, next_seat
from pokersvc.games.draw_poker.table import Cards, Table

HAND: Final = 5
"""The cards of a hand."""


def _exists(table: Table, event: Event, seat: int) -> None:
    """Refuse an event of a seat that the table does not have."""
    if seat > len(table.seats):
        raise ImpossibleEvent(event, f"there is no seat {seat}")


def _not_one_of(event: Any, which: str) -> NoReturn:
    raise ImpossibleEvent(event, f"seat {event.seat} is not {which}")


def _not_in_turn(table: Table, event: Any) -> NoReturn:
    whose = f"seat {table.actor}" if table.actor else "the dealer"
    raise ImpossibleEvent(event, f"{whose} is to act, not seat {event.seat}")


def _is_hand(cards: Cards) -> bool:
    return len(cards) == len(set(cards)) == HAND


# The round.


def _round_started(table: Table, event: events.RoundStarted) -> None:
    if fewer_than_two(table.seated):
        raise ImpossibleEvent(event, "fewer than two players are in the game")
    if event.button is not None:
        _exists(table, event, event.button)
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
        _start_betting(table, 1)
    elif table.rules.blinds is not None:
        table.phase = BLINDS
        table.pending = table.live & (1 << table.small_blind | 1 << table.big_blind)
    else:
        table.phase = SHUFFLE


def _ante_posted(table: Table, event: events.AntePosted) -> None:
    if not has(table.live, event.seat):
        _not_one_of(event, "in the round")
    _pay(table, event)
    _ante_settled(table, event.seat)


def _surrendered(table: Table, event: events.PlayerLeft) -> None:
    if not has(table.live, event.seat):
        _not_one_of(event, "in the round")
    _leave(table, event)
    table.live &= ~(1 << event.seat)
    if table.only_one_left and table.rules.ante.when == "after_deal":
        table.cursor = event.seat
        _close_betting(table)
    else:
        _ante_settled(table, event.seat)


def _ante_settled(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    table.cursor = seat
    if not table.pending:
        _antes_done(table)


def _blind_posted(table: Table, event: events.BlindPosted) -> None:
    if not has(table.live, event.seat):
        _not_one_of(event, "in the round")
    _pay(table, event)
    table.put[event.seat] = event.amount
    table.cursor = event.seat
    table.pending &= ~(1 << event.seat)
    if event.blind == "big":
        blinds = table.rules.blinds
        assert blinds is not None
        table.price = table.level = table.step = blinds.big
        table.bets = 1
        table.phase = SHUFFLE


def _deck_shuffled(table: Table, event: events.DeckShuffled) -> None:
    table.deck_seed = event.seed
    table.phase = DEAL
    table.pending = table.live


def _hidden(count: int) -> tuple[None, ...]:
    return (None,) * count


def _hand_dealt(table: Table, event: events.HandDealt) -> None:
    seat, cards = event.seat, event.cards
    if not has(table.pending, seat):
        _not_one_of(event, "to be dealt a hand")
    if event.count != HAND or not (cards is None or _is_hand(cards)):
        raise ImpossibleEvent(event, f"a hand has {HAND} different cards")
    table.hands[seat] = _hidden(HAND) if cards is None else cards
    table.deck_left -= HAND
    table.pending &= ~(1 << seat)
    if not table.pending:
        if table.ante and table.rules.ante.when == "after_deal":
            table.phase, table.pending, table.cursor = ANTES, table.live, 0
        else:
            _start_betting(table, 1)


# Betting.


def _start_betting(table: Table, street: int) -> None:
    table.street = street
    if street == 2 or table.rules.blinds is None:
        table.clear_betting()
        table.step = table.minimum()
        table.cursor = table.button
    table.pending = 0 if table.only_one_left else table.able()
    table.phase = BETTING
    if table.rules.betting.opener == "random" and not _betting_over(table):
        table.phase = OPENER
    else:
        _next_to_act(table)


def _opener_chosen(table: Table, event: events.OpenerChosen) -> None:
    _exists(table, event, event.seat)
    table.phase = BETTING
    table.cursor = event.seat - 1
    _next_to_act(table)


def _betting_over(table: Table) -> bool:
    return not table.pending or (table.all_in != 0 and table.nobody_left())


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
    table.phase = RETURN if table.uncalled() else _after_betting(table)


def _after_betting(table: Table) -> Phase:
    if table.only_one_left:
        return _to_award(table)
    if table.street == 1:
        if table.rules.discards:
            table.pending, table.cursor = table.live, table.button
            table.actor = next_seat(table.live, table.cursor)
            return DRAW
        return _after_draw(table)
    if table.rules.open_hands == "in_order":
        return SHOWDOWN
    return _to_award(table) if table.shown else OPEN


def _to_award(table: Table) -> Phase:
    table.pots = pots_of(table.pot, table.staked, table.live) if table.rules.all_in else [Pot(table.pot, table.live)]
    return AWARD


_Paid: TypeAlias = events.AntePosted | events.BlindPosted | events.Bet | events.Called | events.Raised


def _pay(table: Table, event: _Paid) -> None:
    """Move chips from a stack into the pot; refuse more than there are."""
    seat, amount = event.seat, event.amount
    left = table.stacks[seat] - amount
    if left < 0:
        raise ImpossibleEvent(event, f"seat {seat} has {table.stacks[seat]} chips, not {amount}")
    table.stacks[seat] = left
    table.staked[seat] += amount
    table.pot += amount
    if not left and table.rules.all_in:
        table.all_in |= 1 << seat


def _acts(table: Table, seat: int) -> None:
    table.acted[seat] = table.price
    table.cursor = seat
    table.pending &= ~(1 << seat)


def _checked(table: Table, event: events.Checked) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    _acts(table, event.seat)
    if table.rules.betting.check_ends:
        table.pending = 0
    _next_to_act(table)


def _called(table: Table, event: events.Called) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    _pay(table, event)
    table.put[event.seat] += event.amount
    _acts(table, event.seat)
    _next_to_act(table)


def _bet(table: Table, event: events.Bet) -> None:
    _raise_price(table, event, event.amount)


def _raised(table: Table, event: events.Raised) -> None:
    _raise_price(table, event, event.to)


def _raise_price(table: Table, event: events.Bet | events.Raised, price: int) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    _pay(table, event)
    seat = event.seat
    table.put[seat] += event.amount
    table.measure_raise(price)
    table.price = price
    table.aggressor = seat
    _acts(table, seat)
    table.pending = table.able() & ~(1 << seat)
    _next_to_act(table)


def _folded(table: Table, event: events.Folded) -> None:
    if event.seat != table.actor and table.actor:
        _not_in_turn(table, event)
    if not has(table.live, event.seat):
        _not_one_of(event, "in the round")
    _fold(table, event.seat)


def _fold(table: Table, seat: int) -> None:
    table.live &= ~(1 << seat)
    _acts(table, seat)
    if table.only_one_left:
        table.pending = 0
    _next_to_act(table)


def _forfeited(table: Table, event: events.Forfeited) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    _fold(table, event.seat)


def _uncalled_bet_returned(table: Table, event: events.UncalledBetReturned) -> None:
    seat, amount = event.seat, event.amount
    _exists(table, event, seat)
    if amount > table.staked[seat]:
        raise ImpossibleEvent(event, f"seat {seat} put in {table.staked[seat]} chips, not {amount}")
    table.stacks[seat] += amount
    table.staked[seat] -= amount
    table.pot -= amount
    table.all_in &= ~(1 << seat)
    table.phase = _after_betting(table)


# The draw.


def _cards_discarded(table: Table, event: events.CardsDiscarded) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    seat, cards, count = event.seat, event.cards, event.count
    hand = table.hands[seat]
    if cards is None or not all(hand):  # hidden from this copy
        if count > len(hand):
            raise ImpossibleEvent(event, f"seat {seat} has {len(hand)} cards, not {count}")
        kept, gone = hand[count:], hand[:count]
    else:
        different = set(cards)
        kept, gone = tuple([card for card in hand if card not in different]), cards
        if len(kept) + count != len(hand) or len(cards) != count:
            raise ImpossibleEvent(event, f"these are not {count} cards of the hand of seat {seat}")
    table.hands[seat], table.discarded[seat] = kept, gone
    if count:
        table.need, table.cursor, table.actor, table.phase = count, seat, 0, SERVE
    else:
        _drawn(table, seat)


def _stood_pat(table: Table, event: events.Forfeited) -> None:
    if event.seat != table.actor:
        _not_in_turn(table, event)
    _drawn(table, event.seat)


def _cards_drawn(table: Table, event: events.CardsDrawn) -> None:
    seat, cards, count = event.seat, event.cards, event.count
    if seat != table.cursor:
        raise ImpossibleEvent(event, f"seat {table.cursor} is to be dealt cards, not seat {seat}")
    if count > table.need or count > table.deck_left:
        raise ImpossibleEvent(event, f"{min(table.need, table.deck_left)} cards can be dealt, not {count}")
    hand = table.hands[seat]
    if cards is None:
        cards_now: Cards = hand + _hidden(count)
    else:
        cards_now = hand + cards
        if len(cards) != count or (len(set(cards_now)) != len(cards_now) and _repeats(hand, cards)):
            raise ImpossibleEvent(event, f"these are not {count} more cards for seat {seat}")
    table.hands[seat] = cards_now
    table.deck_left -= count
    table.need -= count
    if not table.need:
        _drawn(table, seat)


def _repeats(hand: Cards, cards: tuple[Card, ...]) -> bool:
    """Tell whether a card is there twice; the hand may have several that are hidden."""
    known = [card for card in (*hand, *cards) if card is not None]
    return len(set(known)) != len(known)


def _drawn(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    if table.pending:
        table.phase, table.actor = DRAW, next_seat(table.pending, seat)
    else:
        table.actor = 0
        table.phase = _after_draw(table)


def _deck_reshuffled(table: Table, event: events.DeckReshuffled) -> None:
    if event.count > len(FRESH_DECK):
        raise ImpossibleEvent(event, f"a deck has at most {len(FRESH_DECK)} cards, not {event.count}")
    table.deck_cards = out_of_play(table)
    table.reused |= out_of_play_seats(table)
    table.deck_label, table.deck_left, table.cached_deck = f"reshuffle/{event.number}", event.count, None
    table.reshuffles = event.number


def _after_draw(table: Table) -> Phase:
    if table.rules.open_hands == "after_draw":
        return OPEN
    _start_betting(table, 2)
    return table.phase


# Showdown and payout.


def _hands_opened(table: Table, event: events.HandsOpened) -> None:
    for hand in event.hands:
        _exists(table, event, hand.seat)
        _check_shown(table, event, hand.seat, hand.cards)
    for hand in event.hands:
        _show(table, hand.seat, hand.cards)
    if table.street == 1:
        _start_betting(table, 2)
    else:
        table.phase = _to_award(table)


def _hand_shown(table: Table, event: events.HandShown) -> None:
    if not has(table.live & ~table.settled, event.seat):
        _not_one_of(event, "to show a hand")
    _check_shown(table, event, event.seat, event.cards)
    _show(table, event.seat, event.cards)
    _settled(table, event.seat)


def _check_shown(table: Table, event: Event, seat: int, cards: Cards) -> None:
    """Refuse what is no hand; another one than the seat was dealt may be shown, which auditors report."""
    if cards != table.hands[seat] and not _is_hand(cards):
        raise ImpossibleEvent(event, f"a hand has {HAND} different cards")


def _show(table: Table, seat: int, cards: tuple[Card, ...]) -> None:
    table.hands[seat] = cards
    table.shown |= 1 << seat


def _hand_mucked(table: Table, event: events.HandMucked) -> None:
    if not has(table.live & ~table.settled, event.seat):
        _not_one_of(event, "to show a hand")
    _settled(table, event.seat)


def _settled(table: Table, seat: int) -> None:
    table.settled |= 1 << seat
    if table.settled == table.live:
        table.phase = _to_award(table)


def _pot_awarded(table: Table, event: events.PotAwarded) -> None:
    _pay_out(table, event)
    for share in event.shares:
        table.won[share.seat] += share.amount
    table.pots.pop()
    if not table.pots:
        table.phase = CARRY if table.pot else ROUND_END


def _pay_out(table: Table, event: events.PotAwarded) -> None:
    """Move chips from the pot to stacks; refuse more than there are."""
    paid = 0
    for share in event.shares:
        _exists(table, event, share.seat)
        paid += share.amount
    if paid > table.pot:
        raise ImpossibleEvent(event, f"the pot has {table.pot} chips, not {paid}")
    table.pot -= paid
    for share in event.shares:
        table.stacks[share.seat] += share.amount


def _remainder_carried(table: Table, _event: events.RemainderCarried) -> None:
    table.phase = ROUND_END


def _round_ended(table: Table, _event: events.RoundEnded) -> None:
    table.phase = BETWEEN
    if table.rules.history == "all" and sum(map(bool, table.hands)) > table.shown.bit_count():  # some were not shown
        table.past.append(pack(table.round, table.pot, table.held()))


# Between two rounds, and after the last.


def _player_left(table: Table, event: events.PlayerLeft) -> None:
    if not has(table.seated, event.seat):
        _not_one_of(event, "in the game")
    _leave(table, event)


def _leave(table: Table, event: events.PlayerLeft) -> None:
    seat, amount = event.seat, event.amount
    if amount > table.stacks[seat]:
        raise ImpossibleEvent(event, f"seat {seat} has {table.stacks[seat]} chips, not {amount}")
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
            _show(table, hand.seat, hand.cards)


def _due_to_be_revealed(table: Table, event: events.HandsRevealed) -> bytes:
    """Return the round whose hands are due; refuse hands that are not all of them, as far as this copy knows them."""
    if table.revealed == len(table.past):
        raise ImpossibleEvent(event, "all hands lie open")
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
    _pay_out(table, event)


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
    SHUFFLE: {events.DeckShuffled: _deck_shuffled},
    DEAL: {events.HandDealt: _hand_dealt},
    OPENER: {events.OpenerChosen: _opener_chosen},
    BETTING: {
        events.Checked: _checked,
        events.Bet: _bet,
        events.Called: _called,
        events.Raised: _raised,
        events.Folded: _folded,
        events.Forfeited: _forfeited,
    },
    RETURN: {events.UncalledBetReturned: _uncalled_bet_returned},
    DRAW: {events.CardsDiscarded: _cards_discarded, events.Forfeited: _stood_pat},
    SERVE: {events.CardsDrawn: _cards_drawn, events.DeckReshuffled: _deck_reshuffled},
    OPEN: {events.HandsOpened: _hands_opened},
    SHOWDOWN: {events.HandShown: _hand_shown, events.HandMucked: _hand_mucked},
    AWARD: {events.PotAwarded: _pot_awarded},
    CARRY: {events.RemainderCarried: _remainder_carried},
    ROUND_END: {events.RoundEnded: _round_ended},
    OVER: {},
}
"""Which events each phase can take, and what they change."""
