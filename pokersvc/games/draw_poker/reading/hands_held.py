"""The ranges of all players, given the observations: weights of a population, and hands in many worlds."""

from functools import lru_cache
from typing import Final

import numpy as np

from pokersvc.cards import Card, ranking
from pokersvc.cards.advice import Objective, best_discard
from pokersvc.cards.arrays import ranked
from pokersvc.cards.unknown import known_among
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.reading.betting_ahead import HandsHeld
from pokersvc.games.draw_poker.reading.choices_seen import ON_A_STREET
from pokersvc.games.draw_poker.reading.hand_classes import Floats, Numbers, final_classes
from pokersvc.games.draw_poker.reading.table_spot import TableSpot

_ENDS: Final = 256
"""How many draws of its own the bot imagines."""


def ranges(spot: TableSpot) -> Floats:
    """Return the population's weights for each player, given the player's actions, in shape ``(players, rows)``."""
    hands, reading, view = spot.hands, spot.reading, spot.view
    mine = np.uint64(0)
    for card in known_among((*view.seat(spot.players[spot.me].seat).cards, *spot.players[spot.me].discarded)):
        mine |= np.uint64(1) << np.uint64(card.number)
    apart = (hands.cards & mine) == 0
    sensible = hands.sensible.sum()
    blind = max(1, len(hands.sensible) - sensible)
    found = np.empty((len(spot.players), len(hands.final)))
    for place, seat in enumerate(spot.players):
        blindly = float(reading.blindly[seat.seat - 1])
        weights = np.where(hands.sensible, (1 - blindly) / sensible, blindly / blind) * apart
        if (drew := spot.seen.drew.get(seat.seat)) is not None:
            fits = weights * (hands.drew == drew)
            weights = fits if fits.any() else weights
        found[place] = weights
    places = {seat.seat: place for place, seat in enumerate(spot.players)}
    for one in spot.seen.choices:
        at = places.get(one.seat, spot.me)
        if at != spot.me:
            likely = reading.habits[one.seat - 1, one.situation, :, one.choice]
            narrowed = likely if spot.manner.narrows == 1 else likely**spot.manner.narrows
            found[at] *= narrowed[hands.final_class if one.situation >= ON_A_STREET else hands.deal_class]
    total: Floats = found / found.sum(axis=1, keepdims=True)
    return total


def hands_held(spot: TableSpot, weights: Floats, worlds: int, random: np.random.Generator) -> HandsHeld:
    """Return the hands of all players in each world."""
    hands, players = spot.hands, len(spot.players)
    shape = players, worlds
    held = HandsHeld(np.zeros(shape, np.intp), np.zeros(shape, np.intp), np.zeros(shape, np.intp), np.ones(shape))
    own = _own_ends(spot, worlds, random)
    held.final[spot.me] = own
    for place, seat in enumerate(spot.players):
        if place == spot.me or seat.standing != "in":
            continue
        cards = known_among(seat.cards)
        if len(cards) == HAND:  # all of the hand's cards are known
            strength = ranking.strength(cards)
            held.final[place], held.final_class[place] = strength, final_classes()[strength]
            held.better[place] = own > strength
            continue
        sums = np.cumsum(weights[place])
        drawn = (random.permutation(worlds) + random.random(worlds)) / worlds * sums[-1]
        rows = np.minimum(np.searchsorted(sums, drawn), len(sums) - 1)
        held.deal_class[place], held.final_class[place] = hands.deal_class[rows], hands.final_class[rows]
        held.final[place] = hands.final[rows]
        by_strength = np.cumsum(np.bincount(hands.final, weights[place], ranking.STRENGTHS + 1))
        held.better[place] = by_strength[own - 1]
    return held


def _own_ends(spot: TableSpot, worlds: int, random: np.random.Generator) -> Numbers:
    """Return the bot's final hand in each world, as a strength."""
    seat = spot.players[spot.me]
    cards = known_among(seat.cards)
    if spot.final:
        return np.full(worlds, ranking.strength(cards), np.intp)
    ends = _ends(tuple(sorted(cards)), min(3, max(1, len(spot.players) - 1)), spot.view.rules.discards)
    found = ends[random.integers(0, len(ends), worlds)]
    if spot.manner.chases:
        hoped = np.maximum(found, ends[random.integers(0, len(ends), worlds)])
        found = np.where(random.random(worlds) < spot.manner.chases, hoped, found)
    return found


@lru_cache(2048)
def _ends(cards: tuple[Card, ...], opponents: int, most: int) -> Numbers:
    """Return the strengths after the best draw; always the same for the same cards."""
    thrown = set(best_discard(cards, Objective("win", opponents), most))
    numbers = [card.number for card in cards]
    random = np.random.default_rng(numbers)
    left = np.setdiff1d(np.arange(52), numbers)
    new = left[random.random((_ENDS, len(left))).argpartition(HAND, axis=1)[:, :HAND]]
    kept = np.array([card not in thrown for card in cards])
    return np.asarray(ranked(*np.where(kept, numbers, new).T), np.intp)
