"""The functions in which a search of Kalah spends its time; they work on whole numbers and flat sequences of these.

They run as plain Python, and compiled by numba as they stand (see `pokersvc.games.kalah.engine`), with the same
answers.

A position is seen by its mover: ``own`` holds the beans of the mover's holes, with the hole farthest from the mover's
pot in the lowest bits; ``theirs`` holds those of the other side, in the same order as seen from that side; pots are
left out. A value is the beans that the mover will take into its pot from now on, less those that the other side will
take. ``beans`` is the number in play.

``rules`` is a tuple of

- numbers: see the indices below,
- sowings: four numbers for each hole and count of beans: what sowing adds to own and theirs, how many beans fall into
  the pot, and where the last one falls (an own hole from 0, ``holes`` for the pot, -1 elsewhere),
- binomials: from which the rank of an endgame is computed.

``memory`` is a tuple of

- table: three numbers per entry: own and theirs, both disguised (see `disguise`), and the bounds of the value packed
  with their level and the best move,
- work: the children of the nodes on the path from the root,
- tallies: see the indices below,
- endgames: the values of positions with few beans, by rank.
"""

from typing import Any, Final

# numbers
HOLES: Final = 0
WIDTH: Final = 1
"""Index of the number of bits that a hole takes."""
MASK: Final = 2
"""Index of the bit mask of a hole."""
EMPTY_CAPTURE: Final = 3
STRIDE: Final = 4
"""Index of the number of entries in ``sowings`` per hole."""
ENDGAME: Final = 5
"""Index of the maximum number of beans in play that the endgame table covers; -1 if there is no such table."""
SLOTS: Final = 6
"""Index of the number of entries of the table, at most 2^30 (the table has one more); 0 if there is no table."""
ORDERED: Final = 7
"""Index of the flag for searching promising moves first."""
KNOWN: Final = 8
"""Index of the maximum number of beans in play up to which every endgame is known beforehand; -1 if none is."""

# tallies
SOWN: Final = 0
"""Index of the number of sowings made, which is the number of nodes."""
HORIZON: Final = 1
"""Index of the number of positions at which the search stopped at its depth limit, the horizon."""
STORED: Final = 2
"""Index of the number of entries of the table in use."""
LIMIT: Final = 3
"""Index of the number of sowings at which the search pauses."""
PAUSED: Final = 4
"""Index of `PAUSING` or `TOO_LONG` if a search ended without a result; the value that it returned has no meaning."""

PAUSING: Final = 1
"""A search paused because it reached its limit of sowings."""
TOO_LONG: Final = 2
"""A search ended because a line is longer than ``work`` has room for."""

ENDLESS: Final = -1
"""The depth of a search to the end of the game."""
UNKNOWN: Final = -128
"""The value of an endgame that has not been computed yet; it fits into a byte."""
CHILD: Final = 6
"""The number of entries for each child in ``work``: own, theirs, gain, whether the mover moves again, rank, hole."""

_AGAIN: Final = 1 << 24
_CAPTURE: Final = 1 << 12
_POT: Final = 1 << 7
_BEST: Final = 1 << 26
"""The order of moves: the best known one, extra turns, captures by their size, sowings that reach the pot, the others;
among equals, those from holes near the pot and with few beans first."""
_LOW_62: Final = (1 << 62) - 1
_MIDDLE: Final = 1 << 13
_BOUND: Final = (1 << 14) - 1
_LEVEL: Final = 6
_HOLE: Final = (1 << _LEVEL) - 1
_TO_THE_END: Final = 1 << 13
"""The level of a table entry is its search depth or, after a search to the end, this plus the beans in play."""
_HIGH: Final = _LEVEL + 14
_LOW: Final = _HIGH + 14
"""A table entry's last number has, from its lowest bit: the best hole (from 1), the level, both bounds plus 8192."""


def sow(numbers: Any, sowings: Any, own: int, theirs: int, hole: int) -> tuple[int, int, int, bool]:
    """Return both sides' holes after sowing, the gain of the mover's pot, and whether the last bean fell into it."""
    width, mask = numbers[WIDTH], numbers[MASK]
    at = 4 * (hole * numbers[STRIDE] + ((own >> (hole * width)) & mask))
    own += sowings[at]
    theirs += sowings[at + 1]
    gain = sowings[at + 2]
    last = sowings[at + 3]
    holes = numbers[HOLES]
    if last == holes:
        return own, theirs, gain, True
    if last >= 0 and (own >> (last * width)) & mask == 1:
        across = (holes - 1 - last) * width
        taken = (theirs >> across) & mask
        if taken > 0 or numbers[EMPTY_CAPTURE] == 1:
            own -= 1 << (last * width)
            theirs -= taken << across
            gain += taken + 1
    return own, theirs, gain, False


def perft(rules: Any, own: int, theirs: int, depth: int) -> int:
    """Return the number of sequences of exactly ``depth`` sowings (1 or more) from a position that is not over."""
    numbers, sowings, _ = rules
    total = 0
    for hole in range(numbers[HOLES]):
        if (own >> (hole * numbers[WIDTH])) & numbers[MASK] == 0:
            continue
        if depth == 1:
            total += 1
            continue
        mine, yours, _, again = sow(numbers, sowings, own, theirs, hole)
        if mine != 0 and yours != 0:
            total += perft(rules, mine, yours, depth - 1) if again else perft(rules, yours, mine, depth - 1)
    return total


def rank(numbers: Any, binomials: Any, own: int, theirs: int) -> int:
    """Return the number of a position among all those with few beans, by the combinatorial number system."""
    holes = numbers[HOLES]
    place = found = 0
    for hole in range(2 * holes):
        if hole < holes:
            place += (own >> (hole * numbers[WIDTH])) & numbers[MASK]
        else:
            place += (theirs >> ((hole - holes) * numbers[WIDTH])) & numbers[MASK]
        found += binomials[place * 2 * holes + hole]
        place += 1
    return found


def endgame(rules: Any, memory: Any, own: int, theirs: int, beans: int) -> int:
    """Return the exact value of a position with few beans; keep it in the endgame table."""
    numbers, sowings, binomials = rules
    _, _, tallies, endgames = memory
    at = rank(numbers, binomials, own, theirs)
    if endgames[at] != UNKNOWN:
        return int(endgames[at])
    best = -beans
    for hole in range(numbers[HOLES]):
        if (own >> (hole * numbers[WIDTH])) & numbers[MASK] == 0:
            continue
        tallies[SOWN] += 1
        mine, yours, gain, again = sow(numbers, sowings, own, theirs, hole)
        left = beans - gain
        if yours == 0:
            value = gain + left
        elif mine == 0:
            value = gain - left
        elif again:
            value = gain + endgame(rules, memory, mine, yours, left)
        else:
            value = gain - endgame(rules, memory, yours, mine, left)
        best = max(best, value)
    endgames[at] = best
    return best


def next_endgame(counts: Any) -> bool:
    """Change the beans of all holes to those of the next position with as many beans; return False after the last.

    The holes are in the order in which `rank` takes them, so each position's rank is one less than the rank before.
    """
    hole = 0
    while hole < len(counts) - 1 and counts[hole] == 0:
        hole += 1
    if hole == len(counts) - 1:
        return False
    left = counts[hole] - 1
    counts[hole] = 0
    counts[0] = left
    counts[hole + 1] += 1
    return True


def fill_layer(rules: Any, memory: Any, counts: Any) -> None:
    """Compute the endgames of all positions with as many beans as ``counts``, which has them all in the first hole.

    Endgames with fewer beans are known. A position that is over is worth the beans left, less than 0 if the other side
    has them.
    """
    numbers, _, binomials = rules
    _, _, _, endgames = memory
    holes, width, beans = numbers[HOLES], numbers[WIDTH], counts[0]
    while True:
        own = theirs = 0
        for hole in range(holes):
            own |= counts[hole] << (hole * width)
            theirs |= counts[holes + hole] << (hole * width)
        if own == 0 or theirs == 0:
            endgames[rank(numbers, binomials, own, theirs)] = -beans if own == 0 else beans
        else:
            endgame(rules, memory, own, theirs, beans)
        if not next_endgame(counts):
            return


def slot_of(slots: int, own: int, theirs: int) -> int:
    """Return the slot at which a position's entry is looked for; the entry may also be in the next slot.

    The low bits of products are the same in numbers of 64 bits, which overflow, and in Python's, which do not; the
    highest of those bits are mixed best.
    """
    mixed = (own ^ own >> 61) * 3202034522624059733 ^ (theirs ^ theirs >> 61) * 4354685564936845355
    return (((mixed & _LOW_62) >> 30) * slots) >> 32


def disguise(packed: int) -> int:
    """Return the number with which an entry XORs the holes of both sides, computed from the entry's last number.

    Threads may share a table without a lock. If one reads an entry while another writes it, it gets numbers of two
    entries, which then belong to no position that anybody asks for (Hyatt and Mann, A lock-less transposition table
    implementation for parallel search, 2002).
    """
    return (packed * 2971215073140625847) & _LOW_62


def find(table: Any, slots: int, own: int, theirs: int) -> int:
    """Return the last number of a position's entry in the table, or 0 if it has none."""
    if slots == 0:
        return 0
    at = 3 * slot_of(slots, own, theirs)
    for entry in range(at, at + 6, 3):
        packed = table[entry + 2]
        mask = disguise(packed)
        if table[entry] == own ^ mask and table[entry + 1] == theirs ^ mask:
            return int(packed)
    return 0


def bounds_in(packed: int, level: int, beans: int) -> tuple[int, int]:
    """Return the bounds of an entry if it is of this level, else the bounds that follow from the beans in play."""
    if packed != 0 and (packed >> _LEVEL) & _BOUND == level:
        return (packed >> _LOW) - _MIDDLE, ((packed >> _HIGH) & _BOUND) - _MIDDLE
    return -beans, beans


def store(memory: Any, slots: int, own: int, theirs: int, packed: int) -> None:
    """Store an entry in its slot or, if that slot has an entry of a higher level, in the next slot."""
    table, _, tallies, _ = memory
    at = 3 * slot_of(slots, own, theirs)
    first, second = table[at + 2], table[at + 5]
    mask = disguise(first)
    if first != 0 and (table[at] != own ^ mask or table[at + 1] != theirs ^ mask):
        mask = disguise(second)
        in_next = second != 0 and table[at + 3] == own ^ mask and table[at + 4] == theirs ^ mask
        if in_next or (first >> _LEVEL) & _BOUND > (packed >> _LEVEL) & _BOUND:
            at += 3
    if table[at + 2] == 0:
        tallies[STORED] += 1
    mask = disguise(packed)
    table[at] = own ^ mask
    table[at + 1] = theirs ^ mask
    table[at + 2] = packed


def rehash(old: Any, memory: Any, slots: int) -> None:
    """Store the entries of a smaller table, ``old``, in the current table."""
    for at in range(0, len(old), 3):
        if old[at + 2] != 0:
            mask = disguise(old[at + 2])
            store(memory, slots, old[at] ^ mask, old[at + 1] ^ mask, old[at + 2])


def expand(
    rules: Any, memory: Any, own: int, theirs: int, beans: int, depth: int, target: int, first: int, base: int
) -> tuple[int, int, int]:
    """Make every move of a position, and store in ``work``, from ``base`` on, the children that must be searched.

    Return a bound of the value as far as it is known without a search, the hole that reaches the target (-1 if none
    does; then the bound covers only the moves whose children were not stored), and the end of the stored children.
    """
    numbers, sowings, binomials = rules
    table, work, tallies, endgames = memory
    holes, width, slots = numbers[HOLES], numbers[WIDTH], numbers[SLOTS]
    best = -beans
    end = base
    for hole in range(holes - 1, -1, -1):
        lying = (own >> (hole * width)) & numbers[MASK]
        if lying == 0:
            continue
        tallies[SOWN] += 1
        mine, yours, gain, again = sow(numbers, sowings, own, theirs, hole)
        left = beans - gain
        low, high = -left, left
        if yours == 0:
            low = left
        elif mine == 0:
            high = -left
        elif depth == 1:
            tallies[HORIZON] += 1
            low = high = 0
        elif left <= numbers[KNOWN]:
            if again:
                low = endgames[rank(numbers, binomials, mine, yours)]
            else:
                low = -endgames[rank(numbers, binomials, yours, mine)]
            high = low
        else:
            if not again:
                mine, yours = yours, mine
            if depth != 2:  # a child that was searched before may settle this position
                level = _TO_THE_END + left if depth == ENDLESS else depth - 1
                low, high = bounds_in(find(table, slots, mine, yours), level, left)
                if not again:
                    low, high = -high, -low
        if gain + low > best:
            best = gain + low
            if best >= target:
                return best, hole, base
        if gain + high < target:
            best = max(best, gain + high)
            continue
        order = 2 * hole - lying + (_AGAIN if again else _CAPTURE * gain if gain > 1 else _POT * gain)
        work[end] = mine
        work[end + 1] = yours
        work[end + 2] = gain
        work[end + 3] = 1 if again else 0
        work[end + 4] = (_BEST if hole == first else order) * numbers[ORDERED]
        work[end + 5] = hole
        end += CHILD
    return best, -1, end


def put_first(work: Any, first: int, end: int) -> None:
    """Swap the child at ``first`` with the child of highest rank among those from ``first`` up to ``end``."""
    at = first
    for other in range(first + CHILD, end, CHILD):
        if work[other + 4] > work[at + 4]:
            at = other
    if at != first:
        for part in range(CHILD):
            work[first + part], work[at + part] = work[at + part], work[first + part]


def at_least(rules: Any, memory: Any, own: int, theirs: int, beans: int, depth: int, target: int, ply: int) -> int:
    """Return a bound of a position's value: a lower bound if it is ``target`` or more, else an upper bound.

    This is fail-soft alpha-beta with a null window, as MTD(f) requires (Plaat et al., Best-first fixed-depth minimax
    algorithms, 1996). The position is not over. With a ``depth`` in sowings (1 or more), the pots are compared as they
    stand at the horizon; `ENDLESS` searches to the end of the game, with a target of the same parity as the beans.
    """
    numbers, _, _ = rules
    table, work, tallies, _ = memory
    if target > beans:
        return beans
    if target <= -beans:
        return -beans
    if beans <= numbers[ENDGAME]:
        return endgame(rules, memory, own, theirs, beans)
    base = ply * numbers[HOLES] * CHILD
    if tallies[SOWN] >= tallies[LIMIT] or base + numbers[HOLES] * CHILD > len(work):
        tallies[PAUSED] = PAUSING if tallies[SOWN] >= tallies[LIMIT] else TOO_LONG
        return 0
    slots = numbers[SLOTS] if depth != 1 else 0  # a search one sowing deep is not worth a lookup in the table
    level = _TO_THE_END + beans if depth == ENDLESS else depth
    known = find(table, slots, own, theirs)
    low, high = bounds_in(known, level, beans)
    if low >= target:
        return int(low)
    if high < target:
        return int(high)
    first = (known & _HOLE) - 1
    best, hole, end = expand(rules, memory, own, theirs, beans, depth, target, first, base)
    deeper = depth if depth == ENDLESS else depth - 1
    step = 2 if depth == ENDLESS else 1  # at the end of the game, values are odd or even like the number of beans
    for child in range(base, end, CHILD):
        put_first(work, child, end)
        mine, yours, gain, again = work[child], work[child + 1], work[child + 2], work[child + 3]
        if again == 1:
            value = gain + at_least(rules, memory, mine, yours, beans - gain, deeper, target - gain, ply + 1)
        else:
            value = gain - at_least(rules, memory, mine, yours, beans - gain, deeper, gain - target + step, ply + 1)
        if tallies[PAUSED] != 0:
            return 0
        best = max(best, value)
        if best >= target:
            hole = work[child + 5]
            break
    if slots > 0:
        if best >= target:
            low = max(low, best)
        else:
            high, hole = min(high, best), first
        bounds = (low + _MIDDLE) << _LOW | (high + _MIDDLE) << _HIGH
        store(memory, slots, own, theirs, bounds | level << _LEVEL | (hole + 1))
    return int(best)
