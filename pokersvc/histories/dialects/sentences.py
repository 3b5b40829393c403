"""The sentences of text lines: a regular expression for each, and a function that makes its statement.

A pattern's groups have fixed names: ``amount``, ``to``, ``by``, ``adds``, ``all_in`` of bets; ``count``, ``cards``,
``kept`` of cards; ``called`` for a site's name of a hand; ``button``, ``small`` and ``big`` of a seat.
"""

import re
from collections.abc import Callable, Sequence
from enum import Flag, auto
from typing import Final, Literal, NamedTuple, TypeAlias

from pokersvc.cards import CARDS, Card, InvalidCard
from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import AMOUNT, amount_of
from pokersvc.histories.hand import Currency
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
from pokersvc.text import counted

_BETWEEN_BRACKETS: Final = r"[^\[\]]{0,40}"
CARDS_SAID: Final = rf"\[(?P<cards>{_BETWEEN_BRACKETS})\]"
"""Matches any short text in brackets where cards are stated; `SeenLine.cards` validates them."""
KEPT_SAID: Final = rf"\[(?P<kept>{_BETWEEN_BRACKETS})\]"
PLACE: Final = r"(?P<button> \(button\))?(?P<small> \(small blind\))?(?P<big> \(big blind\))? "
"""Matches the position that a summary states after a name."""

HAND: Final = 5
_BY_NOTATION: Final = {card.notation: card for card in CARDS}
_BETWEEN: Final = re.compile(r",? ")


class TextPart(Flag):
    """The parts of a hand's text, in their order."""

    POSTS = auto()
    PLAY = auto()
    SHOWDOWN = auto()
    SUMMARY = auto()


AFTER_THE_DEAL: Final = TextPart.PLAY | TextPart.SHOWDOWN
BEFORE_THE_SUMMARY: Final = TextPart.POSTS | TextPart.PLAY | TextPart.SHOWDOWN


class SeenLine(NamedTuple):
    """A line that matches a sentence."""

    line: int
    name: str
    found: re.Match[str]
    currency: Currency
    so_far: Sequence[Statement]
    number: int | None = None
    """The number of the seat that the line names."""
    names: tuple[str, ...] = ()
    """The names at the table, longest first."""

    def text(self, group: str) -> str | None:
        """Return the text of a group; None if it did not match or the pattern has no such group."""
        return self.found[group] if group in self.found.re.groupindex else None

    def has(self, group: str) -> bool:
        """Return whether a group matched."""
        return self.text(group) is not None

    def amount(self, group: str = "amount") -> int:
        """Return the amount of a group; raise `WrongAmount` if it is not an amount."""
        return amount_of(self.found[group], self.currency)

    def amount_if_said(self, group: str) -> int | None:
        """Return the amount of a group, or None if it did not match."""
        return self.amount(group) if self.has(group) else None

    def cards(self, group: str = "cards") -> Cards | None:
        """Return the cards of a group, or None if it did not match; raise `InvalidCard` for anything but cards."""
        text = self.text(group)
        return None if text is None else cards_of(text)


Tell: TypeAlias = Callable[[SeenLine], Statement | tuple[Statement, ...]]


class Sentence(NamedTuple):
    """One kind of line: its pattern, the function that makes its statement, and the parts of a hand that allow it."""

    pattern: re.Pattern[str]
    tell: Tell
    parts: int
    """The parts of a hand where the line may stand, as bits of an int: testing a `Flag` takes ten times as long."""


def sentence(pattern: str, tell: Tell, parts: TextPart = TextPart.PLAY) -> Sentence:
    """Make a `Sentence`; ``{A}`` in its pattern stands for the pattern of an amount."""
    return Sentence(re.compile(pattern.replace("{A}", AMOUNT)), tell, parts.value)


def cards_of(text: str) -> Cards:
    """Return the cards of a text such as ``Kh Jh`` or ``Kh, Jh``, without refusing a card that is named twice."""
    return tuple(_card(notation) for notation in _BETWEEN.split(text)) if text else ()


def _card(notation: str) -> Card:
    if notation not in _BY_NOTATION:
        raise InvalidCard(f"{notation[:20]!r} is not a card: write it like Th or 2c.")
    return _BY_NOTATION[notation]


# Chips that are put in before the deal.


def posted(kind: Literal["ante", "small", "big", "dead", "both", "extra", "straddle"]) -> Tell:
    """Return the function that makes the statement of an ante or a blind of this kind."""

    def tell(seen: SeenLine) -> Statement:
        return Posted(line=seen.line, name=seen.name, amount=seen.amount(), kind=kind, all_in=seen.has("all_in"))

    return tell


# The cards.


def dealt(seen: SeenLine) -> Statement:
    """Return the statement of a deal, or of a draw if the line has kept cards or the player has already discarded."""
    cards, kept = seen.cards() or (), seen.cards("kept")
    if kept is not None or any(isinstance(told, Discarded) and told.name == seen.name for told in seen.so_far):
        return Drew(line=seen.line, name=seen.name, cards=cards, count=len(cards), kept=kept)
    return Dealt(line=seen.line, name=seen.name, cards=cards, count=len(cards))


def new_hand(seen: SeenLine) -> Statement:
    """Return the statement of the whole hand that a player holds after the draw."""
    return Drew(line=seen.line, name=seen.name, cards=None, count=None, hand=seen.cards())


def drew(seen: SeenLine) -> Statement:
    """Return the statement of a draw of unseen cards."""
    return Drew(line=seen.line, name=seen.name, cards=None, count=int(seen.found["count"]), odd=_odd(seen))


def discarded(seen: SeenLine) -> Statement:
    """Return the statement of a discard; its cards are None if the line states only their number."""
    count = int(seen.found["count"])
    return Discarded(line=seen.line, name=seen.name, cards=seen.cards() if count else (), count=count, odd=_odd(seen))


def _odd(seen: SeenLine) -> str | None:
    """Return the text of the group ``said`` if it is not like ``1 card`` or ``2 cards``; else None."""
    said = seen.text("said")
    return None if said == counted(int(seen.found["count"]), "card") else said


def stood_pat(seen: SeenLine) -> Statement:
    """Return the statement of a player who stands pat."""
    return Discarded(line=seen.line, name=seen.name, cards=(), count=0, kept=seen.cards())


def reshuffled(seen: SeenLine) -> Statement:
    """Return the statement of a reshuffle."""
    return Reshuffled(line=seen.line)


# The betting.


def folded(seen: SeenLine) -> Statement:
    """Return the statement of a fold, perhaps with cards that the player shows."""
    return Folded(line=seen.line, name=seen.name, cards=seen.cards())


def checked(seen: SeenLine) -> Statement:
    """Return the statement of a check."""
    return Checked(line=seen.line, name=seen.name)


def called(seen: SeenLine) -> Statement:
    """Return the statement of a call."""
    return Called(line=seen.line, name=seen.name, amount=seen.amount(), all_in=seen.has("all_in"))


def bet(seen: SeenLine) -> Statement:
    """Return the statement of a bet."""
    return Bet(line=seen.line, name=seen.name, amount=seen.amount(), all_in=seen.has("all_in"))


def raised(seen: SeenLine) -> Statement:
    """Return the statement of a raise."""
    by, adds = seen.amount_if_said("by"), seen.amount_if_said("adds")
    all_in = seen.has("all_in")
    return Raised(line=seen.line, name=seen.name, to=seen.amount("to"), by=by, adds=adds, all_in=all_in)


# How it ended.


def returned(seen: SeenLine) -> Statement:
    """Return the statement of an uncalled bet that is returned."""
    return Returned(line=seen.line, name=seen.name, amount=seen.amount())


def showed(seen: SeenLine) -> Statement:
    """Return the statement of a shown hand."""
    return Showed(line=seen.line, name=seen.name, cards=seen.cards() or (), called=seen.text("called"))


def showed_some(seen: SeenLine) -> Statement:
    """Return the statement of a hand that nobody called, shown whole or in part."""
    cards = seen.cards() or ()
    return showed(seen) if len(cards) >= HAND else NotShown(line=seen.line, name=seen.name, part=cards)


def mucked(seen: SeenLine) -> Statement:
    """Return the statement of a hand mucked at the showdown."""
    return Mucked(line=seen.line, name=seen.name, cards=seen.cards())


def not_shown(seen: SeenLine) -> Statement:
    """Return the statement of a winner who did not show."""
    return NotShown(line=seen.line, name=seen.name)


def won(seen: SeenLine) -> Statement:
    """Return the statement of a payment; the group ``side`` matches for a side pot, perhaps with its number."""
    return Won(line=seen.line, name=seen.name, amount=seen.amount(), pot=pot_of(seen), called=seen.text("called"))


def pot_of(seen: SeenLine) -> int:
    """Return a pot's number: 0 for the main pot, 1 for the only side pot, else the number of the side pot."""
    side = seen.text("side")
    return 0 if side is None else int(side.strip(" -#") or 1)


def pot_told(seen: SeenLine) -> Statement:
    """Return the statement of the size of one pot."""
    return StatedPot(line=seen.line, pot=pot_of(seen), amount=seen.amount())


def pot_so_far(seen: SeenLine) -> tuple[Statement, ...]:
    """Return the statement of the pots when the draw begins, if the line states them."""
    return (PotSoFar(line=seen.line, amount=seen.amount()),) if seen.has("amount") else ()


def nothing(_seen: SeenLine) -> tuple[Statement, ...]:
    """Return no statements, for a line that adds nothing to the hand."""
    return ()


def totals(seen: SeenLine) -> Statement:
    """Return the statement of all pots and the rake; the group ``pots`` has the single pots with their amounts.

    Side pots are numbered from 1, but a single one may have no number; other numbers raise `InvalidValue`.
    """
    said = _POT.findall(seen.text("pots") or "")
    numbers = [number for number, _ in said[1:]]
    due = [str(number) for number in range(1, len(said))]
    if numbers not in (due, [""]):
        raise InvalidValue(f"{' and '.join(numbers)[:40]} are not the numbers of side pots: they count from 1.")
    pots = tuple(amount_of(amount, seen.currency) for _, amount in said)
    return Totals(line=seen.line, pot=seen.amount_if_said("amount"), rake=seen.amount_if_said("rake"), pots=pots)


_POT: Final = re.compile(rf" pot(?:[- ]([0-9]+))? ({AMOUNT})\.")

Outcome: TypeAlias = Literal[
    "folded_before_draw", "folded_after_draw", "collected", "showed", "lost", "mucked", "sat_out"
]


def summed(outcome: Outcome | None) -> Tell:
    """Return the function that makes the statement of one player's line in a summary."""

    def tell(seen: SeenLine) -> Statement:
        net = seen.amount_if_said("net")
        return Summed(
            line=seen.line,
            name=seen.name,
            number=seen.number,
            won=seen.amount_if_said("amount"),
            net=-net if net is not None and seen.text("sign") == "-" else net,
            stack=seen.amount_if_said("stack"),
            cards=seen.cards(),
            called=seen.text("called"),
            outcome=outcome,
            did_not_bet=seen.has("did_not_bet"),
            position=tuple(place for place in ("button", "small", "big") if seen.has(place)),
        )

    return tell


def in_summary(pattern: str, outcome: Outcome) -> Sentence:
    """Return the sentence of a summary that states a player's outcome after the name and the position."""
    return sentence(PLACE + pattern, summed(outcome), TextPart.SUMMARY)


def cancelled(seen: SeenLine) -> Statement:
    """Return the statement of a cancelled hand."""
    return Cancelled(line=seen.line)


def away(what: Literal["sits_out", "left", "joined", "back"]) -> Tell:
    """Return the function that makes the statement of a player who comes or goes."""

    def tell(seen: SeenLine) -> Statement:
        return Away(line=seen.line, name=seen.name, what=what)

    return tell


def hero_of(told: Sequence[Statement]) -> str | None:
    """Return the player who saved the file: the only one whose dealt cards it shows."""
    return next((one.name for one in told if isinstance(one, Dealt)), None)
