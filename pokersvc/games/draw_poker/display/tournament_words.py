"""A tournament in words: places, prices and prizes."""

from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import YOU, counted, does, listed


def say_places(state: Situation) -> str:
    """Return the places of all seats, such as ``1 Ann, 2 Bob and Cy``."""
    ranking = state.ranking
    in_places = [(place, [seat for seat, own in enumerate(ranking, 1) if own == place]) for place in sorted({*ranking})]
    return ", ".join(f"{place} {listed([_within(state.names[seat]) for seat in seats])}" for place, seats in in_places)


def _within(name: str) -> str:
    return name.lower() if name == YOU else name


def prizes_awarded(event: events.PrizesAwarded, state: Situation) -> str:
    """Return what all paid, and who wins how much of it."""
    won = sorted((place, seat) for seat, place in enumerate(event.places, 1) if event.prizes[seat - 1])
    said = [f"{does(state.names[seat], 'wins')} {event.prizes[seat - 1]:,}" for _, seat in won]
    return f"The prizes of {counted(sum(event.prizes), 'unit')}: {listed(said)}"


def say_standing(seat: SeatView, otherwise: str) -> str:
    """Return the place of a seat in a tournament with its prize, if it has one; ``otherwise`` without a place."""
    if seat.place is None:
        return otherwise
    return f"place {seat.place}" + (f", wins {seat.prize:,}" if seat.prize else "")


def say_entry(view: DrawPokerView) -> list[str]:
    """Return the price of an entry and the prizes as a sentence; nothing without prizes."""
    return [] if view.entry is None else [said_of(view.entry)]


def said_of(entry: TournamentEntry) -> str:
    """Return the price of an entry and what each place wins, in a sentence."""
    if len(entry.prizes) == 1:
        return f"The entry costs {counted(entry.price, 'unit')}; the first place wins all."
    shares = listed([f"{share}%" for share in entry.prizes])
    return f"The entry costs {counted(entry.price, 'unit')}; the first places win {shares} of all entries."
