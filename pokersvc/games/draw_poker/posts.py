"""Who is dealt in at a table of its own, and what is posted: blinds, extra blinds, dead money, straddles.

Who sits out while a blind passes has missed it. By the rule of the card rooms (Robert's Rules of Poker, "Blinds";
PokerStars, "Missed blinds"), who comes back posts a missed big blind live and a missed small one dead, both at once
where both were missed; a newcomer posts a big blind. Who is the big blind anyway posts no more than that, and nobody
comes in between the button and the big blind. Heads-up there is nothing to make up for, nor where fewer than two have
stayed: all begin as at a new table. Where two have played, a third comes in as the big blind or waits: else one of the
two would have the big blind again, and the button with it.

In a house with a straddle the next player after the big blind posts it, where three or more are dealt in. One who owes
a blind posts that instead, and nobody straddles: so all do it in turn. Who misses a straddle does not owe it.
"""

from typing import NamedTuple

from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.cash_table import Post
from pokersvc.games.draw_poker.phases import SHUFFLE
from pokersvc.games.draw_poker.refusals import not_one_of
from pokersvc.games.draw_poker.seats import clockwise, has, next_seat, passed
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.streets import pay


class Opening(NamedTuple):
    """How a round opens."""

    live: int
    """The seats that are dealt in."""
    waiting: int
    """The seats that could be, but come in only after the button has passed."""
    small: int
    """The seat of the small blind, where nobody need be dealt in; 0 where there is none."""
    big: int
    posts: tuple[Post, ...]


def opening_of(state: Situation, button: int) -> Opening:
    """Return how the next round opens with the button at a seat."""
    live, blinds = state.sitting(), state.rules.blinds
    if state.stated_posts is not None:
        seats = {post.kind: post.seat for post in reversed(state.stated_posts)}
        return Opening(live, 0, seats.get("small", 0), seats.get("big", 0), state.stated_posts)
    if blinds is None:
        return Opening(live, 0, 0, 0, ())
    owing = state.owing(live)
    small = state.big_blind if state.rules.button_rule == "dead" else 0
    small = small or next_seat(live & ~owing, button)
    big = next_seat(live, small)
    waiting = owing & (passed(button, big) | 1 << small) & ~(1 << big)
    if button in (small, big) and state.waits_after_heads_up:  # as one of the two has it, all others wait
        waiting = owing & ~(1 << big)
    live &= ~waiting
    if live.bit_count() == 2:
        small = next_seat(live, button - 1)
        big = next_seat(live, small)
        owing = 0
    posts = [Post(amount=blinds.small, kind="small", seat=small)] if has(live, small) else []
    posts.append(Post(amount=blinds.big, kind="big", seat=big))
    for seat in clockwise(live & owing & ~(1 << big), button):
        if has(state.owes_big, seat):
            posts.append(Post(amount=blinds.big, kind="extra", seat=seat))
        if has(state.owes_small, seat):
            posts.append(Post(amount=blinds.small, kind="dead", seat=seat))
    straddler = next_seat(live, big)
    if blinds.straddle and live.bit_count() > 2 and not has(owing, straddler):
        posts.append(Post(amount=blinds.straddle, kind="straddle", seat=straddler))
    return Opening(live, waiting, small, big, tuple(posts))


def open_round(state: Situation) -> None:
    """Note who is dealt in, what they are to post, and whom the blinds have passed since the round before."""
    live, waiting, small, big, posts = opening_of(state, state.button)
    before = state.small_blind, state.big_blind
    state.live, state.posts = live, posts
    state.small_blind, state.big_blind = small, big
    state.two = live if live.bit_count() == 2 and state.waits_after_heads_up else 0
    state.owes_small &= ~live
    state.owes_big &= ~live
    if before[1]:
        absent = state.seated & ~live & ~waiting
        state.owes_small |= absent & passed(before[0], small)
        state.owes_big |= absent & passed(before[1], big)


def post_due(state: Situation) -> events.BlindPosted | events.Posted:
    """Return the event of the next post: its amount, or all that the seat has."""
    post = state.posts[0]
    amount = min(post.amount, state.stacks[post.seat])
    match post.kind:
        case "small" | "big" as blind:
            return events.BlindPosted(amount, blind, post.seat)
        case other:
            return events.Posted(amount, other, post.seat)


def posted(state: Situation, event: events.BlindPosted | events.Posted) -> None:
    """Take a post; refuse one that is not due."""
    kind = event.blind if isinstance(event, events.BlindPosted) else event.kind
    if not state.posts or (state.posts[0].kind, state.posts[0].seat) != (kind, event.seat):
        not_one_of(event, "the one that posts this now")
    pay(state, event)
    if kind == "dead":
        state.staked[event.seat] -= event.amount  # it is in the pot, and counts for nothing else
    else:
        state.put[event.seat] += event.amount
        _set_price(state, state.posts[0])
    state.posts = state.posts[1:]
    posts_settled(state)


def _set_price(state: Situation, post: Post) -> None:
    """Count a live post in the price of the first betting: an extra blind is no raise, a straddle is one."""
    blinds = state.rules.blinds
    price = blinds.big if blinds is not None and post.kind == "big" else post.amount
    if post.kind != "extra":
        state.cursor = post.seat
    if post.kind == "small" or price <= state.price:
        return
    if post.kind == "straddle":
        state.bets += 1
    else:
        state.bets = 1
    if post.kind != "straddle" or state.rules.betting.raises != "fixed_limit":
        state.step = price
    state.price = state.level = price


def posts_settled(state: Situation) -> None:
    """Let the deck be shuffled, once all has been posted."""
    if state.posts:
        return
    if not state.price:  # nobody had a big blind to post
        state.step, state.cursor = state.minimum(), state.button
    state.phase = SHUFFLE
