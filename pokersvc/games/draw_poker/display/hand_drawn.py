"""Drawn cards: in four colours, with the letter of each suit beside its symbol."""

from collections import Counter
from typing import Final, NamedTuple, TypeVar

from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.streets.state import Cards

_TONES: Final = (Tone.GREEN, Tone.BLUE, Tone.RED, Tone.BLACK)
"""The tones of clubs, diamonds, hearts and spades."""
_CardT = TypeVar("_CardT", bound=AnyCard | None)
_BACK: Final = "▒"
_WHEEL: Final = {12, 3, 2, 1, 0}
"""The faces of A-2-3-4-5, whose ace is low."""


class Size(NamedTuple):
    """The size of a drawn card, within its frame."""

    columns: int
    rows: int

    @property
    def wide(self) -> int:
        """The width of a hand of five cards in cells, each with its frame and a space before it."""
        return 5 * (self.columns + 3)


SIZES: Final = (Size(7, 5), Size(5, 3), Size(4, 2))
"""The sizes of framed cards, the largest first."""


def in_reading_order(cards: tuple[_CardT, ...]) -> tuple[_CardT, ...]:
    """Return a hand's cards in reading order, by which they are numbered: pairs and the like first, then by rank.

    >>> from pokersvc.cards import parse_cards
    >>> for hand in ("JS AH 3C AD 2D", "2S 3H AC 5D 4D"):
    ...     print(*in_reading_order(parse_cards(hand)))
    AH AD JS 3C 2D
    5D 4D 3H 2S AC
    """
    known = [card for card in cards if isinstance(card, Card)]
    often = Counter(card.face for card in known)
    low_ace = set(often) == _WHEEL

    def key(card: object) -> tuple[int, int, int]:
        if not isinstance(card, Card):
            return 1, 0, 0
        return -often[card.face], -(-1 if low_ace and card.face == max(_WHEEL) else card.face), -card.suit

    return tuple(sorted(cards, key=key))


def numbers_of(some: Cards, hand: Cards) -> list[str]:
    """Return the numbers of some cards of a hand, as people type them.

    >>> from pokersvc.cards import parse_cards
    >>> numbers_of(parse_cards("10S QD"), parse_cards("10S JC QH JD QD"))
    ['2', '5']
    """
    return [str(number) for number, card in enumerate(in_reading_order(hand), 1) if card in some]


def small(card: object) -> Piece:
    """Return a card within a line, such as ``A♥H``; ``??`` if nobody recorded it, a back if it is hidden."""
    if isinstance(card, Card):
        return Piece(card.symbol + card.text[-1], _TONES[card.suit])
    return Piece(2 * _BACK, Tone.HIDDEN) if card is None else Piece(str(card), Tone.QUIET)


def in_line(cards: Cards) -> Line:
    """Return a hand within a line, in reading order; hidden cards are backs without spaces between them."""
    if all(card is None for card in cards):
        return (Piece(_BACK * len(cards), Tone.HIDDEN),)
    pieces: list[Piece] = []
    for place, card in enumerate(in_reading_order(cards)):
        pieces += [Piece(" ")] * (place > 0) + [small(card)]
    return tuple(pieces)


def without_frames(cards: Cards, *, numbered: bool, picked: Cards = ()) -> list[Line]:
    """Return a hand as one line and, if it is ``numbered``, a second line with the numbers of its cards.

    Cards that are ``picked`` are dim and have a cross beside their number.
    """
    line: list[Piece] = []
    below: list[Piece] = []
    for place, card in enumerate(in_reading_order(cards), 1):
        piece = _dim(small(card)) if card in picked else small(card)
        number = _number(place, picked=card in picked)
        line += [Piece("  "), piece]
        below += [Piece("  "), Piece(f"{number:^{len(piece.text)}}", Tone.KEY)]
    return [tuple(line), tuple(below)] if numbered else [tuple(line)]


def framed(cards: Cards, size: Size, *, numbered: bool, picked: Cards = ()) -> list[Line]:
    """Return a hand as framed cards in reading order, with the number to type below each if it is ``numbered``.

    Cards that are ``picked`` are dim, one row lower, and have a cross beside their number. A ``numbered`` hand keeps
    that row free.
    """
    drawn = []
    for place, card in enumerate(in_reading_order(cards), 1):
        lines = _framed(card, size)
        if numbered:
            number = f"{_number(place, picked=card in picked):^{size.columns + 2}}"
            lines.append((Piece(number, Tone.KEY),))
            blank: Line = (Piece(" " * (size.columns + 2)),)
            lines = [blank, *(tuple(map(_dim, line)) for line in lines)] if card in picked else [*lines, blank]
        drawn.append(lines)
    return [tuple(piece for part in row for piece in (Piece(" "), *part)) for row in zip(*drawn, strict=True)]


def _number(place: int, *, picked: bool) -> str:
    return f"{'×' * picked}{place}"


def _dim(piece: Piece) -> Piece:
    return piece if piece.tone is Tone.KEY else Piece(piece.text, Tone.QUIET)


def _framed(card: object, size: Size) -> list[Line]:
    """Return a card in its frame."""
    face, tone = _face(card, size)
    side = Piece("│", Tone.QUIET)
    top, bottom = (f"{left}{'─' * size.columns}{right}" for left, right in ("╭╮", "╰╯"))
    return [(Piece(top, Tone.QUIET),), *((side, Piece(row, tone), side) for row in face), (Piece(bottom, Tone.QUIET),)]


def _face(card: object, size: Size) -> tuple[list[str], Tone]:
    """Return the lines printed on a card, and its colour."""
    columns, rows = size
    if card is None:
        return [_BACK * columns] * rows, Tone.HIDDEN
    if not isinstance(card, Card):
        middle = rows // 2
        return [f"{card!s:^{columns}}" if row == middle else " " * columns for row in range(rows)], Tone.QUIET
    face, suit = card.symbol[:-1], card.symbol[-1] + card.text[-1]
    if rows == 2:
        return [f"{face:<{columns}}", f"{suit:>{columns}}"], _TONES[card.suit]
    blank = [" " * columns] * (rows // 2 - 1)
    printed = [f"{face:<{columns}}", *blank, f"{suit:^{columns}}", *blank, f"{face:>{columns}}"]
    return printed, _TONES[card.suit]
