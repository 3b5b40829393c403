"""What may be said at a table: readable text on one line, and nothing that a reader's device makes a link of."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.tables.signs import SIGNS
from pokersvc.server.tables.chat_text import MOST, UnfitText, said


@pytest.mark.parametrize(
    "text",
    [
        "nice hand",
        "a raise to 1,000,000? You have 10.5 big blinds and/or luck :)",
        "so close... what now?",
        "Güzel el, teşekkürler",
        "chơi hay lắm",
        "שָׁלוֹם",
        "ขอบคุณ",
        "好牌",
        "👏👏 ❤️",
        "<b>&amp;</b>",
        "3:2 for me; it is 12:30",
        *SIGNS.values(),
    ],
)
def test_what_people_say_is_said(text: str) -> None:
    assert said(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    "text",
    [
        "a\nDealer: Ann wins 500",
        "a\tb",
        "\x1b[2Jgone",
        "left\u202eright",
        "zero\u200bwidth",
        "a\u200dz",
        "\u2066x\u2069",
        "line\u2028two",
        "page\u2029two",
        "\ue000",
        "\U000e0041",
        "\u0378",
        "blank \u2800\u2800",
        "filler \u3164",
        "filler \uffa0",
        "join\u034fer",
        "half\ud800",
    ],
)
def test_no_control_no_bidi_mark_and_nothing_invisible_is_said(text: str) -> None:
    with pytest.raises(UnfitText, match="U\\+"):
        said(text)


@pytest.mark.parametrize("text", ["z" + "\u0300\u0301\u0302\u0303", "e" + "\u0335" * 50, "\u0301a", "a \u0301"])
def test_marks_do_not_pile_up(text: str) -> None:
    with pytest.raises(UnfitText, match="at most 3 marks"):
        said(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org",
        "HTTP://EXAMPLE",
        "javascript:alert(1)",
        "mailto:ann",
        "tel:5550100",
        "data:text/html,x",
        "www.example",
        "see example.org/x",
        "example。org",
        "ｅｘａｍｐｌｅ．ｏｒｇ",
        "пример.рф",
        "ann@example",
        "10.0.0.1",
        "[2001:db8::1]",
        "//host/path",
        "\\\\host\\share",
        "call +1 202 555 0100",
        "call 202-555-0100",
        "bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
    ],
)
def test_no_links(text: str) -> None:
    with pytest.raises(UnfitText, match="no links"):
        said(text)


def test_a_line_is_one_line_of_200_characters_at_most_in_composed_form() -> None:
    assert said("e\u0301" * MOST) == "é" * MOST
    with pytest.raises(UnfitText, match="has 201 characters: it takes at most 200"):
        said("e" * (MOST + 1))
    assert said("\u3000 a \u00a0\u2003 b ") == "a b"
    for empty in ("", "   ", "\u3000"):
        with pytest.raises(UnfitText, match="empty"):
            said(empty)


@given(st.text())
def test_what_is_said_is_printable_and_says_the_same_again(text: str) -> None:
    try:
        line = said(text)
    except UnfitText:
        return
    assert line.isprintable()
    assert len(line) <= MOST
    assert said(line) == line
