"""Tracks each player's bets and stack, statement by statement, to convert between totals and amounts added.

It adds up what the file says and judges nothing: a stack may fall below zero here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from pokersvc.betting.state import uncalled_of
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import Bet, Called, Discarded, Folded, Posted, Raised, Returned, Statement


class Contributions:
    """The chips that each player has and puts in during one hand."""

    def __init__(self, players: Iterable[HistoryPlayer], big_blind: int = 0, straddle: int = 0) -> None:
        players = tuple(players)
        self.left = {player.name: player.stack for player in players}
        """The stack that each player has left."""
        self.in_round = dict.fromkeys(self.left, 0)
        """The chips that each player put in during this betting round; antes and dead money do not count here."""
        self.in_all = dict.fromkeys(self.left, 0)
        """The chips that each player put in during this hand."""
        self.dead = dict[str, int]()
        """The part of `in_all` that is dead money, which nobody needs to match."""
        self.returned = dict.fromkeys(self.left, 0)
        """The uncalled chips that each player got back."""
        self.drawn = False
        """Whether the draw has begun."""
        self.folded = {player.name for player in players if player.sitting_out}
        """The players who folded or were not dealt in."""
        self._big_blind, self._straddle = big_blind, straddle
        self._least = 0
        """The full big blind or straddle once it is posted, even if a short stack posted less; 0 before that."""

    @property
    def price(self) -> int:
        """The total that a player must have put in during this betting round to stay in."""
        return max(*self.in_round.values(), self._least, 0)

    @property
    def pot(self) -> int:
        """All chips put in."""
        return sum(self.in_all.values())

    def put(self, name: str, amount: int, live: int | None = None) -> None:
        """Take chips from a player; ``live`` of them (default: all) count as the player's bet in this betting round."""
        self.left[name] = self.left.get(name, 0) - amount
        self.in_all[name] = self.in_all.get(name, 0) + amount
        self.in_round[name] = self.in_round.get(name, 0) + (amount if live is None else live)

    def to_call(self, name: str) -> int:
        """Return the chips that a player adds to call: what the price requires, or all that is left.

        If a blind or straddle was posted short and fewer than two players can still bet, the price is not the full
        amount of the blind, but the most that anybody has put in.
        """
        price = self.price
        if price == self._least and price > (most := max(self.in_round.values())) and not self._two_can_bet():
            price = most
        return max(0, min(price - self.in_round.get(name, 0), self.left.get(name, 0)))

    def _two_can_bet(self) -> bool:
        return sum(left > 0 and name not in self.folded for name, left in self.left.items()) > 1

    @property
    def uncalled(self) -> tuple[str, int] | None:
        """The player who put in more than anybody else, and the difference; None if nobody did."""
        if len(self.in_all) < 2:
            return None
        matched = self.matched
        found = uncalled_of([*matched.values()])
        return None if found is None else ([*matched][found[0]], found[1])

    @property
    def matched(self) -> dict[str, int]:
        """The chips that each player put in, without dead money, which nobody needs to match."""
        return {name: put - self.dead.get(name, 0) for name, put in self.in_all.items()} if self.dead else self.in_all

    def return_uncalled(self) -> None:
        """Give back uncalled chips, which many files do not mention."""
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

    def take(self, told: Statement) -> None:
        """Update bets, stacks, folds and the betting round by a statement."""
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


def staked_in(hand: HandHistory) -> Contributions:
    """Return everybody's chips at the end of a hand: uncalled chips are returned, the pots not yet paid."""
    staked = Contributions(hand.players, hand.big_blind, hand.straddle)
    for one in hand.told:
        if not isinstance(one, Returned):
            staked.take(one)
    staked.return_uncalled()
    return staked


_TAKES: Final[Mapping[type[Statement], Callable[..., None]]] = {
    Posted: Contributions._posted,
    Called: Contributions._put_in,
    Bet: Contributions._put_in,
    Raised: Contributions._raised,
    Returned: Contributions._returned,
    Folded: Contributions._folded,
    Discarded: Contributions._discarded,
}
