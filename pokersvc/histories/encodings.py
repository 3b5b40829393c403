"""Decodes lines in UTF-8 or UTF-16 (with or without a byte order mark) or Windows-1252, and detects which it is.

A mark may also stand within a file, where files were concatenated. Bytes that are not text become a character that no
text has, so that the hand with them can be refused and all others can be read.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from errno import EINVAL
from io import BytesIO, StringIO, TextIOWrapper
from typing import BinaryIO, Final

LONGEST_LINE: Final = 1 << 22
"""Maximum bytes or characters that are kept of a line; an XML file may have all its hands on one line."""

CUT: Final = "\udfff"
"""The text that ends a line whose rest was skipped."""

HALF: Final = "\udffe"
"""The text that stands for the last byte of a UTF-16 file with an odd number of bytes."""

UNREADABLE: Final = "\0\ud800-\udfff"
"""Characters that no text has, as a set for regular expressions: NUL and UTF-16 surrogates."""

_MARKS: Final = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_MARK: Final = "\ufeff"
_MARKED: Final = re.compile(f"^{_MARK}+", re.MULTILINE)
_SAMPLE: Final = 4_096
_AT_ONCE: Final = 1 << 16
"""Bytes read at once; the whole lines among them are decoded together."""


def lines_of(file: BinaryIO) -> Iterator[str]:
    """Yield the lines of a seekable file, each with its line end."""
    sample = file.read(_SAMPLE)
    if sample is None:  # a special file, such as a pipe, with nothing to read now
        raise OSError(EINVAL, "that is no file")
    for mark, encoding in _MARKS.items():
        if sample.startswith(mark):
            file.seek(len(mark))
            return _narrow(file, marked=True) if encoding == "utf-8" else _wide(file, encoding)
    file.seek(0)
    wide = _unmarked_wide(sample)
    return _wide(file, wide) if wide else _narrow(file, marked=False)


def _unmarked_wide(sample: bytes) -> str | None:
    """Return the kind of UTF-16 of a text without a byte order mark, found by its zero bytes; None if there is none."""
    half = len(sample) // 2
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if half and odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    if half and even > half * 0.6 and odd < half * 0.1:
        return "utf-16-be"
    return None


def _narrow(file: BinaryIO, *, marked: bool) -> Iterator[str]:
    while part := file.read(_AT_ONCE):
        whole, end, last = part.rpartition(b"\n")
        yield from StringIO(_decoded(whole + end, marked=marked), newline="\n")
        if last:
            last += file.readline(LONGEST_LINE - len(last))
            line = _decoded(last, marked=marked)
            if len(last) == LONGEST_LINE and not last.endswith(b"\n"):
                line += CUT
                while (more := file.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
                    pass
                line += "\n"
            yield line


def _decoded(lines: bytes, *, marked: bool) -> str:
    """Decode lines, and remove the byte order marks with which lines begin."""
    text = _text(lines, marked=marked)
    return _MARKED.sub("", text) if _MARK in text else text


def _text(lines: bytes, *, marked: bool) -> str:
    """Decode lines as UTF-8; without a byte order mark, lines that are not UTF-8 are decoded as Windows-1252.

    Each line is tried on its own: sites have appended hands in one encoding to files in the other.
    """
    with suppress(UnicodeDecodeError):
        return lines.decode()
    return "".join([_decoded_line(line, marked=marked) for line in BytesIO(lines)])


def _decoded_line(line: bytes, *, marked: bool) -> str:
    for encoding in ("utf-8",) if marked else ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return line.decode(encoding)
    return line.decode("utf-8", "surrogateescape")


def _half_told(error: UnicodeError) -> tuple[str | bytes, int]:
    """Handle a decoding error: replace a single leftover byte at the end by `HALF`, and pass surrogates through."""
    if isinstance(error, UnicodeDecodeError) and error.end - error.start == 1:
        return HALF, error.end
    return codecs.lookup_error("surrogatepass")(error)


codecs.register_error("pokersvc.half", _half_told)


def _wide(file: BinaryIO, encoding: str) -> Iterator[str]:
    text = TextIOWrapper(file, encoding, errors="pokersvc.half", newline="\n")
    try:
        while line := text.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE and not line.endswith("\n"):
                line += CUT
                while (more := text.readline(LONGEST_LINE)) and not more.endswith("\n"):
                    pass
                line += "\n"
            yield line.lstrip(_MARK)
    finally:
        text.detach()
