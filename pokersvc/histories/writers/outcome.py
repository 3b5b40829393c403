"""Works out the stacks, winnings and rake at the end of a hand, if the statements only imply them."""

from collections.abc import Iterable
from typing import NamedTuple

from pokersvc.histories.contributions import staked_in
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Statement, Summed, Totals, Won


class HandEnd(NamedTuple):
    """The end of a hand, with amounts by player name."""

    won: dict[str, int]
    """The chips that the pots paid each player, after rake and without uncalled bets; empty if not stated."""
    stacks: dict[str, int]
    """The stacks after the hand."""
    pot: int
    """All pots together, without uncalled bets."""
    rake: int


def outcome_of(hand: HandHistory) -> HandEnd | None:
    """Return the end of a hand; None if the file states neither winnings nor stacks after the hand."""
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
        if not staked.pot or rakes[-1:] == [staked.pot]:  # the pot is empty, or the house took all of it
            won = dict.fromkeys(playing, 0)
        elif not after.keys() >= set(playing) or min(won.values()) < 0 or not 0 < sum(won.values()) <= staked.pot:
            return HandEnd({}, after, staked.pot, 0) if after else None
    won = dict.fromkeys(staked.left, 0) | won
    stacks = {name: left + won[name] for name, left in staked.left.items()} | after
    return HandEnd(won, stacks, staked.pot, rakes[-1] if rakes else staked.pot - sum(won.values()))


def _said(told: Iterable[Statement], what: str) -> dict[str, int]:
    """Return the amounts that summaries state for players, by name."""
    said = [(one.name, getattr(one, what)) for one in told if isinstance(one, Summed)]
    return {name: amount for name, amount in said if amount is not None}
