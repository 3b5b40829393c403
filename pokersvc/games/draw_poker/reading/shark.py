"""The bot ``shark``: it reads how each opponent plays, imagines how the hand goes on, and takes what wins most."""

from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

import numpy as np

from pokersvc.cards import Card, ranking
from pokersvc.cards.arrays import ranked
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import advised_discard, own_hand
from pokersvc.games.draw_poker.reading.betting_ahead import Ahead, HandsHeld, TableAhead
from pokersvc.games.draw_poker.reading.choices_seen import ON_A_STREET, SeenInRound, seen_in
from pokersvc.games.draw_poker.reading.habits import OpponentsRead, read
from pokersvc.games.draw_poker.reading.hand_classes import (
    Floats,
    Numbers,
    Population,
    final_classes,
    population,
)
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView

WORLDS: Final = 256
"""In how many worlds each line is imagined."""
_ENDS: Final = 256
"""How many draws of its own the bot imagines."""
_HAND: Final = 5
FOLD: Final = -1
STAY: Final = 0
"""The lines that are no raise."""
_SIZES: Final = (0.5, 1.0, 2.0)
"""The sizes of bets and raises that are compared, as parts of the pot after a call."""
_STRENGTHS: Final = 7463


class Manner(NamedTuple):
    """What a player does and does not do of all that it could; the defaults are those of ``shark``."""

    reads: bool = True
    """Whether it reads from the record how the others play; otherwise they are average players to it."""
    narrows: float = 1.0
    """How much it infers from bets and calls in this hand: 1 for as much as they say, 0 for nothing."""
    calls: float = 0.0
    """What it pays to see more, as a part of the pot: who calls too much pays for curiosity."""
    chases: float = 0.0
    """How often it counts on the better of two draws."""
    timid: float = 0.0
    """What a bet or a raise must win more than its alternative, as a part of the pot with it."""
    position: bool = True
    """Whether it considers those who act after it."""


SHARK: Final = Manner()


class ReadingPlayer:
    """Takes the line that wins most against hands and habits that fit what was seen, as far as its manner goes."""

    def __init__(self, manner: Manner = SHARK) -> None:
        self._manner = manner

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return the action."""
        seat, _ = own_hand(view)
        if legal.discard is not None:
            return Discard(seat, advised_discard(view, legal, random))
        lines = lines_of(view, legal)
        if len(lines) == 1:
            return action_of_line(lines[0], view, legal)
        spot = spot_of(view, self._manner)
        worth = imagined(spot, lines, np.random.default_rng(random.getrandbits(64)))
        return action_of_line(lines[int(worth.round(6).argmax())], view, legal)


class TableSpot(NamedTuple):
    """What the bot knows at a choice in the betting."""

    view: DrawPokerView
    players: tuple[SeatView, ...]
    """Those who were dealt in."""
    me: int
    """The bot's place among them, from 0."""
    seen: SeenInRound
    reading: OpponentsRead
    hands: Population
    final: bool
    """Whether the draw is over."""
    manner: Manner


def spot_of(view: DrawPokerView, manner: Manner = SHARK) -> TableSpot:
    """Return what the bot knows."""
    players = tuple(seat for seat in view.seats if seat.cards)
    [me] = [place for place, seat in enumerate(players) if seat.seat == view.viewer]
    rivals = min(3, max(1, len(players) - 1))
    most = view.rules.discards
    reading = read(view.record.past if manner.reads else (), len(view.seats), rivals, most)
    hands, final = population(rivals, most), view.stage == "final betting"
    return TableSpot(view, players, me, seen_in(view.record.round), reading, hands, final, manner)


def lines_of(view: DrawPokerView, legal: LegalActions) -> list[int]:
    """Return the lines to compare: `FOLD`, `STAY`, and prices of bets or raises."""
    found = []
    if legal.fold and not legal.check:
        found.append(FOLD)
    if legal.call or legal.check:
        found.append(STAY)
    limits = legal.bet or legal.raise_to
    if limits is not None:
        least, most = limits
        whole = view.pot + legal.call
        wanted = [least, most] if least < most else [least]
        if least < most:
            wanted += [round(view.price + part * whole) for part in _SIZES]
            if not view.rules.all_in:  # who cannot match a bet folds: a bet above a stack buys the pot
                wanted += [seat.stack + seat.put + 1 for seat in view.seats if seat.standing == "in" and seat.cards]
        found += sorted({max(least, min(most, to)) for to in wanted})
    return found


def action_of_line(line: int, view: DrawPokerView, legal: LegalActions) -> Action:
    """Return the action that takes a line."""
    seat, _ = own_hand(view)
    if line == FOLD:
        return Fold(seat)
    if line == STAY:
        return Call(seat) if legal.call else Check(seat)
    return Bet(seat, line) if legal.bet is not None else Raise(seat, line)


def imagined(spot: TableSpot, lines: list[int], random: np.random.Generator) -> Floats:
    """Return what each line wins on average, in chips, less what was put in before; to fold wins nothing more."""
    played = [line for line in lines if line != FOLD]
    held = _held(spot, ranges(spot), random)
    ahead = Ahead(table_of(spot), held, len(played), random)
    _set_up(ahead, spot)
    me = spot.me
    number = np.repeat(np.arange(len(played)), held.final.shape[1])
    for place, line in enumerate(played):
        where = number == place
        if line != STAY:
            ahead.raise_to(me, np.full(len(number), float(line)), where)
            continue
        ahead.call(me, where)
        if not spot.manner.position:
            ahead.nobody_acts_behind(where)
    ahead.bet_round((me + 1) % len(spot.players))
    if not spot.final:
        ahead.draw()
        ahead.bet_round(ahead.table.opens)
    worth = dict(zip(played, ahead.by_line(ahead.worth()).tolist(), strict=True))
    pot, manner = float(spot.view.pot), spot.manner
    for line in played:
        worth[line] += pot * manner.calls
        if line != STAY:
            worth[line] -= manner.timid * (pot + line - spot.players[me].put)
    worth[FOLD] = -float(spot.players[me].staked)
    return np.array([worth[line] for line in lines])


def table_of(spot: TableSpot) -> TableAhead:
    """Return what does not change while the hand goes on."""
    view, betting = spot.view, spot.view.rules.betting
    seats = np.array([seat.seat - 1 for seat in spot.players])
    after = view.button if betting.opener == "button" and view.button else 0
    opens = next((place for place, seat in enumerate(spot.players) if seat.seat > after), 0)
    staked = sum(seat.staked for seat in view.seats)
    final_minimum = betting.minimum if betting.final_minimum is None else betting.final_minimum
    return TableAhead(
        rules=view.rules,
        me=spot.me,
        habits=spot.reading.habits[seats],
        sizes=spot.reading.sizes[seats],
        dead=float(max(0, view.pot - staked)) + sum(seat.staked for seat in view.seats if not seat.cards),
        opens=opens,
        minimum=(betting.minimum, final_minimum),
    )


def _set_up(ahead: Ahead, spot: TableSpot) -> None:
    view = spot.view
    for place, seat in enumerate(spot.players):
        ahead.put[place], ahead.staked[place], ahead.stack[place] = seat.put, seat.staked, seat.stack
        ahead.live[place] = seat.standing == "in"
    acted = {one.seat for one in spot.seen.choices if (one.situation >= ON_A_STREET) == spot.final}
    for place, seat in enumerate(spot.players):
        ahead.acted[place] = seat.seat in acted
    ahead.price[:] = view.price
    ahead.level[:] = spot.seen.level
    ahead.bets[:] = spot.seen.level + (not spot.final and view.rules.blinds is not None)
    if spot.final:
        ahead.street, ahead.unit = 1, float(ahead.table.minimum[1])


def ranges(spot: TableSpot) -> Floats:
    """Return the weight of each hand of the population for each player, by what each did; shape ``(players, rows)``."""
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


def _held(spot: TableSpot, weights: Floats, random: np.random.Generator) -> HandsHeld:
    """Return hands of all players in each world."""
    hands, players = spot.hands, len(spot.players)
    shape = players, WORLDS
    held = HandsHeld(np.zeros(shape, np.intp), np.zeros(shape, np.intp), np.zeros(shape, np.intp), np.ones(shape))
    own = own_ends(spot, random)
    held.final[spot.me] = own
    for place, seat in enumerate(spot.players):
        if place == spot.me or seat.standing != "in":
            continue
        cards = known_among(seat.cards)
        if len(cards) == _HAND:  # an open hand
            strength = ranking.strength(cards)
            held.final[place], held.final_class[place] = strength, final_classes()[strength]
            held.better[place] = own > strength
            continue
        sums = np.cumsum(weights[place])
        drawn = (random.permutation(WORLDS) + random.random(WORLDS)) / WORLDS * sums[-1]
        rows = np.minimum(np.searchsorted(sums, drawn), len(sums) - 1)
        held.deal_class[place], held.final_class[place] = hands.deal_class[rows], hands.final_class[rows]
        held.final[place] = hands.final[rows]
        by_strength = np.cumsum(np.bincount(hands.final, weights[place], _STRENGTHS))
        held.better[place] = by_strength[own - 1]
    return held


def own_ends(spot: TableSpot, random: np.random.Generator) -> Numbers:
    """Return the bot's final hand in each world, as a strength."""
    seat = spot.players[spot.me]
    cards = known_among(seat.cards)
    if spot.final:
        return np.full(WORLDS, ranking.strength(cards), np.intp)
    ends = _ends(tuple(sorted(cards)), min(3, max(1, len(spot.players) - 1)), spot.view.rules.discards)
    found = ends[random.integers(0, len(ends), WORLDS)]
    if spot.manner.chases:
        hoped = np.maximum(found, ends[random.integers(0, len(ends), WORLDS)])
        found = np.where(random.random(WORLDS) < spot.manner.chases, hoped, found)
    return found


@lru_cache(2048)
def _ends(cards: tuple[Card, ...], opponents: int, most: int) -> Numbers:
    """Return strengths after the best draw; the same for the same cards."""
    from pokersvc.cards.advice import Objective, best_discard

    thrown = set(best_discard(cards, Objective("win", opponents), most))
    numbers = [card.number for card in cards]
    random = np.random.default_rng(numbers)
    left = np.setdiff1d(np.arange(52), numbers)
    new = left[random.random((_ENDS, len(left))).argpartition(_HAND, axis=1)[:, :_HAND]]
    kept = np.array([card not in thrown for card in cards])
    return np.asarray(ranked(*np.where(kept, numbers, new).T), np.intp)
