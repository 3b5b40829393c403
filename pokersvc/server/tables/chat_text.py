"""What may be said at a table: one line of readable text without links."""

import re
import unicodedata
from typing import Final

from pokersvc.core.names.letters import letters
from pokersvc.errors import InvalidValue

MOST: Final = 200
"""The most characters of a line, after it was normalised."""
MOST_MARKS: Final = 3
"""The maximum number of marks in a row, such as accents; in Unicode's composed form, Vietnamese needs 0, Hebrew and
Thai 3."""
_REFUSED: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_BLANK: Final = frozenset("\u2800\ufffc")
_EMOJI: Final = "\ufe0f"
"""The mark that asks for the coloured picture of a character."""
_LINKS: Final = (
    re.compile(r"\b[a-z][a-z0-9+.-]*:[^\s)(\]\[,;]", re.IGNORECASE),
    re.compile(r"//|\\\\"),
    re.compile(r"\bwww\.", re.IGNORECASE),
    re.compile(r"\w\.[^\W\d_]{2}"),
    re.compile(r"\w@\w"),
    re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
    re.compile(r"\[[0-9a-f]*:[0-9a-f:.]+\]", re.IGNORECASE),
    re.compile(r"\+\s?\d(?:[ ./()-]*\d){5}|\d(?:[ ./()-]*\d){8}"),
)
"""Texts that browsers and phones turn into links: schemes, domains, mail addresses, IP addresses and telephone
numbers."""
_DOTS: Final = str.maketrans("。．｡․·", ".....")


class UnfitText(InvalidValue):
    """A text cannot be said at a table; the sentence says why."""

    code = "unfit_text"


def said(text: str) -> str:
    r"""Return a text as it is stored: normalised (NFC), with single spaces; raise `UnfitText` if it cannot be said.

    >>> said("  nice\u00a0 hand  ")
    'nice hand'
    """
    line = " ".join(_spaced(unicodedata.normalize("NFC", text)).split(" ")).strip()
    line = re.sub(" +", " ", line)
    if not line:
        raise UnfitText("The line is empty: write something.")
    if len(line) > MOST:
        raise UnfitText(f"The line has {len(line)} characters: it takes at most {MOST}.")
    _check_characters(line)
    plain = unicodedata.normalize("NFKC", line.translate(_DOTS)).translate(_DOTS)
    if any(link.search(plain) for link in _LINKS):
        raise UnfitText(
            "A line takes no links, addresses or telephone numbers: leave it out, or put a space after each full stop"
            " and colon."
        )
    return line


def _spaced(text: str) -> str:
    return "".join(" " if unicodedata.category(one) == "Zs" else one for one in text)


def _check_characters(line: str) -> None:
    marks, carries = 0, False
    for one in line:
        category = unicodedata.category(one)
        if category in _REFUSED or one in _BLANK or (one != _EMOJI and letters().invisible.of(one) is not None):
            raise UnfitText(f"The line has U+{ord(one):04X}, which is invisible or a control: leave it out.")
        if category not in ("Mn", "Me", "Mc"):
            marks, carries = 0, one != " "
            continue
        marks += 1
        if not carries or marks > MOST_MARKS:
            raise UnfitText(f"A letter takes at most {MOST_MARKS} marks: leave U+{ord(one):04X} out.")
