"""Reads what people type in the market, lists what may be typed, and explains why a choice is not allowed."""

import re
from collections.abc import Callable
from textwrap import shorten
from typing import Final, NamedTuple

from pokersvc.cards import Card, InvalidCard
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Shortcut
from pokersvc.core.words import InvalidAnswer, not_understood
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass, Propose
from pokersvc.games.poker_market.view import PokerMarketView, SeatView
from pokersvc.text import YOU, does, whose


class Picked(NamedTuple):
    """The choice so far while a swap is being typed."""

    gives: Card
    swap: Propose | None
    """The swap, once both cards are named."""


def picked(text: str, view: PokerMarketView, legal: LegalActions) -> Picked | None:
    """Return the card that a text offers, with the swap once the text names a legal one; None without a card."""
    said = " ".join(text.split())
    begun = _BEGUN.match(said)
    if begun is None or legal.answer is not None or view.to_act is None:
        return None
    try:
        gives = _given(begun["gives"], view, view.to_act)
    except InvalidAnswer:
        return None
    if gives not in legal.gives:
        return None
    return Picked(gives, _whole(said, view, legal))


def _whole(said: str, view: PokerMarketView, legal: LegalActions) -> Propose | None:
    """Return the swap that a text names; None if it names none yet, or none that is legal."""
    try:
        action = read(said, view, legal)
    except InvalidAnswer:
        return None
    return action if isinstance(action, Propose) and _refused(action, view, legal) is None else None


def read(text: str, view: PokerMarketView, legal: LegalActions) -> Action:
    """Return the action that an answer names; for other texts, raise `InvalidAnswer`, which says what can be typed."""
    assert view.to_act is not None
    said = " ".join(text.split())
    plain = _ANSWERS if legal.answer is not None else _PASSES
    if (action := plain.get(said.lower())) is not None:
        return action(view.to_act)
    if legal.answer is None and (found := _FOR.fullmatch(said) or _SHORT.fullmatch(said)):
        return _read_swap(found["gives"], found["gets"], view, view.to_act)
    can = "accept or decline" if legal.answer is not None else "name a swap, such as 1 for 2.1, or pass"
    raise InvalidAnswer(f"{not_understood(text)} You can: {can}.")


def shortcuts(view: PokerMarketView, legal: LegalActions) -> list[Shortcut]:
    """Return the two answers to a proposal or, on the seat's own turn, an example of a swap by numbers, and ``p``."""
    if (asked := legal.answer) is not None:
        return [
            Shortcut("a", f"accept: {asked.gives.symbol} for your {asked.gets.symbol}"),
            Shortcut("d", "decline"),
        ]
    partner, (get, *_) = legal.gets[0]
    swap = f"offer {legal.gives[0].symbol} for {whose(view.seat(partner).name, get.symbol)}"
    return [Shortcut(f"1 {partner}.1", swap), Shortcut("p", "pass")]


def completions(legal: LegalActions) -> list[str]:
    """Return all answers in full or, on the seat's own turn, ``pass`` and each swap by its cards."""
    if legal.answer is not None:
        return ["accept", "decline"]
    return ["pass", *(f"{give} for {get}" for give in legal.gives for _, cards in legal.gets for get in cards)]


def why_not(text: str, view: PokerMarketView, legal: LegalActions) -> str | None:
    """Return why a swap, an answer or a pass is not allowed now; None if it is allowed, and for any other text."""
    said = " ".join(text.split())
    word = said.lower()
    swap = _FOR.fullmatch(said) or _SHORT.fullmatch(said)
    if (asked := legal.answer) is not None:
        if word in _PASSES or swap is not None:
            who = does(view.seat(asked.seat).name, "waits")
            return f"{who} for your answer: one proposal is open at a time, so accept it or decline it first."
        return None
    if word in _ANSWERS:
        return "Nothing is proposed to you now: it is your turn to propose a swap, or to pass."
    if swap is None:
        return None
    assert view.to_act is not None
    try:
        action = _read_swap(swap["gives"], swap["gets"], view, view.to_act)
    except InvalidAnswer as error:
        return str(error)
    return _refused(action, view, legal)


def _refused(swap: Propose, view: PokerMarketView, legal: LegalActions) -> str | None:
    """Return why a swap may not be proposed; None if it may be."""
    others = dict(legal.gets)
    if swap.partner == swap.seat:
        return f"You hold {swap.gets} yourself, and a swap is with another player: name a card of theirs."
    if swap.partner not in others:
        return f"{does(view.seat(swap.partner).name, 'is')} out of this market: nobody swaps with them."
    if swap.gives not in legal.gives:
        return f"You do not hold {swap.gives}: you offer a card of your own, one of {_all(legal.gives)}."
    if swap.gets not in others[swap.partner]:
        name = view.seat(swap.partner).name
        has = "you have" if name == YOU else f"{name} has"
        return f"{does(name, 'does')} not hold {swap.gets}: {has} {_all(others[swap.partner])}."
    return None


def _all(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


_ANSWERS: Final[dict[str, Callable[[int], Action]]] = {
    "accept": Accept, "a": Accept, "yes": Accept, "y": Accept, "take": Accept, "take it": Accept, "ok": Accept,
    "decline": Decline, "d": Decline, "no": Decline, "n": Decline, "leave it": Decline,
}  # fmt: skip
_PASSES: Final[dict[str, Callable[[int], Action]]] = {"pass": Pass, "p": Pass}
_BEGUN: Final = re.compile(r"(?:(?:propose|swap|offer) )?(?:my )?(?P<gives>[^ ]+)", re.IGNORECASE)
_FOR: Final = re.compile(r"(?:(?:propose|swap|offer) )?(?:my )?(?P<gives>[^ ]+) for (?P<gets>.+)", re.IGNORECASE)
_SHORT: Final = re.compile(
    r"(?P<gives>[1-9]|[^ ]+) (?P<gets>[0-9]{1,3}[.:][0-9]{1,3}|(?:10|[2-9TJQKA])[CDHS♣♦♥♠])", re.IGNORECASE
)
"""A swap without words: ``1 2.3``, ``KD 3C``."""
_PLACE: Final = re.compile(r"(?P<seat>[0-9]{1,3})[.:](?P<card>[0-9]{1,3})")


def examples(view: PokerMarketView, legal: LegalActions) -> tuple[str, str, str]:
    """Return a swap as it may be typed: with the partner's name, by the two cards, and by numbers."""
    give, (partner, (get, *_)) = legal.gives[0], legal.gets[0]
    return f"{give} for {whose(view.seat(partner).name, str(get))}", f"{give} for {get}", f"1 for {partner}.1"


def _read_swap(gives: str, gets: str, view: PokerMarketView, seat: int) -> Propose:
    """Return the swap of a card of the seat (by name or number) for another's (by name or as ``seat.number``)."""
    given = _given(gives, view, seat)
    if numbered := _PLACE.fullmatch(gets):
        partner = int(numbered["seat"])
        if not 1 <= partner <= len(view.seats):
            raise InvalidAnswer(f"There is no seat {partner}; seats are 1 to {len(view.seats)}.")
        return Propose(seat, given, partner, _at(view.seat(partner), int(numbered["card"])))
    owner, _, last = gets.rpartition(" ")
    card = _card(last)
    if owner:
        return Propose(seat, given, _named(owner, view), card)
    holder = next((other.seat for other in view.seats if card in other.cards), None)
    if holder is None:
        raise InvalidAnswer(f"Nobody at the table holds {card}; it is still in the deck.")
    return Propose(seat, given, holder, card)


def _given(gives: str, view: PokerMarketView, seat: int) -> Card:
    """Return one of the seat's own cards, by name or number."""
    return _at(view.seat(seat), int(gives)) if re.fullmatch("[0-9]", gives) else _card(gives)


def _card(text: str) -> Card:
    try:
        return Card.parse(text)
    except InvalidCard as error:
        raise InvalidAnswer(f"{error} You can also use numbers, such as 1 for 2.3.") from error


def _at(seat: SeatView, number: int) -> Card:
    if not 1 <= number <= len(seat.cards):
        raise InvalidAnswer(f"There is no card {number}; the cards of {seat.name} are 1 to {len(seat.cards)}.")
    return seat.cards[number - 1]


def _named(owner: str, view: PokerMarketView) -> int:
    """Return the seat that a text names: ``Player2's``, ``player2``, or its number."""
    asked = owner.casefold()
    for seat in view.seats:
        name = seat.name.casefold()
        owners = {name, *(f"{name}{end}" for end in ("'s", "’s", "'", "’")), whose(seat.name, "").strip().casefold()}
        if asked in {*owners, str(seat.seat)}:
            return seat.seat
    names = ", ".join(seat.name for seat in view.seats)
    raise InvalidAnswer(f"Nobody at the table is called {shorten(owner, 40)!r}; the players are {names}.")
