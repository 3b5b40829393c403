"""Fixed-limit hold'em here and in PokerKit: equal stacks and legal actions at every decision, and equal payouts.

Short all-ins are measured by our rules: see `Difference` in `tests.games.card_rooms.pokerkit_table`.
"""

from collections import Counter
from random import Random
from typing import Final

import pytest
from pokerkit import BettingStructure, Deck, Mode, Opening
from pokerkit import Street as KitStreet

from pokersvc.betting.seats import clockwise
from pokersvc.cards import Card
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from tests.games.card_rooms.pokerkit_table import AUTOMATIONS, Difference, KnownHand, PokerKitTable, _cards, _State

from . import events
from .game import any_action
from .variants import HOLDEM

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

SMALL, BIG = 1, 2
HANDS: Final = 1000
_BETTING_OVER: Final = ("RETURN", "DEAL", "SHOWDOWN", "AWARD")


class HoldemTable(PokerKitTable):
    """A hand of fixed-limit hold'em in PokerKit."""

    def __init__(self, stacks: list[int], met: Counter[Difference]) -> None:
        self.met, self.house, self.fixed, self.big = met, "fixed-limit", True, BIG
        self.marker_of = 0 if len(stacks) == 2 else 1
        streets = (
            KitStreet(False, (False, False), 0, False, Opening.POSITION, BIG, 3),  # the blind is a bet
            KitStreet(False, (), 3, False, Opening.POSITION, BIG, 4),
            KitStreet(False, (), 1, False, Opening.POSITION, 2 * BIG, 4),
            KitStreet(False, (), 1, False, Opening.POSITION, 2 * BIG, 4),
        )
        structure, hands = BettingStructure.FIXED_LIMIT, (KnownHand,)
        table = (0, (SMALL, BIG), 0, tuple(stacks), len(stacks))
        self.state = _State(AUTOMATIONS, Deck.STANDARD, hands, streets, structure, True, *table, mode=Mode.TOURNAMENT)
        self.trimmed = (0, 0)
        self._post()

    def deal_board(self, cards: tuple[Card, ...]) -> None:
        """Deal cards to the board; who can bet no more shows first."""
        while self.state.showdown_index is not None:
            self.state.show_or_muck_hole_cards(True)
        self.state.deal_board(_cards(cards))


class Duel:
    """One hand, played here and followed in PokerKit. Players are indices, clockwise from the left of the button."""

    def __init__(self, players: int, seed: str) -> None:
        self.random = Random(seed)
        self.source = EntropySource.from_text(seed)
        seats = tuple(Seat("any", f"Player{seat}") for seat in range(1, players + 1))
        self.state = HOLDEM.new(HOLDEM.start(Setup(seats, self.source, 1)))
        most = self.random.choice((12, 60, 200))
        self.state.stacks[1:] = [self.random.randint(1, most) for _ in seats]
        self.state.button = self.random.randrange(players)
        self.order = clockwise(self.state.seated, self.state.button + 1)
        self.met: Counter[Difference] = Counter()
        self.kit = HoldemTable([self.state.stacks[seat] for seat in self.order], self.met)
        self.decisions = self.finished = 0
        self.awarded: dict[int, dict[int, int]] = {}
        self.pots: list[tuple[int, tuple[int, ...]]] = []
        self.new_street(BIG)

    def new_street(self, level: int) -> None:
        """Forget the betting round."""
        self.acted: dict[int, int] = {}
        """The price when each player last acted."""
        self.level = level
        """The last full bet or raise."""

    def play(self) -> None:
        """Play the hand to its end in both engines."""
        entropy = self.source.entropy()
        while not isinstance(event := self.state.dealer_event(entropy), events.RoundEnded):
            event = event or self.chosen()
            self.state.apply(event)
            self.follow(event)
        if len(self.kit.state.board_cards) == 5 and self.state.live.bit_count() > 1:
            self.compare_awards()

    def chosen(self) -> Event:
        """Compare the legal actions; return a choice, after applying it in PokerKit."""
        seat = self.state.actor
        player, legal, kit = self.order.index(seat), self.state.legal(seat), self.kit
        self.decisions += 1
        assert kit.actor == player
        assert kit.state.stacks == [self.state.stacks[seat] for seat in self.order]
        assert kit.state.checking_or_calling_amount == legal.call
        assert legal.check == (legal.call == 0)
        assert kit.state.can_fold() == legal.fold
        assert (legal.raise_to if kit.price else legal.bet) == self.expected(player)
        action = any_action(seat, legal, self.random)
        event = self.state.decide(action)
        match action:
            case events.Fold():
                kit.fold()
            case events.Check() | events.Call():
                self.acted[player] = kit.price
                kit.call()
            case events.Bet(amount=to) | events.Raise(to=to):
                self.raise_there(player, to)
        return event

    def expected(self, player: int) -> tuple[int, int] | None:
        """Return PokerKit's range of bets or raises, with short all-ins measured as in this project."""
        kit = self.kit
        theirs, whole = kit.range(), kit.range_if_open(0)
        if 2 * (kit.price - self.acted.get(player, -1000)) < kit.unit:
            assert theirs is None
            return None
        self.met[Difference.HALF_A_UNIT] += theirs is None and whole is not None
        if whole is not None and (uncompleted := kit.price - self.level):
            self.met[Difference.COMPLETION] += 1
            return kit.range_if_open(uncompleted)
        return whole

    def raise_there(self, player: int, to: int) -> None:
        """Bet or raise in PokerKit; less than half a unit is no raise."""
        above = to - self.level
        self.kit.raise_to(to, self.kit.price - self.level)
        self.acted[player] = to
        if 2 * above < self.kit.unit:
            self.met[Difference.NOT_A_RAISE] += 1
            self.kit.discount_raise()
        else:
            self.level = to

    def follow(self, event: Event) -> None:
        """Apply an event in PokerKit."""
        match event:
            case events.CardsDealt(seat=seat, cards=tuple(cards)):
                self.kit.deal(self.order.index(seat), cards)
            case events.PotAwarded(pot=pot, shares=shares):
                self.awarded[pot] = {self.order.index(share.seat): share.amount for share in shares}
        if isinstance(event, events.BoardDealt):
            self.finish(self.state.street - 1)
            self.kit.deal_board(event.cards)
            self.new_street(0)
        if self.state.phase.name in _BETTING_OVER:
            self.finish(self.state.betting_round)

    def finish(self, street: int) -> None:
        """End a street's betting in PokerKit once it has ended here."""
        if self.finished < street:
            self.kit.finish_betting()
            self.finished = street
            pots = self.kit.pots()
            if sum(pot for pot, _ in pots) > sum(
                pot for pot, _ in self.pots
            ):  # else beaten hands may be gone from them
                self.pots = pots

    def compare_awards(self) -> None:
        """Compare the payments from each pot."""
        paid: Counter[int] = Counter()
        for amount, players in self.pots:
            winners = self.kit.best(players)
            share, odd = divmod(amount, len(winners))
            paid.update({player: share + (at < odd) for at, player in enumerate(winners)})
        assert +paid == +sum((Counter(shares) for shares in self.awarded.values()), Counter())


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 11))
def test_a_thousand_hands_of_holdem_in_all_to_the_chip(players: int) -> None:
    decisions, met = 0, Counter[Difference]()
    hands = HANDS // 9 + 1
    for number in range(hands):
        duel = Duel(players, f"holdem/{players}/{number}")
        try:
            duel.play()
        except Exception as error:
            error.add_note(f"{players} players, hand {number}")
            raise
        decisions += duel.decisions
        met.update(difference for difference, count in duel.met.items() if count)
    assert decisions > 4 * hands
    for difference, count in met.items():
        assert count < hands * 0.6, difference
