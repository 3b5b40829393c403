"""Tones become colours that can be read on black and on white; without colours what is bold stays bold."""

import re

import pytest

from pokersvc.cli.drawing.colours import Painter, Scheme, background
from pokersvc.core.drawing import Piece, Tone

LINES = [
    (Piece("Ann ", Tone.MINE), Piece("$50", Tone.CHIPS)),
    (),
    (Piece("A♥", Tone.RED), Piece(" "), Piece("fold", Tone.KEY), Piece("  ")),
]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("scheme", "least", "backgrounds"),
    [
        (Scheme.EITHER, 3.9, ("000000", "ffffff")),
        (Scheme.DARK, 4.9, ("000000", "1e1e1e", "002b36")),
        (Scheme.LIGHT, 4.3, ("ffffff", "fdf6e3")),
    ],
)
def test_every_colour_is_readable_on_its_backgrounds(
    scheme: Scheme, least: float, backgrounds: tuple[str, ...]
) -> None:
    colours = {found[1] for tone in Tone if (found := re.search("#(.{6})", Painter(scheme).style(tone)))}
    assert len(colours) >= 7
    assert min(contrast(colour, behind) for colour in colours for behind in backgrounds) >= least


def test_suits_and_what_was_won_or_lost_differ_in_every_scheme() -> None:
    for scheme in Scheme:
        painter = Painter(scheme)
        assert len({painter.style(tone) for tone in (Tone.BLACK, Tone.RED, Tone.GREEN, Tone.BLUE)}) == 4
        assert painter.style(Tone.GOOD) != painter.style(Tone.BAD)


def test_lines_are_printed_with_codes_that_end_where_they_began() -> None:
    printed = Painter(Scheme.EITHER).strings(LINES)
    assert printed[1] == ""
    assert printed[2] == "\x1b[38;5;196mA♥\x1b[0m \x1b[1;38;5;30mfold\x1b[0m"
    assert Painter(Scheme.EITHER).fragments(LINES) == [
        ("bold", "Ann "), ("#af5f00", "$50"), ("", "\n"), ("", "\n"),
        ("#ff0000", "A♥"), ("", " "), ("bold #008787", "fold"), ("", "  "),
    ]  # fmt: skip


def test_without_colours_what_is_bold_stays_bold_and_plain_text_has_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    bare = Painter.of_terminal()
    assert bare.strings(LINES) == ["\x1b[1mAnn \x1b[0m$50", "", "A♥ \x1b[1mfold\x1b[0m"]
    assert {style for style, _ in bare.fragments(LINES)} == {"", "bold"}
    assert Painter.of_terminal("never") == bare
    assert Painter.of_terminal("always").scheme is not None, "who sets it says it of this program"
    assert Painter.of_terminal("always", plain=True).strings(LINES) == ["Ann $50", "", "A♥ fold"]


@pytest.mark.parametrize(
    ("said", "scheme"),
    [(None, "either"), ("15;0", "dark"), ("0;15", "light"), ("0;default;15", "light"), ("0;default", "either")],
)
def test_the_background_is_what_the_terminal_or_the_person_says(
    monkeypatch: pytest.MonkeyPatch, said: str | None, scheme: str
) -> None:
    monkeypatch.delenv("COLORFGBG", raising=False)
    if said is not None:
        monkeypatch.setenv("COLORFGBG", said)
    assert background() is Scheme(scheme)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Painter.of_terminal().scheme is Scheme(scheme)
    assert Painter.of_terminal("light").scheme is Scheme.LIGHT
