"""The example game of docs/betting.md, which consists only of betting."""

from dataclasses import dataclass

from pokersvc.betting import blinds, turns
from pokersvc.betting.choices import Choices
from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import StreetTerms, Terms
from pokersvc.core.seats import HUMAN, Seat


@dataclass(frozen=True)
class PutIn:
    """A seat put in chips, or none; for a raise, also the new price."""

    seat: int
    amount: int = 0
    to: int = 0


class OneStreet(BettingState):
    """A game of one betting round after the other."""

    __slots__ = ("over", "returned")

    def __init__(self, terms: Terms, street: StreetTerms, *stacks: int) -> None:
        """Seat a person with each stack."""
        self.over = True
        self.returned: tuple[int, int] | None = None
        seats = tuple([Seat(HUMAN, f"Player{seat}") for seat in range(1, len(stacks) + 1)])
        super().__init__(terms, street, seats, [0, *stacks], persons=(2 << len(stacks)) - 2)

    def go_on(self, over: bool) -> None:
        """After the betting, return the uncalled bet and end the round."""
        if not over:
            return
        self.returned = self.uncalled()
        if self.returned is not None:
            turns.uncalled_bet_returned(self, PutIn(*self.returned))
        self.over = True

    @property
    def pausing(self) -> bool:
        """Return whether people may come and go now."""
        return self.over and self.pauses()

    def begin(self) -> None:
        """Begin a round: move the button, post, and ask the first seat."""
        button = blinds.next_button(self)
        self.clear_round(self.street_terms)
        self.button, self.over = button, False
        blinds.open_round(self)
        self.round += 1
        while self.posts:
            amount, kind, seat = blinds.post_due(self)
            blinds.posted(self, PutIn(seat, amount), kind)
        self.go_on(turns.start_betting(self, self.street_terms, dealt_in=self.live.bit_count()) == "over")

    @property
    def legal(self) -> Choices:
        """Return the legal actions of the seat to act."""
        return turns.choices_of(self, self.actor, Choices)

    def check(self) -> None:
        """Check."""
        turns.decide_check(self, self.legal)
        self.go_on(turns.checked(self, PutIn(self.actor)))

    def bet(self, amount: int) -> None:
        """Bet."""
        self.go_on(turns.opened(self, PutIn(self.actor, turns.decide_bet(self, self.legal, amount))))

    def call(self) -> None:
        """Call."""
        self.go_on(turns.called(self, PutIn(self.actor, turns.decide_call(self, self.legal))))

    def raise_to(self, to: int) -> None:
        """Raise the price."""
        self.go_on(turns.raised(self, PutIn(self.actor, turns.decide_raise(self, self.legal, to), to)))

    def fold(self) -> None:
        """Fold."""
        turns.decide_fold(self, self.legal)
        self.go_on(turns.folded(self, PutIn(self.actor)))
