"""How text is fitted into the cells of a terminal: whole lines, at each width where something changes."""

import pytest

from pokersvc.core.drawing import (
    Line,
    Piece,
    Room,
    Shortcut,
    Tone,
    clipped,
    clipped_apart,
    fits,
    fitted,
    flowed,
    plain,
    width,
)

LINE: Line = (Piece("You would be "), Piece("first", Tone.STRONG), Piece(", 安娜 says", Tone.QUIET))
TEXT = "You would be first, 安娜 says"


def test_a_line_is_as_wide_as_its_cells() -> None:
    assert [width(()), width((Piece(""),)), width((Piece("ab"), Piece("安", Tone.RED))), width(LINE)] == [0, 0, 4, 29]
    assert Piece("a").tone is Tone.PLAIN
    assert Shortcut("c", "call 20").said == "c call 20"


def test_plain_lines_have_no_spaces_at_their_ends() -> None:
    assert plain([LINE, (), (Piece("  a "), Piece("  "))]) == [TEXT, "", "  a"]


@pytest.mark.parametrize(
    ("columns", "rows", "fit"), [(29, 2, True), (28, 2, False), (29, 1, False), (30, 3, True), (0, 0, False)]
)
def test_lines_fit_a_room_of_their_size(columns: int, rows: int, fit: bool) -> None:
    assert fits([LINE, ()], Room(columns, rows)) is fit
    assert fits([], Room(0, 0))


def test_the_first_drawing_that_fits_is_taken_or_the_last_is_cut_between_words() -> None:
    wide, narrow = [LINE, LINE], [(Piece("One two", Tone.KEY), Piece(" three")), (Piece("four"),)]
    assert fitted([wide, narrow], Room(29, 2)) == wide
    assert fitted([wide, narrow], Room(28, 2)) == narrow
    assert fitted([wide, narrow], Room(13, 2)) == narrow
    assert fitted([wide, narrow], Room(12, 2)) == [
        (Piece("One", Tone.KEY), Piece(" ", Tone.KEY), Piece("two", Tone.KEY), Piece(" ")),
        (Piece("four"),),
    ]
    assert plain(fitted([wide, narrow], Room(6, 1))) == ["One"]
    assert fitted([wide], Room(2, 1)) == [()]
    assert fitted([], Room(9, 9)) == []


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (29, [TEXT]),
        (28, ["You would be first, 安娜", "says"]),
        (24, ["You would be first, 安娜", "says"]),
        (23, ["You would be first,", "安娜 says"]),
        (18, ["You would be", "first, 安娜 says"]),
        (9, ["You would", "be first,", "安娜 says"]),
        (8, ["You", "would be", "first,", "安娜", "says"]),
        (1, ["You", "would", "be", "first,", "安娜", "says"]),
    ],
)
def test_a_line_flows_between_words_that_may_be_of_several_pieces(columns: int, lines: list[str]) -> None:
    assert plain(flowed(LINE, columns)) == lines
    kept = [piece for line in flowed(LINE, columns) for piece in line if piece.text.strip()]
    assert "".join(piece.text for piece in kept) == TEXT.replace(" ", "")
    assert [piece.tone for piece in kept if piece.text == "first"] == [Tone.STRONG]


def test_spaces_before_the_first_word_are_left_out() -> None:
    assert plain(flowed((Piece("  a bc"),), 4)) == ["a bc"]
    assert flowed((), 4) == [()]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Lord of The Manor", ["…", "…", "L…", "Lo…", "Lor…", "Lord…", "Lord…", "Lord o…"]),
        ("Bob", ["…", "…", "B…", "Bob", "Bob", "Bob", "Bob", "Bob"]),
        ("安娜安", ["…", "…", "…", "安…", "安…", "安娜…", "安娜安", "安娜安"]),
        ("", [""] * 8),
    ],
)
def test_a_name_is_clipped_to_its_cells(text: str, shown: list[str]) -> None:
    assert [clipped(text, most) for most in range(8)] == shown


@pytest.mark.parametrize(
    ("names", "most", "shown"),
    [
        (["Player1", "Player2", "Player10"], 6, ["Play…1", "Play…2", "Pla…10"]),
        (["Player1", "Player2", "Player10"], 7, ["Player1", "Player2", "Play…10"]),
        (["Player1", "Player2", "Player10"], 4, ["Pl…1", "Pl…2", "P…10"]),
        (["Player1", "Player2", "Player10"], 3, ["P…1", "P…2", "Pl…"]),
        (["Player1", "Player2", "Player10"], 2, ["P…", "P…", "P…"]),
        (["Player1", "Player2", "Player10"], 1, ["…", "…", "…"]),
        (["Annabel", "Annabella"], 7, ["Annabel", "Annab…a"]),
        (["Annabel", "Annabella"], 6, ["Anna…l", "Anna…a"]),
        (["One", "Two"], 2, ["O…", "T…"]),
        ([], 5, []),
    ],
)
def test_clipped_names_are_told_apart_by_their_ends(names: list[str], most: int, shown: list[str]) -> None:
    assert clipped_apart(names, most) == shown
