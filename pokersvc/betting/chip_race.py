"""The chip race of a tournament: small chips leave play, and whole larger ones take their place.

The rules are the TDA's ("Chip Race, Scheduled Color-Ups"), with one exception: the TDA deals a card for each odd chip,
and the highest cards win; here nothing is left to chance, and the players with the most odd chips win.
"""

from collections.abc import Sequence

from pokersvc.betting.seats import has


def is_due(stacks: Sequence[int], seated: int, chip: int) -> bool:
    """Return whether at least two seats still in have chips, and one of them has odd chips."""
    holding = [stack for seat, stack in enumerate(stacks) if stack and has(seated, seat)]
    return len(holding) >= 2 and any(stack % chip for stack in holding)


def raced_off(stacks: Sequence[int], seated: int, chip: int) -> tuple[int, ...]:
    """Return all stacks after the race: every seat still in has only whole chips of the value ``chip``.

    The odd chips of all seats are put together and exchanged for as many whole chips as possible. Each seat gets at
    most one: first the seats that would have no chips left, then those with the most odd chips, and among equals the
    lowest seat. Odd chips that remain leave play. Nobody is raced out of play: a seat that has only odd chips always
    gets a whole one. ``stacks`` has an unused place 0, and so does the result.

    >>> raced_off([0, 1020, 515, 15, 750], 0b11110, 100)
    (0, 1000, 500, 100, 700)
    >>> raced_off([0, 1060, 570, 285, 750], 0b11110, 100)
    (0, 1000, 600, 300, 700)
    """
    odd = {seat: stack % chip for seat, stack in enumerate(stacks) if has(seated, seat) and stack % chip}
    kept = [stack - odd.get(seat, 0) for seat, stack in enumerate(stacks)]
    without_chips = sum(not kept[seat] for seat in odd)
    winners = sorted(odd, key=lambda seat: (kept[seat] > 0, -odd[seat], seat))
    for seat in winners[: max(sum(odd.values()) // chip, without_chips)]:
        kept[seat] += chip
    return tuple(kept)
