"""What each player has put in and has left, as statements are told: totals and additions follow.

It adds up what is said and judges nothing: a stack may fall below zero here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from pokersvc.betting.state import uncalled_of
from pokersvc.histories.hand import ToldHand, ToldPlayer
from pokersvc.histories.statements import Bet, Called, Discarded, Folded, Posted, Raised, Returned, Told


class Staked:
    """The chips of one hand."""

    def __init__(self, players: Iterable[ToldPlayer], big_blind: int = 0, straddle: int = 0) -> None:
        players = tuple(players)
        self.left = {player.name: player.stack for player in players}
        """What each has left."""
        self.in_round = dict.fromkeys(self.left, 0)
        """What each has put in during this betting round; dead money and antes are in the pot at once."""
        self.in_all = dict.fromkeys(self.left, 0)
        """What each has put in during this hand."""
        self.dead = dict[str, int]()
        """How much of that is dead money, which nobody need match."""
        self.returned = dict.fromkeys(self.left, 0)
        """What nobody called, so each has it back."""
        self.drawn = False
        """Whether the draw has begun."""
        self.folded = {player.name for player in players if player.sitting_out}
        """Who has folded, or is not dealt in."""
        self._big_blind, self._straddle = big_blind, straddle
        self._least = 0
        """The big blind or the straddle, once it is posted: a player who has less for it does not make it smaller."""

    @property
    def price(self) -> int:
        """What a player must have put in during this betting round to stay in."""
        return max(*self.in_round.values(), self._least, 0)

    @property
    def pot(self) -> int:
        """All chips put in."""
        return sum(self.in_all.values())

    def put(self, name: str, amount: int, live: int | None = None) -> None:
        """Take chips from a player; ``live`` of them, or all, count for the price of this betting round."""
        self.left[name] = self.left.get(name, 0) - amount
        self.in_all[name] = self.in_all.get(name, 0) + amount
        self.in_round[name] = self.in_round.get(name, 0) + (amount if live is None else live)

    def to_call(self, name: str) -> int:
        """Return what a player puts in to call: the price, or all that is left.

        Once fewer than two can bet, a big blind that was posted short is no more than what is in.
        """
        price = self.price
        if price == self._least and price > (most := max(self.in_round.values())) and not self._two_can_bet():
            price = most
        return max(0, min(price - self.in_round.get(name, 0), self.left.get(name, 0)))

    def _two_can_bet(self) -> bool:
        return sum(left > 0 and name not in self.folded for name, left in self.left.items()) > 1

    @property
    def uncalled(self) -> tuple[str, int] | None:
        """Who has put in more than anybody else can match, and how much more."""
        if len(self.in_all) < 2:
            return None
        matched = self.matched
        found = uncalled_of([*matched.values()])
        return None if found is None else ([*matched][found[0]], found[1])

    @property
    def matched(self) -> dict[str, int]:
        """What each has put in that others must match to win it all: without dead money."""
        return {name: put - self.dead.get(name, 0) for name, put in self.in_all.items()} if self.dead else self.in_all

    def return_uncalled(self) -> None:
        """Give back what nobody called, which many files do not say."""
        if found := self.uncalled:
            self._give_back(*found)

    def _give_back(self, name: str, amount: int) -> None:
        self.put(name, -amount)
        self.returned[name] = self.returned.get(name, 0) + amount

    def draw(self) -> None:
        """End the first betting round."""
        self.return_uncalled()
        self.drawn, self._least = True, 0
        self.in_round = dict.fromkeys(self.in_round, 0)

    def take(self, told: Told) -> None:
        """Add what a statement says."""
        if (how := _TAKES.get(told.__class__)) is not None:
            how(self, told)

    def _posted(self, told: Posted) -> None:
        live = {"ante": 0, "dead": 0, "both": min(told.amount, self._big_blind)}.get(told.kind)
        self.put(told.name, told.amount, live)
        if told.kind in ("both", "dead"):
            self.dead[told.name] = self.dead.get(told.name, 0) + told.amount - (live or 0)
        if told.kind == "big":
            self._least = self._big_blind
        if told.kind == "straddle" and self._straddle:
            self._least = self._straddle

    def _put_in(self, told: Called | Bet) -> None:
        self.put(told.name, told.amount)

    def _raised(self, told: Raised) -> None:
        self.put(told.name, told.to - self.in_round.get(told.name, 0))

    def _returned(self, told: Returned) -> None:
        self._give_back(told.name, told.amount)

    def _folded(self, told: Folded) -> None:
        self.folded.add(told.name)

    def _discarded(self, _told: Discarded) -> None:
        if not self.drawn:
            self.draw()


def staked_in(hand: ToldHand) -> Staked:
    """Return what everybody put in, as a hand tells it, and what nobody called."""
    staked = Staked(hand.players, hand.big_blind, hand.straddle)
    for one in hand.told:
        if not isinstance(one, Returned):
            staked.take(one)
    staked.return_uncalled()
    return staked


_TAKES: Final[Mapping[type[Told], Callable[..., None]]] = {
    Posted: Staked._posted,
    Called: Staked._put_in,
    Bet: Staked._put_in,
    Raised: Staked._raised,
    Returned: Staked._returned,
    Folded: Staked._folded,
    Discarded: Staked._discarded,
}
