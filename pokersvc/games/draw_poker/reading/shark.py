"""The bot ``shark``: it models each opponent, simulates the rest of the hand, and takes the action that wins most."""

from random import Random
from typing import Final

import numpy as np

from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import advised_discard, own_hand
from pokersvc.games.draw_poker.reading.betting_ahead import Ahead, TableAhead
from pokersvc.games.draw_poker.reading.choices_seen import ON_A_STREET
from pokersvc.games.draw_poker.reading.hand_classes import Floats
from pokersvc.games.draw_poker.reading.hands_held import hands_held, ranges
from pokersvc.games.draw_poker.reading.table_spot import SHARK, Manner, TableSpot, spot_of
from pokersvc.games.draw_poker.view import DrawPokerView

WORLDS: Final = 256
"""The number of worlds in which each line is simulated."""
_MORE_WORLDS: Final = 1024
"""The number of worlds in which the lines close to the best are simulated again."""
_CLOSE: Final = 1.5
"""A line is close to the best if it is behind by at most this number of standard errors."""
FOLD: Final = -1
STAY: Final = 0
"""The lines that are no raise."""
_SIZES: Final = (0.5, 1.0, 2.0)
"""The sizes of bets and raises that are compared, as parts of the pot after a call."""


class ReadingPlayer:
    """Takes the action that wins most against the hands and habits that fit the observations, within its `Manner`."""

    def __init__(self, manner: Manner = SHARK) -> None:
        self._manner = manner

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return the action."""
        seat, _ = own_hand(view)
        if legal.discard is not None:
            return Discard(seat, advised_discard(view, legal, random))
        lines = lines_of(view, legal, self._manner)
        if len(lines) == 1:
            return action_of_line(lines[0], view, legal)
        spot = spot_of(view, self._manner)
        return action_of_line(best_line(spot, lines, np.random.default_rng(random.getrandbits(64))), view, legal)


def lines_of(view: DrawPokerView, legal: LegalActions, manner: Manner = SHARK) -> list[int]:
    """Return the actions to compare: `FOLD`, `STAY`, and prices of bets or raises, always including the minimum."""
    found = []
    if legal.fold and not legal.check:
        found.append(FOLD)
    if legal.call or legal.check:
        found.append(STAY)
    limits = legal.bet or legal.raise_to
    if limits is not None:
        least, most = limits
        whole = view.pot + legal.call
        sized, buying = [least, most], list[int]()
        if least < most:
            sized += [round(view.price + part * whole) for part in _SIZES]
            if not view.rules.all_in:  # a player who cannot match a bet folds, so a bet above a stack buys the pot
                buying = [seat.stack + seat.put + 1 for seat in view.seats if seat.standing == "in" and seat.cards]
        if manner.largest is not None:
            largest = view.price + manner.largest * whole
            opened = view.stage == "final betting" and view.rules.open_hands == "after_draw"
            sized = [least, *(to for to in sized if min(most, to) <= largest)]
            buying = [to for to in buying if (manner.buys and opened) or min(most, to) <= largest]
        prices = {max(least, min(most, to)) for to in (*sized, *buying)}
        found += sorted(prices)
    return found


def action_of_line(line: int, view: DrawPokerView, legal: LegalActions) -> Action:
    """Return the action that takes a line."""
    seat, _ = own_hand(view)
    if line == FOLD:
        return Fold(seat)
    if line == STAY:
        return Call(seat) if legal.call else Check(seat)
    return Bet(seat, line) if legal.bet is not None else Raise(seat, line)


def best_line(spot: TableSpot, lines: list[int], random: np.random.Generator) -> int:
    """Return the action that wins most; close ones are simulated again, in more worlds."""
    weights = ranges(spot)
    worth = imagined(spot, lines, weights, WORLDS, random)
    behind = worth[worth.mean(axis=1).argmax()] - worth
    close = behind.mean(axis=1) <= _CLOSE * behind.std(axis=1) / WORLDS**0.5
    if close.sum() > 1:
        lines = [line for line, one in zip(lines, close.tolist(), strict=True) if one]
        worth = imagined(spot, lines, weights, _MORE_WORLDS, random)
    return lines[int(worth.mean(axis=1).round(6).argmax())]


def imagined(spot: TableSpot, lines: list[int], weights: Floats, worlds: int, random: np.random.Generator) -> Floats:
    """Return each action's net win in the round in each world, in chips; a fold loses the chips put in before."""
    played, me = [line for line in lines if line != FOLD], spot.me
    ahead = Ahead(table_of(spot), hands_held(spot, weights, worlds, random), len(played), random)
    _set_up(ahead, spot)
    number = np.repeat(np.arange(len(played)), worlds)
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
    found = np.full((len(lines), worlds), -float(spot.players[me].staked))
    worth, pot, manner = ahead.worth().reshape(len(played), worlds), float(spot.view.pot), spot.manner
    mine = spot.players[me]
    for line, won in zip(played, worth, strict=True):
        fee = 0.0 if line == STAY else manner.timid * (pot + line - mine.put)
        added = (spot.view.price if line == STAY else line) - mine.put
        curiosity = manner.calls * pot * max(0.0, 1 - added / max(1, mine.stack))
        found[lines.index(line)] = won + curiosity - fee
    return found


def table_of(spot: TableSpot) -> TableAhead:
    """Return the constants of the hand."""
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
