"""Works out the pots of a hand, each with its size and its payments."""

from typing import NamedTuple

from pokersvc.betting.state import pots_of
from pokersvc.histories.contributions import Contributions, staked_in
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import StatedPot, Totals, Won
from pokersvc.histories.writers.outcome import HandEnd


class PaidPot(NamedTuple):
    """A pot and its payments."""

    amount: int
    """The size of the pot, including rake."""
    won: dict[str, int]
    """The chips that the pot paid, by player name."""
    several: bool = False
    """Whether this stands for several pots, because the file does not say which pot paid whom."""

    @property
    def rake(self) -> int:
        """The part that was paid to nobody."""
        return self.amount - sum(self.won.values())


def paid_pots(hand: HandHistory, end: HandEnd) -> list[PaidPot]:
    """Return the main pot and the side pots, or all as one if the file does not say which pot paid whom."""
    staked = staked_in(hand)
    held, uncalled = _held(hand, staked), staked.returned
    won: list[dict[str, int]] = [{} for _ in held]
    for told in hand.told:
        if isinstance(told, Won):
            amount = told.amount - (uncalled.pop(told.name, 0) if told.uncalled_too else 0)
            pot = told.pot if len(held) > 1 else 0
            if pot is None or pot >= len(won):
                return _as_one(end, several=len(held) > 1)
            if amount:
                won[pot][told.name] = won[pot].get(told.name, 0) + amount
    pots = [PaidPot(amount, shares) for amount, shares in zip(held, won, strict=True)]
    told_so = sum(held) == end.pot and sum(pot.rake for pot in pots) == end.rake
    if told_so and (all(won) or not _not_main_first(pots)):  # a pot may pay nobody: all of it was rake
        return pots
    return _as_one(end, several=len(held) > 1)


def rakes_of(hand: HandHistory, pots: list[PaidPot]) -> tuple[int, ...]:
    """Return the rake of each pot; empty if the rake was taken from the main pot first, as the rules do by default."""
    told = next((told.rakes for told in hand.told if isinstance(told, Totals) and told.rakes), ())
    return told if told or len(pots) == 1 else _not_main_first(pots)


def _not_main_first(pots: list[PaidPot]) -> tuple[int, ...]:
    left = sum(pot.rake for pot in pots)
    for pot in pots:
        if pot.rake != min(left, pot.amount):
            return tuple([pot.rake for pot in pots])
        left -= pot.rake
    return ()


def _as_one(end: HandEnd, *, several: bool) -> list[PaidPot]:
    return [PaidPot(end.pot, {name: amount for name, amount in end.won.items() if amount}, several)]


def _held(hand: HandHistory, staked: Contributions) -> list[int]:
    """Return the size of each pot: as the file states it, or else as it follows from the bets."""
    said = sorted((told.pot, told.amount) for told in hand.told if isinstance(told, StatedPot))
    if said:
        return [amount for _, amount in said]
    matched = staked.matched
    still_in = {player.name for player in hand.dealt_in()} - staked.folded
    live = sum(1 << seat for seat, name in enumerate(matched, 1) if name in still_in)
    return [pot.amount for pot in pots_of(staked.pot, [0, *matched.values()], live)]
