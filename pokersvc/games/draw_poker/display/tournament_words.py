"""A tournament in words: entries, places, prices and prizes."""

from typing import Final

from pokersvc.core.actions import BetweenRounds
from pokersvc.core.drawing import Shortcut
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.entries import ReEnter, TakeAddOn
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import YOU, counted, does, listed

RE_ENTER: Final = "re-enter"
ADD_ON: Final = "add-on"


def say_places(state: Situation) -> str:
    """Return the places of all seats, such as ``1 Ann, 2 Bob and Cy``."""
    ranking = state.ranking
    in_places = [(place, [seat for seat, own in enumerate(ranking, 1) if own == place]) for place in sorted({*ranking})]
    return ", ".join(f"{place} {listed([_within(state.names[seat]) for seat in seats])}" for place, seats in in_places)


def _within(name: str) -> str:
    return name.lower() if name == YOU else name


def prizes_awarded(event: events.PrizesAwarded, state: Situation) -> str:
    """Return the total paid in, and each winner's prize."""
    won = sorted((place, seat) for seat, place in enumerate(event.places, 1) if event.prizes[seat - 1])
    said = [f"{does(state.names[seat], 'wins')} {event.prizes[seat - 1]:,}" for _, seat in won]
    return f"The prizes of {counted(sum(event.prizes), 'unit')}: {listed(said)}"


def reentered(event: events.Reentered, state: Situation) -> str:
    """Return a sentence: who entered again, with how many chips, and at what price."""
    name = state.names[event.seat]
    return f"{does(name, 'enters')} again with {_chips(event.amount)}, for {counted(event.price, 'unit')}"


def add_on_taken(event: events.AddOnTaken, state: Situation) -> str:
    """Return a sentence: who took the add-on, with how many chips, and at what price."""
    name = state.names[event.seat]
    return f"{does(name, 'takes')} an add-on of {_chips(event.amount)}, for {counted(event.price, 'unit')}"


def _chips(amount: int) -> str:
    return counted(amount, "chip")


def what_to_enter_with(view: DrawPokerView, seat: int) -> list[Shortcut]:
    """Return what a person may type between two rounds to buy chips in a tournament: ``re-enter`` or ``add-on``."""
    one, entry = view.seat(seat), view.entry
    if entry is None:
        return []
    if one.may_reenter:
        return [Shortcut(RE_ENTER, f"({_chips(view.rules.stack)} for {counted(entry.price, 'unit')})")]
    if one.may_add_on and entry.addon is not None:
        return [Shortcut(ADD_ON, f"({_chips(entry.addon.chips)} for {counted(entry.addon.price, 'unit')})")]
    return []


def read_entry(text: str, view: DrawPokerView, seat: int) -> BetweenRounds | None:
    """Return the action that ``re-enter`` or ``add-on`` names in a tournament; None for any other text."""
    if view.entry is None:
        return None
    actions: dict[str, BetweenRounds] = {RE_ENTER: ReEnter(seat), ADD_ON: TakeAddOn(seat)}
    return actions.get(text.strip().lower())


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
    shares = listed([f"{share}%" for share in entry.prizes])
    wins = (
        "the first place wins all" if len(entry.prizes) == 1 else f"the first places win {shares} of all that is paid"
    )
    said = f"The entry costs {counted(entry.price, 'unit')}; {wins}."
    if entry.reentries:
        times = "once" if entry.reentries == 1 else f"{entry.reentries} times"
        said += f" Until level {entry.until} is over, a person without chips may enter again {times}: `{RE_ENTER}`."
    if (addon := entry.addon) is not None:
        costs = f"{_chips(addon.chips)} for {counted(addon.price, 'unit')}"
        said += f" Until level {entry.until} is over, each person may add {costs} once: `{ADD_ON}`."
    return said
