"""Converts the actions of an OHH to statements."""

from collections.abc import Iterable, Mapping
from typing import Final

from pokersvc.errors import printable
from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialects.line_values import amount_at, cards_at
from pokersvc.histories.dialects.ohh_shapes import OhhAction
from pokersvc.histories.hand import Currency, HistoryPlayer, UnreadableHand
from pokersvc.histories.statements import (
    Away,
    Bet,
    Called,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    NotShown,
    Posted,
    PostKind,
    Raised,
    Reshuffled,
    Showed,
    Statement,
)

POSTS: Final[dict[str, PostKind]] = {
    "Post Ante": "ante",
    "Post SB": "small",
    "Post BB": "big",
    "Post Dead": "dead",
    "Post Extra Blind": "extra",
    "Straddle": "straddle",
}
_BETS: Final = ("Bet", "Raise", "Call")
_WITH_CARDS: Final = ("Dealt Cards", "Shows Cards", "Mucks Cards")
_WITHOUT_AMOUNT: Final = (*_WITH_CARDS, "Check", "Fold", "Stands Up")
STREETS: Final = ("Preflop", "Flop", "Showdown")
"""OHH's names for the first betting round, the draw with the second betting round, and the end."""


class OhhActions:
    """Collects the statements made by the actions of an OHH."""

    def __init__(
        self,
        players: Iterable[HistoryPlayer],
        names: Mapping[int, str],
        currency: Currency,
        big_blind: int,
        straddle: int = 0,
        cap: int = 0,
    ) -> None:
        self.told: list[Statement] = []
        self._staked = Contributions(players, big_blind, straddle)
        self._names, self._currency = names, currency
        self._cap = cap
        """The maximum that a player may put in; 0 if there is none."""
        self._number: int | None = None
        """The number of the previous action."""

    def number(self, line: int, action: OhhAction, restart: int | None) -> None:
        """Raise `UnreadableHand` unless action numbers rise; a round may restart with the first number of the hand."""
        number, before = action.action_number, self._number
        if before is not None and number <= before and number != restart:
            raise UnreadableHand(line, f"action_number is {number}, but that of the action before is {before}.")
        self._number = number

    def take(self, line: int, street: str, action: OhhAction) -> None:
        """Read an action of a street."""
        if street not in STREETS:
            raise UnreadableHand(line, f"The street {printable(street[:20])!r} is not Preflop, Flop or Showdown.")
        self._check(line, street, action)
        if action.extension is not None and action.extension.reshuffled:
            self._say(Reshuffled(line=line))
            return
        if action.player_id is None or action.player_id not in self._names:
            raise UnreadableHand(line, f"No player has the id {action.player_id}.")
        name = self._names[action.player_id]
        match action.action:
            case kind if kind in POSTS:
                amount = self._amount(line, action)
                self._say(Posted(line=line, name=name, amount=amount, kind=POSTS[kind], all_in=action.is_allin))
            case "Dealt Cards":
                self._deal(line, name, action)
            case "Fold":
                self._say(Folded(line=line, name=name))
            case "Check":
                self._say(Checked(line=line, name=name))
            case kind if kind in _BETS:
                self._bet(line, name, action)
            case "Shows Cards":
                self._say(Showed(line=line, name=name, cards=self._cards(line, action) or ()))
            case "Mucks Cards":
                alone = len(self._staked.left) - len(self._staked.folded) == 1
                cards = self._cards(line, action)
                self._say(NotShown(line=line, name=name) if alone else Mucked(line=line, name=name, cards=cards))
            case "Sits Down":
                self._say(Away(line=line, name=name, what="joined"))
            case "Stands Up":
                self._say(Away(line=line, name=name, what="left"))
            case other:
                raise UnreadableHand(line, f"{printable(other[:40])!r} is not an action of five-card draw.")

    def _check(self, line: int, street: str, action: OhhAction) -> None:
        """Refuse members that do not fit this kind of action, and an action that does not fit its street."""
        kind, drawn = printable(action.action[:40]), self._staked.drawn
        if action.action not in _WITH_CARDS and action.cards:
            raise UnreadableHand(line, f"{kind} has cards, but shows none.")
        if action.action in _WITHOUT_AMOUNT and action.amount:
            raise UnreadableHand(line, f"{kind} has an amount, but puts nothing in.")
        if action.action in _WITHOUT_AMOUNT and action.is_allin:
            raise UnreadableHand(line, f"is_allin is true, but a {kind} puts nothing in.")
        if action.extension is not None:
            draw = action.extension
            told = [draw.discards is not None, draw.draws is not None, draw.reshuffled]
            if sum(told) > 1 or (sum(told) and action.action != "Dealt Cards"):
                raise UnreadableHand(line, "x_pokersvc takes one discard, draw or reshuffle, and only in Dealt Cards.")
            if draw.reshuffled and (action.player_id is not None or action.cards):
                raise UnreadableHand(line, "A reshuffle belongs to no player and shows no cards.")
            if sum(told) and street != "Flop":
                raise UnreadableHand(line, f"A draw is in the street {street}, not in Flop.")
        elif action.action in (*POSTS, "Dealt Cards") and street != "Preflop" and not drawn:
            raise UnreadableHand(line, f"{kind} is in the street {street}, not in Preflop.")
        if action.action in (*_BETS, "Check", "Fold") and street != STREETS[drawn]:
            raise UnreadableHand(line, f"{kind} is in the street {street}, not in {STREETS[drawn]}.")

    def _say(self, told: Statement) -> None:
        self._staked.take(told)
        self.told.append(told)
        if self._cap and isinstance(told, Bet | Called | Raised) and self._staked.in_all[told.name] > self._cap:
            raise UnreadableHand(told.line, f"{told.name} has put in more than bet_cap.")

    def _amount(self, line: int, action: OhhAction) -> int:
        if action.amount is None:
            raise UnreadableHand(line, f"{action.action} has no amount.")
        return amount_at(line, str(action.amount), self._currency)

    def _cards(self, line: int, action: OhhAction) -> Cards | None:
        return None if action.cards is None else cards_at(line, action.cards)

    def _deal(self, line: int, name: str, action: OhhAction) -> None:
        cards, draw = self._cards(line, action), action.extension
        if draw is not None and draw.discards is not None:
            self._say(Discarded(line=line, name=name, cards=cards, count=draw.discards))
        elif draw is not None and draw.draws is not None:
            self._say(Drew(line=line, name=name, cards=cards, count=draw.draws))
        elif self._staked.drawn:
            raise UnreadableHand(line, "x_pokersvc does not say whether these cards are discarded or drawn.")
        else:
            self._say(Dealt(line=line, name=name, cards=cards, count=5 if cards is None else len(cards)))

    def _bet(self, line: int, name: str, action: OhhAction) -> None:
        amount, all_in = self._amount(line, action), action.is_allin
        if action.action == "Call":
            self._say(Called(line=line, name=name, amount=amount, all_in=all_in))
        elif self._staked.price:
            self._say(Raised(line=line, name=name, to=self._staked.in_round.get(name, 0) + amount, all_in=all_in))
        else:
            self._say(Bet(line=line, name=name, amount=amount, all_in=all_in))
