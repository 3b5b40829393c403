"""Plays markets to their end, with players who look ahead themselves; on the numbers of `poker_market.kernels`.

One source runs on lists and, compiled by numba, on arrays, with the same answers.
"""

from typing import Any, Final

from pokersvc.games.poker_market.kernels import RANDOM, best_swap, exchange, search, takes

ALWAYS: Final = 32768
"""The value of ``heeds`` for a player who accepts every swap that its style would accept."""
LEAF_POSITIONS: Final = 60
"""The maximum number of positions that the search of the last turns visits at the end of each future."""


def play_ahead(
    tables: Any, cards: Any, rests: Any, keys: Any, styles: Any, heeds: Any, turn: int, turns: int, last: int,
    chance: int, known: Any, since: Any,
) -> int:  # fmt: skip
    """Play ``turns`` turns, each player in its style; return how often a player looked for its best swap.

    A player looks only if the hands have changed since its last turn. Before the turn ``last``, a player accepts what
    its style would accept only ``heeds`` times in 32,768. Playing stops early once nobody has a swap that can be made.
    ``known`` and ``since`` are room for the best swap of each place, and the number of exchanges before it was found.
    """
    size, players = len(cards), len(keys)
    for place in range(players):
        since[place] = -1
    exchanges, looks, idle = 0, 0, 0
    for number in range(turn, turn + turns):
        mover = number % players
        first = (chance * 1103515245 + 12345) & 2147483647
        chance = (first * 1103515245 + 12345) & 2147483647
        if styles[mover] == RANDOM:
            idle = 0
            if (first >> 16) % 2 == 0:
                continue
            swap = (first >> 20) % 5 * size + (mover * 5 + 5 + (first >> 8) % (size - 5)) % size
        else:
            if since[mover] != exchanges:
                known[mover], since[mover] = best_swap(tables, cards, rests, keys, mover, styles), exchanges
                looks += 1
            swap = known[mover]
        partner = swap % size // 5
        if swap >= 0 and number < last and (chance >> 16) >= heeds[partner]:
            idle = 0
        elif swap >= 0 and takes(tables, cards, rests, keys, mover, swap, styles[partner], chance >> 16):
            exchange(tables, cards, rests, keys, mover, swap)
            exchanges += 1
            idle = 0
        elif swap >= 0 and styles[partner] == RANDOM:
            idle = 0
        else:
            idle += 1
            if idle >= players:
                break
    return looks


def look_ahead(
    tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swaps: Any, styles: Any, heeds: Any, chances: Any,
    weights: Any, turn: int, turns: int, searched: int, work: int, stack: Any, room: Any, found: Any,
) -> int:  # fmt: skip
    """Add up, after each swap, each place's worth at the end of each future, times two and times the future's weight.

    Return the weight of all futures played. A swap of -1 is none. The last ``searched`` turns are searched
    (`kernels.search`), those before are played (`play_ahead`). All swaps share each future; no future begins once
    ``work`` is used up: a look for a best swap counts 1, a position visited 2. ``stack`` is that of the search;
    ``room`` has four rows of ``len(keys)``. The sums are written to ``found``, ``len(keys)`` for each swap.
    """
    players = len(keys)
    styles_, heeds_, known, since = room
    cards_, rests_, keys_, worths = stack[0][0], stack[1][0], stack[2][0], stack[3][0]
    searched = min(searched, turns)
    weight, done = 0, 0
    for played in range(len(chances)):
        if played > 0 and done >= work:
            break
        weight += weights[played]
        for place in range(players):
            styles_[place] = styles[played * players + place]
            heeds_[place] = heeds[played * players + place]
        for number in range(len(swaps)):
            cards_[:] = cards
            rests_[:] = rests
            keys_[:] = keys
            if swaps[number] >= 0:
                exchange(tables, cards_, rests_, keys_, mover, swaps[number])
            done += play_ahead(
                tables, cards_, rests_, keys_, styles_, heeds_, turn, turns - searched, turn + turns - players,
                chances[played], known, since,
            )  # fmt: skip
            done += 2 * search(tables, stack, styles_, turn + turns - searched, searched, LEAF_POSITIONS)
            for place in range(players):
                found[number * players + place] += weights[played] * worths[place]
    return weight
