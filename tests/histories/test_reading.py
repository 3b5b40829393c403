"""Files and folders: encodings and line ends, other games, hostile files, and one sentence for what cannot be read."""

import os
import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest

from pokersvc.histories.encodings import CUT, LONGEST_LINE, lines_of
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.reading import HistoryFile, Unread, files_in, hands_in

SAMPLES = Path(__file__).parent / "samples"
STARS = (SAMPLES / "pokerstars.txt").read_text("utf-8")
FIRST = STARS.split("\n\n\n")[0] + "\n"


def read(path: Path, content: bytes) -> tuple[list[ToldHand], list[Unread]]:
    path.write_bytes(content)
    found = list(hands_in(path))
    return [one for one in found if isinstance(one, ToldHand)], [one for one in found if isinstance(one, Unread)]


@pytest.mark.parametrize(
    ("name", "hands"), [("pokerstars.txt", 10), ("full-tilt.txt", 1), ("ongame.txt", 6)], ids=lambda it: str(it)
)
def test_every_hand_of_every_sample_is_read(name: str, hands: int) -> None:
    found = list(hands_in(SAMPLES / name))
    assert len(found) == hands
    assert all(isinstance(hand, ToldHand) for hand in found)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_text_says_the_same_in_every_encoding_and_with_either_line_end(
    tmp_path: Path, encoding: str, end: str
) -> None:
    text = STARS.replace("Dora", "Dóra €").replace("\n", end)
    hands, unread = read(tmp_path / "a.txt", text.encode(encoding))
    assert unread == []
    plain, _ = read(tmp_path / "b.txt", STARS.replace("Dora", "Dóra €").encode())
    assert [(hand.told, hand.players, hand.number) for hand in hands] == [
        (hand.told, hand.players, hand.number) for hand in plain
    ]
    assert [hand.text for hand in hands] == [hand.text.replace("\n", end) for hand in plain]
    assert "Dóra €" in {player.name for player in hands[0].players}


def test_utf_16_with_its_other_mark(tmp_path: Path) -> None:
    hands, unread = read(tmp_path / "a.txt", b"\xfe\xff" + STARS.encode("utf-16-be"))
    assert (len(hands), unread) == (10, [])


def test_hands_in_one_encoding_after_hands_in_another_are_read(tmp_path: Path) -> None:
    content = FIRST.replace("Dora", "Dóra").encode() + b"\n\n" + FIRST.replace("Dora", "Dóra").encode("cp1252")
    hands, unread = read(tmp_path / "a.txt", content)
    assert unread == []
    assert [hand.players[1].name for hand in hands] == ["Dóra", "Dóra"]


def test_bytes_that_are_no_text_cost_one_hand(tmp_path: Path) -> None:
    hands = STARS.split("\n\n\n")
    spoilt = [hand.encode() for hand in hands]
    spoilt[1] = spoilt[1].replace(b"Dora: folds", b"D\x81ra: folds")
    spoilt[3] = spoilt[3].replace(b"Dora", b"D\0ra", 1)
    read_hands, unread = read(tmp_path / "a.txt", b"\n\n\n".join(spoilt))
    assert len(read_hands) == 8
    assert [one.line for one in unread] == [42, 97]
    assert unread[0].why == "Line 42 has bytes that are not text in UTF-8, UTF-16 or Windows-1252."
    # A mark that promises UTF-8 is believed: what else might be Windows-1252 is then wrong.
    _, unread = read(tmp_path / "a.txt", b"\xef\xbb\xbf" + STARS.replace("Dora", "Dóra", 1).encode("cp1252"))
    assert [one.line for one in unread] == [4]


def test_half_a_character_at_the_end_costs_the_last_hand(tmp_path: Path) -> None:
    hands, unread = read(tmp_path / "a.txt", STARS.encode("utf-16")[:-3])
    assert (len(hands), len(unread)) == (9, 1)
    assert unread[0].why.endswith("are not text in UTF-8, UTF-16 or Windows-1252.")


def test_a_hand_of_another_game_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    holdem = FIRST.replace("5 Card Draw Limit", "Hold'em No Limit")
    hands, unread = read(tmp_path / "a.txt", f"{holdem}\n\n{FIRST}".encode())
    assert len(hands) == 1
    assert [(one.line, one.why) for one in unread] == [
        (1, 'Line 1 begins a hand of "Hold\'em No Limit": only five-card draw is read.')
    ]


def test_more_than_ten_who_are_dealt_in_are_refused_by_name(tmp_path: Path) -> None:
    seats = "".join(f"Seat {number}: P{number} ($5 in chips)\n" for number in range(5, 13))
    eleven = FIRST.replace("Dora: posts small", f"{seats}Dora: posts small", 1)
    _, unread = read(tmp_path / "a.txt", eleven.encode())
    assert [(one.line, one.why) for one in unread] == [
        (13, "Line 13 has the 11th player who is dealt in: at most 10 players can be.")
    ]
    for away in (
        eleven.replace("P11 ($5 in chips)", "P11 ($5 in chips) is sitting out").replace(
            "P12 ($5 in chips)", "P12 ($5 in chips) is sitting out"
        ),
        eleven.replace("*** DEALING", "P11: sits out\nP12: sits out\n*** DEALING"),
    ):
        hands, unread = read(tmp_path / "a.txt", away.encode())
        assert unread == []
        assert len(hands[0].dealt_in()) == 10


def test_lines_before_the_first_hand_and_a_hand_without_its_first_line_are_told(tmp_path: Path) -> None:
    without = FIRST.split("\n", 1)[1]
    hands, unread = read(tmp_path / "a.txt", f"hello\n\n{FIRST}\n\n{without}\n\n{FIRST}".encode())
    assert len(hands) == 2
    assert [one.line for one in unread] == [1, 30]
    assert unread[0].why.startswith("Line 1 does not say which hand of PokerStars it is")


@pytest.mark.parametrize(
    "content", [b"hello\n", b"\x7fELF\0\0\0" * 100, os.urandom(5_000), b"\x1f\x8b\x08" + b"x" * 50]
)
def test_a_file_of_something_else_is_told_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    hands, unread = read(tmp_path / "a", content)
    assert hands == []
    assert [one.line for one in unread] == [None]
    assert "is not a hand history that is read" in unread[0].why


def test_an_empty_file_is_told_like_one_of_something_else(tmp_path: Path) -> None:
    hands, [unread] = read(tmp_path / "a", b"")
    assert hands == []
    assert unread.why == f"{tmp_path / 'a'} is empty."
    assert unread.other


def test_a_line_that_never_ends_and_a_hand_that_never_ends_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.write(FIRST.encode() + b"\n\n")
        file.truncate(file.tell() + 80_000_000)  # zeros to the end of the file, and no line end
        file.seek(0, 2)
        file.write(b"\n\n\n" + FIRST.encode())
    tracemalloc.start()
    found = list(hands_in(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [type(one) for one in found] == [ToldHand, Unread, ToldHand]
    assert peak < 30_000_000
    path.write_bytes(FIRST.encode() + (b"Ann: folds" * 90 + b"\n") * 40_000)
    tracemalloc.start()
    found = list(hands_in(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [type(one) for one in found] == [Unread]
    assert peak < 10_000_000


def test_the_end_of_a_hand_is_not_sought_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.histories.reading._LONGEST_HAND", 20_000)
    hands, unread = read(tmp_path / "a", (FIRST + "\n\n").encode() * 40 + b"Ann: folds\n" * 4_000)
    assert len(hands) == 40
    assert [one.why.split(":")[1] for one in unread] == [" the rest of the file is not read."]


def test_lines_are_the_same_wherever_a_part_of_the_file_ends() -> None:
    lines = [f"{'é' * (number % 50)} line {number}\n" for number in range(5_000)]
    content = b"".join(line.encode("cp1252" if number % 3 else "utf-8") for number, line in enumerate(lines))
    assert list(lines_of(BytesIO(content))) == lines


def test_what_is_cut_of_a_line_is_marked() -> None:
    for content in (b"x" * (LONGEST_LINE + 5) + b"\ny\n", ("x" * (LONGEST_LINE + 5) + "\ny\n").encode("utf-16")):
        first, second = lines_of(BytesIO(content))
        assert (len(first), first[-3:], second) == (LONGEST_LINE + 2, f"x{CUT}\n", "y\n")


@pytest.mark.slow
def test_many_hands_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_bytes((FIRST + "\n\n").encode() * 1_000)
    tracemalloc.start()
    count = sum(isinstance(one, ToldHand) for one in hands_in(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 1_000
    assert peak < 2_000_000


def test_a_folder_is_read_by_name_without_following_links_to_folders(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "b" / "c").mkdir(parents=True)
    (top / "d").mkdir()
    for name in ("z.txt", "a.txt", "b/c/x.txt", "b/y.txt", "d/w.txt"):
        (top / name).write_text(FIRST)
    (top / "b" / "loop").symlink_to(top)
    (top / "itself").symlink_to("itself")
    os.mkfifo(top / "pipe")
    found = list(files_in([top, top / "a.txt"]))
    paths = [str(one.relative_to(top)) for one in found if isinstance(one, Path)]
    assert paths == ["a.txt", "z.txt", "b/y.txt", "b/c/x.txt", "d/w.txt", "a.txt"]
    told = {one.path.name: one.why for one in found if isinstance(one, Unread)}
    assert set(told) == {"loop", "itself", "pipe"}
    assert "is a link to a folder: name that folder itself" in told["loop"]
    assert "is not a file" in told["pipe"]
    strays = [one.path.name for one in found if isinstance(one, Unread) and one.other]
    assert strays == ["pipe"], "links may lead to hands"


@pytest.mark.parametrize("name", ["missing", "folder", "pipe", "nul\0"])
def test_what_is_not_a_file_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    found = list(hands_in(tmp_path / name))
    assert [type(one) for one in found] == [Unread]
    assert isinstance(found[0], Unread)
    assert found[0].why.endswith(".")


def test_a_file_says_how_far_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(STARS)
    with HistoryFile(path) as file:
        list(file.blocks())
        assert file.position == file.size == len(STARS)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("'Table D II'", f"'{'T' * 201}'", 1, f"The table is '{'T' * 40}' and more: it has 201 characters"),
        (
            "5 Card Draw Limit",
            f"Tournament #{'7' * 201}, Freeroll 5 Card Draw Limit",
            1,
            f"The tournament's number is '{'7' * 40}' and more: it has 201 characters",
        ),
    ],
)
def test_a_text_that_no_event_can_have_makes_a_hand_unreadable(
    tmp_path: Path, old: str, new: str, line: int, why: str
) -> None:
    assert old in FIRST
    hands, unread = read(tmp_path / "a.txt", FIRST.replace(old, new).replace("$", "").replace("0.", "").encode())
    assert (hands, [(one.line, one.why) for one in unread]) == ([], [(line, f"{why}, and at most 200 are stored.")])


def test_a_currency_that_no_event_can_have_makes_a_hand_unreadable(tmp_path: Path) -> None:
    boss = (SAMPLES / "boss.xml").read_text("utf-8").replace("GAMETYPE_REAL", "GAMETYPE_PLAYMONEY")
    (tmp_path / "a.xml").write_text(boss, "utf-8")
    said = {one.why for one in hands_in(tmp_path / "a.xml") if isinstance(one, Unread)}
    assert said == {"The currency is 'GAMETYPE_PLAYMONEY' and more: it has 18 characters, and at most 16 are stored."}
