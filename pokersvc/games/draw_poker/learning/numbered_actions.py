"""The choices of draw poker as numbers: fold, check or call, bets of some sizes, and cards of the sorted hand."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, cast

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.bots.learning import ActionList, check_no_options
from pokersvc.core.setup import Options
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import listed

SIZES: Final = ("min", "half_pot", "pot", "all_in")
"""The sizes of bets and raises in a house that leaves them to the players: the legal minimum, half the pot and the
whole pot after a call, and the legal maximum."""
ALL: Final = "all"
"""In place of a list of sizes: every amount of chips is a number of its own."""
MOST_AMOUNTS: Final = 10_000
"""The maximum number of amounts for `ALL`."""
FOLD, STAY, FIRST_SIZE = range(3)


class DrawPokerActions(ActionList[DrawPokerView, LegalActions]):
    """The choices of a seat in a house, in this order.

    0 folds, 1 checks or calls. Then comes a number for each size of a bet or of a raise, only one in a fixed limit, and
    a number for each set of cards that may be discarded: the places of its cards in the hand, sorted by their numbers.
    A size that comes to the same amount as an earlier one is not legal.
    """

    def __init__(self, rules: DrawPokerRules, given: Options, chips: int) -> None:
        """Make the list for a table with this many chips; raise `InvalidValue` for impossible sizes."""
        check_no_options("draw", given, ("sizes",))
        sizes = given.get("sizes", ("min",) if rules.betting.raises == "fixed_limit" else SIZES)
        if sizes == ALL and chips > MOST_AMOUNTS:
            raise InvalidValue(
                f"With sizes = {ALL!r} each amount of chips has a number, so a table's chips may be at most"
                f" {MOST_AMOUNTS}, not {chips}."
            )
        if sizes != ALL and (isinstance(sizes, str) or not sizes or not set(SIZES).issuperset(sizes)):
            raise InvalidValue(
                f"The sizes of bets cannot be {sizes!r}; name some of {listed(list(SIZES))}, or {ALL!r}."
            )
        self.sizes: tuple[str, ...] | None = None if sizes == ALL else tuple(dict.fromkeys(sizes))
        """The sizes of bets and raises; None if each amount has a number."""
        self._count = chips if self.sizes is None else len(self.sizes)
        self.discards = [
            places
            for places in (tuple(at for at in range(HAND) if bits >> at & 1) for bits in range(1 << HAND))
            if len(places) <= rules.discards
        ]
        """The places of the cards of each discard in the sorted hand, from 0."""
        self._up_to = [
            [FIRST_SIZE + self._count + number for number, places in enumerate(self.discards) if len(places) <= most]
            for most in range(HAND + 1)
        ]
        amounts = [f"to {amount}" for amount in range(1, chips + 1)] if self.sizes is None else self.sizes
        self.names = (
            "fold",
            "check or call",
            *(f"bet or raise {amount}" for amount in amounts),
            *map(_said, self.discards),
        )

    def legal(self, view: DrawPokerView, legal: LegalActions) -> Sequence[int]:
        """Return the numbers of the choices that a seat has now."""
        if legal.discard is not None:
            return self._up_to[legal.discard]
        numbers = [FOLD] if legal.fold else []
        if legal.check or legal.call:
            numbers.append(STAY)
        if (limits := legal.bet or legal.raise_to) is not None:
            if self.sizes is None:
                numbers += range(FIRST_SIZE + limits[0] - 1, FIRST_SIZE + limits[1])
            else:
                amounts = self._amounts(view, legal, limits)
                numbers += [FIRST_SIZE + size for size, to in enumerate(amounts) if to not in amounts[:size]]
        return numbers

    def action(self, number: int, view: DrawPokerView, legal: LegalActions) -> Action:
        """Return the choice with a number that `legal` returns now."""
        me = own_seat(view)
        if number == FOLD:
            return Fold(me.seat)
        if number == STAY:
            return Check(me.seat) if legal.check else Call(me.seat)
        size = number - FIRST_SIZE
        if size >= self._count:
            hand = sorted_hand(me)
            return Discard(me.seat, tuple([hand[place] for place in self.discards[size - self._count]]))
        limits = legal.bet or legal.raise_to
        assert limits is not None
        to = size + 1 if self.sizes is None else self._amounts(view, legal, limits)[size]
        return Bet(me.seat, to) if legal.bet is not None else Raise(me.seat, to)

    def number(self, action: Action, view: DrawPokerView, legal: LegalActions) -> int | None:
        """Return the number of a choice, whatever the order of its cards; None for a bet of an unlisted size."""
        if isinstance(action, Discard):
            hand = sorted_hand(own_seat(view))
            places = tuple(sorted([hand.index(card) for card in action.cards]))
            return FIRST_SIZE + self._count + self.discards.index(places)
        return super().number(action, view, legal)

    def _amounts(self, view: DrawPokerView, legal: LegalActions, limits: tuple[int, int]) -> list[int]:
        least, most = limits
        pot = view.pot + legal.call
        found = {"min": least, "half_pot": view.price + pot // 2, "pot": view.price + pot, "all_in": most}
        return [max(least, min(found[size], most)) for size in self.sizes or ()]


def _said(places: tuple[int, ...]) -> str:
    return f"discard {' '.join([str(at + 1) for at in places])}" if places else "stand pat"


def own_seat(view: DrawPokerView) -> SeatView:
    """Return the seat whose view this is."""
    assert isinstance(view.viewer, int)
    return view.seats[view.viewer - 1]


def sorted_hand(seat: SeatView) -> list[Card]:
    """Return the cards of a seat that its player sees, from the lowest number."""
    return sorted(cast("tuple[Card, ...]", seat.cards), key=attrgetter("number"))
