"""Terminal colours for drawings: the tone of a piece of text (`pokersvc.core.drawing.Tone`) determines its look."""

import os
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple

from pokersvc.core.drawing import Line, Tone
from pokersvc.core.drawing import plain as without_tones

_RESET: Final = "\x1b[0m"
_BOLD: Final = frozenset({Tone.STRONG, Tone.TURN, Tone.MINE, Tone.GOOD, Tone.BAD, Tone.KEY})
"""Tones that are bold, with or without colours."""


class Scheme(Enum):
    """Colours of tones, as numbers in the 256-colour palette; other tones keep the terminal's default colour.

    All terminals show this palette alike. Their named colours, such as red and blue, are often too dim on black or too
    pale on white.
    """

    EITHER = "either"
    """For an unknown background: the contrast with black and with white is from 3.9 to 5.3."""
    DARK = "dark"
    LIGHT = "light"


_COLOURS: Final[Mapping[Scheme, Mapping[Tone, int]]] = {
    Scheme.EITHER: {
        Tone.QUIET: 243, Tone.HIDDEN: 243, Tone.TURN: 163, Tone.CHIPS: 130, Tone.GOOD: 28, Tone.BAD: 196,
        Tone.KEY: 30, Tone.RED: 196, Tone.GREEN: 28, Tone.BLUE: 63,
    },
    Scheme.DARK: {
        Tone.QUIET: 246, Tone.HIDDEN: 246, Tone.TURN: 213, Tone.CHIPS: 179, Tone.GOOD: 114, Tone.BAD: 203,
        Tone.KEY: 80, Tone.RED: 203, Tone.GREEN: 78, Tone.BLUE: 75,
    },
    Scheme.LIGHT: {
        Tone.QUIET: 241, Tone.HIDDEN: 241, Tone.TURN: 127, Tone.CHIPS: 94, Tone.GOOD: 22, Tone.BAD: 160,
        Tone.KEY: 24, Tone.RED: 160, Tone.GREEN: 28, Tone.BLUE: 26,
    },
}  # fmt: skip


class Painter(NamedTuple):
    """Renders drawings for one terminal."""

    scheme: Scheme | None = Scheme.EITHER
    """The colours; None to write without colours, though bold text stays bold."""
    codes: bool = True
    """Whether escape codes may be sent to the terminal; if not, text is written without any style."""

    @classmethod
    def of_terminal(cls, wanted: object = "auto", *, plain: bool = False) -> "Painter":
        """Return a painter for ``wanted``, the user's setting of ``colours``; if ``plain``, it writes only text."""
        if plain:
            return cls(None, codes=False)
        if wanted == "never" or (wanted == "auto" and os.environ.get("NO_COLOR")):
            return cls(None)
        if wanted in (Scheme.DARK.value, Scheme.LIGHT.value):
            return cls(Scheme(wanted))
        return cls(background())

    def colour(self, tone: Tone) -> int | None:
        """Return the number of a tone's colour in the palette; None if the tone has the terminal's default colour."""
        return None if self.scheme is None else _COLOURS[self.scheme].get(tone)

    def style(self, tone: Tone) -> str:
        """Return a tone's style in prompt_toolkit's notation, such as ``bold #008787``."""
        colour = self.colour(tone)
        parts = ["bold"] if tone in _BOLD and self.codes else []
        return " ".join(parts if colour is None else [*parts, f"#{_red_green_blue(colour)}"])

    def fragments(self, lines: Iterable[Line]) -> list[tuple[str, str]]:
        """Return lines as prompt_toolkit's formatted text."""
        found: list[tuple[str, str]] = []
        for number, line in enumerate(lines):
            if number:
                found.append(("", "\n"))
            found.extend((self.style(piece.tone), piece.text) for piece in line)
        return found

    def strings(self, lines: Iterable[Line]) -> list[str]:
        """Return lines to print, with escape codes unless ``codes`` is False."""
        if not self.codes:
            return without_tones(list(lines))
        return ["".join(self._printed(piece.text, piece.tone) for piece in line).rstrip() for line in lines]

    def _printed(self, text: str, tone: Tone) -> str:
        colour = self.colour(tone)
        wanted = ["1"] if tone in _BOLD else []
        wanted += [] if colour is None else [f"38;5;{colour}"]
        return f"\x1b[{';'.join(wanted)}m{text}{_RESET}" if wanted and text.strip() else text


def background() -> Scheme:
    """Return the scheme for the background that the variable ``COLORFGBG`` names; most terminals do not set it."""
    said = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    if not said.isdecimal() or int(said) > 15:
        return Scheme.EITHER
    return Scheme.LIGHT if int(said) in (7, *range(9, 16)) else Scheme.DARK


def _red_green_blue(number: int) -> str:
    """Return colour ``number`` (16 or more) of the 256-colour palette as hexadecimal RGB."""
    if number >= 232:
        return f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "".join(f"{steps[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))
