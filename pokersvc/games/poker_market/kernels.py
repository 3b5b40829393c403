"""Computes with markets as plain numbers: judges swaps, plays markets out, and searches the last round.

The same source runs as it stands on lists or, compiled by numba, on arrays
(`pokersvc.games.poker_market.engine` chooses), so both give the same answers. All numbers are integers, and functions
call each other by their plain names.

- A *place* is a player's number in the order of turns, from 0; ``cards`` are card numbers, five per place.
- ``keys`` are hands as the rules rank them: ``strength * 16 + place``, so a later turn wins a tie.
- A *worth* is what a player maximises: ``points * WORTH + strength``, points first, then the hand.
- A *swap* is ``position * len(cards) + other``: the mover's card at a position (0 to 4) for the card at an index.
- A *style* is how a player is expected to play: see `RANK`, `GREEDY`, `RANDOM`.
- ``tables`` are the lookup tables of `pokersvc.cards.arrays`: of pairs, of triples, of strengths, and their width.
"""

from typing import Any, Final

WORTH: Final = 8192
"""The weight of a point in a worth, ``points * WORTH + strength``; it exceeds the strength of any hand."""

RANK: Final = 0
"""The style of a player who wants points, then a better hand, and never helps a partner past itself."""
GREEDY: Final = 1
"""The style of a player who wants a better hand, whatever that does for others."""
RANDOM: Final = 2
"""The style of a player who accepts every other proposal, and proposes anything."""

ENTERED: Final = -3
PASSING: Final = -1
FORCED: Final = -2
"""States of a level of `search` besides a swap: just entered, trying to pass, or trying the style's only action."""


def fill_rests(tables: Any, cards: Any, rests: Any, place: int) -> None:
    """Store, for each card of a hand, two indices for the other four cards, by which `with_card` finds a strength."""
    pairs, width = tables[0], tables[3]
    base = place * 5
    a, b, c, d, e = cards[base], cards[base + 1], cards[base + 2], cards[base + 3], cards[base + 4]
    ab, ac, bc = pairs[a * 52 + b] * width, pairs[a * 52 + c] * width, pairs[b * 52 + c] * width
    cd, ce, de = pairs[c * 52 + d] * 52, pairs[c * 52 + e] * 52, pairs[d * 52 + e] * 52
    at = base * 2
    rests[at], rests[at + 1] = bc, de
    rests[at + 2], rests[at + 3] = ac, de
    rests[at + 4], rests[at + 5] = ab, de
    rests[at + 6], rests[at + 7] = ab, ce
    rests[at + 8], rests[at + 9] = ab, cd


def with_card(tables: Any, rests: Any, index: int, card: int) -> int:
    """Return the strength of a hand if the card at ``index`` is replaced by another."""
    return int(tables[2][rests[2 * index] + tables[1][rests[2 * index + 1] + card]])


def points_of(keys: Any, place: int) -> int:
    """Return the points of a hand: the number of hands that are not better, itself included."""
    mine = keys[place]
    points = 0
    for key in keys:
        if key <= mine:
            points += 1
    return points


def points_after(keys: Any, place: int, mine: int, other: int, its: int) -> int:
    """Return a place's points once its key (rank of hand) is ``mine`` and that of the place ``other`` is ``its``."""
    points = 2 if its <= mine else 1
    for at in range(len(keys)):
        if at != place and at != other and keys[at] <= mine:  # noqa: PLR1714 - what numba compiles best
            points += 1
    return points


def begin(tables: Any, cards: Any, rests: Any, keys: Any) -> None:
    """Compute, from the cards, the rests (see `fill_rests`) and keys (ranks of hands) of all places."""
    for place in range(len(keys)):
        fill_rests(tables, cards, rests, place)
        keys[place] = with_card(tables, rests, 5 * place, cards[5 * place]) * 16 + place


def exchange(tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swap: int) -> None:
    """Make a swap: change the cards, and the rests and keys that follow from them."""
    size = len(cards)
    index, other = mover * 5 + swap // size, swap % size
    judge(tables, cards, rests, keys, mover, swap)
    cards[index], cards[other] = cards[other], cards[index]
    fill_rests(tables, cards, rests, mover)
    fill_rests(tables, cards, rests, other // 5)


def judge(tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swap: int) -> None:
    """Set the keys (ranks of hands) to their values after a swap, but leave the cards and rests as they are."""
    size = len(cards)
    index, other = mover * 5 + swap // size, swap % size
    partner = other // 5
    keys[mover] = with_card(tables, rests, index, cards[other]) * 16 + mover
    keys[partner] = with_card(tables, rests, other, cards[index]) * 16 + partner


def appraise(tables: Any, cards: Any, rests: Any, keys: Any, mover: int, least: int, found: Any) -> int:
    """Judge every swap after which the mover's worth is at least ``least``; return the number of these swaps.

    Five numbers for each are written to ``found``: the swap, the mover's worth after it, the partner's worth after it,
    the partner's gain in strength, and whether the partner passes the mover (1), is passed by it (-1), or neither (0).
    """
    count = 0
    size = len(cards)
    for position in range(5):
        index = mover * 5 + position
        card = cards[index]
        for other in range(size):
            partner = other // 5
            if partner == mover:
                continue
            mine = with_card(tables, rests, index, cards[other])
            its = with_card(tables, rests, other, card)
            my_key, its_key = mine * 16 + mover, its * 16 + partner
            worth = points_after(keys, mover, my_key, partner, its_key) * WORTH + mine
            if worth < least:
                continue
            found[count] = position * size + other
            found[count + 1] = worth
            found[count + 2] = points_after(keys, partner, its_key, mover, my_key) * WORTH + its
            found[count + 3] = its - keys[partner] // 16
            passing = 0
            if keys[partner] < keys[mover] and its_key > my_key:
                passing = 1
            elif keys[partner] > keys[mover] and its_key < my_key:
                passing = -1
            found[count + 4] = passing
            count += 5
    return count // 5


def best_swap(tables: Any, cards: Any, rests: Any, keys: Any, mover: int, styles: Any) -> int:
    """Return the swap that a `RANK` or `GREEDY` mover proposes if it knows the others' styles; -1 to pass."""
    size = len(cards)
    ranked = styles[mover] == RANK
    my_strength = keys[mover] // 16
    now = points_of(keys, mover) * WORTH + my_strength
    best_gain, best = 0, -1
    for position in range(5):
        index = mover * 5 + position
        card = cards[index]
        for other in range(size):
            partner = other // 5
            if partner == mover:
                continue
            mine = with_card(tables, rests, index, cards[other])
            if mine <= my_strength:
                continue
            its = with_card(tables, rests, other, card)
            better = its > keys[partner] // 16
            if not ranked:
                gain = mine - my_strength + (WORTH if better else 0)
                if gain > best_gain:
                    best_gain, best = gain, position * size + other
                continue
            style = styles[partner]
            if style != RANDOM and not better:
                continue
            my_key, its_key = mine * 16 + mover, its * 16 + partner
            below = keys[partner] < keys[mover]
            if below and its_key > my_key:
                continue
            if style == RANK and not below and its_key < my_key:
                continue
            gain = (points_after(keys, mover, my_key, partner, its_key) * WORTH + mine - now) * 2
            if style == RANDOM:
                gain //= 2
            if gain > best_gain:
                best_gain, best = gain, position * size + other
    return best


def takes(tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swap: int, style: int, chance: int) -> bool:
    """Return whether a partner who plays in ``style`` accepts a swap; in the style `RANDOM`, ``chance`` decides."""
    if style == RANDOM:
        return chance % 2 == 0
    size = len(cards)
    index, other = mover * 5 + swap // size, swap % size
    partner = other // 5
    its = with_card(tables, rests, other, cards[index])
    if its <= keys[partner] // 16:
        return False
    if style == GREEDY:
        return True
    mine = with_card(tables, rests, index, cards[other])
    return not (keys[partner] > keys[mover] and its * 16 + partner < mine * 16 + mover)


def play_out(tables: Any, cards: Any, rests: Any, keys: Any, styles: Any, turn: int, turns: int, chance: int) -> None:
    """Play ``turns`` turns, each player in its style; ``chance`` (31 bits) is the seed of all random choices."""
    size = len(cards)
    players = len(keys)
    for number in range(turn, turn + turns):
        mover = number % players
        # Draw two numbers each turn, needed or not, so that two futures that differ only in a swap have the same luck
        # after it.
        first = (chance * 1103515245 + 12345) % 2147483648
        chance = (first * 1103515245 + 12345) % 2147483648
        if styles[mover] == RANDOM:
            # Pass half of the time, as the player `random` does. The low bits of this generator are poor, so a higher
            # one decides.
            if (first >> 16) % 2 == 0:
                continue
            other = (mover * 5 + 5 + (first >> 8) % (size - 5)) % size
            swap = (first >> 20) % 5 * size + other
        else:
            swap = best_swap(tables, cards, rests, keys, mover, styles)
        if swap >= 0 and takes(tables, cards, rests, keys, mover, swap, styles[swap % size // 5], chance >> 16):
            exchange(tables, cards, rests, keys, mover, swap)


def weigh(
    tables: Any,
    cards: Any,
    rests: Any,
    keys: Any,
    mover: int,
    swaps: Any,
    styles: Any,
    chances: Any,
    turn: int,
    turns: int,
    scratch: Any,
    found: Any,
) -> None:
    """Play the market out after each swap (-1: none), once for each sample, and add up all places' worths at the end.

    ``turn`` is the number of the next turn. ``styles`` has ``len(keys)`` styles for each of ``chances``; ``scratch``
    holds copies of cards, rests, keys and styles to work on. The sums are written to ``found``, ``len(keys)`` for each
    swap.
    """
    players = len(keys)
    cards_, rests_, keys_, styles_ = scratch
    for number in range(len(swaps)):
        for sample in range(len(chances)):
            cards_[:] = cards
            rests_[:] = rests
            keys_[:] = keys
            for place in range(players):
                styles_[place] = styles[sample * players + place]
            if swaps[number] >= 0:
                exchange(tables, cards_, rests_, keys_, mover, swaps[number])
            play_out(tables, cards_, rests_, keys_, styles_, turn, turns, chances[sample])
            for place in range(players):
                found[number * players + place] += points_of(keys_, place) * WORTH + keys_[place] // 16


def search(tables: Any, stack: Any, styles: Any, turn: int, turns: int, limit: int) -> int:
    """Compute each place's doubled worth with the last turns played perfectly; return how many positions are visited.

    The worths are written to level 0 of the stack. The search covers the swaps that change the ranking and by which
    both players gain now, in points or else in the hand. A `RANK` player proposes and accepts what leads to its own
    best result, and stops searching once that has the most points; a `GREEDY` player does as it always does; a `RANDOM`
    player is expected to pass, and to accept every other time.

    Visiting a position means going through the swaps of the player to act. At most ``limit`` positions are visited;
    after that, a position is valued as it is. Swaps are carried out only in visited positions.

    ``stack`` holds, for each level (the number of turns from now), the market, two rows of worths (the best so far, and
    that of passing), and the swap that is being tried. The search begins with the market of level 0. It walks the stack
    with a loop, since numba cannot cache compiled functions that call themselves.
    """
    all_cards, all_rests, all_keys, worths, passing, trying = stack
    players = len(all_keys[0])
    level, looked = 0, 0
    trying[0] = ENTERED
    while level >= 0:
        cards, rests, keys = all_cards[level], all_rests[level], all_keys[level]
        best = worths[level]
        mover = (turn + level) % players
        state = trying[level]
        if state == ENTERED and (looked == limit or settled(keys, styles, turn + level, turns - level)):
            for place in range(players):
                best[place] = 2 * (points_of(keys, place) * WORTH + keys[place] // 16)
            level -= 1
            continue
        next_swap = -1
        if state == ENTERED:
            looked += 1
            if styles[mover] == GREEDY:
                next_swap = best_swap(tables, cards, rests, keys, mover, styles)
                if next_swap >= 0:
                    style = styles[next_swap % len(cards) // 5]
                    if not takes(tables, cards, rests, keys, mover, next_swap, style, 1):
                        next_swap = -1
            trying[level] = PASSING if styles[mover] == RANK else FORCED
        elif state == FORCED:
            best[:] = worths[level + 1]
            level -= 1
            continue
        else:
            if state == PASSING:
                best[:] = worths[level + 1]
                passing[level][:] = best
            else:
                keep_better(best, passing[level], worths[level + 1], styles, mover, state % len(cards) // 5)
            if best[mover] < 2 * players * WORTH:
                next_swap = next_changing(tables, cards, rests, keys, styles, mover, max(state + 1, 0))
            if next_swap < 0:
                level -= 1
                continue
            trying[level] = next_swap
        level += 1
        place_after(tables, cards, rests, keys, mover, next_swap, stack, level, styles, turn, turns, limit - looked)
        trying[level] = ENTERED
    return looked


def place_after(
    tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swap: int, stack: Any, level: int, styles: Any,
    turn: int, turns: int, left: int,
) -> None:  # fmt: skip
    """Write the market after a swap (-1: none) to a level of the stack; only its keys if `search` will not visit it."""
    all_cards, all_rests, all_keys = stack[:3]
    all_keys[level][:] = keys
    if swap >= 0:
        judge(tables, cards, rests, all_keys[level], mover, swap)
    if left > 0 and not settled(all_keys[level], styles, turn + level, turns - level):
        all_cards[level][:] = cards
        all_rests[level][:] = rests
        if swap >= 0:
            exchange(tables, all_cards[level], all_rests[level], all_keys[level], mover, swap)


def settled(keys: Any, styles: Any, turn: int, turns: int) -> bool:
    """Return whether the ranking is final: no turn is left, or only that of a `RANK` player who has the most points."""
    mover = turn % len(keys)
    return turns == 0 or (turns == 1 and styles[mover] == RANK and points_of(keys, mover) == len(keys))


def keep_better(best: Any, passing: Any, after: Any, styles: Any, mover: int, partner: int) -> None:
    """Replace the worths in ``best`` by those after a swap, if the partner accepts it and the mover gains by it."""
    style = styles[partner]
    if style == RANK and after[partner] <= passing[partner]:
        return
    if style == RANDOM:
        if (after[mover] + passing[mover]) // 2 > best[mover]:
            for place in range(len(best)):
                best[place] = (after[place] + passing[place]) // 2
    elif after[mover] > best[mover]:
        best[:] = after


def next_changing(tables: Any, cards: Any, rests: Any, keys: Any, styles: Any, mover: int, first: int) -> int:
    """Return the first swap, from ``first`` on, that changes points and that both may agree to; -1 if there is none."""
    size = len(cards)
    my_points, my_strength = points_of(keys, mover), keys[mover] // 16
    for swap in range(first, 5 * size):
        index, other = mover * 5 + swap // size, swap % size
        partner = other // 5
        if partner == mover:
            continue
        mine = with_card(tables, rests, index, cards[other])
        its = with_card(tables, rests, other, cards[index])
        style = styles[partner]
        its_better = its > keys[partner] // 16
        if style == GREEDY and not its_better:
            continue
        my_key, its_key = mine * 16 + mover, its * 16 + partner
        my_change = points_after(keys, mover, my_key, partner, its_key) - my_points
        its_change = points_after(keys, partner, its_key, mover, my_key) - points_of(keys, partner)
        if my_change == 0 and its_change == 0:
            continue
        i_gain = my_change > 0 or (my_change == 0 and mine > my_strength)
        it_gains = its_change > 0 or (its_change == 0 and its_better)
        if i_gain and (it_gains or style != RANK):
            return swap
    return -1


def search_all(
    tables: Any, cards: Any, rests: Any, keys: Any, mover: int, swaps: Any, styles: Any, turn: int, turns: int,
    limit: int, stack: Any, found: Any,
) -> None:  # fmt: skip
    """Search the last turns after each swap (-1: none), and write all places' worths to ``found`` as `weigh` does.

    The swaps share the limit of positions: each may use half of the positions that the swaps before it left, and the
    last one all of them.
    """
    players = len(keys)
    left = limit
    for number in range(len(swaps)):
        part = left // 2 if number + 1 < len(swaps) else left
        place_after(tables, cards, rests, keys, mover, swaps[number], stack, 0, styles, turn, turns, part)
        left -= search(tables, stack, styles, turn, turns, part)
        for place in range(players):
            found[number * players + place] = stack[3][0][place]
