"""Events on a drawn screen: words and sentences are not cut."""

from hypothesis import example, given
from hypothesis import strategies as st

from pokersvc.cli.drawing.layout import Scene
from pokersvc.cli.drawing.wrapping import folded, newest, said
from pokersvc.core.drawing import Room, plain
from pokersvc.text import cells

words = st.sampled_from(["Ann", "accepts:", "10H,", "安娜安娜", "Annabelle-Josephine", "of"])
sentences = st.lists(words, min_size=1, max_size=30).map(" ".join)


@given(sentences, st.integers(10, 80))
def test_words_stay_whole_in_lines_that_fit(sentence: str, columns: int) -> None:
    lines = folded(sentence, columns)
    assert " ".join(lines).split() == sentence.split()
    for line in lines:
        assert cells(line) <= columns or len(line.split()) == 1


@example([" ".join(["of"] * 30), "Ann passes"], 20, 3, 0)
@given(st.lists(sentences, max_size=8), st.integers(20, 80), st.integers(1, 12), st.integers(0, 8))
def test_what_happened_begins_with_a_sentence(told: list[str], columns: int, rows: int, new: int) -> None:
    blocks = [plain(said([sentence], columns)) for sentence in told]
    shown = plain(newest((said([one], columns) for one in reversed(told)), rows, new))
    assert len(shown) <= rows
    left_out = shown[:1] == ["…"]
    kept = shown[left_out:]
    if told and len(blocks[-1]) > rows:
        assert kept == [*blocks[-1][: rows - 1], "…"][:rows] or kept == blocks[-1][:1]
        return
    ends = [[line for block in blocks[first:] for line in block] for first in range(len(blocks) + 1)]
    assert kept in ends
    assert left_out <= (kept != ends[0])
    if new >= len(told) > 1 and kept != ends[0] and kept != blocks[-1]:
        assert left_out, "something new was left out"


def test_on_a_drawn_screen_older_sentences_are_left_out_whole() -> None:
    scene = Scene(question="Check or bet")
    scene.log = ["Bob has two pair, sevens and threes", "Ann gave Bob 5D for 3C", "Bob gave Ann 7C for JS"]
    shown = plain(scene.lines(Room(24, 6), ""))
    assert shown == ["", "…", *scene.log[1:], "─" * 24, "Check or bet"]


def test_what_stands_in_the_notes_is_not_said_above_them_again() -> None:
    noted = said(["Round 1 -- Bob won 9", "Net: Bob +5"], 40)
    scene = Scene(question="Next round?", notes=lambda _: noted)
    scene.log = ["Round 1 -- Bob won 9", "Bob wins 9", "Round 1 -- Bob won 9"]
    shown = plain(scene.lines(Room(40, 8), ""))
    assert [line for line in shown if line.strip("─")] == [*scene.log, "Net: Bob +5", "Next round?"]
