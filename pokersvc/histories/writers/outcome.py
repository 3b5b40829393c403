"""How a hand ended, as far as a writer must say what its statements only imply: stacks, what was won, rake."""

from collections.abc import Iterable
from typing import NamedTuple

from pokersvc.histories.contributions import staked_in
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.statements import Summed, Told, Totals, Won


class HandEnd(NamedTuple):
    """The end of a hand; amounts by name."""

    won: dict[str, int]
    """What the pots paid each player, after rake, without what nobody called; empty where it is not told."""
    stacks: dict[str, int]
    """After the hand."""
    pot: int
    """All pots together, without what nobody called."""
    rake: int


def outcome_of(hand: ToldHand) -> HandEnd | None:
    """Return the end of a hand; None where the file says neither what was won nor a stack after it."""
    staked = staked_in(hand)
    paid = [told for told in hand.told if isinstance(told, Won)]
    won, after = _said(hand.told, "won"), _said(hand.told, "stack")
    rakes = [told.rake for told in hand.told if isinstance(told, Totals) and told.rake is not None]
    if paid:
        won = {name: sum(one.amount for one in paid if one.name == name) for name in staked.left}
        for name in {one.name for one in paid if one.uncalled_too}:
            won[name] -= staked.returned.get(name, 0)
    elif not won:
        playing = [player.name for player in hand.dealt_in()]
        won = {name: after.get(name, 0) - staked.left[name] for name in playing}
        if not staked.pot or rakes[-1:] == [staked.pot]:  # nobody had anything to call, or the house took all of it
            won = dict.fromkeys(playing, 0)
        elif not after.keys() >= set(playing) or min(won.values()) < 0 or not 0 < sum(won.values()) <= staked.pot:
            return HandEnd({}, after, staked.pot, 0) if after else None
    won = dict.fromkeys(staked.left, 0) | won
    stacks = {name: left + won[name] for name, left in staked.left.items()} | after
    return HandEnd(won, stacks, staked.pot, rakes[-1] if rakes else staked.pot - sum(won.values()))


def _said(told: Iterable[Told], what: str) -> dict[str, int]:
    """Return what summaries say of players, by name."""
    said = [(one.name, getattr(one, what)) for one in told if isinstance(one, Summed)]
    return {name: amount for name, amount in said if amount is not None}
