"""An independent check of a hand history: without the engine, only by comparing its lines with each other.

It knows nothing of pokersvc but the statements and the strength of five cards, and was written from
`docs/histories.md`'s rules rather than from the code that follows hands. `contradiction` returns the first line that
contradicts the lines before it; a line that is missing counts only where another cannot stand without it, or where the
hand is then not finished.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pokersvc.cards import Card
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import (
    Away,
    Bet,
    Called,
    Cancelled,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    NotShown,
    Posted,
    PotSoFar,
    Raised,
    Reshuffled,
    Returned,
    Showed,
    StatedPot,
    Statement,
    Summed,
    Totals,
    Won,
)

from .checker_betting import Betting
from .checker_end import Contradiction, Player, may_be_held, misnamed

LAST_SEAT = 99
MOST = 1_000_000_000
"""The largest amount, in the smallest unit."""


def contradiction(hand: HandHistory) -> Contradiction | None:
    """Return the first contradiction in a hand; None if there is none."""
    try:
        Checker(hand).check()
    except Contradiction as found:
        return found
    return None


FROM_ONE: Final = {"full-tilt", "ongame"}
"""Sites whose seats are numbered from 1."""


class Checker(Betting):
    """Follows the statements of one hand, from the first to the summary."""

    def check(self) -> None:
        told = self.hand.told
        if len(self.players) < 2:
            raise Contradiction(self.hand.first_line, "fewer than two are dealt in")
        if self.hand.size is not None and len(self.hand.players) > self.hand.size:
            raise Contradiction(self.hand.players[max(self.hand.size, 0)].line, "more players than seats")
        wide = self.hand.size if self.customs.numbered else None
        for seat in self.hand.players:
            if wide is not None and seat.number > wide:
                raise Contradiction(seat.line, f"a table of {wide} seats")
        self._check_stakes()
        for number, one in enumerate(told):
            if not isinstance(one, Away):
                self._take(one, told[number + 1 :])
        if self.phase == "cancelled":
            return
        if self.phase != "end":
            raise Contradiction(self.hand.last_line, f"the hand is not finished: {self.phase}")
        self.end.check(contested=len(self.still_in()) > 1)

    def _check_stakes(self) -> None:
        hand = self.hand
        for player in self.players:
            if player.stack <= 0:
                raise Contradiction(player.seat.line, "no chips to be dealt in")
        far = [one.line for one in hand.players if one.number > LAST_SEAT]
        if hand.dialect in FROM_ONE and 0 in (hand.button, *(one.number for one in hand.players)):
            raise Contradiction(hand.first_line, "seats are counted from 1")
        if far or (hand.button or 0) > LAST_SEAT:
            raise Contradiction(min(far, default=hand.first_line), "no table is so large")
        if hand.limit != "fixed-limit" and hand.big_blind and hand.small_blind > hand.big_blind:
            raise Contradiction(hand.first_line, "a small blind above the big one")
        if hand.limit == "fixed-limit" and hand.big_blind and hand.small_bet not in (None, hand.big_blind):
            raise Contradiction(hand.first_line, "a small bet that is not the big blind")
        if hand.limit == "fixed-limit" and (hand.big_bet or 0) < (hand.small_bet or 0):
            raise Contradiction(hand.first_line, "a big bet below the small one")
        if max(hand.big_blind, hand.ante, hand.big_bet or 0, hand.min_bet or 0) > MOST:
            raise Contradiction(hand.first_line, "more than is counted")

    def _take(self, told: Statement, after: Sequence[Statement]) -> None:
        if isinstance(told, Dealt | Folded | Checked | Called | Bet | Raised) and self.phase == "posts":
            self._begin_play(told.line)
        if self.phase == "draw" and not self.drawing and not isinstance(told, Drew | Reshuffled | Returned):
            self._all_served(told)
            self.round = 2
            self._open(0)
        if self.phase == "cancelled":
            self._after_cancelling(told)
            return
        match told:
            case Cancelled():
                self._say(told, self.phase != "end", "the hand was over")
                if self.phase == "posts":
                    self._end_posts()
                self.phase = "cancelled"
            case Posted():
                self._expect(told, "posts")
                self._post(told)
            case Dealt():
                self._expect(told, "betting")
                self._dealt(told)
            case Folded() | Checked() | Called() | Bet() | Raised():
                self._expect(told, "betting")
                self._act(told)
            case Returned():
                self._returned(told)
            case PotSoFar():
                self._expect(told, "draw")
                self._say(told, told.amount == self.pot() and not self.pot_said, "another pot, or said already")
                pots = tuple(pot.amount for pot in self.end.pots())
                self._say(told, told.pots in ((), pots), f"the pots are {pots}")
                self._say(told, all(one.discards is None for one in self.players), "too late")
                self.pot_said = True
            case Discarded():
                self._expect(told, "draw")
                self._discarded(told)
            case Reshuffled():
                self._expect(told, "draw")
                self._say(told, not self.customs.reshuffles or self._runs_out(after), "the deck would last")
                self.decks += 1
                self.left_in_deck += self.given_up
                self.given_up = 0
            case Drew():
                self._expect(told, "draw")
                self._drew(told)
            case _:
                self._ending(told)

    def _dealt(self, told: Dealt) -> None:
        player = self._player(told)
        self._say(told, told.count == 5 and not player.dealt, "five cards, once")
        self._say(told, all(one.acted_at is None for one in self.players) and self.round == 1, "too late")
        player.dealt = True
        if told.cards is not None:
            self._seen(told, told.cards)
            self._know(told, player, told.cards, 5)
            self._say(told, not told.called or not misnamed(told.called, told.cards), "another name")
        elif told.part:
            why = may_be_held(player, told.part, self.players)
            self._say(told, why is None, str(why))
            player.part = {card.notation for card in told.part}

    # The draw.

    def _seen(self, told: Dealt | Discarded | Drew, *cards: Cards | None) -> None:
        self._say(told, not any(cards) or self.hand.hero in (None, told.name), "not whose file it is")

    def _discarded(self, told: Discarded) -> None:
        player = self._player(told)
        self._seen(told, told.cards, told.kept)
        self._nothing_due(told)
        self._say(told, bool(self.drawing) and self.drawing[0] is player, "not the player's turn to draw")
        self._all_served(told)
        self._say(told, 0 <= told.count <= 5, "at most five cards")
        named = {card.notation for card in told.cards or ()}
        if told.cards is not None:
            self._say(told, len(named) == len(told.cards) == told.count, f"{told.count} cards")
            self._say(told, player.hand is None or named <= player.hand, "a card that the player does not hold")
            why = may_be_held(player, told.cards, self.players)
            self._say(told, why is None, str(why))
        if told.kept is not None:
            kept = {card.notation for card in told.kept}
            self._say(told, len(kept) == 5 - told.count and kept == (player.hand or kept) - named, "other cards")
        if told.cards and player.hand is not None:
            player.hand -= named
        player.give_up(named, self.decks)
        some = named | {card.notation for card in told.part}
        self._say(told, len(player.part | some) <= 5, "more cards than a hand has")
        player.part -= some
        player.give_up({card.notation for card in told.part}, self.decks)
        player.unseen = told.count - len(some)
        self._say(told, len(player.part) <= 5 - told.count + player.unseen, "cards are kept that cannot be")
        player.discards, player.served = told.count, self.decks
        self.drawing.pop(0)
        if not self.customs.together:
            self._serve(told, told.count)
        self.given_up += told.count

    def _all_served(self, told: Statement) -> None:
        """Raise if a player has received only part of the due cards."""
        self._say(told, all(one.partly in (0, one.discards) for one in self.players), "cards are missing")

    def _serve(self, told: Discarded | Drew, count: int) -> None:
        """Deal cards from the deck; many formats do not mention a reshuffle."""
        if count > self.left_in_deck and not self.customs.reshuffles:
            self.decks += self.decks == 0
            self.left_in_deck += self.given_up
        self._say(told, count <= self.left_in_deck or not self.customs.reshuffles, "the deck does not last")
        self.left_in_deck -= count

    def _runs_out(self, after: Sequence[Statement]) -> bool:
        """Return whether the deck has too few cards for the next player."""
        kind = Drew if self.customs.together else Discarded
        following = next((one for one in after if isinstance(one, kind)), None)
        return following is not None and (following.count or 0) > self.left_in_deck

    def _drew(self, told: Drew) -> None:
        player = self._player(told)
        self._seen(told, told.cards, told.kept, told.hand)
        self._nothing_due(told)
        self._say(told, player.discards is not None and not player.drew, "drew already, or not yet")
        due = (player.discards or 0) - player.partly
        count = due if told.count is None else told.count
        self._say(
            told,
            count == due or (0 < count < due and (self.customs.together is not True or self.hand.draw is not None)),
            f"{due} cards",
        )
        player.partly += count
        player.drew, player.served = player.partly == player.discards, self.decks
        player.drawn |= {card.notation for card in told.part}
        if told.hand is not None:
            self._whole_hand(told, player, told.hand)
        elif told.cards is not None:
            self._say(told, len(told.cards) == count > 0, f"{count} cards")
            self._cards_drawn(told, player, told.cards)
        else:
            self._say(told, bool(count), "no cards")
        if self.customs.together:
            self._say(told, not self.drawing, "before all have discarded")
            self._serve(told, count)
            self.served += [] if player in self.served else [player]
            order = [one for one in self.players if one in self.served]
            self._say(told, order == self.served, "out of turn")
        elif self.customs.together is False:
            last = next(one for one in reversed(self.players) if one.discards is not None)
            self._say(told, last is player, "out of turn")

    def _cards_drawn(self, told: Drew, player: Player, cards: Cards) -> None:
        kept = None if told.kept is None else {card.notation for card in told.kept}
        self._say(told, kept is None or player.hand in (None, kept), "other cards kept")
        held = player.hand if kept is None else kept
        new = {card.notation for card in cards}
        self._say(told, len(new) == len(cards) and not new & (held or set()), "a card twice")
        why = may_be_held(player, cards, self.players)
        self._say(told, why is None, str(why))
        player.drawn |= new
        if held is not None and (player.drew or len(held) + len(new) < 5):
            self._say(told, len(held) + len(new) == 5 or not player.drew, "five cards")
            player.hand = held | new

    def _whole_hand(self, told: Drew, player: Player, hand: Cards) -> None:
        named = {card.notation for card in hand}
        self._say(told, len(named) == len(hand) == 5, "five cards")
        if told.cards is not None:
            new = {card.notation for card in told.cards}
            self._say(told, new <= named and len(new) == player.discards and not new & (player.hand or set()), "cards")
        if player.hand is not None:
            away = player.hand - named
            known = 5 - len(player.hand)  # those that the line of the discard has named
            self._say(told, len(away) + known == player.discards, f"{player.discards} cards changed")
            player.give_up(away, self.decks)
        self._know(told, player, hand, 5)
        self._say(told, not told.called or not misnamed(told.called, hand), "another name")

    # The end.

    def _ending(self, told: Statement) -> None:
        self._expect(told, "end")
        self._nothing_due(told)
        contested = len(self.still_in()) > 1
        match told:
            case Showed() | Mucked():
                player = self._player(told)
                self._say(told, player.folded is None and not player.showed and not player.mucked, "not to show")
                player.end_line = told.line
                if isinstance(told, Mucked):
                    self._say(told, contested, "nobody called")
                    first = self.customs.shows and not any(one.showed for one in self.players)
                    self._say(told, not first, "nobody has shown")
                    if told.cards is not None:
                        self._say(told, not told.called or not misnamed(told.called, told.cards), "another name")
                        self._shown(told, player, told.cards)
                        player.summed = True
                    player.mucked = True
                else:
                    self._shown(told, player, told.cards)
                    self._say(told, not told.called or not misnamed(told.called, told.cards), "another name")
                    player.showed = True
            case NotShown():
                player = self._player(told)
                self._say(told, not contested and player.folded is None, "not the winner")
                self._say(told, not player.showed and not player.mucked, "said already")
                self._some(told, player, told.part)
                player.mucked = True
            case Won():
                player = self._player(told)
                self._say(told, player.folded is None, "who folded")
                self._say(told, not contested or not self.customs.shows or player.showed, "who has not shown")
                self._say(told, not contested or not player.mucked, "who mucked")
                as_dealt = player.hand if player.discards is None else None
                hand = tuple(map(Card, player.final_hand or as_dealt or ()))
                self._say(told, not told.called or not hand or not misnamed(told.called, hand), "another name")
                self._won(told, player)
            case Totals() | StatedPot() | Summed():
                self.end.summary.append(told)
            case _:
                self._say(told, False, "not at the end")

    def _won(self, told: Won, player: Player) -> None:
        """Record a payment, without an uncalled bet that the first payment may include."""
        back = self.came_back.pop(told.name, 0) if told.uncalled_too else 0
        self._say(told, told.amount - back >= 0 < told.amount, "less than came back")
        player.won += told.amount - back
        if told.amount > back:
            self.end.won.append(replace(told, amount=told.amount - back))

    def _after_cancelling(self, told: Statement) -> None:
        match told:
            case Totals():
                self._say(told, not told.pot and not told.rake, "the hand was cancelled")
                self._say(told, not self.totals_said, "said already")
                self.totals_said = True
            case Summed():
                self._say(told, not told.won, "the hand was cancelled")
                self.end.check_place(told)
                self._say(told, told.name not in self.end.named, "said already")
                self.end.named.add(told.name)
            case _:
                self._say(told, False, "the hand was cancelled")

    def _shown(self, told: Statement, player: Player, cards: Cards) -> None:
        held = player.final_hand if player.drew or player.discards == 0 else None
        named = {card.notation for card in cards}
        self._say(told, held in (None, named), "another hand than the player's")
        self._say(told, held is not None or player.drawn <= named, "other cards drawn")
        self._say(told, len(player.part - named) <= player.unseen, "other cards dealt")
        if not player.drew and player.discards and len(player.hand or ()) == 5:  # as it was dealt
            kept = len(named & (player.hand or set()))
            self._say(told, kept == 5 - player.discards, "other cards kept")
        self._know(told, player, cards, 5)
