"""Converts the actions of a PHH to statements."""

from collections.abc import Sequence
from typing import Final

from pokersvc.cards import CARDS
from pokersvc.errors import printable
from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialects.line_values import amount_at, cards_at
from pokersvc.histories.hand import Currency, UnreadableHand
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    Raised,
    Reshuffled,
    Showed,
    Statement,
)
from pokersvc.text import counted

RESHUFFLED: Final = "# The deck is reshuffled"
_UNKNOWN: Final = "??"
_HAND: Final = 5
_BY_NOTATION: Final = {card.notation: card for card in CARDS}


def _words(action: str) -> list[str]:
    return (action.partition("#")[0] if "#" in action else action).split()


def _known_cards(text: str) -> Cards | None:
    """Return the cards of a text in PHH's notation; None if it has anything else."""
    try:
        return tuple([_BY_NOTATION[text[at : at + 2]] for at in range(0, len(text), 2)])
    except KeyError:
        return None


class Actions:
    """Collects the statements made by the actions of a PHH."""

    def __init__(self, names: Sequence[str], staked: Contributions, currency: Currency) -> None:
        self.told: list[Statement] = []
        self.warnings: list[tuple[int, str]] = []
        self._names, self._staked, self._currency = names, staked, currency
        self._by_code = {f"p{number}": name for number, name in enumerate(names, 1)}
        self._dealt: dict[str, str] = {}
        self._held: dict[str, Cards | None] = {}

    def take(self, line: int, action: str) -> None:
        """Read an action."""
        match _words(action):
            case [player, "cc"]:
                self._call(line, self._name(line, player))
            case [player, "f"]:
                self._say(Folded(line=line, name=self._name(line, player)))
            case ["d", "dh", player, cards]:
                self._deal(line, self._name(line, player), cards)
            case [player, "cbr", amount]:
                self._bet(line, self._name(line, player), amount_at(line, amount, self._currency))
            case [player, "sd", *cards] if len(cards) <= 1:
                self._discard(line, self._name(line, player), "".join(cards))
            case [player, "sm"]:
                self._say(Mucked(line=line, name=self._name(line, player)))
            case [player, "sm", cards]:
                self._show(line, self._name(line, player), cards)
            case []:
                if action.strip() == RESHUFFLED:
                    self._say(Reshuffled(line=line))
            case _:
                raise UnreadableHand(line, f"{printable(action[:60])!r} is not an action of five-card draw.")

    def _name(self, line: int, player: str) -> str:
        if (name := self._by_code.get(player)) is not None:
            return name
        number = player.removeprefix("p")  # perhaps with leading zeros
        if (
            player[:1] != "p"
            or not (number.isascii() and number.isdecimal())
            or not 1 <= int(number[:6]) <= len(self._names)
        ):
            raise UnreadableHand(line, f"{printable(player[:20])!r} is no player from p1 to p{len(self._names)}.")
        return self._names[int(number) - 1]

    def _say(self, told: Statement) -> None:
        self.told.append(told)
        self._staked.take(told)

    def _cards(self, line: int, text: str) -> tuple[int, Cards | None, Cards]:
        """Return the number of cards in a text, all cards (None if some are unknown), and the known cards."""
        if (cards := _known_cards(text)) is not None:
            return len(cards), cards, ()
        names = [text[at : at + 2] for at in range(0, len(text), 2)]
        known = [name for name in names if name != _UNKNOWN]
        if known and len(known) < len(names):
            said = f"{counted(len(known), 'card')} of {len(names)} can be read here"
            self.warnings.append((line, f"{said}: later lines are held to that, and the game has all as unknown."))
        cards = cards_at(line, known)
        return (len(names), cards, ()) if len(known) == len(names) else (len(names), None, cards)

    def _deal(self, line: int, name: str, text: str) -> None:
        if self._staked.drawn:
            count, cards, part = self._cards(line, text)
            self._say(Drew(line=line, name=name, cards=cards, count=count, part=part))
            held = self._held.get(name)
            self._held[name] = held + cards if held is not None and cards is not None else None
            return
        so_far = self._dealt.pop(name, "") + text  # some files deal one card at a time
        if len(so_far) >= 2 * _HAND:
            count, self._held[name], part = self._cards(line, so_far)
            self._say(Dealt(line=line, name=name, cards=self._held[name], count=count, part=part))
        else:
            self._dealt[name] = so_far

    def end(self, line: int) -> None:
        """Add the deals of players who have not yet been dealt a complete hand."""
        for name, so_far in self._dealt.items():
            count, cards, part = self._cards(line, so_far)
            self._say(Dealt(line=line, name=name, cards=cards, count=count, part=part))

    def _call(self, line: int, name: str) -> None:
        amount = self._staked.to_call(name)
        self._say(Called(line=line, name=name, amount=amount) if amount else Checked(line=line, name=name))

    def _bet(self, line: int, name: str, to: int) -> None:
        self._say(Raised(line=line, name=name, to=to) if self._staked.price else Bet(line=line, name=name, amount=to))

    def _discard(self, line: int, name: str, text: str) -> None:
        count, cards, part = self._cards(line, text)
        self._say(Discarded(line=line, name=name, cards=cards, count=count, part=part))
        held = self._held.get(name)
        known = held is not None and cards is not None
        self._held[name] = tuple([card for card in held or () if card not in (cards or ())]) if known else None

    def _show(self, line: int, name: str, text: str) -> None:
        """Read a shown hand; ``-`` stands for the hand that the player holds."""
        cards = self._held.get(name) if text == "-" else self._cards(line, text)[1]
        if cards is None:
            self.warnings.append((line, f"{name} shows cards that are not given."))
        else:
            self._say(Showed(line=line, name=name, cards=cards))

    def reveal(self, line: int, player: str, text: str, *, mucked: bool) -> None:
        """Read a mucked or voluntarily shown hand from our own fields, because PHH has no action for it."""
        name, (_, cards, _) = self._name(line, player), self._cards(line, text)
        if cards is None:
            raise UnreadableHand(line, f"{printable(text[:20])!r} are not the cards of {player}.")
        if not mucked:
            self._say(Showed(line=line, name=name, cards=cards))
            return
        for place, told in enumerate(self.told):
            if isinstance(told, Mucked) and told.name == name:
                self.told[place] = Mucked(line=told.line, name=name, cards=cards)
                return
        raise UnreadableHand(line, f"{player} has mucked no hand.")
