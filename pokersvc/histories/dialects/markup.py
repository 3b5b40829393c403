"""Reads the elements of a hand in XML safely: no document type, no entities, bounded depth and size."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NoReturn
from xml.parsers import expat

from pokersvc.errors import printable
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import MOST
from pokersvc.histories.dialects.line_values import amount_at
from pokersvc.histories.hand import Currency, UnreadableHand

DEEPEST: Final = 8
_NOTHING: Final = re.compile(r"\$?0*(?:\.0*)?")


@dataclass(frozen=True, slots=True)
class Element:
    """An element: its name, the line at which it begins, its attributes and its children."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)

    def __getitem__(self, attribute: str) -> str:
        """Return a required attribute."""
        if (found := self.attributes.get(attribute)) is None:
            raise UnreadableHand(self.line, f"<{self.name}> has no {attribute}.")
        return found

    def get(self, attribute: str) -> str:
        """Return an attribute; an empty text if it is missing."""
        return self.attributes.get(attribute, "")

    def number(self, attribute: str) -> int:
        """Return an attribute as a whole number; it must be one."""
        if not (digits := self[attribute]).isdecimal() or len(digits) > 18 or not digits.isascii():
            raise UnreadableHand(self.line, f"{attribute} of <{self.name}> is {_said(digits)}, not a whole number.")
        return int(digits)

    def amount(self, attribute: str, currency: Currency) -> int:
        """Return an attribute that is an amount of money, in the smallest unit."""
        return amount_at(self.line, self[attribute], currency)

    def either(self, attribute: str, *values: str) -> str:
        """Return an attribute that must be one of ``values``."""
        if (found := self[attribute]) not in values:
            said = " or ".join(map(repr, values))
            raise UnreadableHand(self.line, f"{attribute} of <{self.name}> is {_said(found)}, not {said}.")
        return found

    def without(self, *attributes: str) -> None:
        """Refuse attributes that an element of this kind cannot have, unless they are empty or zero."""
        for attribute in attributes:
            if not _NOTHING.fullmatch(found := self.get(attribute)):
                raise UnreadableHand(self.line, f"<{self.name}> cannot have the {attribute} {_said(found)}.")

    def without_children(self) -> None:
        """Refuse child elements."""
        for child in self.children:
            raise UnreadableHand(child.line, f"<{child.name[:60]}> is in <{self.name}>, where it does not belong.")

    def unknown(self, what: str) -> NoReturn:
        """Refuse a value or an element that the dialect does not have."""
        raise UnreadableHand(self.line, f"{_said(what)} in <{self.name}> is not known in this format.")


def _said(text: str) -> str:
    return repr(printable(text[:60]))


def split(
    lines: Iterable[str], name: str, frame: re.Pattern[str], context: re.Pattern[str] | None = None
) -> Iterator[Block]:
    """Yield each element with this name as a block, one in memory at a time.

    Between elements, ``frame`` is left out, and the last text that matches ``context`` goes with the blocks after it.
    Any other text is a block of its own. An element that is cut off ends where the next one begins.
    """
    opening, closing = re.compile(rf"<{name}[\s/>]"), f"</{name}>"
    border = re.compile(rf"(?={opening.pattern})|(?<={closing})")
    said, kept, inside = "", _Kept(), False
    for number, line in enumerate(lines, 1):
        for piece in border.split(line):
            if opening.match(piece):
                if kept.pieces:
                    yield kept.taken(said)
                inside = True
            elif not inside:
                told = context.search(piece) if context else None
                said = told[0] if told else said
                if not frame.sub("", piece.replace(said, "")).strip():
                    continue
            kept.add(number, piece)
            if inside and piece.endswith(closing):
                yield kept.taken(said)
                inside = False
    if kept.pieces:
        yield kept.taken(said)


class _Kept:
    """Collects the text of a block; of a block that is too long, it keeps little more than `MOST` characters."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._first_line = self._size = 0

    def add(self, number: int, piece: str) -> None:
        if not self.pieces:
            self._first_line, self._size = number, 0
        if self._size <= MOST:
            self.pieces.append(piece[: MOST + 1])
            self._size += len(piece)

    def taken(self, context: str) -> Block:
        block = Block(self._first_line, "".join(self.pieces), context)
        self.pieces.clear()
        return block


def element(block: Block, name: str) -> Element:
    """Return the element of a block; raise `UnreadableHand` if the text is not such an element, or is dangerous."""
    return _Reader(block, name).read()


class _Reader:
    """The handlers that the parser calls; they refuse everything that a hand does not need."""

    def __init__(self, block: Block, name: str) -> None:
        self._block, self._name = block, name
        self._open: list[Element] = []
        self._root: Element | None = None
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = lambda *_: self._refuse("A document type")
        parser.EntityDeclHandler = lambda *_: self._refuse("An entity")
        parser.ProcessingInstructionHandler = lambda *_: self._refuse("A processing instruction")
        parser.CommentHandler = lambda *_: self._refuse("A comment")

    def read(self) -> Element:
        text = self._block.text
        if len(text) > MOST:
            raise UnreadableHand(self._block.first_line, f"The hand has more than {MOST:,} characters.")
        try:
            self._parser.Parse(text.encode(), True)
        except UnicodeEncodeError as error:
            line = self._block.first_line + text.count("\n", 0, error.start)
            raise UnreadableHand(line, "This text has half of a surrogate pair.") from None
        except expat.ExpatError as error:
            line = self._block.first_line + error.lineno - 1
            raise UnreadableHand(line, f"This is not XML of one whole hand: {expat.ErrorString(error.code)}.") from None
        assert self._root is not None  # otherwise the parser raises "no element found"
        return self._root

    @property
    def _line(self) -> int:
        return self._block.first_line + self._parser.CurrentLineNumber - 1

    def _refuse(self, what: str) -> NoReturn:
        raise UnreadableHand(self._line, f"{what} has no place in a hand history.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        made = Element(name, self._line, attributes)
        if self._open:
            self._open[-1].children.append(made)
        elif name != self._name:
            raise UnreadableHand(self._line, f"This begins with <{printable(name[:60])}>, not with <{self._name}>.")
        else:
            self._root = made
        self._open.append(made)
        if len(self._open) > DEEPEST:
            raise UnreadableHand(self._line, f"Elements are nested more than {DEEPEST} deep.")

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if text.strip():
            raise UnreadableHand(self._line, f"The text {_said(text)} is between elements, where no text belongs.")
