"""The fast reader of plain PHH gives the same results as the reader of full TOML, or none."""

from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import phh_fields
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.dialects.phh_fields import PhhFields
from pokersvc.histories.dialects.phh_plain import plain_fields
from pokersvc.histories.hand import HandHistory, UnreadableHand

from .goldens import SAMPLES

HAND = """[7]
variant = "N5CD"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 150.50]
actions = [
  "d dh p1 Js8h3s6d2h",
  "d dh p2 9dQdAs6hKs",
  "p2 cc",
  "p1 f",
]
time = 00:32:31.400825
time_zone = "UTC"
day = 23
month = 11
year = 2026
hand = 12
players = ["A", "B"]
finishing_stacks = [198, 152.50]
_draw = "in turn"
"""
ODD = "\"[]=,# \\'\n\r\tpxd?.-+_:eT0179é\x00\x7f"
VALUES = (
    "0", "-0", "+1", "01", "1.5", "-2.25", "1.", "1e3", "1_000", "0x1F", "inf", "true", "True", "24:00:00", "07:32:00",
    "07:32:00.1234567", "1979-05-27", '""', '"a"', "'a'", '"\\""', '"""a"""', "[]", "[ ]", "[1]", "[1,2]", "[1, 2,]",
    "[1, 2.50]", "[01]", '["a", "b"]', '["a","b"]', "['a']", '[1, "a"]', "[[1], [2]]", "{a = 1}", '[\n"a",\n]',
    '[\n  "a",\n  "b"\n]', '[\n\t"x = 1",\n]', '[\n  "a", # c\n]', '["a]", "#"]', "", "9" * 15, "9" * 20, "1 # note",
)  # fmt: skip


def read(text: str) -> object:
    block = Block(3, text)
    try:
        fields = PhhFields(block)
        keys = ("actions", "players", "antes", "k")
        lists = {key: fields.texts(key) or [] for key in keys if isinstance(fields._fields.get(key), list)}
        return (
            fields._fields,
            {key: fields.line(key) for key in fields._fields},
            {key: fields.lines(key, len(texts)) for key, texts in lists.items()},
            Phh().read(block),
        )
    except UnreadableHand as error:
        return error.line, str(error)


def by_all_of_toml(text: str) -> object:
    with patch.object(phh_fields, "plain_fields", lambda *_: None):
        return read(text)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from((HAND, (SAMPLES / "more.phhs").read_text("utf-8").partition("\n\n[")[0])))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        upto = at + draw(st.integers(0, 3))
        text = text[:at] + draw(st.text(ODD, max_size=3)) + text[upto:]
    return text


@settings(max_examples=80)
@given(damaged())
@example(HAND.replace("\n", "\r\n"))
@example(HAND.replace("[7]\n", ""))
@example(HAND + HAND)
@example("")
@example("[7]")
def test_both_readers_agree_on_damaged_hands(text: str) -> None:
    assert read(text) == by_all_of_toml(text)


@settings(max_examples=50)
@given(st.sampled_from(VALUES), st.sampled_from(VALUES))
def test_both_readers_agree_on_values_of_every_form(one: str, other: str) -> None:
    for text in (f"k = {one}\nactions = {other}\n", f"{HAND}k = {one}", HAND.replace("[0, 0]", other)):
        assert read(text) == by_all_of_toml(text)
        plain = plain_fields(text, 1)
        if plain is not None:  # a whole number is no other, and no truth
            assert repr(plain.fields) == repr(phh_fields.toml_fields(Block(1, text)))


def test_what_programs_write_is_read_in_one_pass() -> None:
    assert plain_fields(HAND, 1) is not None
    assert isinstance(Phh().read(Block(1, HAND)), HandHistory)
