"""Standing wishes of people in a cash game, and what is due before a round begins: top-ups, absences, free seats.

The state alone determines which wishes are due, so the dealer records their events, and an audit checks this.
"""

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from pokersvc.betting.blinds import next_button, opening_of
from pokersvc.betting.cash import check_seated, chips_bought, got_up, sat_in, sat_out
from pokersvc.betting.cash_seats import NO_WISHES, Wishes
from pokersvc.betting.events import OfSeat
from pokersvc.betting.purchases import limits
from pokersvc.betting.seats import has
from pokersvc.betting.state import BettingState, not_one_of
from pokersvc.core.actions import BetweenRounds, IllegalAction

Kind: TypeAlias = Literal["seat_freed", "topped_up", "out_at_blind", "in_with_blind"]


@dataclass(frozen=True, slots=True)
class Wish(BetweenRounds):
    """Set standing wishes of a seat; those that are not given stay as they are."""

    in_with_blind: bool | None = None
    """Whether to be dealt in again, after sitting out, as soon as that requires no post other than a blind in turn."""
    out_at_blind: bool | None = None
    """Whether to sit out as soon as one would post the big blind."""
    straddles: bool | None = None
    """Whether to post the straddle in each round in which it is one's turn."""
    top_up_to: int | None = None
    """The stack up to which chips are bought before each round; 0 for none."""


class DueByWish(NamedTuple):
    """An action that is due before a round begins, with the chips that it moves."""

    kind: Kind
    seat: int
    amount: int = 0


def decide_wish(state: BettingState, action: Wish, *, pausing: bool) -> Wishes:
    """Return all wishes of a seat after the change; raise `IllegalAction` for a wish that the seat cannot have."""
    check_seated(state, action, pausing)
    who, out = state.names[action.seat], has(state.out, action.seat)
    if not state.terms.at_cash.wishes:
        raise IllegalAction("no_wishes", "This game began before people had standing wishes.")
    before = state.cash_seats.wishes.get(action.seat, NO_WISHES)
    now = Wishes(
        in_with_blind=before.in_with_blind if action.in_with_blind is None else action.in_with_blind,
        out_at_blind=before.out_at_blind if action.out_at_blind is None else action.out_at_blind,
        straddles=before.straddles if action.straddles is None else action.straddles,
        top_up_to=before.top_up_to if action.top_up_to is None else action.top_up_to,
    )
    if {type(now.in_with_blind), type(now.out_at_blind), type(now.straddles)} != {bool}:
        raise IllegalAction("not_a_wish", f"The wishes of {who} about blinds and the straddle must be true or false.")
    if now.in_with_blind and not out:
        raise IllegalAction("not_sitting_out", f"{who} does not sit out.")
    if now.out_at_blind and out:
        raise IllegalAction("already_out", f"{who} already sits out.")
    if now.out_at_blind and not state.terms.big_blind:
        raise IllegalAction("no_blinds", "This house has no blinds to sit out at.")
    if now.straddles and not state.terms.at_cash.straddle_by_choice:
        raise IllegalAction("no_choice", "Nobody straddles by choice in this house.")
    if now.top_up_to != before.top_up_to:  # an unchanged wish is not checked: the house may sell less by now
        _check_top_up(state, who, now.top_up_to)
    if now == before:
        raise IllegalAction("nothing_changes", f"{who} has these wishes already.")
    return now


def _check_top_up(state: BettingState, who: str, up_to: object) -> None:
    most = state.terms.buy_up_to
    if type(up_to) is not int or not 0 <= up_to <= most:
        raise IllegalAction(
            "illegal_amount",
            f"{who} cannot top up to {up_to!r}; write 0 to stop topping up, or an amount up to {most}.",
        )
    if up_to and state.terms.at_cash.approval:
        raise IllegalAction("needs_approval", "The host approves each purchase here, so nothing is bought by itself.")


def wishes_set(state: BettingState, event: OfSeat, wishes: Wishes) -> None:
    """Note the standing wishes of a seat."""
    if not state.cash or not has(state.seated, event.seat):
        not_one_of(event, "at the table")
    state.cash_seats.wish(event.seat, wishes)


def due_before_round(state: BettingState) -> DueByWish | None:
    """Return the next action that is due before a round begins; None if none is.

    Seats that were kept long enough are freed, then chips are bought, then people sit out or come in at the blinds.
    """
    seats = state.cash_seats
    if not state.cash or not (seats.wishes or seats.out_since):
        return None
    keeps = state.terms.at_cash.away_rounds
    if keeps is not None:
        for seat, since in sorted(seats.out_since.items()):
            if state.round - since >= keeps:
                return DueByWish("seat_freed", seat, state.stacks[seat])
    wishing = sorted(seats.wishes.items())
    for seat, wishes in wishing:
        if wishes.top_up_to and not has(state.out, seat):
            least, most = limits(state, seat)
            missing = min(wishes.top_up_to - state.stacks[seat], most)
            if missing >= least:
                return DueByWish("topped_up", seat, missing)
    for seat, wishes in wishing:
        if wishes.out_at_blind and not has(state.out, seat) and _has_big_blind(state, seat):
            return DueByWish("out_at_blind", seat)
    for seat, wishes in wishing:
        if wishes.in_with_blind and has(state.out, seat) and _comes_in_free(state, seat):
            return DueByWish("in_with_blind", seat)
    return None


def _has_big_blind(state: BettingState, seat: int) -> bool:
    return state.sitting().bit_count() > 1 and opening_of(state, next_button(state)).big == seat


def _comes_in_free(state: BettingState, seat: int) -> bool:
    """Return whether a seat that sits out would be dealt in now, without an extra blind or dead money."""
    changed = copy(state)
    changed.out &= ~(1 << seat)
    sitting = changed.sitting()
    if not has(sitting, seat):  # the seat cannot pay
        return False
    if sitting.bit_count() < 3 or not state.round:
        return True
    if state.bomb_pot_next:  # an ante would be due
        return False
    opening = opening_of(changed, next_button(changed) if state.terms.big_blind else 0)
    owes = any(post.seat == seat and post.kind in ("extra", "dead") for post in opening.posts)
    return has(opening.live, seat) and not owes


def ends_after_wishes(state: BettingState) -> bool:
    """Return whether the game ends before another round, even after all due wishes are carried out."""
    if due_before_round(state) is None:
        return state.ending()
    after = copy(state)
    after.stacks, after.brought, after.taken = [*state.stacks], [*state.brought], [*state.taken]
    after.cash_seats = deepcopy(state.cash_seats)
    while (due := due_before_round(after)) is not None:
        _DO[due.kind](after, due)
    return after.ending()


_DO: Final = {"seat_freed": got_up, "topped_up": chips_bought, "out_at_blind": sat_out, "in_with_blind": sat_in}
