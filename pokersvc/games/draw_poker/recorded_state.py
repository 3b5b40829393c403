"""The state of a hand that was dealt elsewhere, as the contract of a game asks for it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from pokersvc.core.event import Event, Viewer
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.draw_poker import recorded_dealer
from pokersvc.games.draw_poker.apply import HANDLERS, Handler
from pokersvc.games.draw_poker.events import HandsRevealed
from pokersvc.games.draw_poker.recorded_apply import OF_A_DECK, OTHER_HANDLERS, decide
from pokersvc.games.draw_poker.recorded_situation import RecordedSituation
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import entry_of
from pokersvc.streets.phases import Phase


class RecordedState(RecordedSituation, DrawPokerState):
    """A game of draw poker without a deck: its cards were recorded elsewhere, as far as they are known at all."""

    __slots__ = ()

    handlers: ClassVar[Mapping[Phase, Mapping[type[Event], Handler]]] = {
        phase: {**{type_: taken[type_] for type_ in taken if type_ not in OF_A_DECK}, **OTHER_HANDLERS.get(phase, {})}
        for phase, taken in HANDLERS.items()
    }
    contradiction = State.contradiction  # hands that were recorded stand in any order
    dealing = recorded_dealer.DEALER
    hidden = recorded_dealer.HIDDEN
    decide = decide

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event ended, or of which it told hands at the end, as a line of history."""
        if isinstance(event, HandsRevealed):
            return replace(entry_of(self, viewer), again=True)
        return super().entry(event, viewer)

    @property
    def outcome(self) -> Outcome | None:
        """Who won the hand, once it is over: those whom a pot brought more than they had put in.

        Where nobody gained, as rake may be more than that, they are all who were paid. The score is what the seat won
        or lost: a stack is not won by one hand.
        """
        if self.ended is None:
            return None
        net = self.net()
        paid = {share.seat for _, award in self.awarded for share in award.shares if share.amount}
        won = {seat for seat in paid if net[seat] > 0} or paid
        order = [(seat in won, 0 if seat in won else score) for seat, score in enumerate(net)][1:]
        return Outcome(tuple(net[1:]), tuple([1 + sum(other > own for other in order) for own in order]))
