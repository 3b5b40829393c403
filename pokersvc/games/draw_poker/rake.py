"""What the house keeps of the pots of a round: by its rules, or as a record states it."""

from pokersvc.core.event import ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.phases import AWARD
from pokersvc.games.draw_poker.pots import Pot
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import counted


def rake_due(state: Situation) -> int:
    """Return what is taken of a round whose betting is over and whose uncalled bet is returned.

    The rules take a share of all that is in the pots. What a record states counts.
    """
    table = state.table
    if table is not None and table.rake is not None and state.round == 1:
        return min(sum(table.rake), state.pot)
    rake = state.rules.rake
    if rake is None or (rake.no_draw_no_rake and not state.drew):
        return 0
    return rake.of(state.pot, players=sum(map(bool, state.hands)))


def next_rake(state: Situation) -> events.RakeTaken:
    """Return the event with which the house takes what is due from the first pot that has something, the main pot.

    What is stated is taken from the pots of which it is stated.
    """
    stated = state.table.rake if state.table is not None and state.round == 1 else None
    below = 0
    for number, (amount, pot) in enumerate(zip(stated or (), state.pots, strict=False), 1):
        below += amount
        if below > state.raked and pot.amount:
            return events.RakeTaken(min(below - state.raked, state.rake_due, pot.amount), number)
    number, pot = next((number, pot) for number, pot in enumerate(state.pots, 1) if pot.amount)
    return events.RakeTaken(min(state.rake_due, pot.amount), number)


def rake_taken(state: Situation, event: events.RakeTaken) -> None:
    """Take rake out of a pot; refuse more than is in it."""
    if event.pot > len(state.pots):
        raise ImpossibleEvent(event, f"there are {counted(len(state.pots), 'pot')}")
    amount, eligible = state.pots[event.pot - 1]
    if event.amount > amount:
        raise ImpossibleEvent(event, f"pot {event.pot} has {counted(amount, 'chip')}, not {event.amount}")
    state.pots[event.pot - 1] = Pot(amount - event.amount, eligible)
    state.pot -= event.amount
    state.raked += event.amount
    state.rake_due = max(0, state.rake_due - event.amount)
    if not state.rake_due:
        state.phase = AWARD
