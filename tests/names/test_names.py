"""Unreadable and look-alike names, and Unicode's data on letters."""

import re
import sys
import unicodedata

import pytest

from pokersvc.core.names import alike, apart, readable, same, unlike
from pokersvc.core.names.letters import letters, read
from pokersvc.core.names.looks import skeleton
from pokersvc.errors import InvalidValue

from .unicode import text_of

WELCOME = [
    "Ann", "Zoë", "O'Neill", "Jean-Luc", "Player1", "Сара", "Ёжик", "Ναυσικᾶ", "Մարիամ", "ანა", "안나", "김Kim",
    "安娜", "アンナ", "あんナ", "Ann安娜", "ㄅ注音", "Nguyễn Thị Huệ", "ʼAhmad", "A.B._3", "♠ Ann ♠", "👍🏽",
    "שָׁלוֹם", "مُحَمَّد", "नमस्ते", "กิ่งแก้ว", "བསྒྲུབས", "မြန်မာ",
]  # fmt: skip
INVISIBLE = [
    "\u3164", "\u2800", "Ann\u3164", "\u3164Ann", "An\u2800n", "Ann\uffa0", "Ann\u115f", "Ann\u034f", "Ann\ufe0f",
    "Ann\ufffc", "Ann\U000e0100", "\u17b4\u17b5", "Ann\U0001d159",
]  # fmt: skip
MIXED = [
    ("\u0410nn", "Cyrillic and Latin"),
    ("\u0391nn", "Greek and Latin"),
    ("Ann \u0421\u0430\u0448\u0430", "Cyrillic and Latin"),
    ("\u054fnn", "Armenian and Latin"),
    ("\u13aann", "Cherokee and Latin"),
    ("\u0391\u0410", "Cyrillic and Greek"),
    ("\u30a2\ud55c", "Hangul and Katakana"),
]


@pytest.mark.parametrize("name", WELCOME)
def test_a_name_in_one_script_is_welcome_and_so_are_scripts_that_one_language_mixes(name: str) -> None:
    assert readable(name) == name


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_with_an_invisible_letter_is_refused(name: str) -> None:
    hidden = next(one for one in name if not one.isascii())
    with pytest.raises(InvalidValue, match=rf"its U\+{ord(hidden):04X} \(.+\) is invisible; leave it out\.$"):
        readable(name)


@pytest.mark.parametrize(("name", "scripts"), MIXED)
def test_a_name_in_scripts_that_are_confused_is_refused(name: str, scripts: str) -> None:
    with pytest.raises(InvalidValue, match=f"mixes {scripts} letters"):
        readable(name)


MARKS = "".join(map(chr, range(0x300, 0x313)))


@pytest.mark.parametrize("marks", ["\u0301" * 19, MARKS, MARKS[:5], "\u0301\u0301"])
def test_more_marks_than_a_letter_takes_are_refused(marks: str) -> None:
    with pytest.raises(InvalidValue, match="a letter takes at most 4 marks, each once"):
        readable(f"A{marks}")


@pytest.mark.parametrize("name", ["\u0301", "\u0301nn", "A \u0301", "\u20dd"])
def test_a_mark_that_stands_on_no_letter_is_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match="is not on a letter"):
        readable(name)


def test_a_letter_newer_than_the_file_is_refused_as_nobody_knows_how_it_looks() -> None:
    with pytest.raises(InvalidValue, match=rf"Unicode {letters().version} does not have its U\+323B0"):
        readable("A\U000323b0")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Сара", "Capa"),
        ("САРА", "capa"),
        ("Bill", "BiIl"),
        ("Player1", "Playerl"),
        ("modern", "modem"),
        ("Ann", "ANN"),
        ("Ａｎｎ", "ann"),
        ("𝐀𝐧𝐧", "Ann"),
        ("Zoe\u0308", "ZO\xcb"),
        ("Ann B", "Ann  B"),
        ("ΑΒ", "AB"),
        ("O0", "OO"),
    ],
)
def test_names_that_look_alike_are_found_in_either_order(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)
    with pytest.raises(InvalidValue, match="look alike; every seat needs a name that looks different"):
        apart(["Eve", one, other])
    with pytest.raises(InvalidValue, match=r"^Somebody at the table is called .*; take another name\.$"):
        unlike(one, ["Eve", other])


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Ann", "Änn"), ("Player1", "Player2"), ("Сара", "Sara")])
def test_names_that_look_different_sit_at_one_table(one: str, other: str) -> None:
    assert not alike(one, other)
    apart([one, other])
    unlike(one, [other])


def test_one_name_in_other_codes_is_the_same_and_another_that_looks_like_it_is_not() -> None:
    assert same("Zoe\u0308", "ZO\xcb")
    assert not same("Сара", "Capa")


def test_skeletons_are_those_of_unicode() -> None:
    """With examples from UTS 39, section 4."""
    assert skeleton("раураⅼ") == skeleton("paypa1") == "paypal"
    assert skeleton("𝔭𝒶y𝕡𝕒ℓ") == "paypal"
    assert skeleton("ѕсоре") == "scope"
    assert skeleton("a­b") == "ab"


SCRIPTS = {
    "LATIN": "Latn",
    "CYRILLIC": "Cyrl",
    "GREEK": "Grek",
    "ARMENIAN": "Armn",
    "HEBREW": "Hebr",
    "HIRAGANA": "Hira",
}


def test_letters_are_of_the_scripts_that_their_names_say() -> None:
    """Python's own database names letters, and was derived from the same standard independently."""
    checked = 0
    for code in range(sys.maxunicode + 1):
        first, _, rest = unicodedata.name(chr(code), "").partition(" ")
        if first in SCRIPTS and " LETTER" in f" {rest}" and unicodedata.category(chr(code)) in ("Lu", "Ll", "Lo"):
            assert letters().scripts.of(chr(code)) == frozenset({SCRIPTS[first]}), unicodedata.name(chr(code))
            checked += 1
    assert checked > 1500


INVISIBLE_NAMES = re.compile("(HANGUL|KHITAN) .*FILLER|VARIATION SELECTOR|.*BLANK$|.*(ZERO WIDTH|INVISIBLE)")


def test_what_its_name_calls_blank_is_invisible() -> None:
    for code in range(sys.maxunicode + 1):
        name = unicodedata.name(chr(code), "")
        if INVISIBLE_NAMES.match(name) and name not in ("BLANK SYMBOL", "OPEN BOX"):
            with pytest.raises(InvalidValue, match="is invisible"):
                readable(f"A{chr(code)}")


DATABASE = """\
ucd;16.0.0
value;sc;Latn;Latin
value;sc;Cyrl;Cyrillic
value;sc;Zyyy;Common
defaults;0000..10FFFF;gc=Cn;sc=Zzzz;scx=<script>
block;0041..0044;gc=Lu;sc=Latn
cp;0041;na=A
cp;0042;na=B;sc=Zyyy;scx=Latn Cyrl
cp;0044;DI;-Alpha;na=D
unassigned;0043
block;0400..0402;sc=Cyrl
cp;0400;na=IE
cp;0401;na=IO
cp;0402;na=DJE
""".splitlines()
CONFUSABLES = [
    "\ufeff# confusables.txt",
    "# Version: 16.0.0",
    "0400 ;\t0041 0042 ;\tMA\t# ( )",
    "",
    "0402 ;\t0041 0042 ;\tMA",
]


def test_the_file_is_made_of_unicodes_own_and_read_as_it_was_made() -> None:
    made = read(text_of(DATABASE, CONFUSABLES).splitlines())
    assert made.version == "16.0.0"
    assert made.names == {"Latn": "Latin", "Cyrl": "Cyrillic"}
    assert [made.scripts.of(one) for one in "@ABCDE"] == [None, {"Latn"}, {"Latn", "Cyrl"}, None, {"Latn"}, None]
    assert [made.scripts.of(chr(code)) for code in (0x3FF, 0x400, 0x402, 0x403)] == [None, {"Cyrl"}, {"Cyrl"}, None]
    assert [made.invisible.of(one) for one in "AD"] == [None, frozenset()]
    assert made.prototypes == {0x400: "AB", 0x402: "AB"}


def test_files_of_two_versions_make_none() -> None:
    with pytest.raises(AssertionError, match=r"confusables\.txt is of 15\.0\.0, ppucd\.txt of 16\.0\.0"):
        text_of(DATABASE, ["# Version: 15.0.0"])
