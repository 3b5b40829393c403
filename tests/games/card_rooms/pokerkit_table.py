"""One hand of five-card draw in PokerKit, an independent engine, with an interface like this project's.

PokerKit counts players from 0, clockwise from the left of the button, which is the order of the deal here. Nothing
is automatic but the bookkeeping of hands killed and chips pulled; whatever is done to PokerKit's state from outside,
to make up for a rule that it has differently, is a method here and is counted under a name of `Difference`.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

import pokerkit
from pokerkit import Automation, BettingStructure, CardsLike, Deck, Hand, Mode, Opening, StandardHighHand, Street
from pokerkit import Card as PokerKitCard

from pokersvc.cards import Card


class Difference(StrEnum):
    """A rule that is different in PokerKit by design, and how the comparison continues nevertheless."""

    DRAW_AFTER_ALL = "draw after all"
    """It deals when everybody has discarded; here each is served before the next. It is dealt our cards then."""
    RESHUFFLE = "reshuffle"
    """It deals on with any card out of play, our deck knows what may come back; it warns, and is dealt our cards."""
    DISCARD_LIMIT = "discard limit"
    """It lets everybody discard five cards; here no more than can be dealt. Our limit is kept."""
    SHORT_BIG_BLIND = "short big blind"
    """It prices a short big blind at what was posted, here the price is full while two others can still bet. As long as
    they can, a marker fills it."""
    ANTE_TRIMMED = "ante trimmed"
    """It returns what nobody matches of an ante before the deal, here after the betting: until then it is kept in."""
    ASKS_FOR_NOTHING = "asks for nothing"
    """It asks the last player with chips to check, while here the betting ends at once. It is told to check."""
    FREE_FOLD = "free fold"
    """It never folds a free hand in a tournament; a forfeit does. For that fold it plays a cash game."""
    LITTLE_REOPENS = "little reopens"
    """It measures the first raise by itself: an all-in of less than the least reopens the betting. Here it does not."""
    SHORTS_ADD_UP = "shorts add up"
    """It forgets short all-ins once they make a full raise; here they count from where each seat acted."""
    HALF_A_UNIT = "half a unit"
    """Fixed-limit: half a unit reopens the betting here, in PokerKit a whole one. It is asked as if reopened."""
    COMPLETION = "completion"
    """Fixed-limit: it puts a unit on top of an all-in of less than half a unit, here that is completed."""
    NOT_A_RAISE = "not a raise"
    """Fixed-limit: it counts an all-in of less than half a unit among the raises of a betting round, here not."""
    ODD_CHIPS = "odd chips"
    """It gives all odd chips to one winner, of pots merged where beaten hands are gone; here each pot's by position."""


AUTOMATIONS: Final = (Automation.HAND_KILLING, Automation.CHIPS_PULLING)
STRUCTURES: Final = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}


class KnownHand(StandardHighHand):
    """PokerKit's hand class, with a cache for the best five cards, which it looks for repeatedly."""

    @classmethod
    def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> Hand:
        """Return the result of PokerKit's own class."""
        return _best(PokerKitCard.clean(hole_cards), PokerKitCard.clean(board_cards))


@lru_cache(maxsize=64)
def _best(hole: tuple[PokerKitCard, ...], board: tuple[PokerKitCard, ...]) -> Hand:
    return StandardHighHand.from_game(hole, board)


class _State(pokerkit.State):
    """PokerKit's state, extended by two rules of this project: the marker of a short big blind, and completed bets."""

    marker = 0
    """The amount that a short big blind lacks: part of the bet, but not of the pot."""
    uncompleted = 0
    """The part of the price above the last full bet or raise."""

    @property
    def total_pot_amount(self) -> int:
        return sum(self.starting_stacks) - sum(self.stacks) if self.marker else super().total_pot_amount

    @property
    def min_completion_betting_or_raising_to_amount(self) -> int | None:
        least = super().min_completion_betting_or_raising_to_amount
        if least is None or not self.uncompleted or self.street is None or self.actor_index is None:
            return least
        amount = max(self.bets) - self.uncompleted + self.street.min_completion_betting_or_raising_amount
        return min(self.stacks[self.actor_index] + self.bets[self.actor_index], amount)


class PokerKitTable:
    """A hand in PokerKit; players are indices, amounts are chips."""

    def __init__(
        self,
        house: str,
        stacks: Sequence[int],
        ante: int,
        blinds: tuple[int, ...],
        met: Counter[Difference],
        *,
        capped: bool = True,
    ) -> None:
        self.met = met
        self.house = house
        self.fixed = house == "fixed-limit"
        straddled = len(blinds) > 2
        self.big = blinds[-1]
        """The price of the first betting: the big blind, or a straddle over it."""
        unit = blinds[1] if straddled else self.big
        self.marker_of = 0 if len(stacks) == 2 else len(blinds) - 1
        # PokerKit's own fixed-limit games allow four raises over the blind; the most is a setting, and set here. A
        # straddle is one of them; in the other games it is the least raise.
        least = unit if self.fixed else self.big
        first, final = (3 - straddled, 4) if self.fixed and capped else (None, None)
        streets = (
            Street(False, (False,) * 5, 0, False, Opening.POSITION, least, first),
            Street(False, (), 0, True, Opening.POSITION, unit * (1 + self.fixed), final),
        )
        self.state = _State(
            AUTOMATIONS,
            Deck.STANDARD,
            (KnownHand,),
            streets,
            STRUCTURES[house],
            True,
            ante,
            blinds,
            0,
            tuple(stacks),
            len(stacks),
            mode=Mode.TOURNAMENT,
        )
        self.trimmed = (0, 0)
        self._post()

    def _post(self) -> None:
        state = self.state
        while state.can_post_ante():
            state.post_ante()
        second, most = sorted(state.bets)[-2:]
        player = state.bets.index(most)
        if state.can_collect_bets():
            state.collect_bets()
        if most > second:
            self.met[Difference.ANTE_TRIMMED] += 1
            self.trimmed = player, most - second
            self._trim(-1)
        while state.can_post_blind_or_straddle():
            state.post_blind_or_straddle()
        if state.player_count == 2 and state.blinds_or_straddles[0] == self.big:  # who has the button opens
            state.blinds_or_straddles = (-self.big, self.big)
        missing = self.big - state.bets[self.marker_of]
        if missing and self._two_can_bet():
            self.met[Difference.SHORT_BIG_BLIND] += 1
            state.marker = missing
            state.bets[self.marker_of] += missing

    def _two_can_bet(self) -> bool:
        return sum(stack > 0 for stack, in_ in zip(self.state.stacks, self.state.statuses, strict=True) if in_) >= 2

    def _take_marker(self) -> None:
        self.state.bets[self.marker_of] -= self.state.marker
        self.state.marker = 0

    def _trim(self, sign: int) -> None:
        player, amount = self.trimmed
        self.state.stacks[player] += sign * amount
        self.state.payoffs[player] += sign * amount

    def deal(self, player: int, cards: Sequence[Card]) -> None:
        """Deal these cards to a player."""
        self.state.deal_hole(_cards(cards), player)

    # Betting.

    @property
    def actor(self) -> int | None:
        return self.state.actor_index

    @property
    def price(self) -> int:
        return max(self.state.bets)

    @property
    def unit(self) -> int:
        assert self.state.street is not None
        return self.state.street.min_completion_betting_or_raising_amount

    def range(self) -> tuple[int, int] | None:
        """Return the least and the most that the actor may bet or raise to, as PokerKit sees it."""
        state = self.state
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        return None if least is None or most is None else (least, most)

    def range_if_open(self, uncompleted: int) -> tuple[int, int] | None:
        """Return the range as if the betting were open to the actor, with ``uncompleted`` to complete."""
        state = self.state
        acted, amount = set(state.acted_player_indices), state.completion_betting_or_raising_amount
        self._open(uncompleted)
        found = self.range()
        state.acted_player_indices, state.completion_betting_or_raising_amount = acted, amount
        state.uncompleted = 0
        return found

    def _open(self, uncompleted: int) -> None:
        assert self.actor is not None
        self.state.acted_player_indices.discard(self.actor)
        self.state.uncompleted = uncompleted
        if self.fixed:  # where the least raise does not depend on the largest
            self.state.completion_betting_or_raising_amount = 0

    def call(self) -> None:
        self.state.check_or_call()
        self._keep_marker()

    def _keep_marker(self) -> None:
        """Keep the marker of a short big blind only while two other players can still bet."""
        if self.state.marker and not self._two_can_bet():
            self._take_marker()

    def fold(self) -> None:
        state = self.state
        if state.can_fold():
            state.fold()
        else:
            self.met[Difference.FREE_FOLD] += 1
            state.mode = Mode.CASH_GAME
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "There is no reason for this player to fold")
                state.fold()
            state.mode = Mode.TOURNAMENT
        self._keep_marker()

    def raise_to(self, amount: int, uncompleted: int) -> None:
        """Bet or raise."""
        state, largest = self.state, self.state.completion_betting_or_raising_amount
        if not state.can_complete_bet_or_raise_to(amount):
            self._open(uncompleted)
        state.complete_bet_or_raise_to(amount)
        state.completion_betting_or_raising_amount = max(largest, state.completion_betting_or_raising_amount)
        state.uncompleted = 0
        self._keep_marker()

    def discount_raise(self) -> None:
        """Take back that the last raise was counted."""
        self.state.completion_betting_or_raising_count -= 1

    def finish_betting(self) -> None:
        """End a betting round in PokerKit that has ended here."""
        while self.state.actor_index is not None:
            assert self.state.checking_or_calling_amount == 0, "nobody here is asked to call"
            self.met[Difference.ASKS_FOR_NOTHING] += 1
            self.call()
        if self.state.marker:
            self._take_marker()
        self._trim(+1)
        self.trimmed = 0, 0
        if any(self.state.bets):
            self.state.collect_bets()
        elif self.state.bet_collection_status:  # of the marker alone
            self.state.bet_collection_status = False
            self.state._update_bet_collection()

    # The draw.

    def discard(self, discards: Sequence[Sequence[Card]], drawn: Sequence[Sequence[Card]], *, reshuffled: bool) -> None:
        """Let the seats still in discard in order, then deal their new cards."""
        state = self.state
        while (player := state.stand_patter_or_discarder_index) is not None:
            state.stand_pat_or_discard(_cards(discards[player]))
        for player, cards in enumerate(drawn):
            if cards:
                with warnings.catch_warnings():
                    if reshuffled:
                        warnings.filterwarnings("ignore", "A card being dealt|Returning reserved")
                    self.deal(player, cards)

    # Showdown and payout.

    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return each pot's amount and players, the main pot first."""
        return [(pot.amount, tuple(pot.player_indices)) for pot in self.state.pots]

    def show(self) -> list[tuple[int, bool]]:
        """Let the players show or muck; return the order, and who showed."""
        done = []
        while self.state.showdown_index is not None:
            operation = self.state.show_or_muck_hole_cards()
            done.append((operation.player_index, bool(operation.hole_cards)))
        return done

    def best(self, players: Sequence[int]) -> list[int]:
        """Return those of the players who have the best hand, in their order."""
        hands = [(player, self.state.get_hand(player, 0, 0)) for player in players]
        best = max(hand for _, hand in hands if hand is not None)
        return [player for player, hand in hands if hand == best]

    def pay(self) -> list[int]:
        """Pay the pots as PokerKit does; return all stacks."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Due to non-standard folds, some chips will be burned")
            while self.state.can_push_chips():
                self.state.push_chips()
        return list(self.state.stacks)


def _cards(cards: Sequence[Card]) -> tuple[pokerkit.Card, ...]:
    return tuple(pokerkit.Card.parse("".join(card.notation for card in cards)))
