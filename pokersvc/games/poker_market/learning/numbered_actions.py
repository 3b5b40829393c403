"""The Poker Market for programs that learn it: the choices as numbers, and the table as figures.

Partners are counted from the seat itself, and cards by their places in a hand that is sorted by their numbers.
"""

from collections.abc import Sequence
from typing import Final, get_args

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.bots.learning import ActionList, NumberedGame
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass, Propose
from pokersvc.games.poker_market.events import GameStarted
from pokersvc.games.poker_market.view import PokerMarketView, SeatView, Stage

PASS, ACCEPT, DECLINE, FIRST_PROPOSAL = range(4)
HAND: Final = 5
_STAGES: Final = {stage: number for number, stage in enumerate(get_args(Stage))}
_TABLE: Final = ("stage", "market", "round_in_market", "turn", "gives", "gets", "proposer")
NOBODY: Final = -1


class PokerMarketActions(ActionList[PokerMarketView, LegalActions]):
    """The choices of a seat: 0 passes, 1 accepts, 2 declines, and each later number proposes a swap.

    Swaps are numbered first by the seat's own card, then by the partner, then by the partner's card.
    """

    def __init__(self, seats: int) -> None:
        self._partners = range(1, seats)
        self._swaps = [(gives, by, gets) for gives in range(HAND) for by in self._partners for gets in range(HAND)]
        swaps = [f"card {gives + 1} for card {gets + 1} of seat +{by}" for gives, by, gets in self._swaps]
        self.names = ("pass", "accept", "decline", *swaps)

    def legal(self, view: PokerMarketView, legal: LegalActions) -> Sequence[int]:
        """Return the numbers of the choices that a seat has now."""
        if legal.answer is not None:
            return ACCEPT, DECLINE
        partners = {_offset(view, partner) for partner, _ in legal.gets}
        if len(partners) == len(self._partners):
            return (PASS, *range(FIRST_PROPOSAL, len(self.names)))
        return (PASS, *(FIRST_PROPOSAL + at for at, (_, by, _) in enumerate(self._swaps) if by in partners))

    def action(self, number: int, view: PokerMarketView, legal: LegalActions) -> Action:
        """Return the choice with a number that `legal` returns now."""
        assert isinstance(view.viewer, int)
        if number < FIRST_PROPOSAL:
            return (Pass, Accept, Decline)[number](view.viewer)
        gives, by, gets = self._swaps[number - FIRST_PROPOSAL]
        partner = _seat_at(view, by)
        mine = sorted_hand(view.seat(view.viewer))
        return Propose(view.viewer, mine[gives], partner.seat, sorted_hand(partner)[gets])


def sorted_hand(seat: SeatView) -> list[Card]:
    """Return the cards of a seat, from the lowest number."""
    return sorted(seat.cards)


def feature_names(seats: int) -> tuple[str, ...]:
    """Return the name of each figure; "seat 0" is the seat itself, "seat 1" the one after it."""
    of_seat = [*(f"card {number}" for number in range(1, HAND + 1)), "points"]
    return (*_TABLE, *(f"seat {seat} {figure}" for seat in range(seats) for figure in of_seat))


def features(view: PokerMarketView) -> list[int]:
    """Return the figures of a market for a seat: -1 stands for no card or no player."""
    open_ = view.proposal
    proposal = (NOBODY,) * 3 if open_ is None else (open_.gives.number, open_.gets.number, _offset(view, open_.seat))
    found = [_STAGES[view.stage], view.market, view.round_in_market, view.turn, *proposal]
    for offset in range(len(view.seats)):
        seat = _seat_at(view, offset)
        hand = [card.number for card in sorted_hand(seat)]
        found += [*hand, *[NOBODY] * (HAND - len(hand)), seat.points]
    return found


def _offset(view: PokerMarketView, seat: int) -> int:
    assert isinstance(view.viewer, int)
    return (seat - view.viewer) % len(view.seats)


def _seat_at(view: PokerMarketView, offset: int) -> SeatView:
    assert isinstance(view.viewer, int)
    return view.seats[(view.viewer - 1 + offset) % len(view.seats)]


def in_numbers(started: GameStarted) -> NumberedGame[PokerMarketView, LegalActions]:
    """Return a started game for programs that learn it."""
    seats, rules = len(started.seats), started.rules
    market = 8 + 13 * seats + rules.rounds * (3 + 8 * seats)  # hands dealt and ranked, then each proposal and answer
    longest = rules.markets * market + 3 + 2 * seats
    return NumberedGame(PokerMarketActions(seats), longest, feature_names(seats), features)
