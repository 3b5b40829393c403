"""Re-entries and add-ons of a tournament: who may buy chips, until when, and what each costs.

Only people may do this, between two rounds; bots never do.
"""

from dataclasses import dataclass
from typing import Final

from pokersvc.betting.seats import has, seats_in
from pokersvc.core.actions import BetweenRounds, IllegalAction
from pokersvc.core.event import ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.situation import Situation


@dataclass(frozen=True, slots=True)
class ReEnter(BetweenRounds):
    """Enter a tournament again, after losing all chips, for the price of an entry and with the starting stack."""


@dataclass(frozen=True, slots=True)
class TakeAddOn(BetweenRounds):
    """Take the add-on of a tournament, once: chips for a price."""


ENTRY_ACTIONS: Final = (ReEnter, TakeAddOn)


def _is_open(state: Situation, entry: TournamentEntry) -> bool:
    """Return whether people may still buy chips after the level of the last round."""
    return 0 < state.round_level <= entry.until


def may_reenter(state: Situation, seat: int) -> bool:
    """Return whether the person of a seat that is out may enter again in the pause, if any, after the round."""
    entry, gone = state.tournament_entry, state.exits.get(seat)
    return (
        entry is not None
        and gone is not None
        and not gone.left_with
        and has(state.persons, seat)
        and state.reentries[seat] < entry.reentries
        and _is_open(state, entry)
    )


def may_add_on(state: Situation, seat: int) -> bool:
    """Return whether the person of a seat that is in may take the add-on, in the pause after the round."""
    entry = state.tournament_entry
    return (
        entry is not None
        and entry.addon is not None
        and has(state.persons & state.seated & ~state.added_on, seat)
        and _is_open(state, entry)
    )


def waits_for_entries(state: Situation) -> bool:
    """Return whether the game pauses between two rounds for a person who is out and may enter again."""
    if state.tournament_entry is None or not state.tournament_entry.reentries or state.ending():
        return False
    price = state.price_to_stay()
    if any(state.stacks[seat] < price for seat in seats_in(state.seated)):  # players with too little go out first
        return False
    return any(may_reenter(state, seat) for seat in state.exits)


def decide_reenter(state: Situation, action: ReEnter) -> events.Reentered:
    """Return the event of a re-entry; raise `IllegalAction` if the person may not enter again now."""
    entry = _entry_of(state, action)
    if has(state.seated, action.seat):
        raise IllegalAction("already_seated", f"{state.names[action.seat]} is still in the game, and has chips.")
    if not may_reenter(state, action.seat):
        raise IllegalAction(
            "no_reentry",
            f"{state.names[action.seat]} cannot enter again: only players who have lost all chips may, {_until(entry)},"
            f" and at most {_times(entry.reentries)}.",
        )
    return events.Reentered(state.rules.stack, entry.price, action.seat)


def decide_add_on(state: Situation, action: TakeAddOn) -> events.AddOnTaken:
    """Return the event of an add-on; raise `IllegalAction` if the person may not take it now."""
    entry = _entry_of(state, action)
    if entry.addon is None or not may_add_on(state, action.seat):
        raise IllegalAction(
            "no_addon", f"{state.names[action.seat]} cannot take an add-on: {_why_none(state, entry, action)}."
        )
    return events.AddOnTaken(entry.addon.chips, entry.addon.price, action.seat)


def _why_none(state: Situation, entry: TournamentEntry, action: TakeAddOn) -> str:
    if entry.addon is None:
        return "this tournament has none"
    if has(state.added_on, action.seat):
        return "each player takes it once at most"
    return "only who is in the game may" if not has(state.seated, action.seat) else f"it is sold {_until(entry)}"


def _entry_of(state: Situation, action: BetweenRounds) -> TournamentEntry:
    name = type(action).__name__
    if state.tournament_entry is None:
        raise IllegalAction("no_tournament", f"{name} is only possible in tournaments with an entry.")
    if type(action.seat) is not int or action.seat < 1 or not has(state.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat!r} is not a person's; {name} is for people.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", f"{name} is only possible between two rounds.")
    return state.tournament_entry


def _until(entry: TournamentEntry) -> str:
    return f"until level {entry.until} is over"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def reentered(state: Situation, event: events.Reentered) -> None:
    """Seat a person again with new chips; they are ranked again when they go out."""
    if event.seat not in state.exits or has(state.seated, event.seat):
        raise ImpossibleEvent(event, f"seat {event.seat} has not gone out of a tournament")
    del state.exits[event.seat]
    state.seated |= 1 << event.seat
    state.reentries[event.seat] += 1
    _bought(state, event)


def add_on_taken(state: Situation, event: events.AddOnTaken) -> None:
    """Give a person the chips of the add-on."""
    if not has(state.seated, event.seat) or state.tournament_entry is None:
        raise ImpossibleEvent(event, f"seat {event.seat} is not in a tournament with an entry")
    state.added_on |= 1 << event.seat
    _bought(state, event)


def _bought(state: Situation, event: events.Reentered | events.AddOnTaken) -> None:
    state.stacks[event.seat] += event.amount
    state.brought[event.seat] += event.amount
    state.paid[event.seat] += event.price
