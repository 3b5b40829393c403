"""The facts about a seat of a cash game besides its stack: its person, the purchases allowed, and standing wishes."""

from dataclasses import dataclass

from pokersvc.betting.cash_seats import NO_WISHES, Account
from pokersvc.betting.purchases import limits
from pokersvc.betting.seats import has
from pokersvc.games.draw_poker.situation import Situation


@dataclass(frozen=True, slots=True)
class SeatAtCash:
    """A seat of a cash game; amounts are chips."""

    asks_for: int
    """The chips for which its person asks the host; 0 for none."""
    brought: int
    """All that its person has brought to the table in this game."""
    buys: tuple[int, int] | None
    """The least and the most that its person may buy now, or sit down with; None if nothing."""
    in_with_blind: bool
    """Whether its person, who sits out, is dealt in again as soon as that requires no extra post."""
    out_at_blind: bool
    """Whether its person sits out as soon as they would post the big blind."""
    person: int | None
    """The number of the person who holds the seat or held it last; None if nobody has, or if people have none."""
    rounds_left: int | None
    """The number of rounds for which its person, who sits out, still keeps the seat; None if there is no such limit."""
    straddles: bool
    """Whether its person posts the straddle in each round in which it is their turn."""
    taken: int
    """All that its person has taken from the table in this game."""
    top_up_to: int
    """The stack up to which chips are bought before each round; 0 for none."""


def at_cash(state: Situation, seat: int) -> SeatAtCash | None:
    """Return the facts about a seat of a cash game; None for a bot's seat."""
    if not has(state.persons, seat):
        return None
    seats, keeps = state.cash_seats, state.terms.at_cash.away_rounds
    person = seats.persons[seat]
    account, wishes = seats.accounts.get(person, Account()), seats.wishes.get(seat, NO_WISHES)
    least, most = limits(state, seat, 0 if has(state.seated, seat) else person)
    since, asked = seats.out_since.get(seat), seats.asked.get(seat)
    return SeatAtCash(
        asks_for=0 if asked is None else asked.amount,
        brought=account.brought,
        buys=(least, most) if least <= most else None,
        in_with_blind=wishes.in_with_blind,
        out_at_blind=wishes.out_at_blind,
        person=person or None,
        rounds_left=None if keeps is None or since is None else max(0, since + keeps - state.round),
        straddles=wishes.straddles,
        taken=account.taken,
        top_up_to=wishes.top_up_to,
    )
