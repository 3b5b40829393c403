"""The button and the blinds: where they go, who is dealt in, and what is posted before the deal.

Two rules are in use. Online rooms move the button *forward*, to the next player still in, and the blinds follow it;
when players leave, a player may skip a big blind. Live rooms move the big blind, so that everyone posts it in
turn; the small blind comes to the same seat a round later and the button two rounds later, even if the seat is empty by
then (the *dead* button of the TDA and the WSOP). Heads-up the button always has the small blind, and nobody has the big
blind twice in a row (TDA rule 34, WSOP rule 87).

A player who sits out while a blind passes has missed it. By the rule of the card rooms (Robert's Rules of Poker,
"Blinds"; PokerStars, "Missed blinds"), a player who comes back posts a missed big blind live and a missed small blind
dead, both at once if both were missed; a newcomer posts a big blind. A player who is the big blind anyway posts nothing
more, and nobody comes in between the button and the big blind. No missed blind is posted heads-up, nor if fewer than
two players have stayed: then all begin as at a new table. After a heads-up round, a third player comes in as the big
blind or waits: otherwise one of the two would have the big blind again, and the button with it.

In a house with a straddle, the next player after the big blind posts the straddle if three or more are dealt in. If
that player owes a blind, they post the blind instead, and nobody straddles: so all straddle in turn. A missed straddle
is not owed. In a cash game with straddles by choice, that player straddles only if they wish to; otherwise nobody does.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pokersvc.betting.cash_seats import NO_WISHES
from pokersvc.betting.events import OfChips
from pokersvc.betting.seats import clockwise, has, next_seat, passed
from pokersvc.betting.state import BettingState, not_one_of
from pokersvc.betting.terms import PostDue, PostKind
from pokersvc.betting.turns import pay

# Where the button and the blinds go


def next_button(state: BettingState) -> int:
    """Return the seat that has the button in the next round; a dead button may be at an empty seat."""
    if not state.round and state.stated.button is not None:
        return state.stated.button
    if state.bomb_pot_next:
        return state.button
    playing = state.sitting()
    steady = playing & ~state.owing(playing)
    forward = next_seat(steady, state.button)
    if not state.big_blind:  # before the first round, or where there are no blinds
        return forward
    if playing.bit_count() == 2:
        return _heads_up(state, playing, forward)
    button = state.small_blind if state.terms.dead_button else forward
    if not state.terms.waits_after_heads_up:
        return button
    opening = opening_of(state, button)
    if steady.bit_count() == 2 and opening.live == steady:
        return _heads_up(state, steady, forward)
    # One of the two players of the round before has gone.
    if state.two and (opening.big == state.big_blind or button in (opening.small, opening.big)):
        return clockwise(playing & ~(1 << state.big_blind), state.big_blind)[-1]
    return button


def _heads_up(state: BettingState, playing: int, forward: int) -> int:
    """Return which of the last two players has the button; the other has the big blind."""
    big = next_seat(playing, forward)
    if state.terms.dead_button or (state.terms.big_blind_alternates and big == state.big_blind):
        big = next_seat(playing, state.big_blind)
    return next_seat(playing, big)


def blind_seats(state: BettingState) -> tuple[int, int]:
    """Return the seats of the small and big blind of the next round; the small blind's seat may be empty."""
    heads_up = state.live.bit_count() == 2
    if state.terms.dead_button and state.big_blind and not heads_up:
        return state.big_blind, next_seat(state.live, state.big_blind)
    return blinds_after(state.live, state.button, heads_up=heads_up)


def blinds_after(live: int, button: int, *, heads_up: bool) -> tuple[int, int]:
    """Return the seats of the small and big blind, given who is dealt in; heads-up the button is the small blind.

    >>> blinds_after(0b1110, 3, heads_up=False), blinds_after(0b1010, 3, heads_up=True)
    ((1, 2), (3, 1))
    """
    small = next_seat(live, button - heads_up)
    return small, next_seat(live, small)


def seat_with_button(numbers: Sequence[int], place: int) -> int:
    """Return the seat at the button's place at the table, or the last seat before the place if no seat is there.

    ``numbers`` are the places of the seats, ascending. Either way the order of play begins after the button.

    >>> seat_with_button((1, 3, 6), 4), seat_with_button((1, 3, 6), 0)
    (2, 3)
    """
    before = [seat for seat, number in enumerate(numbers, 1) if number <= place]
    return before[-1] if before else len(numbers)


# Who is dealt in, and the posts: blinds, extra blinds, dead money, straddles


class RoundOpening(NamedTuple):
    """The opening of a round: the seats dealt in, the seats of the blinds, and the posts."""

    live: int
    """The seats that are dealt in."""
    waiting: int
    """The seats that could be dealt in, but have to wait until the button has passed them."""
    small: int
    """The seat of the small blind, even if it is not dealt in; 0 if there is no small blind."""
    big: int
    posts: tuple[PostDue, ...]


def opening_of(state: BettingState, button: int) -> RoundOpening:
    """Return the opening of the next round, given the seat with the button."""
    live, terms = state.sitting(), state.terms
    if not state.round and state.stated.posts is not None:
        seats = {post.kind: post.seat for post in reversed(state.stated.posts)}
        return RoundOpening(live, 0, seats.get("small", 0), seats.get("big", 0), state.stated.posts)
    if not terms.big_blind or state.bomb_pot_next:
        return RoundOpening(live, 0, 0, 0, ())
    owing = state.owing(live)
    small = state.big_blind if terms.dead_button else 0
    small = small or next_seat(live & ~owing, button)
    big = next_seat(live, small)
    waiting = owing & (passed(button, big) | 1 << small) & ~(1 << big)
    if button in (small, big) and terms.waits_after_heads_up:  # the button is a blind: all others that owe wait
        waiting = owing & ~(1 << big)
    live &= ~waiting
    if live.bit_count() == 2:
        small, big = blinds_after(live, button, heads_up=True)
        owing = 0
    posts = [PostDue(terms.small_blind, "small", small)] if has(live, small) else []
    posts.append(PostDue(terms.big_blind, "big", big))
    for seat in clockwise(live & owing & ~(1 << big), button):
        if has(state.owes_big, seat):
            posts.append(PostDue(terms.big_blind, "extra", seat))
        if has(state.owes_small, seat):
            posts.append(PostDue(terms.small_blind, "dead", seat))
    straddler = next_seat(live, big)
    if terms.straddle and live.bit_count() > 2 and not has(owing, straddler) and _straddles(state, straddler):
        posts.append(PostDue(terms.straddle, "straddle", straddler))
    return RoundOpening(live, waiting, small, big, tuple(posts))


def _straddles(state: BettingState, seat: int) -> bool:
    """Return whether a seat straddles in its turn: in some houses every seat does, in others a seat that wishes to."""
    return not state.terms.at_cash.straddle_by_choice or state.cash_seats.wishes.get(seat, NO_WISHES).straddles


def open_round(state: BettingState) -> None:
    """Note who is dealt in, the posts due, and which seats the blinds have passed since the last round."""
    live, waiting, small, big, posts = opening_of(state, state.button)
    before = state.small_blind, state.big_blind
    state.live, state.posts = live, posts
    if state.bomb_pot_next:  # the blinds stay where they are, and what is owed is still owed
        return
    state.small_blind, state.big_blind = small, big
    state.two = live if live.bit_count() == 2 and state.terms.waits_after_heads_up else 0
    state.owes_small &= ~live
    state.owes_big &= ~live
    if before[1]:
        absent = state.seated & ~live & ~waiting
        state.owes_small |= absent & passed(before[0], small)
        state.owes_big |= absent & passed(before[1], big)


def post_due(state: BettingState) -> PostDue:
    """Return the next post due; its amount is at most what the seat has."""
    amount, kind, seat = state.posts[0]
    return PostDue(min(amount, state.stacks[seat]), kind, seat)


def posted(state: BettingState, event: OfChips, kind: PostKind) -> bool:
    """Move a post into the pot and return whether it was the last; refuse a post that is not due."""
    if not state.posts or (state.posts[0].kind, state.posts[0].seat) != (kind, event.seat):
        not_one_of(event, "the one that posts this now")
    pay(state, event)
    if kind == "dead":
        state.staked[event.seat] -= event.amount  # it is in the pot, and counts for nothing else
    else:
        state.put[event.seat] += event.amount
        _set_price(state, state.posts[0])
    state.posts = state.posts[1:]
    return all_posted(state)


def _set_price(state: BettingState, post: PostDue) -> None:
    """Update the opening price after a live post: an extra blind is no raise, a straddle is a raise."""
    price = state.terms.big_blind if post.kind == "big" and state.terms.big_blind else post.amount
    if post.kind != "extra":
        state.cursor = post.seat
    if post.kind == "small" or price <= state.price:
        return
    if post.kind == "straddle":
        state.bets += 1
    else:
        state.bets = 1
    if post.kind != "straddle" or state.terms.raises != "fixed_limit":
        state.step = price
    state.price = state.level = price


def all_posted(state: BettingState) -> bool:
    """Return whether all posts are made; if so, and no post set a price, have the betting begin after the button."""
    if state.posts:
        return False
    if not state.price:
        state.step, state.cursor = state.street_terms.least, state.button
    return True


# Games in which blinds are the only posts, and no seat can miss a blind


def blinds_due(state: BettingState) -> int:
    """Return the seats that post a blind: both blinds' seats, or only the big blind's if the other is empty."""
    return state.live & (1 << state.small_blind | 1 << state.big_blind)


def blind_due(state: BettingState) -> PostDue:
    """Return the next blind due; its amount is at most what the seat has."""
    small, big = state.small_blind, state.big_blind
    if has(state.pending, small):
        return PostDue(min(state.terms.small_blind, state.stacks[small]), "small", small)
    return PostDue(min(state.terms.big_blind, state.stacks[big]), "big", big)


def blind_posted(state: BettingState, event: OfChips, kind: PostKind) -> bool:
    """Move a blind into the pot and return whether it was the last."""
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    pay(state, event)
    state.put[event.seat] = event.amount
    state.cursor = event.seat
    state.pending &= ~(1 << event.seat)
    if kind != "big":
        return False
    state.price = state.level = state.step = state.terms.big_blind
    state.bets = 1
    return True
