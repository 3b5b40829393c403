"""Each fact that a hand history claims, changed once: an amount, a card, a name, a kind, a place, an order."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from pokersvc.cards import CARDS, Card
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Away, Cards, Statement

MONEY: Final = {"amount", "to", "by", "adds", "won", "net", "stack", "rake", "ante", "small_blind", "big_blind"}
MONEY_OF: Final = {"Totals": {"pot"}, "Hand": {"small_bet", "big_bet"}}
COUNTED: Final = {"count", "number", "button", "size"}
OUTCOMES: Final = ("folded_before_draw", "folded_after_draw", "collected", "lost", "mucked", "sat_out")
KINDS: Final = ("ante", "small", "big", "dead")


class Changed(NamedTuple):
    """A hand with one claim changed."""

    claim: str
    """The type and field of the claim, such as ``Won.amount``."""
    line: int
    """The line of the claim."""
    hand: HandHistory


def changed_claims(hand: HandHistory) -> Iterator[Changed]:
    """Yield a hand with each of its claims changed, one at a time."""
    for name in ("ante", "small_blind", "big_blind", "small_bet", "big_bet", "button", "size"):
        for value in _others("Hand", name, getattr(hand, name), hand):
            yield Changed(f"Hand.{name}", hand.first_line, replace(hand, **{name: value}))
    for place, player in enumerate(hand.players):
        for name in ("stack", "number", "sitting_out"):
            for value in _others("Seat", name, getattr(player, name), hand):
                seats = (*hand.players[:place], replace(player, **{name: value}), *hand.players[place + 1 :])
                yield Changed(f"Seat.{name}", player.line, replace(hand, players=seats))
    for place, told in enumerate(hand.told):
        if isinstance(told, Away):
            continue
        kind = type(told).__name__
        before, after = hand.told[:place], hand.told[place + 1 :]
        for field in fields(told):
            if field.name != "line" and not (field.name == "cards" and getattr(told, "hand", None)):
                for value in _others(kind, field.name, getattr(told, field.name), hand):
                    implied: dict[str, Any] = {"cards": None} if field.name == "hand" else {}  # follow from two hands
                    one = replace(told, **{field.name: value}, **implied)
                    yield Changed(f"{kind}.{field.name}", told.line, replace(hand, told=(*before, one, *after)))
        yield Changed(f"{kind} gone", told.line, replace(hand, told=(*before, *after)))
        yield Changed(f"{kind} doubled", told.line, replace(hand, told=(*before, told, told, *after)))
        if after and type(after[0]) is not Away and after[0].line != told.line:
            swapped: Sequence[Statement] = (replace(after[0], line=told.line), replace(told, line=after[0].line))
            yield Changed(f"{kind} order", told.line, replace(hand, told=(*before, *swapped, *after[1:])))


def _others(kind: str, name: str, value: Any, hand: HandHistory) -> Iterator[Any]:
    """Yield other values for a claim."""
    if value is None or value == ():
        return
    if name in MONEY or name in MONEY_OF.get(kind, ()):
        yield value + 1
        if value or name == "net":
            yield value - 1
    elif name == "pots" or (name == "rakes" and any(getattr(one, "pot", None) == 0 for one in hand.told)):
        yield (value[0] + 1, *value[1:])
    elif name in COUNTED or name == "pot":
        taken = {player.number for player in hand.players} if name == "number" and kind == "Seat" else set()
        yield from [other for other in (value + 1, value - 1) if other >= 0 and other not in taken]
    elif name in ("cards", "hand", "kept"):
        yield (unseen(hand), *value[1:])
        if len(value) > 1:
            yield (value[1], *value[1:])
    elif name == "called":
        yield "a straight flush, Six high"
    elif name == "name":
        yield from [player.name for player in hand.players if player.name != value]
    elif name == "kind" and hand.dialect != "phh":  # which has lists of amounts, one for each kind
        yield from [other for other in KINDS if other != value]
    elif name == "outcome":
        yield from [other for other in OUTCOMES if other != value]
    elif name in ("all_in", "did_not_bet", "sitting_out"):
        said = ("pokerstars", "full-tilt", *(() if name == "did_not_bet" else ("ongame",)))
        if value or hand.dialect in said:  # others do not say so of everybody
            yield not value
    elif name == "position":
        yield value[1:]
        yield ("button",) if "button" not in value else ("small",)


def unseen(hand: HandHistory) -> Card:
    """Return a card that the hand never mentions."""
    cards: set[Card] = set()
    for told in hand.told:
        for name in ("cards", "hand", "kept"):
            some: Cards | None = getattr(told, name, None)
            cards |= set(some or ())
    return next(card for card in CARDS if card not in cards)
