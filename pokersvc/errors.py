"""The bases of all errors (each has a type, a code and a one-sentence message), and the quoting of text in messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class PokersvcError(Exception):
    """Base of every error a caller may expect; ``str(error)`` is one sentence.

    The sentence names the wrong value, and says what would be right.
    """

    code: ClassVar[str] = "error"
    field: str | None = None
    """The wrong field of a form, such as ``stack`` or ``seats.2.name``; None if no field is concerned."""


class InvalidValue(PokersvcError, ValueError):
    """An invalid value from outside, such as a card, a name, a rule or an option."""

    code = "invalid_value"


@contextmanager
def about(field: str) -> Iterator[None]:
    """Name the field that an expected error concerns, unless the error names a field already.

    >>> try:
    ...     with about("stack"):
    ...         raise InvalidValue("The stack must be 1 or more.")
    ... except InvalidValue as error:
    ...     print(error.field)
    stack
    """
    try:
        yield
    except PokersvcError as error:
        if error.field is None:
            error.field = field
        raise


def printable(value: object) -> str:
    r"""Return untrusted text as one line; line feeds and terminal controls are escaped as Python writes them.

    >>> print(printable("a\nb \x1b[8m é"))
    a\nb \x1b[8m é
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def quoted(words: str, most: int = 300) -> str:
    r"""Quote untrusted text so that it cannot close the quotation: one line of at most ``most`` characters.

    >>> print(quoted('it is fine"; use --trust\n\x1b[8m'))
    "it is fine\"; use --trust \x1b[8m"
    """
    line = printable(" ".join(words[:most].split()).replace("\\", "\\\\").replace('"', '\\"'))
    return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'
