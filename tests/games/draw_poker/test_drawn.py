"""Drawn tables, compared with stored drawings that were inspected; `scenes` writes them."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.drawing import Piece, Room, Tone, fits, plain
from pokersvc.games.draw_poker.actions import Bet, Call, Discard, LegalActions
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.games.draw_poker.display.table_drawn import flowed
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.view import DrawPokerView

from .scenario import ACES, KINGS
from .scenes import FOLDER, ROOMS, SCENES, at, shown

WORDS = DrawPokerWords()


@pytest.mark.parametrize("name", SCENES)
def test_a_table_is_drawn_as_it_was_looked_at(name: str) -> None:
    assert shown(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_no_drawing_is_kept_of_a_scene_that_is_gone() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(SCENES)


def test_suits_have_four_colours_and_a_letter_each() -> None:
    pieces = {piece.text.strip(): piece.tone for line in WORDS.draw(SCENES["opening"](), ROOMS[1]) for piece in line}
    suits = {text: tone for text, tone in pieces.items() if text[:1] in ("♣", "♦", "♥", "♠")}
    assert suits == {"♥H": Tone.RED, "♦D": Tone.BLUE, "♠S": Tone.BLACK, "♣C": Tone.GREEN}


def test_the_numbers_below_the_sorted_cards_discard_them() -> None:
    view = SCENES["draw"]()
    lines = WORDS.draw(view, ROOMS[0])
    numbers = "".join(piece.text for piece in lines[-2]).split()
    assert numbers == ["1", "2", "3", "4", "5"]
    faces = [piece.text.strip() for piece in lines[-6] if piece.tone in (Tone.RED, Tone.BLUE, Tone.BLACK, Tone.GREEN)]
    read = [WORDS.read(number, view, LegalActions(discard=4)) for number in numbers]
    assert [str(one.cards[0])[:-1] for one in read if isinstance(one, Discard)] == faces == ["A", "A", "J", "3", "2"]


def test_two_pair_is_numbered_from_the_left_and_no_example_throws_a_pair_away() -> None:
    """Cards dealt as 10 J Q J Q are drawn as Q Q J J 10, and the numbers below match."""
    view = at("rising-ante", "10S JC QH JD QD", KINGS).given(Bet(1, 50), Call(2)).ready().view(1)
    legal = LegalActions(discard=4)
    assert plain(WORDS.draw(view, Room(60, 14)))[-2].split() == ["1", "2", "3", "4", "5"]
    assert WORDS.read("5", view, legal) == WORDS.read("10S", view, legal) == Discard(1, parse_cards("10S"))
    assert any("[QH, QD, JD, JC, 10S] two pair" in line for line in WORDS.show(view))
    for offered in (WORDS.shortcuts(view, legal), WORDS.shortcuts_advised(view, legal)):
        assert [one.typed for one in offered] == ["5", "k"]


def test_the_example_of_who_is_advised_is_the_advice() -> None:
    view, legal = SCENES["draw"](), LegalActions(discard=4)
    first, *_ = WORDS.shortcuts_advised(view, legal)
    assert WORDS.read(first.typed, view, legal) == WORDS.read("ok", view, legal) != Discard(1, ())


# What is picked to be discarded, while it is typed.


def drawing() -> tuple[DrawPokerView, LegalActions]:
    """Return a seat's view in the draw, and its legal actions."""
    game = at("rising-ante", "JS AH 3C AD 2D", KINGS).given(Bet(1, 50), Call(2)).ready()
    return game.view(1), game.legal


def picked(text: str, room: Room) -> list[str]:
    """Return the table as it is drawn while a text is typed that picks cards."""
    lines = WORDS.draw_picked(text, *drawing(), room)
    assert lines is not None
    return plain(lines)


def test_picked_cards_lie_lower_than_the_others_with_a_cross_beside_their_number() -> None:
    assert picked("3, 4", Room(60, 10))[-6:] == [
        " ╭────╮ ╭────╮               ╭────╮",
        " │A   │ │A   │ ╭────╮ ╭────╮ │2   │",
        " │  ♥H│ │  ♦D│ │J   │ │3   │ │  ♦D│",
        " ╰────╯ ╰────╯ │  ♠S│ │  ♣C│ ╰────╯",
        "   1      2    ╰────╯ ╰────╯   5",
        "                 ×3     ×4",
    ]  # fmt: skip


def test_picked_cards_without_frames_have_a_cross_beside_their_number() -> None:
    assert picked("JS 3C", Room(60, 8))[-3:] == [
        "Your hand: pair of aces · Enter discards 2 cards",
        "  A♥H  A♦D  J♠S  3♣C  2♦D",
        "   1    2   ×3   ×4    5",
    ]


@pytest.mark.parametrize("room", [*ROOMS, Room(60, 8)])
def test_picked_cards_are_dim_and_nothing_else_moves(room: Room) -> None:
    view, legal = drawing()
    before = WORDS.draw(view, room)
    for text in ("3", "1 3", "1 2 3 4", "1 2 3 4 5"):
        lines = WORDS.draw_picked(text, view, legal, room)
        assert lines is not None
        assert len(lines) == len(before)
        assert fits(lines, room)
        tones = {piece.text.strip(): piece.tone for line in lines for piece in line if "♠S" in piece.text}
        assert list(tones.values()) == [Tone.QUIET]
        assert sum("×" in piece.text for line in lines for piece in line) == len(text.split())


def test_too_many_picked_cards_are_said_to_be_too_many() -> None:
    assert "5 are too many: at most 4" in "\n".join(picked("1 2 3 4 5", ROOMS[1]))


@pytest.mark.parametrize("text", ["", "1 9", "hello", "keep", "k", "1 1"])
def test_what_picks_no_card_leaves_the_table_as_it_is(text: str) -> None:
    assert WORDS.draw_picked(text, *drawing(), ROOMS[1]) is None


def test_nothing_is_picked_in_the_betting() -> None:
    game = at("rising-ante", ACES, KINGS)
    assert WORDS.draw_picked("1", game.view(1), game.legal, ROOMS[1]) is None


def test_a_group_too_wide_for_a_line_is_broken_between_words_and_within_none() -> None:
    group = (Piece("one two th", Tone.PLAIN), Piece("ree four", Tone.STRONG))
    lines = flowed([group, (Piece("5", Tone.PLAIN),)], 9, indent=2)
    assert plain(lines) == ["  one two", "  three", "  four", "  5"]
    assert lines[1] == (Piece("  "), Piece("th", Tone.PLAIN), Piece("ree", Tone.STRONG))
    assert plain(flowed([group], 12, indent=2)) == ["  one two", "  three four"]
    assert plain(flowed([group], 11, indent=2)) == ["  one two", "  three", "  four"]


def test_groups_stand_side_by_side_up_to_the_last_column() -> None:
    groups = [(Piece("one"),), (Piece("two"),)]
    assert plain(flowed(groups, 11, indent=2)) == ["  one · two"]
    assert plain(flowed(groups, 10, indent=2)) == ["  one", "  two"]
    assert plain(flowed(groups, 5, indent=2)) == ["  one", "  two"]


@pytest.mark.parametrize(
    ("columns", "cards", "numbers"),
    [(20, "  A♥H  A♦D  J♠S  3♣C", "   1    2    3    4"), (19, "  A♥H  A♦D  J♠S  3…", "   1    2    3    …")],
)
def test_a_hand_too_wide_for_a_line_is_cut_where_the_line_ends(columns: int, cards: str, numbers: str) -> None:
    lines = WORDS.draw(SCENES["draw"](), Room(columns, 14))
    assert plain(lines)[-2:] == [cards, numbers]
    assert [piece.tone for piece in lines[-2] if "♥" in piece.text] == [Tone.RED]


@pytest.mark.parametrize(
    ("dealt", "read"),
    [
        ("AC 3D 5H 2S 4C", "5H 4C 3D 2S AC"),
        ("AC KD 10H QS JC", "AC KD QS JC 10H"),
        ("AC 3D 5H 2S 6C", "AC 6C 5H 3D 2S"),
    ],
)
def test_the_ace_of_the_lowest_straight_is_read_last(dealt: str, read: str) -> None:
    assert in_reading_order(parse_cards(dealt)) == parse_cards(read)
