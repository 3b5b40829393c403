"""Blank lines within a hand's text: the hand goes on with a note, and foreign lines after it do no harm."""

import re
from pathlib import Path

import pytest

from pokersvc.histories.dialect import Dialect
from pokersvc.histories.dialects.blocks import MOST
from pokersvc.histories.dialects.full_tilt import FullTilt
from pokersvc.histories.dialects.ongame import OnGame
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hands_in

from .goldens import SAMPLES

STARS, TILT, ONGAME = PokerStars(), FullTilt(), OnGame()
DIALECTS = pytest.mark.parametrize("dialect", [STARS, TILT, ONGAME], ids=lambda dialect: dialect.name)


def hands_of(dialect: Dialect) -> list[str]:
    """Return the texts of two hands of a sample, without blank lines."""
    text = (SAMPLES / f"{dialect.name}-more.txt").read_text("utf-8")
    return [re.sub("\n+", "\n", block.text) for block in dialect.blocks(text.splitlines(keepends=True))][:2]


def read(path: Path, text: str) -> tuple[list[HandHistory], list[Unread]]:
    path.write_text(text, "utf-8")
    found = list(hands_in(path))
    return [one for one in found if isinstance(one, HandHistory)], [one for one in found if isinstance(one, Unread)]


def said(hand: HandHistory) -> list[str]:
    """Return a hand's statements, without their line numbers."""
    return [re.sub(r"\bline=\d+", "", str(one)) for one in (*hand.players, *hand.told)]


@DIALECTS
@pytest.mark.parametrize("blank", [1, 2, 3, 5])
def test_a_text_with_blank_lines_between_all_its_lines_is_read(dialect: Dialect, blank: int, tmp_path: Path) -> None:
    """Some programs write each line end more than once; a note says so, unless blank lines are usual there."""
    text = "\n\n\n".join(hands_of(dialect)) + "\n"
    plain, _ = read(tmp_path / "a", text)
    hands, unread = read(tmp_path / "a", text.replace("\n", "\n" * (blank + 1)))
    assert unread == []
    assert [said(hand) for hand in hands] == [said(hand) for hand in plain]
    usual = dialect is not STARS and blank < 2
    for hand, before in zip(hands, plain, strict=True):
        times = before.text.count("\n")
        note = (hand.first_line + 1, f"The hand continues after blank lines, {times} times; here first.")
        assert hand.warnings == (() if usual else (note,))


@DIALECTS
def test_a_hand_goes_on_after_a_blank_line_anywhere(dialect: Dialect, tmp_path: Path) -> None:
    """The next hand is read too, and the stored text is split into the same single hand."""
    hand, other = hands_of(dialect)
    lines = hand.split("\n")
    (plain, _), _ = read(tmp_path / "a", f"{hand}\n\n\n{other}\n")
    for place in range(1, len(lines)):
        text = "\n".join([*lines[:place], "", "", *lines[place:]])
        (found, after), unread = read(tmp_path / "a", f"{text}\n\n\n{other}\n")
        assert unread == []
        assert said(found) == said(plain)
        assert found.text == text
        assert [number for number, _ in found.warnings] == [text[: text.index("\n\n\n")].count("\n") + 2]
        assert after.warnings == ()
        assert [block.text for block in dialect.blocks(found.text.splitlines(keepends=True))] == [text]


def test_one_blank_line_is_said_in_the_singular(tmp_path: Path) -> None:
    hand, _ = hands_of(STARS)
    ([found], []) = read(tmp_path / "a", hand.replace("*** SHOW DOWN", "\n*** SHOW DOWN"))
    line = hand[: hand.index("*** SHOW DOWN")].count("\n") + 1
    assert found.warnings == ((line, "The hand continues after a blank line."),)


@DIALECTS
def test_a_hand_with_a_wrong_line_is_one_sentence_however_many_blank_lines_it_has(
    dialect: Dialect, tmp_path: Path
) -> None:
    hand, other = hands_of(dialect)
    wrong = hand.replace("\n", "\nSomebody: dances\n", 8).replace("\n", "\n\n\n\n")
    hands, unread = read(tmp_path / "a", f"{wrong}\n\n\n{other}\n")
    assert (len(hands), len(unread)) == (1, 1)


@DIALECTS
def test_what_follows_a_whole_hand_and_is_none_of_it_is_told_apart(dialect: Dialect, tmp_path: Path) -> None:
    """Also a hand without its first line, with blank lines between its other lines."""
    hand, other = hands_of(dialect)
    for apart in ("hello", hand.split("\n", 1)[1], hand.split("\n", 1)[1].replace("\n", "\n\n\n"), hand.split("\n")[3]):
        hands, unread = read(tmp_path / "a", f"{hand}\n\n\n{apart}\n\n\n{other}\n")
        assert (len(hands), len(unread)) == (2, 1)
        assert unread[0].line == hand.count("\n") + 4
        assert [one.warnings for one in hands] == [(), ()]


@DIALECTS
def test_a_hand_that_is_cut_off_is_one_sentence_and_costs_no_other(dialect: Dialect, tmp_path: Path) -> None:
    hand, other = hands_of(dialect)
    hands, unread = read(tmp_path / "a", "\n".join(hand.split("\n")[:9]) + f"\n\n\n{other}\n")
    assert (len(hands), len(unread)) == (1, 1)


def test_very_many_lines_between_blank_ones_take_little_time(tmp_path: Path) -> None:
    """Each is looked at once for the end of the hand."""
    hand, other = hands_of(STARS)
    hands, unread = read(tmp_path / "a", hand.split("*** SUMMARY")[0] + "\n\nx" * MOST + f"\n\n\n{other}\n")
    assert (len(hands), len(unread)) == (1, 1)
    assert unread[0].why == "The hand at line 1 is too long to be one."


def test_a_hand_ends_where_a_file_is_blank_from_there_on(tmp_path: Path) -> None:
    hand, other = hands_of(STARS)
    hands, unread = read(tmp_path / "a", hand + "\n" * 200_000 + other)
    assert (len(hands), unread) == (2, [])
    assert hands[1].first_line == hand.count("\n") + 200_001
