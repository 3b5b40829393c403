"""The table as it is drawn, against drawings that were looked at; `scenes` makes them anew."""

import pytest

from pokersvc.core.drawing import Tone
from pokersvc.games.draw_poker.words import DrawPokerWords

from .scenes import FOLDER, ROOMS, SCENES, shown

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
    numbers = "".join(piece.text for piece in lines[-1]).split()
    faces = [piece.text.strip() for piece in lines[-5] if piece.tone in (Tone.RED, Tone.BLUE, Tone.BLACK, Tone.GREEN)]
    hand = view.seat(1).cards
    assert [str(hand[int(number) - 1])[:-1] for number in numbers] == faces == ["A", "A", "J", "3", "2"]
