"""Simulates the rest of a hand in many worlds at once, with opponents' possible hands and their habits."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.reading.choices_seen import ON_A_STREET, SIZES, UP_TO
from pokersvc.games.draw_poker.reading.hand_classes import Floats, Numbers

Flags = NDArray[np.bool_]

_VALUE: Final = 0.6
"""The minimum chance to win with which the bot bets for value in a later betting round."""
_RAISE: Final = 0.82
"""The minimum chance to win with which the bot raises a bet in a later betting round."""
_ORBITS: Final = 3
"""The maximum number of times that each player acts in a simulated betting round."""


class TableAhead(NamedTuple):
    """The constants of a simulated hand; players are in the order of seats, from 0."""

    rules: DrawPokerRules
    me: int
    habits: Floats
    """The probability of each choice, shape ``(players, SITUATIONS, CLASSES, CHOICES)``."""
    sizes: Floats
    """The usual size of each player's bets, as a part of the pot after a call."""
    dead: float
    """Chips in the pot from earlier rounds."""
    opens: int
    """The player who opens the final betting; if that player is out, the next one still in opens."""
    minimum: tuple[int, int]
    """The minimum bet before and after the draw."""


@dataclass(slots=True)
class HandsHeld:
    """The players' hands in each world; shape ``(players, worlds)``."""

    deal_class: Numbers
    final_class: Numbers
    final: Numbers
    better: Floats
    """For each world, the fraction of each opponent's hands that the bot's final hand beats; shape
    ``(players, worlds)``."""


class Ahead:
    """Worlds in which the hand is played on; the first axis of arrays is the player, the second the world.

    The worlds are in as many parts as there are lines to compare; all parts have the same hands and random numbers.
    """

    def __init__(self, table: TableAhead, held: HandsHeld, lines: int, random: np.random.Generator) -> None:
        self.table, self.lines = table, lines
        self._random = random
        players, worlds = held.final.shape
        self._part = worlds
        self.held = HandsHeld(
            np.tile(held.deal_class, lines),
            np.tile(held.final_class, lines),
            np.tile(held.final, lines),
            np.tile(held.better, lines),
        )
        shape = players, worlds * lines
        self.put, self.staked, self.stack = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.live, self.acted = np.zeros(shape, bool), np.zeros(shape, bool)
        self.price, self.level = np.zeros(shape[1]), np.zeros(shape[1], np.intp)
        """The level is the number of bets on this street, without blinds."""
        self.bets = np.zeros(shape[1], np.intp)
        """The number of bets as a fixed limit counts them, with the big blind."""
        self.street = 0
        self.unit = float(table.minimum[0])
        self._rivals = [[other for other in range(players) if other != player] for player in range(players)]

    # One choice.

    def facing(self, player: int) -> Floats:
        """Return the chips that a player has to call."""
        return np.asarray(np.maximum(self.price - self.put[player], 0.0))

    def pot(self) -> Floats:
        """Return the chips in the pot."""
        return np.asarray(self.staked.sum(axis=0) + self.table.dead)

    def pay(self, player: int, amount: Floats, where: Flags) -> None:
        """Have a player put chips in."""
        paid = np.where(where, np.minimum(amount, self.stack[player]), 0.0)
        self.put[player] += paid
        self.staked[player] += paid
        self.stack[player] -= paid
        self.acted[player] |= where

    def fold(self, player: int, where: Flags) -> None:
        """Have a player fold."""
        self.live[player] &= ~where
        self.acted[player] |= where

    def raise_to(self, player: int, to: Floats, where: Flags) -> None:
        """Have a player bet or raise to a price, or go all in for less."""
        self.pay(player, to - self.put[player], where)
        self.price = np.where(where, np.maximum(self.price, self.put[player]), self.price)
        self.level += where
        self.bets += where
        self.acted &= ~where
        self.acted[player] |= where

    def call(self, player: int, where: Flags) -> None:
        """Have a player call or check; a player short of chips goes all in, or folds if the house says so."""
        call = self.facing(player)
        if not self.table.rules.all_in:
            short = where & (call > self.stack[player])
            self.fold(player, short)
            where = where & ~short
        self.pay(player, call, where)

    def may_raise(self, player: int) -> Flags:
        """Return a mask of the worlds in which a player may bet or raise."""
        betting, call = self.table.rules.betting, self.facing(player)
        able: Flags = self.stack[player] > call
        match betting.raises:
            case "none":
                able &= self.price == 0
            case "double":
                to = np.where(self.price > 0, 2 * self.price, self.unit)
                able &= (to <= (betting.cap or 10**9)) & (self.stack[player] >= to - self.put[player])
            case "fixed_limit":
                able &= self.bets < (betting.most_bets or 10**9)
            case _:
                pass
        return able

    def usual_raise(self, player: int, part: float) -> Floats:
        """Return the price of a bet or raise by a share of the pot, within the house's limits."""
        betting = self.table.rules.betting
        match betting.raises:
            case "fixed_limit":
                return self.price + self.unit
            case "double":
                return np.where(self.price > 0, 2 * self.price, self.unit)
            case _:
                to = self.price + np.maximum(part * (self.pot() + self.facing(player)), self.unit)
                return np.minimum(to, float(betting.maximum or 10**9)) if betting.raises == "none" else to

    def nobody_acts_behind(self, where: Flags) -> None:
        """End this betting round without further bets: players who still owe chips fold."""
        me = self.table.me
        for player in self._rivals[me]:
            self.live[player] &= ~(where & (self.put[player] < self.price) & (self.stack[player] > 0))
            self.acted[player] |= where

    # A betting round.

    def needed(self, player: int) -> Flags:
        """Return a mask of the worlds in which a player has to choose."""
        live: Flags = self.live[player] & (self.stack[player] > 0)
        if not live.any():
            return live
        rivals = self.live[self._rivals[player]]
        able = rivals & (self.stack[self._rivals[player]] > 0)
        behind = self.put[player] < self.price
        live &= (behind & rivals.any(axis=0)) | (~self.acted[player] & able.any(axis=0))
        return live

    def bet_round(self, begins: int) -> None:
        """Have the players choose in turn, from the given one on, until nobody has to choose."""
        players, idle = len(self.live), 0
        for step in range(_ORBITS * players):
            player = (begins + step) % players
            need = self.needed(player)
            if not need.any():
                idle += 1
                if idle == players:
                    break
                continue
            idle = 0
            (self._mine if player == self.table.me else self._theirs)(player, need)
        for player in range(players):  # players who have not answered yet call
            self.call(player, self.needed(player) & (self.put[player] < self.price))

    def _theirs(self, player: int, need: Flags) -> None:
        call, pot = self.facing(player), self.pot()
        number = _situations(self.street, call, pot, self.level)
        classes = (self.held.final_class if self.street else self.held.deal_class)[player]
        chances = self.table.habits[player][number, classes]
        drawn = np.tile(self._random.random(self._part), self.lines)
        raises = need & (drawn > 1 - chances[:, 2]) & self.may_raise(player)
        gives_up = need & (drawn < chances[:, 0]) & ~raises
        folds = gives_up & ((call > 0) | self._must_bet())
        self.fold(player, folds)
        self.call(player, need & ~folds & ~raises)
        if raises.any():
            self.raise_to(player, self.usual_raise(player, float(self.table.sizes[player])), raises)

    def _must_bet(self) -> bool:
        return self.street == 0 and self.table.rules.betting.check == "final"

    def _mine(self, player: int, need: Flags) -> None:
        """Choose for the bot by its mean chance to win over all worlds that it cannot distinguish."""
        call, pot = self.facing(player), self.pot()
        wins = self._chance()
        calls = need & (wins * (pot + call) >= call)
        raises = need & self.may_raise(player) & (wins > np.where(self.level > 0, _RAISE, _VALUE))
        if self.street == 0:
            raises &= self.level < 2
        self.fold(player, need & ~calls & ~raises & (call > 0))
        self.call(player, need & ~raises & (calls | (call == 0)))
        if raises.any():
            self.raise_to(player, self.usual_raise(player, 0.8), raises)

    def _chance(self) -> Floats:
        """Return the bot's chance to win in each world, averaged over the worlds that it cannot distinguish."""
        me, held = self.table.me, self.held
        if self.street and held.final[me].max() != held.final[me].min():
            rivals = self.live.copy()
            rivals[me] = False
            chance = np.where(rivals, held.better, 1.0).prod(axis=0)
            return np.asarray(chance * np.where(self.level > 0, 0.85, 1.0))
        beaten = np.where(self.live, held.final, 0)
        beaten[me] = 0
        best = beaten.max(axis=0)
        wins = (held.final[me] > best) + 0.5 * (held.final[me] == best)
        need = self.needed(me)
        kinds = np.repeat(np.arange(self.lines), self._part) * 8 + np.minimum(self.level, 3) * 2
        kinds += self.live.sum(axis=0) > 2
        sums = np.bincount(kinds[need], wins[need], 8 * self.lines + 8)
        counts = np.bincount(kinds[need], minlength=8 * self.lines + 8)
        return np.asarray((sums / np.maximum(counts, 1))[kinds])

    def draw(self) -> None:
        """Proceed to the final betting."""
        self.street, self.unit = 1, float(self.table.minimum[1])
        self.put[:] = 0
        self.price[:] = 0
        self.level[:] = 0
        self.bets[:] = 0
        self.acted[:] = False

    def worth(self) -> Floats:
        """Return the bot's net win in this round in each world.

        A player who beats the bot takes chips from everybody up to that player's own stake. The bot wins the rest, or
        all chips if nobody beats it.
        """
        me, final = self.table.me, self.held.final
        mine = self.staked[me]
        ahead = self.live & (final > final[me])
        level = final[me] == final
        ahead[me] = level[me] = False
        taken = np.where(ahead, self.staked, 0.0).max(axis=0)
        won = np.maximum(np.minimum(self.staked, mine) - np.minimum(taken, mine), 0.0).sum(axis=0)
        won += np.where(taken == 0, self.table.dead, 0.0)
        won /= 1 + (level & self.live).sum(axis=0)
        return np.asarray(np.where(self.live[me], won, 0.0) - mine)


def _situations(street: int, call: Floats, pot: Floats, level: Numbers) -> Numbers:
    """Return the number of the situation in each world; see `situation`."""
    part = call / np.maximum(pot, 1.0)
    size = np.searchsorted(UP_TO, part)
    on_street = np.where(call <= 0, 0, np.where(level == 0, 1, 2 + SIZES * (level > 1) + size))
    return np.asarray(on_street + street * ON_A_STREET, np.intp)
