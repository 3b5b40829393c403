"""QR codes in a terminal: half blocks show two rows of modules in each line of text."""

from itertools import zip_longest
from typing import Final

import segno

_MARGIN: Final = 4
"""The light modules around a code (ISO/IEC 18004): without them, cameras do not find it."""
_BLOCKS: Final = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""Whether the upper and the lower module are light → the character for both."""
_WHITE_ON_BLACK: Final = "\x1b[38;5;231;48;5;16m"
_RESET: Final = "\x1b[0m"


def lines(text: str, *, coloured: bool) -> list[str]:
    """Return a QR code as lines to print; if ``coloured`` is false, it can only be scanned on a dark background.

    >>> len(lines("http://192.168.1.7:8000", coloured=False))
    17
    """
    code = segno.make_qr(text, error="m", boost_error=False)
    light = [[not module for module in row] for row in code.matrix_iter(border=_MARGIN)]
    pairs = zip_longest(light[::2], light[1::2], fillvalue=[False] * len(light[0]))
    drawn = ["".join(_BLOCKS[pair] for pair in zip(*both, strict=True)) for both in pairs]
    return [f"{_WHITE_ON_BLACK}{line}{_RESET}" if coloured else line for line in drawn]
