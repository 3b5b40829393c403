"""The pots of a hand, each with what it held and whom it paid."""

from typing import NamedTuple

from pokersvc.games.draw_poker.pots import pots_of
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.staked import Staked
from pokersvc.histories.told import PotTold, Won
from pokersvc.histories.writers.outcome import HandEnd


class PaidPot(NamedTuple):
    """A pot."""

    amount: int
    """With rake."""
    won: dict[str, int]
    """What it paid, by name."""

    @property
    def rake(self) -> int:
        """What nobody was paid."""
        return self.amount - sum(self.won.values())


def paid_pots(hand: ToldHand, end: HandEnd) -> list[PaidPot]:
    """Return the main pot and the side pots; all as one, where the file does not say which pot paid whom."""
    paid = [told for told in hand.told if isinstance(told, Won)]
    won: list[dict[str, int]] = []
    for told in paid:
        while told.pot is not None and len(won) <= told.pot < len(paid):
            won.append({})
        if told.pot is not None and told.pot < len(won):
            won[told.pot][told.name] = won[told.pot].get(told.name, 0) + told.amount
    held = _held(hand)
    uncalled = any(told.uncalled_too for told in paid)
    if uncalled or len(won) != len(held) or sum(map(len, won)) != len(paid) or sum(held) != end.pot:
        return [PaidPot(end.pot, {name: amount for name, amount in end.won.items() if amount})]
    return [PaidPot(amount, shares) for amount, shares in zip(held, won, strict=True)]


def _held(hand: ToldHand) -> list[int]:
    """Return what each pot held, as the file says it or as the stakes make it."""
    said = sorted((told.pot, told.amount) for told in hand.told if isinstance(told, PotTold))
    if said:
        return [amount for _, amount in said]
    staked = Staked(hand.players, hand.big_blind)
    for told in hand.told:
        staked.take(told)
    staked.return_uncalled()
    names = list(staked.in_all)
    live = sum(1 << seat for seat, name in enumerate(names, 1) if name not in staked.folded and staked.in_all[name])
    return [pot.amount for pot in pots_of(staked.pot, [0, *staked.in_all.values()], live)]
