"""Adds to a hand from one file the cards that other files of the same hand have."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from pokersvc.cards.unknown import AnyCard, all_known
from pokersvc.histories.draw_order import draw_order
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import (
    Away,
    Cards,
    Dealt,
    Discarded,
    Drew,
    Mucked,
    NotShown,
    Posted,
    Reshuffled,
    Showed,
    Statement,
    Summed,
    Won,
)

_BEFORE_THE_PLAY: Final = (Posted, Away, Dealt)


class CardsOf(NamedTuple):
    """The known cards of a player at each stage; None where not all of them are known."""

    dealt: Cards | None = None
    discarded: Cards | None = None
    drawn: Cards | None = None
    held: Cards | None = None
    """The player's hand at the end."""

    @classmethod
    def known(cls, *parts: tuple[AnyCard, ...]) -> "CardsOf":
        """Return the cards of each stage, with None for a stage whose cards are not all known or not all different."""
        return cls(*[part if part and all_known(part) and len({*part}) == len(part) else None for part in parts])


def completed(hand: HandHistory, known: Mapping[str, CardsOf]) -> HandHistory:
    """Return a hand with the known cards of players (by name) added where the hand lacks them."""
    if not known:
        return hand
    told, in_turn = list(hand.told), draw_order(hand) == "in_turn"
    for name, cards in known.items():
        if cards.dealt:
            _deal(told, name, cards.dealt)
        if cards.discarded:
            _discard(told, name, cards.discarded)
        if cards.drawn:
            _draw(told, name, cards.drawn, in_turn=in_turn)
        if cards.held:
            _end(told, name, cards.held)
    return replace(hand, told=tuple(told))


def _deal(told: list[Statement], name: str, cards: Cards) -> None:
    first = next((place for place, one in enumerate(told) if not isinstance(one, _BEFORE_THE_PLAY)), len(told))
    for place, one in enumerate(told):
        if isinstance(one, Dealt) and one.name == name:
            told[place] = replace(one, cards=one.cards or cards, part=())
            return
    told.insert(first, Dealt(line=_line(told, first), name=name, cards=cards))


def _discard(told: list[Statement], name: str, cards: Cards) -> None:
    for place, one in enumerate(told):
        if isinstance(one, Discarded) and one.name == name and one.count == len(cards):
            told[place] = replace(one, cards=one.cards or cards, part=())


def _draw(told: list[Statement], name: str, cards: Cards, *, in_turn: bool) -> None:
    """Fill in the cards that a player drew, in several draws if the deck ran out; add a draw if there is none."""
    drew = [(place, one) for place, one in enumerate(told) if isinstance(one, Drew) and one.name == name]
    left = [card for card in cards if not any(card in (one.cards or ()) for _, one in drew)]
    for place, one in drew:
        if one.cards is None:
            count = len(left) if one.count is None else one.count
            told[place] = replace(one, cards=tuple(left[:count]), part=())
            del left[:count]
    if drew:
        return
    draws = [(place, one) for place, one in enumerate(told) if isinstance(one, Discarded | Drew | Reshuffled)]
    own = [place for place, one in draws if isinstance(one, Discarded) and one.name == name]
    if own:
        place = (own if in_turn else [place for place, _ in draws])[-1]
        told.insert(place + 1, Drew(line=told[place].line, name=name, cards=cards, count=len(cards)))


def _end(told: list[Statement], name: str, cards: Cards) -> None:
    """Add a player's final hand: to the muck if there is one; else as a show, replacing any `NotShown`."""
    of_player = [(place, one) for place, one in enumerate(told) if getattr(one, "name", None) == name]
    if any(isinstance(one, Showed | Mucked | Summed) and one.cards for _, one in of_player):
        return
    mucks = False
    for place, one in of_player:
        if isinstance(one, Mucked) or (isinstance(one, Summed) and one.outcome == "mucked"):
            told[place] = replace(one, cards=cards)
            mucks = True
    if mucks:
        return
    silent = [place for place, one in of_player if isinstance(one, NotShown)]
    paid = [place for place, one in enumerate(told) if isinstance(one, Won)]
    place = (silent or paid or [len(told) - 1])[-1]
    showed = Showed(line=told[place].line, name=name, cards=cards)
    told[place : place + 1] = [showed] if silent else [told[place], showed]


def _line(told: list[Statement], place: int) -> int:
    return told[min(place, len(told) - 1)].line
