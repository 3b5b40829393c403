"""Files and folders: encodings and line ends, other games, malicious files, and one sentence per unreadable hand."""

import os
import time
import tracemalloc
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from pokersvc.histories import statements as told
from pokersvc.histories.checking import check
from pokersvc.histories.encodings import CUT, LONGEST_LINE, lines_of
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import HistoryFile, Unread, files_in, hands_in

SAMPLES = Path(__file__).parent / "samples"
STARS = (SAMPLES / "pokerstars.txt").read_text("utf-8")
FIRST = STARS.split("\n\n\n")[0] + "\n"


def read(path: Path, content: bytes) -> tuple[list[HandHistory], list[Unread]]:
    path.write_bytes(content)
    found = list(hands_in(path))
    return [one for one in found if isinstance(one, HandHistory)], [one for one in found if isinstance(one, Unread)]


@pytest.mark.parametrize(
    ("name", "hands"), [("pokerstars.txt", 10), ("full-tilt.txt", 1), ("ongame.txt", 6)], ids=lambda it: str(it)
)
def test_every_hand_of_every_sample_is_read(name: str, hands: int) -> None:
    found = list(hands_in(SAMPLES / name))
    assert len(found) == hands
    assert all(isinstance(hand, HandHistory) for hand in found)


def test_what_a_file_tells_has_slots_and_no_dictionary() -> None:
    """Files contain millions of such statements."""
    (hand,) = hands_in(SAMPLES / "full-tilt.txt")
    assert isinstance(hand, HandHistory)
    statements = [one for one in vars(told).values() if isinstance(one, type) and issubclass(one, told.Statement)]
    assert set(map(type, hand.told)) < set(statements)
    assert [one for one in statements if one.__dictoffset__] == []


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


@pytest.mark.parametrize(
    ("end", "byte"), [("", b"\n"), ("\n", b"\0"), ("\r\n" * 3, b"\n"), ("\n" * 200, b"}")], ids=repr
)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
@pytest.mark.parametrize(
    "name", ["full-tilt.txt", "pokerstars.txt", "ongame.txt", "boss.xml", "merge.xml", "more.phhs"]
)
def test_a_lone_byte_at_the_end_of_utf_16_is_a_note_of_the_last_hand(
    tmp_path: Path, name: str, encoding: str, byte: bytes, end: str
) -> None:
    text = (SAMPLES / name).read_text("utf-8").rstrip() + end
    whole, _ = read(tmp_path / "a.txt", text.encode(encoding))
    hands, unread = read(tmp_path / "b.txt", text.encode(encoding) + byte)
    assert unread == []
    *others, last = hands
    assert others == whole[:-1]
    note = (text.count("\n") + 1, "The file ends with one byte, half a character of UTF-16, which is left out.")
    assert last == replace(whole[-1], warnings=(*whole[-1].warnings, note))


def test_half_a_character_of_the_last_line_costs_the_last_hand(tmp_path: Path) -> None:
    hands, [unread] = read(tmp_path / "a.txt", STARS.encode("utf-16")[:-3])
    assert len(hands) == 9
    assert unread.line == STARS.count("\n")
    assert "is not a line that PokerStars writes" in unread.why


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
        (13, "Line 13 has the 11th player who is dealt in, but at most 10 players can be dealt in.")
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
    assert "is not a hand history in a known format" in unread[0].why


def test_an_empty_file_is_told_like_one_of_something_else(tmp_path: Path) -> None:
    hands, [unread] = read(tmp_path / "a", b"")
    assert hands == []
    assert unread.why == f"{tmp_path / 'a'} is empty."
    assert unread.other


@pytest.mark.slow
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
    assert [type(one) for one in found] == [HandHistory, Unread, HandHistory]
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
    count = sum(isinstance(one, HandHistory) for one in hands_in(path))
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


@pytest.mark.parametrize("root", ["/", "//", "/..", "link"])
def test_the_root_of_the_file_system_is_refused_before_anything_is_read(tmp_path: Path, root: str) -> None:
    path = tmp_path / "link" if root == "link" else Path(root)
    if root == "link":
        path.symlink_to("/")
    (found,) = files_in([path])
    assert isinstance(found, Unread)
    assert found.why == f"{path} is the whole file system: name a folder of hand histories in it."


def test_a_file_with_nothing_to_read_now_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the kernel's files are regular ones by their mode, but a read may return nothing yet."""

    class Waiting(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return None  # type: ignore[return-value]  # as a file that does not wait says

    path = tmp_path / "kmsg"
    path.write_text("")
    real = HistoryFile.__init__

    def waits(file: HistoryFile, at: Path) -> None:
        real(file, at)
        file._file.close()
        file._file = Waiting()

    monkeypatch.setattr(HistoryFile, "__init__", waits)
    (found,) = hands_in(path)
    assert isinstance(found, Unread)
    assert found.why == f"{path} is not a file."


ENDLESS = Path("/proc/self/pagemap")
"""A regular file of the kernel that claims to be empty, but has hundreds of gigabytes."""
SOON = 10.0  # seconds, on a machine that does other things as well


def holed(path: Path, content: str) -> Path:
    """Write a file with a hole of a terabyte in which no line ends."""
    with path.open("wb") as file:
        file.write(content.encode())
        file.truncate(1 << 40)
    return path


@pytest.mark.skipif(not ENDLESS.exists(), reason="only Linux has such a file")
def test_a_file_that_goes_on_beyond_its_end_is_soon_told_as_something_else() -> None:
    started = time.process_time()
    for read_ in (hands_in(ENDLESS), check([ENDLESS])):
        (found,) = read_
        assert isinstance(found, Unread)
        assert found.other
        assert found.why.startswith("/proc/self/pagemap is not a hand history in a known format: ")
    assert time.process_time() - started < SOON


def test_a_file_in_which_no_line_ends_is_soon_told_as_something_else(tmp_path: Path) -> None:
    path, started = holed(tmp_path / "a", FIRST[:30]), time.process_time()
    for read_ in (hands_in(path), check([path])):
        (found,) = read_
        assert isinstance(found, Unread)
        assert found.other
    assert time.process_time() - started < SOON


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_hands_before_lines_that_never_end_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setattr("pokersvc.histories.reading._LONGEST_RUN", 1 << 20)
    path = tmp_path / "a"
    with path.open("wb") as file:
        file.write(f"{STARS}\n\n".encode(encoding))
        file.truncate(1 << 40)
    *hands, unread = hands_in(path)
    assert [type(hand) for hand in hands] == [HandHistory] * 10
    assert unread == Unread(path, None, f"{path} cannot be read: no line ends in 1,048,576 bytes of it.")
    (found,) = check([path])  # which names a file by all its bytes
    assert found == unread


def test_a_file_that_is_written_as_it_is_read_is_read_to_where_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"

    def grown(beyond: int) -> list[object]:
        monkeypatch.setattr("pokersvc.histories.reading._MOST_BEYOND", beyond)
        path.write_text(FIRST)
        with HistoryFile(path) as file:
            path.write_text(f"{STARS}\n\n" * 50)
            return list(file.blocks())

    assert len(grown(1 << 20)) == 500
    *blocks, unread = grown(1 << 17)
    assert 50 < len(blocks) < 200
    assert isinstance(unread, Unread)
    assert unread.why == f"{path} cannot be read: it continues for 131,072 bytes after its reported end."


def test_what_is_no_file_and_a_file_without_hands_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("hello")
    (tmp_path / "c").write_text(FIRST)
    first, second, *hands = check([Path("/"), tmp_path])
    assert isinstance(first, Unread)
    assert "is the whole file system" in first.why
    assert isinstance(second, Unread)
    assert second.path.name == "b"
    assert [isinstance(one, Unread) for one in hands] == [False]


@pytest.mark.slow
@pytest.mark.skipif(not ENDLESS.exists(), reason="only Linux has such a file")
def test_a_folder_with_files_that_never_end_is_soon_read(tmp_path: Path) -> None:
    holed(tmp_path / "b", "hello")
    (tmp_path / "c").write_text(STARS)
    started = time.process_time()
    found = list(check([tmp_path, Path("/proc/self/task")]))
    assert time.process_time() - started < SOON
    assert sum(not isinstance(one, Unread) for one in found) == 10
    told = {one.path.name: one for one in found if isinstance(one, Unread)}
    assert told["b"].other
    assert told["pagemap"].other
