"""Many tables of draw poker for two in card-room houses, with the rules in arrays.

Both seats have equal stacks, because each game is one hand. So a player who is all in has put in as many chips as the
other can, there are no side pots, and a shared pot divides evenly.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import CARDS
from pokersvc.cards.arrays import ranked
from pokersvc.core.bots.many_tables import ManyTables, NotVectorised, WriteEvent
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.setup import Options
from pokersvc.errors import InvalidValue, about
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.learning.array_records import Rows, Whole
from pokersvc.games.draw_poker.learning.features import STAGES, feature_names, features
from pokersvc.games.draw_poker.learning.hand_records import SEATS, HandRecords
from pokersvc.games.draw_poker.learning.in_numbers import longest_record, numbered_actions
from pokersvc.games.draw_poker.learning.numbered_actions import FIRST_SIZE, FOLD, STAY
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.text import counted, listed

HOUSES: Final = ("fixed-limit", "no-limit", "pot-limit")
"""The houses that have a vectorised form."""
FIRST_BETTING: Final = STAGES["first betting"]
DRAW: Final = STAGES["draw"]
FINAL_BETTING: Final = STAGES["final betting"]
NOT_DRAWN: Final = -1
"""The figure of a seat that has not drawn."""


class HeadsUpTables(ManyTables):
    """Tables for two in one of `HOUSES`; inside, seats are counted from 0, and seat 0 has the button."""

    pieces = len(CARDS)
    dealt = SEATS * 2 * HAND

    def __init__(
        self, game: Game, started: GameStarted, given: Options, write: WriteEvent, *, tables: int, length: int
    ) -> None:
        """Make tables without hands, with records of this length; ``given`` has options for the list of choices.

        Raise `NotVectorised` for a table that is not for two players in one of `HOUSES`, and `InvalidValue` for a
        length that a record may outgrow.
        """
        _check(started, length)
        actions, betting = numbered_actions(started, given), started.rules.betting
        if actions.sizes is None:
            with about("actions"):
                raise NotVectorised("The vectorised form has numbers for sizes of bets, not for each amount.")
        self._sizes, self._choices, self._raises = actions.sizes, len(actions.names), betting.raises
        self._most_bets = betting.most_bets
        self._least, self._least_at_end = betting.minimum, betting.final_minimum or betting.minimum
        self._discards: Final = np.array([len(places) for places in actions.discards])
        self._orders: Final = np.array(
            [[*places, *(at for at in range(HAND) if at not in places)] for places in actions.discards], np.intp
        )
        opening, view = _opened(game, started)
        self._opened, self._opened_price = [(seat.stack, seat.put) for seat in view.seats], view.price
        self._opened_features: Final = np.array(features(view), np.int64)
        self._column: Final = {name: number for number, name in enumerate(feature_names(SEATS))}
        self._records: Final = HandRecords(tables, length, opening, write)
        self._rows: Final = np.arange(tables)
        self._cards: Final = np.zeros((tables, self.dealt), np.int64)
        self._used: Final = np.zeros(tables, np.int64)
        self._hands: Final = np.zeros((tables, SEATS, HAND), np.int64)
        self._stage, self._seat, self._price, self._pot, self._step, self._bets = np.zeros((6, tables), np.int64)
        self._stacks, self._put, self._drew = np.zeros((3, tables, SEATS), np.int64)
        self._other_to_choose: Final = np.zeros(tables, np.bool_)
        """Whether the other seat has still to choose in this betting round, even if nobody raises any more."""
        self._amounts = np.zeros((tables, len(self._sizes)), np.int64)
        """The price to which each size of a bet would raise, as `masks` last computed it."""

    @property
    def seats(self) -> Whole:
        """The seat whose turn it is, for each table."""
        return self._seat + 1

    def deal(self, tables: Rows, decks: Whole) -> None:
        """Begin a new hand at each of these tables."""
        cards = decks[:, : self.dealt]
        hands = cards[:, : SEATS * HAND].reshape(-1, SEATS, HAND)[:, self._records.dealt_order]
        self._cards[tables] = cards
        self._used[tables] = SEATS * HAND
        self._hands[tables] = np.sort(hands)
        self._records.begin(tables, hands)
        self._stage[tables], self._seat[tables] = FIRST_BETTING, 0
        self._price[tables], self._step[tables], self._bets[tables] = self._opened_price, self._least, 1
        self._pot[tables] = sum(put for _, put in self._opened)
        self._stacks[tables], self._put[tables] = np.transpose(self._opened)
        self._drew[tables], self._other_to_choose[tables] = NOT_DRAWN, True

    def masks(self) -> NDArray[np.int8]:
        """Return a mask of the choices that the seat to act has now (1: legal), for each table."""
        found = np.zeros((len(self._rows), self._choices), np.int8)
        drawing = self._stage == DRAW
        put = self._put[self._rows, self._seat]
        found[:, FOLD] = self._price > put
        found[:, STAY] = ~drawing
        most = put + self._stacks[self._rows, self._seat]
        may_raise = ~drawing & (most > self._price)  # false if the other seat is all in
        if self._most_bets is not None:
            may_raise &= self._bets < self._most_bets
        self._amounts = self._prices(most, self._price - put)
        for size in range(len(self._sizes)):
            to = self._amounts[:, size]
            found[:, FIRST_SIZE + size] = may_raise
            for earlier in range(size):
                found[:, FIRST_SIZE + size] &= to != self._amounts[:, earlier]
        found[:, FIRST_SIZE + len(self._sizes) :] = drawing[:, None]
        return found

    def _prices(self, most: Whole, owed: Whole) -> Whole:
        """Return the price to which each size raises, for a seat that can put in ``most`` and owes ``owed``."""
        price, pot = self._price, self._pot + owed
        least = np.minimum(price + self._step, most)
        if self._raises == "fixed_limit":
            most = least
        elif self._raises == "pot_limit":
            most = np.minimum(most, price + pot)
        wished = {"min": least, "half_pot": price + pot // 2, "pot": price + pot, "all_in": most}
        return np.stack([np.maximum(least, np.minimum(wished[size], most)) for size in self._sizes], axis=1)

    def features(self) -> Whole:
        """Return the figures of each table, as the seat to act sees it."""
        column, seat = self._column, self._seat
        found = np.empty((len(self._rows), len(self._opened_features)), np.int64)
        found[:] = self._opened_features
        put = self._put[self._rows, seat]
        found[:, column["stage"]] = self._stage
        found[:, column["pot"]] = self._pot
        found[:, column["price"]] = self._price
        found[:, column["to_call"]] = self._price - put
        # Relative to the seat: 0 if it has the button itself, 1 if the other seat does.
        found[:, column["button"]] = seat
        found[:, column["to_act"]] = 0
        found[:, column["card 1"] : column[f"card {HAND}"] + 1] = self._hands[self._rows, seat]
        for number, of in enumerate((seat, 1 - seat)):
            found[:, column[f"seat {number} stack"]] = self._stacks[self._rows, of]
            found[:, column[f"seat {number} put"]] = self._put[self._rows, of]
            found[:, column[f"seat {number} drew"]] = self._drew[self._rows, of]
        return found

    def records(self) -> Whole:
        """Return the record of each table as the seat to act has seen it, padded with 0."""
        return self._records.of(self._seat)

    def step(self, numbers: Whole) -> tuple[Whole, NDArray[np.bool_]]:
        """Take a legal choice at every table; return each seat's gains, and a mask of the tables whose hand is over."""
        gains, over = np.zeros((len(self._rows), SEATS), np.int64), np.zeros(len(self._rows), np.bool_)
        sizes = len(self._sizes)
        drawing = self._stage == DRAW
        folded = np.flatnonzero(numbers == FOLD)
        stayed = np.flatnonzero(numbers == STAY)
        raised = np.flatnonzero((numbers >= FIRST_SIZE) & ~drawing)
        drew = np.flatnonzero(drawing)
        if raised.size:
            self._raise(raised, numbers[raised] - FIRST_SIZE)
        compared = [self._stay(stayed), self._draw(drew, numbers[drew] - FIRST_SIZE - sizes)]
        stake = self._opened[0][0] + self._opened[0][1]
        if folded.size:
            seat, over[folded] = self._seat[folded], True
            lost = stake - self._stacks[folded, seat]
            gains[folded, seat], gains[folded, 1 - seat] = -lost, lost
        if (shown := np.concatenate(compared)).size:
            over[shown] = True
            first, second = [ranked(*self._hands[shown, seat].T).astype(np.int64) for seat in range(SEATS)]
            won = np.sign(first - second) * (stake - self._stacks[shown, 0])
            gains[shown, 0], gains[shown, 1] = won, -won
        return gains, over

    def _pay(self, tables: Rows, seat: Whole, amount: Whole) -> None:
        self._stacks[tables, seat] -= amount
        self._put[tables, seat] += amount
        self._pot[tables] += amount

    def _raise(self, tables: Rows, size: Whole) -> None:
        """Take bets and raises, given by their sizes."""
        seat, before, to = self._seat[tables], self._price[tables], self._amounts[tables, size]
        amount = to - self._put[tables, seat]
        self._pay(tables, seat, amount)
        opens = before == 0
        self._records.bet(tables[opens], seat[opens], amount[opens])
        self._records.raise_to(tables[~opens], seat[~opens], amount[~opens], to[~opens])
        self._price[tables] = to
        if self._raises != "fixed_limit":
            self._step[tables] = to - before  # only a raise that is all in may be smaller than the one before
        self._bets[tables] += 1
        self._seat[tables], self._other_to_choose[tables] = 1 - seat, False

    def _stay(self, tables: Rows) -> Rows:
        """Take checks and calls; return the tables that come to a showdown."""
        seat = self._seat[tables]
        amount = self._price[tables] - self._put[tables, seat]
        calls = amount > 0
        self._pay(tables, seat, amount)
        self._records.check(tables[~calls], seat[~calls])
        self._records.call(tables[calls], seat[calls], amount[calls])
        goes_on = self._other_to_choose[tables]
        on, final = tables[goes_on], self._stage[tables] == FINAL_BETTING
        self._seat[on], self._other_to_choose[on] = 1 - self._seat[on], False
        draws = tables[~goes_on & ~final]
        self._stage[draws] = DRAW
        self._begin_street(draws)
        compared: Rows = tables[~goes_on & final]
        return compared

    def _begin_street(self, tables: Rows) -> None:
        """Give the first turn to the seat after the button, with no bet to call."""
        self._seat[tables], self._price[tables], self._put[tables] = 1, 0, 0

    def _draw(self, tables: Rows, discard: Whole) -> Rows:
        """Take discards and deal new cards; return the tables that come to a showdown."""
        seat, count = self._seat[tables], self._discards[discard]
        hand = np.take_along_axis(self._hands[tables, seat], self._orders[discard], axis=1)
        places = np.arange(HAND)
        new = self._cards[tables[:, None], self._used[tables][:, None] + places]
        for drawn in range(HAND + 1):
            alike = count == drawn
            self._records.draw(tables[alike], seat[alike], hand[alike, :drawn], new[alike, :drawn])
        self._hands[tables, seat] = np.sort(np.where(places < count[:, None], new, hand))
        self._used[tables] += count
        self._drew[tables, seat] = count
        self._seat[tables[seat == 1]] = 0
        last = tables[seat == 0]
        bets = self._stacks[last, 0] > 0
        final = last[bets]
        self._stage[final], self._step[final], self._bets[final] = FINAL_BETTING, self._least_at_end, 0
        self._other_to_choose[final] = True
        self._begin_street(final)
        compared: Rows = last[~bets]
        return compared


def _check(started: GameStarted, length: int) -> None:
    rules, seats = started.rules, len(started.seats)
    special = started.table or started.cash or started.levels or started.entry
    if rules.name not in HOUSES or rules != preset(rules.name) or seats != SEATS or started.rounds != 1 or special:
        rounds = "without end" if started.rounds is None else f"of {counted(started.rounds, 'hand')}"
        raise NotVectorised(
            f"Draw poker has a vectorised form for {counted(SEATS, 'seat')} and games of 1 hand in the houses"
            f" {listed(list(HOUSES))} as they are, not for {counted(seats, 'seat')}, games {rounds} and these rules of"
            f" {rules.name!r}."
        )
    if length < (least := longest_record(started)):
        with about("length"):
            raise InvalidValue(f"A record of the vectorised form has a length of {least} or more, not {length}.")


def _opened(game: Game, started: GameStarted) -> tuple[list[Event], DrawPokerView]:
    """Return the events of an example hand up to its first choice, and the view of the seat that has it."""
    replay, opening = Replay(game), list[Event]()
    state, entropy = replay.take(started), EntropySource.from_text("opening").entropy()
    while not state.awaited:
        event = state.dealer_event(entropy)
        assert event is not None
        replay.take(event)
        opening.append(event)
    return opening, state.view(state.awaited[0])
