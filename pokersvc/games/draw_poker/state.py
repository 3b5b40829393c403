"""The state of a game of draw poker, as the contract of games requires it."""

from dataclasses import replace

from pokersvc.betting.seats import has
from pokersvc.betting.wishes import ends_after_wishes
from pokersvc.core.event import Event, ImpossibleEvent, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome, State, TimedLevel, WithheldSecrets
from pokersvc.games.draw_poker import contradicted, dealer, decisions, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.apply import (
    HANDLERS,
    HANDLERS_AS_RECORDED,
    HANDLERS_OF_EARLIER_ENGINES,
    HANDLERS_WITHOUT_COMMITMENTS,
)
from pokersvc.games.draw_poker.entries import may_reenter, waits_for_entries
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import RecordedInputs
from pokersvc.games.draw_poker.situation import COMMITTING, Situation
from pokersvc.games.draw_poker.view import DrawPokerView, entry_again, entry_of, in_a_line, view_of
from pokersvc.streets import walk
from pokersvc.streets.phases import BETWEEN


class DrawPokerState(Situation, State[DrawPokerView, LegalActions]):
    """A game of draw poker in progress; see `pokersvc.core.state.State` for what its methods promise."""

    __slots__ = ("handlers",)

    def __init__(self, started: events.GameStarted) -> None:
        super().__init__(started)
        dealt = HANDLERS if self.commits else HANDLERS_WITHOUT_COMMITMENTS
        of_engine = dealt if self.engine >= COMMITTING else HANDLERS_OF_EARLIER_ENGINES
        self.handlers = of_engine if self.recorded is None else HANDLERS_AS_RECORDED
        """The events that each phase accepts, with their handlers."""

    contradiction = contradicted.contradiction
    deals_to = dealer.deals_to
    legal = decisions.legal
    decide = decisions.decide
    default_action = decisions.default_action

    def __repr__(self) -> str:
        """Return where the game stands, in one line.

        >>> from pokersvc.core.randomness.chance import EntropySource
        >>> from pokersvc.core.seats import Seat
        >>> from pokersvc.core.setup import Setup
        >>> from pokersvc.games.draw_poker import DRAW_POKER
        >>> seats = (Seat("human", "Ann"), Seat("steady", "Bob"))
        >>> DRAW_POKER.new(DRAW_POKER.start(Setup(seats, EntropySource.from_text("a seed"))))
        <rising-ante, round 0, between rounds; Ann 1000, Bob 1000; pot 0; the dealer to act>
        """
        return f"<{in_a_line(self)}>"

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if any."""
        return (self.actor,) if self.actor else ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def seats_now(self) -> tuple[Seat, ...] | None:
        """Return the present players by seat; None in a game that nobody can join later."""
        return self.seats if self.cash else None

    @property
    def pausing(self) -> bool:
        """Whether a person may leave or come now: between two rounds, once all players who cannot go on are out."""
        pauses = self.phase is BETWEEN and (self.pauses() or waits_for_entries(self))
        return pauses and self.chip_to_race is None

    @property
    def timed_level(self) -> TimedLevel | None:
        """The level that is played now or next, if levels end by time."""
        return None if self.schedule is None else self.schedule.time_of(self.stakes_level)

    @property
    def ends_next(self) -> bool:
        """Whether a cash game pauses and will end unless somebody acts, because fewer than two can be dealt in."""
        return self.pausing and (ends_after_wishes(self) if self.cash else self.ending())

    def dealer_event(self, entropy: Entropy) -> Event | None:
        """Return the dealer's next event; None when a seat must choose or the game is over."""
        if self.actor:
            return None
        try:
            return dealer.DEALER[self.phase](self, entropy)
        except WithheldSecrets as withheld:
            raise WithheldSecrets(*(withheld.due or dealer.HIDDEN[self.phase])) from None

    def may_come_back(self, seat: int) -> bool:
        """Return whether a person who is out of a tournament may enter again, now or after this round."""
        return may_reenter(self, seat)

    def playing(self, seat: int) -> bool:
        """Return whether the seat is in the game."""
        return has(self.seated, seat)

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event; raise `ImpossibleEvent` if this state cannot take it."""
        try:
            handler = self.handlers[self.phase][event.__class__]
        except KeyError:
            raise ImpossibleEvent(event, f"the phase is {self.phase.name}") from None
        self.cached_legal = None
        if handler(self, event):
            walk.betting_over(self)
        self.record.events.append(event)

    def view(self, viewer: Viewer) -> DrawPokerView:
        """Return the game as the viewer may know it."""
        return view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the line of history of a round that the event ended, or whose hands it revealed after the game."""
        if isinstance(event, events.RoundEnded):
            return entry_of(self, viewer)
        if not isinstance(event, events.HandsRevealed):
            return None
        return entry_again(self) if self.recorded is None else replace(entry_of(self, viewer), again=True)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, once the game is over: its winners are those that `GameEnded` names.

        The score is the stack. In a cash game it is the net result, because chips were bought and taken away. The net
        result is also the score of a hand that was dealt elsewhere, because one hand does not win a whole stack: see
        `outcome_as_recorded`.

        In a tournament the ranks are the places, and with prizes the score is the prize less the prices that were paid.
        """
        if self.ended is None:
            return None
        if self.recorded is not None:
            return outcome_as_recorded(self.net(), self.recorded)
        if self.is_tournament:
            return Outcome(tuple(self.stacks[1:] if self.prizes is None else brought_home(self.prizes)), self.ranking)
        scores = self.net() if self.cash else self.stacks
        return Outcome.won_by(self.ended.winners, tuple(scores[1:]), self.still_open)


def brought_home(event: events.PrizesAwarded) -> list[int]:
    """Return the result of each seat of a tournament, in units: its prize less the prices that it paid."""
    return [prize - price for prize, price in zip(event.prizes, event.prices, strict=True)]


def outcome_as_recorded(net: list[int], recorded: RecordedInputs) -> Outcome:
    """Return the outcome of a hand that was dealt elsewhere: its winners were paid a pot and have a net gain.

    If nobody gained, which happens if the rake exceeds the gain, the winners are all who were paid.
    """
    paid = {share.seat for _, award in recorded.awarded for share in award.shares if share.amount}
    won = {seat for seat in paid if net[seat] > 0} or paid
    order = [(seat in won, 0 if seat in won else score) for seat, score in enumerate(net)][1:]
    return Outcome(tuple(net[1:]), tuple([1 + sum(other > own for other in order) for own in order]))
