"""Files that were put together: with their marks, as DOS does it, of several sites."""

from pathlib import Path

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import Unread, hands_in

from .as_written import SAMPLES


def test_marks_within_a_file_are_left_out(tmp_path: Path) -> None:
    text = (SAMPLES / "pokerstars.txt").read_text("utf-8")
    one, other = text.split("\n\n\n")[:2]
    for between in ("\n", "\n\n\n"):
        for encoding in ("utf-8", "utf-16-le"):
            (tmp_path / "a.txt").write_bytes(f"\ufeff{one}{between}\ufeff{other}\n".encode(encoding))
            hands = list(hands_in(tmp_path / "a.txt"))
            assert [hand.number for hand in hands if isinstance(hand, HandHistory)] == ["57273888010", "62899098639"]
            assert len(hands) == 2


def test_a_file_that_dos_has_put_together_ends_as_that(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text((SAMPLES / "pokerstars.txt").read_text("utf-8") + "\x1a", "utf-8")
    assert [type(hand) for hand in hands_in(tmp_path / "a.txt")] == [HandHistory] * 10


def test_a_hand_of_another_site_is_told_as_that(tmp_path: Path) -> None:
    stars, tilt = ((SAMPLES / f"{name}.txt").read_text("utf-8") for name in ("pokerstars", "full-tilt"))
    (tmp_path / "a.txt").write_text(f"{stars}\n\n\n{tilt}", "utf-8")
    *hands, last = hands_in(tmp_path / "a.txt")
    assert len(hands) == 10
    assert isinstance(last, Unread)
    line = stars.count("\n") + 4
    said = f"Line {line} begins a hand of full-tilt, but the file is of pokerstars"
    assert last.why == f"{said}: put the hands of each into a separate file."
