"""The actions of an OHH as statements."""

from collections.abc import Iterable, Mapping
from typing import Final

from pokersvc.errors import printable
from pokersvc.histories.dialects.at_line import amount_at, cards_at
from pokersvc.histories.dialects.ohh_shapes import OhhAction
from pokersvc.histories.hand import Currency, ToldPlayer, UnreadableHand
from pokersvc.histories.staked import Staked
from pokersvc.histories.told import (
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
    Told,
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


class OhhActions:
    """What the actions tell so far."""

    def __init__(
        self, players: Iterable[ToldPlayer], names: Mapping[int, str], currency: Currency, big_blind: int
    ) -> None:
        self.told: list[Told] = []
        self._staked = Staked(players, big_blind)
        self._names, self._currency = names, currency

    def take(self, line: int, street: str, action: OhhAction) -> None:
        """Read an action of a street."""
        if street not in ("Preflop", "Flop", "Showdown"):
            raise UnreadableHand(line, f"{printable(street[:20])!r} is no part of a draw: Preflop, Flop or Showdown.")
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

    def _say(self, told: Told) -> None:
        self._staked.take(told)
        self.told.append(told)

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
