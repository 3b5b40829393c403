"""Two draws in a round: discards of both are dealt again to other seats, and no card is lost."""

from dataclasses import dataclass
from random import Random
from typing import Literal

import pytest

from pokersvc.betting import turns
from pokersvc.betting.choices import Choices
from pokersvc.betting.seats import next_seat, seats_in
from pokersvc.betting.terms import Terms
from pokersvc.cards import CARDS, Card
from pokersvc.core.seats import Seat
from pokersvc.streets import draws, phases, walk
from pokersvc.streets.state import StreetsState, known, next_cards, out_of_play
from pokersvc.streets.street import CardTerms, Deal, DrawTerms, Street


@dataclass(frozen=True)
class Done:
    """Whatever happened."""

    seat: int = 0
    amount: int = 0
    cards: tuple[Card, ...] | None = ()
    count: int = 0
    number: int = 0
    seed: bytes = b""


class Table:
    """A round of draw poker with two draws, in which seats choose at random."""

    def __init__(
        self, players: int, seed: str, reshuffle: Literal["others", "all"], *, together: bool, hides: bool = False
    ) -> None:
        draw = DrawTerms(5, together=together)
        streets = (
            Street(deals=(Deal(5),), least=2, most_bets=4),
            Street(draw=draw, least=2, most_bets=4),
            Street(draw=draw, least=2, most_bets=4),
        )
        seats = tuple(Seat("any", f"Player{seat}") for seat in range(1, players + 1))
        terms = Terms(raises="fixed_limit", all_in=True)
        self.state = StreetsState(streets, CardTerms(reshuffle=reshuffle), terms, seats, [0, *[100] * players])
        self.random = Random(seed)
        self.hides, self.together = hides, together
        self.gone: list[set[Card]] = [set() for _ in range(players + 1)]
        """The cards that each seat has discarded in this draw."""
        self.held: list[tuple[Card, ...]] = [()] * (players + 1)
        """The cards that each seat holds, even if the state does not know them."""
        self.street = 0
        self.state.button, self.state.live = 1, sum(1 << seat for seat in range(1, players + 1))
        walk.deck_shuffled(self.state, Done(seed=seed.encode().ljust(32)))

    def play(self) -> None:
        """Play until the betting after the second draw is over."""
        state = self.state
        while state.phase not in (phases.SHOWDOWN, phases.AWARD):
            {phases.DEAL: self.deal, phases.DRAW: self.draw, phases.SERVE: self.serve, phases.BETTING: self.bet}[
                state.phase
            ]()
            self.check()

    def deal(self) -> None:
        seat = next_seat(self.state.pending, self.state.button)
        self.held[seat] = next_cards(self.state, 5)
        walk.cards_dealt(self.state, Done(seat, cards=self.held[seat], count=5))

    def draw(self) -> None:
        state = self.state
        if state.live.bit_count() > 2 and self.random.random() < 0.05:
            draws.forgone_in_draw(state, Done(self.random.choice([*seats_in(state.live)])))
            return
        seat = state.actor
        if state.street != self.street:
            self.street, self.gone = state.street, [set() for _ in self.gone]
        most = draws.most_to_discard(state)
        thrown = tuple(self.random.sample(self.held[seat], min(most, self.random.choice((0, 3, 4, 5)))))
        self.held[seat] = tuple(card for card in self.held[seat] if card not in thrown)
        self.gone[seat].update(thrown)
        draws.cards_discarded(state, Done(seat, cards=None if self.hides else thrown, count=len(thrown)))

    def serve(self) -> None:
        state = self.state
        seat = state.cursor
        if not state.deck_left:
            draws.deck_reshuffled(state, Done(count=len(out_of_play(state)), number=state.reshuffles + 1))
            assert state.deck_left, "nobody may discard more than can be dealt"
        cards = next_cards(state, min(state.need, state.deck_left))
        if state.card_terms.reshuffle == "others" and not self.together:
            assert not self.gone[seat].intersection(cards), "nobody is dealt their own discard"
        self.held[seat] += cards
        draws.cards_drawn(state, Done(seat, cards=cards, count=len(cards)))

    def bet(self) -> None:
        state = self.state
        seat = state.actor
        choices = turns.choices_of(state, seat, Choices)
        if state.live.bit_count() > 3 and self.random.random() < 0.2 and not choices.call:
            over = turns.opened(state, Done(seat, amount=choices.bet[0])) if choices.bet else None
        elif choices.call and state.live.bit_count() > 3 and self.random.random() < 0.3:
            over = turns.folded(state, Done(seat))
        elif choices.call:
            over = turns.called(state, Done(seat, choices.call))
        else:
            over = turns.checked(state, Done(seat))
        if over:
            walk.betting_over(state)
        if state.phase is phases.RETURN:
            walk.uncalled_bet_returned(state, Done(*state.uncalled() or ()))

    def check(self) -> None:
        """Check that every card is in exactly one place."""
        state = self.state
        if self.hides:
            return
        assert [*map(list, state.hands)] == [*map(list, self.held)]
        deck = next_cards(state, state.deck_left)
        folded = [hand for seat, hand in enumerate(state.hands) if not state.live >> seat & 1]
        once = [*deck, *(card for seat, hand in enumerate(state.hands) if state.live >> seat & 1 for card in hand)]
        assert len(set(once)) == len(once), "no card is in two places"
        left = set(CARDS) - set(once)
        thrown = [card for some in (*state.discarded, state.put_away) for card in known(some)]
        assert left.issubset([*thrown, *(card for hand in folded for card in known(hand))]), "no card is lost"


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("reshuffle", ["others", "all"])
@pytest.mark.parametrize("players", [2, 4, 5, 8])
def test_no_card_is_lost_or_dealt_twice_in_two_draws(
    players: int, reshuffle: Literal["others", "all"], together: bool
) -> None:
    reshuffled = 0
    for number in range(20):
        table = Table(players, f"{players}/{number}", reshuffle, together=together)
        table.play()
        reshuffled += table.state.reshuffles
    assert reshuffled or players < 5


@pytest.mark.parametrize("number", range(5))
def test_a_copy_that_lacks_what_is_discarded_knows_nothing_wrong_after_two_draws(number: int) -> None:
    """As one that opens the seeds: it knows the deals, but not which cards were thrown."""
    table = Table(3, f"copy/{number}", "others", together=False, hides=True)
    table.play()
    state = table.state
    for seat in range(1, 4):
        assert all(one in (None, card) for one, card in zip(state.hands[seat], table.held[seat], strict=True)) or (
            set(filter(None, state.hands[seat])) <= set(table.held[seat])
        )
        if seat in state.unsure:
            assert state.unsure[seat].fits(state.hands[seat], table.held[seat])
