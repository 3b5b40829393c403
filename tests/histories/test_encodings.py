"""Limits of encodings: how many zeros make a text UTF-16, and which line is too long, compared with a slow reader."""

from collections.abc import Iterator
from io import BytesIO

import pytest

from pokersvc.histories import encodings
from pokersvc.histories.encodings import CUT, lines_of

HALF = 20
LONGEST = 20


def sample(even: int, odd: int, half: int = HALF) -> bytes:
    """Return pairs of bytes, with the given numbers of zero first bytes and zero second bytes."""
    firsts, seconds = (b"\0" * zeros + b"a" * (half - zeros) for zeros in (even, odd))
    return bytes(byte for pair in zip(firsts, reversed(seconds), strict=True) for byte in pair)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (sample(0, 13), "utf-16-le"),
        (sample(0, 12), None),
        (sample(1, 13), "utf-16-le"),
        (sample(2, 13), None),
        (sample(13, 0), "utf-16-be"),
        (sample(12, 0), None),
        (sample(13, 1), "utf-16-be"),
        (sample(13, 2), None),
        (sample(0, 13) + b"a", "utf-16-le"),
        (b"", None),
        (b"\0", None),
        (b"a\0", "utf-16-le"),
        (b"\0a", "utf-16-be"),
        (b"\0\0", None),
    ],
)
def test_a_text_is_utf_16_where_most_of_every_other_byte_are_zero(content: bytes, encoding: str | None) -> None:
    assert encodings._unmarked_wide(content) == encoding


def slowly(text: str) -> Iterator[str]:
    """Yield lines, each cut after its longest part."""
    for line in text.splitlines(keepends=True):
        yield line if line.find("\n") in range(LONGEST) or len(line) < LONGEST else f"{line[:LONGEST]}{CUT}\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("end", ["", "\n", "\nb", "\nb\n"])
def test_a_line_is_cut_where_it_is_too_long_wherever_parts_of_a_file_end(
    monkeypatch: pytest.MonkeyPatch, encoding: str, end: str
) -> None:
    monkeypatch.setattr(encodings, "LONGEST_LINE", LONGEST)
    for at_once in (1, 7, 8, 19, 20):
        monkeypatch.setattr(encodings, "_AT_ONCE", at_once)
        for length in (0, 1, 6, 7, 8, 17, 18, 19, 20, 21, 22, 39, 40, 41, 60):
            text = f"first\n{'x' * length}{end}"
            content = text.encode(encoding)
            assert list(lines_of(BytesIO(content))) == list(slowly(text)), (at_once, length)


def test_marks_at_the_beginnings_of_lines_are_left_out_and_others_stay() -> None:
    text = "\ufeffa\n\ufeff\ufeffb\nc\ufeffd\n"
    assert list(lines_of(BytesIO(text.encode()))) == ["a\n", "b\n", "c\ufeffd\n"]
    assert list(lines_of(BytesIO(text.encode("utf-16")))) == ["a\n", "b\n", "c\ufeffd\n"]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"\xe9\n", ["é\n"]),
        (b"\xef\xbb\xbf\xe9\n", ["\udce9\n"]),
        (b"\x81\n", ["\udc81\n"]),
        (b"a\xc3\xa9\nb\xe9\n", ["aé\n", "bé\n"]),
        (b"\xff\xfea\0\n\0b", ["a\n", "\udffe"]),
        (b"\xff\xfe\0\xd8\n\0", ["\ud800\n"]),
    ],
)
def test_each_line_is_in_its_encoding_and_what_is_no_text_stays_told_apart(content: bytes, lines: list[str]) -> None:
    assert list(lines_of(BytesIO(content))) == lines
